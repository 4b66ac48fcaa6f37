"""Payoffs that an outline or a contract tells before the chapter of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, faults, names

from novel_hooks.rules.volume import payoffs

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil

PAYOFF = "门上那口钟是何铁二十年前亲手沉进江里的"


def with_payoff(d: Draft) -> None:
    """The bell ends in chapter 6."""
    d.threads[0].update(signal="门上挂过一口钟，只剩钩子", payoff=PAYOFF)


def outline_tells_the_payoff(d: Draft) -> None:
    with_payoff(d)
    d.keys[5]["Conflict"] = "林渡要问清：是不是何铁，二十年前亲手沉的"


def contract_tells_the_payoff(d: Draft) -> None:
    with_payoff(d)
    d.contracts[4]["objectives"][0]["description"] = "林渡听说何铁二十年前亲手沉了它"


def payoff_told_where_it_is_due(d: Draft) -> None:
    with_payoff(d)
    d.keys[6]["Conflict"] = "何铁认了：二十年前亲手沉进江里的"


def payoff_told_by_its_signal(d: Draft) -> None:
    with_payoff(d)
    d.threads[0]["signal"] = PAYOFF
    d.keys[5]["Conflict"] = PAYOFF


def payoff_kept(d: Draft) -> None:
    with_payoff(d)


SECRET = "二十年前是他亲手把那口钟沉进江里的"


def with_secret(d: Draft) -> None:
    d.secrets["he"] = SECRET


def outline_tells_a_secret(d: Draft) -> None:
    with_secret(d)
    d.keys[4]["Conflict"] = "过不去。林渡不知道，是他亲手把那口钟沉进江里的。"


def contract_tells_a_secret(d: Draft) -> None:
    with_secret(d)
    d.contracts[5]["objectives"][0]["description"] = f"林渡听说{SECRET}"


def secret_comes_out(d: Draft) -> None:
    with_secret(d)
    contract_tells_a_secret(d)
    d.contracts[5]["postconditions"]["state_changes"]["何铁"] = {"secret": "瞒→当众认了"}
    d.contracts[5]["preconditions"]["character_states"]["何铁"] = {"at": "塔下"}
    d.keys[6]["Conflict"] = f"他认了以后：{SECRET}"


def secret_came_out_before(d: Draft) -> None:
    outline_tells_a_secret(d)
    d.told["he"] = 2


def secret_is_a_payoff_that_is_due(d: Draft) -> None:
    with_secret(d)
    with_payoff(d)
    d.threads[0]["payoff"] = f"何铁自己说：{SECRET}"
    d.keys[6]["Conflict"] = SECRET


def secret_kept(d: Draft) -> None:
    with_secret(d)


def told_by_one_who_hides(d: Draft) -> None:
    d.secrets["lin"] = SECRET


def told_by_one_whose_writer_knows(d: Draft) -> None:
    told_by_one_who_hides(d)
    for chapter in (4, 5, 6):
        d.contracts[chapter]["preconditions"]["character_states"]["林渡"] = {"secret": "瞒着何铁"}
    d.keys[4]["Conflict"] = SECRET


def told_by_one_after_it_came_out(d: Draft) -> None:
    told_by_one_who_hides(d)
    d.contracts[4]["postconditions"]["state_changes"] = {"林渡": {"secret": "瞒→认了"}}


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_FORESHADOWING",
        [
            (outline_tells_the_payoff, "第 5 章写出了伏笔「门上」（bell）的谜底"),
            (contract_tells_the_payoff, "第 4 章写出了伏笔「门上」（bell）的谜底"),
        ],
        [payoff_told_where_it_is_due, payoff_told_by_its_signal, payoff_kept],
    ),
    (
        "VOLUME_SECRET",
        [
            (outline_tells_a_secret, "第 4 章写出了「何铁」的秘密：「林渡不知道，是他亲手把那口钟"),
            (contract_tells_a_secret, "第 5 章写出了「何铁」的秘密"),
        ],
        [secret_comes_out, secret_came_out_before, secret_is_a_payoff_that_is_due, secret_kept],
    ),
    (
        "VOLUME_CAST",
        [(told_by_one_who_hides, "第 4、5、6 章从「林渡」心里写，他的秘密没有交给写手")],
        [told_by_one_whose_writer_knows, told_by_one_after_it_came_out],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_what_a_writer_gets_for_one_chapter_has_not_come_out() -> None:
    draft = Draft()
    told_by_one_who_hides(draft)
    draft.contracts[4]["preconditions"]["character_states"]["林渡"] = {"secret": "瞒着何铁"}
    draft.keys[5]["Conflict"] = SECRET
    assert [problem.code for problem in payoffs.early_secret_problems(draft.plan())] == ["VOLUME_SECRET"]
    (found,) = payoffs.own_secret_problems(draft.plan())
    assert "第 5、6 章从「林渡」心里写" in str(found)
    draft.last = 5
    (found,) = payoffs.own_secret_problems(draft.plan())
    assert "第 6 章从「林渡」心里写" in str(found), "written chapters are left alone"


def test_a_payoff_of_the_book_counts_where_the_plan_leaves_the_thread_out() -> None:
    draft = Draft()
    draft.facts.append({"id": "salt", "status": "planted", "payoff": "盐引是账房自己印的假票"})
    draft.keys[4]["Arc"] = "他还不知道盐引是账房自己印的假票"
    (found,) = payoffs.early_payoff_problems(draft.plan())
    assert "「salt」" in str(found)
    draft.facts[-1]["status"] = "resolved"
    assert list(payoffs.early_payoff_problems(draft.plan())) == []
