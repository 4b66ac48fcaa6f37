"""Slips of form in agents' files, mended by code without a guess, in one way for all files.

Mended are: invisible characters in any file, a code fence around a whole text, a fence or words around the
one JSON object, a comma after its last entry, a label that is too long, an unknown value of a field that only
advises. A step that advances writes the mended file and reports it once. Source: protocol §8.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.state import leak_check
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode, without_unseen

_FENCES = (b"```", b"~~~")
_TEXTS = (b"", b"markdown", b"md", b"text", b"txt", b"plaintext")
"""What a fence around prose may say of its language."""
_ROLES = ("primary", "secondary", "seasoning")
_LINES = ("active_storylines", "dormant_storylines", "newly_activated")
_BOM = "\ufeff".encode()
HEADER, LABEL = 6, 12
"""So many characters has a question's header, and the label of a choice, at most (protocol §8)."""


class Mended(Record):
    """A file's bytes after the mending, and the slip, for the author."""

    data: bytes
    slips: tuple[Problem, ...]


def mend(key: str, path: str, data: bytes) -> Mended | None:
    """Return the staged JSON file mended; None when it has no slip, or cannot be mended."""
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
    value, unseen = _without_unseen(value)
    slips += [errors.OutputMended(path, case="unseen", count=unseen)] if unseen else []
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
    """Return the staged text without a fence around all of it and without invisible characters.

    None when it has neither, or is no text.
    """
    if not path.startswith(f"{layout.STAGING}/"):
        return None
    within = _within_fence(data)
    slips = [] if within is None else [errors.OutputMended(path, case="fence")]
    data = data if within is None else within
    try:
        text, count = ("", 0) if data.isascii() else without_unseen(data.removeprefix(_BOM).decode("utf-8"))
    except UnicodeDecodeError:
        return None
    if count:
        slips, data = [*slips, errors.OutputMended(path, case="unseen", count=count)], text.encode("utf-8")
    return Mended(data, tuple(slips)) if slips else None


def _within_fence(data: bytes) -> bytes | None:
    """Return what the one code fence around a whole text holds; None without one."""
    head, _, rest = data.removeprefix(_BOM).strip().partition(b"\n")
    mark, language = head[:3], head[3:].strip().lower()
    within = rest[: -len(mark)]
    whole = mark in _FENCES and language in _TEXTS and rest.endswith(b"\n" + mark)
    return within.lstrip(b"\r\n") if whole and not any(one in within for one in _FENCES) else None


def _without_unseen(value: Any) -> tuple[Any, int]:
    """Return (the JSON value with its strings, keys too, without what nobody sees; how much there was)."""
    if isinstance(value, str):
        return (value, 0) if value.isascii() else without_unseen(value)
    if isinstance(value, list):
        parts = [_without_unseen(one) for one in value]
        return [one for one, _ in parts], sum(count for _, count in parts)
    if isinstance(value, dict):
        pairs = [(_without_unseen(key), _without_unseen(one)) for key, one in value.items()]
        found = {key: one for (key, _), (one, _) in pairs}
        return (found, sum(a + b for (_, a), (_, b) in pairs)) if len(found) == len(value) else (value, 0)
    return value, 0


def _object_in_words(data: bytes, path: str) -> object:
    """Return the one object that a fence or words surround; None when there is none, or several."""
    from novel_hooks.rules.evaluation import json_from_text

    return attempt(lambda: json_from_text.parse(decode(data, path)))[0]


def _with_known_risk(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the report on leaks with a risk that there is, the unknown word that stood there).

    A word that says nothing is a low risk: one that somebody looks at, and that stops nobody.
    """
    told = document.get("leak_risk")
    if not isinstance(told, str) or told in leak_check.RISKS:
        return document, []
    plain = told.strip().lower()
    return {**document, "leak_risk": plain if plain in leak_check.RISKS else "low"}, [told]


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
        made["choices"] = [_short_choice(one, cut) for one in choices]
    return made


def _short_choice(choice: Any, cut: list[tuple[str, str]]) -> Any:
    label = choice.get("label") if isinstance(choice, dict) else None
    if not isinstance(label, str) or len(label.strip()) <= LABEL:
        return choice
    whole, effect = label.strip(), choice.get("effect")
    cut.append(("label cut", whole))
    told = f"{whole}。{effect}" if isinstance(effect, str) else whole
    return {**choice, "label": f"{whole[: LABEL - 1]}…", "effect": told}
