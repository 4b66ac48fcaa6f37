"""Pages of an EPUB as plain text: a heading behind `#`, a paragraph a line, wide gaps for rules. Pure."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

from novel_hooks.annotations import Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.manuscript import left_out, paragraphs
from novel_hooks.rules.manuscript.left_out import LeftOut
from novel_hooks.rules.text import scene_breaks

_BLOCKS = frozenset(
    [
        *("p", "div", "section", "article", "li", "tr", "td", "th", "dt", "dd", "blockquote", "pre"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "ul", "ol", "dl", "table", "caption", "body"),
        *("figure", "figcaption", "aside", "header", "footer"),
    ]
)
_SILENT = frozenset(["head", "style", "script", "title", "nav", "svg", "rt", "rp"])
_NO_END = frozenset(["br", "hr", "image", "img", "input", "link", "meta", "wbr"])
_NOTES = frozenset(
    [
        *("footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"),
        *("footnotes", "endnotes", "rearnotes"),
    ]
)
_REFERENCES = frozenset(["noteref", "doc-noteref", "duokan-footnote"])
_PAGE_NUMBERS = frozenset(["pagebreak", "doc-pagebreak"])
_VERSE = frozenset(["lines", "verse", "poem", "poetry", "stanza", "song"])
"""Classes of an element whose lines belong together: our own, and what others call a poem."""


_BLANK = "\u00a0"
_SECTIONS = Pattern(r"(?s)<!\[CDATA\[(.*?)\]\]>")
"""Text as it is, in XHTML; the parser of HTML would drop it."""


class _Region:
    """An element that is open, among others of its name: left out whole, or its lines belong together."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.depth = 1
        self.lines: list[str] = []

    def begins(self, tag: str) -> None:
        self.depth += tag == self.tag

    def ends(self, tag: str) -> bool:
        """Does the region end with this tag? That of a reading needs no end of its own."""
        self.depth -= tag == self.tag
        return not self.depth or (tag == "ruby" and self.tag in ("rt", "rp"))


class _Reader(HTMLParser):
    """Collects the lines of one page; what does not show and what is no text is left out, and counted."""

    def __init__(self, left: LeftOut) -> None:
        super().__init__(convert_charrefs=True)
        self.left = left
        self.lines: list[str] = []
        self._part: list[str] = []
        self._level = 0
        self._silent: _Region | None = None
        self._verse: _Region | None = None
        self._raised = 0
        self._linked = 0
        self._is_blank: bool | None = None
        """Does the open paragraph hold a blank or a line's end? None outside of one, and behind text."""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        names = frozenset(" ".join(given.get(n, "") for n in ("epub:type", "role", "class")).lower().split())
        self._count(tag, names)
        if self._silent is not None:
            self._silent.begins(tag)
            return
        kind = self._left_kind(tag, given, names)
        if kind is not None and tag not in _NO_END:
            self.left.add(*kind)
            self._silent = _Region(tag)
            return
        self._raised += tag == "sup"
        self._linked += tag == "a"
        if tag == "br" and self._level:
            self._part.append(" ")
        elif tag in _BLOCKS or tag == "br":
            self._break_line(empty=tag == "br" and self._verse is not None)
        if tag == "hr":
            self.lines.append("")
        self._note_blank(tag)
        if tag[:1] == "h" and tag[1:].isdigit():
            self._level = int(tag[1:])
        if self._verse is not None:
            self._verse.begins(tag)
        elif tag in ("p", "div", "blockquote") and names & _VERSE:
            self._verse = _Region(tag)

    def _note_blank(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._is_blank = False if tag == "p" else None
        elif tag == "br" and self._is_blank is not None:
            self._is_blank = True

    def _count(self, tag: str, names: frozenset[str]) -> None:
        if tag in ("img", "image") and not names & _REFERENCES:
            self.left.add(left_out.IMAGES)
        elif names & _NOTES and self._silent is not None:
            self.left.add(left_out.NOTES)

    def _left_kind(self, tag: str, given: dict[str, str], names: frozenset[str]) -> tuple[str, int] | None:
        """Return (kind, how many) of an element that is left out, None of one that is text."""
        if tag in _SILENT or names & _PAGE_NUMBERS:
            return left_out.RUBY, int(tag == "rt")
        if "hidden" in given or "display:none" in given.get("style", "").replace(" ", "").lower():
            return left_out.HIDDEN, 1
        if names & _NOTES or any(name.startswith("duokan-footnote-") for name in names):
            return left_out.NOTES, int(not any(name.endswith("s") for name in names & _NOTES))
        refers = "#" in given.get("href", "") and self._raised
        if names & _REFERENCES or refers or (tag == "sup" and self._linked):
            return left_out.REFERENCES, 1
        return None

    def handle_endtag(self, tag: str) -> None:
        if self._silent is not None:
            if self._silent.ends(tag):
                self._silent = None
            return
        self._raised -= tag == "sup" and self._raised > 0
        self._linked -= tag == "a" and self._linked > 0
        if tag in _BLOCKS:
            self._break_line()
        if tag == "p" and self._is_blank:
            self.lines.append(_BLANK)
        self._is_blank = None if tag in _BLOCKS else self._is_blank
        if self._verse is not None and self._verse.ends(tag):
            lines, self._verse = "\n".join(self._verse.lines).strip("\n").split("\n"), None
            bound = paragraphs.quote(lines) if tag == "blockquote" else "\\\n".join(lines)
            self.lines += [bound] if lines != [""] else []
        if tag[:1] == "h" and tag[1:].isdigit():
            self._level = 0

    def handle_data(self, data: str) -> None:
        if self._silent is not None:
            return
        if data.strip():
            self._is_blank = None
        elif self._is_blank is not None:
            self._is_blank = self._is_blank or bool(data.strip(" \t\r\n\f"))
        self._part.append(data)

    def _break_line(self, empty: bool = False) -> None:
        """End the line; one without text counts where it is `empty` among lines that belong together."""
        line = (
            " ".join("".join(self._part).replace("\u00a0", " ").split(" ")).replace("\n", " ").strip(" \t\r")
        )
        self._part = []
        if (line or empty) and self._verse is not None:
            self._verse.lines.append(line)
        elif line:
            self.lines.append(f"{'#' * self._level} {line}" if self._level else line)

    def close(self) -> None:
        super().close()
        self._break_line()
        if self._verse is not None:
            self.lines += self._verse.lines


def page_text(page: str, left: LeftOut | None = None) -> str:
    """Return the page's text: an empty line between paragraphs, two where a rule or scene break stands.

    A paragraph that is only a blank is one, unless they are everywhere: then they are spacing.

    Notes and their marks, readings (ruby), pictures and hidden text are left out, and counted in `left`.
    """
    reader = _Reader(left or LeftOut())
    reader.feed(_SECTIONS.sub(lambda found: escape(found[1], quote=False), page))
    reader.close()
    spaced = reader.lines.count(_BLANK) * 3 > len(reader.lines)
    return joined([line for line in reader.lines if line != _BLANK or not spaced])


def joined(lines: Sequence[str]) -> str:
    """Return lines as a text; "" among them, or a line of marks, stands for a change of scene."""
    made: list[str] = []
    wide = False
    for line in lines:
        if not line.strip() or scene_breaks.is_break(line):
            wide = bool(made)
            continue
        made.append(("\n\n\n" if wide else "\n\n") + line if made else line)
        wide = False
    return "".join(made) + "\n" if made else ""
