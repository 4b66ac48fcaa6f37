"""`novel diff 12`: compare two versions of a chapter. Reads only; `--html` writes one page."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any, Sequence
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, version_number
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.flows.review import versions
from novel_hooks.flows.review.versions import Version, Versions
from novel_hooks.rules.review import difference
from novel_hooks.rules.review.difference import Piece

_MOST = 60


def arguments(parser: Parser) -> None:
    parser.value("chapter", "章号", "看哪一章", type=chapter)
    what = "比哪两稿，如 1 3；只写一个，就和最后一稿比"
    parser.value("versions", "第几稿", what, type=version_number, nargs="*")
    parser.flag("--list", "只列出留下了哪几稿")
    parser.value("--html", "文件", "写成一页网页，用浏览器看全文")


def run(context: Context) -> Answer:
    args = context.args
    if len(args.versions) > 2:
        raise errors.UsageError(case="diff versions", chapter=args.chapter)
    found = versions.read(context.book(), args.chapter)
    pair = _pair(found, args.versions)
    data: dict[str, Any] = {"chapter": args.chapter, "versions": [_entry(one) for one in found.all]}
    if args.list or pair is None:
        only = [] if args.list else [f"第 {args.chapter} 章只有这一稿，没有可比的。"]
        return build(data, "\n".join([*_version_lines(found), *only]), found.problems)
    whole = difference.pieces(pair[0].text, pair[1].text)
    told = amount_text(whole, pair[0])
    title = f"第 {args.chapter} 章：{_name(pair[0])} → {_name(pair[1])}"
    data |= {
        "from": pair[0].number,
        "to": pair[1].number,
        "amount": difference.amount(whole)._asdict(),
        "pieces": [one._asdict() for one in whole],
    }
    if args.html:
        return _written(context, data, title, told, whole, found)
    lines = [*_version_lines(found), "", title, told, *_line_texts(whole, args.chapter)]
    return build(data, "\n".join(lines), found.problems)


def _pair(found: Versions, asked: Sequence[int]) -> tuple[Version, Version] | None:
    if not asked:
        return found.default_pair()
    older = found.find(asked[0])
    return older, (found.find(asked[1]) if len(asked) > 1 else found.all[-1])


def amount_text(whole: Sequence[Piece], before: Version) -> str:
    """Return how much was changed: `改了 3 处：删 12 字，增 20 字（原稿 3,120 字）。`."""
    counted = difference.amount(whole)
    of = f"（原稿 {before.chars:,} 字）" if counted.places else ""
    return f"{difference.counted_text(counted)}{of}。"


def _version_lines(found: Versions) -> list[str]:
    lines = [f"  {one.number}　{one.title}　{one.chars:,} 字" for one in found.all]
    return [f"第 {found.chapter} 章留下的稿子，从早到晚：", *lines]


def _name(one: Version) -> str:
    return f"{one.number} {one.title}"


def _entry(one: Version) -> dict[str, Any]:
    return {"number": one.number, "title": one.title, "path": one.path, "chars": one.chars}


def _line_texts(whole: Sequence[Piece], number: int) -> list[str]:
    lines, left = difference.numbered_lines(whole, _MOST)
    shown = [f"  {one}" for one in lines]
    return [*shown, f"另有 {left} 段；看全文：`novel diff {number} --html 对比.html`。"] if left else shown


def _written(
    context: Context, data: dict[str, Any], title: str, told: str, whole: Sequence[Piece], found: Versions
) -> Answer:
    from novel_hooks.rules.review import difference_page
    from novel_hooks.store.files import handover

    place = absolute_path(context.args.html)
    if not place.endswith((".html", ".htm")):
        raise errors.UsageError(case="diff html", place=context.args.html)
    handover.write_file(place, difference_page.html(title, told, whole).encode("utf-8"))
    return build({**data, "html": place}, f"{title}\n{told}\n写好了：{place}", found.problems)
