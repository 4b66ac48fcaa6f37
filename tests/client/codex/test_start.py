"""`$novel-start` in the real Codex: setting and a volume, the author's answers in plain messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book

from client import desk, sample_crew
from client.author import first
from client.codex.conversation import PIECE, STEP
from client.codex.model import CodexModel
from client.codex.server import Server
from client.codex.test_guard import WRITER, one_agent
from client.scenario import Call
from client.start_scenario import ASKED, as_in_the_sample, is_written, scenario
from novel_hooks import layout
from novel_hooks.rules.hosting import replacements

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from client.codex.harness import CodexHost

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]

IDEA = "一座年年要换索的桥"


def test_setting_and_a_volume(host: CodexHost, tmp_path: Path) -> None:
    """From an idea: he is asked for the brief heading by heading; the rest is made, shown to him and landed.

    One session of many turns. An answer is an option's words, or his own.
    """
    place = tmp_path / "新 书"
    place.mkdir()
    assert host.novel(place, "init", "--title", "第七索").returncode == 0
    made = Book(place, 1)
    host.connect(place)
    asked: list[str] = []

    def reply(question: Mapping[str, Any]) -> str:
        asked.append(question["question"])
        return IDEA if question["question"] == ASKED[0] else first(question)

    model = CodexModel(place, scenario(), host.prompts(), lambda: None)
    with model, Server(host, place, model.url) as server:
        thread, _ = server.begin(f"$novel-start {IDEA}")
        server.await_end(thread)
        while model.codex.asked:
            server.say(thread, "\n".join(map(reply, model.codex.asked)))
    assert model.faults == []
    assert asked == [desk.MENU, *ASKED, desk.SAMPLE, desk.LANDS, desk.MENU, desk.LANDS, desk.MENU]
    brief = made.at(layout.BRIEF).read_text(encoding="utf-8")
    assert is_written(brief) and IDEA in brief
    begun = [one.agent[6:] for one in model.requests if one.agent != "main" and not one.outcomes]
    assert begun == list(sample_crew.PLANNERS) and as_in_the_sample(made)
    assert (made.point()["orchestrator_state"], made.point()["current_volume"]) == ("WRITING", 1)
    assert {line["decision"] for line in made.lines("logs/audit.jsonl")} == {"allow"}
    assert not made.at(".novel.lock").exists()


def test_a_long_packet_is_read_to_its_end(host: CodexHost, novel: Book) -> None:
    """Forty thousand characters in one line, in the pieces that an agent is told to take."""
    assert f"head -c {PIECE}" in replacements.READING and f"+{STEP + 1} " in replacements.READING
    host.connect(novel.root)
    text = "".join(f"第{n}个字，" for n in range(7000))
    assert len(text) > 40_000
    packet = novel.write("staging/manifests/long.json", text)
    done = one_agent(host, novel, WRITER, Call("Read", {"file_path": str(packet)}))
    (outcome,) = done.outcomes(WRITER)
    assert outcome.text == text
