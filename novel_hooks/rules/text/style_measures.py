"""The numbers of an author's own prose, counted so that no agent has to guess one.

Lengths are in characters that are not blank, marks included (`length.length`). A paragraph is a line;
headings and lines without a word (scene breaks) are left out. A sentence ends at 。！？ with the quotes that
close behind it, and at the paragraph's end. Speech is a text in quotes that ends with a mark: a quoted word
is none. Pure: the same texts give the same numbers. Source: protocol §1 (`style-profile.json`).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Iterator, Mapping, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.text import length as text_length

FEWEST_SENTENCES = 40
"""The fewest sentences from which the numbers are worth using."""

_WHOLE, _HUNDREDTH = 0.5, 0.006
"""The most by which a profile's number may differ from the counted one: a profile may round it."""
_SHOWN = 10
OPENING = 2
OPENINGS_SHOWN = 12
_OPENING_LEAST = 3

_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"'}
_MARKS = "。！？…—，～；!?.,~"
_SENTENCE = Pattern('[^。！？!?]*(?:[。！？!?…—]+[”」』"’）)]*|\\Z)')
_CLAUSE = Pattern('[，。！？；：,!?;:…—\u201c\u201d「」『』"]+')
_COUNTED = (
    ("exclamation", Pattern("[！!]+")),
    ("question", Pattern("[？?]+")),
    ("semicolon", Pattern("[；;]")),
    ("ellipsis", Pattern(r"…+|\.{3,}")),
    ("dash", Pattern("—+")),
    ("simile", Pattern("(?<![好不偶图影录头石画肖塑雕])像(?!话|样|素)|如同|仿佛|宛如|犹如|好似")),
)


class Paragraph(Record):
    """One line of prose. `speech` and `narration` are its pieces in order, without the quotes of speech."""

    text: str
    speech: tuple[str, ...]
    narration: tuple[str, ...]


def style_facts(texts: Sequence[str], words: Iterable[str] = ()) -> dict[str, Any]:
    """Return the numbers of the sample texts taken together; `words` are those of the blacklist.

    The result is `{samples, chars, paragraphs, sentences, sentence_length, clause_length, paragraph_chars,
    speech_length, dialogue_ratio{all, samples[]}, quote_marks{mark: count}, per_1000{mark: number},
    openings[{text, count}], blacklist_words[{word, count}]}`. A length is `{mean, sd, min, max, p10, p50,
    p90}`, None where nothing was measured.
    """
    samples = [paragraphs(text) for text in texts]
    every = [paragraph for sample in samples for paragraph in sample]
    whole = "\n".join(paragraph.text for paragraph in every)
    chars = text_length.length(whole)
    lengths = [text_length.length(part) for paragraph in every for part in sentences(paragraph.text)]
    return {
        "samples": len(samples),
        "chars": chars,
        "paragraphs": len(every),
        "sentences": len(lengths),
        "sentence_length": measure(lengths),
        "clause_length": measure(_clause_lengths(every)),
        "paragraph_chars": measure([text_length.length(paragraph.text) for paragraph in every]),
        "speech_length": measure([text_length.length(piece) for p in every for piece in p.speech]),
        "dialogue_ratio": {
            "all": dialogue_ratio(every),
            "samples": [dialogue_ratio(sample) for sample in samples],
        },
        "quote_marks": {f"{a}{b}": whole.count(a) for a, b in _QUOTES.items() if whole.count(a)},
        "per_1000": {
            name: round(len(mark.findall(whole)) * 1000 / chars, 1) if chars else 0.0
            for name, mark in _COUNTED
        },
        "openings": openings(every),
        "blacklist_words": _word_hits(whole, words),
    }


def profile_differences(
    profile: Mapping[str, Any], counted: Mapping[str, Any], texts: Sequence[str]
) -> Iterator[tuple[str, object, object]]:
    """Yield (place, the profile's number, the counted number) of every number that differs too much.

    Lengths are compared to half a character, shares of speech to a hundredth. A number that the profile
    leaves out is no difference. Also yields ("samples[1]", its beginning, None) of every passage of the
    profile that is in none of the texts.
    """
    for key, tolerance in (("sentence_length", _WHOLE), ("paragraph_chars", _WHOLE)):
        yield from _measure_differences(key, profile.get(key), counted.get(key), tolerance)
    shares = counted["dialogue_ratio"]
    span = {"mean": shares["all"], "min": min(shares["samples"]), "max": max(shares["samples"])}
    ratio = profile.get("dialogue_ratio")
    # A single number may be that of all samples together or an end of their range.
    if isinstance(ratio, list) or ratio not in (span["min"], span["max"]):
        yield from _measure_differences("dialogue_ratio", ratio, span, _HUNDREDTH)
    whole = ["".join(text.split()) for text in texts]
    for number, passage in enumerate(profile.get("samples") or (), 1):
        text = passage.get("text") if isinstance(passage, dict) else passage
        plain = "".join(text.split()) if isinstance(text, str) else ""
        if not any(plain in sample for sample in whole):
            yield f"samples[{number}]", f"{plain[:_SHOWN]}…", None


