"""The caller of a command, and the time of the call."""

from __future__ import annotations

import time

from novel_hooks import errors, roles
from novel_hooks.record import Record
from novel_hooks.store.host.codex import Call
from novel_hooks.store.host.owner import Owner


class Caller(Record):
    """The owner of a command, and its time: `now` in seconds since the epoch (UTC).

    `codex` is set when Codex runs it.
    """

    owner: Owner
    now: float
    codex: Call | None = None

    @property
    def stamp(self) -> str:
        """Return the time as ISO-8601 UTC, to the second."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))

    def check_thread(self) -> None:
        """Raise SubAgentRefused when one of Codex's sub-agents gave the command."""
        if self.codex is not None and self.codex.by_sub_agent:
            raise errors.SubAgentRefused

    def check_boundary(self) -> None:
        """Raise BoundaryOff when Codex runs without the profile that keeps agents in staging."""
        if self.codex is not None and self.codex.profile != roles.CODEX_PROFILE:
            raise errors.BoundaryOff(profile=self.codex.profile or "没有")
