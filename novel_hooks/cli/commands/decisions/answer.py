"""`novel answer STEP QUESTION [CHOICE] [--note TEXT]`: answer a planner's question. Source: seed 004."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.pipeline import answer as pipeline_answer
from novel_hooks.flows.pipeline.answer import Answered
from novel_hooks.rules.steps import questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text import typed_words


def arguments(parser: Parser) -> None:
    parser.value("step", "步骤", "问你的是哪一步，如 setup:world")
    parser.value(
        "question", "编号", "问题的编号，`novel next` 会说；remark：看过要改的；wishes：对这一卷的心愿"
    )
    parser.value("choice", "选法", "第几个选法；资料矛盾：go-on 就照暂定的，again 改好了重做", nargs="?")
    parser.value("--note", "意见", "你自己的意见：代替选法，或补在后面", nargs="+")


def run(context: Context) -> Answer:
    args = context.args
    note = " ".join(args.note or ()).strip()
    note = "" if typed_words.is_blank(note) else note
    with context.writing() as session:
        found = pipeline_answer.run(session, steps.parse(args.step), args.question, args.choice, note or None)
    data = {
        "step": str(found.step),
        "question": found.asked.id,
        "choice": found.choice,
        "note": found.note,
        "changed": found.changed,
        "left": [one.id for one in found.left],
        "again": found.again,
    }
    return build(data, _describe(found), notes=session.notes)


def _describe(found: Answered) -> str:
    label = next((label for key, label, _ in found.asked.choices if key == found.choice), "照你说的办")
    lines = [f"「{found.asked.header}」{'记下了' if found.changed else '早已记下'}：{label}。"]
    if found.asked.kind == questions.WISH:
        lines.append("排这一卷时照着办。" if found.note else "接着往下走。")
    elif found.left:
        lines.append(f"还有 {len(found.left)} 件要你定，运行 `novel next` 看下一件。")
    elif found.asked.kind == questions.REMARK:
        lines.append("这一步会照着改一遍。" if found.drafted else "做这一步时照着办。")
    elif found.first is not None:
        lines.append(f"都定了。先照你的话重做「{found.first.label}」，再回来改这一步。")
    elif found.again:
        lines.append("都定了。这一步会照你的决定改一遍。")
    else:
        lines.append("都定了，接着往下走。")
    return "\n".join(lines)
