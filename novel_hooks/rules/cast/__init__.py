"""Characters, their names and ids, the world's hard rules."""
