"""The export of a book for readers: its chapters, the findings before it, the file."""
