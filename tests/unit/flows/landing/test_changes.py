"""The changes of one commit: state and log, what goes with the chapter, and what is only told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import plant

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.landing import changes as landing
from novel_hooks.flows.landing.changes import Landing
from novel_hooks.rules.state import changelog, delta
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2027-01-15T08:00:00Z"
MOVE = {"op": "set", "path": "characters.shen-du.location", "value": "下游"}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 2, passed by the gate."""
    made = book(tmp_path)
    ready(made)
    return made


def ready(made: Book, *ops: Any, **delta: Any) -> None:
    made.stage("judged")
    made.draft()
    version = made.json(layout.STATE)["state_version"]
    made.records(ops=list(ops) or [MOVE], base_state_version=version, **delta)
    made.evaluation(4.5)


def plan(made: Book) -> Landing:
    book = Reading(Project(str(made.root)))
    return landing.plan_landing(Desk(book, 1, made.chapter), book.checkpoint(), NOW)


def written(made: Book, path: str) -> Any:
    """The JSON that lands at the path; None when nothing does."""
    found = [change for change in plan(made).changes if change.path == path and change.kind == "put"]
    return json.loads(found[-1].data) if found else None


def gone(made: Book) -> set[str]:
    return {change.path for change in plan(made).changes if change.kind == "remove"}


# state and log ---------------------------------------------------------------------------------------


def test_a_thread_that_landed_chapters_resolved_is_not_opened_again(made: Book) -> None:
    """By the log alone: the author's own file may say otherwise."""
    lines = made.at(layout.CHANGELOG).read_bytes()
    own = {**made.lines(layout.CHANGELOG)[0], "ops": [plant("oar", "resolved")]}
    made.write(layout.CHANGELOG, json.dumps(own, ensure_ascii=False) + "\n")
    ready(made, plant("oar", "advanced"))
    assert "oar" not in str(written(made, layout.STATE).get("active_foreshadowing"))
    made.write(layout.CHANGELOG, lines)
    assert "oar" in str(written(made, layout.STATE)["active_foreshadowing"])


@pytest.mark.parametrize("line", [b'{"chapter": 1, "state_version": 1', b"garbage", b'{"chapter": 1}]'])
def test_a_torn_line_may_have_told_of_a_resolved_thread(made: Book, line: bytes) -> None:
    whole = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, line + b"\n" + whole)
    ready(made, plant("oar"))
    with pytest.raises(errors.LogLineBroken) as caught:
        plan(made)
    assert caught.value.values["line"] == 1
    ready(made)
    assert plan(made).chapter == 2, "without a thread the old lines say nothing of it"


