"""The setting in parts, their comparison, and the planned chapters that a change touches."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.planning import setting_changes
from novel_hooks.rules.planning.setting_changes import Part, SettingChange

WORLD = "world/河.md"


def shown(parts: Any) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The parts without their hashes, which must be hashes."""
    listed = list(parts)
    assert all(len(part.sha256) == 64 and int(part.sha256, 16) >= 0 for part in listed)
    return [(part.kind, part.name, part.path, part.names) for part in listed]


def part(
    kind: str = "rule", name: str = "W-001", path: str = "rules.json", sha256: str = "1", *names: str
) -> Part:
    return Part(kind, name, path, names or (name,), sha256)


# parts ----------------------------------------------------------------------------------------------


def test_every_rule_is_a_part_and_bookkeeping_is_none_of_it() -> None:
    rule = {"id": "W-001", "rule": "灯下不说名字", "last_verified": 3}
    document = {"rules": [rule, "x", {"rule": "没有编号"}]}
    found = list(setting_changes.rule_parts(document, "rules.json"))
    assert shown(found) == [
        ("rule", "W-001", "rules.json", ("W-001",)),
        ("rule", "None", "rules.json", ("None",)),
    ]
    assert [one.title for one in found] == ["灯下不说名字", "没有编号"]
    assert next(setting_changes.rule_parts({"rules": [{"id": "W-002"}]}, "rules.json")).title == ""
    (later,) = setting_changes.rule_parts({"rules": [{**rule, "last_verified": 9}]}, "rules.json")
    (other,) = setting_changes.rule_parts({"rules": [{**rule, "rule": "灯下可以说名字"}]}, "rules.json")
    assert later == found[0] and other.sha256 != found[0].sha256


@pytest.mark.parametrize("document", [None, {}, {"rules": None}, {"rules": {"id": "W-001"}}])
def test_a_document_without_rules_has_no_parts(document: Any) -> None:
    assert list(setting_changes.rule_parts(document, "rules.json")) == []
    assert list(setting_changes.storyline_parts(document, "lines.json")) == []


def test_a_card_and_its_narrative_have_the_same_names() -> None:
    card = setting_changes.character_part("qiao-jiu", {"display_name": "乔九", "aliases": ["九娘"]}, "c.json")
    names = ("乔九", "九娘", "qiao-jiu")
    assert shown([card]) == [("character", "乔九", "c.json", names)]
    profile = setting_changes.profile_part("qiao-jiu", card, "在塔上长大。", "c.md")
    assert shown([profile]) == [("character", "乔九", "c.md", names)]
    alone = setting_changes.profile_part("qiao-jiu", None, "在塔上长大。", "c.md")
    assert shown([alone]) == [("character", "qiao-jiu", "c.md", ("qiao-jiu",))]
    assert alone.sha256 == profile.sha256
    other = setting_changes.profile_part("qiao-jiu", None, "在船上长大。", "c.md")
    assert other.sha256 != alone.sha256


def test_another_content_is_another_part_of_the_same_name() -> None:
    def parts(**more: str) -> list[Part]:
        document = {
            "storylines": [{"id": "river-line", **more}],
            "relationships": [{"from": "river-line", "to": "tower-line", **more}],
        }
        card = setting_changes.character_part("qiao-jiu", {"display_name": "乔九", **more}, "c.json")
        return [card, *setting_changes.storyline_parts(document, "lines.json")]

    assert parts() == parts() and len(parts()) == 3
    for one, other in zip(parts(), parts(status="paused")):
        assert one.sha256 != other.sha256 and one._replace(sha256=other.sha256) == other


def test_white_space_around_a_text_is_no_change() -> None:
    for make in (
        lambda text: setting_changes.brief_part(text, "brief.md"),
        lambda text: setting_changes.profile_part("a", None, text, "a.md"),
    ):
        assert make("\n立意。\n\n") == make("立意。") != make("立 意。")


def test_a_storyline_and_a_relationship_under_both_its_ends() -> None:
    document = {
        "storylines": [{"id": "river-line"}, {"id": "tower-line"}],
        "relationships": [{"from": "river-line", "to": "tower-line"}],
    }
    assert shown(setting_changes.storyline_parts(document, "lines.json")) == [
        ("storyline", "river-line", "lines.json", ("river-line",)),
        ("storyline", "tower-line", "lines.json", ("tower-line",)),
        ("storyline", "river-line→tower-line", "lines.json", ("river-line", "tower-line")),
    ]


