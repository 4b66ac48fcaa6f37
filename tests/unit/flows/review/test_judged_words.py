"""Words in the place of ids, wherever an author reads what a judge wrote."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, make_verdict
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.review import shown_names
from tools import bookparts
from unit.flows.packet.test_phase_inputs import reading

if TYPE_CHECKING:
    from pathlib import Path

DUTY = {"id": "C-SD-1", "type": "belief", "rule": "夜里不点灯。"}
THREAD = {
    "id": "old-lamp",
    "description": "船灯会自己亮。收：灯里有人。",
    "status": "planted",
    "planted_chapter": 1,
}
SAID = "W-001 与 C-SD-1 打架：shen-du 在 ferry-line 里提起 old-lamp，OBJ-1 没有写到。"
IDS = ("W-001", "C-SD-1", "shen-du", "old-lamp")


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = book(tmp_path, 1)
    card = found.json(layout.character_card("shen-du"))
    found.write(layout.character_card("shen-du"), {**card, "contracts": [DUTY]})
    found.write(layout.FORESHADOWING, {"foreshadowing": [THREAD]})
    return found


def test_every_kind_of_id_has_its_words(made: Book) -> None:
    known = shown_names.read(reading(made), 2)
    objective = made.json(layout.contract(1, 2))["objectives"][0]
    assert known[objective["id"]] == f"「{objective['description'].rstrip('。')}」"
    assert known["C-SD-1"] == "「沈渡：夜里不点灯」"
    assert (known["shen-du"], known["old-lamp"]) == ("沈渡", "「船灯会自己亮」")
    assert bookparts.storyline_id(1) not in known, "its name is its id"


def judged(made: Book, overall: float, **verdict: object) -> None:
    """The chapter in work judged with words full of ids, by way of the command."""
    made.until("refined")
    told = make_verdict(overall, strengths=[SAID], issues=[SAID], **verdict)
    told["contract_verification"]["l2_checks"] = [
        {"contract_id": "C-SD-1", "status": "violation_suspected", "confidence": "low", "detail": SAID}
    ]
    told["scores"]["pacing"] = {**told["scores"]["pacing"], "reason": SAID}
    made.ok("judge", "record", "--role", "primary", "--model", "sonnet", "--file", made.words(told))
    made.advance("judge")


def test_who_is_asked_over_a_verdict_reads_no_id(made: Book) -> None:
    judged(made, 2.5, required_fixes=[{"target": "C-SD-1", "instruction": SAID, "kind": "story"}])
    found = made.next()
    assert found["stop"] and found["verdict"]["faults"]
    pages = ["\n".join(found["verdict"]["faults"]), made.novel("gate", "2").text, made.novel("log", "2").text]
    for page in (*pages, made.novel("next").text, made.novel("status").text):
        assert not [one for one in IDS if one in page], page
    assert "夜里不点灯" in pages[0]


def test_what_is_told_with_a_landing_and_in_the_review(made: Book) -> None:
    judged(made, 4.5, required_fixes=[{"target": "W-001", "instruction": SAID, "kind": "text"}])
    landed = made.novel("commit", "--chapter", "2")
    again = made.novel("commit", "--chapter", "2")
    assert landed.data["judged"] == again.data["judged"] and len(landed.data["judged"]) == 2
    log = made.lines(layout.CHANGELOG)
    op = {"op": "inc", "path": "characters.shen-du.level", "value": 1}
    log[-1]["dropped"] = [{"op": op, "reason": "原来的不是数字"}]
    made.write(layout.CHANGELOG, "".join(f"{json.dumps(one)}\n" for one in log))
    review = made.novel("review", "1").text
    assert "沈渡的境界加「1」" in review
    for page in (landed.text, *landed.data["judged"], review, made.novel("log", "2").text):
        assert not [one for one in IDS if one in page], page
