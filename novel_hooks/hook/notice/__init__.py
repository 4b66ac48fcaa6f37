"""What the client tells of: a session that begins, an agent that is done (ADR 0013)."""
