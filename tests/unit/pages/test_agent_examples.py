"""The examples in the agents' texts and guides are legal and keep the rules beside them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from novel_hooks.rules.evaluation.score import WEIGHTS, weighted_mean
from novel_hooks.rules.evaluation.verdict import problems
from novel_hooks.rules.evaluation.verdict_warnings import warnings
from novel_hooks.rules.foreshadowing import item
from novel_hooks.rules.lint import habit_table
from novel_hooks.rules.lint import habits as lint_habits
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.steps import questions
from novel_hooks.store.schema import schema
from unit.pages.agent_pages import PLANNERS, agent_path, guide_path, pairs, read


def fenced(text: str) -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, flags=re.S)]


# --- the examples are right ------------------------------------------------------------------


def test_the_summarizers_delta_is_legal_and_applies_whole() -> None:
    delta, _ = fenced(read(agent_path("summarizer")))
    assert schema.problems("chapter-delta", delta, "delta.json") == []
    assert deltas.problems(delta, delta["chapter"], delta["base_state_version"], delta["storyline_id"]) == []
    state = {**deltas.empty_state(), "state_version": delta["base_state_version"]}
    state["characters"] = {"zhou-huai": {"inventory": ["渡船契"]}}
    applied = deltas.apply(state, delta)
    assert applied.dropped == [] and applied.changed
    assert {op["op"] for op in delta["ops"]} == {"set", "inc", "add", "remove", "foreshadow"}


def test_the_summarizer_names_every_foreshadowing_action() -> None:
    text = read(agent_path("summarizer"))
    assert all(action in text for action in item.ACTIONS)


def test_the_summarizers_crossref_is_legal() -> None:
    _, crossref = fenced(read(agent_path("summarizer")))
    assert schema.problems("chapter-crossref", crossref, "crossref.json") == []


def test_the_writers_hints_are_legal() -> None:
    found = re.search(r'`(\{"hints".*\})`', read(agent_path("chapter-writer")))
    assert found
    assert schema.problems("hints", json.loads(found.group(1)), "hints.json") == []


def test_the_planners_examples_are_legal() -> None:
    (contract,) = fenced(read(agent_path("plot-architect")))
    assert schema.problems("chapter-contract", contract, "contract.json") == []
    read_contract = contracts.parse(contract, "contract.json")
    assert contracts.problems(read_contract, contract["chapter"], contract["storyline_id"]) == []
    (rules,) = fenced(read(agent_path("world-builder")))
    assert schema.problems("world-rules", rules, "rules.json") == []
    assert all("exceptions" in rule for rule in rules["rules"])
    (card,) = fenced(read(agent_path("character-weaver")))
    assert schema.problems("character", card, "card.json") == []
    (style,) = fenced(read(agent_path("style-analyzer")))
    assert schema.problems("style-profile", style, "style.json") == []


def test_the_outline_example_is_one_that_is_read() -> None:
    found = re.search(r"```\n(### 第.*?)```", read(agent_path("plot-architect")), flags=re.S)
    assert found
    outline = outlines.parse(found.group(1), "outline.md")
    assert [heading.chapter for heading in outline.headings] == [12] and not outline.near
    assert outlines.key_problems(outline, 12) == []


@pytest.mark.parametrize("name", PLANNERS)
def test_what_is_the_authors_to_decide_is_staged_for_him(name: str) -> None:
    found = re.search(r'^`(\{"questions".*\})`$', read(agent_path(name)), flags=re.M)
    assert found
    asked = json.loads(found.group(1))
    assert schema.problems("planning-questions", asked, "questions.json") == []
    assert [one.kind for one in questions.parse_questions(asked, "setup:world")] == ["conflict", "question"]


def judges_example() -> dict[str, Any]:
    """The judge's template with every placeholder filled in."""
    found = re.search(r"^\{\n.*?^\}$", read(agent_path("quality-judge")), flags=re.M | re.S)
    assert found
    text = re.sub(r'"<pass\|[^"]*>"', '"pass"', found.group())
    text = re.sub(r'"<high\|[^"]*>"', '"high"', text)
    text = re.sub(r'"<hard\|soft>"', '"hard"', text)
    text = re.sub(r'"status": "…"', '"status": "pass"', text)
    text = re.sub(r'"confidence": "…"', '"confidence": "low"', text)
    text = re.sub(r"(?<!\")<四类[^>]*>", "false", text)
    filled = json.loads(re.sub(r"(?<!\")<[^>\"]*>", "3", text))
    assert isinstance(filled, dict)
    return filled


