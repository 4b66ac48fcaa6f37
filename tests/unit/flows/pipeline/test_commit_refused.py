"""`novel commit`: again, out of turn, refused; what another tool left goes through."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, RECORDS, book, make_verdict
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.schema import schema
from unit.flows.pipeline.passed_chapter import ENTITY, LINE, PLANT, commit, op, passed

if TYPE_CHECKING:
    from pathlib import Path


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
    found = made.novel("commit", "--chapter", "2")
    landed = found.data
    assert (landed["gate_decision"], landed["force_passed"], landed["revisions"]) == ("pass", True, 2)
    assert "，评分 3.20/5.0，门控勉强放行，修订 2 次 △" in found.text
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
    assert found.exit == 0 and ENTITY["mention"] in told.message and "移到" in told.fix
    assert elsewhere.read_bytes() == b"" and made.point()["last_completed_chapter"] == 2


def test_trying_it_dry_writes_nothing_and_promises_the_same(tmp_path: Path) -> None:
    made = passed(tmp_path, ops=[op(), PLANT], unknown_entities=[ENTITY])
    before = made.tree()
    dry = commit(made, "--dry-run")
    assert made.changed(before) == {}
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
