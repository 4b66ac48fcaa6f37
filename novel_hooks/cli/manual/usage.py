"""The page of one command: how it is written, its words and options, an example."""

from __future__ import annotations

import argparse

from novel_hooks.annotations import Sequence
from novel_hooks.cli.manual import table

_COMMON = ("project", "json", "help")
"""Options of every command, shown behind its own."""


def page(name: str, summary: str, actions: Sequence[argparse.Action], example: str, columns: int) -> str:
    """Return the page. An action whose help is `==SUPPRESS==` is not shown."""
    shown = [one for one in actions if one.help != "==SUPPRESS=="]
    words = [one for one in shown if not one.option_strings]
    options = sorted((one for one in shown if one.option_strings), key=lambda one: one.dest in _COMMON)
    needed = [_spelt(one) for one in options if one.required]
    page = [" ".join([f"用法：novel {name}", *map(_place, words), *needed, "[选项]"]), summary]
    for title, listed in (("参数", words), ("选项", options)):
        if listed:
            page += [
                "",
                f"{title}：",
                *table.two_columns([(_spelt(one), one.help or "") for one in listed], columns),
            ]
    return "\n".join([*page, "", f"例：{example}"])


def _place(one: argparse.Action) -> str:
    """Return a word's place in the usage line: `章号`, `[章号]`, `章号…`."""
    told = f"{_word(one)}…" if one.nargs in ("*", "+") else _word(one)
    return told if one.required else f"[{told}]"


def _spelt(one: argparse.Action) -> str:
    """Return an option with its value, as it is typed; a word as its name."""
    if not one.option_strings:
        return _word(one)
    names = ", ".join(one.option_strings)
    if one.nargs == 0:
        return names
    value = f"[{_word(one)}]" if one.nargs == "?" else _word(one)
    return f"{names} {value}"


def _word(one: argparse.Action) -> str:
    return str(one.metavar or one.dest)
