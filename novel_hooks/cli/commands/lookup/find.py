"""`novel find 词`: find the sentences with a word, and the people who know or have it by the state.

Reads only.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any, Callable
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.recall import find
from novel_hooks.flows.recall.find import Hit, Occurrences
from novel_hooks.flows.recall.setting_pages import PageHit
from novel_hooks.flows.review import shown_names
from novel_hooks.rules.cast.field_words import WORDS
from novel_hooks.rules.recall import sentences
from novel_hooks.rules.text import typed_words

_PAGES = 12


def arguments(parser: Parser) -> None:
    parser.value("word", "词", "人名、别名、物品、地名、一件秘密，或任何一个词")
    parser.flag("--exact", "只找这个词，不连他的别的名字一起找")
    parser.flag("--all", "全部列出（默认只列最近的 30 句）")


def run(context: Context) -> Answer:
    word = context.args.word.strip()
    if typed_words.is_blank(word):
        raise errors.UsageError(case="find blank")
    book = context.book()
    found = find.run(book, word, context.args.exact, context.args.all)
    names = shown_names.read(book) if found.pages else {}
    told = describe(word, found, context.args.all, lambda path: shown_names.of_path(book, path, names))
    return build(document(word, found), told, found.problems)


def document(word: str, found: Occurrences) -> dict[str, Any]:
    """Return the data of `find`, with chapters as their numbers."""
    return {
        "word": word,
        "words": list(found.words),
        "name": found.name,
        "chapters": list(found.chapters),
        "hits": [one._asdict() for one in found.hits],
        "more": found.more,
        "pages": [one._asdict() for one in found.pages],
        "facts": [one._asdict() for one in found.facts],
        "recorded": found.recorded,
        "near": found.near,
        "shared": list(found.shared),
    }


def describe(
    word: str, found: Occurrences, every: bool, name_of: Callable[[str], str | None] = lambda _path: None
) -> str:
    """Return the sentences as lines, the word marked; then setting and outlines, then people's facts.

    `name_of` returns the name of the person or thing that a page is about.
    """
    lines = []
    others = [one for one in found.words if one != word]
    if others:
        lines.append(f"连{'、'.join(f'「{one}」' for one in others)}一起找；只找「{word}」加 --exact。")
    if found.shared:
        lines.append(f"{'、'.join(found.shared)}都叫「{word}」，只找了这个词。")
    if not (found.hits or found.pages or found.facts):
        if found.recorded:
            return "\n".join([*lines, f"「{word}」只记在{found.recorded}里；写好的章、设定和大纲里都没有。"])
        near = f"是不是「{found.near}」？" if found.near and found.near != word else ""
        return "\n".join([*lines, f"写好的章、设定和大纲里都没有「{word}」。{near}"])
    lines += _chapter_lines(word, found)
    lines += _page_lines(found, every, name_of)
    lines += _fact_lines(found, every)
    return "\n".join(lines)


def _chapter_lines(word: str, found: Occurrences) -> list[str]:
    if not found.hits:
        return [f"写好的章里没有「{word}」。"]
    count, first, last = len(found.chapters), found.chapters[0], found.chapters[-1]
    where = f"第 {first} 章" if first == last else f"第 {first} 章到第 {last} 章之间的 {count} 章"
    lines = [f"正文里，{where}写到，从近到远："]
    lines += [_hit_line(hit, found) for hit in found.hits]
    left = [n for n in found.chapters if n < found.hits[-1].chapter]
    more = [f"第 {found.hits[-1].chapter} 章另有 {found.more} 句"] if found.more else []
    more += [f"更早的还有 {len(left)} 章（最早第 {left[0]} 章）"] if left else []
    return [*lines, f"{'，'.join(more)}；全部列出加 --all。"] if more else lines


def _hit_line(hit: Hit, found: Occurrences) -> str:
    storyline = f"　{hit.storyline}" if hit.storyline else ""
    return f"  第 {hit.chapter} 章第 {hit.line} 行{storyline}　{_marked(hit.text, found)}"


def _page_lines(found: Occurrences, every: bool, name_of: Callable[[str], str | None]) -> list[str]:
    shown = found.pages if every else found.pages[:_PAGES]
    lines = ["设定和大纲里："] if shown else []
    lines += [f"  {_page_name(one, name_of(one.path))}　{_marked(one.text, found)}" for one in shown]
    left = len(found.pages) - len(shown)
    return [*lines, f"另有 {left} 处；全部列出加 --all。"] if left else lines


def _fact_lines(found: Occurrences, every: bool) -> list[str]:
    shown = found.facts if every else found.facts[:_PAGES]
    lines = ["谁知道、谁有（人物的现状）："] if shown else []
    lines += [f"  {'　'.join([one.person, *_key_word(one.key), _marked(one.text, found)])}" for one in shown]
    left = len(found.facts) - len(shown)
    return [*lines, f"另有 {left} 处；全部列出加 --all。"] if left else lines


def _key_word(key: str) -> list[str]:
    """Return the word for a fact's key, the author's own as it is; none for another."""
    word = WORDS.get(key, "" if key.isascii() else key)
    return [word] if word else []


def _page_name(one: PageHit, about: str | None) -> str:
    where = one.where if about is None else f"{one.where}「{about}」"
    return f"{where}（{one.path}" + ("）" if one.line is None else f" 第 {one.line} 行）")


def _marked(text: str, found: Occurrences) -> str:
    return sentences.marked(sentences.excerpt(text, found.words), found.words)
