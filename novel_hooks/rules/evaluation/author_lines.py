"""Words for the author about a verdict: two lines when the chapter lands, all of it in `novel log C`. Pure.

Source: protocol §3, "what is left is told to the author with the landing".
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.evaluation import gate_entry, required_fixes
from novel_hooks.rules.evaluation.fixes import fix_line
from novel_hooks.rules.evaluation.required_fixes import FACT, KINDS, STORY, TEXT
from novel_hooks.rules.evaluation.score import DIMENSIONS, score_of
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import text

_SHOWN, _LONG = 3, 70
_KIND_WORDS = {FACT: "事实写错了", STORY: "要动情节", TEXT: "只动字句"}
NOTHING_LEFT = "还可以改：没有非改不可的。"


def landing_lines(document: Mapping[str, Any]) -> list[str]:
    """Return two lines for the author of a landing chapter: its good points, and the faults that remain.

    [] without a verdict. A polish has mended the words; facts come first.
    """
    verdicts = evaluations.verdicts_of(document)
    if not verdicts:
        return []
    praised = _texts(evaluations.in_order(verdicts), "strengths")
    good = f"写得好：{_list_text(praised)}" if praised else "写得好：评审没有写。"
    left = unmended(document)
    ordered = [fix for kind in (FACT, STORY, TEXT) for fix in left if fix["kind"] == kind]
    shown = [f"{'（写错的事实）' if fix['kind'] == FACT else ''}{fix_line(fix)}" for fix in ordered]
    return [good, f"还可以改：{_list_text(shown)}" if shown else NOTHING_LEFT]


def unmended(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the judges' own fixes that no agent got before the chapter landed."""
    kinds = (FACT, STORY) if gate_entry.gate_of(document).get("polished") is True else KINDS
    return required_fixes.of_kind(all_fixes(document), *kinds)


def all_fixes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the judges' own fixes; those of an older evaluation have no kind and count as of the story."""
    listed = evaluations.fixes_of(document)
    if listed is not None:
        return required_fixes.of_kind(listed, *KINDS)
    verdicts = evaluations.verdicts_of(document).values()
    return [fix for verdict in verdicts for fix in required_fixes.own_fixes(verdict)]


def whole_verdict(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything in the verdicts: `{reasons, strengths, issues, fixes, scores}`.

    `scores` are `{judge, title, score, reason}`, one for each judge and dimension, where they are written.
    """
    verdicts = evaluations.verdicts_of(document)
    ordered = evaluations.in_order(verdicts) if verdicts else []
    reasons = gate_entry.gate_of(document).get("reasons")
    scores = [
        {"judge": role, "title": title, "score": score, "reason": _reason(verdict, name)}
        for role, verdict in verdicts.items()
        for name, title in DIMENSIONS.items()
        if (score := score_of(verdict, name)) is not None
    ]
    return {
        "reasons": [str(one) for one in reasons] if isinstance(reasons, list) else [],
        "strengths": _texts(ordered, "strengths"),
        "issues": _texts(ordered, "issues"),
        "fixes": all_fixes(document),
        "scores": scores,
    }


def kind_word(fix: Mapping[str, Any]) -> str:
    """Return the kind of a fix in the author's words."""
    return _KIND_WORDS[fix["kind"]]


def _texts(verdicts: Iterable[Mapping[str, Any]], key: str) -> list[str]:
    written = (verdict.get(key) for verdict in verdicts)
    found = [entry for one in written for entry in (one if isinstance(one, list) else [one]) if text(entry)]
    return list(dict.fromkeys(" ".join(str(entry).split()) for entry in found))


def _reason(verdict: Mapping[str, Any], name: str) -> str | None:
    entry = verdict["scores"][name]
    return text(entry.get("reason")) if isinstance(entry, dict) else None


def _list_text(entries: Sequence[str]) -> str:
    cut = [excerpt.shorten(" ".join(entry.split()).rstrip("。；"), _LONG) for entry in entries]
    return f"{excerpt.join_first(cut, _SHOWN, '处', '；')}。"
