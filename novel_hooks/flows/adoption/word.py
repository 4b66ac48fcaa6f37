"""The text of a Word document, with `#` before its headings. Nothing is written.

The text is that of a reader of the document: with insertions, without deletions, with the numbers of lists.
Notes, comments, readings, pictures and hidden text are left out, and counted. Source: ECMA-376.
"""

from __future__ import annotations

from novel_hooks.annotations import Mapping
from novel_hooks.flows.adoption import word_styles
from novel_hooks.flows.adoption.word_numbers import Numbers
from novel_hooks.flows.adoption.word_styles import Style
from novel_hooks.rules.manuscript import left_out, paragraphs, web_pages
from novel_hooks.rules.manuscript.left_out import LeftOut
from novel_hooks.store.formats import xmlio
from novel_hooks.store.formats.package import Package

_MARKS = {"br": "\n", "cr": "\n", "tab": "\t", "ptab": "\t", "noBreakHyphen": "-"}
_BODY, _STYLES, _NUMBERING = "word/document.xml", "word/styles.xml", "word/numbering.xml"
_GONE = {"del": left_out.DELETED, "moveFrom": left_out.DELETED, "Fallback": "", "rt": left_out.RUBY}
"""What is left out whole: deleted, moved away, said again for older programs, the reading of a word."""
_COUNTED = {
    "footnoteReference": left_out.NOTES,
    "endnoteReference": left_out.NOTES,
    "commentReference": left_out.COMMENTS,
    "blip": left_out.IMAGES,
    "imagedata": left_out.IMAGES,
    "chart": left_out.IMAGES,
    "relIds": left_out.IMAGES,
    "textpath": left_out.IMAGES,
    "altChunk": left_out.PARTS,
    "subDoc": left_out.PARTS,
}
"""What is left out and counted; a chart, a diagram and drawn letters are pictures."""
_OF_A_FONT = range(0xF000, 0xF100)
"""Characters that are signs of one font, and nothing in another."""
_FORMER = ("pPrChange", "rPrChange")
"""Properties before a tracked change."""


class _Paragraph:
    """A paragraph that is open."""

    def __init__(self) -> None:
        self.part: list[str] = []
        self.style = Style()
        self.level: int | None = None
        self.number: tuple[str, str] | None = None
        self.holds_more = False
        """Held what is no text of it: then its being empty parts no scenes."""


