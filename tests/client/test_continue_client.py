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

from client.author import Author
from client.crew import JUDGE, Crew, Job, broken, refused, scores
from client.front_desk import ADVICE, FOREIGN, OWN, front_desk
from client.harness import Host
from client.plugins import plugin_copy
from client.request import MAIN, text_of
from client.scenario import Call, Kill, do, say, write
from novel_hooks import layout
from novel_hooks.rules.steps import break_points, next_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from client.crew import Judge, Twist
    from client.request import Request
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
def run(user: Host, tmp_path: Path) -> Run:
    """One chapter landed, the volume goes to 6."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    return Run(user, book(place))


def clean(done: Result) -> bool:
    """Nobody was asked for a permission, nothing was denied, no hook failed."""
    return done.denials == [] and {code for _, code in done.hooks} == {0} and done.code == 0


def test_one_chapter(run: Run) -> None:
    done = run.go()
    assert clean(done)
    assert run.worked == ONE
    assert run.landed == ["chapter-001.md", "chapter-002.md"]
    assert done.text.startswith("第 2 章已生成（") and done.text.endswith(
        "评分 4.5/5.0，门控 通过，修订 0 次 ✓"
    )
    assert all(None not in stage.values() for stage in run.log(2)["stages"])
    assert run.book.ok("lock", "status")["kind"] == "free"


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


def test_three_chapters_in_one_go(run: Run) -> None:
    """One is polished, one revised, one passes; each is judged by what was made of it."""
    chapters = {2: scores(3.7), 3: scores(3.2, 4.2), 4: scores(4.5)}
    done = run.go("再来三章", lambda job: chapters[job.packet["chapter"]](job))
    assert clean(done)
    assert run.landed == [f"chapter-00{n}.md" for n in (1, 2, 3, 4)]
    assert run.worked == [*ONE, "polish", *ONE, *ROUND, *ONE]
    two, three, four, summary = done.text.splitlines()
    assert two.endswith("评分 3.7/5.0，门控 通过，修订 0 次 ✓")
    assert three.endswith("评分 4.2/5.0，门控 通过，修订 1 次 ✓")
    assert four.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓") and summary == "续写完成"
    models = {stage["name"]: stage["model"] for stage in run.log(3)["stages"]}
    assert "opus" in models["revise"] and "sonnet" in models["draft"]


def test_a_night_stops_before_the_step_that_would_pass_the_budget(run: Run) -> None:
    """Nobody is asked; in the morning the last run stands on top, and the next one goes on."""
    run.book.write(layout.CONFIG, "budget:\n  run_tokens: 1\n")
    done = run.go("20 --night")
    assert clean(done) and free(run)
    assert run.worked == ["draft"] and not landed(run)
    assert "最近一趟（" in done.text and "要写 20 章）：写成 0 章" in done.text
    assert "在等你：预算：这一趟已花" in done.text and ADVICE not in done.text
    run.book.write(layout.CONFIG, "budget:\n  run_tokens: 100000000\n")
    done = run.go("1 --night")
    assert clean(done) and landed(run) and free(run)
    assert run.worked == ONE and "写成 1 章" in done.text


@pytest.mark.exhaustive
def test_two_rounds(refined: Run) -> None:
    done = refined.go("1", scores(3.2, 3.3, 4.1))
    assert clean(done) and landed(refined)
    assert refined.worked == ["judge", *ROUND, *ROUND]
    assert done.text.endswith("评分 4.1/5.0，门控 通过，修订 2 次 ✓")
    assert "第3稿" in refined.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")


def test_a_reviser_who_changes_nothing_is_asked_once_more(refined: Run) -> None:
    told: list[str] = []

    def lazy(job: Job, _request: Request) -> Answer | None:
        if job.phase == "revise" and not job.outcomes:
            told.append(job.task)
        return say("已改") if job.phase == "revise" and not job.again else None

    done = refined.go("1", scores(3.2, 4.5), lazy)
    assert clean(done) and landed(refined)
    assert refined.worked == ["judge", "revise", *ROUND]
    assert "一个字也没有改" in told[-1] and len(told) == 2


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
    assert fault.startswith("违反世界规则 W-001：")
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


def test_written_anew(refined: Run) -> None:
    refined.go("1", scores(1.6))
    assert not landed(refined)
    done = refined.go("rewrite")
    assert clean(done) and landed(refined)
    assert refined.worked == ["judge", *ONE]
    assert done.text.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓")


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


def test_every_step_is_shown(run: Run) -> None:
    """`--step` through a whole chapter; the draft is asked for once more.

    His note is told before the writer is called, and reaches writer and judge; a stop shows the words that
    the last step changed, and the landed chapter's versions can be compared.
    """
    run.book.ok("note", "2", "让雨下到章末")
    given: dict[str, list[Any]] = {}

    def twist(job: Job, _request: Request) -> Answer | None:
        given[job.phase] = [one["value"] for one in job.packet["inputs"] if one["key"] == "author_notes"]
        return None

    done, asked = there(run, "1 --step", iter([f"{AGAIN} 短些", *[GO_ON] * 4]), None, twist)
    assert [phase for phase, notes in given.items() if notes == [["让雨下到章末"]]] == ["draft", "judge"]
    heard = json.dumps(done.asked(MAIN)[-1].messages, ensure_ascii=False)
    assert heard.count("你给这一章的话：让雨下到章末") == 1
    assert any("〔增：，〕" in question["question"] for question in asked), "what the refiner changed"
    assert len(run.book.ok("diff", "2")["versions"]) >= 2 and "〔" in run.book.novel("diff", "2").text
    assert "已照着写了" in run.book.novel("note", "2").text
    assert landed(run) and run.worked == ["draft", *ONE]
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


def by_hand(run: Run) -> None:
    place = run.book.at(run.book.staged("chapter"))
    edited = place.read_text(encoding="utf-8").replace("他数到第7根桩", "她数到第七根桩")
    place.write_text(edited, encoding="utf-8")


def test_stopped_after_the_draft_and_edited_by_hand(run: Run) -> None:
    """While the question stands; what he wrote is what lands."""

    def answers() -> Iterator[str]:
        by_hand(run)
        yield GO_ON

    there(run, "1 --step draft", answers())
    assert landed(run) and run.worked == ONE, "the draft is not written again"
    assert "她数到第七根桩" in run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")


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


def after_each_agent(scenario: Scenario) -> Scenario:
    """The session dies as soon as the agent that it started is done."""
    assert isinstance(scenario, dict)

    def main(request: Request) -> Answer:
        outcomes = request.outcomes
        return Kill() if outcomes and outcomes[-1].tool == "Agent" else front_desk(request)

    return {**scenario, MAIN: main}


def test_killed_while_an_agent_works(run: Run) -> None:
    """He is asked again until he is done; what was handed in whole is not made again."""
    for phase in ("draft", "summarize", "refine"):
        for handed_in in (0, 1):
            assert run.go("2", twist=killed((phase, handed_in))).code == -9
    done = run.go("2")
    assert clean(done)
    assert run.landed == [f"chapter-00{n}.md" for n in (1, 2, 3)], "the one taken up again counts as one"
    two, three = ["draft"] * 2 + ["summarize"] * 2 + ["refine"] * 3 + ["judge"], ONE
    assert run.worked == [*two, *three]


def test_killed_after_every_agent(run: Run) -> None:
    """A chapter with a revision and a polish: each agent works once, and each in a session of its own."""
    scenario = after_each_agent(Crew(run.book.root, scores(3.2, 3.7)).scenario())
    work = [*ONE, *ROUND, "polish"]
    for number in range(1, len(work) + 1):
        assert run.say("/novel:continue", scenario).code == -9
        assert run.worked == work[:number]
    done = run.say("/novel:continue", scenario)
    assert clean(done) and landed(run) and run.worked == work
    assert [stage["name"] for stage in run.log(2)["stages"]] == work
    text = run.book.at("chapters/chapter-002.md").read_text(encoding="utf-8")
    assert "第2稿" in text, "revised once"


def test_an_agent_that_fails_once(run: Run) -> None:
    run.book.until("drafted")
    run.book.ok("lock", "release")
    done = run.go("1", twist=refused("refine"))
    assert landed(run) and run.worked == ["refine", "refine", "judge"]
    assert done.denials == []


def test_an_agent_that_always_fails(run: Run) -> None:
    run.book.until("drafted")
    run.book.ok("lock", "release")
    done = run.go("1", twist=refused("refine", always=True))
    assert not landed(run) and free(run) and run.worked == ["refine", "refine"]
    assert run.book.point()["orchestrator_state"] == "ERROR_RETRY"
    assert "连续失败" in done.text and "再试一次" in done.text
    done = run.go("retry")
    assert clean(done) and landed(run) and run.worked == [*["refine"] * 3, "judge"]


def test_an_agent_that_fails_at_a_break_point(run: Run) -> None:
    """What nobody did is not shown as done: "try again" starts the agent again."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    run.book.ok("config", "stop_after", "refine")
    done = run.go("1", twist=refused("refine", always=True))
    assert "连续失败" in done.text and free(run) and run.worked == ["refine"] * 2
    done = run.go("retry")
    assert run.worked == ["refine"] * 3 and "做好了" in done.text and "一字不差" not in done.text
    done = run.go("go-on")
    assert clean(done) and landed(run) and run.worked == [*["refine"] * 3, "judge"]


