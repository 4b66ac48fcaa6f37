"""Values of settings where the author set none, as far as no other module is about them. Pure."""

from __future__ import annotations

KEEP_VERSIONS = 100
"""So many chapters back every version of a text is kept."""
BACKUP_AFTER = 10
"""After so many landed chapters without a backup the author is reminded."""
