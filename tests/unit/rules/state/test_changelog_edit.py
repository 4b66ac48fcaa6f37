"""One line of the change log replaced: later lines replayed on it, and the chapters that it may concern."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novel_hooks.errors import ChangelogBroken, SyncLogLine
from novel_hooks.rules.state import changelog, changelog_edit, delta
from novel_hooks.rules.state.changelog_edit import InvalidatedOp

TS = "2030-01-02T03:04:05Z"


def op(kind: str, path: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}


def line(
    chapter: int, base: int, *ops: dict[str, Any], storyline: str | None = "main-line", **more: Any
) -> dict[str, Any]:
    made = {**changelog.log_line(TS, chapter, storyline, base, base + 1, ops, []), **more}
    return {key: value for key, value in made.items() if value != "left out"}


def skipped(chapter: int, version: int) -> dict[str, Any]:
    return changelog.skipped_line(TS, chapter, "main-line", version, "读不懂")


MAKE, USE, GIVE = (
    op("set", "items.lamp.oil", 3),
    op("inc", "items.lamp.oil", -1),
    op("add", "items.lamp.of", "林"),
)
LIST, TAKE = op("add", "items.box.inside", "信"), op("remove", "items.box.inside", "信")
PLANT, RESOLVE = op("foreshadow", "bell", "planted"), op("foreshadow", "bell", "resolved")


# the chapter's line -------------------------------------------------------------------------------


def test_the_index_of_a_chapters_line() -> None:
    lines = [line(2, 0), line(5, 1), line(6, 2)]
    assert [changelog_edit.line_index(lines, n) for n in (2, 5, 6)] == [0, 1, 2]


@pytest.mark.parametrize(("chapter", "count"), [(4, 0), (5, 2)])
def test_a_chapter_has_exactly_one_line(chapter: int, count: int) -> None:
    lines = [line(5, 0), line(5, 1), {"chapter": "4"}, {}]
    with pytest.raises(SyncLogLine) as refused:
        changelog_edit.line_index(lines, chapter)
    assert (refused.value.values["chapter"], refused.value.values["count"]) == (chapter, count)
    assert refused.value.path == "state/changelog.jsonl"


def test_the_state_before_a_chapter_has_the_ops_of_those_before() -> None:
    lines = [line(1, 0, MAKE), line(2, 1, USE), line(3, 2, USE)]
    assert changelog_edit.state_before(lines, 1) == delta.empty_state()
    before = changelog_edit.state_before(lines, 3)
    assert (before["items"], before["state_version"]) == ({"lamp": {"oil": 2}}, 2)


# a stand-in for a missing line --------------------------------------------------------------------


def stand_in(lines: list[dict[str, Any]], chapter: int) -> list[tuple[int, int, int, bool, bool]] | None:
    """(chapter, base, version, skipped, stand-in) of each line; None where the log came back as it was."""
    found = changelog_edit.with_stand_in(lines, chapter, "side-line", [PLANT])
    if found == lines:
        assert found is not lines
        return None
    return [
        (
            one["chapter"],
            one["base_state_version"],
            one["state_version"],
            one.get("skipped", False),
            changelog_edit.is_stand_in(one),
        )
        for one in found
    ]


@pytest.mark.parametrize(
    ("lines", "chapter", "wanted"),
    [
        # at the end, in the middle, at the beginning of the log
        ([line(1, 0)], 2, [(1, 0, 1, False, False), (2, 1, 2, False, True)]),
        ([], 1, [(1, 0, 1, False, True)]),
        (
            [line(1, 0), line(3, 2)],
            2,
            [(1, 0, 1, False, False), (2, 1, 2, False, True), (3, 2, 3, False, False)],
        ),
        ([line(2, 1)], 1, [(1, 0, 1, False, True), (2, 1, 2, False, False)]),
        # its delta was skipped: the version after it is that before
        (
            [line(1, 0), line(3, 1)],
            2,
            [(1, 0, 1, False, False), (2, 1, 1, True, True), (3, 1, 2, False, False)],
        ),
        # one of two missing chapters; the version behind is counted on when it is recorded
        (
            [line(1, 0), line(4, 3)],
            2,
            [(1, 0, 1, False, False), (2, 1, 2, False, True), (4, 3, 4, False, False)],
        ),
        (
            [line(1, 0), line(4, 3)],
            3,
            [(1, 0, 1, False, False), (3, 1, 2, False, True), (4, 3, 4, False, False)],
        ),
        # the chapter has its line
        ([line(1, 0), line(2, 1)], 2, None),
        # versions that do not fit the gap
        ([line(1, 0), line(3, 3)], 2, None),
        ([line(1, 0), line(4, 4)], 2, None),
        ([line(1, 0), line(3, 0)], 2, None),
        ([line(2, 2)], 1, None),
        ([line(1, 0), line(3, 1, base_state_version=None)], 2, None),
        ([line(1, 0), line(3, 1, base_state_version="2")], 2, None),
    ],
)
def test_a_stand_in_takes_the_place_of_a_missing_line(
    lines: list[dict[str, Any]], chapter: int, wanted: list[tuple[int, int, int, bool, bool]] | None
) -> None:
    assert stand_in(lines, chapter) == wanted


def test_a_stand_in_has_the_threads_of_the_facts_and_does_nothing_to_the_state() -> None:
    lines = [line(1, 0, MAKE), line(3, 2, USE)]
    found = changelog_edit.with_stand_in(lines, 2, "side-line", [PLANT])
    gap = dict(found[1])
    assert (gap["chapter"], gap["storyline_id"], gap["ops"], gap["dropped"]) == (2, "side-line", [PLANT], [])
    assert gap["ts"] == ""
    assert changelog.replay(found)["items"] == {"lamp": {"oil": 2}}
    assert [one for one in found if not changelog_edit.is_stand_in(one)] == lines


def test_a_log_without_chapters_gets_its_stand_in_at_the_end() -> None:
    odd: list[dict[str, Any]] = [{"state_version": 1}, {"chapter": "2"}]
    found = changelog_edit.with_stand_in(odd, 1, None, [])
    assert [one.get("base_state_version") for one in found] == [None, None, 0]
    assert found[2]["state_version"] == 1


# a line replaced ----------------------------------------------------------------------------------


def test_a_replaced_line_is_the_chapters_and_the_others_follow() -> None:
    lines = [line(1, 0, MAKE), line(2, 1, GIVE), line(3, 2, USE)]
    log = changelog_edit.replace_line(lines, 2, line(2, 1, op("set", "items.lamp.oil", 9)))
    assert [one["ops"] for one in log.lines] == [[MAKE], [op("set", "items.lamp.oil", 9)], [USE]]
    assert log.fallen == []
    assert log.state == changelog.replay(log.lines)
    assert log.state["items"] == {"lamp": {"oil": 8}}
    assert (log.state["state_version"], log.state["last_updated_chapter"]) == (3, 3)


def test_versions_are_counted_on_from_a_skipped_line() -> None:
    lines = [line(1, 0, MAKE), line(2, 1, USE), skipped(3, 2), line(4, 2, USE)]
    log = changelog_edit.replace_line(lines, 2, skipped(2, 1))
    assert [(one["base_state_version"], one["state_version"]) for one in log.lines] == [
        (0, 1),
        (1, 1),
        (1, 1),
        (1, 2),
    ]
    assert [one.get("skipped", False) for one in log.lines] == [False, True, True, False]
    assert log.lines[2]["reason"] == "读不懂"
    assert log.state == changelog.replay(log.lines)
    assert log.state["items"] == {"lamp": {"oil": 2}}


def test_an_op_that_lost_its_ground_is_set_aside_with_its_place_and_tried_again() -> None:
    lines = [line(1, 0, LIST), line(2, 1, MAKE, TAKE, USE, storyline="side-line"), line(3, 2, USE)]
    without = changelog_edit.replace_line(lines, 1, line(1, 0, GIVE))
    reason = "这里没有可以去掉东西的列表"
    assert without.fallen == [InvalidatedOp(2, TAKE, reason)]
    assert without.lines[1]["ops"] == [MAKE, USE]
    assert without.lines[1]["dropped"] == [{"op": TAKE, "reason": reason, "at": 1}]
    assert without.lines[1]["storyline_id"] == "side-line"
    assert without.state == changelog.replay(without.lines)

    still = changelog_edit.replace_line(without.lines, 1, line(1, 0, MAKE))
    assert still.fallen == []  # it had been set aside before
    assert still.lines[1]["dropped"] == [{"op": TAKE, "reason": reason, "at": 1}]

    back = changelog_edit.replace_line(still.lines, 1, line(1, 0, LIST))
    assert [one["ops"] for one in back.lines] == [[LIST], [MAKE, TAKE, USE], [USE]]
    assert back.lines[1]["dropped"] == [] and back.fallen == []
    assert back.state == changelog.replay(lines)


def test_several_ops_set_aside_return_to_their_places() -> None:
    first = [TAKE, MAKE, op("remove", "items.box.inside", "灯"), USE]
    lines = [line(1, 0, LIST, op("add", "items.box.inside", "灯")), line(2, 1, *first)]
    without = changelog_edit.replace_line(lines, 1, line(1, 0))
    assert [one["at"] for one in without.lines[1]["dropped"]] == [0, 2]
    assert [one.op for one in without.fallen] == [first[0], first[2]]
    mixed = [{**without.lines[1], "dropped": without.lines[1]["dropped"][::-1]}]
    back = changelog_edit.replace_line([without.lines[0], *mixed], 1, lines[0])
    assert back.lines[1]["ops"] == first


def test_the_same_op_twice_has_two_places() -> None:
    twice = [TAKE, USE, TAKE]
    lines = [line(1, 0, LIST, MAKE), line(2, 1, USE)]
    lines[1] = {**lines[1], "ops": [dict(one) for one in twice]}
    found = changelog_edit.replace_line(lines, 1, line(1, 0, MAKE))
    assert [one["at"] for one in found.lines[1]["dropped"]] == [0, 2]
    one_left = changelog_edit.replace_line(lines, 1, line(1, 0, MAKE, LIST))
    assert [one["at"] for one in one_left.lines[1]["dropped"]] == [2]
    assert one_left.lines[1]["ops"] == [TAKE, USE]


def test_what_the_landing_dropped_stays_before_what_was_set_aside() -> None:
    landed: list[Any] = [{"op": 4, "reason": "不是一条变更"}, "旧版本的一行"]
    lines = [line(1, 0, LIST), line(2, 1, TAKE, dropped=landed)]
    found = changelog_edit.replace_line(lines, 1, line(1, 0))
    assert found.lines[1]["dropped"][:2] == landed
    assert found.lines[1]["dropped"][2]["at"] == 0


@pytest.mark.parametrize("dropped", ["left out", None])
def test_a_line_of_an_older_version_need_not_have_dropped(dropped: Any) -> None:
    lines = [line(1, 0, LIST), line(2, 1, TAKE, dropped=dropped), line(3, 2, ops="left out", dropped=dropped)]
    lines[2]["ops"] = None
    found = changelog_edit.replace_line(lines, 1, line(1, 0, LIST))
    assert found.lines[1].get("dropped", "left out") == ([] if dropped is None else "left out")
    assert found.lines[2]["ops"] == []
    fallen = changelog_edit.replace_line(lines, 1, line(1, 0))
    assert [one["op"] for one in fallen.lines[1]["dropped"]] == [TAKE]


def test_foreshadowing_that_an_earlier_line_resolves_stays_resolved() -> None:
    lines = [line(1, 0, PLANT), line(2, 1, MAKE), line(3, 2, op("foreshadow", "bell", "advanced"))]
    lines.append(line(4, 3, op("foreshadow", "coin", "resolved")))
    lines.append(line(5, 4, op("foreshadow", "coin", "advanced")))
    now = changelog_edit.replace_line(lines, 2, line(2, 1, RESOLVE))
    assert now.state["active_foreshadowing"] == []
    assert now.state == changelog.replay(now.lines)
    late = [line(1, 0), line(2, 1, RESOLVE), line(3, 2, MAKE), line(4, 3, PLANT)]
    assert changelog_edit.replace_line(late, 1, line(1, 0)).state["active_foreshadowing"] == []
    at_first = changelog_edit.replace_line([line(1, 0, RESOLVE), *lines[1:]], 2, line(2, 1))
    assert at_first.state["active_foreshadowing"] == []


def test_the_given_lines_are_not_changed() -> None:
    lines = [line(1, 0, LIST), line(2, 1, TAKE), skipped(3, 2)]
    before = json.dumps(lines)
    changelog_edit.replace_line(lines, 1, line(1, 0, MAKE))
    assert json.dumps(lines) == before


def test_a_line_that_does_not_fit_is_refused() -> None:
    lines = [line(1, 0), line(2, 1)]
    with pytest.raises(ChangelogBroken) as refused:
        changelog_edit.replace_line(lines, 2, line(2, 4))
    assert refused.value.values["line"] == 2
    with pytest.raises(SyncLogLine):
        changelog_edit.replace_line(lines, 3, line(3, 2))


# whom a replacement concerns ----------------------------------------------------------------------


def test_what_ops_are_about() -> None:
    ops = [
        op("set", "characters.lin.location", "渡口"),
        op("inc", "items.lamp", 1),
        op("foreshadow", "bell.rope.end", "planted"),
        {"op": "set", "path": 4},
        {"op": "set"},
        "set",
        None,
    ]
    assert changelog_edit.op_subjects(ops) == {"characters.lin", "items.lamp", "bell.rope.end"}


LATER = [
    line(1, 0, MAKE),
    line(2, 1, MAKE),
    line(3, 2, op("set", "characters.lin.location", "渡口"), storyline="side-line"),
    line(4, 3, op("inc", "items.lamp.oil", 1), storyline="side-line"),
    line(5, 4),
    line(6, 5, op("foreshadow", "bell", "advanced"), storyline=None),
    line(7, 6, storyline=None, ops=None),
]


@pytest.mark.parametrize(
    ("chapter", "old", "new", "wanted"),
    [
        (2, [], [], [5]),
        (2, [MAKE], [], [4, 5]),
        (2, [], [op("set", "items.lamp.oil", 1)], [4, 5]),
        (2, [MAKE], [op("set", "characters.lin.mood", "静")], [3, 4, 5]),
        (2, [op("set", "bell.x", 1)], [PLANT], [5, 6]),
        (5, [MAKE], [], []),
        (3, [], [], [4]),
        (6, [], [], []),
        (6, [PLANT], [MAKE], []),
    ],
)
def test_later_chapters_that_share_storyline_or_subject(
    chapter: int, old: list[Any], new: list[Any], wanted: list[int]
) -> None:
    assert changelog_edit.affected_chapters(LATER, chapter, old, new) == wanted


def test_the_last_chapter_of_its_storyline() -> None:
    assert [changelog_edit.is_latest(LATER[:5], n) for n in (1, 2, 3, 4, 5)] == [
        False,
        False,
        False,
        True,
        True,
    ]
