"""Slips of agents in their files that code mends without a guess, one way for all of them.

A code fence around a whole text, a fence or words around the one JSON object, a comma behind its last entry,
a label that is too long, an unknown value of a field that only advises. A step that advances writes the
mended file and says so once. Source: protocol §8.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.state import leak_check
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

_FENCES = (b"```", b"~~~")
_TEXTS = (b"", b"markdown", b"md", b"text", b"txt", b"plaintext")
"""What a fence around prose may say of its language."""
_ROLES = ("primary", "secondary", "seasoning")
_LINES = ("active_storylines", "dormant_storylines", "newly_activated")
HEADER, LABEL = 6, 12
"""So many characters has a question's header, and the label of a choice, at most (protocol §8)."""


class Mended(Record):
    """A file's bytes as they should be, and what was wrong, for the author."""

    data: bytes
    slips: tuple[Problem, ...]


def mend(key: str, path: str, data: bytes) -> Mended | None:
    """Return the staged JSON file mended; None when nothing is to be mended, or it cannot be."""
    if key == "evaluation" or not path.startswith(f"{layout.STAGING}/"):
        return None
    slips: list[Problem] = []
    try:
        value = jsonio.parse(data, path)
    except errors.JsonBroken:
        value = _object_in_words(data, path)
        slips.append(errors.OutputMended(path, case="words around"))
    except Problem:
        return None
    if not isinstance(value, dict):
        return None
    if key == "questions":
        value, cut = _with_short_labels(value)
        slips += [errors.OutputMended(path, case=case, label=words) for case, words in cut]
    if key == "crossref":
        value, odd = _with_known_risk(value)
        slips += [errors.OutputMended(path, case="risk", found=one) for one in odd]
    if key == "schedule":
        value, odd = _with_known_roles(value)
        slips += [errors.OutputMended(path, case="role", found=one) for one in odd]
    return Mended(jsonio.dump(value), tuple(slips)) if slips else None


def mend_text(path: str, data: bytes) -> Mended | None:
    """Return a staged text without the code fence around the whole of it; None when there is none."""
    head, _, rest = data[3 * data.startswith(b"\xef\xbb\xbf") :].strip().partition(b"\n")
    mark, language = head[:3], head[3:].strip().lower()
    within = rest[: -len(mark)]
    whole = mark in _FENCES and language in _TEXTS and rest.endswith(b"\n" + mark)
    if not path.startswith(f"{layout.STAGING}/") or not whole or any(one in within for one in _FENCES):
        return None
    return Mended(within.lstrip(b"\r\n"), (errors.OutputMended(path, case="fence"),))


def _object_in_words(data: bytes, path: str) -> object:
    """Return the one object that a fence or words surround; None when there is none, or several."""
    from novel_hooks.rules.evaluation import json_from_text

    try:
        return json_from_text.parse(decode(data, path))
    except Problem:
        return None


def _with_known_risk(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the report on leaks with a risk that there is, the unknown word that stood there).

    A word that says nothing is a low risk: one that somebody looks at, and that stops nobody.
    """
    told = document.get("leak_risk")
    if not isinstance(told, str) or told in leak_check.RISKS:
        return document, []
    plain = told.strip().lower()
    known = plain in leak_check.RISKS
    return {**document, "leak_risk": plain if known else "low"}, [told]


def _with_known_roles(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the schedule without storylines' roles that nobody knows, the words that stood there)."""
    made, odd = {**document}, []
    for key in _LINES:
        if not isinstance(made.get(key), list):
            continue
        lines = [{**one} if isinstance(one, dict) else one for one in made[key]]
        for line in lines:
            role = line.get("volume_role") if isinstance(line, dict) else None
            if isinstance(role, str) and role not in _ROLES:
                odd.append(line.pop("volume_role"))
        made[key] = lines
    return made, odd


def _with_short_labels(document: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return (the questions with headers and labels cut to their lengths, the cases of those cut).

    The effect of a choice then begins with its whole label, so that nothing is lost.
    """
    cut: list[tuple[str, str]] = []
    made = {**document}
    listed = document.get("questions")
    if isinstance(listed, list):
        made["questions"] = [_short(one, cut) if isinstance(one, dict) else one for one in listed]
    return made, cut


def _short(question: dict[str, Any], cut: list[tuple[str, str]]) -> dict[str, Any]:
    made = {**question}
    header, choices = question.get("header"), question.get("choices")
    if isinstance(header, str) and len(header.strip()) > HEADER:
        cut.append(("header cut", header))
        made["header"] = header.strip()[:HEADER]
    if isinstance(choices, list):
        made["choices"] = list(_short_choices(choices, cut))
    return made


def _short_choices(choices: list[Any], cut: list[tuple[str, str]]) -> Iterator[Any]:
    for choice in choices:
        label = choice.get("label") if isinstance(choice, dict) else None
        if not isinstance(label, str) or len(label.strip()) <= LABEL:
            yield choice
            continue
        whole, effect = label.strip(), choice.get("effect")
        cut.append(("label cut", whole))
        told = f"{whole}。{effect}" if isinstance(effect, str) else whole
        yield {**choice, "label": f"{whole[: LABEL - 1]}…", "effect": told}
