"""`novel import`: copies the author's notes to `research/`, all or none, and overwrites nothing.

His own prose, whose style is measured, goes to `research/samples/`. Source: protocol §1. Raises all obstacles
at once.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Iterator, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.book.templates import is_template
from novel_hooks.record import Record
from novel_hooks.rules.planning import imported_notes
from novel_hooks.rules.text import length, stray_names
from novel_hooks.rules.text.name_order import in_order
from novel_hooks.store.files.project import KIND_NAMES, Project
from novel_hooks.store.formats import encodings
from novel_hooks.store.formats.text import refuse_conflict
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from novel_hooks.flows.session.session import Session
    from novel_hooks.rules.steps.checkpoint import Checkpoint


class Source(Record):
    """A file that was named or found: `rel` of `place`, a folder; `name` is its name in the project."""

    place: Project
    rel: str
    name: str
    named: bool

    @property
    def shown(self) -> str:
        """Return the file's absolute path."""
        return os.path.join(self.place.root, *self.rel.split("/"))


class Note(Record):
    """A note to be copied. `known`: the project has it already, byte for byte. `encoding`: None for UTF-8."""

    path: str
    chars: int
    data: bytes
    known: bool
    encoding: str | None
    begins: str


class Imported(Record):
    """An import. `skipped` are empty files and other files that are no notes.

    `unread` are warnings on documents among them. `point` decides which agent reads the notes next. `made`
    are the parts of the setting that were made without these texts.
    """

    notes: tuple[Note, ...]
    skipped: tuple[str, ...]
    point: Checkpoint
    made: tuple[str, ...]
    sample: bool = False
    unread: tuple[Problem, ...] = ()


def gather(
    project: Project, paths: Sequence[str], name: str | None, encoding: str | None, sample: bool = False
) -> Gathered:
    """Gather the files to be copied, before any lock is held: folders are walked, nothing is read.

    `paths` are absolute: files, or folders with everything below. `sample`: they are the author's own prose.
    Raises UsageError, and NoteRefused when there is nothing to read; `run` raises the other faults.
    """
    if encoding is not None and encoding.lower() not in ("utf-8", "utf8", *encodings.ENCODINGS):
        known = "、".join(encodings.ENCODINGS)
        raise errors.UsageError(case="import encoding", encoding=encoding, known=known)
    if name is not None and (len(paths) != 1 or os.path.isdir(paths[0])):
        raise errors.UsageError(case="import name many")
    told = encoding.lower() if encoding and encoding.lower() in encodings.ENCODINGS else None
    found = Gathered(project, name, told, sample)
    for path in paths:
        found.take(path)
    by_name = {source.name: source for source in found.sources}
    found.sources = [by_name[each] for each in in_order(by_name)]
    found.check_size()
    if not found.sources:
        refuse(found.problems)
    return found


def run(session: Session, gathered: Gathered) -> Imported:
    """Copy the gathered notes. Raises NoteRefused, NoteTaken; then nothing has changed.

    A text that the author pasted (`layout.PASTED`) is moved.
    """
    sample, label = gathered.sample, "收下作者的样章" if gathered.sample else "收下作者的笔记"
    gathered.landed = session.finished == label
    book = Book(session.project)
    point = book.checkpoint()
    found = [note for source in gathered.sources for note in gathered.read(book, source)]
    if not found and not gathered.problems:
        gathered.refuse_blank()
    refuse(gathered.problems)
    changes = [journal.put(note.path, note.data) for note in found if not note.known]
    pasted = session.project.absolute(layout.PASTED)
    changes += [journal.remove(layout.PASTED) for one in gathered.sources if one.shown == pasted]
    made, _ = attempt(lambda: list(_parts_made(book, sample)))  # what cannot be read is not spoken of
    session.land(changes, label=label)
    session.renew_marks([note.path for note in found])
    told = tuple(gathered.unread)
    return Imported(tuple(found), tuple(gathered.skipped), point, tuple(made or ()), sample, told)


def _parts_made(book: Book, sample: bool) -> Iterator[str]:
    """Yield the parts of the setting that are there already and were made without these texts."""
    if sample:
        staged, path = layout.staged(layout.STYLE_PROFILE), layout.STYLE_PROFILE
        if book.project.has(staged) or (book.project.has(path) and not is_template(book, path)):
            yield "文风"
        return
    for what, path in (("世界规则", layout.WORLD_RULES), ("角色", layout.CHARACTERS)):
        for place in (layout.staged(path), path):
            if book.project.has(place) or any(n.endswith(".json") for n in _file_names(book, place)):
                yield what
                break


