"""The `novel` command."""
