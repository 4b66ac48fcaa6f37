"""`recall` in the packet of a writer: what it holds, and that the index changes nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.recall import index
from novel_hooks.rules.recall import index as indexes
from novel_hooks.store.fence import seal
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapters 1 to 8, chapter 9 planned: it names 沈渡, 乔九 and a lamp."""
    found = book(tmp_path, 8, volume_size=14)
    for chapter in range(1, 9):
        found.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n水声在船底响了第{chapter}夜。\n")
    contract = found.json(layout.contract(1, 9))
    contract["objectives"][0]["description"] = "沈渡点起铜灯"
    found.write(layout.contract(1, 9), contract)
    state = found.json(layout.STATE)
    state["items"] = {"铜灯": {"display_name": "铜灯", "aliases": ["旧灯"]}}
    found.write(layout.STATE, state)
    return found


def tell(made: Book, chapter: int, *lines: str) -> None:
    made.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n" + "\n\n".join(lines) + "\n")


def recall(made: Book, phase: str = "draft") -> list[dict[str, Any]]:
    found = made.ok("instructions", made.step(phase))
    assert schema.problems("packet", found, "packet") == []
    (one,) = [i for i in found["inputs"] if i["key"] == "recall"]
    value: list[dict[str, Any]] = one["value"]
    return value


def test_a_sentence_of_long_ago_by_any_name(made: Book) -> None:
    tell(made, 2, "旧灯的底座裂了一道口子，是阿爹摔的。", "天亮了。")
    assert recall(made) == [{"about": "铜灯", "chapter": 2, "text": "旧灯的底座裂了一道口子，是阿爹摔的。"}]


def test_a_sentence_by_a_form_of_address_or_a_name_that_he_used(made: Book) -> None:
    path = layout.character_card("shen-du")
    made.write(path, {**made.json(path), "called_by": {"塔上": "沈船头"}})
    state = made.json(layout.STATE)
    state["characters"]["shen-du"]["goes_as"] = "阿水"
    made.write(layout.STATE, state)
    tell(made, 2, "沈船头说他不认得这盏灯，说完就上了船。")
    tell(made, 4, "船簿上写的是阿水两个字，没有人问过他。")
    assert [(one["about"], one["chapter"]) for one in recall(made)] == [("沈渡", 4), ("沈渡", 2)]
    assert made.ok("find", "沈船头")["name"] == "沈渡"


def test_nothing_of_the_chapter_before_and_the_newest_first(made: Book) -> None:
    for chapter in (1, 3, 5, 6, 8):
        tell(made, chapter, f"沈渡看着铜灯，看了第{chapter}夜。")
    told = recall(made)
    assert [one["chapter"] for one in told] == [5, 3, 1]
    assert {one["about"] for one in told} == {"沈渡、铜灯"}


def test_nothing_was_said(made: Book) -> None:
    assert recall(made) == []
    first = book(made.root.parent, 0, name="first")
    assert recall(first) == []


def test_a_revision_has_it_too(made: Book) -> None:
    tell(made, 2, "铜灯的底座裂了一道口子。")
    made.stage("revising", 1)
    made.draft()
    made.records()
    made.evaluation(3.2, "l1", gate={"decision": "revise"})
    assert [one["chapter"] for one in recall(made, "revise")] == [2]


def test_a_name_without_a_record_and_a_person_who_left(made: Book) -> None:
    noted = {"ts": "2026-01-01T00:00:00Z", "chapter": 3, "mention": "更夫老魏", "context": None}
    made.write(layout.UNKNOWN_ENTITIES, "坏的一行\n" + seal.jsonio.dump_line(noted).decode())
    tell(made, 3, "更夫老魏左手缺一根手指。", "白穗把桨折断了，头也没有回。")
    contract = made.json(layout.contract(1, 9))
    contract["objectives"][0]["description"] = "沈渡去找更夫老魏，问白穗的下落"
    made.write(layout.contract(1, 9), contract)
    made.at("characters/retired").mkdir()
    card = made.json(layout.character_card("bai-sui"))
    made.drop(layout.character_card("bai-sui"))
    made.write(layout.retired(layout.character_card("bai-sui")), card)
    name = card["display_name"]
    told = {one["about"]: one["text"] for one in recall(made)}
    assert told["更夫老魏"] == "更夫老魏左手缺一根手指。"
    assert name != "白穗" or told["白穗"].startswith("白穗把桨")


def test_a_broken_card_of_somebody_who_left_stops_nothing(made: Book) -> None:
    made.write(f"{layout.RETIRED}/old-wei.json", "坏")
    tell(made, 2, "铜灯的底座裂了一道口子。")
    assert [one["chapter"] for one in recall(made)] == [2]


