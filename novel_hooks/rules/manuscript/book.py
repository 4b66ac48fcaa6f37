"""The chapters of a manuscript as they land: numbered in order, with their side stories and their oddities.

Pure. Written numbers are not used: a gap or a double is reported before anything lands. A side piece belongs
to the next chapter or to the one before (`rules.manuscript.side_pieces`).
"""

from __future__ import annotations

from novel_hooks.annotations import Iterator, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import closing_notes, side_pieces
from novel_hooks.rules.manuscript.pieces import front_text
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, CONTENTS, FRONT, VOLUME, Piece
from novel_hooks.rules.text import length


class Source(Record):
    """A text with its pieces; `name` is the file's."""

    name: str
    text: str
    pieces: tuple[Piece, ...]


class Chapter(Record):
    """A chapter to land: `number` in the book, `written` in the source (None: none), its file's text and 字.

    `volume` counts from the book's first. `extras` are the headings of its prologue and side stories, `note`
    the closing note that was found (kept or left out).
    """

    number: int
    written: int | None
    title: str | None
    volume: int
    text: str
    extras: tuple[str, ...]
    note: str
    chars: int

    def renumbered(self, number: int) -> Chapter:
        """Return the chapter as it is with another number in the book."""
        text = self.text.replace(f"# 第 {self.number} 章", f"# 第 {number} 章", 1)
        return self._replace(number=number, text=text)


class Assembled(Record):
    """The chapters; `volumes` number → title; `front` the text before them.

    `contents` left-out tables of contents.
    """

    chapters: tuple[Chapter, ...]
    volumes: dict[int, str | None]
    front: str
    contents: int


class _Draft(Record):
    """A chapter in the making."""

    piece: Piece
    body: str
    volume: int
    before: list[str]
    after: list[str]
    extras: list[str]


class _Binder:
    """Binds pieces to chapters, one after the other. `volume` is the book's last one, 0 before the first."""

    def __init__(self, volume: int) -> None:
        self.volume = volume
        self.written = volume
        self.used = volume > 0
        self.drafts: list[_Draft] = []
        self.titles: dict[int, str | None] = {}
        self.front: list[str] = []
        self.waiting: list[tuple[str, str]] = []
        self.contents = 0

    def add(self, source: Source, piece: Piece) -> None:
        """Bind one piece of a source."""
        body = source.text[piece.body : piece.end].strip("\n")
        body = body if body.strip() else ""
        if piece.kind == CONTENTS:
            self.contents += 1
        elif piece.kind == FRONT:
            text = front_text(source.text[piece.start : piece.end])
            # At the head of a later file it is the last chapter's.
            (self.drafts[-1].after if self.drafts else self.front).extend([text] if text else [])
        elif piece.kind == VOLUME:
            self._begin_volume(piece.number or 0, piece.title)
            self.waiting += [(piece.line, body)] if body else []
        elif piece.kind == CHAPTER:
            self._begin_chapter(piece, body)
        elif not self.drafts or side_pieces.goes_before(str(piece.title)):
            self.waiting.append((str(piece.title), body))
        else:
            _attach(self.drafts[-1].after, self.drafts[-1].extras, [(str(piece.title), body)])

    def _begin_volume(self, written: int, title: str | None) -> None:
        if written != self.written or not self.volume:
            self.volume += self.used or not self.volume
            self.used = False
        self.written = written
        self.titles[self.volume] = title or self.titles.get(self.volume)

    def _begin_chapter(self, piece: Piece, body: str) -> None:
        if piece.of is not None:
            self._begin_volume(*piece.of)
        self.volume = max(1, self.volume)
        self.used = True
        self.titles.setdefault(self.volume, None)
        self.drafts.append(_Draft(piece, body, self.volume, [], [], []))
        _attach(self.drafts[-1].before, self.drafts[-1].extras, self.waiting)
        self.waiting = []


def assemble(sources: Sequence[Source], first: int, volume: int, drop_notes: bool) -> Assembled:
    """Put the pieces of all sources in chapters from number `first` on, behind volume `volume` (0: none)."""
    binder = _Binder(volume)
    for source in sources:
        for piece in source.pieces:
            binder.add(source, piece)
    drafts = binder.drafts
    if drafts:
        _attach(drafts[-1].after, drafts[-1].extras, binder.waiting)
    chapters = tuple(_chapter(draft, first + at, drop_notes) for at, draft in enumerate(drafts))
    return Assembled(chapters, binder.titles, "\n\n".join(filter(None, binder.front)), binder.contents)


def _attach(place: list[str], extras: list[str], sections: Sequence[tuple[str, str]]) -> None:
    for title, body in sections:
        bare = title.lstrip("#＃ \u3000").rstrip("# ")
        place.append(f"# {bare}\n\n{body}" if body else f"# {bare}")
        extras.append(bare)


def _chapter(draft: _Draft, number: int, drop_notes: bool) -> Chapter:
    title = draft.piece.title
    at = closing_notes.start(draft.body)
    note = draft.body[at:].strip()
    body = draft.body[:at].rstrip() if drop_notes and note else draft.body
    heading = f"# 第 {number} 章 {title}" if title else f"# 第 {number} 章"
    text = "\n\n".join(filter(None, [*draft.before, heading, body, *draft.after])) + "\n"
    chars = length.chars(text)
    return Chapter(number, draft.piece.number, title, draft.volume, text, tuple(draft.extras), note, chars)


class Oddities(Record):
    """Oddities of the numbers: missing ones, doubles, chapters without text, shifted ones.

    `unnumbered` are the chapters without a number among numbered ones, such as a cover or a note.
    """

    gaps: tuple[int, ...]
    doubles: tuple[int, ...]
    empty: tuple[int, ...]
    shifted: tuple[tuple[int, int], ...]
    unnumbered: tuple[int, ...] = ()


def oddities(chapters: Sequence[Chapter], least: int = 1) -> Oddities:
    """Find the oddities; numbers that begin again at 1 are counted anew. `shifted`: (written, number)."""
    gaps: list[int] = []
    doubles: list[int] = []
    seen: set[int] = set()
    last, volume = least - 1, 0
    for one in chapters:
        if one.written is None:
            continue
        if one.written == 1 and (one.volume != volume or last > 1):
            last, seen = (0 if volume and one.volume != volume else last), set()
        volume = one.volume
        if one.written in seen:
            doubles.append(one.written)
        elif one.written > last + 1:
            gaps += range(last + 1, min(one.written, last + 100))
        last = one.written
        seen.add(last)
    empty = [one.number for one in chapters if not one.chars]
    bare = [one.number for one in chapters if one.written is None] if volume else []
    return Oddities(tuple(gaps), tuple(doubles), tuple(empty), tuple(_shifted(chapters)), tuple(bare))


def _shifted(chapters: Sequence[Chapter]) -> Iterator[tuple[int, int]]:
    """Yield (written, number) where the number in the book differs from the written one in a new way."""
    before = 0
    for one in chapters:
        if one.written is not None:
            if one.number - one.written != before:
                yield one.written, one.number
            before = one.number - one.written
