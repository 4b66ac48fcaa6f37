"""What planners hand in, looked at file by file: keys that stand twice, a style's numbers and passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import SAMPLE, staged_book

from novel_hooks import errors, layout
from novel_hooks.errors import FINDINGS
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.planning import desk
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def staged(tmp_path: Path) -> Book:
    """Everything of the sample in staging."""
    return staged_book(tmp_path / "book", "volumes", layout.STORYLINES)


PLANNED = {
    layout.WORLD_RULES: "setup:world",
    layout.character_card("xu-er"): "setup:characters",
    layout.STYLE_PROFILE: "setup:style",
    layout.STORYLINES: "volume:01:outline",
    layout.schedule(1): "volume:01:outline",
    layout.foreshadowing_plan(1): "volume:01:outline",
    layout.contract(1, 3): "volume:01:outline",
}


@pytest.mark.parametrize("path", PLANNED)
def test_a_key_twice_is_told_with_its_line(staged: Book, path: str) -> None:
    step = PLANNED[path]
    if step.startswith("volume"):
        staged.ok("commit", "--setup")
    there = layout.staged(path)
    text = staged.at(there if staged.at(there).exists() else path).read_text("utf-8")
    staged.write(there, '{"note": 1,\n "别的": 2,\n "note": 3,' + text.lstrip()[1:])
    found = staged.novel("validate", step)
    mine = [d for d in found.diagnostics if d.path == there]
    assert found.exit == 1 and any("第 3 行" in d.message and "note" in d.message for d in mine), found


def test_a_key_line_twice_is_told_with_its_lines(staged: Book) -> None:
    staged.ok("commit", "--setup")
    there = layout.staged(layout.outline(1))
    text = staged.at(there).read_text("utf-8")
    line = next(one for one in text.split("\n") if one.startswith("- **POV**"))
    staged.write(there, text.replace(line, f"{line}\n- **POV**: 别人", 1))
    found = staged.novel("validate", "volume:01:outline")
    number = text.split("\n").index(line) + 1
    assert found.exit == 1 and [d.path for d in found.diagnostics] == [there]
    assert f"第 {number}、{number + 1} 行" in found.diagnostics[0].message


# the numbers of a style are counted ------------------------------------------------------------------


def styled(made: Book, **changes: Any) -> dict[str, Any]:
    """A profile as its analyst should hand it in, with these changes; his packet is out."""
    (facts,) = [
        i["value"] for i in made.ok("instructions", "setup:style")["inputs"] if i["key"] == "style_facts"
    ]
    passage = "\n".join(made.at(SAMPLE).read_text("utf-8").split("\n")[4:12])
    profile = {
        "voice": "像守桥的人",
        "sentence_length": {key: facts["sentence_length"][key] for key in ("mean", "sd")},
        "paragraph_chars": {key: facts["paragraph_chars"][key] for key in ("mean", "sd", "min", "max")},
        "dialogue_ratio": facts["dialogue_ratio"]["all"],
        "samples": [passage],
        **changes,
    }
    made.write(layout.staged(layout.STYLE_PROFILE), profile)
    return facts


def test_numbers_that_were_copied_pass_also_rounded(staged: Book) -> None:
    facts = styled(staged)
    assert staged.novel("validate", "setup:style").exit == 0
    share = facts["dialogue_ratio"]["all"]
    for changes in (
        {"sentence_length": round(facts["sentence_length"]["mean"])},
        {"dialogue_ratio": [share, share], "paragraph_chars": [5, 110]},
        {"samples": [{"text": staged.at(SAMPLE).read_text("utf-8").split("\n")[6]}]},
        {"sentence_length": None, "samples": []},
    ):
        styled(staged, **{key: value for key, value in changes.items() if value is not None})
        assert staged.novel("validate", "setup:style").exit == 0, changes


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"sentence_length": {"mean": 99, "sd": 10.8}},
            "sentence_length.mean 写的是 99，样章里量出来的是 16.4",
        ),
        ({"sentence_length": 30}, "sentence_length.mean 写的是 30"),
        ({"paragraph_chars": [5, 300]}, "paragraph_chars.max 写的是 300，样章里量出来的是 110"),
        ({"dialogue_ratio": 0.9}, "dialogue_ratio.mean 写的是 0.9"),
        ({"dialogue_ratio": [0.1, 0.23]}, "dialogue_ratio.min 写的是 0.1"),
        (
            {"samples": ["这一段不是作者写的，是编出来的。"]},
            "samples[1]（这一段不是作者写的，…）不是样章里的原文",
        ),
    ],
)
def test_numbers_and_passages_that_were_made_up_are_told(
    staged: Book, changes: dict[str, Any], words: str
) -> None:
    styled(staged, **changes)
    found = staged.novel("validate", "setup:style")
    assert found.exit == 1 and [d.path for d in found.diagnostics] == [layout.staged(layout.STYLE_PROFILE)]
    assert words in found.diagnostics[0].message
    told = [
        i["value"]
        for i in staged.ok("instructions", "setup:style")["inputs"]
        if i["key"] == "previous_problems"
    ]
    assert words in told[0][0]["problem"]


def test_the_authors_own_decision_beats_the_sample(staged: Book) -> None:
    styled(staged, dialogue_ratio=0.9, sentence_length=30)
    entry = {
        "step": "setup:style",
        "kind": "question",
        "id": "talk",
        "header": "对白",
        "why": "",
        "told": None,
        "question": "对白占几成？",
        "choices": [{"key": "1", "label": "九成", "effect": "多写对白"}],
        "answer": {"choice": "1", "note": None},
        "done": {"choice": "1", "note": None},
        "at": "2026-01-01",
    }
    staged.write(layout.DECISIONS, {"schema_version": 1, "decisions": [entry]})
    found = staged.novel("validate", "setup:style")
    (told,) = found.diagnostics
    assert "sentence_length.mean" in told.message


def test_so_does_a_number_in_his_brief(staged: Book) -> None:
    styled(staged, dialogue_ratio=0.9)
    assert staged.novel("validate", "setup:style").exit == 1
    brief = layout.staged(layout.BRIEF)
    staged.write(brief, staged.at(brief).read_text("utf-8") + "\n## 腔调\n\n话多，对白约占九成。\n")
    assert staged.novel("validate", "setup:style").exit == 0


def test_numbers_of_a_short_sample_only_advise(staged: Book) -> None:
    """A profile may have others; a passage that is nobody's is a fault all the same."""
    passage = "他把灯提起来，水声从船底漫上来。"
    staged.write(SAMPLE, f"{passage}\n")
    styled(staged, sentence_length=99, dialogue_ratio=0.5, paragraph_chars=200, samples=[{"text": passage}])
    assert staged.novel("validate", "setup:style").exit == 0
    styled(staged, samples=[{"text": "谁也没有写过这一句话。"}])
    assert staged.novel("validate", "setup:style").exit == 1