def test_killed_at_a_break_point(run: Run) -> None:
    """While the refiner works, before he has written: he is asked again."""
    run.book.until("drafted")
    run.book.ok("lock", "release")
    assert run.go("1 --step refine", twist=killed(("refine", 0))).code == -9
    done = run.go("1 --step refine")
    assert run.worked == ["refine"] * 2 and "做好了" in done.text and "一字不差" not in done.text


def test_a_judge_who_cannot_be_read_once(refined: Run) -> None:
    done = refined.go("1", lambda job: make_verdict(4.4) if job.again else broken(job))
    assert clean(done) and landed(refined) and refined.worked == ["judge", "judge"]


def test_a_judge_who_can_never_be_read(refined: Run) -> None:
    done = refined.go("1", broken)
    assert not landed(refined) and free(refined) and refined.worked == ["judge"] * 3
    assert "评审的意见没有记下" in done.text


def test_a_summarizer_who_forgets_a_file(run: Run) -> None:
    run.book.until("drafting")
    run.book.ok("lock", "release")
    crew = Crew(run.book.root)
    told: list[str] = []

    def forgetful(job: Job, _request: Request) -> Answer | None:
        if job.phase != "summarize" or job.outcomes:
            return None
        told.append(job.task)
        return None if job.again else do(*crew.outputs(job)[:-1])

    done = run.go("1", twist=forgetful)
    assert clean(done) and landed(run)
    assert run.worked == ["summarize", "summarize", "refine", "judge"]
    assert "memory.md" in told[-1], "he is told what is missing"