def test_the_judges_shape_is_the_one_that_is_read() -> None:
    verdict = judges_example()
    assert problems(verdict) == []
    assert schema.problems("judge-verdict", verdict, "verdict.json") == []
    assert warnings(verdict, hard_rules=(), required_objectives=()) == []
    assert weighted_mean(verdict) == pytest.approx(3.0)
    assert {name: entry["weight"] for name, entry in verdict["scores"].items()} == dict(WEIGHTS)
    assert set(verdict) == {
        *("chapter", "contract_verification", "scores", "overall", "recommendation", "required_fixes"),
        *("risk_flags", "issues", "strengths"),
    }


def test_in_every_score_the_quote_comes_before_the_number() -> None:
    for entry in judges_example()["scores"].values():
        assert list(entry) == ["evidence", "reason", "score", "weight"]


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_the_rubric_has_four_anchors_and_the_weight(name: str) -> None:
    section = re.search(rf"^### {name} .*?(?=^###? )", read(guide_path("quality-rubric")), flags=re.M | re.S)
    assert section
    assert re.findall(r"^- ([2-5])：", section.group(), flags=re.M) == ["2", "3", "4", "5"]
    assert f"{WEIGHTS[name]:.2f}" in section.group()


def test_the_style_guide_shows_each_kind() -> None:
    sections = re.split(r"^## ", read(guide_path("style-guide")), flags=re.M)
    kinds = [s for s in sections if re.match(r"\d+\. ", s)]
    assert len(kinds) == 11
    for kind in kinds[:10]:
        assert "量：" in kind
        before, after = (re.findall(rf"^- {mark}", kind, flags=re.M) for mark in ("改前", "改后"))
        assert before and len(before) == len(after)


def habits(text: str) -> dict[str, int]:
    """How often each habit that the lint knows stands in a text, allowed or not."""
    streams = lint_habits.Streams(Sheet(f"# 第 1 章 例\n\n{text}", ()))
    found = {row.name: len(list(lint_habits._row_places(row, streams))) for row in habit_table.ROWS}
    return {name: times for name, times in found.items() if times}


@pytest.mark.parametrize(("before", "after"), pairs())
def test_what_the_style_guide_shows_takes_away_and_adds_nothing(before: str, after: str) -> None:
    """Its own first rule: nothing in it that was not there, no simile, no habit more; a word for a word."""
    assert len(after) < len(before)
    assert len(set(re.findall(r"[一-鿿]", after)) - set(before)) <= 5
    had = habits(before)
    assert {name: times for name, times in habits(after).items() if times > had.get(name, 0)} == {}


@pytest.mark.parametrize("path", [agent_path("chapter-writer"), guide_path("method")])
def test_what_a_writer_is_shown_keeps_the_rules_of_prose(path: str) -> None:
    """He learns from it: no habit of a machine, and who speaks next begins a paragraph."""
    shown: list[str] = re.findall(r"^> (.+)$", read(path), flags=re.M)
    assert len(shown) >= 3
    assert habits("\n\n".join(shown)) == {}
    assert [line for line in shown if re.search("”.*“", line)] == []


def test_planners_examples_keep_the_rules_beside_them() -> None:
    (style,) = fenced(read(agent_path("style-analyzer")))
    assert all(3 <= len(style[key]) <= 6 for key in ("do", "avoid"))
    assert 3 <= style["voice"].count("。") <= 4
    text = read(agent_path("plot-architect"))
    (contract,) = fenced(text)
    planned = re.search(r"\*\*Foreshadowing\*\*: (.*)", text)
    moved = {one["id"] for one in contract["postconditions"]["foreshadowing_updates"]}
    assert planned and set(re.findall(r"[a-z]+-[a-z]+", planned.group(1))) == moved
