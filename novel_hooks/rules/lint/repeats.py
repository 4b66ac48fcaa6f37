"""Repeats in a chapter: openings, phrases, words of earlier chapters and of the plan, the last seam.

Phrases are compared by their Han characters alone, so a changed comma hides nothing. Only narration counts,
except for the seam, where the chapter's beginning repeats the last one's end: a character may repeat himself.
Source: craft notes §2, numbers 12 and 23.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.lint.sheet import HIDDEN, Sheet

COPIED = 16
SEAM = 20
EARLIER = 10
"""Least run of same Han characters: with the plan, with the last chapter's end, with an earlier chapter."""
PHRASE, PHRASE_TIMES = 6, 3
OPENING, OPENING_TIMES, OPENING_SHARE = 2, 5, 0.08
_SEAM_END, _SEAM_START = 500, 1000


class Repeat(Record):
    """A text with its places in the chapter; `source` names the other text that has it, "" for none.

    `places` are (start, end) offsets, `chars` counts Han characters.
    """

    text: str
    chars: int
    places: tuple[tuple[int, int], ...]
    source: str = ""


class HanText(Record):
    """The Han characters of a text in one string, with `\\n` where a break lies between two of them.

    `places` holds the offset of each character in the text.
    """

    text: str
    places: Sequence[int]


def repeated_openings(sheet: Sheet, names: Iterable[str]) -> list[Repeat]:
    """Return the two characters with which many narrated sentences begin, except those of a character's name.

    Many are five, and 8 % of the sentences. The most frequent come first.
    """
    from novel_hooks.rules.lint import rhythm  # passages are compared without it

    people = {name[:OPENING] for name in names if name}
    found: dict[str, list[tuple[int, int]]] = {}
    total = 0
    for start, end in rhythm.sentence_spans(sheet):
        sentence = sheet.story[start:end].lstrip(" \t\u3000”」』’")
        total += 1
        opening, begin = sentence[:OPENING], end - len(sentence)
        is_han = len(opening) == OPENING and all("\u4e00" <= mark <= "\u9fff" for mark in opening)
        if is_han and opening not in people:
            found.setdefault(opening, []).append((begin, begin + OPENING))
    least = max(OPENING_TIMES, total * OPENING_SHARE)
    often = [Repeat(text, OPENING, tuple(at)) for text, at in found.items() if len(at) >= least]
    return sorted(often, key=lambda one: (-len(one.places), one.text))


def without_allowed(found: Sequence[Repeat], allowed: Iterable[str]) -> list[Repeat]:
    """Return the repeats that are no part of a text the author allows, such as an oath."""
    terms = [_han_lines(term) for term in allowed]
    return [one for one in found if not any(one.text in term for term in terms)]


def repeated_phrases(line: HanText, names: Iterable[str]) -> list[Repeat]:
    """Return the phrases of six Han characters or more that the narration has three times or more.

    The longest come first. A phrase of which a name is at least half does not count.
    """
    at: dict[str, list[int]] = {}
    for index in range(len(line.text) - PHRASE + 1):
        at.setdefault(line.text[index : index + PHRASE], []).append(index)
    often = {gram: found for gram, found in at.items() if len(found) >= PHRASE_TIMES and "\n" not in gram}
    found: list[Repeat] = []
    covered: set[str] = set()
    for gram, starts in often.items():  # in the order of the text
        if gram in covered:
            continue
        length = PHRASE
        while True:
            after = line.text[starts[0] + length - PHRASE + 1 : starts[0] + length + 1]
            behind = {line.text[at + length : at + length + 1] for at in starts}
            if len(often.get(after, ())) != len(starts) or len(behind) != 1:
                break
            covered.add(after)
            length += 1
        places = tuple((line.places[i], line.places[i + length - 1] + 1) for i in starts)
        found.append(Repeat(line.text[starts[0] : starts[0] + length], length, places))
    people = {name for name in names if name}
    phrases = [
        one for one in found if not any(name in one.text and len(name) * 2 >= one.chars for name in people)
    ]
    return sorted(phrases, key=lambda one: (-one.chars, one.places))


def repeats_of_earlier(line: HanText, chapters: Sequence[tuple[int, str]]) -> list[Repeat]:
    """Return the narration of ten Han characters or more that one of the (number, text) has word for word."""
    return [one for number, text in chapters for one in shared_pieces(line, text, EARLIER, f"第 {number} 章")]


def copied_from_plan(sheet: Sheet, sources: Sequence[tuple[str, str]]) -> list[Repeat]:
    """Return the narration of sixteen Han characters or more that a source, outline or contract, has too.

    `sources` are (name, text). A new paragraph in the middle of the copy hides nothing.
    """
    if not sources:
        return []
    line = han_text(sheet.story, sheet.body, len(sheet.story), HIDDEN)
    return [one for name, text in sources for one in shared_pieces(line, text, COPIED, name)]


def repeated_seam(sheet: Sheet, before: str) -> list[Repeat]:
    """Return the pieces of the chapter's beginning that repeat twenty Han characters of the last end.

    `before` is the last chapter's text. Marks and paragraphs between the characters hide nothing.
    """
    end = "".join(one.text for one in Sheet(before).lines)[-_SEAM_END:]
    line = han_text(sheet.text, sheet.body, min(len(sheet.text), sheet.body + _SEAM_START), "")
    return shared_pieces(line, end, SEAM, "上一章末尾")


def han_text(text: str, start: int, end: int, breaks: str = "\n" + HIDDEN) -> HanText:
    """Return the Han characters between the offsets, broken at each mark of `breaks`."""
    marks: list[str] = []
    places: list[int] = []
    for index, mark in enumerate(text[start:end], start):
        if "\u4e00" <= mark <= "\u9fff" or "\u3400" <= mark <= "\u4dbf":
            marks.append(mark)
            places.append(index)
        elif mark in breaks and marks and marks[-1] != "\n":
            marks.append("\n")
            places.append(index)
    return HanText("".join(marks), places)


def shared_pieces(line: HanText, source: str, least: int, name: str = "") -> list[Repeat]:
    """Return the longest pieces of the line that the source has too, `least` characters or more."""
    grams = {
        piece[index : index + least]
        for piece in _han_lines(source).split("\n")
        for index in range(len(piece) - least + 1)
    }
    starts = range(len(line.text) - least + 1) if grams else ()
    shared = [start for start in starts if line.text[start : start + least] in grams]
    found: list[Repeat] = []
    end = 0
    for start in shared:
        if start < end:
            continue
        end = start + least
        while line.text[end - least + 1 : end + 1] in grams:
            end += 1
        place = (line.places[start], line.places[end - 1] + 1)
        found.append(Repeat(line.text[start:end], end - start, (place,), name))
    return found


def _han_lines(text: str) -> str:
    """Return the Han characters and the line ends of a text."""
    return "".join([mark for mark in text if "\u3400" <= mark <= "\u9fff" or mark == "\n"])
