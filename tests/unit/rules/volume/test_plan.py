"""A volume's plan: its chapters, contracts and storylines, worked out once."""

from __future__ import annotations

import pytest
from volumedraft import OUTLINE, Draft, path

from novel_hooks import layout
from novel_hooks.rules.outline import outline as outlines


def test_chapters_are_the_outlines_in_order_and_each_once() -> None:
    draft = Draft()
    draft.titles = {n: draft.titles[n] for n in (6, 4, 5)}
    draft.titles[60] = "### 第 6 章: 又一遍"
    plan = draft.plan()
    assert (plan.chapters, plan.end) == ([4, 5, 6], 6)
    assert plan.range_text == "第 4 章到第 6 章"


def test_without_an_outline_the_chapters_are_those_of_the_contracts() -> None:
    plan = Draft().plan()._replace(outline=outlines.parse("", OUTLINE), files=(4, 7))
    assert (plan.chapters, plan.end) == ([4, 7], 7)
    empty = plan._replace(files=())
    assert (empty.chapters, empty.end, empty.range_text) == ([], 4, "第 4 章到第 4 章")


def test_the_end_is_that_of_outline_or_contracts() -> None:
    assert Draft().plan()._replace(files=(4, 9)).end == 9
    assert Draft().plan()._replace(files=(4,)).end == 6


def test_a_contract_counts_where_it_belongs() -> None:
    draft = Draft()
    draft.contracts[5]["chapter"] = 6  # lies in the wrong file: there is a chapter 6
    draft.contracts[4]["chapter"] = 40  # a slip: there is no chapter 40
    draft.contracts[9] = {**draft.contracts[6], "chapter": 9}
    plan = draft.plan()
    assert [plan.sound(n) is not None for n in (3, 4, 5, 6, 9)] == [False, True, False, True, False]
    assert [plan.at(n) is not None for n in (2, 3, 4, 5, 6)] == [False, True, True, False, True]
    before = plan.at(3)
    assert before is not None and before.path == layout.contract(1, 3)
    assert plan._replace(before=None).at(3) is None


def test_the_path_of_a_contract() -> None:
    plan = Draft().plan()
    assert plan.contract_path(4) == path(4) == "staging/volumes/vol-02/chapter-contracts/chapter-004.json"
    assert plan.contract_path(8) == path(8)
    landed = plan._replace(contracts={4: plan.contracts[4]._replace(path="volumes/x.json")})
    assert landed.contract_path(4) == "volumes/x.json"


def test_key_lines_of_a_chapter() -> None:
    draft = Draft()
    draft.keys[5]["POV"] = "苏禾"
    plan = draft.plan()
    assert (plan.keys(5)["POV"], plan.keys(5)["Storyline"], plan.keys(7)) == ("苏禾", "tower", {})
    assert (plan.storyline(5), plan.storyline(7)) == ("tower", "")


@pytest.mark.parametrize(
    ("line", "own", "agreed"),
    [
        ("river", "river", "river"),
        ("river", "tower", ""),
        ("river", "", "river"),
        ("", "tower", "tower"),
        ("", "", ""),
    ],
)
def test_the_storyline_on_which_outline_and_contract_agree(line: str, own: str, agreed: str) -> None:
    draft = Draft()
    draft.storylines[5], draft.contracts[5]["storyline_id"] = line, own
    assert draft.plan().agreed(5) == agreed


def test_the_storyline_of_a_chapter_without_a_contract_or_outside_the_outline() -> None:
    draft = Draft()
    del draft.contracts[5]
    draft.contracts[9] = {**draft.contracts[6], "chapter": 9}
    plan = draft.plan()
    assert (plan.agreed(5), plan.agreed(9), plan.agreed(3)) == ("tower", "", "")


def test_names_of_those_in_the_book_and_of_those_who_left() -> None:
    draft = Draft()
    draft.retired["old"] = "船老大"
    plan = draft.plan()
    assert (plan.names.who("老何"), plan.names.who("船老大")) == (("he",), ())
    assert (plan.left.who("船老大"), plan.left.who("何铁")) == (("old",), ())
    assert plan._replace(people=None).names.who("何铁") == ()


def test_a_value_is_worked_out_once_for_each_key_where_there_is_a_place_to_keep_it() -> None:
    made: list[str] = []

    def make() -> int:
        made.append("x")
        return len(made)

    plan = Draft().plan()
    assert [plan.once("a", make), plan.once("a", make)] == [1, 2]
    kept = plan._replace(worked_out={})
    assert [kept.once("a", make), kept.once("a", make), kept.once("b", make)] == [3, 3, 4]


def test_each_chapter_has_key_lines_and_a_storyline_of_its_own_in_what_is_kept() -> None:
    plan = Draft().plan()._replace(worked_out={})
    for _ in range(2):
        assert [plan.agreed(n) for n in (4, 5, 6)] == ["river", "tower", "river"]
        assert [plan.keys(n)["Foreshadowing"] for n in (4, 5)] == ["埋 bell（门上）", "推 bell"]
        assert (plan.chapters, plan.names.who("苏禾"), plan.left.who("苏禾")) == ([4, 5, 6], ("su",), ())
    assert set(plan.worked_out or ()) == {
        "chapters",
        "names",
        "left",
        *((key, n) for key in ("agreed", "keys") for n in (4, 5, 6)),
    }
