"""A model's text is read, or refused, as tests/cases/llm_json.json says."""

from __future__ import annotations

import json
import os

import pytest
from conftest import CHECKOUT

from novel_hooks import errors
from novel_hooks.rules.evaluation import json_from_text

with open(os.path.join(CHECKOUT, "tests", "cases", "llm_json.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


@pytest.mark.parametrize(("name", "text"), CASES["accept"], ids=[case[0] for case in CASES["accept"]])
def test_accepted(name: str, text: str) -> None:
    assert json_from_text.parse(text) == CASES["value"]


@pytest.mark.parametrize(
    ("name", "text", "value"), CASES["accept_other"], ids=[case[0] for case in CASES["accept_other"]]
)
def test_accepted_with_its_own_value(name: str, text: str, value: dict) -> None:
    assert json_from_text.parse(text) == value


@pytest.mark.parametrize(("name", "text"), CASES["reject"], ids=[case[0] for case in CASES["reject"]])
def test_rejected(name: str, text: str) -> None:
    with pytest.raises(errors.VerdictUnreadable) as refused:
        json_from_text.parse(text)
    assert refused.value.exit == errors.FINDINGS
    assert refused.value.values["line"] >= 1 and refused.value.values["column"] >= 1
    assert refused.value.values["fault"]
