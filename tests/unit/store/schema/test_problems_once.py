"""What spares other tests jsonschema hides nothing: only the very value that fitted is not judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import builders
import pytest
from builders import problems_once

from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable

CARD = {"display_name": "许二"}


@pytest.fixture(autouse=True)
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths for which jsonschema was asked; nothing is known to begin with."""
    asked: list[str] = []
    real = schema.problems

    def judge(name: str, value: object, path: str) -> Any:
        asked.append(path)
        return real(name, value, path)

    monkeypatch.setattr(builders, "_problems", judge)
    monkeypatch.setattr(builders, "SOUND", set())
    return asked


def card(since: object) -> dict[str, Any]:
    duty = {"id": "C-1", "type": "belief", "rule": "他不在夜里过桥。", "valid_from_chapter": since}
    return {**CARD, "contracts": [duty]}


def test_what_fits_is_judged_once(judged: list[str]) -> None:
    assert problems_once("character", CARD, "a") == problems_once("character", dict(CARD), "b") == []
    assert judged == ["a"]


def test_what_does_not_is_judged_every_time(judged: list[str]) -> None:
    for path in ("a", "b"):
        assert path in str(problems_once("character", {}, path)[0])
    assert judged == ["a", "b"]


@pytest.mark.parametrize("other", [1.0, True])
def test_what_only_looks_equal_is_judged(other: object) -> None:
    assert problems_once("character", card(1), "a") == [] and card(1) == card(other)
    assert problems_once("character", card(other), "a") != []


@pytest.mark.parametrize(
    "change",
    [
        lambda value: problems_once("world-rules", value, "b"),
        lambda value: problems_once("character", {**value, "display_name": ""}, "b"),
    ],
    ids=["another schema", "another value"],
)
def test_one_pass_says_nothing_of_another(change: Callable[[Any], Any]) -> None:
    assert problems_once("character", CARD, "a") == []
    assert change(CARD) != []


def test_a_changed_schema_is_asked_anew(judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems_once("character", CARD, "a") == []
    monkeypatch.setattr(schema, "_digests", {})
    monkeypatch.setattr(schema, "RULES_OF_CHECKING", b"another")
    assert problems_once("character", CARD, "b") == []
    assert judged == ["a", "b"]
