"""The notice hook: where we are, as a session begins, and what is silent."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from conftest import CHECKOUT
from e2e.noticed import EVENTS, hear, words
from e2e.noticed import made as made
from guarding import copy_plugin
from launching import bare_path, fake_command
from noticing import begins, returns, stops, tell

from novel_hooks import layout
from novel_hooks.rules.hosting import least_versions

SHELLS = {"dash": ("dash", "-c"), "bash": ("bash", "--posix", "-c"), "sh": ("sh", "-c")}


# --- nothing is out ---------------------------------------------------------------------------------


def test_a_judge_whom_nobody_waits_for(tmp_path: Path) -> None:
    made = book(tmp_path)
    before = made.tree()
    assert hear(stops(made.root, words())).silent
    assert hear(returns(made.root, words())).silent
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    before = made.tree()
    assert hear(stops(made.root, words())).silent
    assert hear(returns(made.root, words())).silent
    assert made.changed(before) == {}


@pytest.mark.parametrize("said", [None, ""])
def test_a_judge_who_said_nothing(made: Book, said: str | None) -> None:
    before = made.tree()
    assert hear(stops(made.root, said)).silent
    assert made.changed(before) == {}
    assert made.next()["recorded"] is False


# --- a session begins -------------------------------------------------------------------------------


def test_two_lines_of_where_we_are(made: Book) -> None:
    heard = hear(begins(made.root))
    assert heard.exit == 0 and heard.stderr == ""
    assert heard.model.splitlines() == [
        "小说项目：第 1 卷，已入库到第 1 章；第 2 章做到一半。",
        "下一步：第 2 章 · 评审；作者要写时用 /novel:continue。",
    ]
    assert heard.author == heard.model


def test_it_changes_nothing(made: Book) -> None:
    before = made.tree()
    for source in ("startup", "resume", "clear", "compact"):
        heard = hear(begins(made.root, source=source))
        assert heard.model and bool(heard.author) == (source in ("startup", "resume"))
    assert made.changed(before) == {}


def test_below_the_root_and_through_a_link(made: Book, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(made.root)
    for place in (made.at("chapters"), link):
        assert "已入库到第 1 章" in hear(begins(place)).model


def test_the_author_is_asked(made: Book) -> None:
    assert hear(stops(made.root, words(2.2))).silent
    made.advance("judge")
    assert (
        hear(begins(made.root)).model.splitlines()[1] == "下一步：等作者决定，运行 novel next 看有哪些选择。"
    )


def test_a_new_book(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(
        orchestrator_state="INIT",
        last_completed_chapter=0,
        current_volume=0,
        inflight_chapter=None,
        pipeline_stage=None,
    )
    first, second = hear(begins(made.root)).model.splitlines()
    assert first == "小说项目：还没有入库的章。"
    assert second.startswith(("下一步：", "先处理："))


def test_progress_that_cannot_be_read(made: Book) -> None:
    made.write(layout.CHECKPOINT, '{"half"')
    first, second = hear(begins(made.root)).model.splitlines()
    assert first == "这里是小说项目，但进度读不出来。"
    assert second.startswith("先处理：") and "novel status" in second


def test_a_file_of_that_name_of_another_program(tmp_path: Path) -> None:
    (tmp_path / layout.CHECKPOINT).write_text('{"epoch": 3}')
    assert hear(begins(tmp_path)).silent
    assert hear(stops(tmp_path, words())).silent
    assert hear(begins(tmp_path), NOVEL_PYTHON="/nowhere/python").silent
    assert os.listdir(tmp_path) == [layout.CHECKPOINT]


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("claude-code_2-1-332_cli", None),
        (f"claude-code_{'-'.join(map(str, least_versions.CLAUDE_CODE))}_cli", None),
        ("claude-code_2-1-213_cli", "2.1.213"),
        ("claude-code_2-0-999", "2.0.999"),
        ("claude-code_3-0-0_cli", None),
        ("somebody-else_1-0-0", None),
        ("claude-code_x-y-z_cli", None),
    ],
)
def test_a_client_that_is_too_old(made: Book, agent: str, told: str | None) -> None:
    lines = hear(begins(made.root), AI_AGENT=agent).model.splitlines()
    assert len(lines) == (2 if told is None else 3)
    assert told is None or (told in lines[2] and "claude update" in lines[2])


def test_a_client_so_old_that_it_does_not_say(made: Book) -> None:
    bare = {"AI_AGENT": None, "CLAUDE_CODE_SESSION_ID": None, "CLAUDE_PID": None}
    assert "太旧" in hear(begins(made.root), **bare).model
    assert "太旧" not in hear(begins(made.root), **{**bare, "CLAUDE_PID": "1"}).model


def test_another_program_named_novel(made: Book, tmp_path: Path) -> None:
    fake_command(tmp_path / "foreign", "novel", "echo no >ran")
    fake_command(tmp_path / "ours", "novel", "# from novel_hooks.cli.main import entry")
    for folder, lines in (("foreign", 3), ("ours", 2)):
        path = os.pathsep.join([str(tmp_path / folder), os.environ["PATH"]])
        found = hear(begins(made.root), PATH=path).model.splitlines()
        assert len(found) == lines
    path = os.pathsep.join([os.path.join(CHECKOUT, "bin"), str(tmp_path / "foreign"), os.environ["PATH"]])
    assert len(hear(begins(made.root), PATH=path).model.splitlines()) == 2, "ours is found first"
    assert not Path("ran").exists() and not made.at("ran").exists(), "it is looked at, never run"


# --- the interpreter --------------------------------------------------------------------------------


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    found = copy_plugin(tmp_path / "plugin")
    for data in ("schemas", "templates"):
        shutil.copytree(os.path.join(CHECKOUT, "novel_hooks", data), found / "novel_hooks" / data)
    (found / "scripts" / "build-venv.sh").write_text(
        'n=0\nuntil [ -e "$HOME/go" ] || [ $n -eq 300 ]; do /bin/sleep 0.1; n=$((n + 1)); done\n'
        'echo "$@" >"$HOME/built"\n'
    )
    return found


def test_the_interpreter_is_prepared_in_the_background(made: Book, plugin: Path, tmp_path: Path) -> None:
    fake_command(tmp_path / "good", "python3", f'exec "{sys.executable}" "$@"')
    path = bare_path(tmp_path, tmp_path / "good")
    built = Path(os.environ["HOME"], "built")
    begun = time.monotonic()
    heard = hear(begins(made.root), plugin=str(plugin), NOVEL_PYTHON=None, PATH=path)
    assert "已入库到第 1 章" in heard.model
    assert not built.exists(), "nobody waits for it"
    Path(os.environ["HOME"], "go").touch()
    while not built.exists() and time.monotonic() - begun < 60:
        time.sleep(0.05)
    assert "venv-" in built.read_text()


def test_elsewhere_and_by_other_hooks_nothing_is_built(made: Book, plugin: Path, tmp_path: Path) -> None:
    fake_command(tmp_path / "good", "python3", f'exec "{sys.executable}" "$@"')
    settings = {"plugin": str(plugin), "NOVEL_PYTHON": None, "PATH": bare_path(tmp_path, tmp_path / "good")}
    Path(os.environ["HOME"], "go").touch()
    assert hear(begins(tmp_path), cwd=tmp_path, **settings).silent
    hear(stops(made.root, words()), **settings)
    time.sleep(1.5)
    assert not Path(os.environ["HOME"], "built").exists()


# --- elsewhere, and broken --------------------------------------------------------------------------


def everything(place: Path | str) -> list[dict[str, Any]]:
    return [begins(place), stops(place, words()), returns(place, words())]


@pytest.mark.parametrize("shell", SHELLS)
def test_silent_where_no_novel_is(tmp_path: Path, shell: str) -> None:
    """No Python, no environment, not even PATH is needed to say nothing."""
    for event in everything(tmp_path):
        heard = tell(event, shell=SHELLS[shell], cwd=tmp_path, NOVEL_PYTHON="/nowhere/python")
        assert heard.silent
    assert os.listdir(tmp_path) == []


def test_silent_with_nothing_on_path(tmp_path: Path) -> None:
    for event in everything(tmp_path):
        assert tell(event, cwd=tmp_path, PATH="/nowhere", NOVEL_PYTHON=None, HOME=None).silent


def test_agents_of_others_in_a_novel_start_no_python(made: Book) -> None:
    """Their words may speak of ours."""
    text = '"novel:quality-judge" 和 "summarizer"'
    for event in (stops(made.root, text, "general-purpose"), returns(made.root, text, "Explore")):
        assert hear(event, NOVEL_PYTHON="/nowhere/python").silent


@pytest.mark.parametrize(
    "event", ["", "no json", '{"cwd":', "[]", "null", "\x00", '{"hook_event_name":"SessionStart"}']
)
def test_events_that_make_no_sense(made: Book, event: str) -> None:
    before = made.tree()
    for name in EVENTS:
        heard = tell(event, name, cwd=made.root, CLAUDE_PROJECT_DIR=None)
        assert heard.exit == 0 and heard.stderr == ""
    assert made.changed(before) == {}


@pytest.mark.parametrize(
    "part",
    [
        "novel_hooks/flows/pipeline/agent_report.py",
        "novel_hooks/hook/notice/dispatch.py",
        "scripts/find-python.sh",
    ],
)
def test_a_part_is_missing(made: Book, plugin: Path, part: str) -> None:
    (plugin / part).unlink()
    before = made.tree()
    heard = hear(stops(made.root, words()), plugin=str(plugin))
    assert (heard.exit, heard.stderr) == (0, "")
    assert heard.author.count("\n") == 0 and "novel status" in heard.author
    assert made.changed(before) == {}
    assert made.next()["recorded"] is False


def test_no_python(made: Book, plugin: Path, tmp_path: Path) -> None:
    path = bare_path(tmp_path)
    for event in everything(made.root):
        heard = hear(event, plugin=str(plugin), NOVEL_PYTHON=None, PATH=path)
        assert (heard.exit, heard.stderr, heard.model) == (0, "", "")
        assert "novel status" in heard.author
