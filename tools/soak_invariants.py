"""The invariants of the book of `make soak`, checked after each chapter."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.recall import index
from novel_hooks.rules.recall import index as indexes
from novel_hooks.rules.state import changelog
from novel_hooks.store.files.project import Project
from tools.soak_author import Author, SoakFault, files_under

_TOPS = {
    *(path.partition("/")[0] for path in layout.PROJECT_DIRS),
    layout.OWN,
    layout.CHECKPOINT,
    layout.CONFIG,
    layout.BRIEF,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
}
_OWN = {
    value.split("/")[1]
    for value in vars(layout).values()
    if isinstance(value, str) and value.startswith(f"{layout.OWN}/")
}
_WORDS = ("沈渡", "乔九", "乔久安", "莫岚", "铁链", "白穗")
_EACH = (layout.chapter, layout.summary, layout.evaluation, layout.crossref, layout.chapter_log)


def check(author: Author) -> None:
    """Hold every invariant. Raises SoakFault with all that does not hold."""
    faults = [fault for problems in _INVARIANTS for fault in problems(author)]
    if faults:
        raise SoakFault("\n".join([f"after chapter {author.last}:", *faults]))


def _texts(author: Author) -> Iterator[str]:
    """Chapters 1 to the last, each once, with the text that was accepted."""
    last = author.last
    if sorted(author.texts) != list(range(1, last + 1)):
        yield f"landed is {last}, accepted are {sorted(author.texts)}"
    for chapter, text in author.texts.items():
        path = layout.chapter(chapter)
        if not os.path.isfile(author.path(path)):
            yield f"{path} is missing"
        elif author.text(path) != text:
            yield f"{path} is not the text that was accepted"


def _names(author: Author) -> Iterator[str]:
    """Each chapter's files are there, and no other's."""
    for path in _EACH:
        folder, ending = path(1).split("/")[0], path(1).partition("chapter-001")[2]
        names = {f"{folder}/{name}" for name in os.listdir(author.path(folder)) if name.endswith(ending)}
        due = {path(chapter) for chapter in author.texts}
        if folder in ("chapters", "summaries", "evaluations"):
            names |= {f"{folder}/{name}" for name in os.listdir(author.path(folder))}
        if names != due:
            yield f"{folder}/: {sorted(names ^ due)[:5]} too many or missing"


def _state(author: Author) -> Iterator[str]:
    """The change log has every chapter once, whole, and gives the state."""
    log = [json.loads(line) for line in author.text(layout.CHANGELOG).splitlines()]
    if [line["chapter"] for line in log] != sorted(author.texts):
        yield f"the change log holds {[line['chapter'] for line in log][-8:]}"
    versions = [(line["base_state_version"], line["state_version"]) for line in log]
    if versions != [(n - 1, n) for n in range(1, len(log) + 1)]:
        yield f"versions of the change log: {versions[-8:]}"
    state = author.json(layout.STATE)
    if changelog.replay(log) != state:
        yield "the state is not the replay of the change log"
    counted = state["characters"]["shen-du"]["relationships"]["qiao-jiu"]
    if counted != author.last:
        yield f"{counted} deltas were applied"
    if author.ok("rebuild", "state")["changed"]:
        yield "rebuild changed the state"


def _threads(author: Author) -> Iterator[str]:
    due = author.threads(author.last)
    facts = author.json(layout.FORESHADOWING)["foreshadowing"]
    found = {fact["id"]: fact["status"] for fact in facts}
    if found != due or len(facts) != len(due):
        yield f"threads: {sorted(found.items() ^ due.items())}"
    alive = sorted(name for name, status in due.items() if status != "resolved")
    if sorted(author.json(layout.STATE)["active_foreshadowing"]) != alive:
        yield "the state names other open threads"


def _evaluations(author: Author) -> Iterator[str]:
    """A verdict is of the text that was judged; the texts that changed since are `Author.unjudged`."""
    for chapter, text in author.texts.items():
        noted = author.json(layout.evaluation(chapter))["metadata"]["text_sha256"]
        same = noted == hashlib.sha256(text.encode("utf-8")).hexdigest()
        if not same and chapter not in author.unjudged:
            yield f"the evaluation of chapter {chapter} is of another text"


def _sound(author: Author) -> Iterator[str]:
    answer = author.novel("doctor")
    if answer.exit:
        yield f"doctor: {[str(note) for note in answer.diagnostics if note.severity != 'info']}"
    edits = author.ok("sync")
    if edits.get("edits"):
        yield f"sync lists {edits['edits']}"


def _recall(author: Author) -> Iterator[str]:
    """The index of names says of every chapter what reading it anew says."""
    names = index.NameIndex(Book(Project(author.root)), _WORDS, author.last)
    entries = {chapter: names.entry(chapter) for chapter in range(1, author.last + 1)}
    known = {chapter: entry for chapter, entry in entries.items() if entry is not None}
    if sorted(known) != sorted(author.texts):
        yield f"recall knows {len(known)} chapters"
    for chapter, entry in known.items():
        data = author.texts.get(chapter, "").encode("utf-8")
        right = (hashlib.sha256(data).hexdigest(), f" {indexes.places(names.words, data)}")
        if (entry.sha256, entry.places) != right:
            yield f"recall has chapter {chapter} otherwise than it reads"


def _tidy(author: Author) -> Iterator[str]:
    """No lock, nothing staged, nothing outside the folders that are known."""
    for name in sorted(set(os.listdir(author.root)) - _TOPS):
        yield f"{name} lies in the book's folder"
    for name in sorted(set(os.listdir(author.path(layout.OWN))) - _OWN):
        yield f"{layout.OWN}/{name} is unknown"
    if os.path.exists(author.path(layout.JOURNAL)):
        yield "a journal waits"
    for rel in files_under(author.root):
        if "/.novel-tmp-" in f"/{rel}":
            yield f"{rel} was left"
        if rel.startswith(f"{layout.STAGING}/") and not rel.startswith(f"{layout.GUIDES}/"):
            yield f"{rel} is still staged"


_INVARIANTS: tuple[Callable[[Author], Iterator[str]], ...] = (
    _texts,
    _names,
    _state,
    _threads,
    _evaluations,
    _sound,
    _recall,
    _tidy,
)
