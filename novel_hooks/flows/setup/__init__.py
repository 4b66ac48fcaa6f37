"""A new book: init, settings, imported notes, guides."""
