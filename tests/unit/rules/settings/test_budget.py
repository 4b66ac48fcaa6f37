"""The budget: what is counted, the estimate, which limit is passed first."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.settings import budget
from novel_hooks.rules.settings.budget import Passing


def stage(name: str = "draft", tokens: int | None = 1000, cost: float | None = 0.5) -> dict[str, Any]:
    return {"name": name, "input_tokens": tokens, "output_tokens": None, "cost": cost}


def test_the_known_is_summed_and_the_unknown_counted() -> None:
    stages = [stage(), stage(tokens=None), stage(cost=None)]
    assert budget.spent(stages, "tokens") == (2000, 1)
    assert budget.spent(stages, "money") == (1.0, 1)
    assert budget.spent([], "tokens") == (0, 0)


def test_the_usual_cost_is_the_mean_of_such_steps() -> None:
    stages = [stage(tokens=1000), stage(tokens=3000), stage("judge", 9000), stage(tokens=None)]
    assert budget.usual_cost(stages, "draft", "tokens") == 2000
    assert budget.usual_cost(stages, "polish", "tokens") is None


@pytest.mark.parametrize(
    ("limits", "scope", "what"),
    [
        ({}, None, None),
        ({"chapter_tokens": 3000}, None, None),
        ({"chapter_tokens": 2999}, "chapter", "tokens"),
        ({"run_tokens": 6000}, None, None),
        ({"run_tokens": 5999}, "run", "tokens"),
        ({"chapter_money": 1.4}, "chapter", "money"),
        ({"run_money": 2.9, "chapter_tokens": 1000}, "chapter", "tokens"),
    ],
)
def test_a_limit_is_passed_by_what_such_a_step_costs(
    limits: dict[str, float], scope: str | None, what: str | None
) -> None:
    chapter, run = [stage(), stage("judge")], [stage() for _ in range(5)]
    found = budget.passing(limits, {"chapter": chapter, "run": run}, [], "draft")
    assert (found and found.scope, found and found.what) == (scope, what)


def test_without_an_estimate_a_limit_holds_until_it_is_used_up() -> None:
    work = {"chapter": [stage("judge", 999)]}
    assert budget.passing({"chapter_tokens": 1000}, work, [], "draft") is None
    found = budget.passing({"chapter_tokens": 999}, work, [], "draft")
    assert found == Passing("chapter", "tokens", 999, None, 999)


def test_a_step_that_no_host_counted_costs_what_such_a_step_does() -> None:
    earlier = [stage("judge", 300), stage("draft", 100)]
    assert budget.estimated([stage("judge", None), stage("draft", 7)], earlier, "tokens") == (307, 1)
    assert budget.estimated([stage("polish", None)], earlier, "tokens") == (200, 1)
    assert budget.estimated([stage("draft", None)], [], "tokens") == (0, 0)
    work = {"run": [stage("judge", None)]}
    assert budget.passing({"run_tokens": 400}, work, earlier, "draft") is None
    found = budget.passing({"run_tokens": 399}, work, earlier, "draft")
    assert found == Passing("run", "tokens", 300, 100, 399, 1)
    assert "已花 300 词元（有 1 步没有记下，照以往估）" in budget.reason(found, None, "写初稿", None)


def test_a_limit_under_which_nothing_can_be_counted_is_told() -> None:
    blind = [stage(tokens=None, cost=None), stage("judge", None, None)]
    limits = {"run_tokens": 9, "chapter_money": 1}
    assert budget.uncounted(limits, {"run": blind}, []) == budget.Uncounted("run", "tokens", 2, 9)
    assert budget.uncounted(limits, {"run": blind[:1]}, []) is None, "an agent may have been cut off"
    assert budget.uncounted(limits, {"run": blind}, [stage()]) is None
    assert budget.uncounted({}, {"run": blind}, []) is None
    found = budget.uncounted(limits, {"chapter": blind, "run": blind}, [])
    assert found is not None and found.key == "budget.chapter_money"


def test_a_run_that_is_not_known_is_not_held_to_its_limit() -> None:
    assert budget.passing({"run_tokens": 1}, {"chapter": [stage()]}, [stage()], "draft") is None


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            Passing("chapter", "tokens", 12_000, 3_000, 14_000),
            "预算：第 7 章已花 12,000 词元，「评审」照以往要 3,000 词元，会超过一章的预算 14,000 词元",
        ),
        (
            Passing("run", "money", 2.5, 1.0, 2.5),
            "预算：这一趟已花 2.50 元，一趟的预算 2.50 元已用完",
        ),
    ],
)
def test_the_pause_says_what_was_spent_and_what_is_to_come(found: Passing, words: str) -> None:
    assert budget.reason(found, 7, "评审", "元") == words
    assert budget.amount_text(1.5, "money", None) == "1.50（prices 里的钱）"


def test_the_first_answer_stops_and_the_second_gives_more() -> None:
    chapter = budget.choices(Passing("chapter", "money", 1.2, 0.3, 1.5), 3)
    assert [one.command for one in chapter] == ["novel lock release", "novel config budget.chapter_money 1.8"]
    run = budget.choices(Passing("run", "tokens", 9, None, 9), 3)
    assert [one.command for one in run] == ["novel lock release", "novel lock acquire --run 3"]
    assert all(len(one.label) <= 12 for one in (*chapter, *run))


def test_a_run_that_one_step_would_pass_is_given_more_and_not_begun_again() -> None:
    more = budget.choices(Passing("run", "tokens", 0, 24_000, 10_000), 3)[1]
    assert (more.label, more.command) == ("一趟的预算加一些", "novel config budget.run_tokens 48000")
    assert "各趟" in more.why


@pytest.mark.parametrize(
    ("found", "raised"),
    [
        (Passing("chapter", "tokens", 41_000, 12_300, 50_000), 66_000),
        (Passing("chapter", "tokens", 50_000, None, 50_000), 100_000),
        (Passing("run", "money", 1.2, 0.33, 1.5), 1.9),
    ],
)
def test_a_raised_limit_lets_two_such_steps_through(found: Passing, raised: float) -> None:
    assert found.raised == raised
    assert found.key == f"budget.{found.scope}_{found.what}"


# money without a price ----------------------------------------------------------------------------------


def counted(model: str | None, cost: float | None, given: int | None = 5) -> dict[str, Any]:
    return {"name": "draft", "model": model, "input_tokens": given, "output_tokens": 7, "cost": cost}


LIMITS = {"chapter_money": 2.0, "run_money": 9.0}


@pytest.mark.parametrize(
    ("limits", "work", "known", "found"),
    [
        ({}, {"chapter": [counted("a", None)]}, True, None),
        (LIMITS, {}, False, None),
        (LIMITS, {"chapter": []}, False, ("chapter", "next", 2.0)),
        (LIMITS, {"chapter": []}, True, None),
        (LIMITS, {"chapter": [counted("a", 0.1), counted("b", None)]}, True, ("chapter", "b", 2.0)),
        (LIMITS, {"chapter": [counted("a", None, None)], "run": []}, True, None),
        (LIMITS, {"chapter": [], "run": [counted(None, None)]}, True, ("run", None, 9.0)),
        ({"run_money": 9.0}, {"chapter": [counted("a", None)], "run": []}, True, None),
    ],
)
def test_money_is_held_where_every_model_that_worked_has_a_price(
    limits: dict[str, float], work: dict[str, Any], known: bool, found: tuple[str, str | None, float] | None
) -> None:
    assert budget.unpriced(limits, work, "next", known) == (found and budget.Unpriced(*found))


def test_what_the_author_reads_of_a_missing_price() -> None:
    named, nobody = budget.Unpriced("chapter", "opus", 2.0), budget.Unpriced("run", None, 9.0)
    assert budget.unpriced_reason(named, "元") == (
        "预算：一章的预算 2.00 元管不住：opus 没有价钱，花了多少算不出来"
    )
    assert budget.unpriced_reason(nobody, "元").startswith("预算：一趟的预算 9.00 元管不住：有一步不知道")
    stop, on = budget.unpriced_choices(named)
    assert (stop.key, stop.command, on.key) == ("stop", "novel lock release", "raise")
    assert "prices.opus.input" in stop.why and "prices.opus.output" in stop.why
    assert on.command == "novel config --unset budget.chapter_money"
    assert "novel config budget.chapter_tokens 500万" in on.why
    assert "prices.模型.input" in budget.unpriced_choices(nobody)[0].why


def test_a_run_of_which_nobody_knows_the_rest() -> None:
    stop, again = budget.choices(Passing("run", "tokens", 9, None, 9), None)
    assert (stop.key, again.key) == ("stop", "again")
    assert (again.why, again.command) == ("花费从零算起", "novel lock acquire --run 1")
    assert budget.choices(Passing("run", "tokens", 9, None, 9), 3)[1].why == "还剩 3 章，花费从零算起"


def test_the_usual_cost_is_told_in_the_authors_money() -> None:
    assert "照以往要 0.50 元" in budget.reason(Passing("chapter", "money", 1.0, 0.5, 1.2), 7, "评审", "元")
