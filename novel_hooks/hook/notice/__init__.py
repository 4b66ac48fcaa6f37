"""Notices of the client: the start of a session, the end of an agent's work or of a turn (ADR 0013)."""
