"""Commands that move the checkpoint."""
