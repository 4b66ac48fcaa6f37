"""A manuscript: the text of a chapter as its parts, and a whole book taken apart into chapters."""
