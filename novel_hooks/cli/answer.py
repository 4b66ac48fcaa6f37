"""The answer of a command and its printed form. Source: protocol §8."""

from __future__ import annotations

import json
import os
import sys

from novel_hooks.annotations import Any, Sequence
from novel_hooks.errors import DONE, REFUSED, Diagnostic, Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

SCHEMA_VERSION = 1
_ALIKE, _LINES = 5, 30
"""So many diagnostics of one kind in one file are told in full, and so many lines of the others named."""
_STEERING = Pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_PAGE = 76
"""The most columns of a line of prose that are comfortable to read."""
_MARKS = {"error": "错误", "warning": "提醒", "info": "说明"}
_QUESTIONS = ("CONFIRMATION_NEEDED", "BREAK_POINT")
"""Codes of refusals that only ask: nothing is wrong, and the author's word is all that is missing."""


class Answer(Record):
    """The answer of a command: `text` for a person, `after` behind the diagnostics.

    `raw` replaces both forms with a script's own document. `paged`: the text is long, and a terminal shows it
    page by page.
    """

    data: Any
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()
    exit: int = DONE
    raw: Any = None
    after: str = ""
    paged: bool = False


def build(
    data: Any, text: str, problems: Sequence[Problem] = (), exit: int = DONE, notes: Sequence[str] = ()
) -> Answer:
    """Return an answer; a session's notes (a lock taken over, a landing finished) come before problems."""
    return Answer(data, text, (*map(note, notes), *(p.diagnostic() for p in problems)), exit)


def note(sentence: str) -> Diagnostic:
    """Make a sentence for the author that is neither error nor warning."""
    return Diagnostic("info", "SESSION_NOTE", sentence, "", None)


def envelope(command: str, answer: Answer) -> dict[str, Any]:
    """Return the one JSON document that `--json` prints."""
    return {
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "ok": answer.exit == DONE,
        "data": answer.data,
        "diagnostics": [d._asdict() for d in answer.diagnostics],
    }


def show(command: str, answer: Answer, as_json: bool) -> None:
    """Print the document, or the text on stdout and the diagnostics on stderr. Always UTF-8."""
    if answer.raw is not None:
        _write(sys.stdout, dump(answer.raw))
    elif as_json:
        _write(sys.stdout, dump(envelope(command, answer)))
    else:
        if answer.text:
            _print_text(sys.stdout, answer.text, answer.paged)
        for line in diagnostic_lines(answer.diagnostics):
            _print_text(sys.stderr, line)
        if answer.after:
            _print_text(sys.stdout, answer.after)


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=False, allow_nan=False)


def describe(diagnostic: Diagnostic) -> str:
    """Return one diagnostic as a person reads it: the fault, and the next action."""
    mark = _mark(diagnostic)
    action = f"\n  → {diagnostic.fix}" if diagnostic.fix else ""
    return f"{mark}：{diagnostic.message}{action}"


def _mark(diagnostic: Diagnostic) -> str:
    """Return the word before a diagnostic; a question to the author is no error to him."""
    if diagnostic.code in _QUESTIONS:
        return "请确认"
    return _MARKS.get(diagnostic.severity, diagnostic.severity)


def diagnostic_lines(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Return the diagnostics as a person reads them.

    Of one kind in one file the first few are shown, then their number. The document of `--json` has them all.
    """
    groups: dict[tuple[str, str, str | None], list[Diagnostic]] = {}
    for one in diagnostics:
        groups.setdefault((one.severity, one.code, one.path), []).append(one)
    shown: list[str] = []
    seen = dict.fromkeys(groups, 0)
    for one in diagnostics:
        kind = (one.severity, one.code, one.path)
        seen[kind] += 1
        if seen[kind] <= _ALIKE or len(groups[kind]) == _ALIKE + 1:
            shown.append(describe(one))
        elif seen[kind] == _ALIKE + 1:
            shown.append(_more_text(groups[kind][_ALIKE:]))
    return shown


def _more_text(rest: Sequence[Diagnostic]) -> str:
    """How many more of a kind there are, and in which lines where all say so."""
    from re import search

    found = [search(r"第 (\d+) 行", one.message) for one in rest]
    lines = list(dict.fromkeys(int(one.group(1)) for one in found if one))
    places = "、".join(map(str, lines[:_LINES])) + ("…" if len(lines) > _LINES else "")
    where = f"（第 {places} 行）" if lines and all(found) else ""
    mark = _mark(rest[0])
    return f"{mark}：另有 {len(rest)} 处同样的问题{where}。\n  → 先改上面的，再查一遍；--json 列出全部。"


def visible(text: str) -> str:
    """Return `text` with each mark that steers a terminal or turns a line around replaced by its code.

    File names may hold any.
    """
    if text.replace("\n", "").replace("\u3000", "").isprintable():  # as almost every page is
        return text
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def say(line: str) -> None:
    """Print one line of progress at once. A closed pipe or a full disk stops no work."""
    try:
        _print_text(sys.stdout, line)
    except OSError:
        give_up(sys.stdout)


def give_up(stream: Any) -> None:
    """Close a stream that nobody reads any more, so that its unwritten rest is no error at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def report_unwritten(wrong: OSError) -> int:
    """Report on the other stream that the command succeeded and its answer could not be written."""
    try:
        _write(
            sys.stderr,
            f"错误：命令已经做完，但结果写不出去（{wrong.strerror}）。请检查输出的去处和磁盘空间。",
        )
    except OSError:
        give_up(sys.stderr)
    return REFUSED


def _print_text(stream: Any, text: str, paged: bool = False) -> None:
    """Print a text for a person: at a terminal its lines are wrapped to the screen, a page no wider than
    a book's."""
    text = visible(text)
    if stream is not None and stream.isatty():
        from novel_hooks.cli.screen import pager, width, wrapping

        columns = width.screen_width(stream, os.environ)
        if columns is not None:
            text = wrapping.wrap(text, min(columns, _PAGE) if paged else columns)
        if paged and pager.show(text, os.environ):
            return
    _write(stream, text)


def _write(stream: Any, text: str) -> None:
    if stream is None:  # the caller closed it
        return
    data = (text.rstrip("\n") + "\n").encode("utf-8", "backslashreplace")  # a name may be no UTF-8
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()
