"""The former output of a step that is done again: set aside, or refused and still in staging.

The checkpoint's `former` names what was set aside for a step: `{step, revision_count, folder}`. It is removed
when a step advances. Source: protocol §7 (redone steps).
"""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import FORMER, Checkpoint
from novel_hooks.rules.text.json_values import objects
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.chapter.desk import Desk
    from novel_hooks.store.journal.journal import Change

KEY = FORMER


def aside_mark(chapter: int, phase: str, revisions: int, changes: Sequence[Change]) -> dict[str, Any]:
    """Return the checkpoint's entry for the files that `changes` set aside; {} when there are none."""
    places = [change.path.rpartition("/")[0] for change in changes if change.kind == "put"]
    step = str(steps.Step("chapter", chapter, phase))
    return {KEY: {"step": step, "revision_count": revisions, "folder": places[0]}} if places else {}


def folder(point: Checkpoint, chapter: int, phase: str) -> str | None:
    """Return the folder of the files set aside for the phase in this round; None without any."""
    found = point.document.get(KEY)
    held: Mapping[str, Any] = found if isinstance(found, dict) else {}
    here = (str(steps.Step("chapter", chapter, phase)), point.revisions)
    place = held.get("folder")
    same = (held.get("step"), held.get("revision_count")) == here
    return place if same and isinstance(place, str) else None


def put_aside(desk: Desk, place: str, keys: Sequence[str]) -> dict[str, Any]:
    """Return key → text or JSON of the outputs in the folder; unreadable ones are left out."""
    paths = {key: f"{place}/{desk.get(key).path.rpartition('/')[2]}" for key in keys}
    return contents(desk.book, paths)


def in_staging(desk: Desk, keys: Sequence[str]) -> dict[str, Any]:
    """Return key → text or JSON of the outputs in staging; unreadable ones are left out."""
    return contents(desk.book, {key: desk.get(key).path for key in keys})


def required_keys(phase: str) -> list[str]:
    """Return the keys of the phase's required outputs."""
    return [output.key for output in roles.CHAPTER_OUTPUTS[phase] if output.required]


def failure(point: Checkpoint, chapter: int, phase: str) -> str | None:
    """Return the reason of the step's last failure in this round; None when it has not failed."""
    here = (str(steps.Step("chapter", chapter, phase)), point.revisions)
    failures = objects(point.document.get("failures"))
    told = [one.get("reason") for one in failures if (one.get("step"), one.get("revision_count")) == here]
    return str(told[-1] or "") if told else None


def contents(book: Book, paths: Mapping[str, str]) -> dict[str, Any]:
    """Return key → text or JSON of the files; unreadable ones are left out."""
    found: dict[str, Any] = {}
    for key, path in paths.items():
        try:
            data = book.read(path)
            if data is not None:
                found[key] = _content(data, path)
        except Problem:
            continue  # a text that nobody can read is no help; what is wrong with it is told beside it
    return found


def _content(data: bytes, path: str) -> Any:
    """Return a JSON file's document, its text when it is broken; else the file's text."""
    text = decode(data, path)
    document, faults = attempt(lambda: jsonio.parse(data, path)) if path.endswith(".json") else (text, [])
    return text if faults else document
