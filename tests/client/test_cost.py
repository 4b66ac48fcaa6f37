"""What a chapter costs, as both READMEs tell it: the requests of a real session, measured."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

from client.crew import Crew
from novel_hooks.cli.call import call
from tools import bookparts

if TYPE_CHECKING:
    from client.harness import Host
    from client.request import Request
    from client.result import Result

pytestmark = [pytest.mark.client, pytest.mark.exhaustive, pytest.mark.timeout(900)]

AGENTS = ("chapter-writer", "summarizer", "style-refiner", "quality-judge")
WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\uffef]")
OTHERS = 4
"""Characters that are no Chinese, to a token; a Chinese one is taken for one."""


def weight(text: str) -> int:
    wide = len(WIDE.findall(text))
    return wide + (len(text) - wide) // OTHERS


def tokens(request: Request) -> int:
    sent = json.dumps(
        {key: request.body.get(key) for key in ("system", "tools", "messages")}, ensure_ascii=False
    )
    return weight(sent)


def last_conversation(done: Result, agent: str) -> list[int]:
    """The tokens of each request; an earlier try, if there was one, is left out."""
    asked = done.asked(f"novel:{agent}")
    first = max(at for at, request in enumerate(asked) if request.turn == 0)
    return [tokens(request) for request in asked[first:]]


def test_the_readmes_tell_what_a_chapter_writes() -> None:
    """What the recorded crew hands in for chapter 1, the refiner's edits left out."""
    place = Path(CHECKOUT, "novel_hooks/sample/recorded/chapter-001")
    parts = ("draft-r0", "summarize-r0", "judge-r0-primary")
    written = sum(weight(path.read_text("utf-8")) for part in parts for path in (place / part).iterdir())
    assert written == pytest.approx(10_000, rel=0.25)
    assert "万词元、写 1 万；" in Path(CHECKOUT, "README.md").read_text("utf-8")
    assert "write 10,000" in Path(CHECKOUT, "README.en.md").read_text("utf-8")


def test_the_readmes_tell_what_a_chapter_reads(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chapter 4 of the sample: what is read for the first time, and all with what the cache gives again."""
    book = tmp_path / "demo"
    assert call("demo", [str(book), "--json"], {}).exit == 0
    monkeypatch.setattr(bookparts, "storyline_id", lambda chapter: "rope-chaser")
    done = host.run(book, "/novel:continue 1", Crew(book).scenario(), timeout=600, tolerant=True)
    spent = {agent: last_conversation(done, agent) for agent in AGENTS}
    once, whole = sum(one[-1] for one in spent.values()), sum(sum(one) for one in spent.values())
    for page, shape, unit in (
        ("README.md", r"约读 (\d+) 万词元.*?一起算，约 (\d+) 万", 10_000),
        ("README.en.md", r"read some (\d+),000 tokens.*?is\s+about (\d+),000", 1_000),
    ):
        told = re.search(shape, Path(CHECKOUT, page).read_text("utf-8"), re.S)
        assert told, page
        assert once == pytest.approx(int(told[1]) * unit, rel=0.25), spent
        assert whole == pytest.approx(int(told[2]) * unit, rel=0.25), spent
