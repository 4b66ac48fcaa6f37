"""`novel.yaml`: the author's own settings, optional, commented, never rewritten behind his back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

from novel_hooks import layout
from novel_hooks.errors import ConfigKeyUnknown, ConfigValue, Problem, refuse
from novel_hooks.flows.book import Book
from novel_hooks.pattern import Pattern
from novel_hooks.rules.gate import Bands

_GATE_KEYS = ("pass", "polish", "revise", "pause")
KEYS = ("title", "genre", "gate", "max_revisions", "chapter_chars", "packet_chars")
DEFAULT_CHAPTER_CHARS = (2000, 3500)
_PLAIN_CHARS = Pattern(r"(?m)^chapter_chars: \[([0-9]{1,9}), ([0-9]{1,9})\]")


def read(book: Book) -> Mapping[str, Any]:
    """The settings as they stand, {} without a file; raises every problem of the file at once."""
    text = book.text(layout.CONFIG)
    if text is None:
        return {}
    from novel_hooks.store import yamlio

    found = yamlio.load(text, layout.CONFIG)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ConfigValue(layout.CONFIG, key="整个文件", detail="应是「键: 值」的形式")
    refuse([*_unknown(found, KEYS), *_values(found)])
    return found


def bands_of(book: Book, gate: Mapping[str, Any]) -> Bands:
    """The limits that the evaluation's `metadata.gate` was decided by; before that the author's."""
    stored = gate.get("bands")
    return Bands.from_json(stored) if stored else bands(book)


def bands(book: Book) -> Bands:
    """The gate's limits: the author's, else the standard ones (protocol §3)."""
    settings = read(book)
    gate = settings.get("gate") or {}
    given = {key: gate[key] for key in _GATE_KEYS if key in gate}
    if "max_revisions" in settings:
        given["max_revisions"] = settings["max_revisions"]
    return Bands.from_json(given, layout.CONFIG)


def chapter_chars(book: Book) -> tuple[int, int]:
    """How long a chapter should be, in 字: (least, most).

    What a file that has not changed gave before is remembered: YAML is the costliest thing to load.
    """
    data = book.read(layout.CONFIG)
    if data is None:
        return DEFAULT_CHAPTER_CHARS
    line = _PLAIN_CHARS.search(book.text(layout.CONFIG) or "")
    guess = (int(line.group(1)), int(line.group(2))) if line else DEFAULT_CHAPTER_CHARS
    if book.validity.knows("packet", data, _chars_mark(guess)):
        return guess
    wanted = read(book).get("chapter_chars")
    found = (wanted[0], wanted[1]) if wanted else DEFAULT_CHAPTER_CHARS
    book.validity.learn("packet", data, _chars_mark(found))
    return found


def _chars_mark(chars: tuple[int, int]) -> bytes:
    """Known of a file's bytes when it was read, found sound, and gave these."""
    return b"novel.yaml, %d keys: %d to %d" % (len(KEYS), *chars)


def packet_chars(book: Book, agent: str) -> int | None:
    """How much material the agent gets at most, in 字; None for an agent without a limit.

    The file is only parsed when it speaks of the key: `packet_chars: {chapter-writer: 30000}`.
    """
    from novel_hooks.rules.cap import LIMITS

    standard = LIMITS.get(agent)
    lines = (book.text(layout.CONFIG) or "").split("\n") if standard else []
    if not any("packet_chars" in line and line.lstrip()[:1] != "#" for line in lines):
        return standard
    given = read(book).get("packet_chars") or {}
    chosen = given.get(agent, standard)
    return chosen if isinstance(chosen, int) else standard


def _unknown(found: Mapping[str, Any], known: tuple[str, ...], prefix: str = "") -> list[Problem]:
    strangers = [str(key) for key in found if key not in known]
    if not strangers:
        return []
    from difflib import get_close_matches

    return [
        ConfigKeyUnknown(
            layout.CONFIG, key=prefix + key, near=prefix + (get_close_matches(key, known, 1, 0.0) or known)[0]
        )
        for key in strangers
    ]


def _values(found: Mapping[str, Any]) -> list[Problem]:
    problems: list[Problem] = []
    gate = found.get("gate")
    if gate is not None and not isinstance(gate, dict):
        problems.append(
            ConfigValue(layout.CONFIG, key="gate", detail="应写成 pass、polish、revise、pause 四条线")
        )
    elif gate:
        problems += _unknown(gate, _GATE_KEYS, "gate.")
        problems += [
            ConfigValue(layout.CONFIG, key=f"gate.{key}", detail="应是数字")
            for key in _GATE_KEYS
            if key in gate and not _number(gate[key])
        ]
    limit = found.get("max_revisions")
    if limit is not None and not (_whole(limit) and 0 <= limit <= 9):
        problems.append(ConfigValue(layout.CONFIG, key="max_revisions", detail="应是 0 到 9 的整数"))
    chars = found.get("chapter_chars")
    if chars is not None and not _range(chars):
        problems.append(
            ConfigValue(layout.CONFIG, key="chapter_chars", detail="应写成 [最少, 最多]，如 [2000, 3500]")
        )
    return [*problems, *_packet_chars(found.get("packet_chars"))]


def _packet_chars(given: object) -> list[Problem]:
    if given is None:
        return []
    from novel_hooks.rules.cap import LIMITS

    if not isinstance(given, dict):
        detail = "应写成「角色: 字数」，如 {chapter-writer: 30000}"
        return [ConfigValue(layout.CONFIG, key="packet_chars", detail=detail)]
    return [
        *_unknown(given, tuple(LIMITS), "packet_chars."),
        *(
            ConfigValue(layout.CONFIG, key=f"packet_chars.{agent}", detail="应是大于 0 的整数")
            for agent in LIMITS
            if agent in given and not (_whole(given[agent]) and given[agent] > 0)
        ),
    ]


def _range(value: object) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(map(_whole, value)) and 0 < value[0] <= value[1]
    )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
