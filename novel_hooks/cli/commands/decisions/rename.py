"""`novel rename OLD NEW [--text] [--alias] [--yes]`: replace a name in the whole book.

Exit 0 also when the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator
from novel_hooks.cli import asking
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.pipeline import rename
from novel_hooks.flows.pipeline.rename import Preview
from novel_hooks.rules.state.operations import SECTIONS

_SHOWN = 20
_PLACES = (
    ("characters/", "角色档案"),
    ("world/", "世界设定"),
    ("brief.md", "立意"),
    ("storylines/storyline", "故事线"),
    ("storylines/", "故事线记忆"),
    ("summaries/", "各章摘要"),
    ("foreshadowing/", "伏笔记录"),
    ("state/current-state.json", "故事状态"),
    ("state/changelog.jsonl", "状态的变更记录"),
    ("state/", "串线记录"),
    (".novel/decisions.json", "你答过的问题"),
    (".novel/ignored-names.json", "不用建档的名字"),
    (".novel/", "伏笔的备忘"),
    ("logs/", "没有档案的名字"),
    ("chapters/", "入库的正文"),
)
_PLANNED = (
    ("/outline.md", "大纲"),
    ("/storyline-schedule.json", "故事线日程"),
    ("/foreshadowing.json", "伏笔计划"),
    ("/chapter-contracts/", "各章契约"),
    ("", "分卷规划"),
)


def arguments(parser: Parser) -> None:
    parser.value("old", "旧名", "角色的名字或别名，或者地点、物品的名字")
    parser.value("new", "新名", "还没有用过的名字")
    parser.flag("--text", "入库的正文也改（不写就只改设定、规划和记录）")
    parser.flag("--alias", "旧名留作这个角色的别名")
    parser.flag("--yes", "不再询问，直接改名")


def run(context: Context) -> Answer:
    args = context.args
    return asking.ask_first(
        context,
        lambda book: rename.preview(book, args.old, args.new, args.text, args.alias),
        lambda shown: _offer(shown, args.text),
        lambda shown: _execute(context, shown),
    )


def _offer(shown: Preview, text: bool) -> Offer:
    options = f"{' --text' if text else ''}{' --alias' if shown.alias else ''}"
    yes = f"novel rename {shown.old} {shown.new}{options} --yes"
    told = f"{_describe(shown)}\n旧的存进存档，可以用 `novel restore` 取回。"
    return Offer(_document(shown, None), told, _headline(shown), yes, "")


def _execute(context: Context, shown: Preview | None) -> Answer:
    args = context.args
    with context.writing() as session:
        found = rename.run(session, args.old, args.new, args.text, args.alias, shown)
    number = found.archive.partition("-")[0]
    if found.repeat:
        told = f"「{args.old}」早已改名「{args.new}」，没有改动。想改回来，运行 `novel restore {number}`。"
        return build(_document(found.preview, None), told, notes=session.notes)
    told = f"{_describe(found.preview)}\n已经改好。想改回来，运行 `novel restore {number}`。"
    return build(_document(found.preview, found.archive), told, notes=session.notes)


def _document(shown: Preview, archive: str | None) -> dict[str, Any]:
    return {
        "old": shown.old,
        "new": shown.new,
        "changed": archive is not None,
        "things": list(shown.things),
        "archive": archive,
        "files": [{"path": path, "count": count} for path, count in shown.files],
        "left": [{"path": path, **one._asdict()} for path, one in shown.left],
        "texts": [{"path": path, "count": count} for path, count in shown.texts],
    }


def _headline(shown: Preview) -> str:
    total = sum(count for _, count in shown.files)
    alias = "，旧名留作别名" if shown.alias else ""
    return f"「{shown.old}」改名「{shown.new}」，{len(shown.files)} 个文件 {total} 处{alias}"


def _describe(shown: Preview) -> str:
    lines = [f"{_headline(shown)}：", *_file_lines(shown)]
    if shown.things:
        things = "、".join(SECTIONS[one] for one in shown.things)
        lines.append(f"故事状态里也有叫「{shown.old}」的{things}，一起改名。")
    if shown.texts:
        total = sum(count for _, count in shown.texts)
        left = f"入库的正文不动：{len(shown.texts)} 章里还有 {total} 处旧名。也要改，加上 --text"
        lines.append(f"{left}{'' if shown.alias else '；不改的，人物的旧名可以加 --alias 留作别名'}。")
    if shown.left:
        lines += [f"这 {len(shown.left)} 处没有把握是这个名字，照旧留着，请自己看：", *_left_lines(shown)]
    return "\n".join(lines)


def _file_lines(shown: Preview) -> Iterator[str]:
    """Yield a line for each kind of file: how many files, how many places."""
    groups: dict[str, list[int]] = {}
    for path, count in shown.files:
        groups.setdefault(_place_name(path), []).append(count)
    for name, counts in groups.items():
        files = f"{len(counts)} 份，" if len(counts) > 1 else ""
        yield f"  {name}　{files}{sum(counts)} 处"


def _left_lines(shown: Preview) -> Iterator[str]:
    for path, one in shown.left[:_SHOWN]:
        why = f"（「{one.part_of}」的一部分）" if one.part_of else ""
        yield f"  {path} 第 {one.line} 行：{one.quote}{why}"
    if len(shown.left) > _SHOWN:
        yield f"  另有 {len(shown.left) - _SHOWN} 处，--json 列出全部"


def _place_name(path: str) -> str:
    if path.startswith("volumes/"):
        return next(name for part, name in _PLANNED if part in path)
    return next((name for start, name in _PLACES if path.startswith(start)), path)
