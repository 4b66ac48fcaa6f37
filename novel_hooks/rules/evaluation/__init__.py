"""A judge's words, from the raw reply to the gate's decision."""