@pytest.mark.parametrize("mends", [True, False])
def test_a_summarizer_whose_record_would_be_lost(run: Run, mends: bool) -> None:
    """He is asked once more; what he leaves then is taken."""
    run.book.until("drafting")
    run.book.ok("lock", "release")
    told: list[str] = []
    lost = {"op": "explode", "path": "items.lamp.state", "value": 1}

    def careless(job: Job, _request: Request) -> Answer | None:
        if job.phase != "summarize" or job.outcomes:
            return None
        told.append(job.task)
        if job.again and mends:
            return None
        places = {one["key"]: one["path"] for one in job.packet["outputs"]}
        delta = json.dumps(run.book.record("delta", ops=[lost]), ensure_ascii=False)
        others = [call for call in Crew(run.book.root).outputs(job) if places["delta"] not in str(call)]
        return do(*others, write(places["delta"], delta))

    done = run.go("1", twist=careless)
    assert clean(done) and landed(run)
    assert run.worked == ["summarize", "summarize", "refine", "judge"]
    assert "explode items.lamp.state" in told[-1]
    dropped = run.book.lines(layout.CHANGELOG)[-1]["dropped"]
    assert [one["op"] for one in dropped] == ([] if mends else [lost])


def test_an_agent_that_writes_where_it_may_not(refined: Run) -> None:
    """It is stopped, told why, and hands in as it should; nothing else has changed."""

    def twist(job: Job, _request: Request) -> Answer | None:
        return do(write("chapters/chapter-001.md")) if (job.phase, job.outcomes) == ("revise", 0) else None

    first = refined.book.at("chapters/chapter-001.md").read_bytes()
    done = refined.go("1", scores(3.2), twist)
    assert refined.book.at("chapters/chapter-001.md").read_bytes() == first
    denied = [line for line in refined.book.lines("logs/audit.jsonl") if line["decision"] == "deny"]
    assert denied and {(one["rule"], one["path"]) for one in denied} == {
        ("outside-staging", "chapters/chapter-001.md")
    }
    assert done.code == 0


