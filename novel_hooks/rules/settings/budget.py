"""The author's budget: the limits of a chapter and of a run, and the step that would pass one. Pure.

A step's cost is estimated from what such steps cost in this book, of a step to come and of one whose amounts
no host reported. A run stops where nothing can be counted, for nobody can say when the limit would be passed:
money without the price of a model that was used, steps of which no host reports any amount.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.settings import prices
from novel_hooks.rules.steps.offered_answers import Choice

TOKENS, MONEY = "tokens", "money"
CHAPTER, RUN = "chapter", "run"
KEYS = tuple(f"{scope}_{what}" for scope in (CHAPTER, RUN) for what in (TOKENS, MONEY))
"""The names below `budget`: chapter_tokens, chapter_money, run_tokens, run_money."""


class Passing(Record):
    """The limit that the next step would pass: `spent` so far, `usual` cost of such a step or None.

    `unknown` steps of those so far are estimated.
    """

    scope: str
    what: str
    spent: float
    usual: float | None
    limit: float
    unknown: int = 0

    @property
    def key(self) -> str:
        """Return the setting's name."""
        return f"budget.{self.scope}_{self.what}"

    @property
    def raised(self) -> float:
        """Return a limit for this step and another such one, rounded up to two digits."""
        wanted = self.spent + 2 * (self.usual or self.limit / 2)
        unit = 0.01 if self.what == MONEY else 1
        while unit * 100 < wanted:
            unit *= 10
        return round(-(-wanted // unit) * unit, 2)


class Unpriced(Record):
    """A limit of money that cannot be checked: `model` has no price, None when its name is unknown."""

    scope: str
    model: str | None
    limit: float

    @property
    def key(self) -> str:
        """Return the setting's name."""
        return f"budget.{self.scope}_{MONEY}"


class Uncounted(Record):
    """A limit that cannot be held: of `steps` steps so far no host has told any amount."""

    scope: str
    what: str
    steps: int
    limit: float

    @property
    def key(self) -> str:
        """Return the setting's name."""
        return f"budget.{self.scope}_{self.what}"


_WHOSE = {CHAPTER: "一章", RUN: "一趟"}
BLIND = 2
"""So many steps without any amount: one may be an agent that was cut off."""


def amount(stage: Mapping[str, Any], what: str) -> float | None:
    """Return the tokens or the money of a stage, as of `prices.stage_costs`; None when unknown."""
    return prices.total_tokens(stage) if what == TOKENS else stage["cost"]


def spent(stages: Iterable[Mapping[str, Any]], what: str) -> tuple[float, int]:
    """Return (the sum of the known amounts, the number of stages with none)."""
    amounts = [amount(stage, what) for stage in stages]
    known = [one for one in amounts if one is not None]
    return round(sum(known), 6), len(amounts) - len(known)


def usual_cost(stages: Iterable[Mapping[str, Any]], phase: str, what: str) -> float | None:
    """Return the mean cost of the stages of that phase; None when none is known."""
    known = [one for stage in stages if stage["name"] == phase and (one := amount(stage, what)) is not None]
    return round(sum(known) / len(known), 6) if known else None


def estimated(
    stages: Sequence[Mapping[str, Any]], earlier: Sequence[Mapping[str, Any]], what: str
) -> tuple[float, int]:
    """Return (the sum, the number of stages that are estimated): as such steps cost, or as any does."""
    used, unknown = spent(stages, what)
    known = [one for stage in (*earlier, *stages) if (one := amount(stage, what)) is not None]
    if not unknown or not known:
        return used, 0
    mean = sum(known) / len(known)
    for stage in stages:
        if amount(stage, what) is None:
            usual = usual_cost((*earlier, *stages), stage["name"], what)
            used += mean if usual is None else usual
    return round(used, 6), unknown


def uncounted(
    limits: Mapping[str, float],
    work: Mapping[str, Sequence[Mapping[str, Any]]],
    earlier: Sequence[Mapping[str, Any]],
) -> Uncounted | None:
    """Return the first limit under which `BLIND` steps were made and not one can be counted, or estimated."""
    for scope in (CHAPTER, RUN):
        for what in (TOKENS, MONEY):
            limit = limits.get(f"{scope}_{what}")
            if limit is None or len(work.get(scope, ())) < BLIND:
                continue
            if all(amount(stage, what) is None for stage in (*earlier, *work[scope])):
                return Uncounted(scope, what, len(work[scope]), limit)
    return None


def unpriced(
    limits: Mapping[str, float],
    work: Mapping[str, Sequence[Mapping[str, Any]]],
    sent: str | None,
    known: bool,
) -> Unpriced | None:
    """Return the first limit of money for which a price is missing; None when all can be checked.

    `sent` is the model that the next step asks for, `known` whether any model has both prices. Without one no
    agent is sent; else a model counts when it was used for a step. Steps without tokens do not count.
    """
    for scope in (CHAPTER, RUN):
        limit = limits.get(f"{scope}_{MONEY}")
        if limit is None or scope not in work:
            continue
        if not known:
            return Unpriced(scope, sent, limit)
        for stage in work[scope]:
            counted = stage["input_tokens"] is not None and stage["output_tokens"] is not None
            if counted and stage["cost"] is None:
                return Unpriced(scope, stage["model"], limit)
    return None


def passing(
    limits: Mapping[str, float],
    work: Mapping[str, Sequence[Mapping[str, Any]]],
    earlier: Sequence[Mapping[str, Any]],
    phase: str,
) -> Passing | None:
    """Return the first limit that a step of this phase would pass; None when it passes none.

    `limits` are by KEYS, `work` the stages so far by scope, `earlier` those of the last chapters. Without an
    estimate a step passes the limit only when it is used up.
    """
    for scope in (CHAPTER, RUN):
        for what in (TOKENS, MONEY):
            limit = limits.get(f"{scope}_{what}")
            if limit is None or scope not in work:
                continue
            used, unknown = estimated(work[scope], earlier, what)
            usual = usual_cost([*earlier, *work[scope]], phase, what)
            if used >= limit or used + (usual or 0) > limit:
                return Passing(scope, what, used, usual, limit, unknown)
    return None


def unpriced_reason(found: Unpriced, currency: str | None) -> str:
    """Return the reason of the pause, in the author's words."""
    limit = amount_text(found.limit, MONEY, currency)
    model = f"{found.model} 没有价钱" if found.model else "有一步不知道用的哪个模型"
    return f"预算：{_WHOSE[found.scope]}的预算 {limit}管不住：{model}，花了多少算不出来"


def unpriced_choices(found: Unpriced) -> tuple[Choice, ...]:
    """Return the author's answers, the safe one first."""
    named = found.model or "模型"
    sides = f"novel config prices.{named}.input 输入价；novel config prices.{named}.output 输出价"
    why = f"一百万词元多少钱：{sides}"
    stop = Choice("stop", "先停下，写好价钱", why, "novel lock release")
    tokens = f"novel config budget.{found.scope}_{TOKENS} 500万"
    why = f"去掉这一项；要管花费，就改用词元：{tokens}"
    return stop, Choice("raise", "不管钱，接着写", why, f"novel config --unset {found.key}")


def uncounted_reason(found: Uncounted, currency: str | None) -> str:
    """Return the reason of the pause, in the author's words."""
    limit = amount_text(found.limit, found.what, currency)
    known = f"做过的 {found.steps} 步都没有记下词元数，花了多少不知道"
    return f"预算：{_WHOSE[found.scope]}的预算 {limit}管不住：{known}"


def uncounted_choices(found: Uncounted) -> tuple[Choice, ...]:
    """Return the author's answers, the safe one first."""
    stop = Choice("stop", "先停在这里", "做好的都留着；花了多少，看客户端自己的用量", "novel lock release")
    why = "去掉这一项预算；要少花，就少写几章"
    return stop, Choice("raise", "不管预算，接着写", why, f"novel config --unset {found.key}")


def reason(found: Passing, chapter: int | None, phase: str, currency: str | None) -> str:
    """Return the reason of the pause, in the author's words; `phase` is the step's title."""
    where = f"第 {chapter} 章" if found.scope == CHAPTER else "这一趟"
    limit = amount_text(found.limit, found.what, currency)
    used = f"预算：{where}已花 {amount_text(found.spent, found.what, currency)}"
    used += f"（有 {found.unknown} 步没有记下，照以往估）" if found.unknown else ""
    whose = _WHOSE[found.scope]
    if found.usual is None or found.spent >= found.limit:
        return f"{used}，{whose}的预算 {limit}已用完"
    usual = amount_text(found.usual, found.what, currency)
    return f"{used}，「{phase}」照以往要 {usual}，会超过{whose}的预算 {limit}"


def amount_text(value: float, what: str, currency: str | None) -> str:
    """Return tokens or money as the author reads them: `12,000 词元`, `0.35 元`."""
    if what == TOKENS:
        return f"{round(value):,} 词元"
    return f"{value:.2f} {currency}" if currency else f"{value:.2f}（prices 里的钱）"


def choices(found: Passing, left: int | None) -> tuple[Choice, ...]:
    """Return the author's answers, the safe one first.

    `left` chapters of the run are not written yet; None when the run has no wanted number. Another run is no
    answer when the step alone passes its limit.
    """
    stop = Choice("stop", "先停在这里", "做好的都留着，改天接着写", "novel lock release")
    if found.scope == RUN and (found.usual or 0) <= found.limit:
        why = "花费从零算起" if left is None else f"还剩 {left} 章，花费从零算起"
        return stop, Choice("again", "再开一趟，接着写", why, f"novel lock acquire --run {left or 1}")
    raised = f"{found.raised:g}" if found.what == MONEY else str(round(found.raised))
    why = f"改成 {raised}，以后{'各趟' if found.scope == RUN else '各章'}也是"
    return stop, Choice(
        "raise", f"{_WHOSE[found.scope]}的预算加一些", why, f"novel config {found.key} {raised}"
    )
