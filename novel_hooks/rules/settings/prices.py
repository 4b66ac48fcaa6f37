"""Costs of the work on chapters: time, tokens, money. Pure.

Money is in the author's own unit: he gives the price of a million tokens of a model (`prices` of
`novel.yaml`), and a model without a price has no cost. An amount that is not known is None, never 0.
Source: protocol §1 (chapter log).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer, text

AMOUNTS = (
    "duration_ms",
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
_MILLION = 1_000_000


class Price(Record):
    """Prices of a million tokens of a model; None: the author gave none for them.

    `cache_write` and `cache_read` are for tokens put into and taken from the host's cache.
    """

    input: float | None = None
    output: float | None = None
    cache_write: float | None = None
    cache_read: float | None = None


SIDES = tuple(Price._fields)


def stage_costs(entry: Mapping[str, Any], prices: Mapping[str, Price]) -> dict[str, Any]:
    """Return the costs of one stage of a log: `{name, model, …AMOUNTS, cost, rough}`.

    A value that is not known is None. `rough`: the cost counts tokens of the cache as input.
    """
    amounts = {key: _amount(entry.get(key)) for key in AMOUNTS}
    model = text(entry.get("model"))
    money = cost(model, amounts, prices)
    rough = money is not None and _is_rough(amounts, price_of(model, prices))
    return {"name": text(entry.get("name")), "model": model, **amounts, "cost": money, "rough": rough}


def total_tokens(amounts: Mapping[str, Any]) -> int | None:
    """Return all tokens of a stage or a sum: read, cached and written; None when no host counted any."""
    known = [amounts[key] for key in AMOUNTS[1:] if amounts.get(key) is not None]
    return sum(known) if known else None


def cost(model: str | None, amounts: Mapping[str, int | None], prices: Mapping[str, Price]) -> float | None:
    """Return the money that the tokens of a stage cost, in the unit of `prices`.

    None without both prices or without both counts: half a sum would look like a whole one. Tokens of the
    host's cache without a price of their own are counted as input.
    """
    price = price_of(model, prices)
    if price is None or price.input is None or price.output is None:
        return None
    if amounts["input_tokens"] is None or amounts["output_tokens"] is None:
        return None
    written = price.input if price.cache_write is None else price.cache_write
    read = price.input if price.cache_read is None else price.cache_read
    money = (
        amounts["input_tokens"] * price.input
        + amounts["output_tokens"] * price.output
        + (amounts["cache_creation_input_tokens"] or 0) * written
        + (amounts["cache_read_input_tokens"] or 0) * read
    )
    return round(money / _MILLION, 6)


def _is_rough(amounts: Mapping[str, int | None], price: Price | None) -> bool:
    """Return whether tokens of the cache were counted as input, for want of a price of their own."""
    return price is not None and (
        (price.cache_write is None and bool(amounts["cache_creation_input_tokens"]))
        or (price.cache_read is None and bool(amounts["cache_read_input_tokens"]))
    )


def is_whole(price: Price | None) -> bool:
    """Tell whether a price has both sides, so that work can be counted with it."""
    return price is not None and price.input is not None and price.output is not None


def price_of(model: str | None, prices: Mapping[str, Price]) -> Price | None:
    """Return the price of that very name, else of one that is a part of it (`sonnet` of `claude-sonnet-4-5`).

    Of several parts the longest counts, of equally long ones none: it would be a guess.
    """
    if model is None or not prices:
        return None
    if model in prices:
        return prices[model]
    words = f"-{_normalize_model(model)}-"
    fitting = sorted(
        (name for name in prices if f"-{_normalize_model(name)}-" in words), key=len, reverse=True
    )
    if not fitting or (len(fitting) > 1 and len(fitting[0]) == len(fitting[1])):
        return None
    return prices[fitting[0]]


def _normalize_model(model: str) -> str:
    return "".join("-" if mark in "-_.:/@[]" else mark for mark in model.lower()).strip("-")


def total_costs(stages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `{stages, …AMOUNTS, cost, uncounted, unpriced, rough}` of stages as `stage_costs` gives them.

    Sums are of the known values, None when there are none. `uncounted` stages have no tokens, `unpriced` no
    cost, `rough` ones a cost that counts tokens of the cache as input.
    """
    listed = list(stages)
    sums: dict[str, Any] = {key: _sum(listed, key) for key in AMOUNTS}
    money = _sum(listed, "cost")
    return {
        "stages": len(listed),
        **sums,
        "cost": None if money is None else round(money, 6),
        "uncounted": sum(one["input_tokens"] is None or one["output_tokens"] is None for one in listed),
        "unpriced": sum(one["cost"] is None for one in listed),
        "rough": sum(one["rough"] for one in listed),
    }


def costs_by_model(stages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the totals of each model, by name; stages whose model is not known come last, under None."""
    groups: dict[str | None, list[Mapping[str, Any]]] = {}
    for one in stages:
        groups.setdefault(one["model"], []).append(one)
    order = sorted(groups, key=lambda name: (name is None, name or ""))
    return [{"model": name, **total_costs(groups[name])} for name in order]


def _sum(listed: Iterable[Mapping[str, Any]], key: str) -> Any:
    known = [one[key] for one in listed if one[key] is not None]
    return sum(known) if known else None


def _amount(value: object) -> int | None:
    amount = integer(value)
    return amount if amount is not None and amount >= 0 else None
