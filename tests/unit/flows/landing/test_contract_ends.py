"""Contracts that end with a chapter: the card changed by its landing, going back, and there again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import ending, files, one_moment, unlike, write_chapter

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

CARD = layout.character_card("bai-sui")
SECRET = "那年渡口的灯是白穗自己吹灭的"
OWN = """{"id": "bai-sui",   "display_name": "白穗",
  "contracts": [{"id":"C-bai-sui-1", "rule":"白穗不说谎",
     "valid_until":"船沉"}, {"id": "C-9", "rule": "不上船"}],
  "hand": ["written"]}
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """Chapter 2 comes next; it ends two contracts of a card that is written by hand."""
    one_moment(monkeypatch)
    made = book(tmp_path, 1)
    made.write(CARD, OWN)
    ending(made, 2, "C-bai-sui-1", "C-9")
    return made


def ends(made: Book) -> list[Any]:
    return [one.get("valid_until") for one in made.json(CARD)["contracts"]]


def test_the_landing_writes_the_chapter_and_nothing_else_of_the_card(made: Book) -> None:
    write_chapter(made)
    wanted = OWN.replace('"船沉"', "2").replace('"不上船"}', '"不上船", "valid_until": 2}')
    assert made.at(CARD).read_text(encoding="utf-8") == wanted
    assert made.json(layout.landed_record(2))["ended"] == [
        {"character": "bai-sui", "contract": "C-bai-sui-1", "before": "船沉"},
        {"character": "bai-sui", "contract": "C-9"},
    ]


def test_going_back_and_there_again(made: Book) -> None:
    before = files(made)
    write_chapter(made)
    after = files(made)
    made.ok("rollback", "1", "--yes")
    made.chapter = 2
    assert unlike(files(made), before) == [layout.CHECKPOINT]
    assert made.at(CARD).read_text(encoding="utf-8") == OWN
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), after) == []
    assert made.novel("doctor").exit == 0


def test_what_the_author_changed_on_the_card_stays_going_back_and_there_again(made: Book) -> None:
    write_chapter(made)
    text = made.at(CARD).read_text(encoding="utf-8").replace('"written"', '"written", "again"')
    made.write(CARD, text)
    made.ok("rollback", "1", "--yes")
    assert made.at(CARD).read_text(encoding="utf-8") == OWN.replace('"written"', '"written", "again"')
    later = made.at(CARD).read_text(encoding="utf-8").replace('"again"', '"and again"')
    made.write(CARD, later)
    made.ok("restore", "1", "--yes")
    assert ends(made) == [2, 2]
    assert made.json(CARD)["hand"] == ["written", "and again"]
    assert made.json(layout.CHECKPOINT)["last_completed_chapter"] == 2


def test_an_end_that_the_author_set_since_stays_and_is_told(made: Book) -> None:
    write_chapter(made)
    made.write(CARD, made.at(CARD).read_text(encoding="utf-8").replace('"valid_until":2', '"valid_until":7'))
    found = made.novel("rollback", "1", "--yes")
    assert [d.code for d in found.diagnostics] == ["ROLLBACK_CONTRACT_KEPT"]
    assert ends(made) == [7, None]


def test_a_card_that_is_gone_stops_no_way_back_and_does_not_return(made: Book) -> None:
    write_chapter(made)
    made.drop(CARD)
    found = made.novel("rollback", "1", "--yes")
    assert found.exit == 0 and {d.code for d in found.diagnostics} == {"ROLLBACK_CONTRACT_KEPT"}


def test_a_card_retired_after_going_back_is_not_brought_to_life(made: Book) -> None:
    write_chapter(made)
    made.ok("rollback", "1", "--yes")
    made.drop(CARD)
    made.ok("restore", "1", "--yes")
    assert not made.at(CARD).exists()


def test_an_unknown_one_is_told_and_lands(made: Book) -> None:
    ending(made, 2, "C-nobody", "C-9")
    made.write(layout.character_card("he-tie"), {"id": "he-tie", "display_name": "何铁", "contracts": []})
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation(4.5)
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["CONTRACT_NOT_ENDED"])
    assert ends(made) == ["船沉", 2]


def test_one_that_is_over_stays_as_it_is(made: Book) -> None:
    made.write(CARD, OWN.replace('"船沉"', "1"))
    write_chapter(made)
    assert ends(made) == [1, 2]
    made.ok("rollback", "1", "--yes")
    assert ends(made) == [1, None]


