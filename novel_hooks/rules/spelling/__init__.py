"""Names as the text spells them: slips by a like character, a name replaced, everyday words around it."""
