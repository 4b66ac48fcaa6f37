"""Words of a machine left in a chapter: `residue` searches by tables of `ResidueKind` (`kind`).

The tables: `residue`, `field_names`, `agent_remarks` and `doubtful` for agents' words; `placeholders` for
words of tools, of sites, and of an author to his readers.
"""
