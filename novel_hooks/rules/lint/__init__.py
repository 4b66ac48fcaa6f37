"""What can be counted of prose: residue, habits, rhythm, repeats."""
