"""The countable facts of prose: residue (a new sign is a row there), habits, rhythm, repeats."""
