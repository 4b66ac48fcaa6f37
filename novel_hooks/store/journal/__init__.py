"""Several changes of files as one, whatever is killed (ADR 0002)."""
