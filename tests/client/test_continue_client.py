"""`/novel:continue` in the real client, with the installed plugin: whole runs, all that can happen in one.

The main session does what SKILL.md says (`front_desk`), the agents what their packets say (`crew`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, make_verdict
from conftest import CHECKOUT
from planbook import staged_book

from client.author import Author, first
from client.crew import JUDGE, Crew, Job, broken, refused, scores
from client.front_desk import ADVICE, ASKED, FOREIGN, OWN, front_desk
from client.harness import Host
from client.plugins import plugin_copy
from client.request import MAIN, Request, text_of
from client.scenario import Call, Kill, Refuse, do, say, write
from novel_hooks import layout
from novel_hooks.rules.steps import break_points, next_step

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from client.crew import Judge, Twist
    from client.result import Result
    from client.scenario import Answer, Scenario

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]  # a busy machine is not a fault

ONE = ["draft", "summarize", "refine", "judge"]
ACCEPT = next(choice.label for choice in next_step.review_choices(2, None) if choice.key == "accept")
ROUND = ["revise", "summarize", "refine", "judge"]


@pytest.fixture(scope="module")
def user(claude: Path, tmp_path_factory: pytest.TempPathFactory) -> Host:
    """He has installed the plugin from its repository; what runs is the client's own copy."""
    place = tmp_path_factory.mktemp("user")
    host = Host(claude, place / "host")
    host.install_from_git(plugin_copy(place / "小说 插件"))
    return host


class Run:
    """The sessions on one book."""

    def __init__(self, host: Host, book: Book) -> None:
        self.host = host
        self.book = book
        self.started: list[str] = []

    def say(self, prompt: str, scenario: Scenario, *options: str) -> Result:
        done = self.host.run(self.book.root, prompt, scenario, options, timeout=600)
        self.started += [phase_of(one) for one in done.begun]
        return done

    def go(self, words: str = "1", judge: Judge | None = None, twist: Twist | None = None) -> Result:
        return self.say(f"/novel:continue {words}", Crew(self.book.root, judge, twist).scenario())

    @property
    def worked(self) -> list[str]:
        """The phases of every agent that was started, in order."""
        return self.started

    @property
    def landed(self) -> list[str]:
        return self.book.names("chapters")

    def log(self, chapter: int) -> dict[str, Any]:
        found: dict[str, Any] = self.book.json(f"logs/chapter-{chapter:03d}-log.json")
        return found


def phase_of(request: Request) -> str:
    """Of an agent's packet, by the path it was given."""
    return request.task.split(".json", 1)[0].rsplit("-", 1)[-1]


@pytest.fixture
def run(user: Host, novel: Book) -> Run:
    """One chapter landed, the volume goes to 6."""
    return Run(user, novel)


def clean(done: Result) -> bool:
    """Nobody was asked for a permission, nothing was denied, no hook failed."""
    return done.denials == [] and {code for _, code in done.hooks} == {0} and done.code == 0


@pytest.fixture
def refined(run: Run) -> Run:
    """Chapter 2 waits for its judge."""
    run.book.until("refined")
    run.book.ok("lock", "release")
    return run


def landed(run: Run, chapter: int = 2) -> bool:
    return f"chapter-{chapter:03d}.md" in run.landed


def free(run: Run) -> bool:
    return bool(run.book.ok("lock", "status")["kind"] == "free")


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


def test_every_agent_fails_once_in_its_own_way(run: Run) -> None:
    """Each is asked once more, told why, and is better then: a chapter with one revision.

    The summarizer forgets a file, and in the revision records what would be lost; the service refuses the
    refiner; the judge cannot be read; the reviser changes nothing.
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

    def judge(job: Job) -> Any:
        return broken(job) if job.version == 1 and not job.again else scores(3.2, 4.5)(job)

    done = run.go("1", judge, twist)
    assert clean(done) and landed(run)
    twice = [phase for phase in ("summarize", "refine", "judge", "revise", "summarize") for _ in range(2)]
    assert run.worked == [*twice, "refine", "judge"]
    forgot, lazy, lost = told["summarize", 1], told["revise", 1], told["summarize", 2]
    assert "memory.md" in forgot[-1], "he is told what is missing"
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


def test_a_planners_question_is_left_to_the_other_skill(user: Host, tmp_path: Path) -> None:
    """Its answers are commands that this skill may not run unasked."""
    made = staged_book(tmp_path / "书")
    choices = [{"label": "付一天寿数", "effect": "偏沉"}, {"label": "付一件旧物", "effect": "偏轻"}]
    told = {"id": "toll", "header": "过桥的价", "question": "过一回桥要付什么？", "why": "定一卷。"}
    asked = {"questions": [{**told, "choices": choices}], "conflicts": []}
    made.write(layout.questions("setup-world"), asked)
    assert made.next()["stop"] and made.next()["step"] == "setup:world"
    before = made.tree()
    done = Run(user, made).go("1")
    assert clean(done) and made.changed(before) == {}
    assert "过一回桥要付什么" in done.text and done.text.endswith("请输入 /novel:start。")


def test_an_author_who_is_there_answers_and_the_run_goes_on(refined: Run) -> None:
    """In one turn: what the skill may do without asking holds only until the author's next message."""
    answers = iter(["再修订一轮 把桩数清楚", "照现在的样子入库"])
    done, asked = there(refined, "1", answers, scores(2.6, 2.8))
    assert len(asked) == 2 and landed(refined)
    assert "得分 2.8" in asked[1]["question"]
    assert "稿子：staging/chapters/chapter-002.md" in asked[1]["question"]
    assert "评分 2.8/5.0，门控 作者接受，修订 1 次 △" in done.text


