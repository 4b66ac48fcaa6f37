"""Bytes to values and back: UTF-8, JSON, YAML, lines of a log, seals."""
