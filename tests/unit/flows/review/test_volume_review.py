"""A volume looked back on: every part of the review, and the step that lands it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.rules.review import markdown
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIZE = 6


@pytest.fixture
def done(tmp_path: Path) -> Book:
    """A volume of six chapters, all landed, to be looked back on."""
    made = book(tmp_path, SIZE, SIZE)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    return made


def change(made: Book, path: str, edit: Callable[[Any], None]) -> None:
    document = made.json(path)
    edit(document)
    made.write(path, document)


def checks(chapter: int, status: str = "pass") -> list[dict[str, Any]]:
    return [{"objective_id": f"OBJ-{chapter}-{n}", "status": status, "confidence": "high"} for n in (1, 2)]


def reviewed(made: Book) -> dict[str, Any]:
    found = made.ok("review")
    assert schema.problems("volume-review", found, "review.json") == []
    return dict(found)


# the parts -------------------------------------------------------------------------------------------


def test_objectives_by_what_the_judge_said(done: Book) -> None:
    for chapter, status in ((1, "pass"), (2, "VIOLATION"), (3, "violation_suspected")):

        def judged(document: Any, chapter: int = chapter, status: str = status) -> None:
            document["contract_verification"]["l3_checks"] = [
                {"objective_id": f"OBJ-{chapter}-1", "status": "pass", "confidence": "high"},
                *checks(chapter, status),
            ]

        change(done, layout.evaluation(chapter), judged)
    found = reviewed(done)["objectives"]
    assert (found["total"], found["reached"]) == (12, 2)
    states = {(one["chapter"], one["status"]) for one in found["open"]}
    assert states == {(2, "missed"), (3, "doubted"), (4, "unchecked"), (5, "unchecked"), (6, "unchecked")}
    assert {one["required"] for one in found["open"]} == {True, False}


def test_a_volume_that_is_not_finished(tmp_path: Path) -> None:
    made = book(tmp_path, 4, SIZE)
    found = reviewed(made)
    assert (found["written"], found["last_chapter"]) == (4, 6)
    assert found["objectives"]["total"] == 8
    assert not [one for one in found["objectives"]["open"] if one["chapter"] > 4]


def test_threads_resolved_overdue_due_missing_unplanned(done: Book) -> None:
    def fact(
        name: str, status: str, scope: str, window: list[int] | None, planted: int = 1
    ) -> dict[str, Any]:
        history = [{"chapter": 4, "action": "resolved", "detail": ""}] if status == "resolved" else []
        return {
            "id": name,
            "description": name,
            "scope": scope,
            "status": status,
            "planted_chapter": planted,
            "target_resolve_range": window,
            "last_updated_chapter": 4,
            "history": history,
        }

    facts = [
        fact("closed", "resolved", "short", [3, 4]),
        fact("late", "planted", "short", [3, 5]),
        fact("medium", "planted", "medium", [3, 6]),
        fact("later", "planted", "medium", [9, 12]),
        fact("stray", "planted", "long", None, planted=2),
    ]
    done.write(layout.FORESHADOWING, {"foreshadowing": facts})
    plan = [{k: v for k, v in one.items() if k != "status"} for one in facts[:4]]
    never = {"id": "never", "description": "没埋", "scope": "short", "planted_chapter": 5}
    never["target_resolve_range"] = [5, 6]
    done.write(layout.foreshadowing_plan(1), {"volume": 1, "foreshadowing": [*plan, never]})
    found = reviewed(done)["threads"]
    ids = {key: [one["id"] for one in found[key]] for key in found if key != "planned"}
    assert found["planned"] == 5
    assert ids == {
        "resolved": ["closed"],
        "overdue": ["late"],
        "due": ["medium"],
        "missing": ["never"],
        "unplanned": ["stray"],
    }


def test_what_was_to_be_planted_later_is_not_missing_yet(tmp_path: Path) -> None:
    made = book(tmp_path, 3, SIZE)
    items = [{"id": name, "planted_chapter": n} for name, n in (("now", 3), ("then", 4))]
    made.write(layout.foreshadowing_plan(1), {"volume": 1, "foreshadowing": [*items, {"id": "some-time"}]})
    assert [one["id"] for one in reviewed(made)["threads"]["missing"]] == ["now"]


def test_rhythm_run_gap_absent_and_the_wrong_line(done: Book) -> None:
    lines = done.lines(layout.CHANGELOG)
    for one in lines:
        one["storyline_id"] = "river-line"
    done.write(layout.CHANGELOG, "".join(f"{_line(one)}\n" for one in lines))

    def scheduled(document: Any) -> None:
        document["active_storylines"] = [
            {"storyline_id": "river-line", "volume_role": "primary", "target_chapters": [1, 2, 3]},
            {"storyline_id": "tower-line", "volume_role": "secondary", "target_chapters": [4, 5]},
        ]
        document["convergence_events"] = [
            {"chapter_range": [5, 6], "involved_storylines": ["river-line", "tower-line"]}
        ]

    change(done, layout.schedule(1), scheduled)
    found = reviewed(done)
    river, tower = found["storylines"]
    assert (river["longest_run"], river["remarks"], river["unwritten"]) == (6, ["run"], [])
    assert (tower["chapters"], tower["remarks"], tower["unwritten"]) == ([], ["absent"], [4, 5])
    assert found["convergences"] == [
        {"chapter_range": [5, 6], "involved": ["river-line", "tower-line"], "missing": ["tower-line"]}
    ]


def test_a_meeting_to_come_is_not_missed_yet(tmp_path: Path) -> None:
    made = book(tmp_path, 4, SIZE)
    event = {"chapter_range": [4, 6], "involved_storylines": ["river-line", "sea-line"]}
    change(made, layout.schedule(1), lambda d: d.update(convergence_events=[event]))
    assert reviewed(made)["convergences"] == []


def _line(document: Any) -> str:
    import json

    return json.dumps(document, ensure_ascii=False)


def test_a_side_line_out_of_sight_for_ten_chapters(tmp_path: Path) -> None:
    made = book(tmp_path, 12, 12)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    lines = made.lines(layout.CHANGELOG)
    for one in lines:
        one["storyline_id"] = "tower-line" if one["chapter"] in (1, 12) else "river-line"
    made.write(layout.CHANGELOG, "".join(f"{_line(one)}\n" for one in lines))
    by_id = {one["id"]: one for one in reviewed(made)["storylines"]}
    assert (by_id["tower-line"]["longest_gap"], by_id["tower-line"]["remarks"]) == (10, ["gap"])


def test_bridges_that_lead_nowhere(done: Book) -> None:
    def joined(document: Any) -> None:
        shared = {
            "shared_characters": ["沈渡", "shen-du", "无人"],
            "shared_foreshadowing": ["clue-001", "ghost"],
        }
        document["relationships"] = [{"from": "river-line", "to": "sea-line", "bridges": shared}]

    change(done, layout.STORYLINES, joined)
    found = reviewed(done)["bridges"]
    assert [(one["kind"], one["name"]) for one in found] == [
        ("storyline", "sea-line"),
        ("character", "无人"),
        ("foreshadowing", "ghost"),
    ]


def test_scores_low_chapters_and_those_let_through(done: Book) -> None:
    def low(document: Any) -> None:
        document["overall_final"] = 3.2
        document["metadata"]["gate"]["force_passed"] = True

    change(done, layout.evaluation(3), low)
    found = reviewed(done)["scores"]
    assert found["lowest"] == {"chapter": 3, "overall": 3.2}
    assert found["low"] == [{"chapter": 3, "overall": 3.2}] and found["forced"] == [3]
    assert found["average"] == 4.0 and found["weakest"]["dimension"] == "plot_logic"


def test_names_without_a_card_that_this_volume_met(done: Book) -> None:
    met = ((2, "铜铃"), (3, "铜铃"), (4, "沈渡"))
    kind = {"ts": "2026-01-01T00:00:00Z", "context": "", "suggested_type": "item"}
    told = [{**kind, "chapter": chapter, "mention": mention} for chapter, mention in met]
    done.write(layout.UNKNOWN_ENTITIES, "".join(f"{_line(one)}\n" for one in told))
    found = reviewed(done)["unknown_entities"]
    assert [(one["mention"], one["chapters"]) for one in found] == [("铜铃", [2, 3])]


def test_facts_that_disagree(done: Book) -> None:
    def elsewhere(document: Any) -> None:
        document["preconditions"]["character_states"] = {
            "沈渡": {"location": "塔顶"},
            "乔九": {"location": "哪里都行"},
        }

    change(done, layout.contract(1, 3), elsewhere)

    def doubted(document: Any) -> None:
        document["contract_verification"]["l1_checks"].append(
            {"rule_id": "W-001", "status": "violation_suspected", "confidence": "low", "detail": "他回了头"}
        )

    change(done, layout.evaluation(4), doubted)
    change(done, layout.crossref(5), lambda d: d.update(leak_risk="low", leak_detail="早知道了"))
    lines = done.lines(layout.CHANGELOG)
    lines[5]["dropped"] = [{"op": {"op": "inc", "path": "items.x.y"}, "reason": "不是数字"}]
    done.write(layout.CHANGELOG, "".join(f"{_line(one)}\n" for one in lines))
    found = reviewed(done)["continuity"]
    assert [(one["chapter"], one["source"], one["name"]) for one in found] == [
        (3, "place", "沈渡"),
        (4, "judge", "W-001"),
        (5, "leak", "river-line"),
        (6, "state", "「x」的y加"),
    ]
    assert "塔顶" in found[0]["detail"] and "第 3 个渡口" in found[0]["detail"]


def test_a_place_told_more_fully_is_the_same_place(done: Book) -> None:
    def fuller(document: Any) -> None:
        document["preconditions"]["character_states"]["沈渡"]["location"] = "第 3 个渡口，船头"

    change(done, layout.contract(1, 3), fuller)
    assert reviewed(done)["continuity"] == []


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (layout.FORESHADOWING, "threads"),
        (layout.CHANGELOG, "storylines"),
        (layout.schedule(1), "convergences"),
        (layout.STORYLINES, "bridges"),
        (layout.UNKNOWN_ENTITIES, "unknown_entities"),
    ],
)
def test_one_broken_file_hides_no_other_part(done: Book, path: str, part: str) -> None:
    done.write(path, "{")
    found = reviewed(done)
    assert found[part] is None and found["unread"][0]["path"] == path
    assert found["scores"] and found["objectives"]
    text = markdown.markdown(found)
    assert "没有读成的" in text and path in text


@pytest.mark.parametrize(
    "path",
    [
        layout.contract(1, 3),
        layout.evaluation(4),
        layout.crossref(5),
        layout.chapter(2),
        layout.schedule(1),
        layout.foreshadowing_plan(1),
        layout.STORYLINES,
        layout.CHANGELOG,
    ],
)
def test_what_is_not_there_is_told(done: Book, path: str) -> None:
    assert done.novel("review").diagnostics == ()
    done.drop(path)
    found = done.novel("review")
    assert [(one.code, one.severity, one.path) for one in found.diagnostics] == [
        ("REVIEW_UNREAD", "warning", path)
    ]
    assert [one["path"] for one in found.data["unread"]] == [path] and path in found.text


def test_what_was_not_read_is_told_when_the_volume_is_closed(done: Book) -> None:
    done.write(layout.foreshadowing_plan(1), "{")
    found = done.novel("advance", "volume:01:review")
    assert found.exit == 0 and [(d.code, d.path) for d in found.diagnostics] == [
        ("REVIEW_UNREAD", layout.foreshadowing_plan(1))
    ]
    assert "第 1 行" in found.diagnostics[0].message


def test_every_part_can_be_read_by_the_author(done: Book) -> None:
    found = reviewed(done)
    text = markdown.markdown(found)
    for head in (
        "评分",
        "计划的目标",
        "伏笔",
        "故事线的节奏",
        "悬空的桥",
        "还没有档案的名字",
        "对不上的事实",
        "作者的话",
    ):
        assert f"\n## {head}\n" in text
    assert text == done.novel("review", "1").text


# the step --------------------------------------------------------------------------------------------


def test_from_the_last_chapter_to_the_next_volume(done: Book) -> None:
    due = done.next()
    assert (due["step"], due["agent"], due["recorded"]) == ("volume:01:review", None, True)
    assert "卷末回顾" in done.novel("next").text
    done.ok("validate", "volume:01:review")
    told = done.novel("review").text
    found = done.ok("advance", "volume:01:review")
    assert (found["changed"], found["orchestrator_state"]) == (True, "VOL_PLANNING")
    assert done.at(layout.volume_review(1)).read_text("utf-8") == told
    assert schema.problems("volume-review", done.json(layout.volume_review_data(1)), "review.json") == []
    assert done.point()["current_volume"] == 2
    assert done.next()["step"] == "volume:02:outline"
    packet = done.ok("instructions", "volume:02:outline")
    assert layout.volume_review(1) in [one.get("path") for one in packet["inputs"]]
    plan_volume(done, 2)
    done.ok("advance", "volume:02:outline")
    done.ok("advance", "volume:02:validate")
    done.ok("commit", "--volume", "2")
    assert done.next()["step"] == "chapter:007:draft"


def test_said_again_it_changes_nothing(done: Book) -> None:
    done.ok("advance", "volume:01:review")
    before = done.tree()
    assert done.ok("advance", "volume:01:review")["changed"] is False
    assert done.changed(before) == {}


def test_past_the_outlines_end_it_is_due_too(done: Book) -> None:
    done.point(orchestrator_state="WRITING")
    assert done.next()["step"] == "volume:01:review"
    done.ok("advance", "volume:01:review")
    assert done.point()["current_volume"] == 2


def test_what_the_author_wrote_there_is_kept(done: Book) -> None:
    done.write(layout.volume_review(1), "下一卷要慢。\n")
    found = done.novel("advance", "volume:01:review")
    (note,) = found.diagnostics
    assert (note.code, note.path) == ("PLAN_KEPT", layout.volume_review(1))
    (kept,) = done.at(".novel/attempts/volume-01").rglob("review.md")
    assert kept.read_text("utf-8") == "下一卷要慢。\n"


def test_it_is_refused_before_its_time(tmp_path: Path) -> None:
    made = book(tmp_path, 3, SIZE)
    for command in ("validate", "advance"):
        made.refused(3, "STEP_NOT_NEXT", command, "volume:01:review")
    made.refused(3, "REVIEW_NOT_YET", "review", "2")


def test_the_same_book_gives_the_same_bytes(done: Book, tmp_path: Path) -> None:
    other = book(tmp_path, SIZE, SIZE, name="other")
    other.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    assert done.novel("review").text == other.novel("review").text
