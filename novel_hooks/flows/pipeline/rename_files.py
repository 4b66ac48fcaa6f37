"""The files of a book with a name replaced, and the landed records that must follow.

Texts and JSON are replaced as text, so that the author's layout stays. Files of `novel`'s own are written
canonically.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import kept_attempts
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.record import Record
from novel_hooks.rules.spelling import renaming
from novel_hooks.rules.spelling.renaming import Renamed
from novel_hooks.store.fence import seal
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

_OWN = (layout.STATE, layout.FORESHADOWING, *layout.OWN_WORDS)
_FOLDERS = (
    (layout.CHARACTERS, (".json", ".md")),
    (layout.RETIRED, (".json", ".md")),
    (layout.WORLD, (".json", ".md")),
    ("summaries", (".md",)),
    ("state", ("-crossref.json",)),
)
_FILES = (
    *(layout.BRIEF, layout.STORYLINES, layout.STORYLINE_SPEC),
    *(*_OWN, layout.CHANGELOG, layout.UNKNOWN_ENTITIES),
)


class Name(Record):
    """A name to be replaced: `known` are all names of the book, which may hold it as a part."""

    old: str
    new: str
    known: Collection[str]

    def replaced(self, text: str) -> Renamed:
        """Return the text with the new name."""
        return renaming.rename(text, self.old, self.new, self.known)


def story_paths(book: Book) -> Iterator[str]:
    """Yield the path of every file beside the chapters that may name somebody.

    These are cards, world, plans, state, summaries, memories, and the author's answers.
    """
    for folder, endings in _FOLDERS:
        yield from (f"{folder}/{name}" for name in book.files(folder, endings)[0])
    yield from _FILES
    for line in book.project.names("storylines"):
        if layout.SLUG.match(line):
            yield layout.memory(line)
    for volume in map(layout.volume_dir, book.volumes()):
        yield from (f"{volume}/{name}" for name in book.files(volume, (".json", ".md"))[0])
        contracts = f"{volume}/chapter-contracts"
        yield from (f"{contracts}/{name}" for name in book.files(contracts, (".json",))[0])


def chapter_paths(book: Book) -> list[str]:
    """Return the paths of the landed chapters, in order."""
    numbers = sorted(n for n in map(layout.chapter_number, book.project.names("chapters")) if n is not None)
    return [layout.chapter(number) for number in numbers]


def renamed_file(book: Book, path: str, name: Name) -> tuple[bytes, Renamed] | None:
    """Return (the file's new bytes, the replaced and the kept places); None when the old name is not in it.

    Raises TextNotUtf8, and the fault of JSON that writes the name in escapes.
    """
    data = book.read(path)
    if data is None:
        return None
    decode(data, path)  # refuses what is no text, and changes nothing
    if name.old.encode("utf-8") not in data and b"\\u" not in data:
        return None
    text = data.decode("utf-8")
    if path.endswith(".json") and b"\\u" in data:
        text = jsonio.dump(jsonio.parse(data, path)).decode("utf-8")
    found = name.replaced(text)
    if not found.times and not found.left:
        return None
    if path.endswith(".json"):
        try:
            jsonio.parse(found.text.encode("utf-8"), path)
        except Problem as fault:  # both names are keys of one map there
            raise errors.RenameTaken(path, name=name.new) from fault
    return (_canonical(found.text.encode("utf-8"), path) if found.times else data), found


def _canonical(data: bytes, path: str) -> bytes:
    """Return the bytes as `novel` would write them, of its own files; others as they are."""
    if path in _OWN:
        return jsonio.dump(jsonio.parse(data, path))
    if path == layout.CHANGELOG:
        lines = [line for line in data.split(b"\n") if line.strip()]
        return b"".join(jsonio.dump_line(jsonio.parse(line, path)) for line in lines)
    return data


def landed_records(book: Book, last: int, then: Mapping[str, bytes], name: Name) -> dict[str, bytes]:
    """Return the renewed landed records: an unchanged file stays unchanged for them, a hand edit stays one.

    Earlier memories and threads in them get the new name too, so that a rollback brings no old name back.
    Raises the faults of the records.
    """
    records = [(n, one) for n, one in landed_record.read_all(book, range(1, last + 1)) if one is not None]
    hashes = {
        (path, hand_edits.digest(book.read(path), path)): _hash(data, path) for path, data in then.items()
    }
    earlier: dict[int, Any] = {}
    for chapter, record in records:
        before = record.document["before"]
        renamed = name.replaced(jsonio.dump(before).decode("utf-8")).text
        earlier[chapter] = jsonio.parse(renamed.encode("utf-8"), layout.landed_record(chapter), own=True)
        texts = [(path, text, earlier[chapter].get(path)) for path, text in before.items()]
        hashes.update({(p, _hash(t, p)): _hash(new, p) for p, t, new in texts if isinstance(new, str)})
    found: dict[str, bytes] = {}
    for chapter, record in records:
        moved = {path: hashes.get((path, sha256), sha256) for path, sha256 in record.sha256.items()}
        if moved != record.sha256 or earlier[chapter] != record.document["before"]:
            document = {**record.document, "sha256": moved, "before": earlier[chapter]}
            found[layout.landed_record(chapter)] = jsonio.dump(seal.with_seal(document))
    return found


def kept_texts(book: Book, then: Mapping[str, bytes], name: Name) -> dict[str, bytes]:
    """Return one more version of every renamed chapter: its landed text with the new name.

    Later hand edits are compared with it, so that the rename does not count as one.
    """
    found: dict[str, bytes] = {}
    for path in then:
        chapter = layout.chapter_number(path.rpartition("/")[2])
        base = "" if chapter is None or path != layout.chapter(chapter) else layout.attempts(chapter)
        landed = [one for one in book.project.names(base) if one[5:] in layout.KEPT_VERSIONS] if base else []
        data = book.read(f"{base}/{landed[-1]}/{path.rpartition('/')[2]}") if landed else None
        text = name.replaced(decode(data, path)) if data is not None else None
        if text is not None and text.times:
            folder = f"{base}/{kept_attempts.next_number(book.project, base):04d}-{layout.RENAMED_VERSION}"
            found[f"{folder}/{path.rpartition('/')[2]}"] = text.text.encode("utf-8")
    return found


def _hash(text: str | bytes, path: str) -> str:
    return hand_edits.digest(text.encode("utf-8") if isinstance(text, str) else text, path)
