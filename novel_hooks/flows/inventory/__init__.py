"""The inventory of a book: lost files, where they may be, stray copies. Reads only."""
