"""The settings' defaults: what holds where the author set nothing. Source: protocol §3, seed 000 step 2.4.

A packet's sizes are in `rules.packet.size_limit`, the models of the steps in `rules.steps.agents`.
`templates/novel.yaml` repeats the gate's for new books; a test compares them.
"""

from __future__ import annotations

PASS_AT, POLISH_AT, REVISE_AT, PAUSE_AT = 4.0, 3.5, 3.0, 2.0
"""The lower, included ends of the gate's bands, on the scale 0..5."""
MAX_REVISIONS = 2
"""A chapter is revised so often without asking."""
CHAPTER_CHARS = (2500, 3800)
"""The fewest and the most 字 of a chapter."""
MAX_CHARACTERS = 15
"""The most people in a packet whose contract names nobody."""
KEEP_VERSIONS = 100
"""So many chapters back every version of a text is kept."""
BACKUP_AFTER = 10
"""After so many landed chapters without a backup the author is reminded."""
