"""The rules of a volume's plan (docs/volume-rules.md)."""
