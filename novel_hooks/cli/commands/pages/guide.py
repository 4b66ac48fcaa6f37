"""`novel guide [TOPIC]`: show a guide of the plugin; without a topic list them. Needs no project."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.setup import guides


def arguments(parser: Parser) -> None:
    parser.value("topic", "主题", "要读哪一份；不写就列出有哪些", nargs="?")


def run(context: Context) -> Answer:
    if context.args.topic is not None:
        found = guides.find_guide(context.args.topic)
        return build({"topic": found.topic.name, "title": found.topic.title, "text": found.text}, found.text)
    listed = guides.list_topics()
    data = {"topics": [{"topic": t.name, "title": t.title, "about": t.about} for t in listed]}
    lines = [f"  {t.name}　{t.title}：{t.about}" for t in listed]
    return build(data, "\n".join(["有这些（`novel guide 主题`）：", *lines]))
