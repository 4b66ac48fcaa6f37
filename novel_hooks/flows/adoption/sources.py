"""The files of an adopted book: collected, ordered and read. Nothing is written, no lock is held."""

from __future__ import annotations

import hashlib
import os
import stat

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.adoption import other_formats, own_folder, word
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import left_out, pieces, volume_headings
from novel_hooks.rules.manuscript.book import Source
from novel_hooks.rules.manuscript.left_out import LeftOut
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, EXTRA, FRONT, VOLUME, Piece
from novel_hooks.rules.text import chapter_heading, name_order, numerals, stray_names
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import detection, encodings, package
from novel_hooks.store.formats.text import without_unseen

if TYPE_CHECKING:
    from re import Pattern as Compiled

ENDINGS = (".txt", ".md", ".markdown", ".epub", ".docx")
_MARKED = ENDINGS[1:]
_MOST_BYTES = 64 * 1024 * 1024
_MOST_FILES = 10_000
_NUMBERED = Pattern(r"[^0-9０-９]{0,4}([0-9０-９]{1,6})[ _.、．\-—　]*(.*)\Z")
_ALONE = Pattern(r"([0-9０-９]{1,6})(?:[ _.、．\-—　]+(.*))?\Z")
"""The name of a single file that is a chapter, `012 夜雨`; `旧稿2`, `2026旧稿` are drafts of a book."""
_LAST = 10**9
_PACKAGES = {"broken": "package broken", "locked": "package locked", "too large": "package too large"}


class Reading(Record):
    """The sources in order. `files` are `{name, sha256, encoding, begins, left_out}`.

    `left` are lines that look like headings, `faint` headings that look like a sentence.
    """

    sources: tuple[Source, ...]
    files: tuple[dict[str, Any], ...]
    left: tuple[str, ...]
    faint: tuple[str, ...] = ()


def read(
    paths: Sequence[str], encoding: str | None, pattern: Compiled[str] | None, own: str | None = None
) -> Reading:
    """Read the files at the absolute paths and in the folders below them.

    Raises everything that cannot be read. `own` is the book's own folder: its settings and plans are no
    manuscript, other files in it may be.
    """
    if own is not None:
        paths = _without_own(paths, own)
    problems: list[Problem] = []
    found = sorted(dict(_files(paths, problems)).items(), key=lambda one: one[1])
    problems += [  # a link may lead anywhere, or nowhere
        errors.AdoptRefused(None, "link", place=place)
        for place, _ in found
        if not stat.S_ISREG(os.lstat(place).st_mode)
    ]
    if not found and not problems:
        problems.append(errors.AdoptRefused(None, "nothing", place=paths[0]))
    refuse(problems)
    sizes = sum(os.path.getsize(place) for place, _ in found)
    if sizes > _MOST_BYTES or len(found) > _MOST_FILES:
        raise errors.AdoptRefused(None, "too large", place=paths[0])
    texts: list[tuple[str, str]] = []
    files: list[dict[str, Any]] = []
    for place, _ in found:
        data = _settled_bytes(place)
        if data is None:
            problems.append(errors.AdoptRefused(None, "unsettled", place=place))
            continue
        try:
            beside = LeftOut()
            text, name = _text(place, data, encoding, beside)
            text, unseen = without_unseen(text)
            beside.add(left_out.UNSEEN, unseen)
        except (detection.Unread, package.Unread) as why:
            problems.append(_refusal(place, why))
            continue
        texts.append((place, text))
        sha256, begins = hashlib.sha256(data).hexdigest(), encodings.beginning(text)
        known = {"name": os.path.basename(place), "sha256": sha256, "encoding": name, "begins": begins}
        files.append({**known, "left_out": beside.counts()})
    if not problems and not any(text.strip() for _, text in texts):
        problems += _blank(paths, files)
    refuse(problems)
    sources, left, faint = _taken_apart(texts, pattern)
    return Reading(tuple(sources), tuple(files), tuple(left), tuple(faint))


def _taken_apart(
    texts: Sequence[tuple[str, str]], pattern: Compiled[str] | None
) -> tuple[list[Source], list[str], list[str]]:
    """Return (the texts as sources, lines left in them, faint headings); each text with its place."""
    alone, found, left, faint = len(texts) == 1, list[Source](), list[str](), list[str]()
    taken = [_pieces(place, text, pattern, alone) for place, text in texts]
    folder = ""
    for (place, text), one in zip(texts, _without_others(texts, taken, pattern)):
        folder, above = os.path.dirname(place), folder
        volume = _volume_of(folder) if folder != above else ()
        found.append(Source(os.path.basename(place), text, (*volume, *one.pieces)))
        left += one.left
        faint += one.faint
    return found, left, faint


def _without_others(
    texts: Sequence[tuple[str, str]], taken: Sequence[pieces.Taken], pattern: Compiled[str] | None
) -> Iterator[pieces.Taken]:
    """Yield each text taken apart, what looks like the chapter of another file of its folder left in it."""
    numbers = [[piece.number or 0 for piece in one.pieces if piece.kind == CHAPTER] for one in taken]
    firsts: dict[str, set[int]] = {}
    for (place, _), own in zip(texts, numbers):
        firsts.setdefault(os.path.dirname(place), set()).update(own[:1])
    for (place, text), one, own in zip(texts, taken, numbers):
        known = firsts[os.path.dirname(place)]
        if pattern is None and any(number in known and number != own[0] for number in own[1:]):
            one = pieces.take_apart(text, place.lower().endswith(_MARKED), None, known - {own[0]})
        yield one


