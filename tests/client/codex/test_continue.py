"""`$novel-continue` in the real Codex: whole runs, by the scripts that Claude Code's tests use.

The main session does what the skill says (`front_desk`), the agents what their packets say (`crew`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import book

from client.codex.harness import MODEL
from client.crew import Crew, Job, broken, scores
from client.scenario import Kill

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from builders import Book

    from client.codex.harness import CodexHost, Result
    from client.crew import Twist
    from client.request import Request
    from client.scenario import Answer

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]  # a busy machine is not a fault

ONE = ["draft", "summarize", "refine", "judge"]


def go(
    host: CodexHost, novel: Book, words: str, judge: Any = None, twist: Twist | None = None, *options: str
) -> Result:
    scenario = Crew(novel.root, judge, twist, hasty=True).scenario()
    return host.run(novel.root, f"$novel-continue {words}", scenario, options, timeout=600)


def phases(done: Result) -> list[str]:
    """Of every agent that was started, in order, by the packet it was given."""
    return [one.task.split(".json", 1)[0].rsplit("-", 1)[-1] for one in done.begun]


def efforts(done: Result, phase: str) -> set[str]:
    """How hard the agents of a phase were asked to think, by what Codex put to the model."""
    return {
        body["reasoning"]["effort"]
        for body in done.bodies
        for item in body["input"]
        if item["type"] == "agent_message"
        if f"-{phase}.json" in str(item["content"]) and "NEW_TASK" in str(item["content"])
    }


def free(novel: Book) -> bool:
    """Nothing is left behind, not even a lock that nobody uses."""
    return not novel.at(".novel.lock").exists()


def test_chapters_in_one_go(host: CodexHost, tmp_path: Path) -> None:
    """One is revised and polished; the other has two judges, and a verdict that cannot be read."""
    novel = book(tmp_path, volume_size=3)
    novel.until("refined")
    novel.ok("lock", "release")
    host.connect(novel.root)
    verdicts = {2: scores(3.2, 3.7), 3: scores(4.5)}

    lost: list[str] = []

    def judge(job: Job) -> Any:
        if job.packet["chapter"] == 3 and not lost:
            lost.append(job.task)
            return broken(job)
        return verdicts[job.packet["chapter"]](job)

    done = go(host, novel, "再来两章", judge)
    assert not [item for item in done.items if item["type"] == "error"], "a hook's own words disturb nobody"
    assert novel.names("chapters") == [f"chapter-00{n}.md" for n in (1, 2, 3)]
    assert phases(done) == ["judge", "revise", *ONE[1:], "polish", *ONE, "judge", "judge"]
    lines = done.text.split("\n")
    assert lines[0].endswith("评分 3.7/5.0，门控 通过，修订 1 次 ✓")
    assert lines[1].endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓") and free(novel)
    stages = novel.json("logs/chapter-003-log.json")["stages"]
    assert {stage["model"] for stage in stages} == {MODEL}
    assert all(None not in stage.values() and stage["duration_ms"] > 0 for stage in stages)
    assert efforts(done, "revise") == {"high"} and "high" not in efforts(done, "draft")
    judges = novel.json("evaluations/chapter-003-eval.json")["metadata"]["judges"]
    assert [judges[who]["model"] for who in ("primary", "secondary")] == [MODEL, MODEL]


@pytest.mark.parametrize(
    ("ahead", "dying"),
    [("drafted", ("refine", "judge")), pytest.param(None, ONE, marks=pytest.mark.exhaustive)],
)
def test_killed_at_a_phase_and_taken_up_again_until_a_break_point(
    host: CodexHost, novel: Book, ahead: str | None, dying: Sequence[str]
) -> None:
    """A killed session is known dead at once: the next one goes on at the step that was lost.

    At the break point the turn has ended, and its lock stays for the break points alone: the skill answers.
    """
    if ahead:
        novel.until(ahead)
        novel.ok("lock", "release")
    host.connect(novel.root)
    for phase in dying:

        def dies(job: Job, _request: Request, phase: str = phase) -> Answer | None:
            return Kill() if job.phase == phase else None

        done = go(host, novel, "1 --step judge" if phase == "judge" else "", twist=dies)
        assert done.code == -9 and phases(done)[-1] == phase
        assert novel.ok("lock", "status")["kind"] == "stale"
    assert phases(done) == ONE[ONE.index(dying[-2]) :], "only the judge is followed by a break point"
    done = go(host, novel, "1 --step judge")
    asked = [line[2:] for line in done.text.split("\n") if line.startswith("- ")]
    assert phases(done) == ["judge"] and len(asked) > 1, done.text
    lock = novel.ok("lock", "status")
    assert (lock["kind"], lock["info"]["stop_after"]) == ("stale", ["judge"])
    done = go(host, novel, asked[0])
    assert phases(done) == [] and done.text.endswith("修订 0 次 ✓"), done.text
    assert novel.names("chapters")[-1] == "chapter-002.md" and free(novel)
