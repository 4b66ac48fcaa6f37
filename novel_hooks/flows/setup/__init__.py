"""Init, settings, imported notes, guides, and the mending of an outline's form."""
