"""`novel log [CHAPTERS]`: show a chapter's time, tokens, rounds and verdict, or those of several.

Reads only.
"""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.annotations import Any, Callable, Mapping, Sequence
from novel_hooks.cli import blocks
from novel_hooks.cli.amounts import omission_text, usage_text
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, ranges
from novel_hooks.cli.context import Context
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.checks import gate
from novel_hooks.flows.review import shown_names, work_report
from novel_hooks.roles import JUDGES
from novel_hooks.rules.evaluation import author_lines
from novel_hooks.rules.evaluation.gate_entry import DECISIONS

SHOWN = 20


def arguments(parser: Parser) -> None:
    what = "哪一章，或哪几章：12、100-150、3,7；不写是全书"
    parser.value("chapters", "章号", what, type=ranges("章"), nargs="?")


def run(context: Context) -> Answer:
    wanted, book = context.args.chapters, context.book()
    number = wanted[0][0] if wanted and len(wanted) == 1 and wanted[0][0] == wanted[0][1] else None
    if number is None:
        found = work_report.book_report(book, wanted)
        shown = len(found.data["chapters"]) if wanted else SHOWN
        return build(found.data, describe_book(found.data, shown), found.problems)
    found = work_report.chapter_report(book, number)
    verdict, unread = _verdict(book, number)
    data = {**found.data, "verdict": verdict}
    told = describe_chapter(data, shown_names.in_words(book, number))
    return build(data, told, (*found.problems, *unread))


