"""`novel lint`, and its findings at a step: facts for judge and refiner, residue for the writing agent.

Reads only. When a file of the author cannot be read, the checks that need it are left out with a warning; a
step that needs the file itself refuses it. Source: craft notes §2, protocol §7.
"""

from __future__ import annotations

from novel_hooks import __version__, errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Iterator, T
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.checks import misspelt_names
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import side_pieces
from novel_hooks.rules.text import scene_breaks
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import without_comments

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import Desk
    from novel_hooks.rules.lint.report import Comparison
    from novel_hooks.rules.packet.packet import Input

EARLIER = 3
"""So many chapters before are compared with."""
_MARKUP = 47
"""The rule of the lint about marks of a markup language: form, not content."""
_BLOCKS = {">": "quotation", "|": "table"}
"""What a line that is none of the list's begins, by its first mark."""
REVISION = 9
"""Rises when the lint says something else of the same text."""


class Linted(Record):
    """The report on one text, and problems of the files that it could not be compared with."""

    path: str
    staged: bool
    report: dict[str, Any]
    problems: tuple[Problem, ...]


def run(book: Book, chapter: int) -> Linted:
    """Report on the staged chapter when there is one, else on the landed one. Raises FileMissing."""
    path = layout.staged(layout.chapter(chapter))
    text = book.text(path)
    staged = text is not None
    if text is not None and "<!--" in text:
        from novel_hooks.flows.chapter import desk

        text = without_comments(text) if desk.is_taken(book, chapter) else text
    if text is None:
        path = layout.chapter(chapter)
        text = book.text(path)
    if text is None:
        raise errors.FileMissing(path, "chapter", what=f"第 {chapter} 章的正文")
    return text_report(book, text, path, chapter, staged)


def text_report(book: Book | None, text: str, path: str, chapter: int | None, staged: bool = False) -> Linted:
    """Report on any text, compared with the plan and the chapters before `chapter`.

    Without a chapter it is compared with the book's style alone.
    """
    from novel_hooks.flows.book import planned_chapters
    from novel_hooks.rules.lint import report as lint_report

    gathering = LintMaterial(book)
    volume = planned_chapters.chapter_volume(book, chapter) if book is not None and chapter else 0
    beside = gathering.beside(volume, chapter)
    plain = scene_breaks.blanked(text, gathering.scene_break(text))
    if book is not None and chapter is not None and chapter <= book.adoption().last:
        plain = side_pieces.headings_blanked(plain)
    report = lint_report.report(plain, beside)
    allowed = set(beside.whitelist).difference(beside.names)
    slips = [] if book is None else misspelt_names.find(book, text, volume, chapter, allowed)
    report["misspelt"] = [slip._asdict() for slip in slips]
    found = [*blocking_problems(report["residue"], path), *misspelt_names.problems(slips, path)]
    return Linted(path, staged, report, (*found, *gathering.problems))


def packet_input(desk: Desk) -> Input | None:
    """Return `lint_report` for the packets of judge and refiner; None when there is no chapter to read.

    A report that was counted anew is in `book.learnt`, so that its text need not be read again.
    """
    from novel_hooks.rules.packet import packet

    found = desk.get("chapter")
    if not found.ok:
        return None
    key = _cache_key(desk, found.data or b"")
    known = desk.book.plain_document(layout.LINT)
    report = known.get("report") if known.get("key") == key else None
    if report is None:
        report = _fresh_report(desk, found.value)
        desk.book.learnt[layout.LINT] = jsonio.dump({"key": key, "report": report})
    return packet.value_input("lint_report", report)


def prepare_report(desk: Desk) -> None:
    """Put the report on the text that was just taken into `book.learnt`. It never stops anything."""
    attempt(lambda: packet_input(desk))


def _fresh_report(desk: Desk, text: str) -> Any:
    """Return the report as it would be read back, to the order of its keys."""
    from novel_hooks.rules.lint import report as lint_report

    gathering = LintMaterial(desk.book)
    plain = scene_breaks.blanked(text, gathering.scene_break(text))
    found = lint_report.packet_report(lint_report.report(plain, gathering.beside(desk.volume, desk.number)))
    return jsonio.parse(jsonio.dump(found), layout.LINT)


def _cache_key(desk: Desk, text: bytes) -> str:
    """Return the hash of everything that the report follows from."""
    paths = (
        *(layout.BLACKLIST, layout.STYLE_PROFILE, layout.outline(desk.volume)),
        layout.contract(desk.volume, desk.number),
        *(layout.chapter(n) for n in _earlier_chapters(desk.number)),
    )
    own = LintMaterial(desk.book).scene_break(text.decode("utf-8", "replace"))
    called = misspelt_names.called(desk.book)
    made = sha2.sha256(f"{__version__} {REVISION} {desk.number} {own} {called} {len(text)}\n".encode() + text)
    for path in paths:
        try:
            data = desk.book.read(path)
        except Problem as error:
            data = str(error).encode()
        made.update(f"{path} {-1 if data is None else len(data)}\n".encode() + (data or b""))
    return made.hexdigest()


