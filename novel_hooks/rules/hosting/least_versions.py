"""The oldest versions that are good enough: of Claude Code, of Codex, of Python.

The scripts in sh and the pages name them too; this module's test compares.
"""

from __future__ import annotations

CLAUDE_CODE = (2, 1, 214)
"""From here on a client stops a call when the guard says so, whatever else was printed."""
CODEX = (0, 171)
"""The version that this was tried with; an older one is refused, a newer one told of."""
PYTHON = (3, 9)
