"""Another host for one book: its files written, checked and taken away, its client asked (ADR 0019)."""
