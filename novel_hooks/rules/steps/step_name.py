"""The names of steps: `chapter:007:draft`, `setup:world`, `volume:01:outline`, `sync:003:judge`.

A number may be read with any count of digits, up to nine; it is written padded. Source: protocol §2.
"""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.record import Record

CHAPTER_PHASES = ("draft", "summarize", "refine", "judge", "revise", "polish", "review", "commit")
SETUP_PHASES = ("brief", "world", "characters", "style", "commit")
VOLUME_PHASES = ("outline", "validate", "commit", "review")
SYNC_PHASES = ("summarize", "judge", "commit")

_PHASES = {"chapter": CHAPTER_PHASES, "setup": SETUP_PHASES, "volume": VOLUME_PHASES, "sync": SYNC_PHASES}
_WIDTH = {"chapter": 3, "sync": 3, "volume": 2}
_MOST_DIGITS = 9


class Step(Record):
    """A step. `number` is the chapter's (kinds chapter, sync) or the volume's (volume), None for setup."""

    kind: str
    number: int | None
    phase: str

    def __str__(self) -> str:
        if self.number is None:
            return f"{self.kind}:{self.phase}"
        return f"{self.kind}:{self.number:0{_WIDTH[self.kind]}d}:{self.phase}"

    @property
    def of_plan(self) -> bool:
        """Tell whether it is a step of the setup or of a volume, not one of the chapter crew."""
        return self.kind in ("setup", "volume")

    @property
    def chapter(self) -> int | None:
        """The chapter that the crew works on, landed before or not; None for a step of planning."""
        return None if self.of_plan else self.number

    @property
    def label(self) -> str:
        """The step in the author's words: `第 7 章 · 写初稿`."""
        phase = roles.PHASE_TITLES[self.phase]
        if self.number is None:
            return f"定设定 · {phase}" if self.phase == "commit" else phase
        place = {"chapter": "第 {} 章", "volume": "第 {} 卷", "sync": "已入库的第 {} 章"}[self.kind]
        return f"{place.format(self.number)} · {phase}"

    @property
    def file_name(self) -> str:
        """The step as part of a file name: `chapter-007-draft`."""
        return str(self).replace(":", "-")


def label(text: str) -> str:
    """Return a step's name in the author's words; text that is no step's name is returned as it is."""
    try:
        return parse(text).label
    except errors.UnknownStep:
        return text


def parse(text: str) -> Step:
    """Parse a step's name; outer white space is ignored.

    Raises UnknownStep, which names the part that is not understood.
    """
    shown = text.strip()
    parts = shown.split(":")
    kind = parts[0]
    if kind not in _PHASES:
        raise errors.UnknownStep(text=shown, case="kind")
    if len(parts) != (2 if kind == "setup" else 3):
        raise errors.UnknownStep(text=shown, case="parts")
    number = None if kind == "setup" else _parse_number(shown, parts[1])
    if parts[-1] not in _PHASES[kind]:
        raise errors.UnknownStep(text=shown, case="phase", phases="、".join(_PHASES[kind]))
    return Step(kind, number, parts[-1])


def _parse_number(shown: str, digits: str) -> int:
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else 0
    if number < 1:
        raise errors.UnknownStep(text=shown, case="number")
    return number


def chapter_step(number: int, phase: str) -> Step:
    """Return the step of a phase of chapter `number`."""
    return Step("chapter", number, phase)


def volume_step(number: int, phase: str) -> Step:
    """Return the step of a phase of volume `number`."""
    return Step("volume", number, phase)