def residue_problems(desk: Desk, who: str) -> list[Problem]:
    """Return an error, to be mended by `who`, for each residue and misspelt name in the staged chapter."""
    from novel_hooks.rules.lint.residue.residue import blocking_residue

    found = desk.get("chapter")
    if not found.ok:
        return []
    allowed = LintMaterial(desk.book).whitelist()
    plain = scene_breaks.blanked(found.value)  # the advance puts the book's own break there
    slips = misspelt_names.find(desk.book, found.value, desk.volume, desk.number, allowed)
    return [
        *blocking_problems(blocking_residue(plain, allowed), found.path, who),
        *misspelt_names.problems(slips, found.path, who),
    ]


def blocking_problems(places: list[dict[str, Any]], path: str, who: str = "") -> Iterator[Problem]:
    """Yield an error for each place, to be mended by `who`."""
    from novel_hooks.rules.lint.residue.residue import CUT_SHORT, LINE_MARK

    for place in places:
        told = {"what": place["name"], "line": place["line"], "quote": place["quote"]}
        case = "cut short" if place["name"] == CUT_SHORT else "other"
        if place["name"] == LINE_MARK:
            case = _BLOCKS.get(place["quote"].strip()[0], "list")
        found = errors.ChapterResidue(path, case, **told, who=f"让{who}" if who else "")
        found.of_form = place["rule"] == _MARKUP
        yield found


class LintMaterial:
    """The readable files that a text is compared with; `problems` name the others."""

    def __init__(self, book: Book | None) -> None:
        self.book = book
        self.problems: list[Problem] = []

    def beside(self, volume: int, chapter: int | None) -> Comparison:
        """Return the texts that the chapter is compared with."""
        from novel_hooks.rules.cast import world_rules
        from novel_hooks.rules.lint.report import Comparison

        blacklist = self.document(layout.BLACKLIST)
        if not all(isinstance(blacklist.get(key, []), list) for key in ("words", "whitelist")):
            blacklist = {}
        names, plan = self._plan(volume, chapter) if chapter else ((), ())
        return Comparison(
            words=tuple(world_rules.blacklist_top(blacklist, len(blacklist.get("words", ())))),
            whitelist=(*_texts(blacklist.get("whitelist")), *names),
            profile=self.document(layout.STYLE_PROFILE),
            earlier=self._earlier(chapter) if chapter else (),
            plan=plan,
            names=names,
            called=() if self.book is None else misspelt_names.called(self.book),
        )

    def scene_break(self, text: str) -> str:
        """Return the book's own line for a change of scene; "" when it has none or the text has no break."""
        book = self.book
        if book is None or not scene_breaks.has_marks(text):
            return ""
        return self._attempt(layout.CONFIG, lambda: settings.scene_break(book)) or ""

    def whitelist(self) -> tuple[str, ...]:
        """Return the words that the author allows."""
        return _texts(self.document(layout.BLACKLIST).get("whitelist"))

    def text(self, path: str) -> str | None:
        """Return the text at `path`; None when it is absent or cannot be read."""
        book = self.book
        return None if book is None else self._attempt(path, lambda: book.text(path))

    def _attempt(self, path: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except Problem as error:
            self.problems.append(errors.LintWithout(path, reason=error))
            return None

    def document(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path`, {} when it is absent or cannot be read; no schema is checked."""
        text = self.text(path)
        found = None if text is None else self._attempt(path, lambda: jsonio.parse(text.encode(), path))
        return found if isinstance(found, dict) else {}

    def _plan(self, volume: int, chapter: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Return (people whom the contract names, texts of outline block and contract)."""
        outline = self.text(layout.outline(volume)) or ""
        contract = self.document(layout.contract(volume, chapter))
        told = (("大纲", _block(outline, chapter)), ("契约", "\n".join(_strings(contract))))
        before = contract.get("preconditions")
        states = before.get("character_states") if isinstance(before, dict) else None
        names = tuple(sorted(states)) if isinstance(states, dict) else ()
        return names, tuple((name, text) for name, text in told if text)

    def _earlier(self, chapter: int) -> tuple[tuple[int, str], ...]:
        texts = [(number, self.text(layout.chapter(number))) for number in _earlier_chapters(chapter)]
        return tuple((number, text) for number, text in texts if text is not None)


def _earlier_chapters(chapter: int) -> range:
    return range(chapter - 1, max(0, chapter - 1 - EARLIER), -1)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _block(outline: str, chapter: int) -> str:
    """Return the chapter's part of the outline, as far as it can be found without judging the outline."""
    parts = f"\n{outline}".split("\n### ")
    return next((part for part in parts[1:] if part.startswith(f"第 {chapter} 章")), "")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _strings(value[key])
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
