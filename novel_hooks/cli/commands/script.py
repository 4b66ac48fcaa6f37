"""`novel script NAME …`: the documents of `scripts/`, for skills and other tools.

Each prints its own JSON document, never the envelope of `--json` (protocol §8). Exit: 0 done, 1 the check
failed, 2 broken (usage, a missing or damaged file, a bug).
"""

from __future__ import annotations

import os

from novel_hooks import errors
from novel_hooks.annotations import Any, Callable
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS, Problem
from novel_hooks.store.formats import jsonio

FAILED, BROKEN = 1, 2
_NOT_YET = (errors.ChapterNotDue, errors.GateClosed)


def arguments(parser: Parser) -> None:
    parser.value("name", "脚本", choices=tuple(_SCRIPTS))
    parser.value("rest", "参数", nargs="*")


def run(context: Context) -> Answer:
    try:
        document, code = _SCRIPTS[context.args.name](context, list(context.args.rest))
    except Problem as error:
        failed = error.exit == FINDINGS or all(isinstance(p, _NOT_YET) for p in error.problems)
        return _refusal([p.diagnostic() for p in error.problems], FAILED if failed else BROKEN)
    return Answer(document, "", (), code, raw=document)


def _refusal(diagnostics: list[Any], code: int) -> Answer:
    document = {"error": [d._asdict() for d in diagnostics]}
    return Answer(None, "", (), code, raw=document)


def _chapter_number(rest: list[str]) -> int:
    if len(rest) != 1:
        raise errors.UsageError(case="script words")
    try:
        return chapter(rest[0])
    except Exception as error:
        raise errors.UsageError(case="script chapter", reason=error) from error


def _foreshadow(context: Context, rest: list[str]) -> tuple[Any, int]:
    from novel_hooks.flows.book import foreshadowing

    return {"items": foreshadowing.due_tasks(context.book(), _chapter_number(rest))}, DONE


def _outline(context: Context, rest: list[str]) -> tuple[Any, int]:
    from novel_hooks.cli.commands.pages import outline

    book = context.book()
    found = outline.show_block(book, max(1, book.checkpoint().volume), _chapter_number(rest))
    document = dict(found.data)
    document["problems"] = [d._asdict() for d in found.diagnostics]
    return document, FAILED if found.exit else DONE


def _commit(context: Context, rest: list[str]) -> tuple[Any, int]:
    from novel_hooks.cli.commands.steps import commit as command
    from novel_hooks.flows.pipeline import commit

    number = _chapter_number(rest)
    with context.writing(number) as session:
        found = commit.run(session, number)
    document = command.document(found, dry=False)
    document["warnings"] = [p.diagnostic()._asdict() for p in found.warnings]
    return document, DONE


def _gate(context: Context, rest: list[str]) -> tuple[Any, int]:
    from novel_hooks.cli.commands.pages import gate as command
    from novel_hooks.flows.checks import gate

    return command.document(gate.run(context.book(), _chapter_number(rest))), DONE


def _schema(context: Context, rest: list[str]) -> tuple[Any, int]:
    """FILE SCHEMA: does the file have the shape? Needs no project."""
    from novel_hooks.store.schema import schema

    if len(rest) != 2:
        raise errors.UsageError(case="script schema")
    place, name = rest
    if name not in schema.NAMES:
        raise errors.UsageError(case="script format", name=name, known="、".join(schema.NAMES))
    if not os.path.isfile(place):
        raise errors.FileMissing(place, "typed", what="要检查的文件")
    with open(place, "rb") as handle:
        data = handle.read()
    try:
        problems: list[Problem] = schema.problems(name, jsonio.parse(data, place), place)
    except Problem as fault:
        problems = list(fault.problems)
    found = [p.diagnostic()._asdict() for p in problems]
    return {"file": place, "schema": name, "valid": not found, "errors": found}, FAILED if found else DONE


_SCRIPTS: dict[str, Callable[[Context, list[str]], tuple[Any, int]]] = {
    "query-foreshadow": _foreshadow,
    "extract-outline-block": _outline,
    "commit-chapter": _commit,
    "gate-decision": _gate,
    "validate-schema": _schema,
}