def _file_names(book: Book, place: str) -> list[str]:
    return book.project.names(place) if book.project.kind(place) == "folder" else []


def _is_within(path: str, folder: str) -> bool:
    """Is the path the folder itself, or something in it?"""
    inner, outer = (os.path.join(os.path.realpath(one), "") for one in (path, folder))
    return inner.startswith(outer)


def _decode(data: bytes, encoding: str | None) -> tuple[str, str | None]:
    """Return (text, its encoding if it is not UTF-8). Raises imported_notes.Refused.

    UTF-8 is read as such, whatever encoding is given; else the mark at its beginning decides, else the
    author.
    """
    try:
        found = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        offset = wrong.start
    else:
        odd = imported_notes.first_odd_mark(found)
        if odd is None or not (encoding or encodings.possible_readings(data)):
            return found, None
        offset = len(found[:odd].encode("utf-8"))
    chosen = encodings.bom_encoding(data) or encoding
    if chosen is None:
        raise imported_notes.Refused("not utf-8", offset=offset, advice=_advice(data))
    try:
        return encodings.decode(data, chosen), chosen
    except encodings.Unreadable as wrong:
        case, told = "no bom" if wrong.offset is None else "other encoding", _advice(data, chosen)
        raise imported_notes.Refused(case, encoding=chosen, offset=wrong.offset, advice=told) from None


def _advice(data: bytes, tried: str | None = None) -> str:
    found = [one for one in encodings.possible_readings(data) if one.encoding != tried]
    resave = "请在原来的软件里打开，字都认得了，另存为 UTF-8 再交来。"
    if not found:
        return resave
    first = found[0].encoding
    retry = f"读得通的那一种写在后面再交，如 --encoding {first}；都不通，{resave}"
    return f"可能是 {encodings.describe(found)}。{retry}"


class _TooMany(Exception):
    """A folder with so much in it that it cannot be one of notes."""


