"""`novel commit`: everything lands or nothing, in order; what is merged, logged, cleared (protocol §5)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.store.journal import journal
from novel_hooks.store.schema import schema
from unit.flows.pipeline.passed_chapter import ENTITY, LINE, PLANT, commit, op, passed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


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
