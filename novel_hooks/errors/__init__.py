"""Every refusal of `novel`, one class a stable code, by area.

`message` and `fix` are what the author reads: Chinese, his words, one next action. They are
`str.format` templates filled from the keyword values given when the problem is raised.
Exit codes are those of protocol §8.

The areas are loaded one by one until the class that is asked for is found: a command that refuses nothing
loads none. So a class is spelled `errors.FileMissing` where it is raised, and only what `base` holds is
imported by name.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.errors.base import *  # noqa: F403

if TYPE_CHECKING:
    from novel_hooks.errors.chapter import *  # noqa: F403
    from novel_hooks.errors.checkup import *  # noqa: F403
    from novel_hooks.errors.command import *  # noqa: F403
    from novel_hooks.errors.disk import *  # noqa: F403
    from novel_hooks.errors.hosting import *  # noqa: F403
    from novel_hooks.errors.landed import *  # noqa: F403
    from novel_hooks.errors.manuscript import *  # noqa: F403
    from novel_hooks.errors.planning import *  # noqa: F403
    from novel_hooks.errors.progress import *  # noqa: F403
    from novel_hooks.errors.reminders import *  # noqa: F403
    from novel_hooks.errors.volume import *  # noqa: F403


_AREAS = (  # those of everyday notes and of a missing file first
    *("reminders", "progress", "disk", "manuscript", "landed", "checkup", "planning", "chapter"),
    *("command", "volume", "hosting"),
)

if not TYPE_CHECKING:

    def __getattr__(name):
        for area in () if name.startswith("_") else _AREAS:
            found = getattr(__import__(f"{__name__}.{area}", fromlist=[name]), name, None)
            if found is not None:
                return globals().setdefault(name, found)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
