"""The inventory of a book: lost chapters, lost setting, where they may be, stray copies. Reads only."""