def there(
    run: Run, words: str, answers: Iterator[str], judge: Judge | None = None, twist: Twist | None = None
) -> tuple[Result, list[Mapping[str, Any]]]:
    """A run whose author answers at once, and what he was asked; he is asked for no permission."""
    crew = Crew(run.book.root, judge, twist).scenario()
    author = Author([f"/novel:continue {words}"], lambda _question: next(answers))
    done = run.host.talk(run.book.root, author, crew, timeout=600)
    assert author.refused == [] and done.denials == []
    run.started += [phase_of(one) for one in done.begun]
    return done, author.questions


GO_ON, AGAIN, STOP = (choice.label for choice in break_points.break_choices(2))


def by_hand(run: Run) -> None:
    place = run.book.at(run.book.staged("chapter"))
    edited = place.read_text(encoding="utf-8").replace("他数到第7根桩", "她数到第七根桩")
    place.write_text(edited, encoding="utf-8")


def test_every_step_is_shown_and_the_draft_edited_by_hand(run: Run) -> None:
    """`--step` through a whole chapter; the draft is asked for once more.

    While the question after it stands he edits it: it is not written again, and what he wrote lands. His note
    is told before the writer is called, and reaches writer and judge; a stop shows the words that the last
    step changed, and the landed chapter's versions can be compared.
    """
    run.book.ok("note", "2", "让雨下到章末")
    given: dict[str, list[Any]] = {}

    def twist(job: Job, _request: Request) -> Answer | None:
        given[job.phase] = [one["value"] for one in job.packet["inputs"] if one["key"] == "author_notes"]
        return None

    def answers() -> Iterator[str]:
        yield f"{AGAIN} 短些"
        by_hand(run)
        yield from [GO_ON] * 4

    done, asked = there(run, "1 --step", answers(), None, twist)
    assert given["draft"] == [["让雨下到章末"]]
    assert given["judge"] == [["让雨下到章末", "短些"]], "what he said when he sent it back too"
    heard = json.dumps(done.asked(MAIN)[-1].messages, ensure_ascii=False)
    assert heard.count("你给这一章的话：让雨下到章末") == 1
    assert any("〔增：，〕" in question["question"] for question in asked), "what the refiner changed"
    assert len(run.book.ok("diff", "2")["versions"]) >= 2 and "〔" in run.book.novel("diff", "2").text
    assert "已照着写了" in run.book.novel("note", "2").text
    assert landed(run) and run.worked == ["draft", *ONE]
    assert "她数到第七根桩" in run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")
    told = [question["question"] for question in asked]
    assert len(told) == 5 and all("staging/" in one for one in told), told


@pytest.mark.parametrize("allowed", [True, False])
def test_the_author_edits_the_plan_while_an_agent_works(run: Run, allowed: bool) -> None:
    """He is asked whether that was he; what takes his word down runs only when he allows it."""
    run.book.until("drafted")
    run.book.ok("lock", "release")

    def twist(job: Job, _request: Request) -> Answer | None:
        if job.phase == "refine":
            run.book.write("brief.md", "# 立意\n\n改过的立意，他要过河。\n")
        return None

    author = Author(["/novel:continue 1"], lambda _question: OWN, lambda _input: allowed)
    run.host.talk(run.book.root, author, Crew(run.book.root, None, twist).scenario(), timeout=600)
    wanted = [given["command"] for _, given in (*author.refused, *author.allowed)]
    assert wanted == ["novel accept-changes --json"]
    (question,) = author.questions
    assert "brief.md" in question["question"] and "是你自己改的吗" in question["question"]
    rules = [line["rule"] for line in run.book.lines("logs/audit.jsonl")]
    assert (landed(run), rules.count("author-accepts")) == (allowed, int(allowed))
    assert free(run), "so that he may say it in a terminal"


@pytest.mark.exhaustive
def test_stopped_edited_and_gone_on_with_another_day(run: Run) -> None:
    there(run, "1 --step draft", iter([STOP]))
    assert run.worked == ["draft"] and free(run)
    by_hand(run)
    done = run.go("1")
    assert clean(done) and landed(run) and run.worked == ONE
    assert "她数到第七根桩" in run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")


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
KILLS: list[tuple[Collection[int], list[tuple[str, int]], list[str]]] = [
    ((1, 4, 9), [("draft", 1), ("refine", 0)], ["summarize", *["refine"] * 2]),
    (
        range(1, len(ROUGH) + 1),
        [("draft", 1), *((phase, handed_in) for phase in ("summarize", "refine") for handed_in in (0, 1))],
        [*["summarize"] * 2, *["refine"] * 3],
    ),
]
"""Killed behind these agents of chapter 2, and at work in 3; who works there after the writer."""


