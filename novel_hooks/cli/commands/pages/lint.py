"""`novel lint CHAPTER`: report the countable facts of a chapter's prose. Reads only.

Source: craft notes §2.
"""

from __future__ import annotations

import os

from novel_hooks import errors
from novel_hooks.annotations import Any, Iterable, Iterator, Mapping
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context, missing_file, read_file
from novel_hooks.errors import DONE, FINDINGS
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.checks import lint
from novel_hooks.flows.checks.lint import Linted
from novel_hooks.store.formats.text import decode

_SHOWN = 30


def arguments(parser: Parser) -> None:
    parser.value("chapter", "章号", "有暂存的查暂存的，否则查入库的", nargs="?", type=chapter)
    parser.value("--file", "文件", "查任何一份文字（路径从当前文件夹算起）；再写章号，就与那一章对照")


def run(context: Context) -> Answer:
    args = context.args
    if args.file is None and args.chapter is None:
        raise errors.UsageError(case="lint chapter")
    if args.file is None:
        found = lint.run(context.book(), args.chapter)
    else:
        found = lint.text_report(_book(context), _read_text(context, args.file), args.file, args.chapter)
    data = {"chapter": args.chapter, "path": found.path, "staged": found.staged, **found.report}
    exit = FINDINGS if found.report["residue"] or found.report["misspelt"] else DONE
    return build(data, describe(found, None if args.file else args.chapter), found.problems, exit)


def _book(context: Context) -> Book | None:
    """The project around, whose word list and style are used; any text may be looked at without one."""
    try:
        return context.book()
    except errors.NotAProject:
        if context.args.project or context.args.chapter:
            raise
        return None


def _read_text(context: Context, place: str) -> str:
    if not os.path.isfile(place):
        raise missing_file(context, place, "要查的文件")
    return decode(read_file(place, "lint size"), place)


def describe(found: Linted, number: int | None) -> str:
    """Return the blocking findings, the advice, the numbers; with line numbers and short quotes."""
    report = found.report
    title = f"第 {number} 章（{'暂存的正文' if found.staged else '入库的正文'}）" if number else found.path
    head = f"{title}：{report['chars']} 字（只数汉字 {report['han']}）"
    residue = report["residue"]
    blocks = [f"  第 {one['line']} 行　{one['name']}：{one['quote']}" for one in residue[:_SHOWN]]
    if len(residue) > _SHOWN:
        blocks.append(f"  另有 {len(residue) - _SHOWN} 处，--json 列出全部")
    looks = list(_advice_lines(report))
    names = [
        f"  第 {one['line']} 行　把「{one['name']}」写成了「{one['written']}」：{one['quote']}"
        for one in report["misspelt"]
    ]
    lines = [head, ""]
    lines += ["必须先改的残留：", *blocks] if blocks else []
    lines += ["必须先改的名字：", *names] if names else []
    lines += [] if blocks or names else ["没有必须先改的残留。"]
    lines += ["", "值得看一眼（不拦）：", *looks] if looks else ["", "没有特别要看的地方。"]
    return "\n".join([*lines, "", "数字：", *_number_lines(report)])


def _advice_lines(report: Mapping[str, Any]) -> Iterator[str]:
    for one in report["advice"]:
        limit = f"，{one['allowed']:g} 处以内为好" if one["allowed"] else ""
        yield f"  {one['kind']}　{one['name']}：{one['count']} 处{limit}；{one['advice']}"
        yield from _place_lines(one["places"], one["count"])
    repeats = report["repeats"]
    for name, listed in (
        ("句子都这样开头", repeats["openings"]),
        ("同一句话说了几遍", repeats["phrases"]),
        ("前文写过一样的话", repeats["earlier"]),
        ("照抄大纲或契约", report["copied"]),
        ("重复了上一章的结尾", report["seam"]),
    ):
        for one in listed:
            source = f"（{one['source']}）" if one["source"] else f"，{one['count']} 处"
            yield f"  重复　{name}：「{one['text']}」{source}"
            yield from _place_lines(one["places"], one["count"])


def _place_lines(places: Iterable[Mapping[str, Any]], count: int) -> Iterator[str]:
    shown = list(places)
    for place in shown:
        yield f"    第 {place['line']} 行　{place['quote']}".rstrip()
    if count > len(shown) > 0:
        yield f"    还有 {count - len(shown)} 处"


def _number_lines(report: Mapping[str, Any]) -> Iterator[str]:
    measures, wanted, worn = report["measures"], report["wanted"], report["blacklist"]
    kinds = f"（{'、'.join(report['kinds_over'])}）" if report["kinds_over"] else ""
    yield f"  机器味　{report['weight']}{kinds}"
    yield f"  词表命中　{worn['count']} 处，每千字 {worn['per_1000']} 处"
    for one in worn["words"]:
        lines = "、".join(map(str, one["lines"]))
        yield f"    {one['word']}　{one['count']} 处，第 {lines} 行"
    for name, key, asked in (
        ("句长", "sentence_length", wanted.get("sentence_length")),
        ("段长", "paragraph_chars", wanted.get("paragraph_chars", wanted.get("paragraph_length"))),
    ):
        length = measures[key]
        if length:
            told = f"平均 {length['mean']}，标准差 {length['sd']}，{length['min']} 到 {length['max']}"
            yield f"  {name}　{told}{_profile_text(asked)}"
    speech = _profile_text(_percents(wanted.get("dialogue_ratio")))
    yield f"  对话　占 {measures['dialogue_ratio']:.0%}{speech}"


def _percents(wanted: Any) -> Any:
    """Return a range of shares as the author reads the measured one: `[0.18, 0.4]` → `["18%", "40%"]`."""
    found = wanted if isinstance(wanted, list) else [wanted]
    if not all(isinstance(one, (int, float)) and 0 <= one <= 1 for one in found):
        return wanted
    return [f"{one:.0%}" for one in found]


def _profile_text(wanted: Any) -> str:
    if wanted is None:
        return ""
    if isinstance(wanted, dict):
        shown = "，".join(f"{_NAMES[key]} {wanted[key]}" for key in _NAMES if key in wanted)
    else:
        shown = " 到 ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
    return f"（文风档案：{shown}）" if shown else ""


_NAMES = {"mean": "平均", "sd": "标准差", "min": "最短", "max": "最长"}
