"""The countable facts of prose: residue, habits, rhythm, repeats."""