class Gathered:
    """The sources of one call, and everything that is wrong with them.

    `landed`: a killed call with the same arguments has just been finished.
    """

    def __init__(self, project: Project, name: str | None, encoding: str | None, sample: bool) -> None:
        self.project = project
        self.name = name
        self.encoding = encoding
        self.sample = sample
        self.folder = layout.STYLE_SAMPLES if sample else layout.RESEARCH
        self.landed = False
        self.paths: list[str] = []
        self._seen = 0
        self.sources: list[Source] = []
        self.skipped: list[str] = []
        self.problems: list[Problem] = []
        self.unread: list[Problem] = []
        self._taken: dict[str, Source] = {}

    def take(self, path: str) -> None:
        """Add a file or a folder of the author's, or note why it cannot be copied."""
        folder, base = os.path.split(path)
        self.paths.append(path)
        if _is_within(path, self.project.absolute(self.folder)):
            self._refuse(path, "there already", folder=self.folder)
        elif os.path.isdir(path) and os.path.islink(path):
            self._refuse(path, "linked folder")
        elif os.path.isdir(path):
            self._folder(path)
        elif not os.path.lexists(path) and path != self.project.absolute(layout.PASTED):
            self._refuse(path, "no such file")
        elif not base.lower().endswith(imported_notes.ENDINGS):
            self._refuse(path, "other ending")
        else:
            self._add(Project(folder), base, [self.name or base], named=True)

    def _folder(self, path: str) -> None:
        if _is_within(self.project.root, path):
            self._refuse(path, "book inside")
            return
        before, wrong = len(self.sources), len(self.problems)
        place = Project(path)
        try:
            for rel in self._below(place, ""):
                if rel.lower().endswith(imported_notes.ENDINGS) and place.has(rel):
                    self._add(place, rel, rel.split("/"), named=False)
                else:
                    self._skip(place, rel)
        except _TooMany:
            del self.sources[before:], self.problems[wrong:]
            self._refuse(path, "too much", most=imported_notes.MOST_SEEN)
            return
        if len(self.sources) == before and not self.problems:
            self._refuse(path, "no notes")
        if len(self.sources) > imported_notes.MOST_FILES:
            self._refuse(path, "too many", count=len(self.sources), most=imported_notes.MOST_FILES)
            del self.sources[imported_notes.MOST_FILES :]

    def _skip(self, place: Project, rel: str) -> None:
        """Leave out a file that is no note; a document, whose words somebody may miss, is told."""
        self.skipped.append(rel)
        ending = os.path.splitext(rel)[1].lower()
        if ending in imported_notes.DOCUMENTS:
            shown = os.path.join(place.root, *rel.split("/"))
            self.unread.append(errors.NoteNotRead(None, place=shown, ending=ending))

    def _below(self, place: Project, folder: str) -> Iterator[str]:
        """Yield the files below the folder, by name; hidden ones, links and devices are no notes.

        Raises _TooMany.
        """
        for name in in_order(place.names(folder)):
            self._seen += 1
            if self._seen > imported_notes.MOST_SEEN:
                raise _TooMany
            rel = f"{folder}/{name}" if folder else name
            kind = place.kind(rel)
            if stray_names.is_hidden(name):
                continue
            if kind == "folder":
                yield from self._below(place, rel)
            elif kind in ("file", "other"):
                yield rel
            else:
                self._refuse(os.path.join(place.root, rel), "linked file", kind=KIND_NAMES[kind])

    def _add(self, place: Project, rel: str, parts: Iterable[str], named: bool) -> None:
        try:
            source = Source(place, rel, imported_notes.research_name(parts), named)
        except imported_notes.Refused as why:
            self._refuse(os.path.join(place.root, rel), why.case, **why.values)
            return
        twin = next((s for s in self.sources if imported_notes.is_same_name(s.name, source.name)), None)
        if twin is not None and twin.shown != source.shown:
            self._refuse(source.shown, "same name", twin=twin.shown, name=source.name)
        elif twin is None:
            self.sources.append(source)

    def check_size(self) -> None:
        """Refuse the files when their sizes on disk are too large together."""
        total = sum(os.lstat(one.shown).st_size for one in self.sources if os.path.lexists(one.shown))
        if total > imported_notes.MOST_TOTAL:
            most = imported_notes.MOST_TOTAL // 1024 // 1024
            self._refuse(self.paths[0], "too large together", size=f"{total / 1e6:.0f}", most=most)
            self.sources.clear()

    def refuse_blank(self) -> None:
        """Refuse folders in which every note is empty."""
        for path in self.paths:
            self._refuse(path, "all blank")

    def read(self, book: Book, source: Source) -> list[Note]:
        """Return the note, [] when something is wrong with it."""
        try:
            text, read_as = _decode(self._bytes(source), self.encoding)
            text = imported_notes.clean_text(text)
            refuse_conflict(text, source.shown)
        except imported_notes.Blank as why:
            if source.named:
                self._refuse(source.shown, why.case)
            else:
                self.skipped.append(source.rel)
            return []
        except imported_notes.Refused as why:
            self._refuse(source.shown, why.case, **why.values)
            return []
        except Problem as wrong:
            told = {"cause": str(wrong).rstrip("。"), "advice": wrong.diagnostic().fix}
            self._refuse(source.shown, "unread", **told)
            return []
        found = text.encode("utf-8")
        there = _file_names(book, self.folder)
        name = next((n for n in there if imported_notes.is_same_name(n, source.name)), None)
        others = [*there, *(one.name for one in self.sources)]
        original = stray_names.copies({*others, source.name}).get(source.name)
        if original is not None and name is None:
            self._refuse(source.shown, "like a copy", name=source.name, original=original)
            return []
        path = f"{self.folder}/{name or source.name}"
        known = name is not None and book.read(path) == found
        if name is not None and not known:
            self.problems.append(errors.NoteTaken(path, place=source.shown))
            return []
        return [Note(path, length.length(text), found, known, read_as, encodings.beginning(text))]

    def _bytes(self, source: Source) -> bytes:
        kind = source.place.kind(source.rel)
        if kind == "absent":
            moved = self.project.read(f"{self.folder}/{source.name}") if self.landed else None
            if moved is None:
                raise imported_notes.Refused("no such file")
            return moved
        if kind != "file":
            raise imported_notes.Refused("no file", kind=KIND_NAMES.get(kind, "文件夹"))
        size = os.lstat(source.shown).st_size
        if size > imported_notes.MOST_BYTES:
            raise imported_notes.Refused("too large", size=f"{size / 1e6:.1f}")
        return source.place.read(source.rel) or b""

    def _refuse(self, place: str, case: str, **values: object) -> None:
        self.problems.append(errors.NoteRefused(None, case, place=place, **values))
