"""`novel judge record`: record a judge's answer as it came. Source: protocol §1, §2."""

from __future__ import annotations

import os
import sys

from novel_hooks import errors, roles
from novel_hooks.annotations import Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, word
from novel_hooks.cli.context import MOST_BYTES, Context, limited, read_file
from novel_hooks.flows.chapter import step_result
from novel_hooks.flows.pipeline import record_verdict
from novel_hooks.flows.pipeline.record_verdict import Recorded
from novel_hooks.rules.review import trend
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text import typed_words

_ROLES = f"哪一位评审：{'、'.join(f'{title}（{key}）' for key, title in roles.JUDGES.items())}"


def arguments(parser: Parser) -> None:
    parser.value("action", "record", "记下一份评审", choices=("record",))
    parser.value(
        "--role",
        "评审",
        _ROLES,
        required=True,
        type=word(typed_words.JUDGES),
    )
    parser.value("--chapter", "章号", "默认是进行中的章", type=chapter)
    parser.value("--model", "模型", "给出评审的模型")
    parser.value("--file", "文件", "评审原文所在的文件；- 表示从标准输入读", default="-")


def run(context: Context) -> Answer:
    args = context.args
    raw, source = _read_words(args.file)
    number = args.chapter or _in_work(context.book().checkpoint())
    if number is None:
        raise errors.UsageError(case="judge chapter")
    with context.writing(number) as session:
        found = record_verdict.record(session, number, args.role, args.model, raw, source, shown=True)
    return build(document(found), describe(found), step_result.notes(found.chapter, found.warnings))


def _in_work(point: Checkpoint) -> int | None:
    """The chapter in flight, or the one that is recorded anew."""
    opened = resync_steps.open_sync(point)
    return opened.chapter if opened else point.inflight


def _read_words(place: str) -> tuple[bytes, str]:
    """The judge's words, and what to call their place in a message."""
    if place == "-" and sys.stdin is None:
        raise errors.UsageError(case="judge stdin")
    if place == "-":
        return limited(sys.stdin.buffer.read(MOST_BYTES + 1), "标准输入", "judge size"), "标准输入"
    if not os.path.isfile(place):
        raise errors.FileMissing(place, "option", what="评审原文", option="--file")
    return read_file(place, "judge size"), place


def document(found: Recorded) -> dict[str, Any]:
    return {
        "chapter": found.chapter,
        "role": found.role,
        "overall": found.overall,
        "missing": list(found.missing),
        "repeat": found.repeat,
    }


def describe(found: Recorded) -> str:
    who = roles.JUDGES[found.role]
    if found.repeat:
        return f"第 {found.chapter} 章{who}的意见之前已经记下，没有改动。"
    rest = f"，还差{'、'.join(roles.JUDGES[r] for r in found.missing)}" if found.missing else ""
    return f"已记下第 {found.chapter} 章{who}的意见：{trend.score_text(found.overall)} 分{rest}。"
