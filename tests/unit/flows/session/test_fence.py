"""The second fence: what changes outside staging after a hand-out is named and refused."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.fence import fence
from novel_hooks.store.files.project import Project
from unit.flows.session.handed_out import CODE
from unit.flows.session.handed_out import out as out

if TYPE_CHECKING:
    from pathlib import Path


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