@pytest.mark.parametrize(
    ("ends", "at_work", "then"), [KILLS[0], pytest.param(*KILLS[1], marks=pytest.mark.exhaustive)]
)
def test_killed_after_an_agent_and_while_one_works(
    run: Run, ends: Collection[int], at_work: list[tuple[str, int]], then: list[str]
) -> None:
    """Each agent works once, in however many sessions: a chapter with a revision and a polish.

    In the next chapter they are killed at work: one is asked again until he is done, and what was handed in
    whole is not made again. A chapter taken up again counts as one.
    """
    scenario = after_agents(run, Crew(run.book.root, scores(3.2, 3.7)).scenario(), ends)
    work = ROUGH
    for number in ends:
        assert run.say("/novel:continue", scenario).code == -9
        assert run.worked == work[:number]
    done = run.go("2", twist=killed(("draft", 0)))
    assert done.code == -9 and run.worked == [*work, "draft"], "it goes on with the next chapter"
    assert {code for _, code in done.hooks} == {0} and not any(one.failed for one in done.outcomes(MAIN))
    assert landed(run) and [stage["name"] for stage in run.log(2)["stages"]] == work
    text = run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")
    assert "第2稿" in text, "revised once"
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


def test_killed_at_a_break_point(run: Run) -> None:
    """While the refiner works, before he has written: he is asked again."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    assert run.go("1 --step refine", twist=killed(("refine", 0))).code == -9
    done = run.go("1 --step refine")
    assert run.worked == ["refine"] * 2 and "做好了" in done.text and "一字不差" not in done.text


def test_a_judge_who_can_never_be_read(refined: Run) -> None:
    done = refined.go("1", broken)
    assert not landed(refined) and free(refined) and refined.worked == ["judge"] * 3
    assert "评审的意见没有记下" in done.text


def test_an_agent_that_reads_and_one_that_writes_where_it_may_not(refined: Run) -> None:
    """The judge reads outside the project: nobody has allowed it, so the client asks, and no author says yes.

    The reviser writes a landed chapter: it is stopped, and hands in as it should; nothing else has changed.
    """
    secret = refined.host.home / "secret.txt"
    secret.write_text("keep this", encoding="utf-8")

    def twist(job: Job, _request: Request) -> Answer | None:
        if (job.phase, job.outcomes) == ("judge", 0) and job.version == 1:
            return do(Call("Read", {"file_path": str(secret)}))
        goes_astray = (job.phase, job.outcomes, job.again) == ("revise", 0, False)
        return do(write("chapters/chapter-001.md")) if goes_astray else None

    landed_before = refined.book.at("chapters/chapter-001.md").read_bytes()
    done = refined.go("1", scores(3.2, 4.5), twist)
    assert refined.book.at("chapters/chapter-001.md").read_bytes() == landed_before
    denied = [line for line in refined.book.lines("logs/audit.jsonl") if line["decision"] == "deny"]
    assert denied and {(one["rule"], one["path"]) for one in denied} == {
        ("outside-staging", "chapters/chapter-001.md")
    }
    (read,) = [one for one in done.outcomes(JUDGE) if one.input.get("file_path") == str(secret)]
    assert read.failed and "keep this" not in read.text
    assert [one["tool_name"] for one in done.denials] == ["Read", "Write"] and landed(refined)
    assert done.code == 0 and refined.worked == ["judge", "revise", *ROUND]


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


def test_a_chapter_recorded_anew_and_a_whole_one_with_a_warning_before_it(run: Run) -> None:
    """The one changed by hand comes first, and is none of those that were asked for.

    A setting was changed after the other was planned: told before it is begun, and once.
    """
    run.book.ok("changed", "--note")
    run.book.at(layout.character_profile("qiao-jiu")).write_text(
        "# 换了出身\n\n塔上长大。\n", encoding="utf-8"
    )
    run.book.ok("changed", "--note")
    place = run.book.at("chapters/chapter-001.md")
    place.write_text(place.read_text(encoding="utf-8") + "\n水退了，桩还在。\n", encoding="utf-8")
    run.book.ok("sync", "1")
    done = run.go("1", lambda _job: make_verdict(4.5))
    assert clean(done) and free(run)
    assert run.landed == ["chapter-001.md", "chapter-002.md"]
    anew = run.worked[:-4]
    assert anew and run.worked[-4:] == ONE
    recorded, written = done.text.splitlines()
    assert recorded == "第 1 章重新记录好了" and written.startswith("第 2 章已生成（")
    assert written.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓")
    assert all(None not in stage.values() for stage in run.log(2)["stages"])
    said = [request for request in done.asked(MAIN) if "契约排在设定改动之前" in spoken(request)]
    called = [outcome for outcome in said[0].outcomes if outcome.tool == "Agent"]
    assert len(called) == len(anew), "before the chapter's first agent"
    assert spoken(said[-1]).count("契约排在设定改动之前") == 1


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