def test_the_landings_own_change_is_no_change_of_the_setting(made: Book) -> None:
    baseline = json.dumps(_noted(made))
    write_chapter(made)
    assert json.dumps(_noted(made)) == baseline == "[]"
    made.ok("rollback", "1", "--yes")
    assert _noted(made) == []
    made.ok("restore", "1", "--yes")
    assert _noted(made) == []


def _noted(made: Book) -> Any:
    from novel_hooks.flows.book.book import Book as Reading
    from novel_hooks.flows.planning import setting_changes
    from novel_hooks.store.files.project import Project

    reading = Reading(Project(str(made.root)))
    if not made.at(layout.SETTING).exists():
        made.write(layout.SETTING, setting_changes.baseline(reading))
    return list(setting_changes.find_changes(Reading(Project(str(made.root)))).fresh)


def test_the_writer_and_the_judge_are_told_that_it_ends_here(made: Book) -> None:
    path = layout.contract(1, 2)
    held = made.json(path)
    held["preconditions"] = {"character_states": {"白穗": {"location": "船上"}}}
    made.write(path, held)
    given = made.ok("instructions", "chapter:002:draft")["inputs"]
    told = next(one["value"] for one in given if one["key"] == "character_contracts")
    assert all("ends_here" in one for one in told["bai-sui"]["contracts"])


def told_in(made: Book, chapter: int) -> None:
    """白穗 has a secret, and the plan tells it in the chapter."""
    made.write(CARD, OWN.replace('"hand"', f'"secret": "{SECRET}", "hand"'))
    path = layout.contract(1, chapter)
    held = made.json(path)
    held["postconditions"]["state_changes"] = {"白穗": {"secret": "瞒→说破"}}
    made.write(path, held)


def test_a_secret_that_comes_out_is_noted_on_the_card_going_back_and_there_again(made: Book) -> None:
    told_in(made, 2)
    text, before = made.at(CARD).read_text(encoding="utf-8"), files(made)
    write_chapter(made)
    assert made.json(CARD)["secret_out"] == 2
    assert made.json(layout.landed_record(2))["ended"][-1] == {"character": "bai-sui", "secret": True}
    after = files(made)
    made.ok("rollback", "1", "--yes")
    assert (made.at(CARD).read_text(encoding="utf-8"), unlike(files(made), before)) == (
        text,
        [layout.CHECKPOINT],
    )
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), after) == []
    made.write(CARD, made.at(CARD).read_text(encoding="utf-8").replace('"written"', '"again"'))
    made.ok("rollback", "1", "--yes")
    assert "secret_out" not in made.json(CARD)
    made.write(CARD, made.at(CARD).read_text(encoding="utf-8").replace('"again"', '"later"'))
    made.ok("restore", "2", "--yes")
    assert (made.json(CARD)["secret_out"], made.json(CARD)["hand"]) == (2, ["later"])


def test_one_that_the_author_dated_himself_stays_and_a_change_since_is_told(made: Book) -> None:
    told_in(made, 2)
    made.write(CARD, made.at(CARD).read_text(encoding="utf-8").replace('"hand"', '"secret_out": 1, "hand"'))
    write_chapter(made)
    assert made.json(CARD)["secret_out"] == 1
    told_in(made, 3)
    write_chapter(made)
    made.write(CARD, made.at(CARD).read_text(encoding="utf-8").replace('"secret_out": 3', '"secret_out": 9'))
    found = made.novel("rollback", "2", "--yes")
    (told,) = [d for d in found.diagnostics if d.code == "ROLLBACK_CONTRACT_KEPT"]
    assert "秘密" in told.message and "secret_out" in str(told.fix)
    assert made.json(CARD)["secret_out"] == 9


def test_what_came_out_is_no_secret_in_the_next_chapter(made: Book) -> None:
    told_in(made, 2)
    assert SECRET not in _shown(made, 2)
    write_chapter(made)
    path = layout.contract(1, 3)
    held = made.json(path)
    held["objectives"][0]["description"] = f"白穗记起{SECRET}"
    made.write(path, held)
    found = made.ok("instructions", "chapter:003:draft", "--embed")
    given = {one["key"]: one.get("value") for one in found["inputs"]}
    assert SECRET in str(given["chapter_contract"]) and not [w for w in found["warnings"] if SECRET in w]
    assert given["people"]["bai-sui"]["secret_use"] == "第 2 章已经说破，不再是秘密。"


def _shown(made: Book, chapter: int) -> str:
    found = made.ok("instructions", f"chapter:{chapter:03d}:draft", "--embed")
    return json.dumps([one for one in found["inputs"] if one["key"] != "people"], ensure_ascii=False)
