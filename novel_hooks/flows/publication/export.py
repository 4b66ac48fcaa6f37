"""`novel export`: the landed chapters as one file for readers, or as a folder with a file for each.

The book is only read, so no lock is held. A file appears whole, and of two exports the last one stays.
"""

from __future__ import annotations

import os
import stat

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Callable, Sequence
from novel_hooks.errors import refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.publication import chapters, findings
from novel_hooks.flows.publication.chapters import Wanted
from novel_hooks.flows.publication.findings import Findings
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.publication import docx, epub, file_names, plain_text, presets
from novel_hooks.store.files import handover
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import package

if TYPE_CHECKING:
    from novel_hooks.rules.publication.edition import Edition

    Progress = Callable[[int, int], None]

ENDINGS = {"txt": ".txt", "markdown": ".md", "epub": ".epub", "docx": ".docx"}
_OURS = Pattern(r"[0-9]{3,}(?:-[0-9]+)?(?: .*)?\.(?:txt|md)\Z")
_MOST_COVER = 20 * 1024 * 1024


class Order(Record):
    """The author's order. `place` and `cover` are absolute paths; `place` is None for the usual one."""

    format: str
    wanted: Wanted = Wanted()
    preset: str = "plain"
    split: bool = False
    author: str | None = None
    place: str | None = None
    cover: str | None = None
    vertical: bool = False


class Preview(Record):
    """An export before it is made. `replaced`: an earlier export is in its place."""

    place: str
    title: str
    numbers: tuple[int, ...]
    replaced: bool
    findings: Findings


class Exported(Record):
    """An export: place, chapters, number of files; `changed` is False when it was there already."""

    place: str
    numbers: tuple[int, ...]
    files: int
    changed: bool


def preview(book: Book, order: Order, now: float) -> Preview:
    """Return the content of the export and the findings on it. Raises the obstacles."""
    numbers = chapters.select(book, order.wanted)
    place = _place(book, order)
    _cover(order)
    found = findings.run(book, numbers, now)
    return Preview(place, chapters.title(book), tuple(numbers), os.path.lexists(place), found)


def run(book: Book, order: Order, progress: Progress) -> Exported:
    """Write the file or the folder. Raises the obstacles; then nothing has changed."""
    numbers = chapters.select(book, order.wanted)
    place, cover = _place(book, order), _cover(order)
    edition = chapters.edition(book, numbers, order.author, progress)
    if order.split:
        files = _leaf_files(edition, order)
        return Exported(place, tuple(numbers), len(files), handover.write_folder(place, files))
    return Exported(place, tuple(numbers), 1, handover.write_file(place, _whole(edition, order, cover)))


def _whole(edition: Edition, order: Order, cover: epub.Cover | None) -> bytes:
    if order.format == "txt":
        return plain_text.text(edition, presets.PRESETS[order.preset]).encode("utf-8")
    if order.format == "markdown":
        return plain_text.markdown(edition).encode("utf-8")
    refuse(findings.mark_problems(edition))
    if order.format == "epub":
        return package.pack(epub.parts(edition, cover, order.vertical))
    return package.pack(docx.parts(edition))


def _leaf_files(edition: Edition, order: Order) -> dict[str, bytes]:
    names = file_names.leaf_names([(leaf.chapter, leaf.section.title) for leaf in edition.leaves])
    texts = (
        plain_text.markdown_leaves(edition)
        if order.format == "markdown"
        else plain_text.leaves(edition, presets.PRESETS[order.preset])
    )
    ending = ENDINGS[order.format]
    return {f"{name}{ending}": text.encode("utf-8") for name, text in zip(names, texts)}


def _place(book: Book, order: Order) -> str:
    """Return the absolute place. Raises ExportPlace where something lies that no export has written.

    A link is none: what it leads to is not replaced.
    """
    name = file_names.file_name(chapters.title(book))
    ending = "" if order.split else ENDINGS[order.format]
    place = order.place or os.path.join(book.project.root, layout.EXPORTS, f"{name}{ending}")
    if order.place and not order.split and os.path.isdir(place):
        place = os.path.join(place, f"{name}{ending}")
    _check_place(book, place, order.split)
    return place


def _check_place(book: Book, place: str, split: bool) -> None:
    root, own = os.path.realpath(book.project.root), os.path.realpath(place)
    exports = os.path.join(root, layout.EXPORTS, "")
    if os.path.join(own, "").startswith(os.path.join(root, "")) and not own.startswith(exports):
        raise errors.ExportPlace(case="book", place=place, folder=layout.EXPORTS)
    if not os.path.lexists(place):
        return
    if not stat.S_ISDIR(kind := os.lstat(place).st_mode) and not stat.S_ISREG(kind):
        raise errors.ExportPlace(case="link", place=place, folder=layout.EXPORTS)
    names = os.listdir(place) if split and os.path.isdir(place) else [""]
    if split and not all(_OURS.match(name) for name in names):
        raise errors.ExportPlace(case="taken", place=place, folder=layout.EXPORTS)


def _cover(order: Order) -> epub.Cover | None:
    """Return the image for the cover. Raises ExportCover."""
    if order.cover is None:
        return None
    folder, name = os.path.split(order.cover)
    if not os.path.isfile(order.cover):
        raise errors.ExportCover(case="no file", place=order.cover)
    if os.path.getsize(order.cover) > _MOST_COVER:
        raise errors.ExportCover(case="too large", place=order.cover)
    data = Project(folder).read(name) or b""
    for begins, (ending, media) in epub.COVERS.items():
        if data.startswith(begins):
            return epub.Cover(data, ending, media)
    raise errors.ExportCover(case="no image", place=order.cover)


def files_of(numbers: Sequence[int]) -> str:
    """Return the chapters as the author reads them: `第 3–10 章`, `第 3–5、9 章`."""
    wanted = set(numbers)
    firsts = [one for one in numbers if one - 1 not in wanted]
    lasts = [one for one in numbers if one + 1 not in wanted]
    parts = (str(low) if low == high else f"{low}–{high}" for low, high in zip(firsts, lasts))
    return f"第 {'、'.join(parts)} 章"
