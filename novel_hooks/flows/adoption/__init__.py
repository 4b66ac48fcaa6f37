"""A book that moves in: its files read, its chapters shown and landed, what is still to be recorded."""