def test_a_thread_by_the_words_that_planted_it_and_never_its_payoff(made: Book) -> None:
    thread = {
        "id": "cracked-base",
        "description": "底座的裂口越来越长",
        "payoff": "裂口里藏着河图",
        "status": "planted",
        "scope": "short",
        "planted_chapter": 2,
        "target_resolve_range": [8, 10],
        "last_updated_chapter": 2,
        "history": [{"chapter": 2, "action": "planted", "detail": "底座裂口是阿爹摔的"}],
    }
    made.write(layout.FORESHADOWING, {"foreshadowing": [thread]})
    tell(made, 2, "船底有水。", "底座上那道裂口，阿爹说是摔的，谁也不信。", "河图在塔上。")
    told = recall(made)
    assert told == [
        {"about": "cracked-base", "chapter": 2, "text": "底座上那道裂口，阿爹说是摔的，谁也不信。"}
    ]
    assert "藏着" not in str(told)


def test_a_secret_is_in_no_part_of_it(made: Book) -> None:
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("shen-du"), {**card, "secret": "他是守塔人的儿子"})
    tell(made, 2, "沈渡数了数灯。", "守塔人的儿子死了三年。")
    assert [one["text"] for one in recall(made)] == ["沈渡数了数灯。"]


def lands(made: Book, text: str) -> None:
    """The chapter in work lands with this text; the next one is in work."""
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft(text)
    made.advance("draft")
    made.records()
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", str(made.chapter))
    made.chapter += 1


def index_of(made: Book) -> indexes.Index:
    rows = seal.parse_lines(made.at(layout.RECALL).read_bytes(), index._FORMAT)
    found = indexes.parse(rows or [])
    assert found is not None
    return found


def without_index(made: Book) -> list[dict[str, Any]]:
    """The same with no index; what is there is put back."""
    data = made.at(layout.RECALL).read_bytes()
    made.drop(layout.RECALL)
    told = recall(made)
    made.write(layout.RECALL, data)
    return told


def test_a_commit_writes_the_chapter_into_the_index(made: Book) -> None:
    lands(made, "# 第 9 章 铜灯\n\n铜灯在沈渡手里。\n")
    found = index_of(made)
    entry = found.entry(9)
    assert entry is not None and entry.words == len(found.words)
    lamp, person = indexes.numbers(found.words, ["铜灯", "乔九"])
    assert lamp in entry.places and person not in entry.places


def test_the_index_changes_nothing_through_a_book_s_days(made: Book) -> None:
    tell(made, 2, "铜灯的底座裂了一道口子。")
    end = f"\n{'河水往东流。' * 300}\n"  # of the line's own last chapter the writer gets the end anyway
    lands(made, f"# 第 9 章 铜灯\n\n沈渡把铜灯点亮，乔九在岸上看。\n{end}")
    for number in (10, 11, 12):
        lands(made, f"# 第 {number} 章 岸\n\n没有人说话，河面黑着。\n")
    told = recall(made)
    assert [one["chapter"] for one in told if "沈渡" in one["about"]] == [9] and told == without_index(made)
    made.write(layout.chapter(9), f"# 第 9 章 铜灯\n\n灯灭了，没有人在。\n{end}")  # by hand
    assert not [one for one in recall(made) if one["chapter"] == 9]
    assert recall(made) == without_index(made)
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("shen-du"), {**card, "aliases": ["没有人"]})  # a new name
    assert [one["chapter"] for one in recall(made) if one["about"] == "沈渡"] == [9]
    assert recall(made) == without_index(made)
    made.ok("rollback", "8", "--yes")
    made.chapter = 9
    assert not [one for one in recall(made) if one["about"] == "沈渡"]
    assert recall(made) == without_index(made)
    made.ok("restore", "1", "--yes")
    made.chapter = 13
    assert [one["chapter"] for one in recall(made) if one["about"] == "沈渡"] == [9]
    assert recall(made) == without_index(made)


@pytest.mark.parametrize("how", ["cut", "folder"])
def test_a_broken_index_stops_nothing(made: Book, how: str) -> None:
    tell(made, 2, "铜灯的底座裂了一道口子。")
    told = recall(made)
    if how == "cut":
        made.write(layout.RECALL, made.at(layout.RECALL).read_bytes()[:-9])
    else:
        made.drop(layout.RECALL)
        made.at(layout.RECALL).mkdir()
    assert recall(made) == told
    if how == "cut":
        assert index_of(made).words
        lands(made, "# 第 9 章 铜灯\n\n铜灯在沈渡手里。\n")


def test_the_checkup_knows_the_index(made: Book) -> None:
    recall(made)
    said = made.novel("doctor")
    assert layout.RECALL not in {d.path for d in said.diagnostics}


def test_an_entry_of_a_persons_name_does_not_take_him_out(made: Book) -> None:
    tell(made, 2, "沈渡在塔下站了一夜，谁叫也不应。")
    state = made.json(layout.STATE)
    made.write(layout.STATE, {**state, "locations": {"沈渡": {"display_name": "沈渡"}}})
    assert [(one["about"], one["chapter"]) for one in recall(made)] == [("沈渡", 2)]
