"""After every fifth chapter a brief, after every tenth what to check: with the commit, never in its way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.review import periodic_report as flow
from novel_hooks.store.files.project import Project


def ready(place: Path, chapters: int, overall: float = 4.5) -> Book:
    """The next chapter judged and due to land."""
    made = book(place, chapters=chapters, volume_size=30)
    made.until("judged", overall)
    return made


def landed(made: Book) -> Any:
    return made.ok("commit", "--chapter", str(made.chapter))["periodic"]


def rescore(made: Book, chapter: int, overall: float, flags: list[Any] | None = None, **gate: Any) -> None:
    path = layout.evaluation(chapter)
    document = made.json(path)
    document.update(overall_final=overall, **({} if flags is None else {"risk_flags": flags}))
    document["metadata"]["gate"].update(gate)
    made.write(path, document)


@pytest.mark.parametrize("chapter", [2, 4, 6, 9, 11])
def test_nothing_is_due_in_between(tmp_path: Path, chapter: int) -> None:
    assert landed(ready(tmp_path, chapter - 1)) is None


def test_the_brief_after_five(tmp_path: Path) -> None:
    made = ready(tmp_path, 4, overall=4.0)
    rescore(made, 2, 3.3, ["钥匙的下落说了两种"], revisions=2, force_passed=True)
    rescore(made, 3, 4.1, ["钥匙的下落说了两种", "阿贵两章没提", 7, "  "])
    brief = landed(made)["brief"]
    assert (brief["from_chapter"], brief["to_chapter"]) == (1, 5)
    assert brief["average"] == pytest.approx((4.1 + 3.3 + 4.1 + 4.2 + 4.0) / 5, abs=0.011)
    assert brief["low"] == [{"chapter": 2, "overall": 3.3}]
    assert brief["risks"][:2] == ["勉强放行：第 2 章", "修订了两轮以上：第 2 章"]
    assert brief["risks"][-2:] == ["评审提到：钥匙的下落说了两种", "评审提到：阿贵两章没提"]


def test_it_is_told_below_the_commits_line(tmp_path: Path) -> None:
    text = ready(tmp_path, 4).novel("commit", "--chapter", "5").text
    assert text.splitlines()[0].startswith("第 5 章已生成")
    assert "质量简报：第 1-5 章均分" in text and "核对一遍" not in text


def test_a_falling_average_is_a_risk(tmp_path: Path) -> None:
    made = ready(tmp_path, 9, overall=4.0)
    for chapter in range(6, 10):
        rescore(made, chapter, 3.6)
    assert landed(made)["brief"]["risks"][0] == "均分在下降"


def test_the_reminder_after_ten_has_facts(tmp_path: Path) -> None:
    made = ready(tmp_path, 9)
    lines = [
        {
            "ts": "2026-01-01T00:00:00Z",
            "chapter": n,
            "mention": name,
            "context": "",
            "suggested_type": "character",
        }
        for n, name in ((2, "阿蛮"), (3, "瘸腿六"), (4, "阿蛮"))
    ]
    made.write(layout.UNKNOWN_ENTITIES, "".join(f"{json.dumps(line)}\n" for line in lines))
    facts = made.json(layout.FORESHADOWING)
    late = {"id": "bell", "description": "第三根绳", "scope": "short", "status": "planted", "history": []}
    facts["foreshadowing"].append({**late, "target_resolve_range": [2, 6]})
    made.write(layout.FORESHADOWING, facts)
    for chapter in range(1, 10):
        path = layout.chapter_log(chapter)
        made.write(path, {**made.json(path), "storyline_id": "tower-line"})
    found = landed(made)
    own = made.json(layout.chapter_log(10))["storyline_id"]
    missing = [{"id": "river-line", "name": "river-line"}] if own == "tower-line" else []
    assert found["consistency"] == {
        "unknown_entities": ["阿蛮", "瘸腿六"],
        "overdue": [{"id": "bell", "description": "第三根绳", "due": 6}],
        "storylines": missing,
    }
    assert "还没有登记的名字：阿蛮、瘸腿六" in found["text"]
    assert "过了期还没收的伏笔：第三根绳（bell，最迟第 6 章收）" in found["text"]


BROKEN = {
    "unknown_entities": (layout.UNKNOWN_ENTITIES, b"{\n"),
    "overdue": (layout.FORESHADOWING, b"{"),
    "storylines": (layout.STORYLINES, b"{"),
}


@pytest.mark.parametrize("part", sorted(BROKEN))
def test_a_part_that_cannot_be_read_says_so(tmp_path: Path, part: str) -> None:
    made = book(tmp_path, chapters=10, volume_size=30)
    path, content = BROKEN[part]
    made.write(path, content)
    found = flow.run(Reading(Project(str(made.root))), 10)
    assert found is not None
    assert {name for name, value in found["consistency"].items() if value is None} == {part}
    assert found["text"].count("读不出来") == 1 and found["brief"] is not None


def test_with_a_chapter_unknown_nobody_is_called_missing(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=10, volume_size=30)
    for chapter in range(1, 11):
        path = layout.chapter_log(chapter)
        made.write(path, {**made.json(path), "storyline_id": "tower-line"})
    found = flow.run(Reading(Project(str(made.root))), 10)
    assert found is not None and found["consistency"]["storylines"]
    made.write(layout.chapter_log(4), b"{")
    made.write(layout.crossref(4), b"{")
    found = flow.run(Reading(Project(str(made.root))), 10)
    assert found is not None and found["consistency"]["storylines"] is None


def test_a_broken_evaluation_does_not_stop_the_commit(tmp_path: Path) -> None:
    made = ready(tmp_path, 4)
    made.write(layout.evaluation(2), b"{")
    found = made.novel("commit", "--chapter", "5")
    assert (found.exit, found.data["periodic"]["brief"]) == (0, None)
    assert "质量简报：评分读不出来" in found.text
    assert made.point()["last_completed_chapter"] == 5


def test_a_repeat_and_a_trial_tell_nothing(tmp_path: Path) -> None:
    made = ready(tmp_path, 4)
    assert made.ok("commit", "--chapter", "5", "--dry-run")["periodic"] is None
    assert landed(made) is not None
    assert landed(made) is None
