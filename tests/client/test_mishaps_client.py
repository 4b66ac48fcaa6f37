"""The writing skill by a real host: killed, refused, misused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import book, make_verdict
from conftest import CHECKOUT

from client.author import Author, first
from client.continued import ONE, ROUND, Run, clean, free, landed
from client.continued import refined as refined
from client.continued import run as run
from client.continued import user as user
from client.crew import WRITERS, Crew, Job, broken, refused, scores
from client.front_desk import ASKED, FOREIGN, front_desk
from client.harness import Host
from client.request import MAIN, Request, text_of
from client.scenario import Call, Kill, do, write
from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Collection

    from client.crew import Twist
    from client.result import Result
    from client.scenario import Answer, Scenario

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]  # a busy machine is not a fault


def killed(at: tuple[str, int]) -> Twist:
    """The session dies while the agent of a phase is at work: before he hands in, or with it handed in."""

    def twist(job: Job, _request: Request) -> Answer | None:
        return Kill() if (job.phase, min(job.outcomes, 1)) == at else None

    return twist


def after_agents(run: Run, scenario: Scenario, ends: Collection[int]) -> Scenario:
    """The session dies as soon as so many agents are done, counted over all sessions."""
    assert isinstance(scenario, dict)

    def main(request: Request) -> Answer:
        done = [one.tool == "Agent" for one in request.outcomes]
        return Kill() if done and done[-1] and len(run.worked) + sum(done) in ends else front_desk(request)

    return {**scenario, MAIN: main}


ROUGH = [*ONE, *ROUND, "polish"]


KILLS: list[tuple[list[str], Collection[int], list[tuple[str, int]], list[str]]] = [
    (ONE, (2,), [("draft", 1)], ["summarize", "refine"]),
    (
        ROUGH,
        range(1, len(ROUGH) + 1),
        [("draft", 1), *((phase, handed_in) for phase in ("summarize", "refine") for handed_in in (0, 1))],
        [*["summarize"] * 2, *["refine"] * 3],
    ),
]
"""Agents of chapter 2; killed behind these of them, and at work in 3; who works there after the writer."""


@pytest.mark.parametrize(
    ("work", "ends", "at_work", "then"), [KILLS[0], pytest.param(*KILLS[1], marks=pytest.mark.exhaustive)]
)
def test_killed_after_an_agent_and_while_one_works(
    run: Run, work: list[str], ends: Collection[int], at_work: list[tuple[str, int]], then: list[str]
) -> None:
    """Each agent works once, in however many sessions: a chapter; in the longer run revised and polished.

    In the next chapter they are killed at work: one is asked again until he is done, and what was handed in
    whole is not made again. A chapter taken up again counts as one.
    """
    judge = scores(3.2, 3.7) if work == ROUGH else None
    scenario = after_agents(run, Crew(run.book.root, judge).scenario(), ends)
    for number in ends:
        assert run.say("/novel:continue", scenario).code == -9
        assert run.worked == work[:number]
    done = run.go("2", twist=killed(("draft", 0)))
    assert done.code == -9 and run.worked == [*work, "draft"], "it goes on with the next chapter"
    assert {code for _, code in done.hooks} == {0} and not any(one.failed for one in done.outcomes(MAIN))
    assert landed(run) and [stage["name"] for stage in run.log(2)["stages"]] == work
    text = run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")
    assert ("第2稿" in text) == ("revise" in work), "revised once"
    for at in at_work:
        assert run.go("1", twist=killed(at)).code == -9
    done = run.go("1")
    assert clean(done)
    assert run.landed == [f"chapter-00{n}.md" for n in (1, 2, 3)], "the one taken up again counts as one"
    assert run.worked == [*work, *["draft"] * 2, *then, "judge"]


def gave_up(run: Run, done: Result) -> bool:
    """The agent was called twice in vain: the author is asked, nothing lands, nobody holds the book."""
    asked = "连续失败" in done.text and "再试一次" in done.text
    state = run.book.point()["orchestrator_state"]
    return asked and not landed(run) and free(run) and bool(state == "ERROR_RETRY")


@pytest.mark.exhaustive
def test_an_agent_that_always_fails_at_a_break_point_and_behind_it(run: Run) -> None:
    """What nobody did is not shown as done: "try again" starts the agent again."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    run.book.ok("config", "stop_after", "refine")
    done = run.go("1", twist=refused("refine", always=True))
    assert gave_up(run, done) and run.worked == ["refine"] * 2
    done = run.go("retry")
    assert run.worked == ["refine"] * 3 and "做好了" in done.text and "一字不差" not in done.text
    done = run.go("go-on", twist=refused("judge", always=True))
    assert gave_up(run, done) and run.worked == [*["refine"] * 3, "judge", "judge"]
    done = run.go("retry")
    assert clean(done) and landed(run) and run.worked == [*["refine"] * 3, *["judge"] * 3]


