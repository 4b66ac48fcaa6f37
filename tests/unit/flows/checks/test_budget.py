"""`next` stops before the step that would pass the author's budget, and nobody is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

PRICES = "prices:\n  sonnet: {input: 10, output: 10}\ncurrency: 元\n"
DRAFT = "chapter:004:draft"


def worked(name: str, tokens: int | None) -> dict[str, Any]:
    return {
        "name": name,
        "model": "sonnet",
        "duration_ms": 1000,
        "input_tokens": tokens,
        "output_tokens": tokens and 0,
    }


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters, each of 10,000 + 2,000 + 3,000 + 5,000 tokens."""
    made = book(tmp_path, chapters=3)
    for chapter in (1, 2, 3):
        path = layout.chapter_log(chapter)
        names = {"draft": 10_000, "summarize": 2_000, "refine": 3_000, "judge": 5_000}
        made.write(path, {**made.json(path), "stages": [worked(*one) for one in names.items()]})
    return made


def limit(made: Book, **limits: float) -> None:
    lines = "".join(f"  {key}: {value}\n" for key, value in limits.items())
    made.write(layout.CONFIG, f"{PRICES}budget:\n{lines}")


def begun(made: Book, *stages: dict[str, Any], run: str | None = None) -> None:
    """The next chapter, begun, with these stages in its work log."""
    made.ok("lock", "acquire", *(("--run", run) if run else ()))
    made.write(
        layout.work_log(4), {"chapter": 4, "started_at": "2026-01-01T00:00:00Z", "stages": list(stages)}
    )


def stopped(made: Book) -> bool:
    return bool(made.ok("next")["stop"])


