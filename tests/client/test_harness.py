"""The harness itself, with a plugin of three lines: what it shows of the real client is what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from client.harness import Host
from client.plugins import small_plugin
from client.scenario import Kill, Refuse, Reply, bash, do, say, spawn, write

if TYPE_CHECKING:
    from pathlib import Path

    from client.request import Request
    from client.scenario import Answer, Scenario

pytestmark = pytest.mark.client

HAND = "small:hand"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "项目 one"
    place.mkdir()
    return place


@pytest.fixture
def host(claude: Path, tmp_path: Path) -> Host:
    plugin = small_plugin(tmp_path / "small", {"hand": "你是一只手。"})
    return Host(claude, tmp_path / "host", plugin)


def test_the_default_mode_asks_and_nobody_answers(host: Host, project: Path) -> None:
    """Else the guard's `allow` would prove nothing."""
    scenario: Scenario = {
        "main": [do(spawn(HAND, "写 a")), say("完了")],
        HAND: [do(write(project / "a.txt")), say("没写成")],
    }
    done = host.run(project, "开始", scenario)
    assert (done.code, done.text) == (0, "完了")
    assert [(denied["tool_name"]) for denied in done.denials] == ["Write"]
    (outcome,) = done.outcomes(HAND)
    assert outcome.failed and "permission" in outcome.text
    assert not (project / "a.txt").exists()
    assert (done.agents["completed"], done.hooks) == (1, [])
    assert len(done.asked("main")) == len(done.asked(HAND)) == 2


@pytest.mark.exhaustive
def test_a_function_takes_its_values_from_what_was_printed(host: Host, project: Path) -> None:
    (project / "number.txt").write_text("41\n")

    def main(request: Request) -> Answer:
        if not request.outcomes:
            return do(bash("cat number.txt"))
        return say(f"{int(request.outcomes[-1].text) + 1}: {len(request.outcomes)}")

    assert host.run(project, "开始", main).text == "42: 1"


@pytest.mark.exhaustive
def test_an_agent_that_the_service_refuses(host: Host, project: Path) -> None:
    scenario: Scenario = {
        "main": [do(spawn(HAND, "写 a")), say("没成")],
        HAND: [Refuse(400, "out of ink")],
    }
    done = host.run(project, "开始", scenario)
    (outcome,) = done.outcomes("main")
    assert outcome.failed and "out of ink" in outcome.text
    assert done.agents["failed"] == 1


def test_a_session_that_dies_leaves_what_it_did(host: Host, project: Path) -> None:
    scenario: Scenario = {"main": [do(bash("touch a.txt")), Kill()]}
    done = host.run(project, "开始", scenario, ("--allowedTools", "Bash(touch *)"))
    assert (done.code, done.stdout, done.text) == (-9, "", "")
    assert (project / "a.txt").exists()


def test_what_is_not_foreseen_fails_the_test(host: Host, project: Path) -> None:
    with pytest.raises(AssertionError, match="main is asked a 2th time"):
        host.run(project, "开始", {"main": [do(bash("pwd"))]})
    done = host.run(project, "开始", {"main": [Reply("一", ())]}, tolerant=True)
    assert done.text == "一"
