"""Refusals, with advice, of an unknown setting's name and of an unusable value. Pure."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.settings.prices import SIDES
from novel_hooks.rules.settings.settings import GATE_KEYS, KEYS, MODEL_NAME, SECTIONS, is_known
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.text.json_values import number

_NO_MODEL = "中间的「{model}」不能是模型的名字：只能用英文字母、数字和 . _ : / @ -，如 prices.sonnet.input。"
_BANDS = Bands()


def unknown_setting(key: str) -> Problem:
    """Return the refusal of an unknown setting's name, with the nearest known one.

    Without a near one it lists the possible names.
    """
    head, _, rest = key.partition(".")
    if head == "prices" and rest:
        model, _, side = rest.rpartition(".")
        if side in SIDES and not MODEL_NAME.fullmatch(model):
            return errors.ConfigNoSuch(None, key=key, guess=_NO_MODEL.format(model=model))
        return errors.ConfigNoSuch(
            None, key=key, guess=_name_advice(side, SIDES, f"prices.{model or 'sonnet'}.")
        )
    if head in SECTIONS and rest:
        return errors.ConfigNoSuch(None, key=key, guess=_name_advice(rest, SECTIONS[head], f"{head}."))
    meant = f"{typed_words.meant(head, SECTIONS)}.{rest}"
    if rest and is_known(meant):
        return errors.ConfigNoSuch(None, key=key, guess=_meant_text(meant))
    return errors.ConfigNoSuch(None, key=key, guess=_name_advice(key, KEYS, inner=True))


def unknown_keys(mapping: Mapping[str, Any], names: tuple[str, ...], prefix: str = "") -> list[Problem]:
    """Return a problem for each key of the mapping that is not among `names`.

    `prefix` is the mapping's own name with a point (`gate.`), `""` for the whole file.
    """
    return [
        errors.ConfigKeyUnknown(
            layout.CONFIG, key=f"{prefix}{key}", guess=_name_advice(str(key), names, prefix)
        )
        for key in mapping
        if key not in names
    ]


def _name_advice(typed: str, names: Sequence[str], prefix: str = "", inner: bool = False) -> str:
    """Return advice with the name that is meant, in English or Chinese; when none is near, with all of them.

    `inner`: a name inside a section (`pass`) may be meant too.
    """
    inside = [f"{head}.{leaf}" for head in ("gate", "models") for leaf in SECTIONS[head]] if inner else []
    for keys in ([prefix + name for name in names], inside):
        meant: dict[str, str] = {}
        for key in keys:
            meant.setdefault(key.rpartition(".")[2], key)
            meant.setdefault(_name_word(key), key)
        near = typed_words.meant(typed, meant)
        if near is not None:
            return _meant_text(meant[near])
    place = f"「{prefix[:-1]}」下面" if prefix else ""
    return f"{place}可以写的有：{'、'.join(f'{name}（{_name_word(prefix + name)}）' for name in names)}。"


def _name_word(key: str) -> str:
    """Return the author's word for the last part of a setting's name."""
    return typed_words.setting_name(key).rpartition(".")[2]


def _meant_text(key: str) -> str:
    word = typed_words.setting_name(key)
    return f"是不是想写「{key}」？" if word == key else f"是不是想写「{key}」（{word}）？"


def wrong(key: str, case: str, **values: object) -> list[Problem]:
    """Return the one problem of a setting whose value cannot be."""
    return [errors.ConfigValue(layout.CONFIG, case, key=key, **values)]


def gate_line_bounds(gate: object, key: str) -> str | None:
    """Return the author's text on the limits of a gate's line among the others as they are.

    `gate` is the section of the file, `key` the line's name (`gate.pass`). None where `key` is no line of the
    gate and where the others are out of order.
    """
    leaf = key.partition(".")[2]
    if not isinstance(gate, dict) or leaf not in GATE_KEYS:
        return None
    place = GATE_KEYS.index(leaf)
    low, under = _gate_line(gate, GATE_KEYS[place + 1 : place + 2], 0)
    high, over = _gate_line(gate, GATE_KEYS[max(0, place - 1) : place], 5)
    if low is None or high is None or not 0 <= low <= high <= 5:
        return None
    return f"要在 {low:g}{under} 到 {high:g}{over} 之间"


def _gate_line(gate: Mapping[str, Any], names: Sequence[str], end: float) -> tuple[float | None, str]:
    """Return the limit of the one line in `names` and its word in brackets; of none the scale's `end`."""
    for name in names:
        return number(
            gate.get(name, _BANDS.to_json()[name])
        ), f"（{typed_words.setting_name(f'gate.{name}')}）"
    return end, ""
