"""Marks of the files outside staging, and what differs from them (ADR 0010)."""
