"""The project on disk: the only code that reads or writes files."""
