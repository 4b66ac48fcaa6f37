"""The inventory of a book: lost files, hand edits, stray copies, the backlog of adoption. Reads only."""
