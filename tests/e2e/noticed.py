"""A book whose events the notice hook hears."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import OWNER, Book, book, make_verdict
from noticing import HookOutcome, tell

EVENTS = ("SessionStart", "SubagentStop", "PostToolUse")


STEP = "chapter:002:judge"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 2 refined; its judge has been handed his packet."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    found = book(place)
    found.until("refined")
    found.ok("instructions", STEP, "--write-manifest")
    return found


def words(overall: float = 4.5, **more: Any) -> str:
    """As judges speak: something before, a fence around."""
    text = json.dumps(make_verdict(overall, **more), ensure_ascii=False, indent=1)
    return f"我读完了。\n\n```json\n{text}\n```"


def hear(event: dict[str, Any], **environ: str | None) -> HookOutcome:
    return tell(event, **{"NOVEL_OWNER": OWNER, **environ})
