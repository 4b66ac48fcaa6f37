"""One event in two chapters of a plan: told once, with both chapters; what is short or over is not."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline import repeats
from novel_hooks.rules.outline.contract import Contract

CONFLICT = "何铁要断缆，沈渡不让，断了就误船期"


def outline(*chapters: tuple[str, str]) -> outlines.Outline:
    blocks = [
        f"### 第 {number} 章: {title}\n- **Conflict**: {conflict}\n"
        for number, (title, conflict) in enumerate(chapters, 4)
    ]
    return outlines.parse("\n".join(blocks), "outline.md")


def contract(chapter: int, description: str, required: bool = True) -> Contract:
    objective = {"id": "O", "required": required, "description": description}
    document: dict[str, Any] = {"chapter": chapter, "storyline_id": "river", "objectives": [objective]}
    return contracts.parse(document, f"chapter-{chapter:03d}.json")


def test_the_same_conflict_or_title_twice_is_told() -> None:
    plan = outline(
        ("断缆", CONFLICT), ("起风", "过河"), ("断缆", CONFLICT.replace("，", "、") + "。"), ("回岸", "过河")
    )
    told = [(one.code, one.severity, str(one)) for one in repeats.outline_problems(plan)]
    assert [code for code, *_ in told] == ["PLAN_EVENT_TWICE"] * 2
    assert {severity for _, severity, _ in told} == {"warning"}
    assert all("第 6 章" in text and "第 4 章" in text for *_, text in told)
    assert list(repeats.outline_problems(plan, after=6)) == []


def test_width_and_case_make_no_other_event() -> None:
    plan = outline(("Ａ岸９号", "何铁要断第９根缆"), ("起风", "过河"), ("a岸9号", "何铁要断第9根缆"))
    assert [one.code for one in repeats.outline_problems(plan)] == ["PLAN_EVENT_TWICE"] * 2


def test_the_same_required_objective_twice_is_told() -> None:
    said = "何铁断缆，沈渡守住最后一根"
    plan = {
        4: contract(4, said),
        5: contract(5, said),
        6: contract(6, said, required=False),
        7: contract(7, "过河"),
    }
    (told,) = repeats.contract_problems(plan)
    assert (told.path, told.values["before"], told.values["chapter"]) == ("chapter-005.json", 4, 5)
    assert list(repeats.contract_problems(plan, after=5)) == []


def test_what_an_earlier_volume_has_told_is_told_of_this_ones_chapter() -> None:
    before = outlines.parse(f"### 第 1 章: 断缆\n- **Conflict**: {CONFLICT}\n", "vol-01")
    own = outline(("断缆", "过河"), ("起风", CONFLICT))
    told = [
        (p.path, p.values["before"], p.values["chapter"]) for p in repeats.outline_problems(own, 3, [before])
    ]
    assert told == [("outline.md", 1, 4), ("outline.md", 1, 5)]
    assert list(repeats.outline_problems(own, 5, [before])) == []


def test_two_chapters_of_earlier_volumes_are_past() -> None:
    both = outlines.parse("### 第 1 章: 断缆\n- x\n\n### 第 2 章: 断缆\n- y\n", "vol-01")
    assert list(repeats.outline_problems(outline(("起风", "过河")), 0, [both])) == []
    said = "何铁断缆，沈渡守住最后一根"
    earlier = {1: contract(1, said), 2: contract(2, said)}
    assert list(repeats.contract_problems({4: contract(4, "渡口换了主人，谁也不认账")}, 0, earlier)) == []
    (told,) = repeats.contract_problems({4: contract(4, said)}, 3, earlier)
    assert (told.path, told.values["before"], told.values["chapter"]) == ("chapter-004.json", 1, 4)


def test_a_word_more_or_less_makes_no_other_event() -> None:
    long = f"{CONFLICT}，两个人在船头争到天亮"
    plan = outline(
        ("甲", long), ("乙", "过河"), ("丙", f"这一夜，{long}"), ("丁", long.replace("天亮", "天明"))
    )
    told = [str(one) for one in repeats.outline_problems(plan)]
    assert ["第 4 章的几乎一样" in one for one in told] == [True, True]
    (said,) = repeats.contract_problems({4: contract(4, long), 5: contract(5, f"于是{long}")})
    assert "几乎一样" in str(said)


def test_another_number_another_place_or_another_outcome_is_another_event() -> None:
    long = "沈渡带着第 3 份契约去找何铁，何铁不认，两人在堂上对质"
    others = (long.replace("3", "4"), "沈渡带着何铁的口供回渡口，船家不认，三人在岸上对质，谁也没有赢")
    plan = outline(("甲", long), *((f"乙{n}", other) for n, other in enumerate(others)))
    assert list(repeats.outline_problems(plan)) == []
