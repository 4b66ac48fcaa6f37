"""`novel rebuild state`: build the state anew from the change log alone."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.review import shown_names
from novel_hooks.flows.rollback import rebuild_state
from novel_hooks.flows.rollback.rebuild_state import Rebuilt


def arguments(parser: Parser) -> None:
    parser.value("what", "state", "按变更记录重建故事状态", choices=("state",))


def run(context: Context) -> Answer:
    with context.writing() as session:
        found = rebuild_state.run(session)
    places = shown_names.state_places(context.book(), found.differences)
    return build(found._asdict(), describe(found, places), notes=session.notes)


def describe(found: Rebuilt, places: str) -> str:
    if not found.changed:
        return f"故事状态和变更记录一致（第 {found.version} 版），没有改动。"
    made = f"故事状态已按 {found.chapters} 条变更记录重建（第 {found.version} 版）。"
    unlike = f"\n与原来不同的：{places}" if places else ""
    kept = f"\n原来的那份留存在 .novel/archive/{found.archive}/。" if found.archive else ""
    return made + unlike + kept
