"""Costs of stages: amounts that are known, prices that fit, sums that say what they lack."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.settings import prices as settings_prices
from novel_hooks.rules.settings.prices import Price

SONNET = Price(3, 15)


def stage(name: str = "draft", model: str | None = "claude-sonnet-4-5", **amounts: Any) -> dict[str, Any]:
    known = {"duration_ms": 60_000, "input_tokens": 100_000, "output_tokens": 10_000}
    return {"name": name, "model": model, **known, **amounts}


def cost(model: str | None = "sonnet", price: Price = SONNET, **amounts: int | None) -> float | None:
    known = dict.fromkeys(settings_prices.AMOUNTS, 0)
    return settings_prices.cost(model, {**known, **amounts}, {"sonnet": price})


def test_a_price_has_four_sides() -> None:
    assert settings_prices.SIDES == ("input", "output", "cache_write", "cache_read")
    assert Price() == (None, None, None, None)


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("sonnet", SONNET),
        ("claude-sonnet-4-5", SONNET),
        ("anthropic/claude-sonnet-4-5", SONNET),
        ("claude-sonnet-4-5-20250929", SONNET),
        ("Claude-Sonnet-4", SONNET),
        ("sonnet[1m]", SONNET),
        ("us.anthropic:sonnet@v1_0", SONNET),
        ("-sonnet-", SONNET),
        ("claude-opus-4-1", Price(9, 9)),
        ("claude-opus-4-0", Price(1, 1)),
        ("OPUS_4.1", Price(9, 9)),
        ("sonnets", None),
        ("haiku", None),
        (None, None),
    ],
)
def test_which_price_a_model_has(model: str | None, price: Price | None) -> None:
    prices = {"sonnet": SONNET, "opus": Price(1, 1), "opus-4-1": Price(9, 9)}
    assert settings_prices.price_of(model, prices) == price


def test_the_very_name_goes_before_a_part_of_it() -> None:
    prices = {"gpt-5-mini": Price(1, 1), "GPT-5-mini": Price(2, 2), "mini": Price(3, 3)}
    assert settings_prices.price_of("GPT-5-mini", prices) == Price(2, 2)
    assert settings_prices.price_of("gpt-5-mini", prices) == Price(1, 1)


def test_two_prices_that_fit_alike_are_none() -> None:
    prices = {"sonnet": Price(1, 1), "claude": Price(2, 2)}
    assert settings_prices.price_of("sonnet-claude", prices) is None
    assert settings_prices.price_of("sonnet-claude-4", {**prices, "claude-4": Price(3, 3)}) == Price(3, 3)


@pytest.mark.parametrize(
    ("amounts", "money"),
    [
        ({"input_tokens": 1_000_000}, 3),
        ({"output_tokens": 1_000_000}, 15),
        ({"input_tokens": 100_000, "output_tokens": 10_000}, 0.45),
        ({"cache_creation_input_tokens": 1_000_000}, 3),
        ({"cache_read_input_tokens": 2_000_000}, 6),
        (
            {"cache_creation_input_tokens": None, "cache_read_input_tokens": None, "output_tokens": 1},
            0.000015,
        ),
        ({"input_tokens": 1, "output_tokens": 1, "duration_ms": 10**9}, 0.000018),
        ({"input_tokens": 333_333, "output_tokens": 1}, 1.000014),
        ({"input_tokens": 1}, 0.000003),
        ({"input_tokens": None}, None),
        ({"output_tokens": None}, None),
        ({}, 0),
    ],
)
def test_a_cost_is_the_sum_of_the_tokens_by_the_million(amounts: dict[str, int | None], money: float) -> None:
    assert cost(**amounts) == money


def test_the_cache_has_prices_of_its_own() -> None:
    price = Price(3, 15, 4, 0.5)
    assert cost(price=price, cache_creation_input_tokens=1_000_000) == 4
    assert cost(price=price, cache_read_input_tokens=1_000_000) == 0.5
    assert cost(price=Price(3, 15, 0, 0), cache_creation_input_tokens=9, cache_read_input_tokens=9) == 0


def test_a_cost_is_rounded_to_a_millionth() -> None:
    assert cost(price=Price(0.55, 15), input_tokens=3) == 0.000002


def test_a_price_may_be_written_with_marks_around_its_name() -> None:
    assert settings_prices.price_of("claude-sonnet", {"-Sonnet_": SONNET}) == SONNET
    assert settings_prices.price_of("claude-xs-4", {"[XS]": SONNET}) == SONNET


@pytest.mark.parametrize("price", [Price(3, None), Price(None, 15), Price(), Price(None, None, 1, 1)])
def test_half_a_price_is_no_price(price: Price) -> None:
    assert cost(price=price, input_tokens=5, output_tokens=5) is None
    assert cost(model="haiku", input_tokens=5, output_tokens=5) is None


@pytest.mark.parametrize(
    ("price", "money", "rough"),
    [
        (SONNET, 3.15, True),
        (Price(3, 15, cache_read=0.3), 0.99, True),
        (Price(3, 15, cache_write=3.75), 3.225, True),
        (Price(3, 15, 3.75, 0.3), 1.065, False),
        (Price(3, 15, 0, 0), 0.45, False),
        (Price(3, None, 3.75, 0.3), None, False),
        (Price(None, 15), None, False),
    ],
)
def test_the_cache_has_its_own_prices_or_counts_as_input(
    price: Price, money: float | None, rough: bool
) -> None:
    entry = stage(cache_creation_input_tokens=100_000, cache_read_input_tokens=800_000)
    found = settings_prices.stage_costs(entry, {"sonnet": price})
    assert found["cost"] == (None if money is None else pytest.approx(money))
    assert found["rough"] is rough


@pytest.mark.parametrize("key", ["cache_creation_input_tokens", "cache_read_input_tokens"])
def test_tokens_of_the_cache_without_a_price_make_a_cost_rough(key: str) -> None:
    prices = {"sonnet": SONNET}
    assert settings_prices.stage_costs(stage(**{key: 5}), prices)["rough"] is True
    assert settings_prices.stage_costs(stage(**{key: 0}), prices)["rough"] is False
    assert settings_prices.stage_costs(stage(**{key: None}), prices)["rough"] is False


def test_a_stage_has_what_its_entry_says() -> None:
    entry = stage(cache_creation_input_tokens=0, cache_read_input_tokens=7, more="x")
    assert settings_prices.stage_costs(entry, {"sonnet": Price(3, 15, 1, 1)}) == {
        "name": "draft",
        "model": "claude-sonnet-4-5",
        "duration_ms": 60_000,
        "input_tokens": 100_000,
        "output_tokens": 10_000,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 7,
        "cost": 0.450007,
        "rough": False,
    }


@pytest.mark.parametrize("nonsense", [None, -1, 2.0, "5", True, [5]])
def test_what_is_no_amount_is_not_known(nonsense: object) -> None:
    entry = {"name": " ", "model": 4, **dict.fromkeys(settings_prices.AMOUNTS, nonsense)}
    unknown = dict.fromkeys(["name", "model", *settings_prices.AMOUNTS, "cost"])
    assert settings_prices.stage_costs(entry, {"sonnet": SONNET}) == {**unknown, "rough": False}


STAGES = [
    stage(cache_read_input_tokens=1000),
    stage("judge", "opus", input_tokens=1),
    stage("judge", "opus", output_tokens=None, duration_ms=None),
    stage("refine", None),
    stage("revise", "sonnet", input_tokens=None, cache_creation_input_tokens=5),
]


def costed() -> list[dict[str, Any]]:
    return [settings_prices.stage_costs(entry, {"sonnet": SONNET}) for entry in STAGES]


def test_totals_are_sums_of_what_is_known() -> None:
    assert settings_prices.total_costs(iter(costed())) == {
        "stages": 5,
        "duration_ms": 240_000,
        "input_tokens": 300_001,
        "output_tokens": 40_000,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": 1000,
        "cost": 0.453,
        "uncounted": 2,
        "unpriced": 4,
        "rough": 1,
    }


def test_totals_of_nothing_are_not_known() -> None:
    unknown = dict.fromkeys([*settings_prices.AMOUNTS, "cost"])
    counts = {"stages": 0, "uncounted": 0, "unpriced": 0, "rough": 0}
    assert settings_prices.total_costs([]) == {**unknown, **counts}


def test_a_sum_of_money_is_rounded_to_a_millionth() -> None:
    one = {**costed()[0], "cost": 0.1}
    assert settings_prices.total_costs([one, one, one])["cost"] == 0.3
    assert settings_prices.total_costs([{**one, "cost": 0.1234561}])["cost"] == 0.123456


def test_each_model_has_its_totals_and_the_unknown_one_comes_last() -> None:
    stages = costed()
    assert settings_prices.costs_by_model(stages) == [
        {"model": "claude-sonnet-4-5", **settings_prices.total_costs(stages[:1])},
        {"model": "opus", **settings_prices.total_costs(stages[1:3])},
        {"model": "sonnet", **settings_prices.total_costs(stages[4:])},
        {"model": None, **settings_prices.total_costs(stages[3:4])},
    ]
    assert [one["model"] for one in settings_prices.costs_by_model(stages[::-1])] == [
        "claude-sonnet-4-5",
        "opus",
        "sonnet",
        None,
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*settings_prices.AMOUNTS, "model"]), inner)
    ),
    max_leaves=6,
)


@given(
    st.lists(st.dictionaries(st.sampled_from([*settings_prices.AMOUNTS, "model", "name"]), JSON), max_size=5)
)
def test_sums_hold_for_any_log(entries: list[dict[str, Any]]) -> None:
    stages = [settings_prices.stage_costs(entry, {"a": Price(1, 2)}) for entry in entries]
    whole, parts = settings_prices.total_costs(stages), settings_prices.costs_by_model(stages)
    for key in ("stages", "uncounted", "unpriced"):
        assert whole[key] == sum(part[key] for part in parts)
    for key in settings_prices.AMOUNTS:
        known = [part[key] for part in parts if part[key] is not None]
        assert whole[key] == (sum(known) if known else None)


def test_a_whole_price_has_both_sides() -> None:
    assert settings_prices.is_whole(Price(0.0, 0.0))
    halves = (None, Price(), Price(1.0, None), Price(None, 1.0))
    assert not any(settings_prices.is_whole(one) for one in halves)
