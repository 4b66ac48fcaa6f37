"""Session, thread and permission profile, as Codex tells a command of them. Source: the real client."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
from novel_hooks.record import Record
from novel_hooks.store.host import owner


class Call(Record):
    """A command that Codex runs. `profile` is empty where its sandbox is off."""

    session: str
    thread: str
    profile: str

    @property
    def by_sub_agent(self) -> bool:
        """Did a sub-agent give the command? Only the root's thread is the session's own."""
        return self.thread != self.session


def call(environ: Mapping[str, str]) -> Call | None:
    """Return what Codex tells; None when another host, or none, runs this command."""
    if owner.nearest_host(environ) != owner.CODEX:
        return None
    return Call(
        environ["CODEX_SESSION_ID"],
        environ.get("CODEX_THREAD_ID", ""),
        environ.get("CODEX_PERMISSION_PROFILE", ""),
    )
