"""Names as a text spells them: slips by a like character, a replaced name, everyday words around a name."""
