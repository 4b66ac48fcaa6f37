"""The lock of a running command, and the lock of a session (ADR 0003)."""
