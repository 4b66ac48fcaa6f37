"""Formats of files, from bytes to values and back: UTF-8, JSON, YAML, the end of a log."""
