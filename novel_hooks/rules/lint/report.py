"""The lint's report: the facts of a chapter's text, without judgement. Source: craft notes §2.

Only `residue` blocks. The rest are facts, and advice for what is over a limit. Speech, panels and letters do
not count. The same texts give the same report.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.lint import habits as lint_habits
from novel_hooks.rules.lint import repeats
from novel_hooks.rules.lint import rhythm as lint_rhythm
from novel_hooks.rules.lint.habit_table import COUNTED
from novel_hooks.rules.lint.habits import Finding
from novel_hooks.rules.lint.repeats import Repeat
from novel_hooks.rules.lint.residue import residue as lint_residue
from novel_hooks.rules.lint.residue.residue import Hit, hit_entry, place_entry
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.text import chapter_heading, length

if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_SPEECH = "在台词、面板或书信里，多半是故事的一部分；不是，就删掉"
_MAYBE = "像是写作或程序留下的，也可能是故事里的东西；不是，就删掉"
PLACES = 5
"""Most places that a finding names, and `SHOWN` the most entries of a list; counts are always whole."""
SHOWN = 10
BRIEF_PLACES, BRIEF_SHOWN = 2, 5


_ASKED_FOR = {"精确到分的钟点": ("几点几分", "到分", "钟点"), "四字语连排": ("四字",)}
_DENIALS = ("不", "少", "别", "避", "拆", "忌", "勿", "莫", "禁", "删")


class Comparison(Record):
    """The words and texts with which a chapter is compared.

    `words` are the blacklist, `whitelist` the words that the author allows, `profile` the style profile.
    `earlier` are (chapter, text) of the chapters before, the nearest first. `plan` are (name, text) of
    outline block and contract. `names` are the names of the chapter's characters, `called` what the book's
    people are called besides.
    """

    words: tuple[str, ...] = ()
    whitelist: tuple[str, ...] = ()
    profile: Mapping[str, Any] = {}
    earlier: tuple[tuple[int, str], ...] = ()
    plan: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


def report(text: str, beside: Comparison) -> dict[str, Any]:
    """Return the facts of a chapter's text, ready for JSON; places are `{line, quote}`, lines from 1.

    `{chars, han, residue[{rule, name, line, quote}], weight, kinds_over[], advice[{rule, kind, name, count,
    allowed, advice, places}], blacklist{count, per_1000, words[{word, count, lines}]}, measures, wanted,
    repeats{openings, phrases, earlier}, copied, seam, compared{chapters, plan}}`; `repeats`, `copied` and
    `seam` hold `{text, chars, count, source, places}`. `chars` is 字 (`prose.count`), `han` Han alone.
    """
    sheet = Sheet(text, beside.whitelist)
    count = length.count(text)
    hits = lint_residue.find_residue(sheet)
    numbers, narrated = (
        lint_rhythm.measures(sheet),
        repeats.han_text(sheet.story, sheet.body, len(sheet.story)),
    )
    kept, wanted = _kept_names(beside.profile), lint_rhythm.chosen(beside.profile)
    habits = [one for one in lint_habits.findings(sheet, count.chars) if one.name not in kept]
    rhythm = [one for one in lint_rhythm.findings(sheet, numbers, wanted) if one.name not in kept]
    kinds = [kind for kind in COUNTED if any(one.kind == kind for one in (*habits, *rhythm))]
    advice = [*habits, *rhythm, *_heading_findings(sheet), *_doubtful_findings(hits), *_quote_findings(sheet)]

    def entries(found: Sequence[Repeat]) -> list[dict[str, Any]]:
        return _repeat_entries(sheet, repeats.without_allowed(found, beside.whitelist))

    return {
        "chars": count.chars,
        "han": count.han,
        "residue": [hit_entry(sheet, hit) for hit in hits if hit.blocks],
        "weight": lint_habits.weight(kinds),
        "kinds_over": kinds,
        "advice": [_finding_entry(sheet, one) for one in sorted(advice, key=lambda one: one.rule)],
        "blacklist": _blacklist_report(sheet, beside, count.chars),
        "measures": numbers,
        "wanted": _wanted_measures(wanted),
        "repeats": {
            "openings": entries(repeats.repeated_openings(sheet, (*beside.names, *beside.called))),
            "phrases": entries(repeats.repeated_phrases(narrated, beside.names)),
            "earlier": entries(repeats.repeats_of_earlier(narrated, beside.earlier)),
        },
        "copied": entries(repeats.copied_from_plan(sheet, beside.plan)),
        "seam": entries(repeats.repeated_seam(sheet, beside.earlier[0][1]) if beside.earlier else ()),
        "compared": {
            "chapters": [number for number, _ in beside.earlier],
            "plan": [name for name, _ in beside.plan],
        },
    }


def _kept_names(profile: Mapping[str, Any]) -> set[str]:
    """Return the names of findings that are no fault in this book: its profile asks for what they count.

    `keep` of the profile names them. A line of `do` asks for a few by their plain words, unless it says no.
    """
    listed = {key: [one for one in _list(profile.get(key)) if isinstance(one, str)] for key in ("keep", "do")}
    asked = [line for line in listed["do"] if not any(word in line for word in _DENIALS)]
    wanted = {
        name for name, words in _ASKED_FOR.items() if any(word in line for line in asked for word in words)
    }
    return {one.strip() for one in listed["keep"]} | wanted


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def packet_report(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report for a packet: every count, fewer places, and no advice, which the guides have.

    As `report`, but `advice[{kind, name, count, allowed, places}]` with two places, and `repeats`, `copied`
    and `seam` with five entries `{text, count, source, lines}`.
    """

    def shown(listed: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                **{key: one[key] for key in ("text", "count", "source")},
                "lines": [place["line"] for place in one["places"]],
            }
            for one in listed[:BRIEF_SHOWN]
        ]

    habits = ("kind", "name", "count", "allowed")
    return {
        **{key: value for key, value in found.items() if key != "wanted"},
        "advice": [
            {**{key: one[key] for key in habits}, "places": one["places"][:BRIEF_PLACES]}
            for one in found["advice"]
        ],
        "repeats": {key: shown(listed) for key, listed in found["repeats"].items()},
        "copied": shown(found["copied"]),
        "seam": shown(found["seam"]),
    }


