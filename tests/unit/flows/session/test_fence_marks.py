"""The marks of the second fence: written, compared, renewed, lost and accepted."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.errors import FenceLost, Problems
from novel_hooks.flows.session import fence as flows_fence
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.fence import fence
from novel_hooks.store.fence.fence import Difference
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change
from unit.flows.session.handed_out import CODE
from unit.flows.session.handed_out import out as out

if TYPE_CHECKING:
    from pathlib import Path

# the parts, one by one -------------------------------------------------------------------------------


def append(made: Book, *paths: str) -> None:
    """By this process: a test that starts another one is left out where mutants are tried."""
    for path in paths:
        with made.at(path).open("ab") as stream:
            stream.write(b"x\n")


def paths(changes: list[Change]) -> list[tuple[str, str]]:
    return [(change.kind, change.path) for change in changes]


@pytest.fixture
def armed(out: Book) -> Project:
    return Project(str(out.root))


def caller() -> Caller:
    return Caller(owner({}, "author"), 1_800_000_000.0)


def test_marks_are_written_once_and_name_the_step(out: Book, armed: Project) -> None:
    assert flows_fence.mark(armed, out.step("draft"), 3) == []
    (again,) = flows_fence.mark(armed, out.step("revise"), 3)
    assert (again.path, again.data) == (layout.FENCE_ARMED, f"{out.step('revise')}\n".encode())
    append(out, "brief.md")
    assert paths(flows_fence.mark(armed, out.step("draft"), 3)) == [
        ("put", layout.FENCE),
        ("put", layout.FENCE_NEAR),
    ]


def test_the_first_marks_are_all_there_is(tmp_path: Path) -> None:
    made = book(tmp_path)
    found = flows_fence.mark(Project(str(made.root)), "chapter:002:draft", 1)
    every = (layout.FENCE, layout.FENCE_NEAR, layout.KNOWN_FILES, layout.FENCE_ARMED)
    assert paths(found) == [("put", path) for path in every]


def test_disarmed_once_is_enough(out: Book, armed: Project) -> None:
    assert paths(flows_fence.disarm(armed)) == [("remove", layout.FENCE_ARMED)]
    out.drop(layout.FENCE_ARMED)
    assert flows_fence.disarm(armed) == []


def test_a_quick_check_compares_the_checkpoint_too(out: Book, armed: Project) -> None:
    flows_fence.check(armed, quick=True)
    out.at(layout.CHECKPOINT).write_bytes(out.at(layout.CHECKPOINT).read_bytes() + b" ")
    with pytest.raises(Problems) as caught:
        flows_fence.check(armed, quick=True)
    assert [(p.code, p.path) for p in caught.value.problems] == [(CODE, layout.CHECKPOINT)]


def test_a_lost_seal_is_damage_and_no_write_of_the_agent(out: Book, armed: Project) -> None:
    out.write(layout.CHECKPOINT_SEAL, "garbage")
    append(out, "brief.md")
    with pytest.raises(Problems) as caught:
        flows_fence.check(armed)
    assert [(p.code, p.path) for p in caught.value.problems] == [
        ("FENCE_LOST", layout.CHECKPOINT_SEAL),
        (CODE, "brief.md"),
    ]
    accepted = out.ok("accept-changes")["accepted"]
    assert {one["path"] for one in accepted} == {layout.CHECKPOINT_SEAL, "brief.md"}
    assert out.advance("draft")["changed"], "the author's word makes the seal anew"


def test_of_very_many_the_first_are_named_and_the_rest_counted(out: Book, armed: Project) -> None:
    for number in range(24):
        out.write(f"world/new-{number:02d}.md", "x")
    with pytest.raises(Problems) as caught:
        flows_fence.check(armed)
    told = caught.value.problems
    assert [p.path for p in told] == [f"world/new-{number:02d}.md" for number in range(21)]
    assert ["另有 3 个文件" in str(p) for p in told] == [False] * 20 + [True]


def test_one_more_than_are_shown_is_shown_too(out: Book, armed: Project) -> None:
    for number in range(21):
        out.write(f"world/new-{number:02d}.md", "x")
    with pytest.raises(Problems) as caught:
        flows_fence.check(armed)
    assert len(caught.value.problems) == 21 and "另有" not in str(caught.value.problems[-1])


def test_an_accepted_change_makes_the_next_check_compare_everything(out: Book, armed: Project) -> None:
    append(out, "brief.md")
    found, changes = flows_fence.acceptance(armed, caller())
    assert found == [Difference("brief.md", "changed")]
    assert paths(changes) == [
        ("remove", layout.FENCE_NEAR),
        ("put", layout.FENCE),
        ("append", layout.AUDIT),
    ]
    out.drop(layout.FENCE_NEAR)
    assert paths(flows_fence.acceptance(armed, caller())[1]) == [
        ("put", layout.FENCE),
        ("append", layout.AUDIT),
    ]


def test_nothing_is_accepted_where_nothing_is_compared(out: Book, armed: Project) -> None:
    assert flows_fence.acceptance(armed, caller()) == ([], [])
    append(out, "brief.md")
    out.drop(layout.FENCE_ARMED)
    assert flows_fence.acceptance(armed, caller()) == ([], [])
    flows_fence.check(armed)


def test_what_novel_wrote_is_marked_anew_and_nothing_else(out: Book, armed: Project) -> None:
    append(out, "brief.md", "novel.yaml")
    changes = flows_fence.renew(armed, ["novel.yaml"])
    assert paths(changes) == [("remove", layout.FENCE_NEAR), ("put", layout.FENCE)]
    out.write(layout.FENCE, changes[-1].data)
    with pytest.raises(Problems) as caught:
        flows_fence.check(armed)
    assert [p.path for p in caught.value.problems] == ["brief.md"]


def test_marks_are_not_renewed_for_what_is_not_watched(armed: Project) -> None:
    assert flows_fence.renew(armed, ["staging/chapters/chapter-004.md"]) == []


def test_lost_marks_are_not_made_anew_by_what_novel_wrote(out: Book, armed: Project) -> None:
    out.drop(layout.FENCE)
    assert flows_fence.renew(armed, ["brief.md"]) == []
    with pytest.raises(FenceLost):
        flows_fence.check(armed)


def test_marks_are_not_renewed_while_no_step_is_out(out: Book, armed: Project) -> None:
    out.drop(layout.FENCE_ARMED)
    append(out, "brief.md")
    assert flows_fence.renew(armed, ["brief.md"]) == []


def test_a_seal_lands_right_before_its_checkpoint(armed: Project) -> None:
    first, point = journal.put("brief.md", b"x"), journal.put(layout.CHECKPOINT, b"{}")
    last = journal.remove(layout.HANDOUT)
    sealed = flows_fence.seal([first, point, last])
    assert [c.path for c in sealed] == ["brief.md", layout.CHECKPOINT_SEAL, layout.CHECKPOINT, layout.HANDOUT]
    assert sealed[1].data == fence.checkpoint_seal(hashlib.sha256(b"{}").hexdigest())
    assert flows_fence.seal([first, last]) == [first, last]
    assert flows_fence.seal([journal.remove(layout.CHECKPOINT)]) == [journal.remove(layout.CHECKPOINT)]


def test_a_checkpoint_sealed_anew_is_one_of_ours(out: Book, armed: Project) -> None:
    out.write(layout.CHECKPOINT, out.at(layout.CHECKPOINT).read_bytes() + b" ")
    change = flows_fence.reseal(armed)
    out.write(change.path, change.data)
    flows_fence.check(armed)


# what is said, word for word -------------------------------------------------------------------------


def refusals(project: Project) -> list[dict[str, object]]:
    with pytest.raises(Problems) as caught:
        flows_fence.check(project)
    return [{**p.values, "path": p.path} for p in caught.value.problems]


def test_each_file_is_named_with_what_became_of_it(out: Book, armed: Project) -> None:
    append(out, "brief.md", "world/new.md")
    out.drop("chapters/chapter-001.md")
    assert refusals(armed) == [
        {"path": "brief.md", "what": "被改动", "rest": ""},
        {"path": "chapters/chapter-001.md", "what": "被删除", "rest": ""},
        {"path": "world/new.md", "what": "被新增", "rest": ""},
    ]


@pytest.mark.parametrize(("many", "rest"), [(20, ""), (21, ""), (22, "（另有 1 个文件）")])
def test_of_more_than_twenty_one_the_rest_is_counted(out: Book, armed: Project, many: int, rest: str) -> None:
    for number in range(many):
        out.write(f"world/new-{number:02d}.md", "x")
    found = refusals(armed)
    assert len(found) == min(many, 21)
    assert [one["what"] for one in found] == ["被新增"] * len(found)
    assert [one["rest"] for one in found] == [*[""] * (len(found) - 1), rest]


def test_lost_marks_are_named_in_the_refusal_and_in_the_word(out: Book, armed: Project) -> None:
    out.drop(layout.FENCE)
    with pytest.raises(FenceLost) as caught:
        flows_fence.check(armed)
    assert caught.value.path == layout.FENCE
    found, changes = flows_fence.acceptance(armed, caller())
    assert found == [Difference(layout.FENCE, "removed")]
    marks = next(change.data for change in changes if change.path == layout.FENCE)
    assert marks == fence.dump(fence.marks(armed, {}))


def test_the_authors_word_is_a_line_a_file_in_the_audit_log(out: Book, armed: Project) -> None:
    append(out, "brief.md")
    out.write(layout.CHECKPOINT_SEAL, "garbage")
    found, changes = flows_fence.acceptance(armed, caller())
    assert found == [Difference("brief.md", "changed"), Difference(layout.CHECKPOINT_SEAL, "removed")]
    lines = [json.loads(line) for line in changes[-1].data.splitlines()]
    assert [line.pop("path") for line in lines] == ["brief.md", layout.CHECKPOINT_SEAL]
    assert [line.pop("reason") for line in lines] == [
        "作者确认：被改动是自己做的",
        "作者确认：被删除是自己做的",
    ]
    assert lines == 2 * [
        {
            "ts": "2027-01-15T08:00:00Z",
            "event": "accept-changes",
            "tool_name": None,
            "decision": "allow",
            "rule": "author-accepts",
            "agent_type": None,
            "agent_id": None,
            "session_id": "author",
        }
    ]
