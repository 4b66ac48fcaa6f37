"""A volume's outline, a chapter's contract and the brief: reading and checking them."""
