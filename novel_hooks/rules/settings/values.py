"""The legal values of `novel.yaml`. Pure."""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Any, Callable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.packet.size_limit import LIMITS
from novel_hooks.rules.settings import budget
from novel_hooks.rules.settings.messages import unknown_keys, wrong
from novel_hooks.rules.settings.prices import SIDES
from novel_hooks.rules.settings.settings import GATE_KEYS, KEYS, MODEL_KEYS, MODEL_NAME
from novel_hooks.rules.steps import break_points
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.text.json_values import number

Check = Callable[[object], "list[Problem]"]

_MOST_CHARACTERS = 99
_MOST_REVISIONS = 9
_LONGEST_BREAK = 12
_BREAK_MARKS = "-－*＊·•※§†‡"
_SYMBOLS = ("So", "Sm", "Pc")
_MOST_LENGTH = 10**6
_MOST_CHARS = 10**9
_MOST_TOKENS = 10**12
_WORD = Pattern(r"[a-z0-9]+")
_VENDOR = "claude"
_SHORT = 3
_ALIKE = 0.75


def problems(document: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of a whole `novel.yaml`: unknown keys, then values in the order of KEYS."""
    listed = unknown_keys(document, KEYS)
    for key in KEYS:
        value = document.get(key)
        if value is not None:
            listed += _CHECKS[key](value)
    return listed


_BREAKING = "\u0085\u2028\u2029\u061c\u200e\u200f"
"""Line ends beside the ASCII ones, and marks that only turn the direction of writing."""


def is_one_line(title: str) -> bool:
    """Tell whether a title can be shown as it is: not blank, one line, no marks that steer a terminal."""
    steering = (*_BREAKING, *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)))
    return bool(title.strip()) and not any(c < " " or "\x7f" <= c <= "\x9f" or c in steering for c in title)


def _gate_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("gate", "lines")
    listed = unknown_keys(value, GATE_KEYS, "gate.")
    for key in GATE_KEYS:
        if key in value and number(value[key]) is None:
            listed += wrong(f"gate.{key}", "number")
    if listed:
        return listed
    try:
        Bands.from_json(value, layout.CONFIG)
    except errors.BandsInvalid as order:
        return [order]
    return []


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_length(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(_is_whole(one, 1, _MOST_LENGTH) for one in value)
        and value[0] <= value[1]
    )


def _is_scene_break(value: object) -> bool:
    return isinstance(value, str) and (not value.strip() or (is_one_line(value) and _is_mark(value.strip())))


def _is_mark(value: str) -> bool:
    """Tell whether a line of these marks can be no prose, and no heading, quotation or table."""
    from unicodedata import category

    plain = all(m in _BREAK_MARKS or category(m) in _SYMBOLS or m in " \u3000" for m in value)
    return len(value) <= _LONGEST_BREAK and plain and value[0] not in "#＃>|<`"


_STOPS = "、".join(
    f"{phase}（{typed_words.word_of(typed_words.STOPS, phase)}）" for phase in break_points.PHASES
)


def _model_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("models", "steps", example="opus")
    listed = unknown_keys(value, MODEL_KEYS, "models.")
    for key in MODEL_KEYS:
        if key in value and not (isinstance(value[key], str) and MODEL_NAME.fullmatch(value[key])):
            listed += wrong(f"models.{key}", "model")
        elif key in value and (meant := meant_model(value[key])) is not None:
            listed += wrong(f"models.{key}", "misspelt model", found=value[key], meant=meant)
    return listed


def _codex_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("codex_models", "steps", example="high")
    listed = unknown_keys(value, MODEL_KEYS, "codex_models.")
    for key in MODEL_KEYS:
        told = value.get(key)
        if isinstance(told, str) and (meant := meant_effort(told)) is not None:
            listed += wrong(f"codex_models.{key}", "effort", meant=meant)
        elif key in value and not (isinstance(told, str) and MODEL_NAME.fullmatch(told)):
            listed += wrong(f"codex_models.{key}", "codex model", known="、".join(roles.CODEX_EFFORTS))
    return listed


def meant_effort(effort: str) -> str | None:
    """Return the effort that `HIGH` or `meduim` means; None for a right one, and for other names."""
    if effort in roles.CODEX_EFFORTS:
        return None
    from unicodedata import normalize

    typed = "".join(_WORD.findall(normalize("NFKC", effort).lower()))
    return typed_words.nearest(typed, roles.CODEX_EFFORTS, _ALIKE)


def meant_model(model: str) -> str | None:
    """Return the model's name that a misspelt one means, in lower case.

    None for a known name, for a full one that holds it (`claude-sonnet-4-5`), and for a name that is near
    none: it may be another host's.
    """
    words = _WORD.findall(model.lower())
    if any(word in roles.MODELS for word in words):
        return model.lower() if model.lower() in roles.MODELS and model not in roles.MODELS else None
    near = typed_words.meant(model, roles.MODELS)
    if near is not None or _VENDOR not in words:
        return near
    pairs = ((word, typed_words.meant(word, roles.MODELS)) for word in words if len(word) > _SHORT)
    return next((model.lower().replace(word, meant) for word, meant in pairs if meant), None)


def misspelt_prices(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (misspelt name in `prices`, the name that is meant): no model's work will ever match it.

    Case does not count there, and a name that the author wrote in `models` is no slip.
    """
    own = [str(model).lower() for model in (document.get("models") or {}).values() if model]
    listed = [(name, meant_model(name.lower())) for name in document.get("prices") or {}]
    return [(name, meant) for name, meant in listed if meant and not any(name.lower() in one for one in own)]


def _price_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("prices", "prices")
    listed: list[Problem] = []
    for model, price in value.items():
        key = f"prices.{model}"
        if not MODEL_NAME.fullmatch(model):
            listed += wrong(key, "priced model")
        elif not isinstance(price, dict) or not price:
            listed += wrong(key, "prices of one")
        else:
            listed += unknown_keys(price, SIDES, f"{key}.")
            for side in SIDES:
                amount = number(price.get(side, 0))
                if amount is None or amount < 0:
                    listed += wrong(f"{key}.{side}", "price")
    return listed


def _packet_chars_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("packet_chars", "agents")
    listed = unknown_keys(value, tuple(LIMITS), "packet_chars.")
    for agent in LIMITS:
        if agent in value and not _is_whole(value[agent], 1, _MOST_CHARS):
            listed += wrong(f"packet_chars.{agent}", "whole", least=1, most=_MOST_CHARS)
    return listed


def _budget_problems(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return wrong("budget", "budget")
    listed = unknown_keys(value, budget.KEYS, "budget.")
    for key in budget.KEYS:
        amount = number(value.get(key))
        if value.get(key) is None:
            continue
        if key.endswith(budget.TOKENS):
            if not _is_whole(value[key], 1, _MOST_TOKENS):
                listed += wrong(f"budget.{key}", "tokens", most=_MOST_TOKENS)
        elif amount is None or not 0 < amount <= _MOST_TOKENS:
            listed += wrong(f"budget.{key}", "money")
    return listed


def _fits(key: str, case: str, is_right: Callable[[object], bool], **values: object) -> Check:
    """Return the check of a setting that is one value: `wrong` of `case` unless it is right."""
    return lambda value: [] if is_right(value) else wrong(key, case, **values)


def _whole(key: str, case: str, least: int, most: int) -> Check:
    """Return the check of a setting that is a whole number."""
    return _fits(key, case, lambda value: _is_whole(value, least, most), least=least, most=most)


_CHECKS: dict[str, Check] = {
    "title": _fits("title", "text", _is_text),
    "genre": _fits("genre", "text", _is_text),
    "gate": _gate_problems,
    "max_revisions": _whole("max_revisions", "whole", 0, _MOST_REVISIONS),
    "daily_chars": _whole("daily_chars", "daily", 1, _MOST_LENGTH),
    "keep_versions": _whole("keep_versions", "versions", 1, _MOST_LENGTH),
    "backup_after": _whole("backup_after", "backup", 0, _MOST_LENGTH),
    "chapter_names": _fits("chapter_names", "name", lambda value: value in list(typed_words.FILE_NAMES)),
    "chapter_chars": _fits("chapter_chars", "length", _is_length, most=_MOST_LENGTH),
    "max_characters": _whole("max_characters", "whole", 1, _MOST_CHARACTERS),
    "scene_break": _fits("scene_break", "scene break", _is_scene_break, most=_LONGEST_BREAK),
    "stop_after": _fits(
        "stop_after", "stops", lambda value: break_points.parse_phases(value) is not None, known=_STOPS
    ),
    "models": _model_problems,
    "codex_models": _codex_problems,
    "currency": _fits("currency", "text", _is_text),
    "prices": _price_problems,
    "budget": _budget_problems,
    "packet_chars": _packet_chars_problems,
}
