"""The evaluation document: composed flat, read back whole, also from files in the seed's format."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import legal_verdict

from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation.document import Verdict

SHA = "a" * 64


def composed(primary: dict[str, Any] | None, secondary: dict[str, Any] | None = None) -> dict[str, Any]:
    given = {
        "primary": None if primary is None else Verdict("sonnet", primary),
        "secondary": None if secondary is None else Verdict("opus", secondary),
    }
    return evaluation_document.compose(given, text_sha256=SHA, gate={"decision": "pass"}, warnings=["甲"])


def test_one_verdict_lies_flat_with_ours_beside_it() -> None:
    found = legal_verdict(4.2, issues=["乙"])
    document = composed(found)
    assert {key: document[key] for key in found} == found
    assert document["overall_final"] == 4.2
    assert document["metadata"] == {
        "judges": {
            "primary": {"model": "sonnet", "overall": 4.2, "verdict": found},
            "used": "primary",
            "overall_final": 4.2,
        },
        "gate": {"decision": "pass"},
        "text_sha256": SHA,
        "warnings": ["甲"],
    }


@pytest.mark.parametrize(
    ("first", "second", "used"), [(4.5, 4.1, "secondary"), (4.1, 4.5, "primary"), (4.1, 4.1, "secondary")]
)
def test_the_lower_verdict_is_used(first: float, second: float, used: str) -> None:
    document = composed(legal_verdict(first, issues=["一"]), legal_verdict(second, issues=["二"]))
    assert document["metadata"]["judges"]["used"] == used
    assert document["issues"] == (["一"] if used == "primary" else ["二"])
    assert document["overall_final"] == min(first, second)


def test_both_verdicts_come_back_whole() -> None:
    one, two = legal_verdict(4.5, issues=["一"]), legal_verdict(4.1, issues=["二"], metadata={"own": 1})
    document = composed(one, two)
    assert evaluation_document.verdict_of(document, "primary") == one
    assert evaluation_document.verdict_of(document, "secondary") == two
    assert evaluation_document.missing_roles(document, True) == []


def test_the_second_may_be_recorded_first() -> None:
    document = composed(None, legal_verdict(4.0))
    assert evaluation_document.missing_roles(document, True) == ["primary"]
    assert evaluation_document.missing_roles(document, False) == ["primary"]


def test_the_chapter_number_is_ours_to_say() -> None:
    document = evaluation_document.compose(
        {"primary": Verdict(None, legal_verdict(4.0))}, text_sha256=None, chapter=12
    )
    assert document["chapter"] == 12
    assert "gate" not in document["metadata"]
    assert document["metadata"]["judges"]["primary"]["verdict"]["chapter"] == 7


def test_composing_leaves_the_verdict_alone() -> None:
    found = legal_verdict(4.0)
    composed(found)["contract_verification"]["l1_checks"].append("x")
    assert found == legal_verdict(4.0)


def test_a_file_of_the_seed_without_metadata_is_the_primary_verdict() -> None:
    found = legal_verdict(4.0)
    assert evaluation_document.verdict_of(found, "primary") == found
    assert evaluation_document.verdict_of(found, "secondary") is None
    assert evaluation_document.missing_roles(found, False) == []
    assert evaluation_document.missing_roles(found, True) == ["secondary"]


def test_a_file_of_the_seed_holds_only_the_used_verdict_whole() -> None:
    judges = {
        "primary": {"model": "sonnet", "overall": 4.4},
        "secondary": {"model": "opus", "overall": 4.0},
        "used": "secondary",
        "overall_final": 4.0,
    }
    document = legal_verdict(4.0, overall_final=4.0, metadata={"judges": judges})
    assert evaluation_document.verdict_of(document, "secondary") == legal_verdict(4.0)
    assert evaluation_document.verdict_of(document, "primary") is None
    assert evaluation_document.missing_roles(document, True) == ["primary"]


def test_an_illegal_verdict_counts_as_missing() -> None:
    document = composed(legal_verdict(4.0), legal_verdict(4.5))
    document["metadata"]["judges"]["secondary"]["verdict"]["overall"] = "4.5"
    assert evaluation_document.missing_roles(document, True) == ["secondary"]
    assert evaluation_document.missing_roles(document, False) == []
    assert list(evaluation_document.verdicts_of(document)) == ["primary"]


@pytest.mark.parametrize("document", [None, [], "x", {}, {"metadata": {"judges": {"primary": None}}}])
def test_what_is_no_evaluation_misses_everything(document: object) -> None:
    assert evaluation_document.missing_roles(document, True) == ["primary", "secondary"]


def test_each_judge_has_his_entry_and_the_used_one_is_named() -> None:
    one, two = legal_verdict(4.5, issues=["一"]), legal_verdict(4, issues=["二"])
    assert composed(one, two) == {
        **two,
        "overall_final": 4,
        "metadata": {
            "judges": {
                "primary": {"model": "sonnet", "overall": 4.5, "verdict": one},
                "secondary": {"model": "opus", "overall": 4, "verdict": two},
                "used": "secondary",
                "overall_final": 4,
            },
            "text_sha256": SHA,
            "warnings": ["甲"],
            "gate": {"decision": "pass"},
        },
    }


def test_without_a_gate_and_warnings_the_document_has_none() -> None:
    document = evaluation_document.compose({"secondary": Verdict(None, legal_verdict(4.0))}, text_sha256=None)
    assert document["metadata"] == {
        "judges": {
            "secondary": {"model": None, "overall": 4.0, "verdict": legal_verdict(4.0)},
            "used": "secondary",
            "overall_final": 4.0,
        },
        "text_sha256": None,
        "warnings": [],
    }
    assert document["chapter"] == 7


def test_composing_leaves_the_gate_alone() -> None:
    gate = {"decision": "pass", "bands": {"pass": 4.0}}
    document = evaluation_document.compose(
        {"primary": Verdict(None, legal_verdict(4.0))}, text_sha256=None, gate=gate
    )
    document["metadata"]["gate"]["bands"]["pass"] = 1.0
    assert gate == {"decision": "pass", "bands": {"pass": 4.0}}


@pytest.mark.parametrize("judges", [None, [], "x"])
def test_judges_of_a_wrong_shape_count_as_none(judges: object) -> None:
    document = legal_verdict(4.0, overall_final=4.0, metadata={"judges": judges})
    assert evaluation_document.verdict_of(document, "primary") == legal_verdict(4.0)
    assert evaluation_document.verdict_of(document, "secondary") is None


def test_without_a_used_role_the_flat_fields_are_the_primary_verdict() -> None:
    document = legal_verdict(4.0, metadata={"judges": {"primary": {"verdict": "x"}}})
    assert evaluation_document.verdict_of(document, "primary") == legal_verdict(4.0)
    assert evaluation_document.verdict_of(document, "secondary") is None


def test_both_verdicts_are_read_by_role() -> None:
    one, two = legal_verdict(4.5, issues=["一"]), legal_verdict(4.1, issues=["二"])
    assert evaluation_document.verdicts_of(composed(one, two)) == {"primary": one, "secondary": two}
