"""The countable facts of prose: residue, habits, rhythm, repeats.

The tables of residue: `residue`, `agent_remarks` and `doubtful_residue` for agents' words; `placeholders`
for words of tools, of sites, and of an author to his readers.
"""
