"""`novel decide CHAPTER ANSWER`: the author's decision on a chapter at review. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, word
from novel_hooks.cli.context import Context
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.pipeline import decide
from novel_hooks.rules.text import typed_words

_DONE = {
    "accept": "已接受第 {chapter} 章；输入 /novel:continue，它接着入库。",
    "revise": "第 {chapter} 章再修订一轮；输入 /novel:continue，写手接着改。",
    "rewrite": "第 {chapter} 章从头重写，现稿已存档；输入 /novel:continue，写手接着写。",
    "skip-delta": "第 {chapter} 章跳过状态增量；输入 /novel:continue，接着往下走。",
    "go-on": "第 {chapter} 章照现在的样子；输入 /novel:continue，接着往下走。",
    "again": "第 {chapter} 章这一步再做一遍，这一稿已存档；输入 /novel:continue，接着做。",
    "stop": "第 {chapter} 章先停在这里，写作锁已松开；下次输入 /novel:continue，从这里接着走。",
}
_NOTED = ("revise", "rewrite", "again", "skip-delta")


_YES = "yes"
"""A bare yes: to the answer whose place in the list was typed in the chapter's place."""


def _answer(text: str) -> str:
    return _YES if typed_words.yes_or_no(text) else word(typed_words.DECISIONS)(text)


def arguments(parser: Parser) -> None:
    parser.value("chapter", "章号", type=chapter)
    parser.value(
        "answer",
        "决定",
        "接受（accept）；再修订（revise）；重写（rewrite）；跳过状态增量（skip-delta）；"
        "停在一步之后时：接着走（go-on），再做一遍（again），先停下（stop）",
        type=_answer,
        choices=(*decide.ANSWERS, _YES),
    )
    parser.value(
        "--note",
        "意见",
        "给写手的意见（再修订时是第一条要改的，重写、再做一遍时是这一遍要做到的）",
        nargs="+",
    )


def run(context: Context) -> Answer:
    args = context.args
    if args.answer == _YES:
        args.chapter, args.answer = _meant(context, args.chapter)
    told = " ".join(args.note or ()).strip()
    note = None if typed_words.is_blank(told) else told
    if note and args.answer not in _NOTED:
        said = typed_words.word_of(typed_words.DECISIONS, args.answer)
        noted = "、".join(typed_words.word_of(typed_words.DECISIONS, one) for one in _NOTED)
        raise errors.UsageError(case="decide note", said=said, noted=noted)
    with context.writing(args.chapter) as session:
        found = decide.run(session, args.chapter, args.answer, note, note)
    data = {
        "chapter": found.chapter,
        "answer": found.answer,
        "pipeline_stage": found.point.stage,
        "orchestrator_state": found.point.state,
        "revision_count": found.point.revisions,
    }
    return build(data, _DONE[found.answer].format(chapter=found.chapter))


def _meant(context: Context, number: int) -> tuple[int, str]:
    """Return (chapter, answer) of the answer in that place. Raises DecisionUnclear.

    The number of the chapter that waits is no place: a yes to it may mean any of its answers.
    """
    view = due_step.view(context.book())
    listed = [one.command for one in view.due.choices]
    place = number if number != view.point.inflight else 0
    words = listed[place - 1].split() if 0 < place <= len(listed) else []
    if words[:2] == ["novel", "decide"]:
        return int(words[2]), words[3]
    shown = "；".join(f"{n}. {one.label}：`{one.command}`" for n, one in enumerate(view.due.choices, 1))
    raise errors.DecisionUnclear(case="choices" if shown else "none", choices=shown)
