"""The gate decides every case of tests/cases/gate.json as written there."""

from __future__ import annotations

import json
import os

import pytest
from conftest import CHECKOUT
from verdicts import legal_verdict

from novel_hooks.roles import JUDGES
from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.evaluation import verdict as verdicts

with open(os.path.join(CHECKOUT, "tests", "cases", "gate.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


def document(**roles: dict) -> dict:
    verdicts = {role: evaluation_document.Verdict("sonnet", found) for role, found in roles.items()}
    return evaluation_document.compose(verdicts, text_sha256="0" * 64)


@pytest.mark.parametrize("case", CASES["decisions"], ids=str)
def test_an_ordinary_chapter(case: dict) -> None:
    found = document(primary=legal_verdict(case["overall"], case["violation"]))
    outcome = gate.gate_outcome(found, False, case["revision_count"])
    assert (outcome.decision, outcome.force_passed) == (case["decision"], case["force_passed"])


@pytest.mark.parametrize("case", CASES["key_chapter"], ids=str)
def test_a_key_chapter(case: dict) -> None:
    both = {role: legal_verdict(case[role]["overall"], case[role].get("violation")) for role in JUDGES}
    outcome = gate.gate_outcome(document(**both), True, case["revision_count"])
    decided = {name: getattr(outcome, name) for name in ("decision", "overall_final", "used", "force_passed")}
    assert decided == {name: case[name] for name in decided}


@pytest.mark.parametrize("overall", CASES["invalid"], ids=str)
def test_an_overall_that_makes_the_verdict_invalid(overall: object) -> None:
    found = verdicts.problems(legal_verdict(overall))
    assert [problem.values["where"] for problem in found] == ["overall（总分）"]
    assert evaluation_document.missing_roles(legal_verdict(overall), False) == ["primary"]