def _measure_differences(
    key: str, profiled: object, counted: Mapping[str, Any] | None, tolerance: float
) -> Iterator[tuple[str, object, object]]:
    """Yield the numbers of one measure that differ by more than `tolerance`.

    A profile has a measure as one number (the mean), as [lowest, highest] or as an object of numbers.
    """
    if profiled is None or counted is None:
        return
    if isinstance(profiled, list):
        named: Iterable[tuple[str, object]] = zip(("min", "max"), profiled)
    else:
        named = profiled.items() if isinstance(profiled, dict) else (("mean", profiled),)
    for name, number in named:
        right = counted.get(name)
        if isinstance(number, (int, float)) and right is not None and abs(number - right) > tolerance:
            yield f"{key}.{name}", number, right


def paragraphs(text: str) -> list[Paragraph]:
    """Return the lines of the text that are prose, each with speech apart from narration."""
    lines = (line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return [_split_speech(line) for line in lines if _has_word(line) and not line.startswith("#")]


def sentences(text: str) -> list[str]:
    """Return the sentences of one paragraph, each with its marks; pieces without a word are left out."""
    return [found.group().strip() for found in _SENTENCE.finditer(text) if _has_word(found.group())]


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def measure(lengths: Sequence[int]) -> dict[str, float | int] | None:
    """Return `{mean, sd, min, max, p10, p50, p90}` of the lengths, None when there are none.

    Mean and standard deviation (of the population) have one decimal; percentiles go by nearest rank.
    """
    if not lengths:
        return None
    ordered, count = sorted(lengths), len(lengths)
    mean = sum(ordered) / count
    spread = (sum((length - mean) ** 2 for length in ordered) / count) ** 0.5
    ranks = {f"p{share}": ordered[max(0, -(-share * count // 100) - 1)] for share in (10, 50, 90)}
    return {"mean": round(mean, 1), "sd": round(spread, 1), "min": ordered[0], "max": ordered[-1], **ranks}


def dialogue_ratio(sample: Sequence[Paragraph]) -> float:
    """Return the share of speech in a sample, 0 to 1 with two decimals; 0.0 for an empty one."""
    chars = sum(text_length.length(paragraph.text) for paragraph in sample)
    speech = sum(text_length.length(piece) for paragraph in sample for piece in paragraph.speech)
    return round(speech / chars, 2) if chars else 0.0


def openings(sample: Sequence[Paragraph]) -> list[dict[str, Any]]:
    """List the two characters that begin sentences of the narration most often, as `{text, count}`.

    They begin at least three sentences each. The most frequent come first, at most `OPENINGS_SHOWN`.
    """
    counts: dict[str, int] = {}
    for paragraph in sample:
        for piece in paragraph.narration:
            for sentence in sentences(piece):
                begun = "".join(filter(str.isalnum, sentence))[:OPENING]
                counts[begun] = counts.get(begun, 0) + 1
    often = sorted((-count, text) for text, count in counts.items() if count >= _OPENING_LEAST)
    return [{"text": text, "count": -count} for count, text in often[:OPENINGS_SHOWN]]


def _split_speech(line: str) -> Paragraph:
    """Part a line into speech and narration. A quote that is not closed in its line is speech to the end."""
    if not any(mark in line for mark in _QUOTES):
        return Paragraph(line, (), (line,) if _has_word(line) else ())
    speech: list[str] = []
    narration: list[str] = []
    begin, at = 0, 0
    while at < len(line):
        closing = _QUOTES.get(line[at])
        if closing is None:
            at += 1
            continue
        stop = line.find(closing, at + 1)
        inner = line[at + 1 :] if stop < 0 else line[at + 1 : stop]
        after = len(line) if stop < 0 else stop + 1
        if stop < 0 or inner.rstrip()[-1:] in (*_MARKS, *_QUOTES.values()):
            narration.append(line[begin:at])
            speech.append(inner)
            begin = after
        at = after
    narration.append(line[begin:])
    return Paragraph(line, tuple(filter(None, speech)), tuple(p for p in narration if _has_word(p)))


def _clause_lengths(sample: Sequence[Paragraph]) -> list[int]:
    """Return the lengths of the pieces between one mark and the next."""
    pieces = (piece or "" for paragraph in sample for piece in _CLAUSE.split(paragraph.text))
    return [text_length.length(piece) for piece in pieces if _has_word(piece)]


def _word_hits(text: str, words: Iterable[str]) -> list[dict[str, Any]]:
    """List the words that the text uses, the most frequent first, as `{word, count}`."""
    counts = {word: text.count(word) for word in words if word}
    often = sorted((-count, word) for word, count in counts.items() if count)
    return [{"word": word, "count": -count} for count, word in often]
