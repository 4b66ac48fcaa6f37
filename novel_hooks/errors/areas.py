"""Every area of the refusals, as one namespace."""

from __future__ import annotations

from novel_hooks.errors.chapter import *  # noqa: F403
from novel_hooks.errors.checkup import *  # noqa: F403
from novel_hooks.errors.command import *  # noqa: F403
from novel_hooks.errors.disk import *  # noqa: F403
from novel_hooks.errors.hosting import *  # noqa: F403
from novel_hooks.errors.landed import *  # noqa: F403
from novel_hooks.errors.manuscript import *  # noqa: F403
from novel_hooks.errors.planning import *  # noqa: F403
from novel_hooks.errors.progress import *  # noqa: F403
from novel_hooks.errors.volume import *  # noqa: F403
