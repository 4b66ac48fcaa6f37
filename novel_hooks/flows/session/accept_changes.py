"""`novel accept-changes`: the author accepts changes outside staging as his own.

Source: protocol §2 (second fence). It is a command of its own, so that a host can leave it to him: `advance`
and `commit` never imply it.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.flows.session import fence
from novel_hooks.store.fence import watched_files

if TYPE_CHECKING:
    from novel_hooks.flows.session.session import Session
    from novel_hooks.store.fence.fence import Difference


def run(session: Session) -> tuple[Difference, ...]:
    """Record the changes outside staging as the author's own, a line a file.

    Lost files (`store.fence.watched_files`) are accepted too, and are not reported again. Returns the
    differences; () without any.
    """
    lost = watched_files.missing(session.project)
    found, changes = fence.acceptance(session.project, session.caller, lost)
    if any(one.path in (layout.CHECKPOINT, layout.CHECKPOINT_SEAL) for one in found):
        changes.append(fence.reseal(session.project))
    changes += watched_files.without(session.project, lost)
    session.land(changes, label="记下作者自己的改动")
    return tuple(found)
