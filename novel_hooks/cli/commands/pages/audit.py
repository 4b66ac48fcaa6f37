"""`novel audit`: list the calls of agents that the guard allowed or refused. Reads only."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context
from novel_hooks.flows.review import audit_report
from novel_hooks.flows.review.audit_report import Trail
from novel_hooks.store.host import moment

SHOWN = 50


def arguments(parser: Parser) -> None:
    parser.value("--chapter", "章号", "只看与这一章的文件有关的", type=chapter)
    parser.flag("--denied", "只看没有放行的")


def run(context: Context) -> Answer:
    found = audit_report.run(context.seen(), context.args.chapter, bool(context.args.denied))
    data = {"entries": list(found.entries), "total": found.total}
    return build(data, describe(found, context.now), found.warnings)


def describe(found: Trail, now: float) -> str:
    """Return the last `SHOWN` lines, the newest at the end. `now` in seconds since the epoch."""
    if not found.total:
        return "还没有写入记录。"
    if not found.entries:
        return f"没有符合的记录（共 {found.total} 条）。"
    denied = sum(entry.get("decision") == "deny" for entry in found.entries)
    lines = [f"写入记录 {len(found.entries)} 条，其中 {denied} 条没有放行："]
    if len(found.entries) > SHOWN:
        lines.append(f"  （只列最近 {SHOWN} 条，加 --json 看全部）")
    return "\n".join([*lines, *(f"  {entry_line(entry, now)}" for entry in found.entries[-SHOWN:])])


ACCEPTED = "accept-changes"


def entry_line(entry: dict[str, Any], now: float) -> str:
    """Return one call as a line: `1月31日 16:00　写手　Write　chapters/chapter-007.md　没有放行：…`."""
    at = moment.epoch(entry.get("ts"))
    when = "时间不明" if at is None else moment.local_text(at, now)
    if entry.get("event") == ACCEPTED:
        return "　".join([when, "作者", _harmless(entry.get("path")), _harmless(entry.get("reason"))])
    parts = [when, _who(entry), _harmless(entry.get("tool_name"))]
    if entry.get("path"):
        parts.append(_harmless(entry["path"]))
    allowed = entry.get("decision") == "allow"
    parts.append("放行" if allowed else f"没有放行：{_harmless(entry.get('reason'))}")
    return "　".join(parts)


def _who(entry: dict[str, Any]) -> str:
    name = _harmless(entry.get("agent_type"))
    role = roles.ROLES.get(name.rpartition(":")[2].strip().lower())
    return role.title if role else name


def _harmless(value: object) -> str:
    """What an agent gave, made harmless to a terminal."""
    text = value if isinstance(value, str) else "？"
    return "".join(char if char.isprintable() else "·" for char in text)
