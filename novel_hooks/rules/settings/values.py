"""The legal values of `novel.yaml`. Pure."""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Any, Callable, Mapping, Sequence
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


def _section(
    name: str, case: str, keys: Sequence[str], check: Callable[[str, Any], list[Problem]], **values: object
) -> Check:
    """Return the check of a map with these keys: `wrong` of `case` for no map; `check` is that of a value."""

    def problems_of(value: object) -> list[Problem]:
        if not isinstance(value, dict):
            return wrong(name, case, **values)
        listed = unknown_keys(value, tuple(keys), f"{name}.")
        for key in keys:
            listed += check(f"{name}.{key}", value[key]) if key in value else []
        return listed

    return problems_of


def _model_problems(key: str, model: object) -> list[Problem]:
    if not (isinstance(model, str) and MODEL_NAME.fullmatch(model)):
        return wrong(key, "model")
    meant = meant_model(model)
    return [] if meant is None else wrong(key, "misspelt model", found=model, meant=meant)


def _codex_problems(key: str, model: object) -> list[Problem]:
    if isinstance(model, str) and (meant := meant_effort(model)) is not None:
        return wrong(key, "effort", meant=meant)
    if isinstance(model, str) and MODEL_NAME.fullmatch(model):
        return []
    return wrong(key, "codex model", known="、".join(roles.CODEX_EFFORTS))


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


def _packet_problems(key: str, limit: object) -> list[Problem]:
    fits = _is_whole(limit, 1, _MOST_CHARS)
    return [] if fits else wrong(key, "whole", least=1, most=_MOST_CHARS)


def _budget_problems(key: str, limit: object) -> list[Problem]:
    if key.endswith(budget.TOKENS):
        fits = limit is None or _is_whole(limit, 1, _MOST_TOKENS)
        return [] if fits else wrong(key, "tokens", most=_MOST_TOKENS)
    amount = number(limit)
    fits = limit is None or (amount is not None and 0 < amount <= _MOST_TOKENS)
    return [] if fits else wrong(key, "money")


def _fits(key: str, case: str, is_right: Callable[[object], bool], **values: object) -> Check:
    """Return the check of a setting that is one value: `wrong` of `case` unless it is right."""
    return lambda value: [] if is_right(value) else wrong(key, case, **values)


def _whole(key: str, case: str, least: int, most: int) -> Check:
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
    "models": _section("models", "steps", MODEL_KEYS, _model_problems, example="opus"),
    "codex_models": _section("codex_models", "steps", MODEL_KEYS, _codex_problems, example="high"),
    "currency": _fits("currency", "text", _is_text),
    "prices": _price_problems,
    "budget": _section("budget", "budget", budget.KEYS, _budget_problems),
    "packet_chars": _section("packet_chars", "agents", tuple(LIMITS), _packet_problems),
}
