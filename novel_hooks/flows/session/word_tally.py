"""The tally of words on disk, `.novel/words.txt`, so that no everyday command counts the whole book.

Every landing of a chapter's text updates it. It is derived from the chapters: when it is lost, broken or has
gaps, all chapters are counted, and the next landing of a chapter writes it anew. Hand edits count once they
are recorded anew or accepted.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.store.fence import seal
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import without_comments

if TYPE_CHECKING:
    from novel_hooks.rules.report.tally import Tally, Written
    from novel_hooks.store.files.project import Project
    from novel_hooks.store.journal.journal import Change

_FORMAT = "novel-words 2"


def read(project: Project, last: int) -> Tally:
    """Return the chapters up to `last`. Reads only; raises nothing."""
    from novel_hooks.rules.report import tally

    found = tally.whole(_stored(project)[0] or (), last)
    return tally.Tally(tally.tally_lines(counted(project, last))) if found is None else found


def followed(project: Project, changes: Sequence[Change]) -> list[Change]:
    """Return the change that updates the tally after a landing; [] when no chapter's text changes."""
    touched = _touched_texts(project, changes)
    if not touched:
        return []
    from novel_hooks.rules.report import tally
    from novel_hooks.store.journal import journal

    lines, writable = _stored(project)
    if not writable:
        return []
    known = None if lines is None else tally.parse(lines)
    if known is None or len({**known, **touched}) != max([*touched, *known]):
        known = counted(project, _last_text(project))
    logs = b"".join(change.data for change in changes if change.path == layout.CHANGELOG)
    moments = _moments(logs) if any(data is not None for data in touched.values()) else {}
    after = {chapter: one for chapter, one in known.items() if chapter not in touched}
    for chapter, data in touched.items():
        if data is not None:
            _, before = known.get(chapter, (0, ""))
            after[chapter] = chars_of(data), moments.get(chapter, before)
    return [journal.put(layout.WORD_TALLY, dump(after))]


def dump(written: Mapping[int, Written]) -> bytes:
    """Dump a tally to the file's bytes."""
    from novel_hooks.rules.report import tally

    return seal.sealed_lines(_FORMAT, tally.tally_lines(written))


def _touched_texts(project: Project, changes: Sequence[Change]) -> dict[int, bytes | None]:
    """Map each chapter whose text a landing touches to the text that it leaves; None: the text goes.

    A landed record without its text is that of a text accepted as it lies there.
    """
    found: dict[int, bytes | None] = {}
    for change in changes:
        folder, _, name = change.path.rpartition("/")
        chapter = layout.chapter_number(f"{name.rpartition('.')[0]}.md")
        if chapter is not None and folder == "chapters":
            found[chapter] = None if change.kind == "remove" else change.data
    for change in changes:
        folder, _, name = change.path.rpartition("/")
        chapter = layout.chapter_number(f"{name.rpartition('.')[0]}.md")
        if chapter is None or folder != layout.LANDED or chapter in found:
            continue
        data = _text(project, chapter)
        if data is not None or change.kind == "remove":
            found[chapter] = None if change.kind == "remove" else data
    return found


def _stored(project: Project) -> tuple[list[str] | None, bool]:
    """Return (the tally's lines, None when there are none or they are broken; whether a file may be put in
    their place)."""
    try:
        data = project.read(layout.WORD_TALLY)
    except Problem:  # a folder in its place, or a link: the checkup reports it
        return None, False
    return (None if data is None else seal.parse_lines(data, _FORMAT)), True


def counted(project: Project, last: int) -> dict[int, Written]:
    """Count every chapter up to `last` by its file; a lost one counts 0."""
    try:
        moments = _moments(project.read(layout.CHANGELOG) or b"")
    except Problem:
        moments = {}
    return {
        chapter: (chars_of(_text(project, chapter)), moments.get(chapter, ""))
        for chapter in range(1, last + 1)
    }


def chars_of(data: bytes | None) -> int:
    """Return the length of a landed chapter's bytes in 字, comments left out; 0 without a file."""
    from novel_hooks.rules.text import length

    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return length.chars(without_comments(text))


def _moments(log: bytes) -> dict[int, str]:
    """Map the chapters of a change log's lines to when they were written; broken lines are none's."""
    from novel_hooks.rules.report import tally
    from novel_hooks.rules.text.json_values import integer

    found: dict[int, str] = {}
    for line in log.split(b"\n"):
        try:
            told = jsonio.parse(line, layout.CHANGELOG) if line.strip() else None
        except Problem:
            continue
        chapter = integer(told.get("chapter")) if isinstance(told, dict) else None
        if chapter and isinstance(told, dict):
            found[chapter] = tally.moment_of(told)
    return found


def _text(project: Project, chapter: int) -> bytes | None:
    try:
        return project.read(layout.chapter(chapter))
    except Problem:
        return None


def _last_text(project: Project) -> int:
    return max(filter(None, map(layout.chapter_number, project.names("chapters"))), default=0)