@pytest.mark.exhaustive
def test_killed_at_a_break_point(run: Run) -> None:
    """While the refiner works, before he has written: he is asked again."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    assert run.go("1 --step refine", twist=killed(("refine", 0))).code == -9
    done = run.go("1 --step refine")
    assert run.worked == ["refine"] * 2 and "做好了" in done.text and "一字不差" not in done.text


@pytest.mark.exhaustive
def test_a_judge_who_can_never_be_read(refined: Run) -> None:
    done = refined.go("1", broken)
    assert not landed(refined) and free(refined) and refined.worked == ["judge"] * 3
    assert "评审的意见没有记下" in done.text


def test_an_agent_that_reads_and_writes_where_it_may_not(run: Run) -> None:
    """The refiner reads outside the project: nobody allowed it, so the client asks, and no author says yes.

    Then it writes a landed chapter: it is stopped, and hands in as it should; nothing else has changed.
    """
    run.book.until("drafted")
    run.book.ok("lock", "release")
    secret = run.host.home / "secret.txt"
    secret.write_text("keep this", encoding="utf-8")
    astray = (Call("Read", {"file_path": str(secret)}), write("chapters/chapter-001.md"))

    def twist(job: Job, _request: Request) -> Answer | None:
        if job.phase != "refine" or job.outcomes > len(astray):
            return None
        return do(*Crew(run.book.root).outputs(job)) if job.outcomes else do(*astray)

    landed_before = run.book.at("chapters/chapter-001.md").read_bytes()
    done = run.go("1", None, twist)
    assert run.book.at("chapters/chapter-001.md").read_bytes() == landed_before
    denied = [line for line in run.book.lines("logs/audit.jsonl") if line["decision"] == "deny"]
    assert [(one["rule"], one["path"]) for one in denied] == [("outside-staging", "chapters/chapter-001.md")]
    (read,) = [one for one in done.outcomes(WRITERS[2]) if one.input.get("file_path") == str(secret)]
    assert read.failed and "keep this" not in read.text
    assert [one["tool_name"] for one in done.denials] == ["Read", "Write"] and landed(run)
    assert done.code == 0 and run.worked == ["refine", "judge"]


@pytest.mark.exhaustive
def test_a_text_changed_again_while_it_is_recorded_anew(run: Run) -> None:
    """Both answers are the author's, and neither needs his leave."""
    place = run.book.at("chapters/chapter-001.md")
    for line in ("水退了，桩还在。", "水又涨了。"):
        place.write_text(f"{place.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
        if line.startswith("水退"):
            run.book.ok("sync", "1")
    crew = Crew(run.book.root, lambda _job: make_verdict(4.5)).scenario()
    author = Author(["/novel:continue 1"], lambda question: str(question["options"][0]["label"]))
    done = run.host.talk(run.book.root, author, crew, timeout=600)
    assert len(author.questions) == 1 and author.refused == []
    assert clean(done) and landed(run) and done.text.startswith("第 1 章重新记录好了")


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_a_chapter_recorded_anew_and_the_next_one_with_a_warning_before_it(run: Run, whole: bool) -> None:
    """The one changed by hand comes first, and is none of those that were asked for.

    A setting was changed after the other was planned: told before it is begun, and once. The other is written
    to its end (`whole`), or its draft.
    """
    work = ONE if whole else ["draft"]
    run.book.ok("changed", "--note")
    run.book.at(layout.character_profile("qiao-jiu")).write_text(
        "# 换了出身\n\n塔上长大。\n", encoding="utf-8"
    )
    run.book.ok("changed", "--note")
    place = run.book.at("chapters/chapter-001.md")
    place.write_text(place.read_text(encoding="utf-8") + "\n水退了，桩还在。\n", encoding="utf-8")
    run.book.ok("sync", "1")
    if not whole:
        run.book.ok("config", "stop_after", "draft")
    done = run.go("1", lambda _job: make_verdict(4.5))
    assert clean(done)
    anew = run.worked[: -len(work)]
    assert anew and run.worked[-len(work) :] == work
    if whole:
        both_landed(run, done)
    else:
        assert "staging/chapters/chapter-002.md" in done.text
    said = [request for request in done.asked(MAIN) if "契约排在设定改动之前" in spoken(request)]
    called = [outcome for outcome in said[0].outcomes if outcome.tool == "Agent"]
    assert len(called) == len(anew), "before the chapter's first agent"
    assert spoken(said[-1]).count("契约排在设定改动之前") == 1


def both_landed(run: Run, done: Result) -> None:
    assert free(run) and run.landed == ["chapter-001.md", "chapter-002.md"]
    recorded, written = done.text.splitlines()
    assert recorded == "第 1 章重新记录好了" and written.startswith("第 2 章已生成（")
    assert written.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓")
    assert all(None not in stage.values() for stage in run.log(2)["stages"])


def spoken(request: Request) -> str:
    """What the main session has said to the author so far."""
    return "\n".join(text_of(content) for role, content in request.messages if role == "assistant")


def test_a_second_session_on_the_same_novel(refined: Run) -> None:
    """It is told who is at work, takes nothing, and the first one goes on."""
    second: list[Result] = []

    def twist(job: Job, _request: Request) -> Answer | None:
        if not second:
            second.append(refined.host.run(refined.book.root, "/novel:continue 1", front_desk_only))
        return None

    done = refined.go("1", twist=twist)
    assert clean(done) and landed(refined) and refined.worked == ["judge"]
    assert clean(second[0]) and "正在" in second[0].text


front_desk_only: Scenario = {MAIN: front_desk}


def latest(request: Request) -> Request:
    """Of a session with several commands: the conversation since the author's last one."""
    messages = request.body["messages"]
    begun = [number for number, one in enumerate(messages) if ASKED.search(text_of(one["content"]))]
    return Request({**request.body, "messages": messages[begun[-1] :]}, {})


def test_numbers_that_are_none(run: Run) -> None:
    """He says one after the other, in one session."""
    words = ("零", "-1", "0", "2.5", "accept")
    author = Author([f"/novel:continue {one}" for one in words], first)
    before = run.book.tree()
    done = run.host.talk(run.book.root, author, {MAIN: lambda request: front_desk(latest(request))})
    ends = [one for one in map(json.loads, done.stdout.splitlines()) if one["type"] == "result"]
    assert clean(done) and run.book.changed(before) == {} and done.begun == []
    assert (author.questions, author.refused) == ([], [])
    assert [(one["result"], one["permission_denials"]) for one in ends] == [
        ("写法：`/novel:continue 3`", []) for _ in words
    ]


def test_another_program_of_that_name(claude: Path, tmp_path: Path) -> None:
    """It comes first on PATH; the author is told, and nothing is done."""
    host = Host(claude, tmp_path / "host", Path(CHECKOUT))
    foreign = tmp_path / "bin" / "novel"
    foreign.parent.mkdir()
    foreign.write_text("#!/bin/sh\necho a text editor\n")
    foreign.chmod(0o755)
    host.env["PATH"] = f"{foreign.parent}:{host.env['PATH']}"
    run = Run(host, book(tmp_path))
    before = run.book.tree()
    done = run.go("1")
    assert done.text == FOREIGN and run.book.changed(before) == {}
