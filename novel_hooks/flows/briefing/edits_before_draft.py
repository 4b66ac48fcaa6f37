"""Hand edits that matter to the next chapter, reported before it is written. Reads only.

Reported are a setting that planned chapters need, a plan whose parts contradict each other, and a state that
differs from its change log. An edit that the chapter simply uses (a summary, a memory, the style, a thread, a
setting of `novel.yaml`) is not reported. Each check runs only when a file's hash has changed.
"""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt, collect_problems
from novel_hooks.store.fence.marks import SETTLED_NS

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.view import View

_FOLDERS = (layout.CHARACTERS, layout.WORLD)
_LANDING_NS = 60_000_000_000
"""A plan's files land within this time of each other: what is younger was written by somebody else."""


def problems(view: View) -> list[Problem]:
    """Return the unsettled edits as warnings; [] except before a chapter's first draft."""
    step = view.due.step
    if step is None or step.number is None or (step.kind, step.phase) != ("chapter", "draft"):
        return []
    if view.due.stop or view.due.recorded or view.point.revisions:
        return []
    book, volume, chapter = view.book, max(1, view.point.volume), step.number
    found = collect_problems(
        lambda: _setting_problems(book),
        lambda: _plan_problems(book, volume, chapter),
        lambda: _state_problems(book, view.point.last),
    )
    return as_warnings(found)


def _setting_problems(book: Book) -> list[Problem]:
    """Compare the setting, only when a file of it may have changed since it was noted or compared last."""
    setting, unread = attempt(lambda: _unknown_setting(book))
    if setting is None and not unread:
        return []
    from novel_hooks.flows.planning import setting_changes

    return setting_changes.unnoted_problems(book)


def remember_setting(book: Book) -> None:
    """Remember that the setting is as it was noted, so that `next` need not compare it in parts.

    A plan lands together with what is noted of it, so its files are never older by their times. A file that
    cannot be read is not remembered: `next` tells of it, and the step may have no use for it.
    """
    setting, _ = attempt(lambda: _unknown_setting(book))
    if setting is None:
        return
    from novel_hooks.flows.planning import setting_changes

    if attempt(lambda: setting_changes.is_as_noted(book))[0]:
        book.validity.learn(*setting)


def _unknown_setting(book: Book) -> tuple[str, bytes, bytes] | None:
    """Return by what the setting is to be remembered; None where it cannot have changed.

    That is where each file is older than what was noted, by its time of writing or of moving here, or where
    all have the bytes that were compared before. Raises the faults of files that cannot be read.
    """
    noted = _time(book, layout.SETTING)
    if not noted:
        return None
    paths = [
        *(layout.BRIEF, layout.WORLD_RULES, layout.STORYLINES),
        *(f"{folder}/{name}" for folder in _FOLDERS for name in book.files(folder, (".json", ".md"))[0]),
        *(layout.outline(volume) for volume in planned_chapters.volumes(book)),
    ]
    if all(_time(book, path) < noted - SETTLED_NS for path in (*_FOLDERS, *paths)):
        return None
    held = [(path, book.read(path)) for path in (layout.SETTING, *paths)]
    heads = "".join(f"{path} {-1 if data is None else len(data)}\n" for path, data in held)
    setting = "character", b"".join([heads.encode(), *(data or b"" for _, data in held)]), b"setting"
    return None if book.validity.knows(*setting) else setting


def _time(book: Book, path: str) -> int:
    try:
        found = os.lstat(book.project.absolute(path))
    except OSError:
        return 0
    return max(found.st_mtime_ns, found.st_ctime_ns)


def _plan_problems(book: Book, volume: int, chapter: int) -> list[Problem]:
    """Find parts of the plan that do not fit together, where one of them is not as it was judged."""
    parts = (
        (layout.contract(volume, chapter), "chapter-contract"),
        (layout.schedule(volume), "storyline-schedule"),
        (layout.foreshadowing_plan(volume), "foreshadowing-plan"),
    )
    noted = _time(book, layout.SETTING)
    later = bool(noted) and max(_time(book, path) for path, _ in parts) - noted >= _LANDING_NS
    if not (later or any(_is_new(book, *part) for part in parts)):
        return []
    from novel_hooks.flows.planning import volume_material

    return volume_material.landed_problems(book, volume)


def _state_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find that the state is not what the change log makes: the log's next replay would bring the other.

    A landing writes both at once, so a log that is later than the state was written by somebody else.
    """
    edited = _time(book, layout.CHANGELOG) - _time(book, layout.STATE) > SETTLED_NS
    if last and (edited or _is_new(book, layout.STATE, "current-state")):
        from novel_hooks.flows.doctor import story

        if edited:
            yield from (one for one in story.log_problems(book, last) if one.severity == "error")
        yield from story.state_problems(book, last)


def _is_new(book: Book, path: str, schema: str) -> bool:
    data = book.read(path)
    return data is not None and not book.validity.knows(schema, data)
