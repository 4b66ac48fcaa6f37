"""What holds without a word of the author's, where a command needs no more than that of the settings."""

from __future__ import annotations

CHAPTER_CHARS = (2000, 3500)
"""How long a chapter is, in 字: (least, most)."""
CHARACTERS = 15
"""So many characters, those seen last, go to a chapter whose contract names none (seed 000 Step 2.4)."""
