"""Secrets of the book in the packets: who gets them, and who does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.flows.book import foreshadowing
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs
from novel_hooks.rules.text import secrets
from novel_hooks.store.files.project import Project
from tools import bookparts
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase, packet, value

PAYOFF = "船灯是守塔人沈渡的父亲二十年前亲手换下来的"
SECRET = "乔九替县衙抄过三年的过河名单，夜里送出去"
SIGNAL = "船灯的铜底比别的灯新"
TELLING = f"他在这里就想到{PAYOFF}，太早。把这半句删掉。"
WRITING = [phase for phase in AGENTS if phase != "judge"]


def with_secrets(made: Book, **plan: Any) -> Book:
    """A thread with a payoff in facts and plan, a card with a secret; the outline's preface tells both."""
    thread = {
        "id": "lamp-base",
        "description": f"铜底新：{PAYOFF}",
        "signal": SIGNAL,
        "payoff": PAYOFF,
        "scope": "short",
        "planted_chapter": 2,
        "target_resolve_range": [4, 8],
    }
    made.write(layout.foreshadowing_plan(1), {"foreshadowing": [{**thread, **plan, "status": "planted"}]})
    facts = {"id": "lamp-base", "description": f"铜底新：{PAYOFF}", "signal": SIGNAL, "payoff": PAYOFF}
    made.write(
        layout.FORESHADOWING,
        {"foreshadowing": [{**facts, "scope": "short", "status": "planted", "target_resolve_range": [4, 8]}]},
    )
    card = made.json(layout.character_card("qiao-jiu"))
    made.write(layout.character_card("qiao-jiu"), {**card, "secret": SECRET})
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), f"# 第一卷\n\n卷末揭开：{PAYOFF}。{SECRET}。\n\n{text}")
    brief = made.at(layout.BRIEF).read_text("utf-8")
    made.write(layout.BRIEF, f"{brief}\n谜底：{PAYOFF}。\n")
    return made


def shown(made: Book, found: dict[str, Any]) -> str:
    """All that the agent reads: the packet, and the files that it names."""
    files = [made.at(one["path"]).read_text("utf-8") for one in found["inputs"] if "path" in one]
    return "\n".join([json.dumps(found, ensure_ascii=False), *files])


@pytest.mark.parametrize("phase", WRITING)
def test_no_packet_of_those_who_write_holds_a_payoff_or_a_secret(tmp_path: Path, phase: str) -> None:
    made = with_secrets(at_phase(tmp_path, phase))
    if phase in ("revise", "polish"):
        telling(made, phase)
    for more in ([], ["--embed"]):
        told = shown(made, packet(made, phase, *more))
        assert "二十年前亲手换下来" not in told and "抄过三年的过河名单" not in told


@pytest.mark.parametrize("phase", ["draft", "summarize", "revise"])
def test_the_writer_gets_the_signal(tmp_path: Path, phase: str) -> None:
    made = with_secrets(at_phase(tmp_path, phase))
    (one,) = [t for t in value(packet(made, phase), "foreshadowing_tasks") if t["id"] == "lamp-base"]
    assert one["signal"] == SIGNAL and not {"payoff", "description"} & set(one)


