"""Texts that were rejected, rewritten or replaced, kept under `.novel/attempts/`; no count of tries.

Source: protocol §2 (`advance`, `decide`).
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.templates import TEMPLATES, is_template
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


def move(desk: Desk, keys: Sequence[str], label: str) -> list[Change]:
    """Return the changes that move the staged files of these keys to a new attempt; [] when none is staged.

    `label` is the reason, in the attempt's folder name.
    """
    return [*copy(desk, keys, label), *drop(desk, keys)]


def copy(desk: Desk, keys: Sequence[str], label: str) -> list[Change]:
    """Return the changes that copy the staged files of these keys to a new attempt; they stay in staging."""
    found = [desk.get(key) for key in keys if desk.get(key).data]
    folder = attempt_folder(desk, label) if found else ""
    return [journal.put(f"{folder}/{f.path.rpartition('/')[2]}", f.data or b"") for f in found]


def drop(desk: Desk, keys: Sequence[str]) -> list[Change]:
    """Return the removals of the staged files of these keys."""
    return [journal.remove(desk.get(key).path) for key in keys if desk.get(key).data is not None]


def landing_changes(desk: Desk, keep: int) -> list[Change]:
    """Return the changes that keep the text as it lands, and remove older attempts.

    Of the chapter `keep` chapters before this one only the landed texts stay, under old and new names.
    """
    project, base = desk.book.project, layout.attempts(desk.number - keep)
    folders = project.names(base) if desk.number > keep else []
    cleared = [name for name in folders if name[5:] not in layout.KEPT_VERSIONS]
    paths = (f"{base}/{name}/{file}" for name in cleared for file in project.names(f"{base}/{name}"))
    gone = [journal.remove(path) for path in paths if project.has(path)]
    return [*copy(desk, ("chapter",), layout.LANDED_VERSION), *gone]


def attempt_folder(desk: Desk, label: str) -> str:
    """Return the next free folder: `.novel/attempts/chapter-007/0003-r1-judge`."""
    base = layout.attempts(desk.number)
    return f"{base}/{next_number(desk.book.project, base):04d}-{label}"


def plan_attempt_folder(book: Book, step: Step) -> str:
    """Return the next free folder for files that a plan replaces: `.novel/attempts/volume-02/0001`."""
    base = f"{layout.OWN}/attempts/{'setup' if step.kind == 'setup' else f'volume-{step.number:02d}'}"
    return f"{base}/{next_number(book.project, base):04d}"


def next_number(project: Project, folder: str) -> int:
    """Return the highest number at the beginning of a name in the folder, plus one: `0007-x` makes 8."""
    heads = [name.partition("-")[0] for name in project.names(folder)]
    return max((int(head) for head in heads if head.isascii() and head.isdigit()), default=0) + 1


def replaced_texts(book: Book, step: Step, changes: Iterable[Change]) -> list[tuple[str, str]]:
    """Return (path, path of the copy) of every landed text that `changes` replace; a template is none."""
    aside = plan_attempt_folder(book, step)
    return [
        (change.path, f"{aside}/{change.path}")
        for change in changes
        if book.read(change.path) not in (None, change.data)
        and not (change.path in TEMPLATES and is_template(book, change.path))
    ]
