"""The author's settings: what there is, what each means, what it is without a word of his. Pure.

A setting's name is its place in `novel.yaml`: `gate.pass` is `pass` below `gate`. Source: protocol §3 (gate),
seed 000 Steps 2.4, 3 (caps, models), seed 004 (`stop_after`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules import breakpoints, defaults, numerals, wording
from novel_hooks.rules.cap import LIMITS
from novel_hooks.rules.gate import Bands
from novel_hooks.rules.json_values import number
from novel_hooks.rules.spending import SIDES

KEYS = (
    "title",
    "genre",
    "gate",
    "max_revisions",
    "chapter_chars",
    "max_characters",
    "stop_after",
    "models",
    "currency",
    "prices",
    "packet_chars",
)
GATE_KEYS = ("pass", "polish", "revise", "pause")
SECOND_JUDGE = "second_judge"
MODEL_KEYS = (
    *roles.CHAPTER_AGENTS,
    SECOND_JUDGE,
    *roles.SETUP_AGENTS,
    *roles.VOLUME_AGENTS,
)
_SECTIONS: Mapping[str, Sequence[str]] = {
    "gate": GATE_KEYS,
    "models": MODEL_KEYS,
    "packet_chars": tuple(LIMITS),
    "prices": (),
}
_MOST_CHARACTERS = 99
_MOST_REVISIONS = 9
_MOST_LENGTH = 10**6
_MOST_CHARS = 10**9

_NO_MODEL = "中间的「{model}」不能是模型的名字：只能用英文字母、数字和 . _ : / @ -，如 prices.sonnet.input。"
_MODEL = Pattern(r"[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99}")
_WORD = Pattern(r"[a-z0-9]+")
_VENDOR = "claude"
_SHORT = 3
_BANDS = Bands()


class Setting(Record):
    """One setting: its name, what it means (Chinese), its value when nothing is written."""

    key: str
    meaning: str
    default: Any


def known() -> list[Setting]:
    """All of them in the order of `KEYS`; `prices` as a whole, for its names are the models'."""
    gate = _BANDS.to_json()
    return [
        Setting("title", "书名", ""),
        Setting("genre", "题材", ""),
        Setting("gate.pass", "通过线：总分到这里，直接入库", gate["pass"]),
        Setting("gate.polish", "润色线：到这里，再润色一遍就入库", gate["polish"]),
        Setting("gate.revise", "修订线：到这里，退回去修订", gate["revise"]),
        Setting("gate.pause", "停笔线：到这里，停下来等你决定；再低，建议整章重写", gate["pause"]),
        Setting("max_revisions", "一章最多自动修订几轮", _BANDS.max_revisions),
        Setting("chapter_chars", "一章多少字：下限、上限", list(defaults.CHAPTER_CHARS)),
        Setting("max_characters", "契约没有点名时，最多带几个人物给写手", defaults.CHARACTERS),
        Setting("stop_after", "做完哪几步停下来给你看，如 写初稿,评审；每一步、都不停", []),
        *(Setting(f"models.{key}", f"{_title(key)}用的模型", _model(key)) for key in MODEL_KEYS),
        *(
            Setting(f"packet_chars.{agent}", f"一次最多给{roles.ROLES[agent].title}多少字的资料", limit)
            for agent, limit in LIMITS.items()
        ),
        Setting("currency", "prices 里的价钱是什么钱，如 美元", ""),
        Setting(
            "prices", "各模型每百万词元的价钱：输入 input、输出 output，缓存 cache_write、cache_read", {}
        ),
    ]


def _title(key: str) -> str:
    return "第二位评审" if key == SECOND_JUDGE else f"「{roles.PHASE_TITLES[key]}」"


def _model(key: str) -> str:
    if key in ("revise", SECOND_JUDGE):
        return roles.STRONG_MODEL
    agents = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    return roles.ROLES[agents[key]].model


