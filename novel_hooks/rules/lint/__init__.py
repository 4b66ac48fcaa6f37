"""The countable facts of prose: habits, rhythm, repeats, and the residue of a machine."""
