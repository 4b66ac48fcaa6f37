"""The novel of a call: the session's, the target's, and whether both are one. Source: protocol §5."""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks import root as roots
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import wire
from novel_hooks.hook.client.event import Event

# Signs of a novel: names in its folder, keys of its checkpoint. A bare agent's name may be another program's,
# and so may a file named `.checkpoint.json`; only a call with both is none of our affair.
_NOVEL = (layout.OWN, layout.STAGING, layout.CONFIG, layout.LOCK_DIR, "chapters")
_WORDS = (
    "orchestrator_state",
    "last_completed_chapter",
    "current_volume",
    "pipeline_stage",
    "inflight_chapter",
)


def home_project(event: Event, environ: Mapping[str, str]) -> str | None:
    """Find the session's project from its folder upwards, first by the path's text, then with links resolved.

    A call in Codex may name a folder of its own; the hook itself runs in the session's folder.
    """
    starts = [event.cwd or environ.get("CLAUDE_PROJECT_DIR")]
    if event.host == wire.CODEX:
        starts.append(os.getcwd())
    for start in starts:
        if start and os.path.isabs(start) and "\0" not in start:
            found = roots.find_root(start) or roots.find_root(os.path.realpath(start))
            if found is not None:
                return found
    return None


def our_project(project: str | None) -> str | None:
    """This project or the nearest above it that is a novel; None when each is another program's."""
    while project is not None and _is_foreign(project):
        above = os.path.dirname(project)
        project = None if above == project else roots.find_root(above)
    return project


def _is_foreign(project: str) -> bool:
    """Return whether a project is another program's.

    It has no folder of a novel, and its checkpoint is a whole object without a key of ours.
    """
    if any(os.path.lexists(os.path.join(project, name)) for name in _NOVEL):
        return False
    checkpoint = wire.read(os.path.join(project, layout.CHECKPOINT))
    return isinstance(checkpoint, dict) and bool(checkpoint) and not any(key in checkpoint for key in _WORDS)


def is_same_project(home: str | None, there: str, cwd: str | None) -> bool:
    """Return whether session and target are of one project; the session's folder may be above the root."""
    if home is not None:
        return os.path.samefile(home, there)
    if cwd is None:
        return True
    above = os.path.join(os.path.normcase(os.path.realpath(cwd)), "")
    return os.path.normcase(os.path.realpath(there)).startswith(above)
