"""Init, settings, imported notes, guides, and the repair of an outline's form."""
