"""`novel gate CHAPTER`: show the gate's decision and its reasons. Reads only."""

from __future__ import annotations

from novel_hooks.annotations import Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context
from novel_hooks.flows.checks import gate
from novel_hooks.flows.checks.gate import GateRecord, Round
from novel_hooks.flows.review import shown_names
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.gate_entry import DECISIONS, decision_word
from novel_hooks.rules.review import trend


def arguments(parser: Parser) -> None:
    parser.value("chapter", "章号", type=chapter)


def run(context: Context) -> Answer:
    book = context.book()
    found = gate.run(book, context.args.chapter)
    return build(document(found), shown_names.in_words(book, found.chapter)(describe(found)))


def document(found: GateRecord) -> dict[str, Any]:
    outcome = found.outcome
    return {
        "chapter": found.chapter,
        "landed": found.landed,
        "decision": outcome.decision,
        "force_passed": outcome.force_passed,
        "accepted": gate_entry.is_accepted(found.document),
        "overall_final": outcome.overall_final,
        "used": outcome.used,
        "revisions": found.revisions,
        "violations": list(outcome.violations),
        "reasons": list(outcome.reasons),
        "required_fixes": list(outcome.fixes),
        "bands": found.bands.to_json(),
        "earlier": [one._asdict() for one in found.earlier],
        "notes": warning_lines(found),
    }


def describe(found: GateRecord) -> str:
    outcome = found.outcome
    score = f"{trend.score_text(outcome.overall_final)} 分，修订 {found.revisions} 次"
    accepted = gate_entry.is_accepted(found.document)
    decided = decision_word(outcome.decision, accepted, outcome.force_passed)
    lines = [f"第 {found.chapter} 章：{decided}（{score}）"]
    lines += [f"  · {reason}" for reason in outcome.reasons]
    lines += [f"  之前第 {one.revisions + 1} 轮：{_round_line(one)}" for one in found.earlier]
    lines += [f"  违反　{v.get('detail') or v}" for v in outcome.violations]
    if outcome.decision in ("revise", "polish"):
        lines += [f"  要改　{f['target']}：{f['instruction']}" for f in outcome.fixes]
    return "\n".join([*lines, *(f"  存疑　{note}" for note in warning_lines(found))])


def warning_lines(found: GateRecord) -> list[str]:
    """List the warnings of the recorded verdicts, such as a quotation that is not in the text."""
    listed = gate_entry.metadata(found.document).get("warnings")
    return [note for note in listed if isinstance(note, str)] if isinstance(listed, list) else []


def _round_line(one: Round) -> str:
    score = "没有评分" if one.overall_final is None else f"{trend.score_text(one.overall_final)} 分"
    return f"{score}，{DECISIONS.get(one.decision, one.decision)}"
