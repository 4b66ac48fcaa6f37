"""`novel adopt BOOK…`: adopt an unfinished book. It is shown first, then landed as a whole.

Exit 0 also when there was nothing to do or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

import re
import shlex
from re import Pattern as Compiled

from novel_hooks import errors
from novel_hooks.annotations import Any, Iterator
from novel_hooks.cli import asking
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.flows.adoption import adopt, sources
from novel_hooks.flows.adoption.adopt import Preview
from novel_hooks.rules.manuscript import left_out
from novel_hooks.rules.manuscript.book import Chapter
from novel_hooks.rules.text import length, typed_words
from novel_hooks.store.formats import encodings

_SHOWN = 6
_UNCHANGED = "这些章早已搬进来了，没有改动。"


def arguments(parser: Parser) -> None:
    parser.value(
        "books",
        "书",
        "TXT、Markdown、EPUB、DOCX，一个或几个，或一个文件夹；不写就是放进这本书文件夹里的那些",
        nargs="*",
    )
    parser.value("--encoding", "编码", "TXT 是什么编码，如 gb18030；默认自己认")
    parser.value("--pattern", "正则", "章标题的写法：第一个括号是章号，第二个是章名")
    parser.flag("--drop-notes", "章末的作者有话说、求票不要")
    parser.flag("--yes", "不再询问，直接搬")


def run(context: Context) -> Answer:
    args = context.args
    known = ("utf-8", *encodings.ENCODINGS)
    if args.encoding is not None and args.encoding.lower() not in known:
        raise errors.UsageError(case="import encoding", encoding=args.encoding, known="、".join(known))
    encoding = args.encoding.lower() if args.encoding else None
    own = context.project().root
    paths = [absolute_path(path) for path in args.books] or [own]
    reading = sources.read(paths, encoding, _pattern(args.pattern), own)
    return asking.ask_first(
        context,
        lambda book: adopt.preview(book, reading, args.drop_notes),
        lambda shown: _offer(context, shown),
        lambda _shown: _execute(context, reading),
    )


def _pattern(typed: str | None) -> Compiled[str] | None:
    if typed is None:
        return None
    try:
        return re.compile(typed, re.MULTILINE)
    except re.error as wrong:
        raise errors.AdoptPattern(pattern=typed, reason=f"从第 {(wrong.pos or 0) + 1} 个字起读不通") from None


def _offer(context: Context, shown: Preview) -> Offer:
    args, words = context.args, ["novel", "adopt", *map(shlex.quote, context.args.books)]
    for option in ("encoding", "pattern"):
        value = getattr(args, option)
        words += [f"--{option}", shlex.quote(value)] if value else []
    words += ["--drop-notes"] if args.drop_notes else []
    text = "\n".join(_lines(shown)) if shown.fresh else None
    return Offer(_document(shown, False), text, _headline(shown), " ".join([*words, "--yes"]), _UNCHANGED)


def _execute(context: Context, reading: sources.Reading) -> Answer:
    with context.writing() as session:
        found = adopt.run(session, reading, context.args.drop_notes)
    if not found.fresh:
        return build(_document(found, False), _UNCHANGED, notes=session.notes)
    text = f"{_headline(found, '搬进来了')}。接着做设定：在 Claude Code 里输入 /novel:start。"
    return build(_document(found, True), text, notes=session.notes)


def _headline(shown: Preview, verb: str = "搬进") -> str:
    if not shown.fresh:
        return ""
    first, last = shown.fresh[0].number, shown.fresh[-1].number
    chars = sum(one.chars for one in shown.fresh)
    return (
        f"{verb} {len(shown.fresh)} 章（{_range(first, last)}），{len(shown.book.volumes)} 卷，共 {chars} 字"
    )


def _range(first: int, last: int) -> str:
    return f"第 {first} 章" if first == last else f"第 {first}–{last} 章"


def _lines(shown: Preview) -> Iterator[str]:
    """Yield the preview for the author."""
    for file in shown.reading.files[:_SHOWN]:
        yield f"{file['name']}：按 {file['encoding']} 读，开头是「{file['begins']}」"
        if file["left_out"]:
            yield f"  不收的：{left_out.describe(file['left_out'])}"
    if len(shown.reading.files) > _SHOWN:
        yield f"…共 {len(shown.reading.files)} 个文件"
    yield f"会{_headline(shown)}。"
    shorter = sorted(shown.fresh, key=lambda one: one.chars)
    shown_chapters = (
        shown.fresh if len(shown.fresh) <= 2 * _SHOWN else (*shown.fresh[:_SHOWN], *shown.fresh[-3:])
    )
    for at, one in enumerate(shown_chapters):
        if at == _SHOWN and len(shown.fresh) > 2 * _SHOWN:
            yield "  …"
        yield f"  第 {one.number} 章 {one.title or ''}（{one.chars} 字）"
    yield f"最短的是第 {shorter[0].number} 章，最长的是第 {shorter[-1].number} 章。"
    yield from _volume_lines(shown)
    yield from _odd_lines(shown)
    yield "点头之后一次入库，原来的文件不动。"


def _volume_lines(shown: Preview) -> Iterator[str]:
    """Yield a line a volume: `第 2 卷 上岸：第 5–8 章`; none where all is one without a name."""
    chapters: dict[int, list[int]] = {}
    for one in shown.fresh:
        chapters.setdefault(one.volume, []).append(one.number)
    titles = shown.book.volumes
    if len(chapters) == 1 and not any(titles.values()):
        return
    for volume, numbers in [*chapters.items()][: 2 * _SHOWN]:
        name = f"第 {volume} 卷 {titles[volume]}" if titles.get(volume) else f"第 {volume} 卷"
        yield f"{name}：{_range(numbers[0], numbers[-1])}"


def _odd_lines(shown: Preview) -> Iterator[str]:
    odd = shown.odd
    if shown.known:
        yield f"其中 {shown.known} 章书里已经有了，一字不差，不再搬。"
    if odd.gaps:
        yield f"原来的章号缺了：{typed_words.number_list(odd.gaps)}"
    if odd.doubles:
        yield f"原来的章号重了：{typed_words.number_list(odd.doubles)}"
    if odd.unnumbered:
        which = typed_words.number_list(odd.unnumbered)
        yield f"没有章号，当作一章：第 {which} 章；是封面、笔记、旧稿就先拿到别处"
    if odd.empty:
        yield f"没有正文：第 {typed_words.number_list(odd.empty)} 章"
    for written, number in odd.shifted[:_SHOWN]:
        yield f"原来的第 {written} 章会是书里的第 {number} 章，后面的跟着数"
    extras = [(one.number, title) for one in shown.fresh for title in one.extras]
    for number, title in extras[:_SHOWN]:
        yield f"「{title}」跟着第 {number} 章，另起一节"
    if shown.book.contents:
        yield f"目录 {shown.book.contents} 处，不收"
    if shown.book.front.strip():
        yield f"书前的文字收进 {adopt.front_place(shown)}"
    if shown.reading.faint:
        first = shown.reading.faint[0]
        yield f"像一句话、照号和位置当作标题的有 {len(shown.reading.faint)} 行，如「{first}」"
    for line in shown.reading.left[:_SHOWN]:
        yield f"「{line}」像章标题，号接不上，或没有像别的章那样标出来，当正文留着"
    yield from _note_lines([one for one in shown.fresh if one.note])


def _note_lines(noted: list[Chapter]) -> Iterator[str]:
    if noted:
        which = typed_words.number_list(one.number for one in noted)
        first = noted[0].note.split("\n")[0]
        chars = sum(length.length(one.note) for one in noted)
        yield f"第 {which} 章末尾有作者的话（如「{first}」），共 {chars} 字：不要的话加 --drop-notes"


def _document(shown: Preview, changed: bool) -> dict[str, Any]:
    return {
        "changed": changed,
        "files": list(shown.reading.files),
        "chapters": [
            {
                "number": one.number,
                "written": one.written,
                "title": one.title,
                "chars": one.chars,
                "volume": one.volume,
                "extras": list(one.extras),
                "note": one.note or None,
            }
            for one in shown.fresh
        ],
        "volumes": [
            {"number": number, "title": title} for number, title in sorted(shown.book.volumes.items())
        ],
        "known": shown.known,
        "gaps": list(shown.odd.gaps),
        "doubles": list(shown.odd.doubles),
        "empty": list(shown.odd.empty),
        "shifted": [{"written": written, "number": number} for written, number in shown.odd.shifted],
        "unnumbered": list(shown.odd.unnumbered),
        "contents": shown.book.contents,
        "left": list(shown.reading.left),
        "faint": list(shown.reading.faint),
    }
