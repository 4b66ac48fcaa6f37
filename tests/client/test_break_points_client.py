"""The writing skill by a real host: an author who is asked, and who edits between the steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planbook import staged_book

from client.author import Author
from client.continued import ONE, Run, clean, free, landed, phase_of
from client.continued import refined as refined
from client.continued import run as run
from client.continued import user as user
from client.crew import Crew, Job, scores
from client.front_desk import OWN
from client.harness import Host
from client.request import MAIN, Request
from novel_hooks import layout
from novel_hooks.rules.steps import break_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from client.crew import Judge, Twist
    from client.result import Result
    from client.scenario import Answer

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]  # a busy machine is not a fault


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


@pytest.mark.exhaustive
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


@pytest.mark.parametrize("allowed", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
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
