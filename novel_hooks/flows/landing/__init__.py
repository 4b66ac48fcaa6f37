"""The changes of one commit."""
