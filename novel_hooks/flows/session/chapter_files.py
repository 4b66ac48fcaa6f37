"""The names of landed chapters' files, as a landing leaves them (`chapter_names`, ADR 0020).

All other code knows a chapter by its plain path. Here a change of a chapter becomes a change of its file: the
text gets its wanted name, and the file of another name is removed in the same landing.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Iterator, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.store.files import chapter_names
from novel_hooks.store.formats.text import decode

if TYPE_CHECKING:
    from novel_hooks.store.files.project import Project
    from novel_hooks.store.journal.journal import Change

BY_TITLE = "title"


def placed(project: Project, changes: Sequence[Change]) -> list[Change]:
    """Return the changes, with those of chapters' texts turned into changes of files, for the journal.

    A chapter that is accepted by its landed record alone gets its name too. Raises `ChapterTwice`, and the
    faults of the setting.
    """
    texts = {change.path for change in changes if chapter_names.plain_number(change.path) is not None}
    recorded = [n for n in map(_recorded_number, changes) if n and layout.chapter(n) not in texts]
    if not texts and not recorded:
        return [*_remembered(project, changes), *changes]
    project.look_again()
    wanted, moving = _wanted_names(project, changes), may_move(project, changes)
    followed = _renamed(project, recorded, wanted) if moving else []
    every = (*followed, *changes)
    found = [one for change in every for one in _file_changes(project, change, wanted, moving)]
    return [*_remembered(project, found), *found]


def _remembered(project: Project, changes: Sequence[Change]) -> Iterator[Change]:
    """Yield the change that remembers that the book has files with titles: when the setting is unset, or
    `novel.yaml` lost, they are found all the same."""
    from novel_hooks.store.journal import journal

    begins = f"{layout.CHAPTERS}/"
    puts = (one.path for one in changes if one.kind == "put" and one.path.startswith(begins))
    titled = any(layout.titled_chapter_number(path[len(begins) :]) for path in puts)
    unset = any(one.path == layout.CONFIG for one in changes)
    if (titled or (unset and project.titled())) and not project.has(layout.TITLED_CHAPTERS):
        yield journal.put(layout.TITLED_CHAPTERS, b"1\n")


def renaming(project: Project, last: int) -> list[Change]:
    """Return the changes, by plain path, that give every chapter up to `last` its wanted file name."""
    return _renamed(project, range(1, last + 1), _wanted_names(project, ()))


def _renamed(project: Project, numbers: Iterable[int], wanted: str | None) -> list[Change]:
    from novel_hooks.store.journal import journal

    if wanted is None:
        return []
    found = []
    for number in numbers:
        path = layout.chapter(number)
        data = project.read(path)
        here = project.place(path)
        if data is not None and _target(project, path, here, data, wanted) != here:
            found.append(journal.put(path, data))
    return found


def _file_changes(project: Project, change: Change, wanted: str | None, moving: bool) -> Iterator[Change]:
    """Yield what a change of a chapter's text means for its file; any other change is itself."""
    from novel_hooks.store.journal import journal

    if chapter_names.plain_number(change.path) is None:
        yield change
        return
    here, is_new = project.place(change.path), project.kind(change.path) == "absent"
    there = here
    if change.kind == "put" and (moving or is_new):
        there = _target(project, change.path, here, change.data, wanted)
    yield change._replace(path=there)
    if there != here and not is_new:
        yield journal.remove(here)


def _target(project: Project, path: str, here: str, data: bytes, wanted: str | None) -> str:
    """Return the path of the file that the text is to have; the present one where a disk cannot tell them
    apart, for then removing the old name would remove the text."""
    from novel_hooks.rules.text import stray_names

    if wanted is None:
        return here
    there = path
    if wanted == BY_TITLE:
        from novel_hooks.rules.publication import file_names

        number = chapter_names.plain_number(path) or 0
        there = f"{layout.CHAPTERS}/{file_names.chapter_file(number, _title(data, path, number))}"
    if there == here or project.kind(path) == "absent":
        return there
    same = stray_names.is_same_file(here, there) or project.disk().kind(there) != "absent"
    return here if same else there


def _title(data: bytes, path: str, chapter: int) -> str | None:
    """Return the title in the text's heading; None where there is none, or the text cannot be read."""
    from novel_hooks.rules.manuscript import chapter_text

    try:
        sections = chapter_text.parse(decode(data, path), chapter)
    except Problem:
        return None
    return next((one.title for one in sections if one.number == chapter), None)


def _wanted_names(project: Project, changes: Iterable[Change]) -> str | None:
    """Return the author's setting as this landing leaves it; None: every file keeps its name."""
    put = [change.data for change in changes if change.path == layout.CONFIG and change.kind == "put"]
    data = put[-1] if put else project.read(layout.CONFIG)
    if data is None or not chapter_names.is_set(data):
        return None  # no everyday landing loads YAML for it
    from novel_hooks.rules.settings import values
    from novel_hooks.store.formats import yamlio

    found = yamlio.parse(decode(data, layout.CONFIG), layout.CONFIG)
    value = found.get(chapter_names.SETTING) if isinstance(found, dict) else None
    refuse(values.problems({} if value is None else {chapter_names.SETTING: value}))
    return value if isinstance(value, str) else None


def may_move(project: Project, changes: Iterable[Change] = ()) -> bool:
    """Tell whether no step is out after the landing, since an agent at work knows files by its packet."""
    disarmed = any(c.path == layout.FENCE_ARMED and c.kind == "remove" for c in changes)
    return disarmed or project.read(layout.FENCE_ARMED) is None


def _recorded_number(change: Change) -> int | None:
    folder, _, name = change.path.rpartition("/")
    if folder != layout.LANDED or change.kind != "put":
        return None
    return layout.chapter_number(f"{name.rpartition('.')[0]}.md")
