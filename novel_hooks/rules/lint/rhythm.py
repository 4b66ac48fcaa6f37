"""The rhythm of a chapter: lengths of sentences and paragraphs, and their distance from the style profile.

Lengths and shares are measured as in `rules.text.style_measures`, which measures the profile's samples too.
Source: craft notes §2, numbers 12, 14, 15, 17 and 21; protocol §1 (`style-profile.json`).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Callable, Iterable, Iterator, Mapping, Sequence
from novel_hooks.rules.lint.habits import Finding, is_han, with_line_breaks
from novel_hooks.rules.lint.sheet import HIDDEN, Sheet
from novel_hooks.rules.text import length as text_length
from novel_hooks.rules.text import numerals, style_measures

Place = tuple[int, int]
PlacesOf = Callable[["Sheet", float, float], list[Place]]

_ANY = float("inf")
_SENTENCE_MARKS = "。！？!?…—"
_CLAUSE_MARKS = "，。！？；：,!?;:…—、"
_EVEN_SD = 6
_EVEN_CV = 0.3
_SHORT, _SHORT_RUN = 5, 6
_LONG_PARAGRAPH = 200
_SAME_RUN = 3
_FOUR, _FOUR_RUN = 4, 3
_EVERYDAY = "了着过的得他她它我你在把被就也又都还没是说到个才这那"
_SHIPPED = {
    "sentence_length": {"mean": 22, "sd": 11},
    "paragraph_chars": [15, 160],
    "dialogue_ratio": [0.25, 0.5],
}
_NEAR = 0.35
"""Share by which a mean may differ from the wanted one."""
_NEAR_RATIO = 0.15


def measures(sheet: Sheet) -> dict[str, Any]:
    """Return the lengths and shares of the chapter's prose, as `rules.text.style_measures` measures them.

    Letters, notices and panels are left out, as in an author's samples. `{paragraphs, sentences,
    sentence_length, paragraph_chars, dialogue_ratio}`; lengths are in characters.
    """
    found = style_measures.paragraphs(sheet.prose())
    lengths = [
        text_length.length(one) for paragraph in found for one in style_measures.sentences(paragraph.text)
    ]
    return {
        "paragraphs": len(found),
        "sentences": len(lengths),
        "sentence_length": style_measures.measure(lengths),
        "paragraph_chars": style_measures.measure(
            [text_length.length(paragraph.text) for paragraph in found]
        ),
        "dialogue_ratio": style_measures.dialogue_ratio(found),
    }


def chosen(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Return the profile without the numbers of our former template, which nobody chose or measured."""
    shipped = {} if profile.get("samples") else _SHIPPED
    return {key: wanted for key, wanted in profile.items() if wanted != shipped.get(key)}


def findings(sheet: Sheet, numbers: Mapping[str, Any], profile: Mapping[str, Any]) -> list[Finding]:
    """Return the findings about a rhythm that is too even, too uneven, or far from the profile.

    `numbers` are those of `measures`. Evenness and profile need forty sentences.
    """
    passages = list(_passages(sheet))
    found = [*_set_phrase_findings(sheet, passages), *_same_start_findings(sheet, passages)]
    if numbers["sentences"] >= style_measures.FEWEST_SENTENCES:
        found += _evenness_findings(sheet, numbers)
        found += _profile_findings(sheet, numbers, profile)
    return [*found, *_short_run_findings(sheet), *_long_paragraph_findings(sheet)]


def sentence_spans(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the narration's sentences without their marks; speech ends a sentence."""
    return line_spans(with_line_breaks(sheet.story, _SENTENCE_MARKS), sheet.body)


def _paragraph_places(sheet: Sheet, least: float, most: float, spoken: bool | None = None) -> list[Place]:
    """Return the paragraphs of `least` to `most` characters, in order; `spoken`: with speech, or without."""
    speech = {sheet.line(start) for start, _ in sheet.spans}
    return [
        (line.start, line.end)
        for line in sheet.lines
        if any(map(str.isalnum, line.text))
        and least <= text_length.length(line.text) <= most
        and spoken in (None, line.number in speech)
    ]


def _evenness_findings(sheet: Sheet, numbers: Mapping[str, Any]) -> Iterator[Finding]:
    length, paragraph = numbers["sentence_length"], numbers["paragraph_chars"]
    if length["sd"] < _EVEN_SD:
        advice = f"句长的标准差只有 {length['sd']}（宜 8 到 18）：紧要处放一句长的，过门一句就完"
        yield Finding(14, "句式", "句子差不多长", 1, 0, advice, ())
    if paragraph["mean"] and paragraph["sd"] / paragraph["mean"] < _EVEN_CV:
        mean, share = paragraph["mean"], round(paragraph["sd"] / paragraph["mean"], 2)
        advice = f"段长的变异系数只有 {share}（宜 0.4 到 1.2）：并成一大一小"
        places = _paragraph_places(sheet, mean * (1 - _EVEN_CV), mean * (1 + _EVEN_CV))
        yield Finding(17, "段落", "段落差不多长", 1, 0, advice, tuple(places))


def _profile_findings(
    sheet: Sheet, numbers: Mapping[str, Any], profile: Mapping[str, Any]
) -> Iterator[Finding]:
    """Yield a finding for each sentence length, paragraph length or share of speech far from the profile.

    It names where to begin: the sentences or paragraphs on the far side, those with or without speech.
    """
    paragraph_wanted = profile.get("paragraph_chars", profile.get("paragraph_length"))
    lengths: tuple[tuple[str, Mapping[str, Any], object, PlacesOf], ...] = (
        ("平均句长", numbers["sentence_length"], profile.get("sentence_length"), _sentence_places),
        ("平均段长", numbers["paragraph_chars"], paragraph_wanted, _paragraph_places),
    )
    for name, length, wanted, places_of in lengths:
        span = _wanted_range(wanted, _NEAR)
        if span and not span[0] <= length["mean"] <= span[1]:
            advice = f"现在 {length['mean']}，档案里是 {_wanted_text(wanted)}"
            far = (0, span[0]) if length["mean"] < span[0] else (span[1], _ANY)
            places = tuple(places_of(sheet, *far))
            yield Finding(0, "文风", f"{name}离文风档案远", 1, 0, advice, places)
    span, share = _wanted_range(profile.get("dialogue_ratio"), 0, _NEAR_RATIO), numbers["dialogue_ratio"]
    if span and not span[0] <= share <= span[1]:
        advice = f"现在 {share}，档案里是 {_wanted_text(profile['dialogue_ratio'])}"
        places = tuple(_paragraph_places(sheet, 0, _ANY, spoken=share > span[1]))
        yield Finding(0, "文风", "对话的比例离文风档案远", 1, 0, advice, places)


def _sentence_places(sheet: Sheet, least: float, most: float) -> list[Place]:
    """Return the narrated sentences of `least` to `most` characters, in order."""
    spans = sentence_spans(sheet)
    return [one for one in spans if least <= text_length.length(sheet.story[slice(*one)]) <= most]


def _wanted_range(wanted: object, share: float, more: float = 0) -> tuple[float, float] | None:
    """Return the wanted range: a number or mean with room around it, a list of two with a third of `more`."""
    if isinstance(wanted, list) and len(wanted) == 2 and all(map(_is_number, wanted)):
        return wanted[0] - more / 3, wanted[1] + more / 3
    middle = wanted.get("mean") if isinstance(wanted, dict) else wanted
    if not _is_number(middle):
        return None
    assert isinstance(middle, (int, float))
    return middle * (1 - share) - more, middle * (1 + share) + more


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _wanted_text(wanted: Any) -> str:
    if isinstance(wanted, list):
        return f"{wanted[0]} 到 {wanted[1]}"
    return str(wanted["mean"] if isinstance(wanted, dict) else wanted)


def _same_start_findings(sheet: Sheet, passages: Iterable[Sequence[Place]]) -> Iterator[Finding]:
    """Yield a finding for two places or more where three clauses in a row begin with the same character."""
    runs: list[tuple[int, int]] = []
    for passage in passages:
        at = 0
        while at < len(passage):
            first, stop = sheet.story[passage[at][0]], at + 1
            while stop < len(passage) and sheet.story[passage[stop][0]] == first:
                stop += 1
            if stop - at >= _SAME_RUN and is_han(first):
                runs.append((passage[at][0], passage[stop - 1][1]))
            at = stop
    if len(runs) > 1:
        yield Finding(12, "句式", "分句连着同一个字开头", len(runs), 1, "留一条，其余换个起法", tuple(runs))


def _set_phrase_findings(sheet: Sheet, passages: Iterable[Sequence[Place]]) -> Iterator[Finding]:
    """Yield a finding for three set phrases of four characters side by side.

    Everyday clauses of that length do not count, nor numbers, nor lists that differ in a number only.
    """
    runs: list[tuple[int, int]] = []
    for passage in passages:
        at = 0
        while at < len(passage):
            stop = at
            while stop < len(passage) and _is_set_phrase(sheet.story[slice(*passage[stop])]):
                stop += 1
            run = passage[at:stop] if stop - at >= _FOUR_RUN else ()
            if len({numerals.without_numerals(sheet.story[slice(*one)]) for one in run}) > 1:
                runs.append((passage[at][0], passage[stop - 1][1]))
            at = stop + 1
    if runs:
        yield Finding(7, "用词", "四字语连排", len(runs), 0, "留一个，或换成一件事", tuple(runs))


def _is_set_phrase(clause: str) -> bool:
    fits = len(clause) == _FOUR and all(map(is_han, clause))
    return fits and not any(mark in clause for mark in _EVERYDAY) and not numerals.has_number(clause)


def _passages(sheet: Sheet) -> Iterator[list[tuple[int, int]]]:
    """Yield the narration's clauses, one list for each run of them within a paragraph."""
    passage: list[tuple[int, int]] = []
    for start, end in line_spans(with_line_breaks(sheet.story, _CLAUSE_MARKS), sheet.body):
        between = sheet.story[passage[-1][1] : start] if passage else ""
        if HIDDEN in between or "\n" in between:
            yield passage
            passage = []
        passage.append((start, end))
    yield passage


def _short_run_findings(sheet: Sheet) -> Iterator[Finding]:
    """Yield a finding for six or more narrated sentences in a row of at most five Han characters each."""
    runs: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    for start, end in [*sentence_spans(sheet), (len(sheet.story), len(sheet.story))]:
        apart = run and HIDDEN in sheet.story[run[-1][1] : start]
        short = start < end and sum(map(is_han, sheet.story[start:end])) <= _SHORT
        if short and not apart:
            run.append((start, end))
            continue
        if len(run) >= _SHORT_RUN:
            runs.append((run[0][0], run[-1][1]))
        run = [(start, end)] if short else []
    if runs:
        yield Finding(15, "句式", "短句连成一串", len(runs), 0, "并成带逗号的长句", tuple(runs))


def _long_paragraph_findings(sheet: Sheet) -> Iterator[Finding]:
    """Yield a finding for paragraphs without speech of more than 200 characters: too long for a phone."""
    spoken = {sheet.line(start) for start, _ in sheet.spans}
    long = [
        (line.start, line.end)
        for line in sheet.lines
        if len(line.text) > _LONG_PARAGRAPH
        and line.number not in spoken
        and text_length.length(line.text) > _LONG_PARAGRAPH
    ]
    if long:
        yield Finding(21, "段落", "没有对话的长段", len(long), 0, "手机上看不完：按镜头断开", tuple(long))


def line_spans(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the lines from `start` on that are not blank, without the blanks around them."""
    for line in text[start:].split("\n"):
        solid = line.strip()
        if solid:
            begin = start + line.index(solid)
            yield begin, begin + len(solid)
        start += len(line) + 1
