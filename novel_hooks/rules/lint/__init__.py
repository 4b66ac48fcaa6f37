"""The countable facts of prose: residue, habits, rhythm, repeats.

A sign of residue is a row: what agents leave in `residue`, `machine_phrases` and `doubtful_residue`, words of
tools, of sites and of an author to his readers in `placeholders`.
"""