class _Document:
    """Collects the paragraphs of a document; a text box's stand before the one that holds it."""

    def __init__(self, styles: Mapping[str, Style], numbers: Numbers, left: LeftOut) -> None:
        self.styles = styles
        self.numbers = numbers
        self.left = left
        self.lines: list[str] = []
        self._open = [_Paragraph()]
        self._inside = 0
        self._silent = 0
        self._properties = 0
        self._former = 0
        self._hidden: list[bool] = []
        self._list = "0"

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        if name in _GONE and not self._properties:
            if _GONE[name] and not self._silent:
                self._leave(_GONE[name])
            self._silent += 1
        elif name in ("pPr", "rPr", "trPr"):
            self._properties += 1
        elif name == "p":
            self._open.append(_Paragraph())
        elif name == "r":
            self._hidden.append(bool(self._open[-1].style.hidden))
        elif name == "t":
            self._inside += 1
        elif name in _FORMER:
            self._former += 1
        elif self._properties:
            self._set(name, given)
        elif not self._silent:
            self._take(name, given)

    def _take(self, name: str, given: Mapping[str, str]) -> None:
        """Take an element that stands for a mark of the text, or count one that is left out."""
        if name in _COUNTED:
            self._leave(_COUNTED[name])
        if self._hidden and self._hidden[-1]:
            return
        if name == "sym":
            self._take_sign(given.get("char", ""))
        self._open[-1].part.append(_MARKS.get(name, ""))

    def _take_sign(self, code: str) -> None:
        """Take a character by its number; one of a font's own signs is counted."""
        try:
            mark = int(code, 16)
            sign = "" if mark in _OF_A_FONT else chr(mark)
        except (ValueError, OverflowError):
            sign = ""
        if sign:
            self._open[-1].part.append(sign)
        else:
            self._leave(left_out.SIGNS)

    def _leave(self, kind: str) -> None:
        self.left.add(kind)
        self._open[-1].holds_more = True

    def _set(self, name: str, given: Mapping[str, str]) -> None:
        """Take one property of a paragraph or a run."""
        value, paragraph = given.get("val", ""), self._open[-1]
        if self._former:
            return
        of_run = bool(self._hidden) and self._properties == 1
        if name == "vanish" and of_run:
            self._hidden[-1] = word_styles.is_on(value)
        elif name == "rStyle" and of_run:
            hidden = self.styles.get(value, Style()).hidden
            self._hidden[-1] = self._hidden[-1] if hidden is None else hidden
        elif name == "pStyle":
            paragraph.style = self.styles.get(value, Style())
        elif name == "outlineLvl" and value.isdigit():
            paragraph.level = word_styles.level(value)
        elif name == "ilvl":
            self._list = value
        elif name == "numId":
            paragraph.number, self._list = (value, self._list), "0"

    def words(self, text: str) -> None:
        if not self._inside or self._silent:
            return
        if not (self._hidden and self._hidden[-1]):
            self._open[-1].part.append(text)
        elif text.strip():
            self._leave(left_out.HIDDEN)

    def end(self, name: str) -> None:
        if name in _GONE and not self._properties:
            self._silent -= 1
        elif name in ("pPr", "rPr", "trPr"):
            self._properties -= 1
        elif name in _FORMER:
            self._former -= 1
        elif name == "r" and self._hidden:
            self._hidden.pop()
        elif name == "t":
            self._inside -= 1
        elif name == "p":
            paragraph = self._open.pop()
            self._open[-1].holds_more = True
            if not self._silent:
                self._close(paragraph)

    def _close(self, paragraph: _Paragraph) -> None:
        text, style = "".join(paragraph.part), paragraph.style
        if style.name.startswith(("toc ", "目录 ")):
            self.left.add(left_out.CONTENTS)
            return
        number = paragraph.number or ((style.number, style.step or "0") if style.number else None)
        if number is not None and text.strip():
            text = self._numbered(number, text)
        if paragraph.holds_more and not text.strip():
            return
        level = min(paragraph.level if paragraph.level is not None else style.level or 0, 6)
        if level and text.strip():
            title = " ".join(part.strip() for part in text.replace("\t", "\n").split("\n") if part.strip())
            self.lines.append(f"{'#' * level} {title}")
        elif style.name in word_styles.QUOTES and text.strip():
            self.lines.append(paragraphs.quote(line.strip() for line in text.strip().split("\n")))
        elif style.name == "verse" and text.strip():
            self.lines.append("\\\n".join(text.strip().split("\n")))
        else:
            self.lines += text.split("\n")

    def _numbered(self, number: tuple[str, str], text: str) -> str:
        """Return the text behind the number that Word shows before it; one that is not known is counted."""
        shown = self.numbers.next(*number)
        if shown is None:
            self.left.add(left_out.LISTS)
            return text
        return f"{shown} {text.lstrip()}" if shown else text


def docx_text(data: bytes, left: LeftOut | None = None) -> str:
    """Return the paragraphs of a Word document. Raises Unread.

    An empty paragraph is a change of scene, or mere spacing when empty ones are everywhere.
    """
    package = Package(data)
    styles = word_styles.Styles()
    if _STYLES in package.names:
        xmlio.parse(package.read(_STYLES), styles.begin, styles.end, lambda _words: None)
    numbers = Numbers()
    if _NUMBERING in package.names:
        xmlio.parse(package.read(_NUMBERING), numbers.begin, numbers.end, lambda _words: None)
    document = _Document(styles.resolved(), numbers, left or LeftOut())
    xmlio.parse(package.read(_BODY), document.begin, document.end, document.words)
    return web_pages.joined(_without_spacing(document.lines))


def _without_spacing(lines: list[str]) -> list[str]:
    """Drop empty paragraphs where every paragraph has one behind it: they are spacing."""
    empty = sum(not line.strip() for line in lines)
    return [line for line in lines if line.strip()] if empty * 3 > len(lines) else lines
