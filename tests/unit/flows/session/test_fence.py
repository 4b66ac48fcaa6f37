"""The second fence: what changes outside staging after a hand-out is named and refused."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
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

if TYPE_CHECKING:
    from pathlib import Path

CODE = "WRITE_OUTSIDE_STAGING"


@pytest.fixture
def out(tmp_path: Path) -> Book:
    """A book whose draft is handed out and written."""
    made = book(tmp_path, chapters=3)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    return made


def shell(made: Book, command: str) -> None:
    subprocess.run(["sh", "-c", command], cwd=made.root, check=True)


@pytest.mark.parametrize(
    ("command", "path", "word"),
    [
        ("echo x >> chapters/chapter-001.md", "chapters/chapter-001.md", "被改动"),
        ("echo x > chapters/chapter-009.md", "chapters/chapter-009.md", "被新增"),
        ("sed -i 's/第/弟/' chapters/chapter-002.md", "chapters/chapter-002.md", "被改动"),
        ("rm summaries/chapter-001-summary.md", "summaries/chapter-001-summary.md", "被删除"),
        ("echo '{}' > state/current-state.json", "state/current-state.json", "被改动"),
        ("echo x >> brief.md", "brief.md", "被改动"),
        ("echo x > novel.yaml", "novel.yaml", "被"),
        ("mkdir -p .claude && echo x > .claude/settings.json", ".claude/settings.json", "被新增"),
        ("echo x > CLAUDE.md", "CLAUDE.md", "被新增"),
    ],
)
def test_a_write_outside_staging_is_named_and_refused(out: Book, command: str, path: str, word: str) -> None:
    shell(out, command)
    said = out.refused(3, CODE, "advance", out.step("draft"))
    assert said.path == path and word in said.message and "novel accept-changes" in said.fix


def test_a_move_names_both_places(out: Book) -> None:
    shell(out, "mv chapters/chapter-001.md chapters/chapter-900.md")
    found = out.novel("advance", out.step("draft"))
    assert [d.path for d in found.diagnostics] == ["chapters/chapter-001.md", "chapters/chapter-900.md"]


def test_the_checkpoint_is_sealed(out: Book) -> None:
    out.point(pending_actions=["x"])
    assert out.refused(3, CODE, "advance", out.step("draft")).path == layout.CHECKPOINT


def test_a_link_put_in_a_files_place_is_a_change(out: Book) -> None:
    place = out.at("chapters/chapter-001.md")
    place.rename(out.at("staging/moved.md"))
    os.symlink("../staging/moved.md", place)
    assert out.novel("advance", out.step("draft")).diagnostics[0].path == "chapters/chapter-001.md"


@pytest.mark.parametrize(
    "command",
    [
        "touch chapters/chapter-001.md",
        "cp -p brief.md staging/copy.md && chmod 600 brief.md",
        "mkdir -p .git && echo x > .git/HEAD",
        "echo x > notes.txt",
        "echo x > logs/extra.log",
        "echo x > chapters/.DS_Store",
        "echo x > chapters/chapter-001.md~",
    ],
)
def test_what_changes_nothing_that_is_fenced_passes(out: Book, command: str) -> None:
    shell(out, command)
    assert out.advance("draft")["changed"]


def test_taken_back_is_as_if_nothing_had_been(out: Book) -> None:
    place = out.at("chapters/chapter-001.md")
    before = place.read_bytes()
    place.write_bytes(b"x")
    out.refused(3, CODE, "advance", out.step("draft"))
    place.write_bytes(before)
    assert out.advance("draft")["changed"]


def test_the_authors_word_is_recorded_and_holds(out: Book) -> None:
    out.at("chapters/chapter-001.md").write_text("改过\n", encoding="utf-8")
    before = out.point()
    taken = out.ok("accept-changes")["accepted"]
    assert taken == [{"path": "chapters/chapter-001.md", "what": "changed"}]
    assert out.point() == before, "it moves nothing"
    assert out.ok("advance", out.step("draft"))["changed"]
    line = out.lines(layout.AUDIT)[-1]
    assert (line["event"], line["decision"]) == ("accept-changes", "allow")
    assert line["path"] == "chapters/chapter-001.md"
    out.ok("instructions", out.step("summarize"), "--write-manifest")
    out.records()
    assert out.advance("summarize")["changed"]


def test_the_word_is_about_what_has_changed_by_then(out: Book) -> None:
    shell(out, "echo x >> brief.md")
    page = out.novel("accept-changes").text
    assert "brief.md（被改动）" in page
    shell(out, "echo x >> CLAUDE.md")
    assert out.refused(3, CODE, "advance", out.step("draft")).path == "CLAUDE.md"


def test_without_a_change_or_a_hand_out_there_is_nothing_to_say(out: Book, tmp_path: Path) -> None:
    before = out.tree()
    assert out.ok("accept-changes") == {"accepted": []}
    assert out.changed(before) == {}
    (tmp_path / "other").mkdir()
    never = book(tmp_path / "other")
    shell(never, "echo x >> brief.md")
    assert never.ok("accept-changes") == {"accepted": []}


@pytest.mark.parametrize("command", ["advance", "commit"])
def test_neither_advance_nor_commit_takes_the_word(out: Book, command: str) -> None:
    """A host that may run them may not say it for the author."""
    shell(out, "echo x >> brief.md")
    asked = {"advance": (out.step("draft"),), "commit": ("--chapter", str(out.chapter))}[command]
    out.refused(2, "CLI_USAGE", command, *asked, "--accept-changes")


def test_a_checkpoint_of_the_authors_own_is_taken_as_it_is(out: Book) -> None:
    shell(out, "printf ' ' >> .checkpoint.json")
    assert out.refused(3, CODE, "advance", out.step("draft")).path == layout.CHECKPOINT
    out.ok("accept-changes")
    assert out.advance("draft")["changed"]


def test_a_step_handed_out_again_forgives_nothing(out: Book) -> None:
    out.at("chapters/chapter-001.md").write_text("改过\n", encoding="utf-8")
    out.ok("instructions", out.step("draft"), "--write-manifest")
    out.refused(3, CODE, "advance", out.step("draft"))


def test_between_two_steps_the_author_may_edit(out: Book) -> None:
    out.advance("draft")
    out.at("brief.md").write_text("# 新的立意\n", encoding="utf-8")
    out.ok("instructions", out.step("summarize"), "--write-manifest")
    out.records()
    assert out.advance("summarize")["changed"]


def test_commit_compares_too_and_then_rests(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    made.until("refined")
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.judge(4.5)
    made.advance("judge")
    place = made.at("chapters/chapter-001.md")
    before = place.read_bytes()
    place.write_bytes(b"x")
    number = str(made.chapter)
    assert made.refused(3, CODE, "commit", "--chapter", number).path == "chapters/chapter-001.md"
    place.write_bytes(before)
    made.ok("commit", "--chapter", number)
    place.write_bytes(b"x")  # between chapters the book is the author's again
    following = Book(made.root, made.chapter + 1)
    following.ok("lock", "acquire")
    following.ok("instructions", following.step("draft"), "--write-manifest")
    following.draft()
    assert following.advance("draft")["changed"]


def test_without_a_hand_out_nothing_is_compared(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.ok("lock", "acquire")
    made.draft()
    made.at("chapters/chapter-001.md").write_text("改过\n", encoding="utf-8")
    assert made.advance("draft")["changed"]


def test_a_hash_is_taken_anew_only_where_stat_differs(out: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = fence.digest
    monkeypatch.setattr(fence, "digest", lambda project, path: asked.append(path) or real(project, path))
    out.at("brief.md").touch()
    project = Project(str(out.root))
    fence.marks(project, fence.read(project) or {})
    assert asked == ["brief.md"]


def test_marks_survive_their_file(out: Book) -> None:
    project = Project(str(out.root))
    found = fence.marks(project, {})
    assert found == fence.read(project) and "chapters/chapter-001.md" in found
    assert not any(path.startswith(("staging/", "logs/", ".novel")) for path in found)


def test_a_linked_folder_is_a_change(out: Book) -> None:
    out.at("chapters").rename(out.at("staging/moved"))
    os.symlink("staging/moved", out.at("chapters"))
    assert "chapters" in [d.path for d in out.novel("advance", out.step("draft")).diagnostics]


def test_a_name_that_no_line_can_hold_is_no_endless_difference(out: Book) -> None:
    out.at("world/a\tb\n.md").write_text("x", encoding="utf-8")
    assert out.advance("draft")["changed"]


@pytest.mark.parametrize("damage", ["echo garbage > .novel/fence.txt", "rm .novel/fence.txt"])
def test_marks_that_are_lost_are_told_as_such(out: Book, damage: str) -> None:
    shell(out, damage)
    assert "novel accept-changes" in out.refused(5, "FENCE_LOST", "advance", out.step("draft")).fix
    out.ok("accept-changes")
    assert out.ok("advance", out.step("draft"))["changed"]


@pytest.fixture
def long_ago(tmp_path: Path) -> Book:
    """A book of 31 chapters with the next one handed out, written and about to be committed."""
    made = book(tmp_path, chapters=31)
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.until("judged")
    return made


@pytest.mark.parametrize(
    "command",
    [
        "echo x >> brief.md",
        "echo x > CLAUDE.md",
        "echo x >> chapters/chapter-030.md",
        "echo x > chapters/chapter-900.md",
        "rm chapters/chapter-002.md",
        "sed -i 's/第/弟/' chapters/chapter-002.md",
        "mkdir -p .claude && echo x > .claude/settings.json",
        "echo x > characters/active/new.md",
    ],
)
def test_a_commit_looks_at_what_is_near_and_at_every_folder(long_ago: Book, command: str) -> None:
    shell(long_ago, command)
    long_ago.refused(3, CODE, "commit", "--chapter", "32")


def test_a_file_of_the_setting_that_is_gone_is_lost_first_of_all(long_ago: Book) -> None:
    shell(long_ago, "rm -r world")
    long_ago.refused(3, "LOST_FILE", "commit", "--chapter", "32")
    long_ago.ok("accept-changes")
    long_ago.ok("commit", "--chapter", "32")


def test_a_commit_without_the_looks_of_what_is_near_looks_at_everything(long_ago: Book) -> None:
    shell(long_ago, f"echo x >> chapters/chapter-002.md && rm {layout.FENCE_NEAR}")
    assert long_ago.refused(3, CODE, "commit", "--chapter", "32").path == "chapters/chapter-002.md"


def test_an_old_chapter_written_over_in_its_place_is_told_as_a_hand_edit(long_ago: Book) -> None:
    shell(long_ago, "echo x >> chapters/chapter-002.md")
    long_ago.ok("commit", "--chapter", "32")


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
