"""`novel commit`: everything lands or nothing, in order; what is merged, logged, cleared (protocol §5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, RECORDS, Book, book, make_verdict
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.store.journal import journal
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LINE = "tower-line"
LANDS = [
    layout.chapter(2),
    layout.summary(2),
    layout.evaluation(2),
    layout.crossref(2),
    layout.memory(LINE),
    layout.STATE,
    layout.CHANGELOG,
    layout.FORESHADOWING,
    layout.UNKNOWN_ENTITIES,
    layout.chapter_log(2),
    layout.CHECKPOINT,
]
ENTITY = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}
PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}


def passed(tmp_path: Path, chapters: int = 1, **delta: Any) -> Book:
    """The chapter at judged with a verdict that lets it land."""
    made = book(tmp_path, chapters)
    made.stage("judged")
    made.draft()
    made.records(**delta)
    second = 4.4 if (chapters + 1) % 6 in (0, 1) else None
    made.evaluation(4.5, second=second)
    return made


def commit(made: Book, *more: str) -> Any:
    return made.ok("commit", "--chapter", str(made.chapter), *more)


def op(**changes: Any) -> dict[str, Any]:
    return {"op": "set", "path": "characters.shen-du.location", "value": "下游", **changes}


# the landing itself --------------------------------------------------------------------------------


def test_what_lands_lands_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = passed(tmp_path, ops=[op(), PLANT], unknown_entities=[ENTITY])
    seen: list[str] = []
    land = journal.land

    def spy(project: Any, changes: Sequence[journal.Change], **more: Any) -> None:
        seen.extend(c.path for c in changes if c.kind != "remove" and not c.path.startswith(layout.OWN))
        land(project, changes, **more)

    monkeypatch.setattr(journal, "land", spy)
    landed = commit(made)
    assert seen == LANDS
    assert landed["paths"] == LANDS


def test_a_landing_passes_through_nothing_that_goes_back_or_advances(tmp_path: Path) -> None:
    """Foreshadowing among it, so that the log is read for what was resolved."""
    made = passed(tmp_path, ops=[op(), PLANT], unknown_entities=[ENTITY])
    asked = ["--project", str(made.root), "--chapter", str(made.chapter)]
    code = (
        f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
        "from novel_hooks.cli.main import call\n"
        f"call('commit', {asked!r}, {{}})\n"
        "print(*(name for name in sys.modules if name.startswith(('novel_hooks.f', 'novel_hooks.r'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert made.at(layout.chapter(2)).is_file()
    assert [n for n in loaded if any(w in n for w in ("rewind", "rewound", "rollback", "advance"))] == []


def test_every_landed_file_is_what_was_staged(tmp_path: Path) -> None:
    made = passed(tmp_path)
    text, summary, memory = (made.at(made.staged(k)).read_bytes() for k in ("chapter", "summary", "memory"))
    crossref, evaluation = made.json(made.staged("crossref")), made.json(made.staged("evaluation"))
    landed = commit(made)
    assert made.at(layout.chapter(2)).read_bytes() == text
    assert made.at(layout.summary(2)).read_bytes() == summary
    assert made.at(layout.memory(LINE)).read_bytes() == memory
    assert made.json(layout.crossref(2)) == crossref
    found = made.json(layout.evaluation(2))
    assert found["metadata"].pop("gate")["decision"] == "pass"
    assert found == evaluation
    assert (landed["gate_decision"], landed["revisions"], landed["overall_final"]) == ("pass", 0, 4.5)
    assert landed["chars"] == 45


def test_every_landed_document_fits_its_schema(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[op(), PLANT], unknown_entities=[ENTITY])
    commit(made)
    documents = {
        layout.evaluation(2): "chapter-eval",
        layout.crossref(2): "chapter-crossref",
        layout.STATE: "current-state",
        layout.FORESHADOWING: "foreshadowing",
        layout.chapter_log(2): "chapter-log",
        layout.CHECKPOINT: "checkpoint",
    }
    for path, name in documents.items():
        assert schema.problems(name, made.json(path), path) == []
    for line in made.lines(layout.CHANGELOG):
        assert schema.problems("changelog-line", line, "l") == []
    for line in made.lines(layout.UNKNOWN_ENTITIES):
        assert schema.problems("unknown-entity-line", line, "l") == []


def test_the_checkpoint_after(tmp_path: Path) -> None:
    made = passed(tmp_path)
    made.stage("judged", revisions=2, my_own="kept", failures=[{"step": "x"}])
    commit(made)
    point = made.point()
    assert point["last_completed_chapter"] == 2
    assert (point["pipeline_stage"], point["inflight_chapter"]) == ("committed", None)
    assert (point["revision_count"], point["orchestrator_state"]) == (0, "WRITING")
    assert (point["my_own"], "failures" in point) == ("kept", False)
    assert point["last_step"] == "chapter:002:commit"
    assert made.next()["step"] == "chapter:003:draft"


def test_only_this_chapters_staged_files_go_and_every_folder_stays(tmp_path: Path) -> None:
    made = passed(tmp_path)
    made.write(made.staged("hints"), ["灯灭了"])
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.write("staging/evaluations/chapter-002-primary.raw.txt", "{}")
    others = {
        layout.staged(layout.outline(2)): "### 第 7 章\n",
        layout.staged(layout.chapter(3)): "# 第 3 章\n",
        layout.staged(layout.summary(20)): "别的章",
        layout.staged("chapters/chapter-0021.md"): "不是本章",
        "staging/manifests/chapter-0021-draft.json": "{}",
        "staging/evaluations/chapter-0021-primary.raw.txt": "{}",
        layout.staged(layout.memory("river-line")): "别的线",
        layout.staged("notes.txt"): "作者的便条",
    }
    for path, text in others.items():
        made.write(path, text)
    commit(made)
    left = {p for p in made.tree() if p.startswith("staging/") and made.at(p).is_file()}
    assert left - {p for p in left if p.startswith(layout.GUIDES)} == set(others)
    assert all(made.at(folder).is_dir() for folder in layout.STAGING_DIRS)
    assert not made.at(layout.work_log(2)).exists() and not made.at(layout.HANDOUT).exists()


def test_the_lock_is_given_back(tmp_path: Path) -> None:
    made = passed(tmp_path)
    made.ok("lock", "acquire")
    commit(made)
    assert made.ok("lock", "status")["kind"] == "free"
    assert not made.at(layout.LOCK_DIR).exists()


def test_bom_and_crlf_do_not_land(tmp_path: Path) -> None:
    made = passed(tmp_path)
    for key in ("chapter", "summary", "memory", "delta", "crossref"):
        text = made.at(made.staged(key)).read_text("utf-8")
        made.write(made.staged(key), ("\ufeff" + text.replace("\n", "\r\n")).encode("utf-8"))
    made.evaluation(4.5)
    commit(made)
    for path in LANDS:
        if made.at(path).exists():
            data = made.at(path).read_bytes()
            assert b"\r" not in data and not data.startswith(b"\xef\xbb\xbf"), path


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ("prices:\n  sonnet: {input: 3, output: 15}\ncurrency: 美元\n", 1.8),
        ("prices:\n  sonnet: {input: 3, output: 15}\ncurrency: usd\n", 1.8),
        ("prices:\n  sonnet: {input: 3, output: 15}\ncurrency: 元\n", None),
        ("prices:\n  sonnet: {input: 3, output: 15}\n", None),
        ("prices:\n  sonnet: {input: 3}\ncurrency: 美元\n", None),
        ("prices:\n  opus: {input: 3, output: 15}\ncurrency: 美元\n", None),
        ("currency: 美元\n", None),
    ],
)
@pytest.mark.parametrize("missing", [None, "input_tokens", "model", "cached"])
def test_what_a_chapter_cost_in_dollars(
    tmp_path: Path, prices: str, cost: float | None, missing: str | None
) -> None:
    """A whole sum in the money that the key names, or null: never a part of it, never 0."""
    made = book(tmp_path)
    made.write(layout.CONFIG, prices)
    made.until("judged")
    work = made.json(layout.work_log(2))
    for stage in work["stages"]:
        stage.update(model="claude-sonnet-4-5", input_tokens=100_000, output_tokens=10_000)
    if missing == "cached":
        work["stages"][0]["cache_read_input_tokens"] = 5
    elif missing:
        work["stages"][0][missing] = None
    made.write(layout.work_log(2), work)
    commit(made)
    assert len(work["stages"]) == 4
    assert made.json(layout.chapter_log(2))["total_cost_usd"] == (None if missing else cost)


def test_the_chapter_log_tells_who_did_what(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    made.draft()
    made.advance("draft")
    made.records()
    made.advance("summarize")
    made.advance("refine")
    made.judge(3.7)
    made.advance("judge")
    made.advance("polish")
    commit(made)
    log = made.json(layout.chapter_log(2))
    assert [s["name"] for s in log["stages"]] == ["draft", "summarize", "refine", "judge", "polish"]
    assert log["stages"][0]["model"] == "sonnet" and log["stages"][0]["duration_ms"] >= 0
    assert log["stages"][1]["model"] is None and log["stages"][1]["duration_ms"] is None
    assert (log["gate_decision"], log["revisions"], log["force_passed"]) == ("polish", 0, False)
    assert log["judges"]["primary"] == {"model": "sonnet", "overall": 3.7}
    assert log["total_cost_usd"] is None
    assert log["total_duration_ms"] == log["stages"][0]["duration_ms"]


def test_nothing_known_is_null_not_nothing(tmp_path: Path) -> None:
    made = passed(tmp_path)
    commit(made)
    log = made.json(layout.chapter_log(2))
    assert (log["started_at"], log["stages"], log["total_duration_ms"]) == (None, [], None)


# state, foreshadowing, entities ---------------------------------------------------------------------


def test_the_state_moves_by_one_and_the_change_log_says_how(tmp_path: Path) -> None:
    bad = {"op": "explode", "path": "characters.shen-du.location", "value": 1}
    made = passed(tmp_path, ops=[op(), bad])
    found = made.novel("commit", "--chapter", "2")
    assert found.exit == 0
    assert [d.code for d in found.diagnostics] == ["DELTA_OP_DROPPED"]
    state = made.json(layout.STATE)
    assert (state["state_version"], state["last_updated_chapter"]) == (2, 2)
    assert state["characters"]["shen-du"]["location"] == "下游"
    line = made.lines(layout.CHANGELOG)[-1]
    assert (line["chapter"], line["base_state_version"], line["state_version"]) == (2, 1, 2)
    assert line["ops"] == [op()] and line["dropped"][0]["op"] == bad
    assert line["storyline_id"] == LINE
    assert len(made.lines(layout.CHANGELOG)) == 2


@pytest.mark.parametrize("delta", [{"ops": [], "no_change": True}, {"ops": [{"op": "explode"}]}])
def test_a_delta_that_applied_nothing_still_counts(tmp_path: Path, delta: dict[str, Any]) -> None:
    made = passed(tmp_path, **delta)
    commit(made)
    assert made.json(layout.STATE)["state_version"] == 2


def test_the_first_chapter_starts_from_the_skeleton(tmp_path: Path) -> None:
    made = passed(tmp_path, chapters=0)
    commit(made)
    assert made.json(layout.STATE)["state_version"] == 1
    assert len(made.lines(layout.CHANGELOG)) == 1


def test_a_log_that_cannot_tell_what_is_resolved_stops_the_commit(tmp_path: Path) -> None:
    """The state's active foreshadowing is the log's to tell, and is not guessed; other deltas land."""
    made = passed(tmp_path, ops=[PLANT])
    sound = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, b"{\n")
    before = made.tree()
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, [d.path for d in found.diagnostics]) == (5, [layout.CHANGELOG])
    assert made.changed(before) == {}
    made.write(layout.CHANGELOG, sound)
    commit(made)
    assert made.novel("doctor").exit == 0


def test_foreshadowing_becomes_facts_with_what_was_planned(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[PLANT])
    plan = {
        "foreshadowing": [
            {"id": "bell-rope", "description": "钟绳", "scope": "long", "target_resolve_range": [5, 6]}
        ]
    }
    made.write(layout.foreshadowing_plan(1), plan)
    commit(made)
    (fact,) = [f for f in made.json(layout.FORESHADOWING)["foreshadowing"] if f["id"] == "bell-rope"]
    assert (fact["description"], fact["scope"], fact["status"]) == ("钟绳", "long", "planted")
    assert (fact["planted_chapter"], fact["planted_storyline"]) == (2, LINE)
    assert fact["history"] == [{"chapter": 2, "action": "planted", "detail": "钟绳断了一股"}]


def test_no_foreshadowing_no_change(tmp_path: Path) -> None:
    made = passed(tmp_path)
    before = made.at(layout.FORESHADOWING).read_bytes()
    commit(made)
    assert made.at(layout.FORESHADOWING).read_bytes() == before


BROKEN_FACTS: list[Any] = [b"{", b"\xff", '"x"', {"foreshadowing": [{"description": "没有名字"}]}, "folder"]


@pytest.mark.parametrize("broken", BROKEN_FACTS, ids=str)
def test_broken_foreshadowing_waits_and_is_caught_up(tmp_path: Path, broken: Any) -> None:
    made = passed(tmp_path, ops=[PLANT])
    good = made.at(layout.FORESHADOWING).read_bytes()
    if broken == "folder":
        made.drop(layout.FORESHADOWING)
        made.at(layout.FORESHADOWING).mkdir()
    else:
        made.write(layout.FORESHADOWING, broken)
    before = made.tree()[layout.FORESHADOWING]
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["FORESHADOWING_SKIPPED"])
    assert layout.FORESHADOWING in found.diagnostics[0].message
    assert made.tree()[layout.FORESHADOWING] == before
    assert made.point()["last_completed_chapter"] == 2
    if broken == "folder":
        made.at(layout.FORESHADOWING).rmdir()
    made.write(layout.FORESHADOWING, good)
    made.chapter = 3
    made.stage("judged")
    made.draft()
    advanced = {**PLANT, "value": "advanced", "detail": "又断一股"}
    made.records(ops=[advanced])
    made.evaluation(4.5)
    assert made.novel("commit", "--chapter", "3").diagnostics == ()
    (fact,) = [f for f in made.json(layout.FORESHADOWING)["foreshadowing"] if f["id"] == "bell-rope"]
    assert [(h["chapter"], h["action"]) for h in fact["history"]] == [(2, "planted"), (3, "advanced")]
    assert fact["planted_chapter"] == 2
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()


def test_a_broken_plan_does_not_keep_the_facts_waiting(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[PLANT])
    made.write(layout.foreshadowing_plan(1), b"{")
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["FORESHADOWING_PLAN_UNREAD"])
    assert layout.foreshadowing_plan(1) in found.diagnostics[0].message
    ids = [f["id"] for f in made.json(layout.FORESHADOWING)["foreshadowing"]]
    assert "bell-rope" in ids


def test_from_the_third_name_that_comes_again_on_the_author_is_warned(tmp_path: Path) -> None:
    names = ["独眼渔夫", "卖灯的", "独眼渔夫", "敲钟人", "过路的"]
    entities = [{**ENTITY, "mention": name, "suggested_type": "character"} for name in names]
    made = passed(tmp_path, unknown_entities=entities)
    assert made.novel("commit", "--chapter", "2").diagnostics == ()
    noted = [line["mention"] for line in made.lines(layout.UNKNOWN_ENTITIES)]
    assert noted == ["独眼渔夫", "卖灯的", "敲钟人", "过路的"]
    made.chapter = 3
    made.stage("judged")
    made.draft()
    made.records(unknown_entities=[{**one, "chapter": 3} for one in (*entities[:4], {"mention": "沈渡"})])
    made.evaluation(4.5)
    found = made.novel("commit", "--chapter", "3")
    assert [d.code for d in found.diagnostics] == ["ENTITIES_UNREGISTERED"]
    told = found.diagnostics[0].message
    assert "3 个" in told and "敲钟人" in told and "沈渡" not in told and "过路的" not in told


def test_a_new_name_of_an_odd_kind_lands_without_it(tmp_path: Path) -> None:
    odd = [{"mention": "候车亭", "context": 3, "suggested_type": "place"}, {"mention": "水泥桩"}]
    made = passed(tmp_path, unknown_entities=odd)
    assert made.novel("commit", "--chapter", "2").diagnostics == (), "told when it is validated"
    lines = [(x["mention"], x["context"], x["suggested_type"]) for x in made.lines(layout.UNKNOWN_ENTITIES)]
    assert lines == [("候车亭", None, None), ("水泥桩", None, None)]


# the volume's end -----------------------------------------------------------------------------------


def test_the_last_chapter_ends_the_volume(tmp_path: Path) -> None:
    made = passed(tmp_path, chapters=5)
    landed = commit(made)
    assert landed["volume_end"] is True
    assert made.point()["orchestrator_state"] == "VOL_REVIEW"
    assert made.next()["step"] == "volume:01:review"


def test_a_heading_that_is_nearly_one_keeps_the_volume_open(tmp_path: Path) -> None:
    made = passed(tmp_path, chapters=5)
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text + "\n## 第 7 章\n")
    assert commit(made)["volume_end"] is False
    assert made.point()["orchestrator_state"] == "WRITING"


# again, out of turn, refused --------------------------------------------------------------------------


def test_a_chapter_that_has_landed_is_a_success_that_changes_nothing(tmp_path: Path) -> None:
    made = passed(tmp_path)
    commit(made)
    before = made.tree()
    again = commit(made)
    assert (again["repeat"], again["overall_final"], again["gate_decision"]) == (True, 4.5, "pass")
    assert made.ok("commit", "--chapter", "1")["repeat"] is True
    assert made.changed(before) == {}


def test_a_repeat_keeps_the_lock_of_the_chapter_in_work(tmp_path: Path) -> None:
    made = passed(tmp_path)
    commit(made)
    made.ok("lock", "acquire")
    assert commit(made)["repeat"] is True
    assert made.ok("lock", "status")["kind"] == "own"


def test_a_landed_chapter_that_is_gone_is_damage(tmp_path: Path) -> None:
    made = passed(tmp_path)
    made.drop(layout.chapter(1))
    made.refused(5, "OWN_FILE_DAMAGED", "commit", "--chapter", "1")


@pytest.mark.parametrize("number", ["3", "7", "1000"])
def test_out_of_turn(tmp_path: Path, number: str) -> None:
    made = passed(tmp_path)
    assert "第 2 章" in made.refused(3, "CHAPTER_NOT_DUE", "commit", "--chapter", number).message


@pytest.mark.parametrize("state", ["INIT", "VOL_PLANNING", "VOL_REVIEW", "ERROR_RETRY"])
def test_in_another_state(tmp_path: Path, state: str) -> None:
    made = passed(tmp_path)
    made.stage(None if state != "ERROR_RETRY" else "judged", orchestrator_state=state)
    made.refused(3, "CHAPTER_NOT_DUE", "commit", "--chapter", "2")


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "revising"])
def test_at_another_stage(tmp_path: Path, stage: str) -> None:
    made = passed(tmp_path)
    made.stage(stage)
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "2")


REFUSED: list[tuple[float, str | None, int]] = [
    (3.7, None, 0),
    (3.2, None, 0),
    (2.5, None, 0),
    (1.5, None, 3),
    (4.5, "l1", 2),
]


@pytest.mark.parametrize(("overall", "violation", "revisions"), REFUSED)
@pytest.mark.parametrize("stored", [None, "pass"])
def test_what_the_gate_does_not_pass_never_lands(
    tmp_path: Path, overall: float, violation: str | None, revisions: int, stored: str | None
) -> None:
    made = passed(tmp_path)
    made.stage("judged", revisions)
    made.evaluation(overall, violation, gate={"decision": stored} if stored else {})
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "2")
    assert not made.at(layout.chapter(2)).exists()


def test_the_decision_that_lands_is_the_one_that_let_it_land(tmp_path: Path) -> None:
    """A decision that an earlier round left behind is not what the record says."""
    made = passed(tmp_path)
    made.stage("judged", revisions=2)
    made.evaluation(3.2, gate={"decision": "revise", "revisions": 1})
    landed = commit(made)
    assert (landed["gate_decision"], landed["force_passed"], landed["revisions"]) == ("pass", True, 2)
    gate = made.json(layout.evaluation(2))["metadata"]["gate"]
    assert (gate["decision"], gate["force_passed"], gate["revisions"]) == ("pass", True, 2)


@pytest.mark.parametrize("key", ["chapter", *RECORDS, "evaluation"])
@pytest.mark.parametrize("how", ["link", "folder", "broken", "gone"])
def test_a_staged_file_that_is_none_is_refused_by_name(tmp_path: Path, key: str, how: str) -> None:
    made = passed(tmp_path)
    place = made.at(made.staged(key))
    if how == "link":
        target = tmp_path / "elsewhere"
        os.replace(place, target)
        place.symlink_to(target)
    elif how == "broken":
        place.write_bytes(b"\xff{")
    else:
        place.unlink()
        if how == "folder":
            place.mkdir()
    before = made.tree()
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, found.diagnostics[0].code) == (3, "GATE_NOT_PASSED")
    if how != "gone":
        assert made.staged(key) in [d.path for d in found.diagnostics]
    assert made.changed(before) == {}


def test_an_evaluation_that_was_replaced_by_a_bad_one(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged")
    made.write(made.staged("evaluation"), {**make_verdict(4.5), "overall": "4.5"})
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "2")
    assert made.next()["phase"] == "judge"


def test_a_text_that_was_changed_after_its_verdict(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged")
    made.draft(version=2)
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "2")


def test_another_session_is_writing(tmp_path: Path) -> None:
    made = passed(tmp_path)
    made.novel("lock", "acquire", owner=OTHER)
    assert made.refused(4, "LOCK_BUSY", "commit", "--chapter", "2")


@pytest.mark.parametrize(
    ("path", "broken", "code"),
    [
        (layout.STATE, b"{", "OWN_FILE_BROKEN"),
        (layout.STATE, b"null", "OWN_FILE_DAMAGED"),
        (layout.FORESHADOW_BACKLOG, b"\xff", "OWN_FILE_DAMAGED"),
        (layout.work_log(2), b"[]", "OWN_FILE_DAMAGED"),
    ],
)
def test_damage_stops_it(tmp_path: Path, path: str, broken: bytes, code: str) -> None:
    made = passed(tmp_path, unknown_entities=[ENTITY], ops=[PLANT])
    made.write(path, broken)
    told = made.refused(5, code, "commit", "--chapter", "2")
    assert path in told.message


OLD = b'{"chapter":1,"context":"x","mention":"old","suggested_type":"item","ts":"2026-01-01T00:00:00Z"}\n'


@pytest.mark.parametrize(
    ("there", "unread"),
    [
        (OLD + b'{"chapter": 1, "men', 1),
        (b"{oops}\n" + OLD + b"[]\n", 2),
        (b"\xff\xfe\n" + OLD, 1),
        (OLD[:-1], 0),
        (b"\n\n" + OLD, 0),
        (b"", 0),
    ],
    ids=["cut", "middle", "bytes", "open", "blank", "empty"],
)
def test_a_log_that_only_advises_stops_no_chapter(tmp_path: Path, there: bytes, unread: int) -> None:
    """What cannot be read stays byte for byte, what is new goes on lines of its own behind it."""
    made = passed(tmp_path, unknown_entities=[ENTITY])
    made.write(layout.UNKNOWN_ENTITIES, there)
    found = made.novel("commit", "--chapter", "2")
    told = [d for d in found.diagnostics if d.code == "ENTITIES_UNREAD"]
    assert found.exit == 0 and len(told) == bool(unread)
    assert all(layout.UNKNOWN_ENTITIES in d.message and "novel doctor --fix" in d.fix for d in told)
    data = made.at(layout.UNKNOWN_ENTITIES).read_bytes()
    assert data.startswith(there) and data.endswith(b"}\n")
    assert json.loads(data[:-1].rpartition(b"\n")[2])["mention"] == ENTITY["mention"]
    assert made.novel("doctor", "--fix").exit == 0
    lines = made.at(layout.UNKNOWN_ENTITIES).read_bytes().split(b"\n")
    mentions = [json.loads(line)["mention"] for line in lines if line]
    assert mentions == [*(["old"] if OLD[:-1] in there else []), ENTITY["mention"]]
    kept = b"".join(made.at(f"{layout.TORN}/{name}").read_bytes() for name in made.names(layout.TORN))
    assert kept.count(b"\n") == unread


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_log_that_is_no_file_stops_no_chapter_and_the_names_are_told(tmp_path: Path, kind: str) -> None:
    made = passed(tmp_path, unknown_entities=[ENTITY])
    place, elsewhere = made.at(layout.UNKNOWN_ENTITIES), tmp_path / "elsewhere"
    elsewhere.write_bytes(b"")
    place.mkdir() if kind == "folder" else place.symlink_to(elsewhere)
    found = made.novel("commit", "--chapter", "2")
    (told,) = [d for d in found.diagnostics if d.code == "ENTITIES_UNKEPT"]
    assert found.exit == 0 and ENTITY["mention"] in told.message and "移开" in told.fix
    assert elsewhere.read_bytes() == b"" and made.point()["last_completed_chapter"] == 2


def test_trying_it_dry_writes_nothing_and_promises_the_same(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[op(), PLANT], unknown_entities=[ENTITY])
    before = made.tree()
    dry = commit(made, "--dry-run")
    assert made.changed(before) == {} and not made.at(layout.OWN).exists()
    wet = commit(made)
    assert dry["dry_run"] is True and wet["dry_run"] is False
    assert {**dry, "dry_run": False} == wet
    assert made.novel("commit", "--chapter", "3", "--dry-run").exit == 3


def test_a_failed_landing_leaves_not_a_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = passed(tmp_path)
    before = made.tree()
    made.at("summaries").rename(made.at("summaries-moved"))
    made.write("summaries", "不是文件夹")
    found = made.novel("commit", "--chapter", "2")
    assert (found.exit, found.diagnostics[0].path) == (3, "summaries")
    made.drop("summaries")
    made.at("summaries-moved").rename(made.at("summaries"))
    assert made.changed(before) == {}


def test_what_was_replaced_is_known(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[{**PLANT, "path": "clue-001", "value": "advanced"}])
    memory = "塔上的人数到第九盏。\n"
    made.write(layout.memory(LINE), memory)
    commit(made)
    record = json.loads(made.at(layout.landed_record(2)).read_text("utf-8"))
    assert record["before"][layout.memory(LINE)] == memory
    assert record["before"][layout.FORESHADOWING]["clue-001"]["status"] == "planted"


# another tool's files -------------------------------------------------------------------------------------


def test_files_in_the_seeds_form_go_through(tmp_path: Path) -> None:
    """An evaluation without metadata at `judged`, as another tool leaves it."""
    made = passed(tmp_path)
    document = made.evaluation(4.1)
    for own in ("metadata", "overall_final"):
        document.pop(own)
    made.write(made.staged("evaluation"), document)
    landed = commit(made)
    assert (landed["overall_final"], landed["gate_decision"]) == (4.1, "pass")
    found = made.json(layout.evaluation(2))
    assert found["overall_final"] == 4.1
    assert found["metadata"]["judges"]["used"] == "primary"


@pytest.mark.parametrize("mark", [{"polished": True}, {"accepted": {"by": "author"}}])
def test_a_mark_without_a_decision_lands_with_one_and_stays(tmp_path: Path, mark: dict[str, Any]) -> None:
    made = passed(tmp_path)
    made.evaluation(2.5, gate=mark)
    assert commit(made)["gate_decision"] == "pause_for_user"
    gate = made.json(layout.evaluation(2))["metadata"]["gate"]
    assert {key: gate[key] for key in mark} == mark


def test_metadata_in_the_seeds_form_is_enough(tmp_path: Path) -> None:
    made = passed(tmp_path)
    judges = {"primary": {"model": "sonnet", "overall": 4.1}, "used": "primary", "overall_final": 4.1}
    gate = {"decision": "pass", "revisions": 0, "force_passed": False}
    made.write(made.staged("evaluation"), {**make_verdict(4.1), "metadata": {"judges": judges, "gate": gate}})
    landed = commit(made)
    assert (landed["overall_final"], landed["gate_decision"]) == (4.1, "pass")
    assert made.novel("status").data["recent"][-1]["overall"] == 4.1


def test_a_character_without_a_card_is_applied_and_reported(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[op(path="characters.ghost-man.location")])
    found = made.novel("commit", "--chapter", str(made.chapter))
    assert found.exit == 0 and "ghost-man" in made.json(layout.STATE)["characters"]
    told = {d.code: d.message for d in found.diagnostics}
    assert "ghost-man" in told["DELTA_UNREGISTERED"]


def test_after_a_landing_nothing_is_judged_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What everyday commands read from now on is known: they load no schema."""
    made = book(tmp_path, 2)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    made.until("judged")
    made.ok("commit", "--chapter", str(made.chapter))
    judged: list[str] = []

    def check(name: str, _value: object, path: str) -> list[Any]:
        judged.append(f"{name} {path}")
        return []

    monkeypatch.setattr(schema, "problems", check)
    chapter = made.next()["chapter"]
    made.ok("status")
    made.ok("instructions", f"chapter:{chapter:03d}:draft")
    made.ok("foreshadow", "list")
    assert judged == []
