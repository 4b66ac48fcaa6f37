"""The numbers that Word shows before paragraphs of a list, such as `第三章`: the document's text lacks them.

Source: ECMA-376, part 1, 17.9.
"""

from __future__ import annotations

from novel_hooks.annotations import Mapping
from novel_hooks.record import Record
from novel_hooks.rules.text import numerals

_CHINESE = (
    "chineseCounting",
    "chineseCountingThousand",
    "ideographDigital",
    "japaneseCounting",
    "taiwaneseCounting",
    "taiwaneseCountingThousand",
)
_DECIMAL = ("decimal", "decimalFullWidth", "decimalHalfWidth", "decimalZero", "numberInDash")
_PLAIN = ("bullet", "none")
_LEVELS = 9
_OWN = "num "
"""Before a list's number: the levels that it has for itself, beside those of its kind."""


class Level(Record):
    """One level of a list: its first number, the numeral's kind, its text with `%1` for the number.

    `goes_on`: its numbers are not restarted after a number of a higher level.
    """

    start: int = 1
    kind: str = "decimal"
    text: str = ""
    goes_on: bool = False


class Numbers:
    """The lists of a document; `next` counts on with each paragraph."""

    def __init__(self) -> None:
        self._levels: dict[tuple[str, str], Level] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._starts: dict[tuple[str, str], int] = {}
        self._kind = ""
        self._number = ""
        self._step = ""
        self._at = ("", "")

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        """Read the beginning of an element of the document's lists."""
        value = given.get("val", "")
        if name == "abstractNum":
            self._kind, self._at = given.get("abstractNumId", ""), ("", "")
        elif name == "lvl" and (self._kind or self._number):
            self._at = (self._kind or f"{_OWN}{self._number}", given.get("ilvl", ""))
            self._levels[self._at] = Level()
        elif name == "num":
            self._kind, self._number, self._at = "", given.get("numId", ""), ("", "")
        elif name == "abstractNumId" and not self._kind:
            self._lists[self._number] = value
        elif name == "lvlOverride":
            self._step = given.get("ilvl", "")
        elif name == "startOverride" and value.isdigit():
            self._starts[self._number, self._step] = int(value)
        elif self._at in self._levels:
            self._set(name, value)

    def _set(self, name: str, value: str) -> None:
        level = self._levels[self._at]
        if name == "start" and value.isdigit():
            self._levels[self._at] = level._replace(start=int(value))
        elif name == "numFmt":
            self._levels[self._at] = level._replace(kind=value)
        elif name == "lvlText":
            self._levels[self._at] = level._replace(text=value)
        elif name == "lvlRestart":
            self._levels[self._at] = level._replace(goes_on=value == "0")

    def end(self, name: str) -> None:
        """Read the end of an element."""
        if name == "lvl":
            self._at = ("", "")

    def next(self, number: str, step: str) -> str | None:
        """Return the text before the next paragraph of a list; "" for a mere bullet, None when unknown."""
        kind, at = self._lists.get(number, ""), int(step) if step.isdigit() else 0
        if number == "0":
            return ""  # the paragraph takes itself out of its style's list
        level = self._level(number, at)
        if level is None:
            return None
        if level.kind in _PLAIN:
            return ""
        self._count(number, at, level)
        shown = level.text
        for place in range(at + 1):
            if f"%{place + 1}" in shown:
                numeral = self._numeral(number, kind, place)
                if numeral is None:
                    return None
                shown = shown.replace(f"%{place + 1}", numeral)
        return shown

    def _level(self, number: str, at: int) -> Level | None:
        own = self._levels.get((f"{_OWN}{number}", str(at)))
        return own or self._levels.get((self._lists.get(number, ""), str(at)))

    def _count(self, number: str, at: int, level: Level) -> None:
        """Count one paragraph more; a list that says where it starts does so once."""
        kind = self._lists.get(number, "")
        anew = self._starts.pop((number, str(at)), None)
        before = self._counts.get((kind, at), level.start - 1) if anew is None else anew - 1
        self._counts[kind, at] = before + 1
        for below in range(at + 1, _LEVELS):
            under = self._level(number, below)
            if under is None or not under.goes_on:
                self._counts.pop((kind, below), None)

    def _numeral(self, number: str, kind: str, place: int) -> str | None:
        level = self._level(number, place) or Level()
        count = self._counts.get((kind, place), level.start)
        if level.kind in _CHINESE:
            return numerals.in_chinese(count)
        return str(count) if level.kind in _DECIMAL else None
