"""The journal: several changes of files land as one, wherever the command is killed (ADR 0002)."""