def test_a_host_that_counts_nothing_stops_after_two_steps(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    for chapter in (1, 2, 3):
        path = layout.chapter_log(chapter)
        made.write(path, {**made.json(path), "stages": [worked("draft", None)]})
    limit(made, run_tokens=1_000_000)
    begun(made, worked("draft", None), run="20")
    assert not stopped(made)
    begun(made, worked("draft", None), worked("summarize", None))
    due = made.ok("next")
    assert due["stop"] and due["reason"] == (
        "预算：一趟的预算 1,000,000 词元管不住：做过的 2 步都没有记下词元数，花了多少不知道"
    )
    made.refused(3, "BUDGET_REACHED", "instructions", due["step"], "--write-manifest")
    assert [one["key"] for one in due["choices"]] == ["stop", "raise"]
    made.ok(*due["choices"][1]["command"].split()[1:])
    assert not stopped(made)


@pytest.mark.parametrize(
    ("limits", "stops"),
    [
        ({}, False),
        ({"chapter_tokens": 10_000}, False),
        ({"chapter_tokens": 9_999}, True),
        ({"chapter_money": 0.1}, False),
        ({"chapter_money": 0.09}, True),
        ({"run_tokens": 1}, False),  # no run has begun
    ],
)
def test_a_chapter_that_has_not_begun_is_held_to_what_a_draft_costs(
    made: Book, limits: dict[str, float], stops: bool
) -> None:
    if limits:
        limit(made, **limits)
    assert stopped(made) is stops


def test_what_was_spent_counts_and_the_pause_says_so(made: Book) -> None:
    limit(made, chapter_tokens=25_000)
    begun(made, worked("draft", 16_000))
    due = made.ok("next")
    assert (due["step"], due["stop"], due["recorded"]) == (DRAFT, True, False)
    assert due["reason"] == (
        "预算：第 4 章已花 16,000 词元，「写初稿」照以往要 11,500 词元，会超过一章的预算 25,000 词元"
    )
    assert [one["key"] for one in due["choices"]] == ["stop", "raise"]
    shown = made.novel("next").text
    assert "先停在这里" in shown and "novel config budget.chapter_tokens 39000" in shown


def test_the_answers_lift_the_stop(made: Book) -> None:
    limit(made, chapter_tokens=25_000)
    begun(made, worked("draft", 16_000))
    raise_ = made.ok("next")["choices"][1]["command"].split()
    assert raise_[0] == "novel"
    made.ok(*raise_[1:])
    assert not stopped(made)


def test_nobody_is_sent(made: Book) -> None:
    limit(made, chapter_tokens=9_000)
    made.ok("lock", "acquire")
    made.refused(3, "BUDGET_REACHED", "instructions", DRAFT, "--write-manifest")
    assert not made.at(layout.HANDOUT).exists()


def test_an_agent_at_work_is_not_stopped_but_one_that_failed_is(made: Book) -> None:
    limit(made, chapter_tokens=10_000)
    made.ok("lock", "acquire")
    made.ok("instructions", DRAFT, "--write-manifest")
    limit(made, chapter_tokens=9_000)
    assert not stopped(made)
    made.ok("fail", DRAFT, "--reason", "没有交稿")
    assert stopped(made)


def test_runs_of_the_step_that_is_out_count(made: Book) -> None:
    limit(made, chapter_tokens=10_000)
    made.ok("lock", "acquire")
    made.ok("instructions", DRAFT, "--write-manifest")
    out = made.json(layout.HANDOUT)
    run = {"id": "a", "model": "sonnet", "input_tokens": 9_500, "output_tokens": 0}
    made.write(layout.HANDOUT, {**out, "runs": [run], "done": True})
    assert "已花 9,500 词元" in made.ok("next")["reason"]


def test_a_run_counts_from_where_it_began(made: Book) -> None:
    limit(made, run_tokens=30_000)
    begun(made, worked("draft", 40_000), run="1")
    assert stopped(made)
    made.ok("lock", "acquire", "--run", "2")
    assert not stopped(made), "the steps before it are of another run"
    path = layout.work_log(4)
    log = made.json(path)
    made.write(path, {**log, "stages": [*log["stages"], worked("draft", 20_000)]})
    due = made.ok("next")
    assert due["stop"] and due["reason"].startswith("预算：这一趟已花 20,000 词元")
    assert due["choices"][1]["command"] == "novel lock acquire --run 2"


def test_a_run_ends_with_its_lock(made: Book) -> None:
    limit(made, run_tokens=30_000)
    begun(made, worked("draft", 40_000))
    assert made.ok("next")["stop"] is True
    made.ok("lock", "release")
    assert not stopped(made), "who begins anew is not held to the last run"
    made.ok("lock", "acquire")
    assert stopped(made), "the same session goes on with its run"
    made.ok("lock", "release")
    assert made.novel("lock", "acquire", owner=f"{OWNER}-2").exit == 0
    assert not made.novel("next", owner=f"{OWNER}-2").data["stop"], "another session begins one"


def test_landed_chapters_of_the_run_count(made: Book) -> None:
    limit(made, run_tokens=70_000)
    begun(made, worked("draft", 5_000))
    run = made.json(layout.RUN)
    made.write(layout.RUN, {**run, "chapter": 2, "stages": 1})
    assert not stopped(made), "10,000 of chapter 2, 20,000 of chapter 3, 5,000 of chapter 4 and a draft"
    limit(made, run_tokens=40_000)
    assert "已花 35,000 词元" in made.ok("next")["reason"]


def codes(made: Book, *command: str) -> list[str]:
    return [one.code for one in made.novel(*command).diagnostics]


def test_steps_that_nobody_counted_are_told(made: Book) -> None:
    limit(made, chapter_tokens=100_000, chapter_money=100)
    begun(made, worked("draft", None), worked("draft", 5))
    told = [one for one in made.novel("next").diagnostics if one.code == "BUDGET_UNCOUNTED"]
    assert ["1 步没有记下词元数" in one.message for one in told] == [True]
    assert not stopped(made)


def test_money_without_any_price_stops_before_anybody_is_sent(made: Book) -> None:
    made.write(layout.CONFIG, "budget:\n  run_money: 20\n")
    for command in (("next",), ("config", "一章花费", "3"), ("report",)):
        assert "BUDGET_UNPRICED" in codes(made, *command)
    made.write(layout.CONFIG, "budget:\n  run_money: 20\n")
    assert not stopped(made), "no run has begun"
    made.ok("lock", "acquire", "--run", "3")
    due = made.ok("next")
    assert due["reason"] == (
        "预算：一趟的预算 20.00（prices 里的钱）管不住：sonnet 没有价钱，花了多少算不出来"
    )
    made.refused(3, "BUDGET_REACHED", "instructions", DRAFT, "--write-manifest")
    shown = made.novel("next").text
    assert "novel config prices.sonnet.input 输入价" in shown and "novel config budget.run_tokens" in shown
    made.ok(*due["choices"][1]["command"].split()[1:])
    assert not stopped(made) and "BUDGET_UNPRICED" not in codes(made, "next")


def test_a_price_for_each_model_lifts_the_stop(made: Book) -> None:
    made.write(layout.CONFIG, "budget:\n  chapter_money: 20\n")
    made.ok("lock", "acquire")
    made.ok("config", "prices.sonnet.input", "3")
    assert stopped(made), "half a price counts nothing"
    made.ok("config", "prices.sonnet.output", "15")
    assert not stopped(made)
    told = next(one for one in made.novel("next").diagnostics if one.code == "BUDGET_UNPRICED")
    assert "里定了钱的预算，opus 却没有价钱" in told.message and "prices.opus.input" in (told.fix or "")
    made.ok("config", "prices.opus.input", "15")
    made.ok("config", "prices.opus.output", "75")
    assert "BUDGET_UNPRICED" not in codes(made, "next")


@pytest.mark.parametrize(
    ("limits", "work", "why"),
    [
        ({"chapter_money": 9}, {"model": "opus"}, "opus 没有价钱"),
        ({"run_money": 9}, {"model": "opus"}, "opus 没有价钱"),
        ({"chapter_money": 9}, {"model": None}, "有一步不知道用的哪个模型"),
        ({"chapter_money": 9}, {"model": "opus", "input_tokens": None}, None),
        ({"chapter_tokens": 90_000}, {"model": "opus"}, None),
    ],
)
def test_a_model_without_a_price_stops_as_soon_as_it_was_used(
    made: Book, limits: dict[str, float], work: dict[str, Any], why: str | None
) -> None:
    limit(made, **limits)
    made.ok("lock", "acquire", "--run", "3")
    begun(made, {**worked("draft", 5), **work})
    due = made.ok("next")
    assert (due["stop"], why is None or why in due["reason"]) == (why is not None, True)


def test_the_models_of_another_host_are_not_asked_for(made: Book) -> None:
    made.write(layout.CONFIG, "prices:\n  gpt-5: {input: 1, output: 10}\nbudget:\n  run_money: 20\n")
    assert "BUDGET_UNPRICED" not in codes(made, "next")


def test_a_log_that_cannot_be_read_stops_nothing(made: Book) -> None:
    limit(made, chapter_tokens=9_999)
    for chapter in (1, 2, 3):
        made.write(layout.chapter_log(chapter), b"{")
    assert not stopped(made), "no estimate, and nothing spent"


def test_broken_settings_are_told_as_such(made: Book) -> None:
    made.write(layout.CONFIG, "budget:\n  chapter_tokens: 0\n  night: 3\n")
    found = made.novel("next")
    assert found.exit != 0 and {one.code for one in found.diagnostics} == {
        "CONFIG_KEY_UNKNOWN",
        "CONFIG_VALUE",
    }
