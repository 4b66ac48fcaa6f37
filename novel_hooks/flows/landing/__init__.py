"""What one commit changes."""
