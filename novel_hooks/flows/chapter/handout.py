"""The hand-out: the step that was given to an agent last, the agent, and the known facts of his work.

It is kept under `.novel/` (protocol §1). By it `advance` recognizes a step whose output is found already, and
`next` recognizes a finished agent that wrote over a text. The chapter's work log gets its durations from it.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.store.journal.journal import Change


class Run(Record):
    """An agent's work on a hand-out, as its host reports it. An unknown value is None.

    `id` is the host's name for it; a second report with that id is of the same run. `amounts` are of
    `rules.settings.prices.AMOUNTS`: milliseconds and tokens. Tokens read from or written to the host's cache
    are counted apart from `input_tokens`.
    """

    id: str
    model: str | None
    amounts: Mapping[str, int]


class Handout(Record):
    """A hand-out as `.novel/handout.json` holds it. None, False and () are not in the file.

    `text_sha256` is the hash of the text that a judge or a summarizer got. `handed` is the hash of the text
    that another agent writes over, `before` the path of its copy. `given`: the packet was written or embedded
    for an agent, and not only read. `runs` are the agents' (`Run`). `done`: the agent has finished.
    `recorded`: the verdict is recorded. `failed`: the outcome does not count, and the step will be handed out
    again. `said` is the author's answer at a break point, `over` the hash of the outputs that it is about,
    `note` his wish for the next try. `rest` is every other key of the file, kept as it is.
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
        """Tell whether a step is handed out."""
        return self != NOTHING

    @property
    def busy(self) -> bool:
        """Tell whether an agent has the step and has not failed; False when a packet was only read."""
        return bool(self.given or self.done or self.recorded or self.said) and not self.failed

    @property
    def has_outcome(self) -> bool:
        """Tell whether the hand-out has an outcome; the next one of the step is then a new hand-out."""
        return bool(self.recorded or self.said or self.done or self.failed)

    def changed(self, **fields: Any) -> Handout:
        """Return the hand-out with these values, which replace those of the file."""
        rest = {key: value for key, value in self.rest.items() if key not in fields}
        return self._replace(**fields, rest=rest)


NOTHING = Handout()

_TEXTS = ("step", "role", "model", "text_sha256", "handed", "before", "note", "said", "over")
_NUMBERS = ("revisions", "at")
_FLAGS = ("given", "done", "recorded", "failed")


def parse(document: Mapping[str, Any]) -> Handout:
    """Parse a file's JSON object. A value of a wrong type counts as absent, and stays in `rest`."""
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
    """Dump the file's bytes; a hand-out with a time has the judge's role and the model, null when unknown."""
    fields = {key: value for key, value in out._asdict().items() if key != "rest"}
    known = {key: value for key, value in fields.items() if value is not None and value is not False}
    if not out.runs:
        del known["runs"]
    named = {} if out.at is None else {"role": None, "model": None}
    return jsonio.dump({**named, **out.rest, **known})


def read(book: Book) -> Handout:
    """Read the hand-out; `NOTHING` when there is none or the file cannot be read."""
    return parse(book.plain_document(layout.HANDOUT, own=True))


def handout_change(out: Handout) -> Change:
    """Return the change that writes the hand-out."""
    from novel_hooks.store.journal import journal

    return journal.put(layout.HANDOUT, dump(out))


def step_out(book: Book, revisions: int) -> str | None:
    """Return the step that is handed out in this round of revision; None without one."""
    out = read(book)
    return out.step if out.revisions == revisions else None


def step_at_work(book: Book) -> str | None:
    """Return the step that an agent has and has not failed; None when a packet was only read."""
    out = read(book)
    return out.step if out.busy else None


def author_note(book: Book, step: str) -> str | None:
    """Return the author's note on this step while it is handed out; None without one."""
    out = read(book)
    return out.note if out.step == step and out.note and out.note.strip() else None


def answer_change(book: Book, step: str, revisions: int, said: str, over: str, note: str | None) -> Change:
    """Return the hand-out with the author's answer at a break point; a new `note` replaces the old one."""
    out = read(book)
    if (out.step, out.revisions) != (step, revisions):
        out = Handout(step=step, revisions=revisions)
    out = out.changed(failed=False, said=said, over=over)
    return handout_change(out.changed(note=note) if note else out)


def undone_changes(book: Book, step: str) -> list[Change]:
    """Return the hand-out marked as failed, because the agent's outputs are missing or faulty.

    [] when another step is handed out, or it is marked already.
    """
    out = read(book)
    if out.step != step or out.failed:
        return []
    return [handout_change(out.changed(done=False, said=None, over=None, failed=True))]


def recorded_changes(book: Book, step: str, role: str) -> list[Change]:
    """Return the hand-out marked as recorded, once its verdict is; [] for another step or role."""
    out = read(book)
    return [handout_change(out.changed(recorded=True))] if (out.step, out.role) == (step, role) else []


def learnt_changes(book: Book) -> list[Change]:
    """Return the caches that this command filled while reading: valid documents, parsed settings.

    A folder or a link in a cache's place stops nothing: the cache is left out, and the checkup reports it.
    """
    from novel_hooks.store.journal import journal

    caches: dict[str, bytes | None] = dict(sorted(book.learnt.items()))
    caches[layout.VALIDITY] = book.validity.changes()
    free = [path for path in caches if book.project.kind(path) in ("absent", "file")]
    return [journal.put(path, data) for path in free if (data := caches[path]) is not None]


def clear_changes(book: Book) -> list[Change]:
    """Return the changes after which no step is handed out and the fence compares nothing."""
    from novel_hooks.flows.session import fence
    from novel_hooks.store.journal import journal

    out = [] if book.read(layout.HANDOUT) is None else [journal.remove(layout.HANDOUT)]
    return [*out, *fence.disarm(book.project)]
