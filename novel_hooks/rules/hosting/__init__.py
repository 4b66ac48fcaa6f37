"""A book's files for another host, made from the plugin's own texts (ADR 0019)."""
