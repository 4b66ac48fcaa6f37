"""Another host for one book: its files written, checked and removed, its client asked (ADR 0019)."""
