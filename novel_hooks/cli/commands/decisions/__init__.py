"""The author's decisions and settings."""
