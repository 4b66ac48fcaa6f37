"""The chapters' logs: each agent's time and tokens, and the gate's decisions. Reads only.

A missing or broken log costs its own line only. Source: protocol §1 (chapter log).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.review import word_counts
from novel_hooks.record import Record
from novel_hooks.rules.settings import prices as settings_prices
from novel_hooks.rules.settings.prices import Price
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text.json_values import integer, number, objects, text

READ, MISSING, BROKEN = "read", "missing", "broken"


class Worked(Record):
    """A report: `data` is what `--json` prints; `problems` are warnings about chapters and the prices."""

    data: dict[str, Any]
    problems: tuple[Problem, ...]


def chapter_report(book: Book, chapter: int) -> Worked:
    """Return the log of a landed chapter or of the one in work, with its failures. Raises ChapterUnworked."""
    point = book.checkpoint()
    landed = chapter <= point.last
    failed = [found for found in failures(point) if found["chapter"] == chapter]
    if not landed and chapter != point.inflight and not failed:
        raise errors.ChapterUnworked(chapter=chapter)
    prices, currency, problems = money(book)
    found, flaws = row(book, chapter, prices, landed)
    problems += flaws
    chars = word_counts.chars_of(book, [chapter])[chapter] if landed else None
    problems += _tell_adopted(book, [found])
    told = {**found, "landed": landed, "chars": chars, "failures": failed, "currency": currency}
    return Worked(told, tuple(problems))


def book_report(book: Book, wanted: Iterable[tuple[int, int]] | None = None) -> Worked:
    """Return all landed chapters and the totals of their stages, the chapter in work, and the failures.

    With `wanted`, ranges as (first, last), the chapters in them alone, in their order, and no failures.
    Raises ChapterUnworked for one that is not begun.
    """
    point = book.checkpoint()
    asked = _numbers(wanted, point)
    numbers = [chapter for chapter in asked if chapter <= point.last]
    lengths = word_counts.chars_of(book, numbers)
    prices, currency, problems = money(book)
    rows, stages = [], []
    for chapter in numbers:
        found, flaws = row(book, chapter, prices, True)
        problems += flaws
        stages += found.pop("stages")
        rows.append({**found, "chars": lengths[chapter]})
    problems += _tell_adopted(book, rows)
    inflight = None
    if point.inflight is not None and point.inflight in asked:
        inflight, flaws = row(book, point.inflight, prices, False)
        problems += flaws
    data = {
        "chapters": rows,
        "totals": totals(rows, stages),
        "models": settings_prices.costs_by_model(stages),
        "inflight": inflight,
        "chars": sum(lengths[chapter] for chapter in numbers),
        "failures": failures(point) if wanted is None else [],
        "currency": currency,
    }
    return Worked(data, tuple(problems))


def _tell_adopted(book: Book, rows: Iterable[dict[str, Any]]) -> list[Problem]:
    """Add to each row `adopted` (it moved in, nobody has judged it) and `recorded` (it has a summary).

    Returns the problems of the record of the move.
    """
    last, problems = attempt(lambda: book.adoption().last)
    for found in rows:
        found["adopted"] = found["chapter"] <= (last or 0) and not found["judges"]
        found["recorded"] = book.project.has(layout.summary(found["chapter"]))
    return problems


def _numbers(wanted: Iterable[tuple[int, int]] | None, point: Checkpoint) -> list[int]:
    reach = max(point.last, point.inflight or 0)
    found: dict[int, None] = {}
    for first, end in [(1, reach)] if wanted is None else wanted:
        if end > reach:
            raise errors.ChapterUnworked(chapter=max(first, reach + 1))
        found.update(dict.fromkeys(range(first, end + 1)))
    return list(found)


def failures(point: Checkpoint) -> list[dict[str, Any]]:
    """Return the failures since a step last succeeded, the newest last.

    `{step, name, chapter, reason, stopped}` each: `name` is the step in the author's words, `chapter` None
    for a planning step; `stopped`: it failed again, and the author decides.
    """
    found = [_failure(one, False) for one in objects(point.document.get("failures"))]
    return [*found, _failure(point.error, True)] if point.error else found


def _failure(entry: Mapping[str, Any], stopped: bool) -> dict[str, Any]:
    name = text(entry.get("step"))
    return {
        "step": name,
        "name": None if name is None else steps.label(name),
        "chapter": attempt(lambda: steps.parse(name or "").chapter)[0],
        "reason": text(entry.get("reason")),
        "stopped": stopped,
    }


def totals(rows: list[dict[str, Any]], stages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `prices.total_costs`, with the number of chapters and of those whose log could be read."""
    logged = sum(found["log"] == READ for found in rows)
    return {"chapters": len(rows), "logged": logged, **settings_prices.total_costs(stages)}


def row(
    book: Book, chapter: int, prices: Mapping[str, Price], landed: bool
) -> tuple[dict[str, Any], list[Problem]]:
    """Return (one chapter's row, its problems): `log` is read, missing or broken, an unknown value None."""
    path = layout.chapter_log(chapter) if landed else layout.work_log(chapter)
    found, log, problems = _read_log(book, chapter, path)
    listed = found.get("stages")
    entries = objects(listed)
    if log == READ and (not isinstance(listed, list) or len(entries) < len(listed)):
        problems.append(errors.ChapterLogUnread(path, case="steps", chapter=chapter))
    stages = [settings_prices.stage_costs(entry, prices) for entry in entries]
    told = {
        "chapter": chapter,
        "log": log,
        "storyline_id": text(found.get("storyline_id")),
        "started_at": text(found.get("started_at")),
        "stages": stages,
        "total": settings_prices.total_costs(stages),
        **_gate_row(found),
    }
    return told, problems


def _read_log(book: Book, chapter: int, path: str) -> tuple[Mapping[str, Any], str, list[Problem]]:
    try:
        found = book.own(path)
    except Problem as fault:
        return {}, BROKEN, [errors.ChapterLogUnread(path, case="broken", chapter=chapter, cause=fault)]
    if found is None:
        return {}, MISSING, []
    if not isinstance(found, dict):
        return {}, BROKEN, [errors.ChapterLogUnread(path, case="no object", chapter=chapter)]
    return found, READ, []


def _gate_row(found: Mapping[str, Any]) -> dict[str, Any]:
    judges = found.get("judges")
    scores = judges if isinstance(judges, dict) else {}
    return {
        "gate_decision": text(found.get("gate_decision")),
        "revisions": integer(found.get("revisions")),
        "force_passed": found.get("force_passed") is True,
        "accepted": found.get("accepted") is True,
        "overall_final": number(scores.get("overall_final")),
        "judges": [
            {"role": role, "model": text(told.get("model")), "overall": number(told.get("overall"))}
            for role in ("primary", "secondary")
            for told in [scores.get(role)]
            if isinstance(told, dict)
        ],
    }


def money(book: Book) -> tuple[dict[str, Price], str | None, list[Problem]]:
    """Return (the author's prices, the name of his money, warnings); none when the settings are broken."""
    try:
        return settings.prices(book), settings.currency(book), settings.price_warnings(book)
    except Problem as fault:
        return {}, None, list(fault.problems)
