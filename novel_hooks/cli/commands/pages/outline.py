"""`novel outline`: show a volume's chapters, one chapter's block, the outline's faults, or their repair.

Only `--fix` writes. Exit: 0; 1 findings; 3 without an outline, or when `--fix` can ask nobody.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.cli import blocks
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, volume
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS, Problem, Problems
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.review import recent_chapters, shown_names
from novel_hooks.flows.setup import outline_fix
from novel_hooks.flows.setup.outline_fix import Repair
from novel_hooks.rules.outline import author_view
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.steps import step_name

if TYPE_CHECKING:
    from novel_hooks.cli.asking import Offer

_NEVER_PLANNED = "搬进来的，没有排过大纲"


def arguments(parser: Parser) -> None:
    parser.value("one", "章号", "只看这一章的大纲", type=chapter, nargs="?")
    parser.value("--chapter", "章号", "同上", type=chapter)
    parser.value("--volume", "卷号", "默认是当前卷", type=volume)
    parser.flag("--check", "检查整卷规划：大纲、契约、日程、伏笔计划，一次说全")
    parser.flag("--fix", "把写法不对的章标题改正，先给你看改动")
    parser.flag("--yes", "与 --fix 连用：不再询问，直接改")


def run(context: Context) -> Answer:
    args = context.args
    if sum(map(bool, (args.one, args.chapter, args.check, args.fix))) > 1 or (args.yes and not args.fix):
        raise errors.UsageError(case="outline yes" if args.yes and not args.fix else "outline two")
    book = context.book()
    wanted = args.one or args.chapter
    current = max(1, book.checkpoint().volume)
    number = args.volume or (planned_chapters.outlined_volume(book, wanted) if wanted else current)
    if args.fix:
        return _fix(context, number)
    if args.check:
        return show_findings(book, number)
    return show_block(book, number, wanted) if wanted else show_list(book, number)


def _read_outline(book: Book, volume: int) -> tuple[Outline, str]:
    """Return the outline and a line that says when it is only planned: a staged one waits for the nod."""
    path = outline_fix.path_in_force(book, volume)
    text = book.text(path)
    if text is None or path == layout.outline(volume):
        return book.need_outline(volume), ""
    found = outlines.parse(text, path)
    problems = outlines.bounds_problems(found)
    if problems:
        raise Problems(problems)
    return found, _waiting_line(path)


def _waiting_line(path: str) -> str:
    """Return the line that says that the outline is only planned; "" of a landed one."""
    return f"（还没定下来的规划：{path}）\n" if path.startswith(f"{layout.STAGING}/") else ""


def show_block(book: Book, volume: int, number: int) -> Answer:
    outline, waits = _read_outline(book, volume)
    if not outline.start <= number <= outline.end and number not in (h.chapter for h in outline.headings):
        raise errors.OutlineBeyond(
            outline.path, chapter=number, volume=volume, start=outline.start, end=outline.end
        )
    block = outlines.block(outline, number)
    [row], unread = recent_chapters.chapter_rows(
        book, [next(h for h in outline.headings if h.chapter == number)]
    )
    data = {"volume": volume, **row, "keys": dict(outlines.key_lines(block)), "block": block}
    told = [
        _row_line(row),
        *(f"  {one}" for one in author_view.plan_lines(block, shown_names.read(book))),
    ]
    moved_in = number <= book.adoption().last
    told += [f"  {_NEVER_PLANNED}"] if moved_in else []
    problems = [] if moved_in else outlines.key_problems(outline, number)
    code = FINDINGS if problems else DONE
    return build(data, waits + "\n".join(told), [*problems, *unread], code)


def show_list(book: Book, volume: int) -> Answer:
    outline, waits = _read_outline(book, volume)
    problems: list[Problem] = [*outlines.near_miss_problems(outline), *outlines.numbering_problems(outline)]
    rows, unread = recent_chapters.chapter_rows(book, outline.headings)
    data = {
        "volume": volume,
        "start": outline.start,
        "end": outline.end,
        "chapters": rows,
    }
    lengths = {row["chapter"]: row["chars"] for row in rows if row["written"]}
    done = f"，已写 {len(lengths)} 章 {sum(lengths.values()):,} 字" if lengths else ""
    lines = [f"{waits}第 {volume} 卷：第 {outline.start}-{outline.end} 章{done}"]
    lines += [f"  {_row_line(row)}" for row in rows]
    return build(data, "\n".join(lines), [*problems, *unread], FINDINGS if problems else DONE)


def _row_line(row: Mapping[str, Any]) -> str:
    """Return a chapter as a line: `第 12 章　夜渡　已写 3,012 字　4.20 分`."""
    parts = [f"第 {row['chapter']} 章", row["title"] or ""]
    parts.append(f"已写 {row['chars']:,} 字" if row["written"] else "")
    parts.append("" if row["overall"] is None else blocks.score_text(row["overall"]))
    return "　".join(part for part in parts if part)


def show_findings(book: Book, volume: int) -> Answer:
    """Return the outline with its findings and those of the plan around it, all as `diagnostics`."""
    found = outline_fix.inspect(book, volume)
    moved_in = volume in dict(book.adoption().volumes)
    problems = [] if moved_in else _with_plan(book, volume, found.outline.path, found.problems)
    wrong = any(p.severity != "info" for p in problems)
    data = {
        "volume": volume,
        "path": found.outline.path,
        "sound": not wrong,
        "chapters": len(found.outline.headings),
        "fixable": [near.line for near in found.fixable],
    }
    if moved_in:
        return build(data, f"第 {volume} 卷是{_NEVER_PLANNED}，没有要查的。")
    text = f"{_waiting_line(found.outline.path)}第 {volume} 卷大纲有 {len(found.outline.headings)} 章，"
    count = sum(p.severity != "info" for p in problems)
    text += f"{count} 处要改（见下）。" if wrong else "写法都对，和契约、日程、伏笔计划也对得上。"
    if found.fixable:
        text += f"\n其中 {len(found.fixable)} 处可以用 `novel outline --volume {volume} --fix` 改正。"
    return build(data, text, problems, FINDINGS if wrong else DONE)


def _with_plan(book: Book, volume: int, path: str, told: Sequence[Problem]) -> list[Problem]:
    """Return what is told, and what else is wrong with the volume's plan: contracts, schedule, threads."""
    staged = path.startswith(f"{layout.STAGING}/")
    found = _staged_plan_problems(book, volume) if staged else _landed_plan_problems(book, volume)
    known = {(problem.code, str(problem)) for problem in told}
    return [*told, *(problem for problem in found if (problem.code, str(problem)) not in known)]


