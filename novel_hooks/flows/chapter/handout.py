"""The hand-out: the step that was given to an agent last, to whom, and what is known of his work.

Kept under `.novel/` (protocol §1). By it `advance` recognizes a step whose output is found already, and
`next` one whose agent has finished a text that he wrote over. The chapter's work log has its durations from
it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from novel_hooks.store.journal.journal import Change

from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.store.formats import jsonio


class Run(Record):
    """An agent's work on what was handed out, as its host reports it. A value that nobody knows is None.

    `id` is the host's name for it, by which a second report of the same run is recognized. `amounts` are of
    `rules.settings.prices.AMOUNTS`: milliseconds and tokens, what was read from or written to the host's
    cache apart from `input_tokens`.
    """

    id: str
    model: str | None
    amounts: Mapping[str, int]


class Handout(Record):
    """A hand-out as `.novel/handout.json` holds it. None, False and () are not in the file.

    `text_sha256` is of the text that a judge or a recorder was given, `handed` of the one that another agent
    writes over, `before` where that text is kept. `given`: the packet was written or embedded for an agent,
    not only read.
    `runs` are the agents' (`Run`). `done`: the agent has finished; `recorded`: the verdict has been taken.
    `failed`: its outcome does not count, the step is to be handed out again. `said` is the author's answer at
    a break point, `over` the hash of what it was about, `note` what he wants done better. `rest` is what else
    the file holds; it is kept as it is.
    """

    step: str | None = None
    role: str | None = None
    model: str | None = None
    revisions: int | None = None
    at: float | None = None
    text_sha256: str | None = None
    handed: str | None = None
    before: str | None = None
    note: str | None = None
    said: str | None = None
    over: str | None = None
    given: bool = False
    done: bool = False
    recorded: bool = False
    failed: bool = False
    runs: tuple[Mapping[str, Any], ...] = ()
    rest: Mapping[str, Any] = {}

    @property
    def exists(self) -> bool:
        """Is anything handed out?"""
        return self != NOTHING

    @property
    def busy(self) -> bool:
        """Has an agent got it, and not failed at it? False when a packet was only read."""
        return bool(self.given or self.done or self.recorded or self.said) and not self.failed

    @property
    def has_outcome(self) -> bool:
        """Has anything come of it? Then the next hand-out of the step is another one."""
        return bool(self.recorded or self.said or self.done or self.failed)

    def changed(self, **fields: Any) -> Handout:
        """Return the hand-out with other values, which replace whatever the file held under these keys."""
        rest = {key: value for key, value in self.rest.items() if key not in fields}
        return self._replace(**fields, rest=rest)


NOTHING = Handout()

_TEXTS = ("step", "role", "model", "text_sha256", "handed", "before", "note", "said", "over")
_NUMBERS = ("revisions", "at")
_FLAGS = ("given", "done", "recorded", "failed")


def parse(document: Mapping[str, Any]) -> Handout:
    """Parse a file's JSON object.

    A value that is not of its field's kind counts as absent, and stays in `rest`.
    """
    fields = {key: value for key, value in document.items() if _fits(key, value)}
    rest = {key: value for key, value in document.items() if key not in fields}
    if "runs" in fields:
        fields["runs"] = tuple(run for run in fields["runs"] if isinstance(run, dict))
    return Handout(**fields, rest=rest)


def _fits(key: str, value: object) -> bool:
    if key in _TEXTS:
        return isinstance(value, str) and (value != "" or key != "step")
    if key in _NUMBERS:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is True if key in _FLAGS else key == "runs" and isinstance(value, list) and bool(value)


def dump(out: Handout) -> bytes:
    """Dump the file's bytes.

    A hand-out with its moment names the judge's role and the model, be they null.
    """
    fields = {key: value for key, value in out._asdict().items() if key != "rest"}
    known = {key: value for key, value in fields.items() if value is not None and value is not False}
    if not out.runs:
        del known["runs"]
    named = {} if out.at is None else {"role": None, "model": None}
    return jsonio.dump({**named, **out.rest, **known})


def read(book: Book) -> Handout:
    """Read the hand-out; `NOTHING` when there is none, or the file cannot be read."""
    try:
        data = book.read(layout.HANDOUT)
        found = None if data is None else jsonio.parse(data, layout.HANDOUT, own=True)
    except Problem:
        return NOTHING
    return parse(found) if isinstance(found, dict) else NOTHING


def handout_change(out: Handout) -> Change:
    """Return the change that writes the hand-out."""
    from novel_hooks.store.journal import journal

    return journal.put(layout.HANDOUT, dump(out))


def step_out(book: Book, revisions: int) -> str | None:
    """Return the step that is handed out in this round of revision; None when none is."""
    out = read(book)
    return out.step if out.revisions == revisions else None


def step_at_work(book: Book) -> str | None:
    """Return the step that an agent has and did not fail at; None when a packet was only read."""
    out = read(book)
    return out.step if out.busy else None


def author_note(book: Book, step: str) -> str | None:
    """Return the author's note on this step, when it is handed out; None when he left none."""
    out = read(book)
    return out.note if out.step == step and out.note and out.note.strip() else None


def answer_change(book: Book, step: str, revisions: int, said: str, over: str, note: str | None) -> Change:
    """Return the hand-out with the author's answer at a break point; a new `note` replaces the old one."""
    out = read(book)
    if (out.step, out.revisions) != (step, revisions):
        out = Handout(step=step, revisions=revisions)
    out = out.changed(failed=False, said=said, over=over)
    return handout_change(out.changed(note=note) if note else out)


def note_change(step: str, revisions: int, note: str) -> Change:
    """Return the change that keeps the author's note for a step that nobody has been given yet."""
    return handout_change(Handout(step=step, revisions=revisions, note=note))


def undone_changes(book: Book, step: str) -> list[Change]:
    """Return the hand-out marked as failed: the agent's outputs were missing or not good enough.

    [] when another step is handed out, or it is marked already.
    """
    out = read(book)
    if out.step != step or out.failed:
        return []
    return [handout_change(out.changed(done=False, said=None, over=None, failed=True))]


def recorded_changes(book: Book, step: str, role: str) -> list[Change]:
    """Return the hand-out marked as recorded: its verdict has been taken. [] for another step or role."""
    out = read(book)
    return [handout_change(out.changed(recorded=True))] if (out.step, out.role) == (step, role) else []


def learnt_changes(book: Book) -> list[Change]:
    """Return what a command learnt of the files it read: results of schemas, the settings as parsed."""
    from novel_hooks.store.journal import journal

    changes = [journal.put(path, data) for path, data in sorted(book.learnt.items())]
    data = book.validity.changes()
    return changes if data is None else [*changes, journal.put(layout.VALIDITY, data)]


def clear_changes(book: Book) -> list[Change]:
    """Return the changes after which no step is handed out, and nothing is compared."""
    from novel_hooks.flows.session import fence
    from novel_hooks.store.journal import journal

    out = [] if book.read(layout.HANDOUT) is None else [journal.remove(layout.HANDOUT)]
    return [*out, *fence.disarm(book.project)]
