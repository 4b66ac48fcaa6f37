"""The second fence: marks of the files outside staging, and the differences from them (ADR 0010)."""
