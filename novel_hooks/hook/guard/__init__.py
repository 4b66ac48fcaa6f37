"""May a pipeline agent make this call (ADR 0009)."""
