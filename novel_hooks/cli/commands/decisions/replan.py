"""`novel replan [--cancel]`: plan the rest of the current volume anew. Source: seed 000 Step 4."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser

from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context
from novel_hooks.flows.planning import replan
from novel_hooks.flows.planning.replan import Replanned
from novel_hooks.flows.session.session import writing


def arguments(parser: Parser) -> None:
    parser.add_argument("--cancel", action="store_true", help="不重排了，照原来的规划接着写")


def run(context: Context) -> Answer:
    cancel = bool(context.args.cancel)
    with writing(context.project(), context.caller()) as session:
        found = replan.cancel(session) if cancel else replan.run(session)
    data = {
        "volume": found.volume,
        "first_chapter": found.first,
        "changed": found.changed,
        "orchestrator_state": found.point.state,
        "kept": found.kept,
    }
    shown = answer.build(data, _describe(found, cancel))
    return answer.with_notes(shown, session.notes)


def _describe(found: Replanned, cancel: bool) -> str:
    if cancel:
        kept = f"重排到一半的稿子收在 {found.kept}/。" if found.kept else ""
        return f"照原来的规划，接着写第 {found.first} 章。{kept}"
    return (
        f"第 {found.volume} 卷从第 {found.first} 章起重排，已写的章和契约不动。运行 `novel next` 看下一步。"
    )
