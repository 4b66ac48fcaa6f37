"""The project as it was after an earlier chapter, worked out and not yet written.

Volumes, settings and the audit log stay, and so do the cards, except for contracts that later chapters ended.
Every other file that a later chapter made or changed is listed with its earlier bytes. Source: protocol §5,
ADR 0011.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory.lost_chapters import PARTS
from novel_hooks.flows.landing import contract_ends
from novel_hooks.flows.rollback import earlier_foreshadowing, earlier_logs
from novel_hooks.flows.session import word_tally
from novel_hooks.record import Record
from novel_hooks.rules.state import rollback
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

_OF_CHAPTER = (*(part.place for part in PARTS), layout.landed_record, layout.work_log)
_STAGED = ("chapters", "summaries", "state", "evaluations", "manifests")


class Rewound(Record):
    """The book after a rollback. `then`: path → the bytes after chapter `to` (None: no file).

    `then` has every affected path. `chapters` are those whose text is removed, `chars` their length in 字;
    `staged` the removed files in staging; `edits` the later chapters' files that were edited by hand. `base`
    identifies the book up to `to`. `point` is the present checkpoint.
    """

    to: int
    point: Checkpoint
    then: dict[str, bytes | None]
    chapters: tuple[int, ...]
    chars: int
    staged: tuple[str, ...]
    edits: tuple[str, ...]
    base: str
    warnings: tuple[Problem, ...]


def after(book: Book, to: int, stamp: str) -> Rewound:
    """Work out the book as it was after chapter `to` (0: before the first). Reads only.

    Raises RollbackBeyond, RollbackAdopted, and the faults of a log, a record or another needed file.
    """
    point = book.checkpoint()
    if to > point.last:
        raise errors.RollbackBeyond(case="beyond" if point.last else "unwritten", chapter=to, last=point.last)
    if to < min(book.adoption().last, point.last):
        raise errors.RollbackAdopted(chapter=to, last=book.adoption().last)
    texts = [*_chapter_files(book, to)]
    staged = _staged_files(book, to, point)
    landed = landed_record.read_all(book, range(to + 1, point.last + 1))
    records = [record for _, record in landed if record is not None]
    log = earlier_logs.change_log(book, to, point.last)
    lore, warnings = earlier_foreshadowing.earlier_files(book, to, point.last, records, log.taken)
    cards, kept = contract_ends.reopened(book, records)
    then: dict[str, bytes | None] = dict.fromkeys([*texts, *staged])
    then.update({**log.then, **earlier_logs.entity_log(book, to), **lore, **cards})
    if point.last > to or point.active or point.inflight is not None:
        volume, state = rollback.volume_and_state(book.outlines(point.volume), to, point.volume)
        moved = rollback.checkpoint_after(point, to, volume, state, log.skipped, stamp)
        then[layout.CHECKPOINT] = jsonio.dump(moved.document)
        then.update(dict.fromkeys(p for p in (layout.HANDOUT,) if book.read(p) is not None))
    names = [path.removeprefix("chapters/") for path in texts if path.startswith("chapters/")]
    numbers = sorted(n for n in map(layout.chapter_number, names) if n is not None)
    newest = landed_record.newest(landed)  # a memory is held against its last landing
    return Rewound(
        to=to,
        point=point,
        then={path: data for path, data in then.items() if book.read(path) != data},
        chapters=tuple(numbers),
        chars=sum(word_tally.chars_of(book.read(layout.chapter(number))) for number in numbers),
        staged=tuple(staged),
        edits=tuple(sorted(path for path, told in newest.items() if _hash(book.read(path), path) != told[1])),
        base=log.base,
        warnings=(*warnings, *kept),
    )


def _chapter_files(book: Book, to: int) -> Iterator[str]:
    """Yield the path of every file of a chapter behind `to`, by its exact name.

    An author's own files, such as `chapter-003 (copy).md`, are none.
    """
    ids = [layout.chapter_id(number) for number in range(1, to + 1)]
    for place in _OF_CHAPTER:
        folder, _, first = place(1).rpartition("/")
        behind = first[len(layout.chapter_id(1)) :]
        stays = {one + behind for one in ids}
        for name in sorted(set(book.project.names(folder)) - stays):
            number = _chapter_number(name)
            if number is not None and number > to and place(number) == f"{folder}/{name}":
                yield f"{folder}/{name}"


def _staged_files(book: Book, to: int, point: Checkpoint) -> list[str]:
    """List the staged files of later chapters, and of one that is being recorded anew."""
    sync = point.document.get("sync")
    again = sync.get("chapter") if isinstance(sync, dict) else None
    found: list[str] = []
    for folder in map(layout.staged, _STAGED):
        for name in book.project.names(folder):
            number = _chapter_number(name)
            if number is not None and (number > to or number == again):
                found.append(f"{folder}/{name}")
    if found or point.inflight is not None:
        lines = layout.staged("storylines")
        folders = [n for n in book.project.names(lines) if book.project.kind(f"{lines}/{n}") == "folder"]
        found += [layout.staged(layout.memory(name)) for name in folders]
    return [path for path in found if book.project.kind(path) != "folder" and book.read(path) is not None]


def _chapter_number(name: str) -> int | None:
    """Return the chapter in a file's name: `chapter-007-eval.json` → 7."""
    if not name.startswith("chapter-"):
        return None
    rest = name[len("chapter-") :]
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    return layout.chapter_number(f"chapter-{digits}.md")


def _hash(data: bytes | None, path: str) -> str | None:
    """Return the sha256 of the text without BOM and with LF, as it landed; None for None."""
    if data is None:
        return None
    with suppress(errors.TextNotUtf8, errors.GitConflict):  # that cannot be what landed, so its bytes will do
        data = decode(data, path).encode("utf-8")
    return hashlib.sha256(data).hexdigest()