def test_sections_go_by_their_headings_and_text_before_them_by_the_files_name() -> None:
    text = "\n河水往东。\n# 大河\n\n十三个渡口。\n## 第 5 个渡口\n水最急。\n# 空的\n#\n\n# 塔\n高。\n##X 塔"
    found = list(setting_changes.section_parts(text, "world/a.b/河.流.md"))
    path = "world/a.b/河.流.md"
    assert shown(found) == [
        ("place", "河.流", path, ("河.流",)),
        ("place", "大河", path, ("大河",)),
        ("place", "第 5 个渡口", path, ("第 5 个渡口",)),
        ("place", "空的", path, ("空的",)),
        ("place", "塔", path, ()),
        ("place", "X 塔", path, ("X 塔",)),
    ]


@pytest.mark.parametrize("text", ["", "\n \n", "#\n", "# \n##\n"])
def test_a_document_that_says_nothing_has_no_sections(text: str) -> None:
    assert list(setting_changes.section_parts(text, WORLD)) == []


def test_a_section_is_its_heading_and_its_text() -> None:
    def one(text: str) -> Part:
        (found,) = setting_changes.section_parts(text, WORLD)
        return found

    same = one("# 大河\n\n一。\n二。\n")
    assert one("## 大河 \n一。\n二。\n\n\n") == same
    for other in ("# 小河\n\n一。\n二。\n", "# 大河\n\n一。二。\n", "# 大河\n"):
        assert one(other).sha256 != same.sha256


def test_every_chapter_of_the_outline_is_a_part_the_first_of_two_blocks_counts() -> None:
    text = "### 第 2 章: 乙\n- 二\n### 第 1 章: 甲\n- 一\n\n### 第 2 章: 丙\n- 三\n"
    found = list(setting_changes.outline_parts(outlines.parse(text, "outline.md")))
    assert shown(found) == [("outline", "1", "outline.md", ("1",)), ("outline", "2", "outline.md", ("2",))]
    spaced = text.replace("- 一\n\n", "- 一\n").replace("- 三", "- 四")
    assert list(setting_changes.outline_parts(outlines.parse(spaced, "outline.md"))) == found
    changed = list(setting_changes.outline_parts(outlines.parse(text.replace("- 一", "- 壹"), "outline.md")))
    assert [one == other for one, other in zip(changed, found)] == [False, True]


def test_the_brief_is_one_part_without_a_name() -> None:
    assert shown([setting_changes.brief_part("立意。", "brief.md")]) == [("brief", "", "brief.md", ())]


def test_hashes_are_of_canonical_json() -> None:
    """Stored in a book: another way of hashing would call everything changed."""
    told = hashlib.sha256('{"a":"河","b":[1,2]}'.encode()).hexdigest()
    assert setting_changes.digest({"b": [1, 2], "a": "河"}) == told
    assert len(setting_changes.digest("\ud800")) == 64


# parts by key, written and read back -----------------------------------------------------------------


def test_parts_by_path_and_name_in_order() -> None:
    river, tower = part("place", "河", WORLD), part("place", "塔", WORLD)
    card = part("character", "乔九", "c.json")
    assert list(setting_changes.parts_by_key([tower, river, card]).items()) == [
        ("c.json#", card),
        (f"{WORLD}#塔", tower),
        (f"{WORLD}#河", river),
    ]


def test_two_parts_with_one_key_are_one_that_both_change() -> None:
    first, second, third = (part(sha256=sha256) for sha256 in "123")
    (both,) = setting_changes.parts_by_key([first, second]).values()
    assert both._replace(sha256="2") == second
    hashes = {
        setting_changes.parts_by_key(listed)["rules.json#W-001"].sha256
        for listed in ([first], [first, second], [second, first], [first, third], [first, second, third])
    }
    assert len(hashes) == 5


def test_parts_as_a_json_object_and_back() -> None:
    parts = setting_changes.parts_by_key([part("character", "乔九", "c.json", "1", "乔九", "qiao-jiu")])
    document = setting_changes.document(parts)
    assert document == {
        "c.json#": {
            "kind": "character",
            "name": "乔九",
            "path": "c.json",
            "names": ["乔九", "qiao-jiu"],
            "sha256": "1",
            "title": "",
            "text": "",
        }
    }
    assert setting_changes.parse(json.loads(json.dumps(document))) == parts
    earlier = {key: value for key, value in document["c.json#"].items() if key not in ("title", "text")}
    assert setting_changes.parse({"c.json#": earlier}) == parts, "noted by an earlier version"
    document["c.json#"]["names"] = [5]
    again = setting_changes.parse(document)
    assert again is not None and again["c.json#"].names == ("5",)


WHOLE = {"kind": "rule", "name": "W-001", "path": "r", "names": ["W-001"], "sha256": "1"}


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        {"a": 1},
        {"a": {"kind": "rule"}},
        {"a": {**WHOLE, "more": 1}},
        {"a": {**WHOLE, "names": "W-001"}},
        {"a": WHOLE, "b": None},
    ],
)
def test_parts_that_cannot_be_read_are_none(found: object) -> None:
    assert setting_changes.parse(found) is None


