"""A mask over paths and words for strangers: only words of `layout` and of this package are shown."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.pattern import Pattern

_WORD = Pattern(r"[A-Za-z0-9_.:+-]{1,60}\Z")
_NUMBERED = Pattern(
    r"(?:chapter-[0-9]{3,9}(?:-(?:summary|eval|crossref|log|delta|hints|draft|summarize|refine|judge|revise"
    r"|polish|commit|r[0-9]+))*(?:\.(?:md|json))?|vol-[0-9]{2,6}"
    r"|[0-9]{4}-(?:rebuild|rollback-to-[0-9]{3,9}|r[0-9]+-[a-z]{1,12}|(?:changelog|unknown-entities)\.jsonl)"
    r"|(?:journal|lock)\.(?:new|old|done)-[0-9a-f]{16})\Z"
)
_MORE = (
    "archive",
    "attempts",
    "chapter-contracts",
    "foreshadowing.json",
    "info.json",
    "judge",
    "landed",
    "manifest.json",
    "memory.md",
    "outline.md",
    "research",
    "storyline-schedule.json",
    "torn",
    "work",
    "CLAUDE.md",
    "AGENTS.md",
)
_ENDINGS = ("json", "jsonl", "md", "txt", "yaml")


def word(value: object) -> str | None:
    """Return a short ASCII word as it is, any other value as `?`; None stays None."""
    return value if value is None or (isinstance(value, str) and _WORD.match(value)) else "?"


class Mask:
    """A mask. The same unknown segment is the same `~NUMBER` in the whole report."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known = {*_MORE}
        for value in vars(layout).values():
            several = value if isinstance(value, tuple) else (value,)
            self._known.update(part for path in several if isinstance(path, str) for part in path.split("/"))

    def path(self, path: object) -> str | None:
        """Return the path with each segment unknown to `layout` as a number; an absolute path as `~`."""
        if not isinstance(path, str):
            return None
        if path.startswith(("/", "\\")) or ":" in path[:3]:
            return "~"
        return "/".join(map(self._segment, path.split("/")))

    def _segment(self, segment: str) -> str:
        if segment in self._known or _NUMBERED.match(segment):
            return segment
        number = self._numbers.setdefault(segment, len(self._numbers) + 1)
        ending = segment.rpartition(".")[2]
        return f"~{number}.{ending}" if ending in _ENDINGS and ending != segment else f"~{number}"
