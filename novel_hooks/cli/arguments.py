"""The reading of a command line: argparse with Chinese messages."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from novel_hooks import errors
from novel_hooks.annotations import Any, Callable, Mapping, NoReturn
from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import numerals, typed_words

# Its words stay as they are: `_SAID` reads them, and looking for a translation costs an import.
argparse._ = str  # type: ignore[attr-defined]

_SAID = (
    (Pattern(r"unrecognized arguments: (.*)"), r"不认识 \1"),
    (Pattern(r"one of the arguments (.*) is required"), r"要写明是哪一个：\1"),
    (Pattern(r"argument (.*?): expected one argument"), r"\1 后面要有一个值"),
    (Pattern(r"argument (.*?): expected at least one argument"), r"\1 后面至少要有一个值"),
    (
        Pattern(r"argument (.*?): invalid choice: '?(.*?)'? \(choose from (.*)\)"),
        r"\1 不能是 \2，只能是 \3",
    ),
    (Pattern(r"argument (.*?): not allowed with argument (.*)"), r"\1 不能和 \2 一起用"),
    (Pattern(r"argument (.*?): ignored explicit argument '(.*)'"), r"\1 后面不用写 \2"),
    (Pattern(r"argument (.*?): (.*)"), r"\1：\2"),
    (Pattern(r"ambiguous option: (.*?) could match (.*)"), r"\1 有歧义：\2"),
)


_MISSING = Pattern(r"the following arguments are required: (.*)")
_COMMAS, _DASHES = Pattern(r"[,，、\s]+"), Pattern(r"[-–—~～至到]+")
_PATHS = ("project", "folder", "to", "cover", "books", "file", "rest", "template")


class Help(Exception):
    """The request for `--help`; its text is the whole answer."""


class Parser(argparse.ArgumentParser):
    """An argparse parser in Chinese. Its errors are UsageError, its help is Help."""

    def __init__(self, name: str, summary: str, example: str = "") -> None:
        """Read the command `name`; `example` is what its help types behind the name."""
        super().__init__(
            prog=f"novel {name}",
            description=summary,
            add_help=False,
            allow_abbrev=False,
            formatter_class=_formatter,
        )
        self._example = f"{self.prog} {example}".rstrip()
        self.value("--project", "文件夹", "小说项目的文件夹（默认从当前文件夹往上找）")
        self.flag("--json", "输出一份 JSON，供程序读取")
        self.value("--owner", "名字", argparse.SUPPRESS)  # a host's, no author's
        self.add_argument("-h", "--help", action=_HelpAction, nargs=0, help="显示这份说明")

    def flag(self, name: str, told: str) -> None:
        """Take an option without a value; `told` is its line in the help."""
        self.add_argument(name, action="store_true", help=told)

    def value(self, name: str, shown: str, told: str | None = None, **more: Any) -> None:
        """Take a word, or an option with a value: `shown` stands for it in the help, `told` is its line."""
        self.add_argument(name, metavar=shown, help=told, **more)

    def names(self) -> dict[str, str]:
        """Map each argument to its name for the author: an option itself, a place its word in the usage
        line."""
        return {
            one.dest: one.option_strings[0] if one.option_strings else str(one.metavar)
            for one in self._actions
        }

    def format_help(self) -> str:
        from novel_hooks.cli.manual import usage
        from novel_hooks.cli.screen import width

        columns = width.screen_width(sys.stdout, os.environ) or width.USUAL
        name, summary = self.prog.partition(" ")[2], self.description or ""
        return usage.page(name, summary, self._actions, self._example, columns)

    def error(self, message: str) -> NoReturn:
        required = [
            one.metavar if not one.option_strings else f"{one.option_strings[0]} {one.metavar}"
            for one in self._actions
            if one.required
        ]
        missing = _MISSING.fullmatch(message)
        if missing:  # named as the usage line names them
            names = missing[1].split(", ")
            told = [str(one) for one in required if str(one).split(" ")[0] in names]
            message = f"缺少 {'、'.join(told)}"
        raise errors.UsageError(case="parser", reason=_chinese(message), prog=self.prog)


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Return argparse's own, of a fixed width; to ask a screen for its own costs an import."""
    return argparse.HelpFormatter(prog, width=92)


class _HelpAction(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        raise Help(parser.format_help())


def _chinese(message: str) -> str:
    for pattern, said in _SAID:
        if pattern.fullmatch(message):
            return pattern.sub(said, message).replace("', '", "、").replace("'", "")
    return message


def refuse_garbled(args: argparse.Namespace, parser: Parser) -> None:
    """Refuse words that are not UTF-8, because they cannot be stored. Paths may hold any bytes.

    Raises UsageError.
    """
    names = parser.names()
    for key, value in vars(args).items():
        words = value if isinstance(value, list) else [value]
        if key not in _PATHS and any(
            isinstance(w, str) and not w.isprintable() and _has_surrogates(w) for w in words
        ):
            raise errors.UsageError(case="not text", option=names.get(key, key))


def _has_surrogates(word: str) -> bool:
    return any("\ud800" <= mark <= "\udfff" for mark in word)


def _parse_number(what: str, least: int, text: str) -> int:
    bare = typed_words.normalize_typed(text)
    if bare.startswith("第") or bare.endswith(what):
        bare = bare[bare.startswith("第") : len(bare) - bare.endswith(what)]
    found = numerals.parse(bare)
    if found is None or not least <= found < 10**9:
        kind = "第几稿的编" if what == "稿" else what
        raise argparse.ArgumentTypeError(
            f"「{text}」不是{kind}号，应是从 {least} 起的整数，请用半角数字，例如 9"
        )
    return found


chapter = partial(_parse_number, "章", 1)
"""Parses a chapter number: `7`, `007`, `７`, `七` or `第七章`; the others are written like it."""
chapter_or_none = partial(_parse_number, "章", 0)
"""Parses a chapter number or 0, before the first chapter."""
volume = partial(_parse_number, "卷", 1)
version_number = partial(_parse_number, "稿", 1)
note_number = partial(_parse_number, "条", 1)


def ranges(what: str) -> Callable[[str], tuple[tuple[int, int], ...]]:
    """Parse chapters or volumes (`what` is 章 or 卷): `3-10,15` → ((3, 10), (15, 15))."""

    def parse(text: str) -> tuple[tuple[int, int], ...]:
        parts = [one for one in _COMMAS.split(typed_words.normalize_typed(text)) if one]
        found = []
        for part in parts:
            ends = [_parse_number(what, 1, str(one)) for one in _DASHES.split(part)]
            if len(ends) > 2 or ends[0] > ends[-1]:
                raise argparse.ArgumentTypeError(f"「{part}」要写成从小到大的一段，例如 3-10")
            found.append((ends[0], ends[-1]))
        if not found:
            raise argparse.ArgumentTypeError("没有写是哪几个，例如 3-10,15")
        return tuple(found)

    return parse


def word(table: Mapping[str, tuple[str, ...]], *keys: str) -> Callable[[str], str]:
    """Return a parser for one of `keys` (without any, for every key of the table), in English or Chinese."""
    legal = keys or tuple(table)

    def read(text: str) -> str:
        found = typed_words.find_key(table, text)
        if found not in legal:
            words = ((key, typed_words.word_of(table, key)) for key in legal)
            told = "、".join(shown if shown == key else f"{shown}（{key}）" for key, shown in words)
            raise argparse.ArgumentTypeError(f"没有「{text}」，可以写 {told}")
        return found

    return read