def test_no_parts_are_parts_too() -> None:
    assert setting_changes.parse({}) == {}


LINES = st.lists(st.text(alphabet="# 河塔\n\u3000x", max_size=8), max_size=12).map("\n".join)


@given(LINES)
def test_every_text_has_its_sections_and_they_compare(text: str) -> None:
    known = setting_changes.parts_by_key(setting_changes.section_parts(text, "world/a.md"))
    assert setting_changes.setting_changes(known, known) == []
    assert setting_changes.parse(setting_changes.document(known)) == known
    said = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    assert bool(known) >= bool(said)


@given(LINES, LINES)
def test_sections_differ_exactly_where_a_change_is_found(one: str, other: str) -> None:
    before, now = (
        setting_changes.parts_by_key(setting_changes.section_parts(text, "world/a.md"))
        for text in (one, other)
    )
    assert bool(setting_changes.setting_changes(before, now)) == (before != now)


# changes --------------------------------------------------------------------------------------------


def changes(before: list[Part], now: list[Part]) -> list[SettingChange]:
    return setting_changes.setting_changes(
        setting_changes.parts_by_key(before), setting_changes.parts_by_key(now)
    )


def test_changed_added_removed_and_the_same() -> None:
    before = [part(name="W-001"), part(name="W-002"), part(name="W-003")]
    now = [part(name="W-001", sha256="2"), part(name="W-003"), part(name="W-004")]
    assert changes(before, now) == [
        SettingChange("rule", "W-001", "rules.json", "changed", ("W-001",)),
        SettingChange("rule", "W-002", "rules.json", "removed", ("W-002",)),
        SettingChange("rule", "W-004", "rules.json", "added", ("W-004",)),
    ]


def test_old_names_count_behind_the_new_ones() -> None:
    before = [part("character", "乔九", "c.json", "1", "乔九", "九娘", "qiao-jiu")]
    now = [part("character", "乔十", "c.json", "2", "乔十", "九娘", "qiao-jiu")]
    names = ("乔十", "九娘", "qiao-jiu", "乔九")
    assert changes(before, now) == [SettingChange("character", "乔十", "c.json", "changed", names)]


CARD = part("character", "乔九", "c.json", "1", "乔九", "qiao-jiu")
PROFILE = part("character", "乔九", "c.md", "1", "乔九", "旧名", "qiao-jiu")


@pytest.mark.parametrize(
    ("before", "now", "how"),
    [
        ([], [CARD, PROFILE], "added"),
        ([CARD, PROFILE], [], "removed"),
        ([CARD], [PROFILE], "changed"),
        ([CARD], [CARD._replace(sha256="2"), PROFILE], "changed"),
        ([CARD, PROFILE], [CARD._replace(sha256="2"), PROFILE._replace(sha256="2")], "changed"),
    ],
)
def test_a_card_and_its_narrative_are_one_character(before: list[Part], now: list[Part], how: str) -> None:
    (found,) = changes(before, now)
    assert found == SettingChange("character", "乔九", "c.json", how, ("乔九", "qiao-jiu", "旧名"))


def test_two_characters_of_one_name_and_two_rules_of_one_file_are_two_changes() -> None:
    twin = part("character", "乔九", "d.json", "1", "乔九", "qiao-two")
    assert [one.path for one in changes([], [CARD, twin])] == ["c.json", "d.json"]
    assert len(changes([], [part(name="W-001"), part(name="W-001", path="other.json")])) == 2


def test_changes_are_listed_by_the_numbers_in_their_names() -> None:
    now = [part(name=f"地方{n}", path=f"world/地方{n}.md") for n in (1, 10, 2)]
    assert [one.name for one in changes([], now)] == ["地方1", "地方2", "地方10"]


def test_a_change_is_told_by_what_the_author_calls_the_part() -> None:
    rule = SettingChange("rule", "W-001", "rules.json", "changed", (), "灯下不说名字")
    assert setting_changes.describe(rule) == "世界规则「灯下不说名字」改了"
    line = SettingChange("storyline", "river", "lines.json", "added", ())
    assert setting_changes.describe(line) == "故事线 river 是新加的"


def test_the_title_of_a_rule_is_not_too_long() -> None:
    long = {"rules": [{"id": "R-1", "rule": "一" * 30}, {"id": "R-2", "rule": "一" * 24}]}
    titles = [part.title for part in setting_changes.rule_parts(long, "world/rules.json")]
    assert titles == ["一" * 23 + "…", "一" * 24]