def problems(found: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong with a whole `novel.yaml`, in the order of the file's settings."""
    listed = _unknown(found, KEYS)
    for key in KEYS:
        value = found.get(key)
        if value is not None:
            listed += _CHECKS[key](value)
    return listed


def unknown(key: str) -> Problem:
    """The refusal of a name that no setting has: the one that is meant, else what there is in its place."""
    head, _, rest = key.partition(".")
    if head == "prices" and rest:
        model, _, side = rest.rpartition(".")
        if side in SIDES and not _MODEL.fullmatch(model):
            return errors.ConfigNoSuch(None, key=key, how=_NO_MODEL.format(model=model))
        return errors.ConfigNoSuch(None, key=key, how=_how(side, SIDES, f"prices.{model or 'sonnet'}."))
    if head in _SECTIONS and rest:
        return errors.ConfigNoSuch(None, key=key, how=_how(rest, _SECTIONS[head], f"{head}."))
    meant = f"{wording.meant(head, _SECTIONS)}.{rest}"
    if rest and is_known(meant):
        return errors.ConfigNoSuch(None, key=key, how=_meant(meant))
    return errors.ConfigNoSuch(None, key=key, how=_how(key, KEYS, inner=True))


def is_known(key: str) -> bool:
    """Can one value stand there? A map such as `gate` is set line by line."""
    parts = key.split(".")
    if parts[0] == "prices":  # a model's name may hold dots
        model = ".".join(parts[1:-1])
        return parts[-1] in SIDES and bool(_MODEL.fullmatch(model))
    return any(setting.key == key for setting in known())


def is_map(key: str) -> bool:
    """A name that holds several settings."""
    parts = key.split(".")
    return key in ("gate", "models", "prices", "packet_chars") or (parts[0] == "prices" and len(parts) == 2)


def value_at(found: Mapping[str, Any], key: str) -> Any:
    """What is written there; None when nothing is."""
    value: Any = found
    for part in parts_of(key):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def parts_of(key: str) -> list[str]:
    """`gate.pass` → [gate, pass]; of `prices` the middle is the model's name, which may hold dots."""
    parts = key.split(".")
    if parts[0] == "prices" and len(parts) > 3:
        return [parts[0], ".".join(parts[1:-1]), parts[-1]]
    return parts


def _unknown(found: Mapping[str, Any], names: tuple[str, ...], prefix: str = "") -> list[Problem]:
    return [
        errors.ConfigKeyUnknown(layout.CONFIG, key=f"{prefix}{key}", how=_how(str(key), names, prefix))
        for key in found
        if key not in names
    ]


def _how(told: str, names: Sequence[str], prefix: str = "", inner: bool = False) -> str:
    """The name that is meant, in English or Chinese; when none is near, all that there are.

    `inner`: a name inside a section (`pass`) may be meant too.
    """
    inside = [f"{head}.{leaf}" for head in ("gate", "models") for leaf in _SECTIONS[head]] if inner else []
    for keys in ([prefix + name for name in names], inside):
        meant: dict[str, str] = {}
        for key in keys:
            meant.setdefault(key.rpartition(".")[2], key)
            meant.setdefault(_word(key), key)
        near = wording.meant(told, meant)
        if near is not None:
            return _meant(meant[near])
    place = f"「{prefix[:-1]}」下面" if prefix else ""
    return f"{place}可以写的有：{'、'.join(f'{name}（{_word(prefix + name)}）' for name in names)}。"


def _word(key: str) -> str:
    """The author's word for the last part of a setting's name."""
    return wording.setting_shown(key).rpartition(".")[2]


def _meant(key: str) -> str:
    word = wording.setting_shown(key)
    return f"是不是想写「{key}」？" if word == key else f"是不是想写「{key}」（{word}）？"


def _wrong(key: str, detail: str) -> list[Problem]:
    return [errors.ConfigValue(layout.CONFIG, key=key, detail=detail)]


_BREAKING = "\u0085\u2028\u2029\u061c\u200e\u200f"
"""Line ends beside the ASCII ones, and marks that only turn the direction of writing."""


def one_line(told: str) -> bool:
    """Can a title be shown as it is: it says something, in one line, without marks that steer a terminal?"""
    steering = (*_BREAKING, *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)))
    return bool(told.strip()) and not any(c < " " or "\x7f" <= c <= "\x9f" or c in steering for c in told)


