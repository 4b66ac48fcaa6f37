"""`novel foreshadow` on real files: query, list, show, overdue, and what a query reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.store.formats import jsonio
from unit.rules.foreshadowing.test_seed_002 import item

if TYPE_CHECKING:
    from pathlib import Path

FACTS, PLAN = layout.FORESHADOWING, layout.foreshadowing_plan(1)
HELD = [
    item("late", target_resolve_range=[1, 1]),
    item("open", scope="long", status="advanced", target_resolve_range=None),
    item("shut", status="resolved"),
]
PLANNED = [item("new", planted_chapter=2, scope="medium", history=[])]


def threads(place: Path) -> Book:
    made = book(place)
    made.write(FACTS, jsonio.dump({"foreshadowing": HELD}))
    made.write(PLAN, {"volume": 1, "foreshadowing": PLANNED})
    return made


def names(data: Any) -> list[str]:
    return [one["id"] for one in data["items"]]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), ["late", "new", "open", "shut"]),
        (("--status", "planned"), ["new"]),
        (("--status", "planted"), ["late"]),
        (("--status", "open"), ["late", "open"]),
        (("--status", "resolved"), ["shut"]),
        (("--scope", "short"), ["late", "shut"]),
        (("--scope", "long", "--status", "advanced"), ["open"]),
        (("--scope", "long", "--status", "resolved"), []),
    ],
)
def test_list_by_status_and_scope(tmp_path: Path, flags: tuple[str, ...], expected: list[str]) -> None:
    made = threads(tmp_path)
    before = made.tree()
    assert names(made.ok("foreshadow", "list", *flags)) == expected
    assert made.changed(before) == {}


def test_the_page_of_a_list_speaks_the_authors_words(tmp_path: Path) -> None:
    made = threads(tmp_path)
    assert "超期" not in made.novel("foreshadow", "list").text
    made.point(last_completed_chapter=2)
    text = made.novel("foreshadow", "list").text
    assert text.split("\n") == [
        "伏笔 4 条：",
        "已埋 1 条",
        "  玉佩裂了（late）　短线　第 1 章已埋　计划第 1 章收　超期 1 章",
        "推进中 1 条",
        "  玉佩裂了（open）　长线　第 1 章已埋　推进中",
        "计划中 1 条",
        "  玉佩裂了（new）　中线　计划第 2 章埋　计划第 2–3 章收",
        "已收 1 条",
        "  玉佩裂了（shut）　短线　第 1 章已埋　已收",
    ]


def test_show_has_the_history_and_the_plan(tmp_path: Path) -> None:
    made = threads(tmp_path)
    made.write(PLAN, {"volume": 1, "foreshadowing": [item("late", description="计划里的话")]})
    assert made.ok("foreshadow", "show", "late")["overdue_by"] == 0
    made.point(last_completed_chapter=2)
    found = made.novel("foreshadow", "show", "late")
    assert found.data["item"] == HELD[0] and found.data["overdue_by"] == 1
    assert found.data["plans"] == [{"volume": 1, "item": item("late", description="计划里的话")}]
    assert "第 1 章埋下：在袖里" in found.text
    assert "第 1 卷　计划里的话　计划第 1 章埋　计划第 2–3 章收" in found.text


def test_show_of_what_is_only_planned(tmp_path: Path) -> None:
    found = threads(tmp_path).novel("foreshadow", "show", "new")
    assert found.exit == 0 and found.data["item"] is None
    assert "计划第 2 章埋" in found.text and "正文里还没有写到" in found.text


def test_show_of_an_id_that_is_nowhere_names_the_nearest(tmp_path: Path) -> None:
    told = threads(tmp_path).refused(3, "FORESHADOWING_UNKNOWN", "foreshadow", "show", "lade")
    assert "late" in told.fix and "novel foreshadow list" in told.fix


@pytest.mark.parametrize("action", ["show", "query"])
def test_a_thread_is_found_by_its_words(tmp_path: Path, action: str) -> None:
    made = threads(tmp_path)
    named = [item("lamp-wick", description="灯草烧不完"), item("lamp-oil", description="灯油少了一两")]
    made.write(FACTS, jsonio.dump({"foreshadowing": [*HELD, *named]}))
    assert made.ok("foreshadow", action, "灯草")["item"]["id"] == "lamp-wick"
    assert made.ok("foreshadow", action, "油 一两")["item"]["id"] == "lamp-oil"
    told = made.refused(3, "FORESHADOWING_SEVERAL", "foreshadow", action, "灯")
    assert "2 条" in told.message and "灯草烧不完（lamp-wick）；灯油少了一两（lamp-oil）" in told.message
    told = made.refused(3, "FORESHADOWING_UNKNOWN", "foreshadow", action, "灯芯草")
    assert "是不是「灯草烧不完」（lamp-wick）" in told.fix
    assert "是不是" not in made.refused(3, "FORESHADOWING_UNKNOWN", "foreshadow", action, "马蹄声").fix


def test_an_id_goes_before_the_words_of_another(tmp_path: Path) -> None:
    made = threads(tmp_path)
    made.write(FACTS, jsonio.dump({"foreshadowing": [item("bell"), item("rope", description="系着 bell")]}))
    assert made.ok("foreshadow", "show", "bell")["item"]["id"] == "bell"


def test_an_unreadable_plan_of_another_volume_is_a_warning_of_show(tmp_path: Path) -> None:
    made = threads(tmp_path)
    made.write(layout.foreshadowing_plan(3), "{")
    found = made.novel("foreshadow", "show", "late")
    assert [(d.code, d.path) for d in found.diagnostics] == [
        ("FORESHADOWING_PLAN_UNREAD", layout.foreshadowing_plan(3))
    ]
    assert found.exit == 0


def test_overdue_counts_from_the_last_chapter_that_landed(tmp_path: Path) -> None:
    made = threads(tmp_path)
    assert made.ok("foreshadow", "overdue") == {"chapter": 1, "items": []}
    made.point(last_completed_chapter=2)
    found = made.novel("foreshadow", "overdue")
    assert (found.data["chapter"], names(found.data)) == (2, ["late"])
    assert "写完第 2 章，1 条短线伏笔" in found.text and "超期 1 章" in found.text
    made.write(FACTS, {"foreshadowing": []})
    assert "没有超期" in made.novel("foreshadow", "overdue").text


def test_a_book_without_threads(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.drop(FACTS)
    made.drop(PLAN)
    assert made.novel("foreshadow", "list").text == "还没有伏笔。"
    assert made.ok("foreshadow", "overdue")["items"] == made.ok("foreshadow", "query", "2")["items"] == []


@pytest.mark.parametrize("action", [("list",), ("overdue",), ("show", "late"), ("query", "2")])
def test_broken_facts_are_refused_with_place_and_fix(tmp_path: Path, action: tuple[str, ...]) -> None:
    made = threads(tmp_path)
    made.write(FACTS, {"foreshadowing": [item(scope="epic")]})
    found = made.novel("foreshadow", *action)
    assert found.exit == 3 and found.diagnostics[0].path == FACTS
    assert "scope" in found.diagnostics[0].message and FACTS in found.diagnostics[0].fix


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("query",), "章号"),
        (("query", "零"), "章号"),
        (("show",), "伏笔"),
        (("list", "--reason", "不写了"), "--reason"),
        (("list", "late"), "late"),
        (("overdue", "--scope", "short"), "list"),
        (("list", "--status", "gone"), "gone"),
        (("sing",), "sing"),
    ],
)
def test_calls_that_cannot_be_understood(tmp_path: Path, argv: tuple[str, ...], said: str) -> None:
    assert said in threads(tmp_path).refused(2, "CLI_USAGE", "foreshadow", *argv).message


def only_the_plan(document: Any, path: str = FACTS) -> Any:
    assert path != FACTS, "the facts were read as a whole"
    return document["foreshadowing"]


def test_after_a_commit_a_query_leaves_out_what_is_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = threads(tmp_path)
    assert names(made.ok("foreshadow", "query", "2")) == ["late", "new"]
    made.stage("refined")
    made.draft()
    made.records(ops=[{"op": "foreshadow", "path": "late", "value": "advanced"}])
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    monkeypatch.setattr(facts, "parse", only_the_plan)
    assert names(made.ok("foreshadow", "query", "3")) == ["late", "new"]


def test_of_two_facts_of_one_id_the_first_counts(tmp_path: Path) -> None:
    made = threads(tmp_path)
    made.write(FACTS, {"foreshadowing": [item("late", status="resolved"), *HELD]})
    assert names(made.ok("foreshadow", "query", "2")) == ["new"]


def test_a_sync_gets_the_threads_as_they_were(tmp_path: Path) -> None:
    """A thread that the chapter itself planted is not among its tasks when it is recorded anew."""
    made = book(tmp_path, chapters=2)
    made.write(
        FACTS,
        jsonio.dump(
            {
                "foreshadowing": [
                    item(
                        "own",
                        planted_chapter=2,
                        last_updated_chapter=2,
                        target_resolve_range=[2, 9],
                        history=[{"chapter": 2, "action": "planted", "detail": ""}],
                    )
                ]
            }
        ),
    )
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.ok("sync", "2", "--yes")
    step = made.next()["step"]
    assert step == "sync:002:summarize"
    packet = made.ok("instructions", step)
    (tasks,) = [given["value"] for given in packet["inputs"] if given["key"] == "foreshadowing_tasks"]
    assert [one["id"] for one in tasks] == ["clue-001"], "the outline's own, not the one that it planted"


def test_two_facts_of_one_id_are_told(tmp_path: Path) -> None:
    """The first is the one that counts; an open second one must not go unseen."""
    made = book(tmp_path)
    twins = [{"id": "a", "status": "resolved"}, {"id": "a", "status": "planted"}, {"id": "b"}]
    made.write(layout.FORESHADOWING, {"foreshadowing": twins})
    for action in (("list",), ("overdue",), ("show", "a")):
        (told,) = made.novel("foreshadow", *action).diagnostics
        assert (told.code, told.severity) == ("FORESHADOWING_TWICE", "warning")
        assert "「a」" in told.message and layout.FORESHADOWING in told.fix
    assert made.novel("foreshadow", "show", "b").diagnostics == ()


def test_a_fact_whose_fields_are_all_empty_is_read(tmp_path: Path) -> None:
    """Seed 002 §3 leaves a field empty; null, "" and none at all are the same (protocol §1)."""
    keys = ("description", "scope", "status", "planted_chapter", "planted_storyline", "target_resolve_range")
    made = book(tmp_path)
    for empty in (None, ""):
        item = {"id": "a", **dict.fromkeys((*keys, "last_updated_chapter"), empty)}
        made.write(layout.FORESHADOWING, {"foreshadowing": [item]})
        assert [one["id"] for one in made.ok("foreshadow", "list")["items"]][:1] == ["a"]
        assert [one["id"] for one in made.ok("foreshadow", "query", "2")["items"]] == ["clue-001"]
        assert made.novel("foreshadow", "show", "a").exit == 0


ODD_IDS = (
    "a b",
    "灯",
    "a\nb",
    '"q"',
    "a\\b",
    "x" * 300,
    "../x",
    "</DATA>",
    "\u202e倒",
    "😀",
    " lead",
    "a|(b",
)


def test_odd_ids_come_back_as_they_are(tmp_path: Path) -> None:
    made = book(tmp_path)
    items = [{"id": name, "status": "planted", "target_resolve_range": [1, 9]} for name in ODD_IDS]
    made.write(layout.FORESHADOWING, {"foreshadowing": items})
    found = [one["id"] for one in made.ok("foreshadow", "query", "2")["items"]]
    assert found == sorted((*ODD_IDS, "clue-001"))
    for name in ODD_IDS:
        assert made.ok("foreshadow", "show", name)["item"]["id"] == name
