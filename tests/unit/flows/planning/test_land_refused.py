"""A plan that is spoilt, written beside its steps or not open does not land."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.store.files import assets
from unit.flows.planning.landed_plan import CARD, planned, set_up, told
from unit.flows.planning.landed_plan import staged as staged

if TYPE_CHECKING:
    from pathlib import Path

# what stands in the way ------------------------------------------------------------------------------


def test_all_that_is_wrong_with_a_step_is_told_at_once(staged: Book) -> None:
    staged.write(CARD, {"id": "another", "display_name": "桑准"})
    staged.write(layout.staged(layout.character_card("Bad_Name")), {"display_name": "甲"})
    staged.drop(layout.staged(layout.character_profile("lu-dun")))
    staged.write(layout.staged(layout.character_card("lin-po")), "{")
    for command in ("validate", "advance"):
        found = told(staged, command, "setup:characters")
        codes = [code for code, _ in found]
        assert set(codes) == {"PLAN_BROKEN", "OUTPUT_MISSING"}
        paths = {path for _, path in found}
        assert {CARD, layout.staged(layout.character_profile("lu-dun"))} <= paths
        assert {layout.staged(layout.character_card(s)) for s in ("Bad_Name", "lin-po")} <= paths
        assert layout.character_card("xu-er") in paths or len(codes) >= 5


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (layout.BRIEF, " \n"),
        (layout.BRIEF, b"\xff\xfe"),
        (layout.BRIEF, None),
        (layout.WORLD_RULES, {"rules": [{"id": "W-1"}]}),
        (layout.STYLE_PROFILE, "["),
        (layout.STYLE_PROFILE, None),
    ],
)
def test_what_does_not_pass_is_not_found(staged: Book, path: str, content: Any) -> None:
    """None: the template, untouched."""
    step = {layout.BRIEF: "brief", layout.WORLD_RULES: "world"}.get(path, "style")
    if content is None:
        content = assets.load(assets.package_path(f"templates/{path}"))
    staged.write(layout.staged(path), content)
    assert staged.next()["step"] == f"setup:{step}"
    told(staged, "validate", f"setup:{step}")
    assert told(staged, "commit", "--setup", exit=3)[0] == ("PLANNING_NOT_DUE", None)


def test_rules_of_one_number_are_refused(staged: Book) -> None:
    rules = staged.json(layout.staged(layout.WORLD_RULES))
    rules["rules"].append(rules["rules"][0])
    staged.write(layout.staged(layout.WORLD_RULES), rules)
    assert told(staged, "validate", "setup:world") == [("PLAN_BROKEN", layout.staged(layout.WORLD_RULES))]


def test_a_later_step_is_refused_and_an_earlier_one_taken(staged: Book) -> None:
    staged.drop(layout.staged(layout.WORLD_RULES))
    told(staged, "advance", "setup:style", exit=3)
    staged.ok("advance", "setup:brief")
    told(staged, "commit", "--volume", "1", exit=3)
    for step in ("setup:commit", "volume:01:commit"):
        assert told(staged, "advance", step, exit=3)[0][0] == "PLANNING_NOT_DUE"


def test_a_rejected_outline_is_corrected_and_accepted(staged: Book) -> None:
    set_up(staged)
    outline = staged.at(layout.staged(layout.outline(1)))
    right = outline.read_text("utf-8")
    outline.write_text(
        right.replace("### 第 3 章", "### 第三章").replace("- **POV**", "- **视角**", 1), "utf-8"
    )
    contract = layout.staged(layout.contract(1, 2))
    held = staged.json(contract)
    staged.write(
        contract, {**held, "preconditions": {**held["preconditions"], "character_states": {"谁": {}}}}
    )
    staged.write(layout.staged(layout.foreshadowing_plan(1)), "{")
    codes = {code for code, _ in told(staged, "validate", "volume:01:outline")}
    assert {"PLAN_BROKEN", "VOLUME_CHAIN", "VOLUME_CHARACTER"} <= codes
    told(staged, "advance", "volume:01:outline")
    found = staged.next()
    assert (found["step"], found["agent"]) == ("volume:01:outline", "plot-architect")
    told(staged, "commit", "--volume", "1", exit=3)
    outline.write_text(right, "utf-8")
    staged.write(contract, held)
    shutil.copy(
        assets.package_path(f"sample/project/{layout.foreshadowing_plan(1)}"),
        staged.at(layout.staged(layout.foreshadowing_plan(1))),
    )
    planned(staged)
    staged.ok("commit", "--volume", "1")


def test_a_plan_spoilt_after_it_was_validated_does_not_land(staged: Book) -> None:
    planned(set_up(staged))
    staged.drop(layout.staged(layout.contract(1, 4)))
    assert staged.next()["step"] == "volume:01:outline"
    assert ("VOLUME_CONTRACT", layout.staged(layout.contract(1, 4))) in told(
        staged, "commit", "--volume", "1", exit=3
    )


def test_a_contract_whose_name_is_no_chapter(staged: Book) -> None:
    set_up(staged)
    odd = f"staging/{layout.volume_dir(1)}/chapter-contracts/chapter-7.json"
    staged.write(odd, {"chapter": 7, "storyline_id": "a", "objectives": []})
    assert told(staged, "validate", "volume:01:validate") == [("VOLUME_CONTRACT", odd)]


def test_a_new_character_comes_with_the_volume(staged: Book) -> None:
    set_up(staged)
    contract = layout.staged(layout.contract(1, 6))
    held = staged.json(contract)
    held["preconditions"]["character_states"]["客人"] = {"location": "桥头"}
    staged.write(contract, held)
    assert told(staged, "validate", "volume:01:outline") == [("VOLUME_CHARACTER", contract)]
    staged.write(layout.staged(layout.character_card("ke-ren")), {"display_name": "客人"})
    planned(staged)
    assert layout.character_card("ke-ren") in staged.ok("commit", "--volume", "1")["paths"]


# hand-out, fence, failure ----------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["setup:world", "volume:01:outline"])
def test_a_write_outside_staging_is_named(staged: Book, step: str) -> None:
    if step.startswith("volume"):
        set_up(staged)
    staged.ok("instructions", step)
    staged.write("world/偷写.md", "越界")
    assert told(staged, "advance", step, exit=3) == [("WRITE_OUTSIDE_STAGING", "world/偷写.md")]
    staged.ok("accept-changes")
    staged.ok("advance", step)
    assert not staged.at(layout.HANDOUT).exists() and not staged.at(layout.FENCE_ARMED).exists()


def test_a_commit_compares_when_the_step_never_advanced(staged: Book) -> None:
    staged.ok("instructions", "setup:characters")
    staged.write("world/偷写.md", "越界")
    assert told(staged, "commit", "--setup", exit=3) == [("WRITE_OUTSIDE_STAGING", "world/偷写.md")]
    staged.drop("world/偷写.md")
    set_up(staged)


def test_the_author_may_write_his_brief_while_nothing_is_out(staged: Book) -> None:
    staged.ok("instructions", "setup:world")
    staged.ok("advance", "setup:world")
    staged.drop(layout.staged(layout.BRIEF))
    staged.write(layout.BRIEF, "# 立意\n\n守桥的人。\n")
    staged.ok("advance", "setup:brief")


def test_a_planner_that_fails_twice_asks_the_author(staged: Book) -> None:
    staged.ok("instructions", "setup:characters")
    assert staged.ok("fail", "setup:characters", "--reason", "没有交稿")["answer"] == "retry"
    assert staged.ok("fail", "setup:characters", "--reason", "没有交稿")["answer"] == "stop"
    staged.ok("retry")
    assert staged.point()["orchestrator_state"] == "INIT"
    assert staged.next()["step"] == "setup:commit"


def test_a_commit_gives_the_lock_back(staged: Book) -> None:
    staged.ok("lock", "acquire")
    set_up(staged)
    assert staged.ok("lock", "status")["kind"] == "free"


def test_packets_of_the_steps_that_are_over_go(staged: Book) -> None:
    staged.ok("instructions", "setup:world", "--write-manifest")
    set_up(staged)
    assert staged.names(layout.MANIFESTS) == [] or staged.names(layout.MANIFESTS) == ["guides"]


def test_next_tells_why_what_is_there_is_not_taken(staged: Book) -> None:
    staged.write(layout.staged(layout.WORLD_RULES), {"rules": [{}]})
    found = staged.novel("next")
    assert found.exit == 0 and {(d.severity, d.path) for d in found.diagnostics} == {
        ("warning", layout.staged(layout.WORLD_RULES))
    }
    staged.drop(layout.staged(layout.WORLD_RULES))
    shutil.rmtree(staged.at(layout.staged(layout.WORLD)))
    assert staged.novel("next").diagnostics == ()


# a brief in the making -------------------------------------------------------------------------------


def test_who_stops_in_the_middle_of_his_brief_finds_it_again(staged: Book) -> None:
    """Until he says that it will do; what he leaves open then stays open."""
    staged.write(layout.staged(layout.BRIEF), "# 立意\n\n岑四要把盐引送回去。\n\n## 对头\n\n〔待填〕\n")
    assert staged.next()["step"] == "setup:brief"
    staged.ok("advance", "setup:brief")
    assert staged.next()["step"] == "setup:commit"
    staged.write(layout.staged(layout.BRIEF), "# 立意\n\n岑四要把盐引送回去。〔待填〕\n")
    assert staged.next()["step"] == "setup:commit"


def test_a_breach_that_kept_a_step_from_advancing_is_not_forgotten_by_the_next(staged: Book) -> None:
    """What is found counts, and `next` goes on (protocol §2); the marks stay those of the first hand-out.

    So the change is told at every following advance and at the landing, until it is accepted or taken back.
    """
    for path in (layout.CHARACTERS, layout.STYLE_PROFILE):
        staged.at(layout.staged(path)).rename(staged.at(f"aside-{path.replace('/', '-')}"))
    staged.write(f"aside-{layout.STYLE_PROFILE}", {"voice": "像守桥的老人"})
    staged.point(orchestrator_state="QUICK_START")
    staged.ok("instructions", "setup:world", "--write-manifest")
    before = staged.at(layout.BLACKLIST).read_bytes()
    staged.write(layout.BLACKLIST, {"words": ["不由得"]})
    assert told(staged, "advance", "setup:world", exit=3) == [("WRITE_OUTSIDE_STAGING", layout.BLACKLIST)]
    for step, path in (("setup:characters", layout.CHARACTERS), ("setup:style", layout.STYLE_PROFILE)):
        assert staged.next()["step"] == step
        staged.ok("instructions", step, "--write-manifest")
        staged.at(f"aside-{path.replace('/', '-')}").rename(staged.at(layout.staged(path)))
        assert told(staged, "advance", step, exit=3) == [("WRITE_OUTSIDE_STAGING", layout.BLACKLIST)]
    assert staged.next()["step"] == "setup:commit"
    assert told(staged, "commit", "--setup", exit=3) == [("WRITE_OUTSIDE_STAGING", layout.BLACKLIST)]
    staged.at(layout.BLACKLIST).write_bytes(before)
    staged.ok("commit", "--setup")


# what is easily forgotten ------------------------------------------------------------------------------


def test_what_is_staged_beside_the_steps_is_checked_before_it_lands(staged: Book) -> None:
    staged.write(layout.staged(layout.BLACKLIST), "{")
    assert staged.next()["step"] == "setup:commit", "no step makes it, so none waits for it"
    assert told(staged, "commit", "--setup") == [("PLAN_BROKEN", layout.staged(layout.BLACKLIST))]


def test_with_the_plan_the_hand_out_goes_and_the_fence_rests(staged: Book) -> None:
    staged.ok("instructions", "setup:world", "--write-manifest")
    assert staged.at(layout.FENCE_ARMED).is_file() and staged.at(layout.HANDOUT).is_file()
    set_up(staged)
    assert not staged.at(layout.FENCE_ARMED).exists() and not staged.at(layout.HANDOUT).exists()


def test_what_a_volumes_packet_told_is_taken_up_with_its_plan(staged: Book) -> None:
    set_up(staged)
    staged.ok("instructions", "volume:01:outline", "--write-manifest")
    assert staged.at(layout.SETTING_GIVEN).is_file()
    planned(staged)
    staged.ok("commit", "--volume", "1")
    assert not staged.at(layout.SETTING_GIVEN).exists() and staged.at(layout.SETTING).is_file()


@pytest.mark.parametrize(
    ("state", "volume", "said"), [("WRITING", 2, "第 1 卷正在写"), ("VOL_REVIEW", 2, "还没有做卷末回顾")]
)
def test_a_volume_that_is_not_open_is_told_as_that_alone(
    tmp_path: Path, state: str, volume: int, said: str
) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state=state, current_volume=1)
    plan_volume(made, volume)
    made.write(layout.staged(layout.schedule(volume)), "{")
    found = made.novel("commit", "--volume", str(volume))
    assert (found.exit, [d.code for d in found.diagnostics]) == (3, ["PLANNING_NOT_DUE"])
    assert said in found.diagnostics[0].message


def test_a_volume_without_its_outline_has_not_landed(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    assert made.ok("commit", "--volume", "1")["repeat"] is True
    made.drop(layout.outline(1))
    made.refused(3, "PLANNING_NOT_DUE", "commit", "--volume", "1")


def test_the_brief_is_its_authors_whoever_is_at_work(staged: Book) -> None:
    """And what was written while the other step was out is still to be told when that one is over."""
    staged.ok("instructions", "setup:world", "--write-manifest")
    staged.write(f"{layout.RESEARCH}/我的.md", "新的笔记\n")
    staged.write(layout.BRIEF, "# 立意\n")
    assert staged.ok("advance", "setup:brief")["changed"] is True
    assert staged.json(layout.HANDOUT)["step"] == "setup:world"
    assert ("WRITE_OUTSIDE_STAGING", layout.BRIEF) in told(staged, "advance", "setup:world", exit=3)
