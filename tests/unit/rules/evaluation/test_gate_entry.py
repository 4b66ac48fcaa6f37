"""The gate's entry in an evaluation: its limits, and what is read of it."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.errors import BandsInvalid
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.gate_entry import Bands


def test_bands_survive_being_stored() -> None:
    bands = Bands(4.2, 3.6, 3.1, 1.5, 3)
    assert Bands.from_json(bands.to_json()) == bands
    assert bands.to_json() == {"pass": 4.2, "polish": 3.6, "revise": 3.1, "pause": 1.5, "max_revisions": 3}


def test_what_is_not_stored_is_the_default() -> None:
    assert Bands.from_json(None) == Bands.from_json({}) == Bands()
    assert Bands.from_json({"pass": 4.5, "note": "x"}) == Bands(pass_at=4.5)


@pytest.mark.parametrize(
    "stored",
    [
        [],
        "4.0",
        {"pass": "4.0"},
        {"pass": True},
        {"pass": float("nan")},
        {"pass": 5.1},
        {"pause": -0.1},
        {"polish": 4.1},
        {"revise": 3.6},
        {"pause": 3.2},
        {"max_revisions": -1},
        {"max_revisions": 2.0},
        {"max_revisions": None},
        {"max_revisions": True},
    ],
    ids=str,
)
def test_nonsense_is_refused(stored: object) -> None:
    with pytest.raises(BandsInvalid):
        Bands.from_json(stored)


@pytest.mark.parametrize(
    ("stored", "detail"),
    [
        ([], "应是几个分数的对照表"),
        ({"polish": "高"}, "「polish」写成了「高」，应是一个数"),
        ({"max_revisions": -1}, "修订次数写成了「-1」"),
        ({"pass": 5.5}, "通过线 5.5 比 5 高；四条线要从高到低，都在 0 到 5 之间"),
        ({"polish": 4.5}, "润色线 4.5 比通过线 4 高；四条线要从高到低，都在 0 到 5 之间"),
        ({"revise": 3.75}, "修订线 3.75 比润色线 3.5 高；四条线要从高到低，都在 0 到 5 之间"),
        ({"pass": 3.5, "revise": 3.75}, "修订线 3.75 比润色线 3.5 高；四条线要从高到低，都在 0 到 5 之间"),
        ({"pause": -0.5}, "0 比停笔线 -0.5 高；四条线要从高到低，都在 0 到 5 之间"),
    ],
)
def test_a_refusal_of_bands_names_file_and_fault(stored: object, detail: str) -> None:
    with pytest.raises(BandsInvalid) as refused:
        Bands.from_json(stored, "novel.yaml")
    assert refused.value.values["detail"].replace("门控.", "") == detail
    assert refused.value.diagnostic().path == "novel.yaml"


@pytest.mark.parametrize("metadata", [None, [], "x", {}])
def test_without_metadata_there_is_no_gate_and_nothing_is_accepted(metadata: object) -> None:
    document = {"metadata": metadata}
    assert gate_entry.metadata(document) == {}
    assert gate_entry.gate_of(document) == {}
    assert gate_entry.is_accepted(document) is False
    assert gate_entry.metadata({"overall": 4.0}) == {}


def test_the_author_accepts_by_the_gates_entry() -> None:
    document: dict[str, Any] = {"metadata": {"gate": {"decision": "pass"}}}
    assert gate_entry.gate_of(document) == {"decision": "pass"}
    assert gate_entry.is_accepted(document) is False
    document["metadata"]["gate"]["accepted"] = True
    assert gate_entry.is_accepted(document) is True
    assert gate_entry.is_accepted({"metadata": {"gate": ["accepted"]}}) is False


@pytest.mark.parametrize(
    ("decision", "accepted", "forced", "word"),
    [
        ("pass", False, False, "通过"),
        ("polish", False, False, "润色后通过"),
        ("pause_for_user", False, False, "等作者决定"),
        ("pause_for_user", True, False, "作者接受"),
        ("pass", False, True, "勉强放行"),
        ("pass", True, True, "作者接受"),
        (None, True, False, "作者接受"),
        (None, False, True, "勉强放行"),
        (None, False, False, "门控未记"),
        ("", False, False, "门控未记"),
        ("sideways", False, False, "门控未记"),
    ],
)
def test_the_word_for_a_decision_the_authors_own_before_all(
    decision: str | None, accepted: bool, forced: bool, word: str
) -> None:
    assert gate_entry.decision_word(decision, accepted, forced) == word