def test_a_state_that_its_schema_refuses_does_not_land(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    real = delta.apply

    def spoilt(*args: Any, **more: Any) -> Any:
        found = real(*args, **more)
        return found._replace(state={**found.state, "characters": 3})

    monkeypatch.setattr(delta, "apply", spoilt)
    with pytest.raises(errors.Problem) as caught:
        plan(made)
    assert {p.path for p in caught.value.problems} == {layout.STATE}


def test_the_log_replays_to_the_state_that_lands(made: Book) -> None:
    line = next(c for c in plan(made).changes if c.path == layout.CHANGELOG)
    assert line.kind == "append"
    lines = [*made.lines(layout.CHANGELOG), json.loads(line.data)]
    assert changelog.replay(lines) == written(made, layout.STATE)


def test_a_skipped_delta_lands_no_state_and_is_counted(made: Book) -> None:
    made.write(made.staged("delta"), {"chapter": 2, "skipped": True, "reason": "写坏了"})
    assert written(made, layout.STATE) is None
    assert written(made, layout.CHECKPOINT)["skipped_deltas"] == 1


# what goes with the chapter ----------------------------------------------------------------------------


def test_its_staged_files_and_notes_go_and_nobody_elses(made: Book) -> None:
    own = [
        layout.HANDOUT,
        layout.work_log(2),
        f"{layout.MANIFESTS}/chapter-002-draft.json",
        f"{layout.staged('evaluations')}/chapter-002-r0-primary-1.raw.txt",
        made.staged("hints"),
    ]
    for path in own:
        made.write(path, {} if path.endswith(".json") else "x")
    made.write(layout.work_log(2), {"chapter": 2, "stages": []})
    others = [
        f"{layout.MANIFESTS}/chapter-0021-draft.json",
        f"{layout.MANIFESTS}/chapter-003-draft.json",
        f"{layout.staged('evaluations')}/chapter-003-r0-primary-1.raw.txt",
        layout.staged(layout.chapter(3)),
    ]
    for path in others:
        made.write(path, "{}")
    staged = {made.staged(key) for key in ("chapter", "summary", "delta", "crossref", "memory", "evaluation")}
    assert gone(made) == {*own, *staged}


def test_what_was_edited_and_lands_over_is_forgotten(made: Book) -> None:
    """The memory of the storyline, of which an earlier chapter was remembered as changed by hand."""
    memory = layout.memory(made.json(layout.contract(1, 2))["storyline_id"])
    rows = {memory: [1, "0" * 64, ""], layout.chapter(1): [1, "0" * 64, ""]}
    made.write(layout.HAND_EDITS, {"files": rows})
    assert set(written(made, layout.HAND_EDITS)["files"]) == {layout.chapter(1)}


@pytest.mark.parametrize(("end", "over"), [(2, True), (3, False)])
def test_the_last_planned_chapter_ends_the_volume(made: Book, end: int, over: bool) -> None:
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text.split(f"### 第 {end + 1} 章")[0])
    made.evaluation(4.5, second=4.5)
    assert plan(made).volume_end is over
    state = written(made, layout.CHECKPOINT)["orchestrator_state"]
    assert state == ("VOL_REVIEW" if over else "WRITING")


def test_the_checkpoint_forgets_what_failed_and_what_was_open(made: Book) -> None:
    made.point(failures=[{"step": "x"}], error={"step": "x"}, mine=1)
    point = written(made, layout.CHECKPOINT)
    assert not {"failures", "error", "sync"} & set(point)
    assert (point["mine"], point["revision_count"], point["inflight_chapter"]) == (1, 0, None)
    assert (point["last_completed_chapter"], point["last_step"]) == (2, "chapter:002:commit")


def test_the_next_chapters_contract_is_judged_and_stops_nothing(made: Book) -> None:
    made.write(layout.contract(1, 3), "{")
    assert plan(made).chapter == 2
    made.drop(layout.contract(1, 3))
    assert plan(made).chapter == 2


# what is only told ---------------------------------------------------------------------------------------


def test_people_without_a_card_are_named(made: Book) -> None:
    ready(
        made, {**MOVE, "path": "characters.bai-ye.location"}, {**MOVE, "path": "characters.a-bao.mood"}, MOVE
    )
    (told,) = [p for p in plan(made).warnings if p.code == "DELTA_UNREGISTERED"]
    assert told.values["names"] == "a-bao、bai-ye"


# the record ------------------------------------------------------------------------------------------


def record(made: Book, **threads: Any) -> dict[str, Any]:
    desk = Desk(Reading(Project(str(made.root))), 1, 2)
    made_changes = [journal.put(layout.chapter(2), b"x")]
    change = landing.record_change(desk, made_changes, threads)
    assert change.path == layout.landed_record(2)
    found: dict[str, Any] = json.loads(change.data)
    return found


def test_a_record_tells_what_the_landing_replaced(made: Book) -> None:
    line = made.json(layout.contract(1, 2))["storyline_id"]
    made.write(layout.memory(line), "以前的记忆\n")
    made.write(layout.FORESHADOW_BACKLOG, "[1]")
    found = record(made, oar={"id": "oar"}, lamp=None)
    assert found["before"][layout.memory(line)] == "以前的记忆\n"
    assert found["before"][layout.FORESHADOWING] == {"oar": {"id": "oar"}, "lamp": None}
    assert (found["chapter"], found["storyline_id"], found["waiting"]) == (2, line, [1])
    assert list(found["sha256"]) == [layout.chapter(2)]


def test_a_shared_file_is_created_only_where_there_was_none(made: Book) -> None:
    assert record(made)["created"] == []
    made.drop(layout.FORESHADOWING)
    assert record(made)["created"] == [layout.FORESHADOWING]
