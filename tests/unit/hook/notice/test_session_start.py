"""SessionStart's lines, from the project as the next command will find it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.packet import preflight
from novel_hooks.hook.notice import session_start
from novel_hooks.store.files import surroundings
from novel_hooks.store.host import owner

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = {"AI_AGENT": "claude-code_3-0-0_cli"}


def answer(
    made: Book, source: str | None = "startup", building: bool = False, **environ: str
) -> dict[str, Any]:
    found = session_start.respond(
        {} if source is None else {"source": source}, str(made.root), {**CLIENT, **environ}, building
    )
    return json.loads(found) if found else {}


def lines(made: Book, **more: Any) -> list[str]:
    return str(answer(made, **more)["systemMessage"]).split("\n")


# where the book is, and what is next --------------------------------------------------------------------


def test_a_landing_that_was_killed_is_told_as_it_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path, chapters=2)
    after, told = made.at(layout.CHECKPOINT).read_bytes(), lines(made)
    before = json.loads(after)
    made.write(layout.CHECKPOINT, {**before, "last_completed_chapter": 1})
    assert lines(made) != told
    killed_landing(made, monkeypatch, {layout.CHECKPOINT: after, layout.BLACKLIST: b'{"words": []}\n'})
    assert lines(made) == told


def test_a_broken_journal_is_said_in_one_line(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(f"{layout.JOURNAL}/manifest.json", b"{}")
    assert len(lines(made)) == 2 and "读不出来" in lines(made)[0]


def test_from_chapter_to_chapter(tmp_path: Path) -> None:
    made = book(tmp_path)
    assert lines(made) == [
        "小说项目：第 1 卷，已入库到第 1 章。",
        "下一步：第 2 章 · 写初稿；作者要写时用 /novel:continue。",
    ]
    made.until("drafted")
    halfway = "小说项目：第 1 卷，已入库到第 1 章；第 2 章做到一半"
    assert lines(made) == [f"{halfway}。", "下一步：第 2 章 · 润色；作者要写时用 /novel:continue。"]
    made.point(orchestrator_state="CHAPTER_REWRITE", revision_count=2)
    assert lines(made)[0] == f"{halfway}，已修订 2 次。"
    made.point(orchestrator_state="WRITING", revision_count=0)
    made.advance("refine")
    made.judge(2.2)
    assert lines(made)[1] == "下一步：第 2 章 · 评审意见已记下，等推进；作者要写时用 /novel:continue。"
    made.advance("judge")
    assert lines(made) == [f"{halfway}。", "下一步：等作者决定，运行 novel next 看有哪些选择。"]


@pytest.mark.parametrize(
    ("fields", "first", "second"),
    [
        (
            {"orchestrator_state": "INIT", "last_completed_chapter": 0, "current_volume": 0},
            "小说项目：还没有入库的章。",
            "下一步：入库；作者要做时用 /novel:start。",
        ),
        (
            {"orchestrator_state": "VOL_PLANNING", "current_volume": 2},
            "小说项目：第 2 卷，已入库到第 1 章。",
            "下一步：写本卷大纲；作者要做时用 /novel:start。",
        ),
    ],
)
def test_setting_up_and_planning(tmp_path: Path, fields: dict[str, Any], first: str, second: str) -> None:
    made = book(tmp_path)
    made.point(**fields)
    assert lines(made) == [first, second]


def test_revisions_of_a_chapter_that_is_done_are_not_told(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(revision_count=2, pipeline_stage="committed")
    assert lines(made)[0] == "小说项目：第 1 卷，已入库到第 1 章。"


def test_a_landed_chapter_that_is_recorded_anew(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.write(layout.chapter(2), made.at(layout.chapter(2)).read_text("utf-8") + "\n又一句。\n")
    made.ok("sync", "2", "--yes")
    assert lines(made)[1] == "下一步：第 2 章 · 记摘要与状态；作者要写时用 /novel:continue。"


def test_after_a_failure_the_author_is_asked(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.point(
        orchestrator_state="ERROR_RETRY",
        error={"step": "chapter:002:summarize", "reason": "x", "from_state": "WRITING"},
    )
    assert lines(made)[1].startswith("下一步：")


def test_a_fault_before_the_step_goes_first(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    path = layout.contract(1, 3)
    made.drop(path)
    assert lines(made) == [
        "小说项目：第 1 卷，已入库到第 2 章。",
        f"先处理：缺少第 3 章的契约：{path}（运行 novel status 看怎么办）",
    ]


def test_of_several_faults_before_the_step_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book(tmp_path)
    faults = [errors.DependencyMissing(name=name) for name in ("一", "二")]
    monkeypatch.setattr(preflight, "problems", lambda _view: faults)
    assert lines(made)[1:] == ["先处理：写作助手缺少运行所需的组件 一。（运行 novel status 看怎么办）"]


def test_a_step_that_cannot_be_found(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.point(inflight_chapter=3, pipeline_stage=None)
    first, second = lines(made)
    assert first == "小说项目：第 1 卷，已入库到第 2 章。"
    assert second.startswith("先处理：进度文件里的两项对不上")


@pytest.mark.parametrize("building", [False, True])
def test_while_the_environment_is_being_built_it_is_said_so(
    tmp_path: Path, building: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_book: object) -> None:
        raise errors.DependencyMissing(name="yaml")

    made = book(tmp_path)
    monkeypatch.setattr(due_step, "view", missing)
    assert lines(made, building=building) == [
        "小说项目：第 1 卷，已入库到第 1 章。",
        session_start.BUILDING
        if building
        else "先处理：写作助手缺少运行所需的组件 yaml。（运行 novel status 看怎么办）",
    ]


def test_a_long_fault_is_one_line_of_two_hundred_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path)
    fault = errors.DependencyMissing(name="a\n  b" + "长" * 300)
    monkeypatch.setattr(
        preflight, "problems", lambda _view: [errors.Problems([fault, errors.DependencyMissing(name="二")])]
    )
    (line,) = lines(made)[1:]
    told = line[len("先处理：") : -len("（运行 novel status 看怎么办）")]
    assert told == ("写作助手缺少运行所需的组件 a b" + "长" * 300)[:200]


# a checkpoint that cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize("folder", [".novel", "staging"])
def test_progress_that_cannot_be_read(tmp_path: Path, folder: str) -> None:
    made = Book(tmp_path, 1)
    (tmp_path / folder).mkdir()
    made.write(layout.CHECKPOINT, '{"half"')
    first, second = lines(made)
    assert first == "这里是小说项目，但进度读不出来。"
    assert second.startswith("先处理：.checkpoint.json 第 1 行") and second.endswith(
        "（运行 novel status 看怎么办）"
    )


def test_a_file_of_that_name_of_another_program_is_none_of_our_affair(tmp_path: Path) -> None:
    (tmp_path / layout.CHECKPOINT).write_text('{"epoch": 3}')
    (tmp_path / ".novel").write_text("")
    assert session_start.respond({}, str(tmp_path), {}, False) == b""


# who hears it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "shown"),
    [("startup", True), ("resume", True), (None, True), ("clear", False), ("compact", False)],
)
def test_the_model_always_and_the_author_when_he_begins(
    tmp_path: Path, source: str | None, shown: bool
) -> None:
    found = answer(book(tmp_path), source)
    assert found["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    text = found["hookSpecificOutput"]["additionalContext"]
    assert text.count("\n") == 1 and found.get("systemMessage") == (text if shown else None)


# the host ------------------------------------------------------------------------------------------------


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def faults(made: Book, **environ: str) -> list[str]:
    """The lines on the host, with nothing in the environment but this."""
    found = session_start.respond({}, str(made.root), environ, False)
    return str(json.loads(found)["systemMessage"]).split("\n")[2:]


@pytest.mark.parametrize(
    ("agent", "version"),
    [
        ("claude-code_2-1-214_cli", None),
        ("claude-code_2-1-213_cli", "2.1.213"),
        ("claude-code_2-0-999", "2.0.999"),
        ("claude-code_1-9-300", "1.9.300"),
        ("claude-code_2-1-99-beta_cli", "2.1.99"),
        ("claude-code_3-0-0_cli", None),
        ("claude-code_10-0-0", None),
        ("x_claude-code_2-1-1_cli", "2.1.1"),
        ("claude-code_2-1", None),
        ("claude-code_2-1-x", None),
        ("claude-code_2-1-\u0661", None),
        ("claude-code_2-1-\u00b2", None),
        ("claude-code_", None),
        ("somebody-else_1-0-0", None),
    ],
)
def test_a_client_that_is_too_old(made: Book, agent: str, version: str | None) -> None:
    told = session_start.CLIENT_OLD.format(version=version)
    assert faults(made, AI_AGENT=agent) == ([] if version is None else [told])


@pytest.mark.parametrize("mark", ["AI_AGENT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"])
def test_a_client_so_old_that_it_does_not_say(made: Book, mark: str) -> None:
    told = session_start.CLIENT_OLD.format(version="说不出自己的版本")
    assert faults(made) == faults(made, **{mark: ""}) == [told]
    assert faults(made, **{mark: "1"}) == []


def test_another_program_named_novel_before_ours(made: Book, tmp_path: Path) -> None:
    def program(folder: str, content: bytes) -> str:
        place = tmp_path / folder / "novel"
        place.parent.mkdir()
        place.write_bytes(content)
        place.chmod(0o755)
        return str(place.parent)

    foreign, late = program("foreign", b"#!/bin/sh\n"), program("late", b"#" * (1 << 13) + b"novel_hooks")
    ours = program("ours", b"#" * ((1 << 13) - 11) + b"novel_hooks")
    for path, place in (
        (foreign, foreign),
        (late, late),
        (ours, None),
        (f"{ours}{os.pathsep}{foreign}", None),
        (f"{foreign}{os.pathsep}{ours}", foreign),
        (str(tmp_path), None),
    ):
        told = [] if place is None else [session_start.OTHER_NOVEL.format(place=f"{place}/novel")]
        assert faults(made, PATH=path, **CLIENT) == told
    old = session_start.CLIENT_OLD.format(version="1.0.0")
    both = faults(made, PATH=foreign, AI_AGENT="claude-code_1-0-0")
    assert both == [old, session_start.OTHER_NOVEL.format(place=f"{foreign}/novel")]


def test_a_program_that_cannot_be_read_is_no_fault(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "find_command", lambda name, _environ: f"/nowhere/{name}")
    assert faults(made, **CLIENT) == []


@pytest.fixture(autouse=True)
def no_codex_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs these tests, and in what."""
    monkeypatch.setattr(owner, "nearest_process", lambda: None)


@pytest.mark.parametrize(("host", "above"), [("codex", None), ("claude", "codex")])
def test_in_codex_the_lines_are_in_its_words_and_no_client_is_judged(
    tmp_path: Path, host: str, above: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So they are where the plugin itself was installed in Codex."""
    monkeypatch.setattr(owner, "nearest_process", lambda: above)
    made = book(tmp_path)
    event = {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(made.root)}
    told = session_start.respond(event, str(made.root), {}, False, host).decode("utf-8")
    assert "$novel-continue" in told and "/novel:" not in told and "Claude" not in told
    assert json.loads(told)["systemMessage"].count("。\n下一步：") == 1
