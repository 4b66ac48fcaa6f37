"""Session, thread and permission profile that Codex gives to a command, and the record of a session's turn.

Source: the real client.
"""

from __future__ import annotations

from novel_hooks.annotations import Mapping
from novel_hooks.record import Record
from novel_hooks.store.host import owner, process

_BEGUN = b'"type":"task_started"'
_ENDED = (b'"type":"task_complete"', b'"type":"turn_aborted"')


class Call(Record):
    """A command that Codex runs. `profile` is empty where its sandbox is off."""

    session: str
    thread: str
    profile: str

    @property
    def by_sub_agent(self) -> bool:
        """Tell whether a sub-agent gave the command: its thread is another than the session's own."""
        return self.thread != self.session


def call(environ: Mapping[str, str]) -> Call | None:
    """Return Codex's values in the environment; None when Codex does not run this command.

    None also for a Codex too old to name its session: it has no profile, and the thread cannot be known.
    """
    session, thread = environ.get("CODEX_SESSION_ID", ""), environ.get("CODEX_THREAD_ID", "")
    host = owner.nearest_host(environ)
    if host != owner.CODEX and (host is not None or not thread):
        return None
    return Call(session, thread, environ.get("CODEX_PERMISSION_PROFILE", "") if session else "")


def is_in_turn(pid: int, session: str) -> bool:
    """Tell whether that session is in the middle of a turn, by the record that its server `pid` holds open.

    A single question to a model may take longer than the thirty minutes of a lock. False where no such record
    is seen (outside Linux always). Source: the real client, which writes an end for a failed turn too.
    """
    name = f"-{session}.jsonl"
    path = next((path for path in process.open_files(pid) if path.endswith(name)), None)
    if path is None:
        return False
    try:
        with open(path, "rb") as record:
            told = record.read()
    except OSError:
        return False
    return told.rfind(_BEGUN) > max(map(told.rfind, _ENDED))
