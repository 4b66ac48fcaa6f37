"""A volume's outline, a chapter's contract, the brief: how they are read and checked."""
