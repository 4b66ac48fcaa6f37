"""Slips of agents in their JSON files that code mends without a guess, one way for all of them.

A code fence or words around the one JSON object, and a label that is too long. A step that advances writes
the mended file and says so once. Source: protocol §8.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

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
        slips += [errors.OutputMended(path, case="label cut", label=label) for label in cut]
    return Mended(jsonio.dump(value), tuple(slips)) if slips else None


def _object_in_words(data: bytes, path: str) -> object:
    """Return the one object that a fence or words surround; None when there is none, or several."""
    from novel_hooks.rules.evaluation import json_from_text

    try:
        return json_from_text.parse(decode(data, path))
    except Problem:
        return None


def _with_short_labels(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the questions with headers and labels cut to their lengths, those that were cut).

    The effect of a choice then begins with its whole label, so that nothing is lost.
    """
    cut: list[str] = []
    made = {**document}
    listed = document.get("questions")
    if isinstance(listed, list):
        made["questions"] = [_short(one, cut) if isinstance(one, dict) else one for one in listed]
    return made, cut


def _short(question: dict[str, Any], cut: list[str]) -> dict[str, Any]:
    made = {**question}
    header, choices = question.get("header"), question.get("choices")
    if isinstance(header, str) and len(header.strip()) > HEADER:
        cut.append(header)
        made["header"] = header.strip()[:HEADER]
    if isinstance(choices, list):
        made["choices"] = list(_short_choices(choices, cut))
    return made


def _short_choices(choices: list[Any], cut: list[str]) -> Iterator[Any]:
    for choice in choices:
        label = choice.get("label") if isinstance(choice, dict) else None
        if not isinstance(label, str) or len(label.strip()) <= LABEL:
            yield choice
            continue
        whole, effect = label.strip(), choice.get("effect")
        cut.append(whole)
        told = f"{whole}。{effect}" if isinstance(effect, str) else effect
        yield {**choice, "label": f"{whole[: LABEL - 1]}…", "effect": told}
