"""`novel replan [--yes]` and `--cancel`: plan the rest of the current volume anew. Source: seed 000 Step 4.

Exit 0 also when it is already being planned anew or the author said no; 3 without `--yes` when nobody can be
asked.
"""

from __future__ import annotations

from novel_hooks.annotations import Any
from novel_hooks.cli import asking
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.planning import replan
from novel_hooks.flows.planning.replan import Preview, Replanned

_OPENED = "第 {volume} 卷从第 {first} 章起正在重排。运行 `novel next` 看下一步。"


def arguments(parser: Parser) -> None:
    parser.flag("--yes", "不再询问，直接重排")
    parser.flag("--cancel", "不重排了，照原来的规划接着写")


def run(context: Context) -> Answer:
    if context.args.cancel:
        return _cancel(context)
    return asking.ask_first(context, replan.preview, _offer, lambda shown: _execute(context, shown))


def _offer(shown: Preview) -> Offer:
    told = f"第 {shown.volume} 卷从第 {shown.first} 章起重排（到第 {shown.last} 章）"
    text = (
        f"{told}：大纲和契约重新排过，你点头才换下现在这份；写好的章不动。\n"
        "重排好之前不能往下写；后悔了用 `novel replan --cancel`，照原来的接着写。"
    )
    data = {"volume": shown.volume, "first_chapter": shown.first, "changed": False}
    unchanged = _OPENED.format(volume=shown.volume, first=shown.first)
    return Offer(data, text if shown.changes else None, told, "novel replan --yes", unchanged)


def _execute(context: Context, shown: Preview | None) -> Answer:
    with context.writing() as session:
        found = replan.run(session, shown)
    told = _OPENED.format(volume=found.volume, first=found.first)
    if found.changed:
        told = (
            f"第 {found.volume} 卷从第 {found.first} 章起重排，已写的章和契约不动。"
            "运行 `novel next` 看下一步。"
        )
    return build(_document(found), told, notes=session.notes)


def _cancel(context: Context) -> Answer:
    with context.writing() as session:
        found = replan.cancel(session)
    kept = f"重排到一半的稿子收在 {found.kept}/。" if found.kept else ""
    told = f"照原来的规划，接着写第 {found.first} 章。{kept}"
    return build(_document(found), told, notes=session.notes)


def _document(found: Replanned) -> dict[str, Any]:
    return {
        "volume": found.volume,
        "first_chapter": found.first,
        "changed": found.changed,
        "orchestrator_state": found.point.state,
        "kept": found.kept,
    }
