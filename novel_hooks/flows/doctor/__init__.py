"""The checkup of a book, its repair, and the report for a bug."""
