"""The styles of a Word document, as far as its text depends on them. Source: ECMA-376, part 1, 17.7.

A style inherits every property that it does not set from the style that it is based on.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.record import Record

QUOTES = ("quote", "intense quote", "引用", "明显引用")
_SPECIAL = (*QUOTES, "verse")
_CONTENTS = ("toc ", "目录 ")
_OFF = ("0", "false", "off")
_DEEPEST = 20
"""Word allows no longer chain of styles; a circle ends there too."""


class Style(Record):
    """A style: `level` of its heading, its list, whether its text is hidden. None and "" mean: not set."""

    level: int | None = None
    number: str = ""
    step: str = ""
    name: str = ""
    hidden: bool | None = None
    below: str = ""


def is_on(value: str) -> bool:
    """Tell whether a property is on that its mere name switches on."""
    return value not in _OFF


def level(value: str) -> int:
    """Return the level of a heading by its outline level: 0 for a paragraph of the text."""
    return (int(value) + 1) % 10


class Styles:
    """The styles of a document, read element by element."""

    def __init__(self) -> None:
        self._written: dict[str, Style] = {}
        self._current = ""
        self._former = 0

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        """Read the beginning of an element of the document's styles."""
        if name == "style":
            self._current = given.get("styleId", "")
            self._written[self._current] = Style()
        elif name in ("pPrChange", "rPrChange"):
            self._former += 1
        elif self._current and not self._former:
            said = _said(name, given.get("val", ""))
            self._written[self._current] = self._written[self._current]._replace(**said)

    def end(self, name: str) -> None:
        """Read the end of an element."""
        if name == "style":
            self._current = ""
        elif name in ("pPrChange", "rPrChange"):
            self._former -= 1

    def resolved(self) -> dict[str, Style]:
        """Return style id → style, with the properties that it inherits."""
        return {key: self._whole(key) for key in self._written}

    def _whole(self, key: str) -> Style:
        style = self._written[key]
        for _ in range(_DEEPEST):
            below = self._written.get(style.below)
            if below is None:
                break
            style = Style(
                below.level if style.level is None else style.level,
                style.number or below.number,
                style.step or below.step,
                below.name if below.name in _SPECIAL and not style.name.startswith(_CONTENTS) else style.name,
                below.hidden if style.hidden is None else style.hidden,
                below.below,
            )
        return style


def _said(name: str, value: str) -> dict[str, Any]:
    """Return what an element says of its style."""
    if name == "name":
        word, _, number = value.lower().partition(" ")
        is_heading = word in ("heading", "标题") and number.isdigit()
        return {"name": value.lower(), **({"level": int(number)} if is_heading else {})}
    if name == "outlineLvl" and value.isdigit():
        return {"level": level(value)}
    if name == "vanish":
        return {"hidden": is_on(value)}
    return {
        key: value
        for said, key in (("basedOn", "below"), ("ilvl", "step"), ("numId", "number"))
        if said == name
    }