def _text(key: str) -> Callable[[object], list[Problem]]:
    def check(value: object) -> list[Problem]:
        return [] if isinstance(value, str) else _wrong(key, "应是文字，像数字的要用引号括起来")

    return check


def _gate(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return _wrong("gate", "应写成 pass、polish、revise、pause 四条线")
    listed = _unknown(value, GATE_KEYS, "gate.")
    for key in GATE_KEYS:
        if key in value and number(value[key]) is None:
            listed += _wrong(f"gate.{key}", "应是数字")
    if listed:
        return listed
    try:
        Bands.from_json(value, layout.CONFIG)
    except errors.BandsInvalid as order:
        return [order]
    return []


def line_bounds(gate: object, key: str) -> str | None:
    """Where a line of the gate may stand among the others as they are; None where those are out of order."""
    leaf = key.partition(".")[2]
    if not isinstance(gate, dict) or leaf not in GATE_KEYS:
        return None
    place = GATE_KEYS.index(leaf)
    low, under = _line(gate, GATE_KEYS[place + 1 : place + 2], 0)
    high, over = _line(gate, GATE_KEYS[max(0, place - 1) : place], 5)
    if low is None or high is None or not 0 <= low <= high <= 5:
        return None
    return f"要在 {low:g}{under} 到 {high:g}{over} 之间"


def _line(gate: Mapping[str, Any], names: Sequence[str], end: float) -> tuple[float | None, str]:
    """The one line's limit and its name in brackets; without one the scale's `end`."""
    for name in names:
        return number(gate.get(name, _BANDS.to_json()[name])), f"（{wording.setting_shown(f'gate.{name}')}）"
    return end, ""


def _revisions(value: object) -> list[Problem]:
    if _whole(value, 0, _MOST_REVISIONS):
        return []
    return _wrong("max_revisions", f"应是 0 到 {_MOST_REVISIONS} 的整数")


def _chars(value: object) -> list[Problem]:
    fits = (
        isinstance(value, list)
        and len(value) == 2
        and all(_whole(one, 1, _MOST_LENGTH) for one in value)
        and value[0] <= value[1]
    )
    return (
        []
        if fits
        else _wrong(
            "chapter_chars", f"应是最少、最多两个整数，都在 1 到 {_MOST_LENGTH} 之间，如 [2000, 3500]"
        )
    )


def _characters(value: object) -> list[Problem]:
    if _whole(value, 1, _MOST_CHARACTERS):
        return []
    return _wrong("max_characters", f"应是 1 到 {_MOST_CHARACTERS} 的整数")


_STOPS = "、".join(f"{phase}（{wording.shown(wording.STOPS, phase)}）" for phase in breakpoints.PHASES)


def _stops(value: object) -> list[Problem]:
    if breakpoints.phases(value) is not None:
        return []
    return _wrong("stop_after", f"应是 every（每一步），或 {_STOPS} 里的几个，如 [draft, judge]")


def _models(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return _wrong("models", "应一步一行，如 revise: opus")
    listed = _unknown(value, MODEL_KEYS, "models.")
    for key in MODEL_KEYS:
        if key in value and not (isinstance(value[key], str) and _MODEL.fullmatch(value[key])):
            listed += _wrong(f"models.{key}", "应是模型的名字，如 sonnet、opus、haiku")
        elif key in value and (meant := slip(value[key])) is not None:
            listed += _wrong(f"models.{key}", f"没有「{value[key]}」这个模型，是不是想写「{meant}」")
    return listed


def slip(model: str) -> str | None:
    """The name that a misspelt one was meant to be; None for a known name, and for other hosts' own.

    A full name (`claude-sonnet-4-5`) holds a known one; any other that is not near one is not ours to judge.
    """
    words = _WORD.findall(model.lower())
    if any(word in roles.MODELS for word in words):
        return model.lower() if model.lower() in roles.MODELS and model not in roles.MODELS else None
    near = wording.meant(model, roles.MODELS)
    if near is not None or _VENDOR not in words:
        return near
    pairs = ((word, wording.meant(word, roles.MODELS)) for word in words if len(word) > _SHORT)
    return next((model.lower().replace(word, meant) for word, meant in pairs if meant), None)


def unmatched(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(a name in `prices` that is a slip, the one that is meant): no model's work will ever match it.

    Case does not count there, and what the author wrote for one of his models is no slip.
    """
    own = [str(model).lower() for model in (found.get("models") or {}).values() if model]
    listed = [(name, slip(name.lower())) for name in found.get("prices") or {}]
    return [(name, meant) for name, meant in listed if meant and not any(name.lower() in one for one in own)]


def _prices(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return _wrong("prices", "应一个模型一行，如 sonnet: {input: 3, output: 15}")
    listed: list[Problem] = []
    for model, price in value.items():
        key = f"prices.{model}"
        if not _MODEL.fullmatch(model):
            listed += _wrong(key, "冒号前面应是模型的名字")
        elif not isinstance(price, dict) or not price:
            listed += _wrong(key, "应写成 {input: 输入价, output: 输出价}")
        else:
            listed += _unknown(price, SIDES, f"{key}.")
            for side in SIDES:
                amount = number(price.get(side, 0))
                if amount is None or amount < 0:
                    listed += _wrong(f"{key}.{side}", "应是 0 或更大的数")
    return listed


def _packet_chars(value: object) -> list[Problem]:
    if not isinstance(value, dict):
        return _wrong("packet_chars", "应写成「代理: 字数」，如 {chapter-writer: 30000}（写手）")
    listed = _unknown(value, tuple(LIMITS), "packet_chars.")
    for agent in LIMITS:
        if agent in value and not _whole(value[agent], 1, _MOST_CHARS):
            listed += _wrong(f"packet_chars.{agent}", f"应是 1 到 {_MOST_CHARS} 的整数")
    return listed


_CHECKS: dict[str, Callable[[object], list[Problem]]] = {
    "title": _text("title"),
    "genre": _text("genre"),
    "gate": _gate,
    "max_revisions": _revisions,
    "chapter_chars": _chars,
    "max_characters": _characters,
    "stop_after": _stops,
    "models": _models,
    "currency": _text("currency"),
    "prices": _prices,
    "packet_chars": _packet_chars,
}


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def typed(key: str, told: str) -> Any:
    """The value that an author's word on a command line means for this setting; the word itself, when none.

    What it means is then judged with the whole file (`problems`).
    """
    if key in ("title", "genre", "currency") or key.startswith("models."):
        return told
    if key == "stop_after":
        words = [wording.key(wording.STOPS, word) for word in wording.listed(told)]
        return words[0] if words == [breakpoints.EVERY] else ([] if words == [breakpoints.NONE] else words)
    if key == "chapter_chars":
        found = [_number(word) for word in wording.listed(wording.plain(told))]
        return found if len(found) == 2 else told
    return _number(wording.plain(told))


def _number(word: str) -> int | float | str:
    if _WHOLE.fullmatch(word):
        return int(word)
    if _DECIMAL.fullmatch(word):
        return float(word)
    counted = numerals.value(word)
    return word if counted is None else counted


_WHOLE = Pattern(r"[0-9]{1,9}")
_DECIMAL = Pattern(r"[0-9]{1,9}\.[0-9]{1,9}")
