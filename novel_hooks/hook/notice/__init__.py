"""The client's notices: a session begins, an agent is done (ADR 0013)."""