def _blank(paths: Sequence[str], files: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return a refusal for each path that was given, when none of the files has a word of text."""
    left = files[0]["left_out"] if len(files) == 1 else {}
    beside = f"，只有{left_out.describe(left)}" if left else ""
    return [errors.AdoptRefused(None, "blank", place=path, beside=beside) for path in paths]


def _files(paths: Sequence[str], problems: list[Problem]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield (place, its place in the order) of every file that may be read."""
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders[:] = [name for name in folders if not name.startswith(".")]
                inner = os.path.relpath(folder, path)
                parts = [] if inner == os.curdir else inner.split(os.sep)
                parts = [os.path.basename(path), *parts] if _volume_of(path) else parts
                for name in names:
                    if name.lower().endswith(ENDINGS) and not stray_names.is_hidden(name):
                        place = os.path.join(folder, name)
                        yield place, (0, tuple(map(_order, [*parts, _stem(name)])))
        elif not os.path.lexists(path):
            problems.append(errors.AdoptRefused(None, "no file", place=path))
        elif not path.lower().endswith(ENDINGS):
            problems.append(errors.AdoptRefused(None, "other ending", place=path))
        else:
            yield path, (0, (_order(_stem(path)),))


def _volume_of(folder: str) -> tuple[Piece, ...]:
    """Return the heading of the volume that a folder is named after, `第二卷 上岸`; it has no text."""
    found = volume_headings.volume(os.path.basename(folder))
    return (Piece(VOLUME, 0, 0, 0, *found, os.path.basename(folder)),) if found else ()


def _stem(place: str) -> str:
    """Return a file's name without folder, ending and what nobody sees."""
    return without_unseen(os.path.splitext(os.path.basename(place))[0])[0]


def _without_own(paths: Sequence[str], own: str) -> list[str]:
    """Return the paths, in the place of the book's own folder what was put there. Raises AdoptRefused."""
    found: list[str] = []
    for path in paths:
        itself = os.path.realpath(path) == os.path.realpath(own)
        found += own_folder.put_there(path, ENDINGS) if itself else [path]
    refuse(own_folder.problems(found, own))
    return found


def _settled_bytes(place: str) -> bytes | None:
    """Return the file's bytes; None of one that changed, or went, while it was read."""
    try:
        before = os.lstat(place)
        data = Project(os.path.dirname(place)).read(os.path.basename(place))
        after = os.lstat(place)
    except FileNotFoundError:
        return None
    same = (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    return data if same and data is not None and len(data) == after.st_size else None


def _order(name: str) -> tuple[int, object]:
    """Return the place of a name among its like: by its number, a prologue first, other side stories last."""
    extra = volume_headings.extra(name)
    if extra is not None:
        return (-1 if extra.startswith(("楔", "序", "引", "前")) else _LAST), (name_order.place(name), name)
    number = chapter_heading.heading(name)[0]
    if number is None:
        number = (volume_headings.volume(name) or (None, None))[0]
    if number is None:
        found = _NUMBERED.match(name)
        number = numerals.parse(found[1]) if found else None
    return (_LAST if number is None else number), (name_order.place(name), name)


def _text(place: str, data: bytes, encoding: str | None, left: LeftOut) -> tuple[str, str]:
    """Return the text and what it was read as. Raises detection.Unread, package.Unread."""
    ending = os.path.splitext(place)[1].lower()
    if ending in (".epub", ".docx"):
        text = other_formats.epub_text(data, left) if ending == ".epub" else word.docx_text(data, left)
        return detection.read(text.encode("utf-8", "surrogatepass")).text, ending[1:]
    found = detection.read(data, encoding)
    return found.text, found.encoding


def _pieces(place: str, text: str, pattern: Compiled[str] | None, alone: bool) -> pieces.Taken:
    """Take the text apart; one without a heading is a chapter by the name of its file."""
    taken = pieces.take_apart(text, place.lower().endswith(_MARKED), pattern)
    if any(one.kind in (CHAPTER, EXTRA) for one in taken.pieces):
        return taken
    name = _stem(place)
    extra = volume_headings.extra(name)
    number, title = chapter_heading.heading(name)
    found = (_ALONE if alone else _NUMBERED).match(name)
    if number is None and extra is None and found is not None:
        number, title = numerals.parse(found[1]), (found[2] or "").strip() or None
    if number is None and extra is None and alone:
        return pieces.Taken((Piece(FRONT, 0, 0, len(text), None, None, ""),), ())
    kind, title = EXTRA if extra is not None else CHAPTER, extra or title or (None if number else name)
    return pieces.Taken((Piece(kind, 0, 0, len(text), number, title, ""),), ())


def _refusal(place: str, why: detection.Unread | package.Unread) -> Problem:
    if isinstance(why, package.Unread):
        return errors.AdoptRefused(None, _PACKAGES[why.case], place=place)
    told = {"encoding": why.encoding, "offset": why.offset, "readings": why.readings}
    return errors.AdoptRefused(None, why.case, place=place, **told)