def test_a_thread_without_signal_and_payoff_keeps_its_description(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    one = {"id": "rope", "description": "绳结", "status": "planted", "target_resolve_range": [4, 8]}
    made.write(layout.FORESHADOWING, {"foreshadowing": [one]})
    assert {
        "id": "rope",
        "description": "绳结",
        "status": "planted",
        "target_resolve_range": [4, 8],
    } in value(packet(made, "draft"), "foreshadowing_tasks")


def test_the_judge_gets_both(tmp_path: Path) -> None:
    made = with_secrets(at_phase(tmp_path, "judge"))
    found = packet(made, "judge")
    (one,) = [t for t in value(found, "foreshadowing_tasks") if t["id"] == "lamp-base"]
    assert (one["signal"], one["payoff"]) == (SIGNAL, PAYOFF)
    assert value(found, "character_contracts")["qiao-jiu"]["secret"] == SECRET


@pytest.mark.parametrize("by", ["contract", "outline"])
def test_where_the_chapter_resolves_a_thread_the_writer_gets_its_payoff(tmp_path: Path, by: str) -> None:
    made = with_secrets(at_phase(tmp_path, "draft"))
    if by == "contract":
        contract = made.json(layout.contract(1, 5))
        updates = [{"id": "lamp-base", "action": "resolved"}]
        made.write(
            layout.contract(1, 5),
            {**contract, "postconditions": {**contract["postconditions"], "foreshadowing_updates": updates}},
        )
    else:
        text = made.at(layout.outline(1)).read_text("utf-8")
        block = bookparts.outline_block(5)
        made.write(layout.outline(1), text.replace(block, block.replace("clue-001", "收 lamp-base")))
    (one,) = [t for t in value(packet(made, "draft"), "foreshadowing_tasks") if t["id"] == "lamp-base"]
    assert (one["todo"], one["payoff"]) == ("resolved", PAYOFF)


def telling(made: Book, phase: str, note: str | None = None) -> None:
    """The staged evaluation asks for what tells the payoff."""
    document = made.json(made.staged("evaluation"))
    verdict = document["metadata"]["judges"]["primary"]["verdict"]
    verdict["required_fixes"] = [
        {"target": "第一段", "instruction": TELLING, "kind": "text"},
        {"target": "第二段", "instruction": "竹筹的数目写成三根。", "kind": "text"},
    ]
    for check in verdict["contract_verification"]["l1_checks"]:
        check["detail"] = f"这一句说破了：{PAYOFF}"
    if note:
        document["metadata"]["gate"]["note"] = note
    made.write(made.staged("evaluation"), document)


@pytest.mark.parametrize("phase", ["revise", "polish"])
def test_what_the_judge_asks_for_is_looked_through(tmp_path: Path, phase: str) -> None:
    made = with_secrets(at_phase(tmp_path, phase))
    telling(made, phase)
    answer = made.novel("instructions", made.step(phase))
    fixes = value(answer.data, "required_fixes")
    assert [(one["target"], one["instruction"]) for one in fixes] == [
        ("第一段", "把这半句删掉。"),
        ("第二段", "竹筹的数目写成三根。"),
    ]
    (warning,) = [w for w in answer.data["warnings"] if "说破" in w]
    assert "二十年前" not in warning
    assert PAYOFF in str(answer.text), "the author reads what was kept back"


def test_the_authors_own_note_is_given_as_it_is(tmp_path: Path) -> None:
    made = with_secrets(at_phase(tmp_path, "revise"))
    telling(made, "revise", note=f"就在这里说破：{PAYOFF}")
    first, second, _ = value(packet(made, "revise"), "required_fixes")
    assert first["instruction"] == f"就在这里说破：{PAYOFF}"
    assert second["instruction"] == "把这半句删掉。"


def test_a_recording_anew_gets_no_payoff_either(tmp_path: Path) -> None:
    made = with_secrets(book(tmp_path, chapters=4))
    made.ok("sync", "4", "--yes")
    step = made.next()["step"]
    assert step == "sync:004:summarize"
    told = shown(made, made.ok("instructions", step))
    assert SIGNAL in told and "二十年前亲手换下来" not in told
    made.records()


@pytest.mark.parametrize("where", ["contract", "outline", "wants", "rule"])
@pytest.mark.parametrize("secret", [PAYOFF, SECRET], ids=["payoff", "secret"])
def test_the_plan_of_the_chapter_itself_tells_its_writer_no_secret(
    tmp_path: Path, where: str, secret: str
) -> None:
    made = with_secrets(at_phase(tmp_path, "draft"))
    words = f"乔九上船。其实{secret}。"
    if where == "contract":
        contract = made.json(layout.contract(1, 5))
        contract["objectives"][0]["description"] = words
        made.write(layout.contract(1, 5), contract)
    elif where == "outline":
        text, block = made.at(layout.outline(1)).read_text("utf-8"), bookparts.outline_block(5)
        made.write(layout.outline(1), text.replace(block, f"{block.rstrip()}\n{words}\n\n"))
    else:
        card = made.json(layout.character_card("qiao-jiu"))
        more: dict[str, Any] = {"wants": words, "contracts": [{"id": "C-9", "rule": words}]}
        key = "wants" if where == "wants" else "contracts"
        made.write(layout.character_card("qiao-jiu"), {**card, key: more[key]})
    answer = made.novel("instructions", made.step("draft"))
    told = shown(made, answer.data)
    assert "乔九上船。" in told and secret not in told
    (warning,) = [w for w in answer.data["warnings"] if "后文才揭开" in w]
    assert secret[:8] not in warning and secret in str(answer.text), "the author reads what was kept back"


@pytest.mark.parametrize("phase", ["draft", "summarize", "revise"])
def test_the_state_tells_no_secret_that_a_card_began_it_with(tmp_path: Path, phase: str) -> None:
    made = with_secrets(at_phase(tmp_path, phase))
    state = made.json(layout.STATE)
    knows = ["船灯夜里不灭", f"其实{SECRET}", PAYOFF]
    state["characters"]["qiao-jiu"] = {"display_name": "乔九", "knows": knows}
    made.write(layout.STATE, state)
    answer = made.novel("instructions", made.step(phase))
    told = json.dumps(answer.data, ensure_ascii=False)
    assert "船灯夜里不灭" in told and SECRET not in told and PAYOFF not in told
    (warning,) = [w for w in answer.data["warnings"] if "后文才揭开" in w]
    assert "「故事状态」" in warning and SECRET in str(answer.text)
    assert value(answer.data, "current_state")["characters"]["qiao-jiu"]["knows"][0] == "船灯夜里不灭"


def test_a_secret_that_comes_out_in_the_chapter_is_given(tmp_path: Path) -> None:
    made = with_secrets(at_phase(tmp_path, "draft"))
    contract = made.json(layout.contract(1, 5))
    contract["objectives"][0]["description"] = f"当众说破：{SECRET}"
    contract["postconditions"]["state_changes"] = {"乔九": {"secret": "瞒→说破"}}
    made.write(layout.contract(1, 5), contract)
    answer = made.novel("instructions", made.step("draft"))
    assert value(answer.data, "people")["qiao-jiu"]["secret"] == SECRET
    assert "说破" in value(answer.data, "people")["qiao-jiu"]["secret_use"]
    assert SECRET in str(value(answer.data, "chapter_contract"))
    assert not [w for w in answer.data["warnings"] if "后文才揭开" in w]


def test_a_secret_that_somebody_keeps_in_the_chapter_is_given_to_its_writer(tmp_path: Path) -> None:
    made = with_secrets(at_phase(tmp_path, "draft"))
    contract = made.json(layout.contract(1, 5))
    contract["preconditions"]["character_states"]["乔九"] = {"secret": "一句不说"}
    made.write(layout.contract(1, 5), contract)
    person = value(made.ok("instructions", made.step("draft")), "people")["qiao-jiu"]
    assert person["secret"] == SECRET and "不说破" in person["secret_use"]


@pytest.mark.parametrize("phase", ["draft", "judge"])
def test_the_answers_of_the_brief_are_for_planners_and_the_judge(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    brief = made.at(layout.BRIEF).read_text("utf-8")
    answers = "## 谜底（写手不看）\n\n灯是账房吹灭的。\n\n### 结局\n\n天亮了。\n\n## 规模\n\n三卷。\n"
    made.write(layout.BRIEF, f"{brief}\n{answers}")
    found = made.ok("instructions", made.step(phase), "--embed")
    (given,) = [one for one in found["inputs"] if one["key"] == "project_brief"]
    assert brief.strip() in given["text"] and "三卷。" in given["text"]
    assert ("灯是账房吹灭的" in given["text"], "天亮了" in given["text"]) == ((phase == "judge"),) * 2
    assert ("path" in given) is (phase == "judge"), "whoever is not to read it is not sent to the file"


def test_secrets_are_read_once_for_a_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = with_secrets(at_phase(tmp_path, "revise"))
    telling(made, "revise")
    read: list[int] = []
    payoffs = foreshadowing.secret_payoffs
    monkeypatch.setattr(foreshadowing, "secret_payoffs", lambda *given: read.append(1) or payoffs(*given))
    desk = Desk(Reading(Project(str(made.root))), 1, 5)
    chapter_inputs.for_phase(desk, "revise", 1)
    assert read == [1]


GOLDEN = Path(CHECKOUT) / "tests/golden/packets"
SAMPLE = Path(CHECKOUT) / "novel_hooks/sample/project"


@pytest.mark.parametrize(
    "name", sorted(p.name for p in GOLDEN.glob("chapter-*.json") if p.stem.split("-")[2] != "judge")
)
def test_the_samples_packets_tell_no_payoff(name: str) -> None:
    """Its threads end in the fifth chapter and later; what a packet names is read too."""
    found = json.loads((GOLDEN / name).read_text("utf-8"))
    named = [SAMPLE / one["path"] for one in found["inputs"] if "path" in one]
    text = "\n".join(
        [json.dumps(found, ensure_ascii=False), *(p.read_text("utf-8") for p in named if p.exists())]
    )
    plan = json.loads((SAMPLE / layout.foreshadowing_plan(1)).read_text("utf-8"))["foreshadowing"]
    hidden = [one["payoff"] for one in plan if one.get("payoff")]
    texts = secrets.plan_texts([text])
    assert len(hidden) > 5
    assert [told for told in hidden if secrets.telling_sentence(texts, told)] == []


@pytest.mark.parametrize("phase", ["draft", "revise"])
def test_where_contract_and_state_cannot_both_be_true_is_told_before_the_draft(
    tmp_path: Path, phase: str
) -> None:
    made = at_phase(tmp_path, phase)
    state = made.json(layout.STATE)
    state["items"] = {"布老虎": {"display_name": "布老虎"}}
    state["characters"].setdefault("shen-du", {"display_name": "沈渡"})["inventory"] = ["缝好的布老虎"]
    made.write(layout.STATE, state)
    contract = made.json(layout.contract(1, 5))
    contract["preconditions"]["character_states"]["乔九"] = {"holds": "布老虎"}
    made.write(layout.contract(1, 5), contract)
    warnings = made.ok("instructions", made.step(phase))["warnings"]
    assert len([one for one in warnings if "它在「沈渡」手里" in one]) == (phase == "draft")