def test_a_profile_that_nobody_was_given_numbers_for_is_the_authors(staged: Book) -> None:
    assert staged.novel("validate", "setup:style").exit == 0, "the sample's own, with other numbers"
    staged.ok("advance", "setup:style")


def test_other_samples_since_then_are_another_matter(staged: Book) -> None:
    styled(staged, sentence_length=99)
    staged.write(SAMPLE, staged.at(SAMPLE).read_text("utf-8") + "\n他走了。\n")
    assert staged.novel("validate", "setup:style").exit == 0


# whose fault -------------------------------------------------------------------------------------------


def test_only_an_error_that_is_none_yet_becomes_a_finding() -> None:
    warning, refusal = errors.PlanKept("a.md", kept="b.md"), errors.TextNotUtf8("a.md", offset=3, likely="")
    broken = errors.PlanBroken("a.md", detail="空的", how="写。")
    assert desk.finding(warning) is warning and desk.finding(broken) is broken
    found = desk.finding(refusal)
    assert (found.code, found.exit, found.path) == ("PLAN_BROKEN", FINDINGS, "a.md")
    assert str(refusal).rstrip("。") in str(found)


def test_a_retired_namesake_of_an_active_one_is_not_brought_back(tmp_path: Path) -> None:
    made = book(tmp_path)
    card = layout.character_card("bai-sui")
    made.write(layout.staged(card), made.json(card))
    made.write(layout.retired(card), made.json(card))

    def problems() -> list[str]:
        found = desk.PlanDesk(Reading(Project(str(made.root))), 1).staged_cards()["bai-sui"]
        return [problem.code for problem in found.problems]

    assert problems() == []
    made.drop(card)
    assert problems() == ["PLAN_BROKEN"]


def test_questions_that_nobody_can_read_are_not_asked(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book")
    path = layout.questions("setup-world")
    made.write(path, "{")
    before = made.tree()
    found = made.novel("answer", "setup:world", "toll", "1")
    assert found.exit == 1 and [d.path for d in found.diagnostics] == [path]
    assert made.changed(before) == {}
