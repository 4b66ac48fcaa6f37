"""The guard: may an agent make this call (ADR 0009)."""
