"""`/novel:continue` in the real client, with the installed plugin: whole runs, all that can happen in one.

The main session does what SKILL.md says (`front_desk`), the agents what their packets say (`crew`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import book, make_verdict

from client.continued import ONE, ROUND, Run, clean, free, landed
from client.continued import refined as refined
from client.continued import run as run
from client.continued import user as user
from client.crew import JUDGE, Crew, Job, broken, scores
from client.front_desk import ADVICE
from client.harness import Host
from client.request import Request
from client.scenario import Refuse, do, say, write
from novel_hooks import layout
from novel_hooks.rules.steps import offered_answers

if TYPE_CHECKING:
    from client.scenario import Answer

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]  # a busy machine is not a fault


ACCEPT = next(choice.label for choice in offered_answers.review_choices(2, None) if choice.key == "accept")


def test_chapters_in_one_go(refined: Run) -> None:
    """One is polished, one revised; each is judged by what was made of it."""
    chapters = {2: scores(3.7), 3: scores(3.2, 4.2)}
    done = refined.go("再来两章", lambda job: chapters[job.packet["chapter"]](job))
    assert clean(done)
    assert refined.landed == [f"chapter-00{n}.md" for n in (1, 2, 3)]
    assert refined.worked == ["judge", "polish", *ONE, *ROUND]
    two, three, summary = done.text.splitlines()
    assert two.endswith("评分 3.7/5.0，门控 通过，修订 0 次 ✓")
    assert three.endswith("评分 4.2/5.0，门控 通过，修订 1 次 ✓") and summary == "续写完成"
    models = {stage["name"]: stage["model"] for stage in refined.log(3)["stages"]}
    assert "opus" in models["revise"] and "sonnet" in models["draft"]


def test_a_night_stops_before_the_step_that_would_pass_the_budget(run: Run) -> None:
    """Nobody is asked; in the morning the last run stands on top, and the next one goes on."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    run.book.write(layout.CONFIG, "budget:\n  run_tokens: 1\n")
    done = run.go("20 --night")
    assert clean(done) and free(run)
    assert run.worked == ["refine"] and not landed(run)
    assert "最近一趟（" in done.text and "要写 20 章）：写成 0 章" in done.text
    assert "在等你：预算：这一趟已花" in done.text and ADVICE not in done.text
    run.book.write(layout.CONFIG, "budget:\n  run_tokens: 100000000\n")
    done = run.go("1 --night")
    assert clean(done) and landed(run) and free(run)
    assert run.worked == ["refine", "judge"] and "写成 1 章" in done.text


@pytest.mark.exhaustive
def test_two_rounds(refined: Run) -> None:
    done = refined.go("1", scores(3.2, 3.3, 4.1))
    assert clean(done) and landed(refined)
    assert refined.worked == ["judge", *ROUND, *ROUND]
    assert done.text.endswith("评分 4.1/5.0，门控 通过，修订 2 次 ✓")
    assert "第3稿" in refined.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")


LOST = {"op": "explode", "path": "items.lamp.state", "value": 1}


def careless(run: Run, job: Job) -> Answer:
    """The summarizer's four files, with a change that cannot be recorded."""
    places = {one["key"]: one["path"] for one in job.packet["outputs"]}
    delta = json.dumps(run.book.record("delta", ops=[LOST]), ensure_ascii=False)
    others = [call for call in Crew(run.book.root).outputs(job) if places["delta"] not in str(call)]
    return do(*others, write(places["delta"], delta))


def dropped(run: Run) -> list[Any]:
    """What the last landing could not record."""
    return [one["op"] for one in run.book.lines(layout.CHANGELOG)[-1]["dropped"]]