def _finding_entry(sheet: Sheet, one: Finding) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "kind": one.kind,
        "name": one.name,
        "count": one.times,
        "allowed": one.allowed,
        "advice": one.advice,
        "places": [place_entry(sheet, place) for place in one.places[:PLACES]],
    }


def _heading_findings(sheet: Sheet) -> list[Finding]:
    """Return a finding for the lines of the body that are a chapter's heading and nothing else."""
    found = tuple(
        (line.start, line.end)
        for line in sheet.lines
        if line.text.lstrip()[:1] == "第" and chapter_heading.heading(line.text)[0] is not None
    )
    advice = "章名只在第一行；一章里混进了另一章，就拆开"
    return [Finding(47, "残留", "正文里的章名", len(found), 0, advice, found)] if found else []


def _doubtful_findings(hits: Sequence[Hit]) -> list[Finding]:
    """Return a finding for each kind of residue that is spoken, shown, or maybe part of the story."""
    found: dict[tuple[int, str, bool], list[tuple[int, int]]] = {}
    for hit in hits:
        if not hit.blocks:
            found.setdefault((hit.rule, hit.name, hit.sure), []).append((hit.start, hit.end))
    return [
        Finding(rule, "复核", name, len(at), 0, _IN_SPEECH if sure else _MAYBE, tuple(at))
        for (rule, name, sure), at in found.items()
    ]


def _quote_findings(sheet: Sheet) -> list[Finding]:
    odd = frozenset(sheet.unpaired)
    places = tuple((line.start, line.start) for line in sheet.lines if line.number in odd)
    advice = "补齐引号；这几段里引号后面的话都当台词算了"
    return [Finding(51, "标点", "引号不成对", len(places), 0, advice, places)] if places else []


def _blacklist_report(sheet: Sheet, beside: Comparison, chars: int) -> dict[str, Any]:
    lines: dict[str, list[int]] = {}
    found = lint_habits.find_words(sheet.narration, beside.words, sheet.body)
    for start, end in found:
        lines.setdefault(sheet.text[start:end], []).append(sheet.line(start))
    often = sorted(lines.items(), key=lambda one: (-len(one[1]), one[1][0], one[0]))
    return {
        "count": len(found),
        "per_1000": round(len(found) * 1000 / chars, 1) if chars else 0.0,
        "words": [{"word": word, "count": len(at), "lines": at[:SHOWN]} for word, at in often],
    }


def _wanted_measures(profile: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("sentence_length", "paragraph_chars", "paragraph_length", "dialogue_ratio")
    return {key: profile[key] for key in keys if key in profile}


def _repeat_entries(sheet: Sheet, found: Sequence[Repeat]) -> list[dict[str, Any]]:
    return [
        {
            "text": one.text[:40],
            "chars": one.chars,
            "count": len(one.places),
            "source": one.source or None,
            "places": [place_entry(sheet, place) for place in one.places[:PLACES]],
        }
        for one in found[:SHOWN]
    ]
