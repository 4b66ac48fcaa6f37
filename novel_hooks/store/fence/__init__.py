"""The second fence: marks of the files outside staging, and how the files differ from them (ADR 0010)."""
