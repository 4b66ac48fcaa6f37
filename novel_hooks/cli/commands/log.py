"""`novel log [CHAPTER]`: time, tokens, rounds and scores of a chapter, or of the whole book. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from novel_hooks.cli.arguments import Parser
from novel_hooks import roles
from novel_hooks.cli import answer
from novel_hooks.cli.amounts import spent
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import chapter
from novel_hooks.cli.commands.status import ACCEPTED, DECISIONS
from novel_hooks.cli.context import Context
from novel_hooks.flows import worklogs
from novel_hooks.rules import pulse

SHOWN = 20
_JUDGES = {"primary": "评审", "secondary": "第二位评审"}


def arguments(parser: Parser) -> None:
    parser.add_argument("chapter", type=chapter, nargs="?", metavar="章号", help="只看这一章；不写是全书")


def run(context: Context) -> Answer:
    number = context.args.chapter
    found = worklogs.one(context.book(), number) if number else worklogs.every(context.book())
    return answer.of(found.data, one(found.data) if number else every(found.data), found.problems)


def one(data: Mapping[str, Any]) -> str:
    """A chapter: a line a stage, the sum, the gate."""
    head = f"第 {data['chapter']} 章" + ("" if data["landed"] else "（还在写）")
    if data["log"] != worklogs.READ or not data["stages"]:
        return f"{head}　{_without(data)}"
    lines = [f"{head}　{verdict(data)}"]
    lines += [f"  {stage(told, data['currency'])}" for told in data["stages"]]
    lines += [f"  合计　{spent(data['total'], data['currency'])}", *_notes(data["total"], data["currency"])]
    if len(data["judges"]) > 1:
        scores = "，".join(
            f"{_JUDGES[told['role']]} {_score(told['overall'])}（{told['model'] or '模型未记'}）"
            for told in data["judges"]
        )
        lines.append(f"  两位评审：{scores}，取低的")
    return "\n".join(lines)


def every(data: Mapping[str, Any]) -> str:
    """The last `SHOWN` chapters a line each, then the book's totals and each model's."""
    rows, totals, currency = data["chapters"], data["totals"], data["currency"]
    if not rows:
        return "还没有入库的章，没有记录可看。"
    lines = [f"共 {len(rows)} 章，读到记录的 {totals['logged']} 章"]
    if len(rows) > SHOWN:
        lines.append(f"  （只列最近 {SHOWN} 章，加 --json 看全部）")
    for told in rows[-SHOWN:]:
        known = told["log"] == worklogs.READ
        rest = f"{verdict(told)}　{spent(told['total'], currency)}" if known else _without(told)
        lines.append(f"  第 {told['chapter']} 章　{rest}")
    lines += [f"合计　{spent(totals, currency)}", *_notes(totals, currency)]
    for told in data["models"]:
        lines.append(f"  {told['model'] or '模型未记'}　{told['stages']} 步　{spent(told, currency)}")
    return "\n".join(lines)


def verdict(told: Mapping[str, Any]) -> str:
    """`4.20 分　通过　修订 1 次`."""
    parts = [_score(told["overall_final"])]
    if told["gate_decision"]:
        shown = DECISIONS.get(told["gate_decision"], "门控未记")
        parts.append(ACCEPTED if told["accepted"] else shown)
    if told["revisions"]:
        parts.append(f"修订 {told['revisions']} 次")
    if told["force_passed"]:
        parts.append("次数用尽放行")
    return "　".join(parts)


def stage(told: Mapping[str, Any], currency: str | None) -> str:
    """`写初稿　claude-sonnet-4-5　3 分 20 秒　词元 12,345 → 3,210`."""
    name = roles.PHASE_TITLES.get(told["name"] or "", told["name"] or "？")
    return f"{name}　{told['model'] or '模型未记'}　{spent(told, currency)}"


def _notes(told: Mapping[str, Any], currency: str | None) -> list[str]:
    notes = []
    if told["uncounted"] and told["uncounted"] < told["stages"]:
        notes.append(f"  （有 {told['uncounted']} 步没有完整的词元数，上面只算了记下的）")
    if told["cost"] is not None and told["unpriced"]:
        notes.append(f"  （有 {told['unpriced']} 步算不出花费：没有词元数，或没写那个模型的输入价和输出价）")
    if told["rough"]:
        notes.append("  （有缓存的词元没写价钱，按输入价算，花费偏高；价钱写在 cache_read、cache_write 里）")
    return notes


def _without(told: Mapping[str, Any]) -> str:
    if told["log"] == worklogs.BROKEN:
        return "记录读不出来（见下面的提示）"
    return "没有记录" if told["log"] == worklogs.MISSING else "记录里还没有做完的步骤"


def _score(overall: float | None) -> str:
    return "没有评分" if overall is None else f"{pulse.shown(overall)} 分"