def test_an_agent_that_reads_outside_the_project(refined: Run) -> None:
    """Nobody has allowed it, so the client asks; there is no author to say yes."""
    secret = refined.host.home / "secret.txt"
    secret.write_text("keep this", encoding="utf-8")

    def twist(job: Job, _request: Request) -> Answer | None:
        return do(Call("Read", {"file_path": str(secret)})) if not job.outcomes else None

    done = refined.go("1", twist=twist)
    (read,) = [one for one in done.outcomes(JUDGE) if one.input.get("file_path") == str(secret)]
    assert read.failed and "keep this" not in read.text
    assert [one["tool_name"] for one in done.denials] == ["Read"] and landed(refined)


def test_a_chapter_changed_by_hand_is_recorded_anew_first(run: Run) -> None:
    """It is none of those that were asked for."""
    place = run.book.at("chapters/chapter-001.md")
    place.write_text(place.read_text(encoding="utf-8") + "\n水退了，桩还在。\n", encoding="utf-8")
    run.book.ok("sync", "1")
    done = run.go("1", lambda _job: make_verdict(4.5))
    assert clean(done) and landed(run) and not landed(run, 3)
    first, second = done.text.splitlines()
    assert first == "第 1 章重新记录好了" and second.startswith("第 2 章已生成（")
    assert run.worked[-4:] == ONE and len(run.worked) > len(ONE)


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


def test_a_warning_about_a_chapter_is_heard_before_it_is_begun(run: Run) -> None:
    """A setting was changed after the chapter was planned: told in time, and once."""
    run.book.ok("changed", "--note")
    run.book.at(layout.character_profile("qiao-jiu")).write_text(
        "# 换了出身\n\n塔上长大。\n", encoding="utf-8"
    )
    run.book.ok("changed", "--note")
    done = run.go("1", scores(4.5))
    assert clean(done) and landed(run)
    said = [request for request in done.asked(MAIN) if "契约排在设定改动之前" in spoken(request)]
    assert said and not any(outcome.tool == "Agent" for outcome in said[0].outcomes)
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


@pytest.mark.parametrize("words", ["零", "-1", "0", "2.5", "accept"])
def test_a_number_that_is_none(run: Run, words: str) -> None:
    before = run.book.tree()
    done = run.go(words)
    assert clean(done) and run.book.changed(before) == {} and run.worked == []
    assert done.text == "写法：`/novel:continue 3`"


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
