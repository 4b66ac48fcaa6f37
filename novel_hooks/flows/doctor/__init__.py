"""The checkup of a book, its repair, the report of faults."""
