"""What an agent does without when its packet is too much: stated order, told in full, never what binds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.rules.packet import cuts, size_limit
from novel_hooks.rules.packet import packet as packets
from novel_hooks.rules.packet.packet import Input
from novel_hooks.rules.packet.size_limit import Offer
from novel_hooks.rules.text import length
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema
from unit.flows.packet.test_chapter_inputs import at_phase, packet, value

NEVER = {"hard_rules_list", "chapter_contract", "chapter_outline", "required_fixes", "chapter_content"}


def thread(name: str, **more: Any) -> dict[str, Any]:
    plain = {"id": name, "description": f"{name} 的来历", "scope": "short", "status": "planted"}
    return {**plain, "planted_chapter": 1, "target_resolve_range": [1, 2000], "history": [], **more}


def crowd(made: Book, threads: int) -> None:
    """`threads` open threads, and a state full of people whom nobody names."""
    facts = made.json(layout.FORESHADOWING)["foreshadowing"]
    more = [thread(f"thread-{n:03d}", description="一根绳子" * 20) for n in range(threads)]
    made.write(layout.FORESHADOWING, {"foreshadowing": [*facts, *more]})
    state = made.json(layout.STATE)
    extra = {f"guest-{n:03d}": {"display_name": f"客{n:03d}", "location": "远处" * 10} for n in range(300)}
    state["characters"].update(extra)
    made.write(layout.STATE, jsonio.dump(state))


def limit(made: Book, chars: int) -> None:
    agents = ", ".join(f"{agent}: {chars}" for agent in size_limit.LIMITS)
    made.write(layout.CONFIG, f"packet_chars: {{{agents}}}\n")


def total(found: dict[str, Any]) -> int:
    return sum(i["chars"] for i in found["inputs"])


@pytest.mark.parametrize("chapters", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_same_bound_at_chapter_10_and_1000_with_300_open_threads(tmp_path: Path, chapters: int) -> None:
    made = book(tmp_path, chapters, volume_size=60)
    crowd(made, 300)
    found = packet(made, "draft")
    assert schema.problems("packet", found, "packet") == []
    assert (
        total(found) == found["cap"]["chars"] <= found["cap"]["limit"] == size_limit.LIMITS["chapter-writer"]
    )
    assert found["cap"]["over"] == 0
    keys = {c["key"] for c in found["cap"]["cut"]}
    assert {"foreshadowing_tasks"} <= keys <= {"current_state", "foreshadowing_tasks"}
    (cut,) = [c for c in found["cap"]["cut"] if c["key"] == "foreshadowing_tasks"]
    assert cut["path"] is None
    tasks = value(found, "foreshadowing_tasks")
    assert len(tasks) == cut["of"] - cut["pieces"] >= cuts.PRESSING
    assert [t["id"] for t in tasks] == sorted(t["id"] for t in tasks)
    (told,) = [w for w in found["warnings"] if "没有给全" in w]
    assert f"{cut['chars']} 字" in told and "伏笔任务" in told
    assert any("cap.cut" in rule for rule in found["rules"])


def test_what_fits_is_not_touched(tmp_path: Path) -> None:
    found = packet(at_phase(tmp_path, "draft"), "draft")
    assert found["cap"]["cut"] == [] and found["cap"]["over"] == 0
    assert not any("cap.cut" in rule for rule in found["rules"])


@pytest.mark.parametrize("phase", ["draft", "revise", "summarize", "refine", "judge", "polish"])
def test_what_binds_is_never_cut_and_the_rest_is_told(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    crowd(made, 60)
    blacklist = made.json(layout.BLACKLIST)
    made.write(layout.BLACKLIST, {**blacklist, "update_log": [{"at": 1, "why": "x" * 50}]})
    limit(made, 10**6)
    whole = packet(made, phase)
    limit(made, 1)
    found = packet(made, phase)
    assert schema.problems("packet", found, "packet") == []
    keys = {i["key"] for i in whole["inputs"]}
    assert {c["key"] for c in found["cap"]["cut"]} <= set(size_limit.ORDER[found["agent"]])
    assert {i["key"] for i in found["inputs"]} >= keys - set(size_limit.ORDER[found["agent"]])
    before = {i["sha256"] for i in whole["inputs"] if i["key"] in NEVER}
    assert before <= {i["sha256"] for i in found["inputs"]}
    assert found["cap"]["over"] == total(found) - 1 > 0
    assert total(whole) - total(found) == sum(c["chars"] for c in found["cap"]["cut"]) > 0
    assert any("仍比 1 字多出" in w for w in found["warnings"])
    assert jsonio.dump(found) == jsonio.dump(packet(made, phase))


@pytest.mark.parametrize("step", [3600, pytest.param(900, marks=pytest.mark.exhaustive)])
def test_the_order_is_kept(tmp_path: Path, step: int) -> None:
    """The lower the limit, the more keys are cut, one after the other."""
    made = at_phase(tmp_path, "draft")
    crowd(made, 60)
    seen: list[set[str]] = []
    limit(made, 10**6)
    for chars in range(total(packet(made, "draft")), 0, -step):
        limit(made, chars)
        keys = {c["key"] for c in packet(made, "draft")["cap"]["cut"]}
        if not seen or keys != seen[-1]:
            seen.append(keys)
    assert all(less < more for less, more in zip(seen, seen[1:]))
    order = list(dict.fromkeys(size_limit.ORDER["chapter-writer"]))
    met = [key for less, more in zip([set(), *seen], seen) for key in order if key in more - less]
    assert met == [key for key in order if key in seen[-1]] and len(met) >= (5 if step == 900 else 3)


@pytest.mark.parametrize(
    "text",
    [
        "packet_chars: 7\n",
        "packet_chars: {chapter-writer: 0}\n",
        "packet_chars: {chapter-writer: true}\n",
        "packet_chars: {writer: 5}\n",
    ],
)
def test_a_limit_that_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    made = at_phase(tmp_path, "refine")
    made.write(layout.CONFIG, text)
    code = "CONFIG_KEY_UNKNOWN" if "{writer" in text else "CONFIG_VALUE"
    assert made.novel("instructions", made.step("refine")).diagnostics[0].code == code


def test_one_size_for_all_of_it() -> None:
    one = packets.file_input("brief", "world_doc", "b.md", "# 标题\n\n正文，两句。\n")
    assert size_limit.size(one) == length.count(one.body()).chars == one.document(False)["chars"] == 6


def test_limits_and_order_are_those_of_the_page() -> None:
    page = (Path(CHECKOUT) / "docs/agent-contract.md").read_text("utf-8").split("### What is cut")[1]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*) \|$", page, re.M)
    assert {agent: int(most) for agent, most, _ in rows} == dict(size_limit.LIMITS)
    assert {agent: tuple(re.findall(r"`(\w+)`", keys)) for agent, _, keys in rows} == dict(size_limit.ORDER)
    told = set(re.findall(r"^\| `(\w+)` \|", page.split("| key |")[1], re.M))
    assert told == {key for keys in size_limit.ORDER.values() for key in keys} == set(cuts._MAKERS)


def text(path: str, chars: int) -> Input:
    return packets.file_input("research", "research", path, "字" * chars)


def shortened(one: Input, sizes: list[int], place: int = 0) -> Offer:
    """An offer of pieces of these sizes from the end of an input, which goes with the last of them."""

    def without(count: int) -> Input | None:
        left = size_limit.size(one) - sum(sizes[:count])
        return one._replace(text="字" * left) if left else None

    return Offer(place, len(sizes) + 1, tuple(sizes), without)


def test_inputs_within_the_limit_ask_for_no_offers() -> None:
    def never() -> list[Offer]:
        raise AssertionError("offers were asked for")

    fitted = size_limit.fit([text("a.md", 5), text("b.md", 4)], 9, never)
    assert fitted == ((text("a.md", 5), text("b.md", 4)), 9, 9, 0, ())
    assert fitted.document() == {"limit": 9, "chars": 9, "over": 0, "cut": []}


def test_pieces_go_until_the_rest_fits() -> None:
    one, two = text("a.md", 10), text("b.md", 10)
    offers = [shortened(two, [2, 3, 5], 1), shortened(one, [4, 4])]
    for limit_, left, over, cut in (
        (19, [10, 8], 0, [("b.md", 2, 8, 1, 4)]),
        (18, [10, 8], 0, [("b.md", 2, 8, 1, 4)]),
        (17, [10, 5], 0, [("b.md", 5, 5, 2, 4)]),
        (14, [10], 0, [("b.md", 10, 0, 3, 4)]),
        (9, [6], 0, [("a.md", 4, 6, 1, 3), ("b.md", 10, 0, 3, 4)]),
        (1, [2], 1, [("a.md", 8, 2, 2, 3), ("b.md", 10, 0, 3, 4)]),
    ):
        fitted = size_limit.fit([one, two], limit_, lambda: offers)
        assert [size_limit.size(rest) for rest in fitted.inputs] == left
        assert (fitted.limit, fitted.chars, fitted.over) == (limit_, sum(left), over)
        assert [(c.path, c.chars, c.left, c.pieces, c.of) for c in fitted.cuts] == cut
        assert fitted.document()["cut"] == [
            {"key": "research", "path": path, "chars": chars, "left": rest, "pieces": pieces, "of": of}
            for path, chars, rest, pieces, of in cut
        ]


def test_sizes_are_estimates_and_more_pieces_go_where_they_were_too_high() -> None:
    one = text("a.md", 10)
    offer = Offer(0, 5, (5, 5, 5, 5), lambda count: one._replace(text="字" * (10 - 2 * count)))
    (cut,) = size_limit.fit([one], 5, lambda: [offer]).cuts
    assert (cut.pieces, cut.chars, cut.left) == (3, 6, 4)
    assert size_limit.fit([one], 1, lambda: [offer]).over == 1


def test_two_turns_of_one_input_are_one_cut() -> None:
    one = text("a.md", 10)

    def turn(first: int) -> Offer:
        return Offer(0, 5, (2, 2), lambda count: one._replace(text="字" * (10 - 2 * (first + count))))

    fitted = size_limit.fit([one], 3, lambda: [turn(0), turn(2)])
    (cut,) = fitted.cuts
    assert (cut.pieces, cut.of, cut.chars, cut.left, fitted.chars, fitted.over) == (4, 5, 8, 2, 2, 0)


def test_an_offer_that_saves_nothing_is_passed_over() -> None:
    one, two = text("a.md", 10), text("b.md", 10)
    longer = Offer(0, 1, (5,), lambda count: one._replace(text="字" * 10))
    fitted = size_limit.fit([one, two], 15, lambda: [longer, shortened(two, [6], 1)])
    assert [(cut.path, cut.chars) for cut in fitted.cuts] == [("b.md", 6)]
    assert fitted.inputs[0] is one
    nothing = Offer(0, 1, (), lambda count: one)
    assert size_limit.fit([one], 5, lambda: [nothing]) == ((one,), 5, 10, 5, ())


def test_nothing_has_no_size() -> None:
    assert size_limit.size(None) == 0
    assert size_limit.size(packets.value_input("n", {"a": "文 文"})) == len('{"a":"文文"}')


def test_texts_that_go_line_by_line() -> None:
    assert size_limit.BY_LINE == ("research", "world_docs", "style_samples")
