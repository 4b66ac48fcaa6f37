"""Pages of an EPUB as plain text: a heading behind `#`, a paragraph a line, wide gaps for rules. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "li",
        "tr",
        "blockquote",
        "pre",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "ul",
        "ol",
        "table",
        "body",
        "figure",
        "aside",
        "header",
        "footer",
    ]
)
_SILENT = frozenset(["head", "style", "script", "title", "nav", "svg", "rt", "rp"])
_NO_END = frozenset(["br", "hr", "img", "meta", "link", "input"])


class _Reader(HTMLParser):
    """Collects the lines of one page; what does not show is left out, ruby too."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._part: list[str] = []
        self._level = 0
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag in _SILENT and tag not in _NO_END:
            self._silent.append(tag)
        if tag == "br" and self._level:
            self._part.append(" ")
        elif tag in _BLOCKS or tag == "br":
            self._break_line()
        if tag == "hr":
            self.lines.append("")
        if tag[:1] == "h" and tag[1:].isdigit():
            self._level = int(tag[1:])

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag in _BLOCKS:
            self._break_line()
        if tag[:1] == "h" and tag[1:].isdigit():
            self._level = 0

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._part.append(data)

    def _break_line(self) -> None:
        line = (
            " ".join("".join(self._part).replace("\u00a0", " ").split(" ")).replace("\n", " ").strip(" \t\r")
        )
        self._part = []
        if line:
            self.lines.append(f"{'#' * self._level} {line}" if self._level else line)

    def close(self) -> None:
        super().close()
        self._break_line()


def page_text(page: str) -> str:
    """Return the page's text: an empty line between paragraphs, two where a rule or scene break stands."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return joined(reader.lines)


def joined(lines: Sequence[str]) -> str:
    """Return lines as a text; "" among them, or a line of marks, stands for a change of scene."""
    from novel_hooks.rules.text import scene_breaks

    made: list[str] = []
    wide = False
    for line in lines:
        if not line.strip() or scene_breaks.is_break(line):
            wide = bool(made)
            continue
        made.append(("\n\n\n" if wide else "\n\n") + line if made else line)
        wide = False
    return "".join(made) + "\n" if made else ""
