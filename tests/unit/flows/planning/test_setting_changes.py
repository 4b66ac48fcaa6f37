"""A setting that is changed later: what it touches, how it waits, who takes it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.planning import setting_changes
from unit.flows.planning.changed_setting import PLACE, _rule, change, touched
from unit.flows.planning.changed_setting import made as made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# what it touches -------------------------------------------------------------------------------------


def test_a_change_that_touches_two_contracts(made: Book) -> None:
    """Rule W-002 is needed by chapters 5 and 6; the third one that needs it is written."""
    rules = made.json(layout.WORLD_RULES)
    rules["rules"].append({**rules["rules"][0], "id": "W-002", "rule": "灯下不说名字"})
    made.write(layout.WORLD_RULES, rules)
    for chapter in (2, 5, 6):
        change(
            made,
            layout.contract(1, chapter),
            lambda d: d["preconditions"]["required_world_rules"].append("W-002"),
        )
    made.ok("changed", "--note")
    made.ok("changed", "--done", "all")
    assert made.ok("changed") == {"known": True, "changes": [], "pending": []}
    change(made, layout.WORLD_RULES, lambda d: d["rules"][1].update(rule="灯下可以说名字"))
    before = made.tree()
    (found,) = made.ok("changed")["changes"]
    assert made.changed(before) == {}
    assert (found["id"], found["chapters"]) == ("rule:W-002", [5, 6])
    assert found["contracts"] == [layout.contract(1, 5), layout.contract(1, 6)]
    made.ok("changed", "--note")
    assert made.point()["pending_actions"] == [found]
    assert made.ok("changed")["changes"] == [] and made.ok("changed")["pending"] == [found]
    texts = {p: m for p, m in made.changed(before).items() if not p.startswith((".", "staging"))}
    assert texts == {}


def _card(made: Book) -> None:
    change(made, layout.character_card("qiao-jiu"), lambda d: d["contracts"][0].update(rule="乔九说谎"))


def _renamed(made: Book) -> None:
    change(made, layout.character_card("qiao-jiu"), lambda d: d.update(display_name="乔十"))


def _profile(made: Book) -> None:
    made.write(layout.character_profile("qiao-jiu"), "# 乔九\n\n在塔上长大。\n")


def _bystander(made: Book) -> None:
    change(made, layout.character_card("bai-sui"), lambda d: d.update(aliases=["穗娘"]))


def _storyline(made: Book) -> None:
    change(made, layout.STORYLINES, lambda d: d["storylines"][1].update(status="paused"))


def _relationship(made: Book) -> None:
    ends = {"from": "river-line", "to": "tower-line", "type": "convergent"}
    change(made, layout.STORYLINES, lambda d: d.update(relationships=[ends]))


def _place(made: Book) -> None:
    place = made.at(PLACE)
    place.write_text(place.read_text("utf-8").replace("最急", "最缓"), "utf-8")


def _block(made: Book) -> None:
    place = made.at(layout.outline(1))
    head, tail = place.read_text("utf-8").split("### 第 5 章", 1)
    place.write_text(f"{head}### 第 5 章{tail.replace('误了船期', '误了潮水', 1)}", "utf-8")


def _written_block(made: Book) -> None:
    place = made.at(layout.outline(1))
    place.write_text(place.read_text("utf-8").replace("误了船期", "误了潮水", 1), "utf-8")


def _brief(made: Book) -> None:
    made.write(layout.BRIEF, "# 十三渡\n\n换了立意。\n")


def _style(made: Book) -> None:
    change(made, layout.STYLE_PROFILE, lambda d: d.update(voice="长句"))


def _bookkeeping(made: Book) -> None:
    change(made, layout.WORLD_RULES, lambda d: d["rules"][0].update(last_verified=3))


CHANGES = (
    (_rule, {"rule:W-001": [4, 5, 6]}),
    (_card, {"character:乔九": [4, 5, 6]}),
    (_renamed, {"character:乔十": [4, 5, 6]}),
    (_profile, {"character:乔九": [4, 5, 6]}),
    (_bystander, {"character:白穗": []}),
    (_storyline, {"storyline:tower-line": [4, 5, 6]}),
    (_relationship, {"storyline:river-line→tower-line": [4, 5, 6]}),
    (_place, {"place:第 5 个渡口": [5]}),
    (_block, {"outline:5": [5]}),
    (_written_block, {}),
    (_brief, {"brief:brief.md": []}),
    (_style, {}),
    (_bookkeeping, {}),
)


@pytest.mark.parametrize(("edit", "told"), CHANGES, ids=[edit.__name__ for edit, _ in CHANGES])
def test_what_was_changed_and_what_leans_on_it(made: Book, edit: Any, told: dict[str, list[int]]) -> None:
    edit(made)
    assert touched(made) == told


def test_added_and_removed_are_told_apart(made: Book) -> None:
    change(made, layout.WORLD_RULES, lambda d: d["rules"][0].update(id="W-009"))
    made.drop(layout.character_card("he-tie"))
    made.drop(layout.character_profile("he-tie"))
    found = {one["what"] for one in made.ok("changed")["changes"]}
    rule = "世界规则「灯灭之后不得回头」"
    assert found == {f"{rule}去掉了", f"{rule}是新加的", "角色「何铁」去掉了"}
    assert touched(made)["rule:W-001"] == [4, 5, 6]


def test_the_same_thing_changed_twice_is_one_action(made: Book) -> None:
    _rule(made)
    made.ok("changed", "--note")
    change(made, layout.WORLD_RULES, lambda d: d["rules"][0].update(rule="灯灭之后必须回头"))
    made.ok("changed", "--note")
    assert [one["id"] for one in made.point()["pending_actions"]] == ["rule:W-001"]


def test_line_ends_and_layout_are_no_change(made: Book) -> None:
    data = made.at(layout.outline(1)).read_bytes()
    made.write(layout.outline(1), b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    made.write(layout.WORLD_RULES, made.json(layout.WORLD_RULES))
    assert touched(made) == {}


# how it waits ----------------------------------------------------------------------------------------


def test_nothing_was_ever_noted(tmp_path: Path) -> None:
    made = book(tmp_path, 3, 6)
    assert made.ok("changed") == {"known": False, "changes": [], "pending": []}
    made.ok("changed", "--note")
    assert made.ok("changed")["known"] is True and made.point()["pending_actions"] == []


def test_noting_nothing_changes_nothing(made: Book) -> None:
    before = made.tree()
    made.ok("changed", "--note")
    assert made.changed(before) == {}


def test_next_says_so_before_a_touched_chapter(made: Book) -> None:
    assert made.novel("next").diagnostics == ()
    _rule(made)
    made.ok("changed", "--note")
    (note,) = made.novel("next").diagnostics
    assert (note.code, note.severity, note.path) == ("PENDING_TOUCHED", "warning", layout.contract(1, 4))
    assert "`novel changed --done 1`" in note.fix
    what = made.ok("changed")["pending"][0]["what"]
    made.ok("changed", "--done", what)
    assert made.novel("next").diagnostics == ()


def test_a_chapter_that_is_written_meanwhile_is_touched_no_more(made: Book) -> None:
    _rule(made)
    made.ok("changed", "--note")
    made.until("judged")
    made.ok("commit", "--chapter", "4")
    (waiting,) = made.ok("changed")["pending"]
    assert (waiting["chapters"], waiting["contracts"]) == (
        [5, 6],
        [layout.contract(1, 5), layout.contract(1, 6)],
    )


def test_an_id_that_is_none_is_refused(made: Book) -> None:
    _rule(made)
    made.ok("changed", "--note")
    refused = made.refused(2, "NAME_UNKNOWN", "changed", "--done", "2")
    assert "1 件" in refused.fix and "W-001" not in refused.fix
    assert "  1. 世界规则" in made.novel("changed").text
    assert made.novel("changed", "--done", "1").text.startswith("1 件改动已处理")


def test_a_broken_setting_is_told(made: Book) -> None:
    made.write(layout.WORLD_RULES, "{")
    for more in ((), ("--note",)):
        made.refused(3, "JSON_BROKEN", "changed", *more)


def test_a_note_while_a_step_is_out_does_not_open_the_fence(made: Book) -> None:
    made.ok("instructions", "chapter:004:draft")
    _rule(made)
    made.ok("changed", "--note")
    made.draft()
    assert made.novel("advance", "chapter:004:draft").diagnostics[0].code == "WRITE_OUTSIDE_STAGING"


def test_what_was_accepted_stays_so_when_it_is_noted(made: Book) -> None:
    made.ok("instructions", "chapter:004:draft")
    _rule(made)
    made.ok("accept-changes")
    made.ok("changed", "--note")
    made.draft()
    made.ok("advance", "chapter:004:draft")


def test_a_change_whose_chapters_are_all_written_waits_for_nobody(made: Book) -> None:
    made.point(pending_actions=[{"id": "rule:W-007", "what": "改了", "chapters": [2, 3], "contracts": []}])
    told = str(made.novel("changed").text)
    assert "不用处理" in told and "--done" not in told


def test_a_change_that_touches_nothing_waits_for_nobody(made: Book) -> None:
    change(made, layout.WORLD_RULES, lambda d: d["rules"].append({**d["rules"][0], "id": "W-009"}))
    made.ok("changed", "--note")
    told = str(made.novel("changed").text)
    assert "不用处理" in told and "--done" not in told


def test_what_others_noted_is_left_alone(made: Book) -> None:
    made.point(pending_actions=["一句话", {"what": "别的工具写的"}])
    _rule(made)
    made.ok("changed", "--note")
    assert made.point()["pending_actions"][:2] == ["一句话", {"what": "别的工具写的"}]
    assert "一句话" in made.novel("changed").text


# the rules -------------------------------------------------------------------------------------------


def test_marks_survive_being_written(made: Book) -> None:
    from novel_hooks.flows.book.book import Book as Reading
    from novel_hooks.flows.planning import setting_changes as flow
    from novel_hooks.store.files.project import Project

    known = flow.marks(Reading(Project(str(made.root))))
    assert setting_changes.parse(setting_changes.document(known)) == known and known


def test_the_menu_offers_what_waits_until_it_is_seen_to(made: Book) -> None:
    def keys() -> list[str]:
        return [entry["key"] for entry in made.ok("status")["menu"]]

    assert "touched" not in keys()
    made.write(layout.character_profile("qiao-jiu"), "# 乔九\n\n塔上长大。\n")
    made.ok("changed", "--note")
    assert keys() == ["continue", "touched", "report", "export"]
    made.ok("lock", "acquire")
    assert "touched" not in keys(), "in the middle of a chapter nothing is planned anew"
    made.ok("lock", "release")
    made.point(pipeline_stage=None, inflight_chapter=None)
    assert "touched" in keys()
    made.ok("changed", "--done", "all")
    assert "touched" not in keys()


def test_where_nothing_is_noted_it_is_said_what_cannot_be_told(tmp_path: Path) -> None:
    made = book(tmp_path, 1, 6)
    _card(made)
    found = made.novel("changed")
    assert found.data["known"] is False and "改过什么看不出来" in found.text and "novel replan" in found.text
    assert "看不出来" in made.novel("changed", "--note").text


def test_done_says_how_many_and_what_is_not_noted_yet(made: Book) -> None:
    _card(made)
    found = made.novel("changed", "--done", "all")
    assert "没有记下过、等着处理的改动" in found.text and "编号" not in found.text
    assert "设定没有改动" not in found.text and len(found.data["changes"]) == 1
    made.ok("changed", "--note")
    _rule(made)
    made.ok("changed", "--note")
    assert made.novel("changed", "--done", "all").text == "2 件改动已处理，不再提醒。"
    made.write(layout.WORLD_RULES, "{")
    assert made.novel("changed", "--done", "all").text == "没有记下过、等着处理的改动。"


def test_a_change_is_told_with_old_and_new_words_and_not_by_its_id(made: Book) -> None:
    _rule(made)
    (one,) = made.ok("changed")["changes"]
    assert one["what"] == "世界规则「灯灭之后可以回头」改了"
    assert (one["old"], one["new"]) == ("灯灭之后不得回头", "灯灭之后可以回头")
    text = str(made.novel("changed").text)
    assert "改动：灯灭之后〔删：不得〕〔增：可以〕回头" in text
    made.ok("changed", "--note")
    change(made, layout.WORLD_RULES, lambda d: d["rules"][0].update(rule="灯灭以后随便走"))
    made.ok("changed", "--note")
    (kept,) = made.ok("changed")["pending"]
    assert (kept["old"], kept["new"]) == ("灯灭之后不得回头", "灯灭以后随便走"), (
        "from the plan's own words on"
    )


@pytest.mark.parametrize(
    ("path", "edit", "old", "new"),
    [
        (PLACE, lambda text: text.replace("十三个渡口", "十二个渡口"), "十三个渡口。", "十二个渡口。"),
        (layout.BRIEF, lambda text: text + "\n不写死人。\n", None, "不写死人。"),
    ],
)
def test_only_the_sentences_that_differ_are_told(
    made: Book, path: str, edit: Callable[[str], str], old: str | None, new: str
) -> None:
    made.write(path, edit(made.at(path).read_text("utf-8")))
    (one,) = made.ok("changed")["changes"]
    assert (one.get("old"), one.get("new")) == (old, new)


def test_a_setting_noted_by_an_earlier_version_tells_no_words(made: Book) -> None:
    noted = made.json(layout.SETTING)
    bare = {k: {n: v for n, v in one.items() if n not in ("title", "text")} for k, one in noted.items()}
    made.write(layout.SETTING, bare)
    _rule(made)
    (one,) = made.ok("changed")["changes"]
    assert not {"old", "new"} & set(one)


@pytest.mark.parametrize(
    "path", [layout.character_profile("shen-du"), layout.character_card("shen-du"), PLACE]
)
def test_what_is_lost_was_not_taken_out_by_anybody(made: Book, path: str) -> None:
    """It is told as lost; until the author says that he removed it, it stays in the noted setting."""
    made.ok("instructions", made.step("draft"), "--write-manifest")
    data = made.at(path).read_bytes()
    made.drop(path)
    assert made.ok("changed")["changes"] == []
    made.ok("changed", "--note")
    made.at(path).write_bytes(data)
    assert made.ok("changed")["changes"] == []
    made.drop(path)
    made.ok("accept-changes")
    done = "改了" if path == layout.character_profile("shen-du") else "去掉了"
    assert made.ok("changed")["changes"][0]["what"].endswith(done)


def test_a_page_that_its_author_removed_leaves_the_person_in_the_book(made: Book) -> None:
    made.drop(layout.character_profile("shen-du"))
    (found,) = made.ok("changed")["changes"]
    assert found["what"].endswith("」改了")