def _staged_plan_problems(book: Book, volume: int) -> Sequence[Problem]:
    """Return what the step that makes the plan is refused for; () while a file of it is not written yet."""
    from novel_hooks.flows.planning.desk import PlanDesk

    found = PlanDesk(book, volume).step_files(step_name.volume_step(volume, "outline"))[1]
    return () if any(isinstance(problem, errors.OutputMissing) for problem in found) else found


def _landed_plan_problems(book: Book, volume: int) -> Sequence[Problem]:
    """Return what the checkup finds; that parts do not fit each other, a note there, is asked about here."""
    from novel_hooks.flows.doctor import plan

    found = plan.volume_problems(book, volume)
    for problem in found:
        problem.severity = "warning" if problem.severity == "info" else problem.severity
    return found


def _fix(context: Context, volume: int) -> Answer:
    from novel_hooks.cli import asking

    def go(shown: Repair | None) -> Answer:
        with context.writing() as session:
            found = outline_fix.land(session, volume, shown)
        text = describe_change(found)
        if found.changes:
            text = _describe_done(found) if shown else f"{text}\n{_describe_done(found)}"
        left = _unfixed_problems(found)
        return build(_document(found, found.changes), text, left, notes=session.notes)

    return asking.ask_first(context, lambda book: outline_fix.repair(book, volume), _offer, go)


def _offer(shown: Repair) -> Offer:
    from novel_hooks.cli.asking import Offer

    text = describe_change(shown)
    yes = f"novel outline --volume {shown.volume} --fix --yes"
    to_do = text if shown.changes else None
    return Offer(_document(shown, False), to_do, _headline(shown), yes, text, _unfixed_problems(shown))


def _document(found: Repair, changed: bool) -> dict[str, Any]:
    return {
        "volume": found.volume,
        "path": found.path,
        "changed": changed,
        "fixed": [
            {"line": n.line, "chapter": n.chapter, "before": n.text, "after": n.suggestion}
            for n in found.mended
        ],
        "line_ends": found.raw,
        "left": found.left,
    }


def _unfixed_problems(found: Repair) -> list[Problem]:
    return [errors.OutlineUnfixable(found.path, count=found.left, volume=found.volume)] if found.left else []


def _headline(found: Repair) -> str:
    parts = []
    if found.mended:
        parts.append(
            f"改写 {len(found.mended)} 行章标题（第 {'、'.join(str(n.line) for n in found.mended)} 行）"
        )
    if found.raw:
        parts.append("把换行统一成 LF、去掉 BOM")
    return f"{found.path} 会{'，'.join(parts)}"


def describe_change(found: Repair) -> str:
    """Return the lines on the repair."""
    if not found.changes:
        return f"{found.path} 没有能代你改的。"
    lines = [f"{_headline(found)}。"]
    for near in found.mended:
        lines += [f"第 {near.line} 行", f"- {near.text}", f"+ {near.suggestion}"]
    return "\n".join(lines)


def _describe_done(found: Repair) -> str:
    return f"已改好 {found.path}，别的一个字没动。"