@pytest.mark.parametrize("revised", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_every_agent_fails_once_in_its_own_way(run: Run, revised: bool) -> None:
    """Each is asked once more, told why, and is better then.

    The summarizer forgets a file, the service refuses the refiner, the judge cannot be read. In a revision
    the reviser changes nothing, and the summarizer records what would be lost.
    """
    run.book.until("drafting")
    run.book.ok("lock", "release")
    told: dict[tuple[str, int], list[str]] = {}

    def twist(job: Job, _request: Request) -> Answer | None:
        key = (job.phase, job.version)
        if job.outcomes == 0:
            told.setdefault(key, []).append(job.task)
        if job.phase == "revise" and not job.again:
            return say("已改")
        if job.again or job.outcomes:
            return None
        ways: dict[tuple[str, int], Answer] = {("refine", 1): Refuse(400, "out of ink")}
        if job.phase == "summarize":
            ways["summarize", 1] = do(*Crew(run.book.root).outputs(job)[:-1])
            ways["summarize", 2] = careless(run, job)
        return ways.get(key)

    overall = (3.2, 4.5) if revised else (4.5,)

    def judge(job: Job) -> Any:
        return broken(job) if job.version == 1 and not job.again else scores(*overall)(job)

    done = run.go("1", judge, twist)
    assert clean(done) and landed(run)
    first, second = ["summarize", "refine", "judge"], ["revise", "summarize"]
    twice = [phase for phase in (first + second if revised else first) for _ in range(2)]
    assert run.worked == [*twice, *(["refine", "judge"] if revised else [])]
    assert "memory.md" in told["summarize", 1][-1], "he is told what is missing"
    if not revised:
        return
    lazy, lost = told["revise", 1], told["summarize", 2]
    assert "一个字也没有改" in lazy[-1] and len(lazy) == 2
    assert "「lamp」的state（explode）" in lost[-1] and dropped(run) == []


@pytest.fixture
def third_draft(run: Run) -> Run:
    """Two rounds are used up; the judge comes next."""
    run.book.until("drafted")
    run.book.draft(version=3)
    run.book.records()
    run.book.stage("drafted", revisions=2)
    run.book.advance("refine")
    run.book.ok("lock", "release")
    return run


@pytest.mark.exhaustive
def test_rounds_used_up_and_let_through(third_draft: Run) -> None:
    done = third_draft.go("1", scores(3.2))
    assert clean(done) and landed(third_draft)
    assert done.text.endswith("评分 3.2/5.0，门控 勉强放行，修订 2 次 △")


def test_rounds_used_up_and_a_rule_broken(third_draft: Run) -> None:
    """The author is asked; nothing lands, nobody holds the book."""
    done = third_draft.go("1", lambda _job: make_verdict(4.6, "l1"))
    assert clean(done) and not landed(third_draft) and free(third_draft)
    reason, score, fault, *_ = done.text.split("\n")
    assert (reason, score) == (
        "门控：评审确定本章违反了必须遵守的条目；已修订 2 次，不再自动修订",
        "得分 4.6",
    )
    assert fault == "违反世界规则「灯灭之后不得回头」：灯灭之后他回了头"
    assert "稿子：staging/chapters/chapter-002.md\n- 再修订一轮" in done.text


def test_two_judges_who_disagree(refined: Run) -> None:
    """The lower one counts, and he is of the better model."""
    refined.book.key_chapter()
    done = refined.go("1", lambda job: make_verdict(2.6 if job.secondary else 4.6))
    assert clean(done) and not landed(refined) and free(refined)
    assert refined.worked == ["judge", "judge"]
    assert ["opus" in one.model for one in done.requests if one.agent == JUDGE and not one.outcomes] == [
        False,
        True,
    ]
    accepted = refined.go(ACCEPT)
    assert clean(accepted) and landed(refined) and refined.worked == ["judge", "judge"]
    assert accepted.text.endswith("评分 2.6/5.0，门控 作者接受，修订 0 次 △")


@pytest.mark.exhaustive
def test_sent_back_with_a_note(refined: Run) -> None:
    refined.go("1", scores(2.6))
    heard: list[str] = []

    def twist(job: Job, _request: Request) -> Answer | None:
        heard.append(json.dumps(job.packet, ensure_ascii=False) if job.phase == "revise" else "")
        return None

    done = refined.go("再修订一轮 把桩数清楚", scores(2.6, 4.1), twist)
    assert clean(done) and landed(refined)
    assert "把桩数清楚" in "".join(heard)
    assert refined.worked == ["judge", *ROUND]


@pytest.mark.exhaustive
def test_written_anew_with_a_record_that_stays_lost(refined: Run) -> None:
    """The summarizer of the new draft is asked once more; what he leaves then is taken."""
    refined.go("1", scores(1.6))
    assert not landed(refined)
    told: list[str] = []

    def twist(job: Job, _request: Request) -> Answer | None:
        if job.phase != "summarize" or job.outcomes:
            return None
        told.append(job.task)
        return careless(refined, job)

    done = refined.go("rewrite", twist=twist)
    assert clean(done) and landed(refined)
    assert refined.worked == ["judge", "draft", "summarize", "summarize", "refine", "judge"]
    assert done.text.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓")
    assert "「lamp」的state（explode）" in told[-1] and dropped(refined) == [LOST]


@pytest.mark.exhaustive
def test_the_volumes_last_chapter(user: Host, tmp_path: Path) -> None:
    """The run ends with it, however many were asked for; six are more than is good."""
    run = Run(user, book(tmp_path, 5))
    run.book.until("refined")
    run.book.ok("lock", "release")
    done = run.go("六")
    assert clean(done) and landed(run, 6) and done.text.startswith(ADVICE)
    assert run.worked == ["judge", "judge"], "a key chapter"
    assert done.text.endswith("这一卷写完了")
    assert run.book.point()["orchestrator_state"] == "VOL_REVIEW" and free(run)
    before = run.book.tree()
    done = run.go("1")
    assert clean(done) and run.book.changed(before) == {}
    assert "第 1 卷已写完，该做卷末回顾" in done.text
