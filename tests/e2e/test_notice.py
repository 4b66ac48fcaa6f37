"""What the client tells us of, through the very commands in hooks.json, as real processes."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builders import HIGH, OTHER, OWNER, Book, book, make_verdict, process
from conftest import CHECKOUT
from guarding import copy_plugin
from launching import bare_path, fake_command
from noticing import AGENT, JUDGE, HookOutcome, begins, hook_entry, returns, stops, tell, transcript

from novel_hooks import layout, roles
from novel_hooks.hook.notice.session_start import LEAST_CLIENT

EVENTS = ("SessionStart", "SubagentStop", "PostToolUse")
STEP = "chapter:002:judge"
SHELLS = {"dash": ("dash", "-c"), "bash": ("bash", "--posix", "-c"), "sh": ("sh", "-c")}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 2 refined; its judge has been handed his packet."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    found = book(place)
    found.until("refined")
    found.ok("instructions", STEP, "--write-manifest")
    return found


def words(overall: float = 4.5, **more: Any) -> str:
    """As judges speak: something before, a fence around."""
    text = json.dumps(make_verdict(overall, **more), ensure_ascii=False, indent=1)
    return f"我读完了。\n\n```json\n{text}\n```"


def hear(event: dict[str, Any], **environ: str | None) -> HookOutcome:
    return tell(event, **{"NOVEL_OWNER": OWNER, **environ})


def stages(made: Book) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made.json(layout.work_log(made.chapter))["stages"]
    return found


def judged(made: Book) -> dict[str, Any]:
    found: dict[str, Any] = made.json(made.staged("evaluation"))["metadata"]["judges"]
    return found


# --- hooks.json -------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS)
def test_the_command_is_one_quoted_program_that_never_blocks(event: str) -> None:
    found = hook_entry(event)
    assert re.fullmatch(
        r'"\$\{CLAUDE_PLUGIN_ROOT\}/hooks/notice" (session-start|agent-done)', found["command"]
    )
    assert "onFailure" not in found
    assert 10 <= found["timeout"] <= 60
    assert os.access(os.path.join(CHECKOUT, "hooks", "notice"), os.X_OK)


def test_whom_the_client_asks_about() -> None:
    judge, call = (re.compile(hook_entry(event)["matcher"]) for event in EVENTS[1:])
    assert [
        bool(judge.search(name)) for name in (JUDGE, "quality-judge", "novel:summarizer", "x:quality-judge")
    ] == [*(True, True, False, False)]
    assert [bool(call.search(name)) for name in ("Agent", "Task", "TaskStop", "AgentX", "Write")] == [
        *(True, True, False, False, False)
    ]


def test_the_shell_knows_every_agent() -> None:
    source = Path(CHECKOUT, "hooks", "notice").read_text(encoding="utf-8")
    assert set(re.findall(r'\*\[:\\"\]([a-z-]+)\\"\*', source)) == set(roles.ROLES)


def test_what_a_planner_costs_is_counted(tmp_path: Path) -> None:
    made = book(tmp_path, 3, 6)
    made.ok("lock", "acquire", "--run", "1")
    made.ok("replan", "--yes")
    made.ok("instructions", "volume:01:outline", "--write-manifest")
    assert hear(returns(made.root, "写好了。", "novel:plot-architect")).silent
    assert [run["id"] for run in made.json(layout.HANDOUT)["runs"]] == [AGENT]
    made.write(layout.CONFIG, "budget:\n  run_tokens: 1\n")
    assert made.ok("report")["night"]["spent"]["tokens"]


# --- a judge's words --------------------------------------------------------------------------------


@pytest.mark.parametrize("told", ["stops", "returns"])
@pytest.mark.parametrize("agent", [JUDGE, "quality-judge"])
def test_a_verdict_is_taken_as_it_came(made: Book, told: str, agent: str) -> None:
    said = words(4.3)
    assert hear((stops if told == "stops" else returns)(made.root, said, agent)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["role"]) == (STEP, True, None)
    assert judged(made)["primary"]["overall"] == 4.3
    assert judged(made)["primary"]["model"] == "sonnet", "the one that the packet asked for"
    kept = made.at(layout.raw_verdict(2, 0, "primary", 1)).read_text(encoding="utf-8")
    assert kept == said
    assert made.advance("judge")["gate"]["decision"] == "pass"


def test_it_is_what_judge_record_makes_of_the_same_words(made: Book, tmp_path: Path) -> None:
    said = words(3.7, violation="l2")
    place = tmp_path / "words.txt"
    place.write_text(said, encoding="utf-8")
    assert hear(stops(made.root, said)).silent
    by_hook = made.at(made.staged("evaluation")).read_bytes()
    made.drop(made.staged("evaluation"))
    made.ok("judge", "record", "--role", "primary", "--model", "sonnet", "--file", str(place))
    assert made.at(made.staged("evaluation")).read_bytes() == by_hook
    assert HIGH["detail"].encode() in by_hook


def test_both_hooks_record_once(made: Book) -> None:
    said = words()
    assert hear(stops(made.root, said)).silent
    before = made.tree()
    assert hear(returns(made.root, said)).silent
    changed = set(made.changed(before))
    assert changed == {layout.HANDOUT, layout.work_log(2)}, "who worked how long, and nothing else"
    again = made.tree()
    assert hear(returns(made.root, said)).silent and hear(stops(made.root, said)).silent
    assert made.changed(again) == {}
    assert [stage["name"] for stage in stages(made)].count("judge") == 1


def test_which_of_two_judges_follows_from_the_step_that_is_out(made: Book) -> None:
    made.key_chapter()
    first, second = words(4.4), words(3.1)
    assert hear(stops(made.root, first)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["role"], due["model"]) == (STEP, False, "secondary", "opus")
    assert hear(returns(made.root, first)).silent
    assert set(judged(made)) & {"primary", "secondary"} == {"primary"}, (
        "the first one, told again, is no second"
    )
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, second, agent_id="b2")).silent
    assert hear(returns(made.root, second, answer={"agentId": "b2", "resolvedModel": "claude-opus-5"})).silent
    assert made.next()["recorded"] is True
    assert (judged(made)["primary"]["overall"], judged(made)["secondary"]["overall"]) == (4.4, 3.1)
    assert [s["model"] for s in stages(made)][-2:] == ["claude-sonnet-5", "claude-opus-5"]


def test_a_judge_who_began_before_the_step_was_out_is_not_heard(made: Book, tmp_path: Path) -> None:
    early = transcript(tmp_path / "agent.jsonl", [(1, 1)], began="2001-01-01T00:00:00.000Z")
    before = made.tree()
    assert hear(stops(made.root, words(), agent_transcript_path=str(early))).silent
    session = tmp_path / "s.jsonl"
    transcript(
        session.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl", [(1, 1)], "2001-01-01T00:00:00Z"
    )
    assert hear(returns(made.root, words(), transcript_path=str(session))).silent
    assert made.changed(before) == {}
    late = transcript(tmp_path / "late.jsonl", [(1, 1)])
    assert hear(stops(made.root, words(), agent_transcript_path=str(late))).silent
    assert made.next()["recorded"] is True


@pytest.mark.parametrize(
    "said", ['{"overall": 4.2', "我看挺好。", words(9.0), words().replace('"l1_checks"', '"l1"')]
)
def test_words_that_cannot_be_read_leave_the_step_with_the_judge(made: Book, said: str) -> None:
    heard = hear(stops(made.root, said))
    assert heard.exit == 0 and heard.stderr == "" and heard.model == ""
    assert heard.author.startswith("评审的意见没有记下。") and heard.author.count("\n") == 0
    before = made.tree()
    told = hear(returns(made.root, said))
    assert told.author == "" and told.model == heard.author, "the front desk hears it once, after the call"
    assert set(made.changed(before)) == {layout.HANDOUT}, "kept once"
    due = made.next()
    assert (due["step"], due["recorded"], due["role"], due["agent"]) == (
        STEP,
        False,
        "primary",
        "quality-judge",
    )
    assert made.at(layout.raw_verdict(2, 0, "primary", 1)).read_text(encoding="utf-8") == said
    assert not made.at(made.staged("evaluation")).exists()
    assert made.ok("fail", STEP, "--reason", told.model)["answer"] == "retry"
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, words(4.1), agent_id="b2")).silent
    assert made.next()["recorded"] is True


def test_lone_surrogates_are_refused_and_no_bug(made: Book) -> None:
    event = json.dumps(stops(made.root, "\ud800" + words()), ensure_ascii=True)
    heard = tell(event, cwd=made.root, NOVEL_OWNER=OWNER)
    assert heard.exit == 0 and heard.author.startswith("评审的意见没有记下。")
    assert made.next()["recorded"] is False


def test_a_text_that_changed_meanwhile(made: Book) -> None:
    made.draft(version=9)
    heard = hear(stops(made.root, words()))
    assert heard.author.startswith("评审的意见没有记下。")
    assert made.next()["recorded"] is False


def test_a_session_that_does_not_hold_the_chapter(made: Book) -> None:
    before = made.tree()
    heard = hear(stops(made.root, words()), NOVEL_OWNER=OTHER)
    assert heard.exit == 0 and "正在写" in heard.author
    assert made.changed(before) == {}


def test_another_command_is_waited_for(made: Book) -> None:
    place = made.at(layout.OS_LOCK)
    ready, done = os.pipe()
    child = os.fork()
    if child == 0:
        with open(place, "r+b") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            os.write(done, b".")
            time.sleep(1)
        os._exit(0)
    os.read(ready, 1)
    assert hear(stops(made.root, words())).silent
    os.waitpid(child, 0)
    assert made.next()["recorded"] is True


def test_the_owner_is_the_session_of_the_event(made: Book) -> None:
    made.ok("lock", "release")
    env = {"NOVEL_OWNER": "", "CLAUDE_CODE_SESSION_ID": "session-one"}
    assert process("lock", "acquire", cwd=made.root, env=env).returncode == 0
    assert tell(stops(made.root, words()), NOVEL_OWNER=None).silent
    assert made.next()["recorded"] is True


def test_at_a_break_point_after_the_judge(made: Book) -> None:
    """The author looks at a verdict, and has the chapter judged again: by the same words, if they are."""
    made.write("novel.yaml", "stop_after: [judge]\n")
    said = words(3.8)
    assert hear(stops(made.root, said)).silent
    assert hear(returns(made.root, said)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["stop"]) == (STEP, True, True)
    assert hear(begins(made.root)).model.splitlines()[1].startswith("下一步：等作者决定")
    made.ok("decide", "2", "again")
    assert made.next()["recorded"] is False
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, said, agent_id="b2")).silent
    assert hear(returns(made.root, said, answer={"agentId": "b2"})).silent
    assert made.next()["recorded"] is True
    assert [stage["name"] for stage in stages(made)].count("judge") == 2


def test_a_landed_chapter_recorded_anew(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.write(layout.chapter(2), made.at(layout.chapter(2)).read_text(encoding="utf-8") + "\n又一句。\n")
    made.ok("sync", "2", "--yes")
    made.chapter = 2
    made.records(base_state_version=1)
    made.ok("advance", "sync:002:summarize")
    made.ok("instructions", "sync:002:judge", "--write-manifest")
    assert hear(stops(made.root, words())).silent
    assert made.next()["step"] == "sync:002:judge" and made.next()["recorded"] is True


# --- what the work took -----------------------------------------------------------------------------


def test_an_agents_work_is_in_the_chapters_log(made: Book, tmp_path: Path) -> None:
    session = tmp_path / "sessions" / "one.jsonl"
    transcript(session.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl", [(100, 20), (300, 40)])
    event = returns(made.root, words(), transcript_path=str(session))
    assert hear(event).silent
    last = stages(made)[-1]
    assert last == {
        "name": "judge",
        "model": "claude-sonnet-5",
        "duration_ms": 1200,
        "input_tokens": 400,
        "output_tokens": 60,
        "cache_read_input_tokens": 14,
    }
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    log = made.json(layout.chapter_log(2))
    assert log["stages"][-1] == last
    assert log["total_duration_ms"] >= 1200


def test_without_a_transcript_the_clients_own_count(made: Book) -> None:
    assert hear(returns(made.root, words())).silent
    last = stages(made)[-1]
    assert (last["input_tokens"], last["output_tokens"], last["duration_ms"]) == (5000, 500, 1200)


def test_a_writers_work_and_the_time_of_a_failed_try(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    for name in ("one", "two"):
        event = returns(made.root, "写好了", "novel:chapter-writer", {"agentId": name})
        assert hear(event).silent
    made.draft()
    made.advance("draft")
    (draft,) = stages(made)
    assert (draft["name"], draft["model"], draft["duration_ms"]) == ("draft", "claude-sonnet-5", 2400)
    assert (draft["input_tokens"], draft["output_tokens"]) == (10000, 1000)


@pytest.mark.parametrize(
    "answer",
    [
        {"agentId": "x", "isAsync": True, "content": None, "status": "async_launched"},
        {"agentId": None},
        {"content": None},
    ],
)
def test_a_call_that_has_not_come_back(made: Book, answer: dict[str, Any]) -> None:
    before = made.tree()
    assert hear(returns(made.root, words(), answer=answer)).silent
    assert made.changed(before) == {}


@pytest.mark.parametrize("odd", [True, -1, "many", 1e300, None, [1]])
def test_odd_amounts_are_not_known(made: Book, odd: Any) -> None:
    usage = {"input_tokens": odd, "output_tokens": 5}
    event = returns(made.root, words(), answer={"usage": usage, "totalDurationMs": odd, "resolvedModel": odd})
    assert hear(event).silent
    last = stages(made)[-1]
    assert (last["input_tokens"], last["output_tokens"], last["model"]) == (
        None,
        5,
        "sonnet" if odd != "many" else odd,
    )


def test_an_agent_of_another_trade_is_not_counted(made: Book) -> None:
    before = made.tree()
    for agent in ("novel:chapter-writer", "other:quality-judge", "general-purpose"):
        assert hear(returns(made.root, words(), agent)).silent
        assert hear(stops(made.root, words(), agent)).silent
    assert made.changed(before) == {}


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
        (f"claude-code_{'-'.join(map(str, LEAST_CLIENT))}_cli", None),
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