def _verdict(book: Book, chapter: int) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Return all that the judges said, with the rounds before; None while nobody has judged.

    An evaluation that cannot be read costs its own lines, never the page.
    """
    found, problems = attempt(lambda: gate.run(book, chapter))
    if found is None:
        unread = [problem for problem in problems if not isinstance(problem, errors.NoEvaluation)]
        for problem in unread:
            problem.severity = "warning"
        return None, unread
    told = author_lines.whole_verdict(found.document)
    return {**told, "rounds": [one._asdict() for one in found.earlier]}, []


def describe_chapter(data: Mapping[str, Any], in_words: Callable[[str], str]) -> str:
    """Return a chapter's log: a line a stage, the sum, the gate, the verdict, the failures.

    `in_words` puts names for the ids in a judge's words.
    """
    lines = _chapter_lines(data, data["landed"], data["currency"])
    lines += map(in_words, _verdict_lines(data["verdict"]))
    return "\n".join([*lines, *_failure_lines(data["failures"])])


def _verdict_lines(told: Mapping[str, Any] | None) -> list[str]:
    """Return what the judges said: rounds, reasons, scores, what is good, what is to be mended."""
    if told is None:
        return []
    score = blocks.score_text
    rounds = [
        f"  第 {one['revisions'] + 1} 轮　{score(one['overall_final'])}　{DECISIONS.get(one['decision'])}"
        for one in told["rounds"]
    ]
    two = len({one["judge"] for one in told["scores"]}) > 1
    scores = [
        f"  {JUDGES[one['judge']] + '　' if two else ''}{one['title']} {one['score']:g}"
        + (f"　{one['reason']}" if one["reason"] else "")
        for one in told["scores"]
    ]
    fixes = [
        f"  {author_lines.kind_word(fix)}　{fix['target']}：{fix['instruction']}" for fix in told["fixes"]
    ]
    parts = (
        ("之前几轮：", rounds),
        ("门控：", [f"  {reason}" for reason in told["reasons"]]),
        ("评分：", scores),
        ("写得好：", [f"  {one}" for one in told["strengths"]]),
        ("要改的：", fixes),
        ("别的毛病：", [f"  {one}" for one in told["issues"]]),
    )
    return [line for head, lines in parts if lines for line in (head, *lines)]


def _chapter_lines(data: Mapping[str, Any], landed: bool, currency: str | None) -> list[str]:
    head = f"第 {data['chapter']} 章" + (f"　{data['chars']:,} 字" if landed else "（还在写）")
    if data["log"] != work_report.READ or not data["stages"]:
        return [f"{head}　{_without(data, landed)}"]
    lines = [f"{head}　{blocks.verdict_line(data)}"]
    lines += [f"  {stage_line(told, currency)}" for told in data["stages"]]
    lines += [f"  合计　{usage_text(data['total'], currency)}", *_notes(data["total"])]
    if len(data["judges"]) > 1:
        scores = "，".join(
            f"{JUDGES[told['role']]} {blocks.score_text(told['overall'])}（{told['model'] or '模型未记'}）"
            for told in data["judges"]
        )
        lines.append(f"  两位评审：{scores}，取低的")
    return lines


def _failure_lines(failures: Sequence[Mapping[str, Any]]) -> list[str]:
    """`第 4 章·写初稿　没有交稿　停在这里，等你决定`."""
    lines = [
        f"  {told['name'] or '哪一步没有记下'}　{told['reason'] or '原因没有记下'}"
        + ("　停在这里，等你决定" if told["stopped"] else "")
        for told in failures
    ]
    return ["没有做成的：", *lines] if lines else []


def describe_book(data: Mapping[str, Any], shown: int = SHOWN) -> str:
    """Return the last `shown` chapters a line each, totals of book and models, the chapter in work."""
    now = _chapter_lines(data["inflight"], False, data["currency"]) if data["inflight"] else []
    now += _failure_lines(data["failures"])
    if not data["chapters"]:
        return "\n".join(["还没有入库的章。" if now else "还没有入库的章，没有记录可看。", *now])
    return "\n".join([*_landed_lines(data, shown), *now])


def _landed_lines(data: Mapping[str, Any], shown: int) -> list[str]:
    rows, totals, currency = data["chapters"], data["totals"], data["currency"]
    lines = [f"共 {len(rows)} 章 {data['chars']:,} 字，读到记录的 {totals['logged']} 章"]
    if len(rows) > shown:
        lines.append(f"  （只列最近 {shown} 章；要看别的，写上章号，如 `novel log 1-{shown}`）")
    for told in rows[-shown:]:
        known = told["log"] == work_report.READ
        rest = (
            f"{blocks.verdict_line(told)}　{_sum_line(told['total'], currency)}"
            if known
            else _without(told, True)
        )
        lines.append(f"  第 {told['chapter']} 章　{told['chars']:,} 字　{rest}")
    lines += [f"合计　{usage_text(totals, currency)}", *_notes(totals)]
    for told in data["models"]:
        lines.append(f"  {told['model'] or '模型未记'}　{told['stages']} 步　{_sum_line(told, currency)}")
    return lines


def stage_line(told: Mapping[str, Any], currency: str | None) -> str:
    """Return a stage as a line: `写初稿　claude-sonnet-4-5　3 分 20 秒　词元 12,345 → 3,210`."""
    name = roles.PHASE_TITLES.get(told["name"] or "", told["name"] or "？")
    return f"{name}　{told['model'] or '模型未记'}　{usage_text(told, currency)}"


def _sum_line(told: Mapping[str, Any], currency: str | None) -> str:
    return f"{usage_text(told, currency)}{omission_text(told)}"


def _notes(told: Mapping[str, Any]) -> list[str]:
    notes = []
    if told["uncounted"] and told["uncounted"] < told["stages"]:
        notes.append(f"  （有 {told['uncounted']} 步没有完整的词元数，上面只算了记下的）")
    if told["cost"] is not None and told["unpriced"]:
        notes.append(f"  （有 {told['unpriced']} 步算不出花费：没有词元数，或没写那个模型的输入价和输出价）")
    if told["rough"]:
        notes.append("  （有缓存的词元没写价钱，按输入价算，花费偏高；价钱写在 cache_read、cache_write 里）")
    return notes


def _without(told: Mapping[str, Any], landed: bool) -> str:
    if told["log"] == work_report.BROKEN:
        return "记录读不出来（见下面的提示）"
    if told.get("adopted"):
        return "搬进来的，补记过，用时和词元没有留下" if told["recorded"] else "搬进来的，还没有补记"
    if told["log"] == work_report.MISSING and landed:
        return "没有记录"
    return "还没有做完的步骤"
