"""The hooks that note what happens, in the real client: a verdict, what the work took, how a session begins.

The main session says plain commands, as the skill tells it to; it never sees a verdict's text to pass it on.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import make_verdict

from client.harness import Host
from client.plugins import plugin_copy, small_plugin
from client.scenario import Refuse, bash, do, say, spawn
from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Book

    from client.request import Outcome, Request
    from client.result import Result
    from client.scenario import Answer, Function, Reply, Scenario

pytestmark = pytest.mark.client

JUDGE = "novel:quality-judge"
STEP = "chapter:002:judge"
NOVEL = ("--allowedTools", "Bash(novel *)")
TASK = "任务包：staging/manifests/chapter-002-judge.json\n先读它，照它做。"
HAND_OUT = bash(f"novel instructions {STEP} --write-manifest --json")
NEXT = bash("novel next --json")


@pytest.fixture
def refined(novel: Book) -> Book:
    """Chapter 2 waits for its judge; nobody holds it."""
    novel.until("refined")
    novel.ok("lock", "release")
    return novel


def words(overall: float = 4.4) -> str:
    return f"读完了。\n\n```json\n{json.dumps(make_verdict(overall), ensure_ascii=False)}\n```\n\n"


def judged(*more: Reply, model: str = "sonnet", background: bool | None = False) -> list[Answer]:
    """The main session: a packet, a judge on it, and what comes next."""
    call = spawn(JUDGE, TASK, background=background, model=model)
    return [do(HAND_OUT), do(call), do(NEXT), *more, say("完了")]


def printed(outcome: Outcome) -> dict[str, Any]:
    """`data` of what a command printed."""
    found: dict[str, Any] = json.loads(outcome.text)["data"]
    return found


def nexts(done: Result) -> list[dict[str, Any]]:
    return [
        printed(one) for one in done.outcomes("main") if one.input.get("command") == NEXT.input["command"]
    ]


def stages(book: Book) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = book.json(layout.work_log(2))["stages"]
    return found


def test_a_verdict_is_recorded_by_the_hook(host: Host, refined: Book) -> None:
    scenario: Scenario = {
        "main": judged(do(bash(f"novel advance {STEP} --json"))),
        JUDGE: [do(bash("true")), say(words(4.4))],
    }
    done = host.run(refined.root, "开始", scenario, NOVEL)
    assert done.denials == [] and done.text == "完了"
    assert done.hooks.count(("SubagentStop", 0)) == done.hooks.count(("PostToolUse:Agent", 0)) == 1
    (due,) = nexts(done)
    assert (due["step"], due["recorded"], due["role"]) == (STEP, True, None)
    assert printed(done.outcomes("main")[-1])["gate"]["overall_final"] == 4.4
    kept = refined.at(layout.raw_verdict(2, 0, "primary", 1)).read_text(encoding="utf-8")
    assert kept == words(4.4).rstrip(), "as it came, but for what the client trims at its end"
    assert refined.names(".novel/judge") == ["chapter-002-r0-primary-1.txt"], "both hooks, once"


def test_what_the_work_took_is_real(host: Host, refined: Book) -> None:
    scenario: Scenario = {"main": judged(), JUDGE: [do(bash("true")), do(bash("true")), say(words())]}
    done = host.run(refined.root, "开始", scenario, NOVEL)
    (judge,) = [stage for stage in stages(refined) if stage["name"] == "judge"]
    asked = done.asked(JUDGE)
    assert len(asked) == 3
    assert judge["model"] == asked[0].model
    assert judge["input_tokens"] > 2.5 * len(json.dumps(asked[0].body, ensure_ascii=False)) // 4, "all turns"
    assert judge["output_tokens"] > 0 and 0 < judge["duration_ms"] < 30000


@pytest.mark.exhaustive
def test_broken_words_once(host: Host, refined: Book) -> None:
    """The first judge's cannot be read: the front desk is told, and the second one's are taken."""
    broken = words()[:-30]

    def main(request: Request) -> Answer:
        plan = [HAND_OUT, spawn(JUDGE, TASK), NEXT, None, HAND_OUT, spawn(JUDGE, TASK + "\n上次不合格"), NEXT]
        if request.turn == 3:
            assert "评审的意见没有记下" in request.system + json.dumps(request.body, ensure_ascii=False)
            return do(bash(f"novel fail {STEP} --reason '评审的意见没有记下' --json"))
        call = plan[request.turn] if request.turn < len(plan) else None
        return do(call) if call else say("完了")

    def judge(request: Request) -> Answer:
        return say(words(4.0) if "上次不合格" in request.task else broken)

    done = host.run(refined.root, "开始", {"main": main, JUDGE: judge}, NOVEL)
    first, second = nexts(done)
    assert (first["recorded"], first["role"], second["recorded"]) == (False, "primary", True)
    assert refined.names(".novel/judge") == ["chapter-002-r0-primary-1.txt", "chapter-002-r0-primary-2.txt"]
    assert refined.at(layout.raw_verdict(2, 0, "primary", 1)).read_text("utf-8") == broken.rstrip()
    (entry,) = [stage for stage in stages(refined) if stage["name"] == "judge"]
    assert entry["output_tokens"] > len(broken) // 4, "the first try cost something too"


@pytest.mark.exhaustive
def test_two_judges(host: Host, refined: Book) -> None:
    refined.key_chapter()

    def judge(request: Request) -> Answer:
        return say(words(3.2) if "opus" in request.model else words(4.6))

    again = [do(HAND_OUT), do(spawn(JUDGE, TASK, background=False, model="opus")), do(NEXT)]
    main = [do(HAND_OUT), do(spawn(JUDGE, TASK, model="sonnet")), do(NEXT), *again, say("完了")]
    done = host.run(refined.root, "开始", {"main": main, JUDGE: judge}, NOVEL)
    first, second = nexts(done)
    assert (first["recorded"], first["role"], first["model"]) == (False, "secondary", "opus")
    assert (second["recorded"], second["role"]) == (True, None)
    judges = refined.json(refined.staged("evaluation"))["metadata"]["judges"]
    assert (judges["primary"]["overall"], judges["secondary"]["overall"]) == (4.6, 3.2)
    models = [stage["model"] for stage in stages(refined) if stage["name"] == "judge"]
    assert len(models) == 2 and "sonnet" in models[0] and "opus" in models[1]


@pytest.mark.parametrize("gone", ["SubagentStop", "PostToolUse"])
def test_one_hook_is_enough(claude: Path, tmp_path: Path, refined: Book, gone: str) -> None:
    plugin = plugin_copy(tmp_path / "plugin")
    place = plugin / "hooks" / "hooks.json"
    document = json.loads(place.read_text(encoding="utf-8"))
    del document["hooks"][gone]
    place.write_text(json.dumps(document), encoding="utf-8")
    done = Host(claude, tmp_path / "host", plugin).run(
        refined.root, "开始", {"main": judged(), JUDGE: [say(words())]}, NOVEL
    )
    assert nexts(done)[0]["recorded"] is True
    assert len(refined.names(".novel/judge")) == 1


@pytest.mark.exhaustive
def test_without_hooks_the_step_stays_with_the_judge(claude: Path, tmp_path: Path, refined: Book) -> None:
    plugin = plugin_copy(tmp_path / "plugin")
    (plugin / "hooks" / "hooks.json").write_text('{"hooks": {}}')
    done = Host(claude, tmp_path / "host", plugin).run(
        refined.root, "开始", {"main": judged(), JUDGE: [say(words())]}, NOVEL
    )
    (due,) = nexts(done)
    assert (due["step"], due["recorded"], due["role"]) == (STEP, False, "primary")


@pytest.mark.exhaustive
def test_a_judge_whom_the_service_refused(host: Host, refined: Book) -> None:
    done = host.run(refined.root, "开始", {"main": judged(), JUDGE: [Refuse(400, "out of ink")]}, NOVEL)
    assert nexts(done)[0]["recorded"] is False


def test_a_session_begins(host: Host, refined: Book) -> None:
    done = host.run(refined.root, "在吗", {"main": [say("在")]})
    told = json.dumps(done.asked("main")[0].body, ensure_ascii=False)
    assert "已入库到第 1 章；第 2 章做到一半" in told
    assert "下一步：第 2 章 · 评审" in told
    assert "太旧" not in told and "另有一个" not in told
    assert done.hooks == [("SessionStart:startup", 0)]


def test_the_interpreter_is_prepared_beside_the_session(claude: Path, tmp_path: Path, refined: Book) -> None:
    """It goes on after the session has ended: only then is it let go on, or after 45 seconds."""
    plugin = plugin_copy(tmp_path / "plugin")
    waits = 'n=0\nwhile [ ! -e "$HOME/ended" ] && [ $n -lt 450 ]; do sleep 0.1; n=$((n + 1)); done\n'
    (plugin / "scripts" / "build-venv.sh").write_text(f'{waits}echo "$2" >"$HOME/built"\n')
    host = Host(claude, tmp_path / "host", plugin)
    del host.env["NOVEL_PYTHON"]
    host.run(refined.root, "在吗", {"main": [say("在")]})
    built = host.home / "built"
    assert not built.exists(), "nobody waited for it"
    (host.home / "ended").touch()
    begun = time.monotonic()
    while not built.exists() and time.monotonic() - begun < 20:
        time.sleep(0.1)
    assert "venv-" in built.read_text()


def test_a_folder_that_is_no_novel_hears_nothing(host: Host, tmp_path: Path) -> None:
    """Nor is an agent of the same name there listened to."""
    project = tmp_path / "别的"
    project.mkdir()
    host.plugins.append(small_plugin(tmp_path / "small", {"quality-judge": "你属于别的插件。"}))
    agents: list[str] = [JUDGE, "small:quality-judge"]
    script: Function | list[Answer] = [say(words())]
    scenario: Scenario = {
        "main": [*(do(spawn(agent, "评")) for agent in agents), say("完了")],
        **dict.fromkeys(agents, script),
    }
    done = host.run(project, "开始", scenario)
    assert list(project.iterdir()) == []
    assert {code for _, code in done.hooks} == {0}
    told = json.dumps([request.body for request in done.requests], ensure_ascii=False)
    assert "小说项目：" not in told and "评审的意见" not in told


@pytest.mark.exhaustive
def test_python_taken_away(claude: Path, tmp_path: Path, refined: Book) -> None:
    """Nothing stops; the step stays with the judge."""
    host = Host(claude, tmp_path / "host", plugin_copy(tmp_path / "plugin"))
    host.without_python()
    before = refined.tree()
    scenario: Scenario = {"main": [do(spawn(JUDGE, TASK)), say("完了")], JUDGE: [say(words())]}
    done = host.run(refined.root, "开始", scenario)
    assert (done.code, done.text) == (0, "完了")
    assert {code for _, code in done.hooks} == {0}
    assert refined.changed(before) == {}
    assert refined.next()["recorded"] is False
