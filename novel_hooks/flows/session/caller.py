"""The caller of a command, and the moment of the call."""

from __future__ import annotations

import time

from novel_hooks.record import Record
from novel_hooks.store.host.owner import Owner


class Caller(Record):
    """The owner of a command, and its moment: `now` in seconds since the epoch (UTC)."""

    owner: Owner
    now: float

    @property
    def stamp(self) -> str:
        """Return the moment as ISO-8601 UTC, to the second."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))
