"""The sections of the world's pages that name a chapter's places, people or things. Pure.

A section is a Markdown heading with the text below it, up to the next heading of any level. Source:
protocol §7.
"""

from __future__ import annotations

from novel_hooks.annotations import Collection, Iterable, Mapping, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text import length
from novel_hooks.rules.text.json_values import objects, strings

LIMIT = 3000
"""The most 字 of all sections together."""
OTHERS = 1200
"""The most 字 of all sections together when some name nothing, such as prices and forms of address."""

_HEADING = Pattern(r"#{1,6}\s+(.*?)\s*#*\s*\Z")
_BREAKS = Pattern(r"[^\w]+")
_PLACED = ("location", "holds", "inventory")
_SHORTEST = 2


def sections(text: str) -> list[str]:
    """Return the page's sections in order, each with its heading line; those without a text are left out."""
    found: list[list[str]] = [[]]
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if not fenced and _HEADING.match(line):
            found.append([])
        found[-1].append(line)
    whole = ("\n".join(lines).strip("\n") for lines in found)
    return [section for section in whole if _text_of(section).strip()]


def place_phrases(contract: Contract, key_lines: Mapping[str, str]) -> list[str]:
    """Return the words of contract and outline on the people's places and possessions.

    Of the Location line they are the words before its first comma, because times follow.
    """
    states = contracts.preconditions(contract).get("character_states")
    listed = objects([*states.values()]) if isinstance(states, dict) else []
    held = [part for state in listed for key, part in state.items() if key in _PLACED]
    return [key_lines.get("Location", "").replace(",", "，").partition("，")[0], *strings(held)]


def choose(
    pages: Sequence[str],
    names: Iterable[str],
    phrases: Iterable[str],
    plan: str,
    everybody: Collection[str] = (),
) -> list[str]:
    """Return the sections for the packet, those with the most names first; together at most `LIMIT` 字.

    `names` are whole names of people and things. Of the `phrases` the longest pieces that stand in a page
    count: `盐仓后院` names 盐仓. A heading that the `plan` names counts before all others. A section that is
    too long gives those of its paragraphs that name something, while there is room. Sections that name
    nothing and none of `everybody` follow when all together are short (`OTHERS`).
    """
    listed = [section for page in pages for section in sections(page)]
    whole = "\n".join(listed)
    words = {name for name in names if len(name) >= _SHORTEST and name in whole}
    words.update(word for phrase in phrases for word in _known_pieces(phrase, whole))
    ranked = sorted(dict.fromkeys(listed), key=lambda section: _rank(section, words, plan))
    room, given = LIMIT, list[str]()
    for section in (one for one in ranked if _rank(one, words, plan) < (0, 0)):
        fitting = section if length.length(section) <= room else _paragraphs(section, words, room)
        room -= length.length(fitting)
        given += [fitting] if fitting else []
    for section in (one for one in ranked if _rank(one, words, plan) == (0, 0)):
        size = length.length(section)
        if LIMIT - room + size <= OTHERS and not any(name in section for name in everybody):
            room -= size
            given.append(section)
    return given


def _rank(section: str, words: Iterable[str], plan: str) -> tuple[int, int]:
    """Return the rank of a section, the one to give first lowest; (0, 0) for one that names nothing."""
    heading = _heading_of(section)
    named = len(heading) >= _SHORTEST and (heading in plan or any(word in heading for word in words))
    return -int(named), -sum(word in section for word in words)


def _known_pieces(phrase: str, whole: str) -> list[str]:
    """Return the longest pieces of the phrase that stand in the pages, from its beginning on."""
    found: list[str] = []
    for part in _BREAKS.split(phrase):
        at, part = 0, part or ""
        while at + _SHORTEST <= len(part):
            end = at + _SHORTEST
            while end <= len(part) and part[at:end] in whole:
                end += 1
            piece = part[at : end - 1]
            found += [piece] if len(piece) >= _SHORTEST and not piece.isascii() else []
            at += len(piece) if len(piece) >= _SHORTEST else 1
    return found


def _paragraphs(section: str, words: Iterable[str], room: int) -> str:
    """Return the heading and the paragraphs that name one of the words, as far as there is room; else ""."""
    heading = section.partition("\n")[0] if _heading_of(section) else ""
    kept, left = [heading] * bool(heading), room - length.length(heading)
    for paragraph in _text_of(section).split("\n"):
        size = length.length(paragraph)
        if 0 < size <= left and any(word in paragraph for word in words):
            kept.append(paragraph)
            left -= size
    return "\n\n".join(kept) if len(kept) > bool(heading) else ""


def _heading_of(section: str) -> str:
    found = _HEADING.match(section.partition("\n")[0])
    return (found.group(1) or "") if found else ""


def _text_of(section: str) -> str:
    first, _, rest = section.partition("\n")
    return rest if _HEADING.match(first) else section
