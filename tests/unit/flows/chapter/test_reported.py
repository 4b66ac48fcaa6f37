"""What is told once stays told once: the warnings of a whole pass, from setting up to a landed chapter."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import smallbook
from builders import fast_disk as fast_disk
from smallbook import SmallBook, started

if TYPE_CHECKING:
    from pathlib import Path

PLACES = re.compile(r"ops\[|entities\[|references\[|(?<= )/\w+/|\bR1\b(?!」)|\bOBJ-")
ASKS = ("advance", "commit")
"""The commands before which a front desk asks for the step, its packet and its check."""


class Desk(SmallBook):
    """A book whose every step is done as the skills do it; `heard` are the warnings of all answers."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.heard: list[tuple[str, str, str]] = []

    def novel(self, *argv: str, **kwargs: Any) -> Any:
        if argv[0] in ASKS and not argv[-1].endswith(":review"):
            due = self._hear("next").data
            if argv[0] == "advance" and not due["recorded"]:
                self._hear("instructions", argv[1], "--write-manifest")
                self._hear("validate", argv[1])
        return self._hear(*argv, **kwargs)

    def _hear(self, *argv: str, **kwargs: Any) -> Any:
        found = super().novel(*argv, **kwargs)
        self.heard += [
            (one.code, f"{self.chapter} {one.message}", " ".join(argv[:2])) for one in found.diagnostics
        ]
        return found

    def again(self) -> list[tuple[str, str, list[str]]]:
        """Messages that were said more than once, and by which commands."""
        said = Counter((code, message) for code, message, _ in self.heard)
        return [
            (code, message, [by for c, m, by in self.heard if (c, m) == (code, message)])
            for (code, message), times in said.items()
            if times > 1
        ]


def row(chapter: int) -> dict[str, Any]:
    people = {"何佩珊": {"location": "水务所"}, "杜铭": {"location": "水务所"}}
    return {
        "line": "gate",
        "pov": "何佩珊",
        "place": "水务所",
        "people": people,
        "conflict": f"第{chapter}回争借条",
    }


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(smallbook, "SmallBook", Desk)
    cards = [
        {
            "id": "he-peishan",
            "display_name": "何佩珊",
            "level": ["高"],
            "status": "在世",
            "contracts": [
                {
                    "id": "C-1",
                    "type": "knowledge",
                    "rule": "以为闸是自己坏的。",
                    "valid_from_chapter": 1,
                    "valid_until": "她看见闸门的锁",
                    "exceptions": [],
                }
            ],
        },
        {"id": "du-ming", "display_name": "杜铭", "knows": "一切"},
    ]
    rules = [
        {
            "id": "R1",
            "category": "规矩",
            "rule": "闸一开要一刻钟才合得上。",
            "constraint_type": "hard",
            "exceptions": [],
            "introduced_chapter": 1,
            "last_verified": None,
        }
    ]
    found = started(tmp_path / "u", cards, rules, [row(1), row(2), row(3)], [], "# 水务所\n\n两层楼。\n")
    assert isinstance(found, Desk)
    return found


def test_no_warning_is_told_twice_in_a_pass(made: Desk) -> None:
    made.write("novel.yaml", "chapter_chars: [100, 400]\n")
    for chapter in (1, 2):
        made.chapter = chapter
        made.ok("lock", "acquire")
        made.draft(f"# 第 {chapter} 章 名{chapter}\n\n何佩珊要借条，杜铭不给。借条在柜子里，何佩珊去拿。\n")
        made.advance("draft")
        made.recorded(
            {"op": "set", "path": "characters.wai-ren.location", "value": f"门外{chapter}"},
            unknown_entities=[{"mention": "老吴", "context": "老吴来了", "suggested_type": "character"}],
        )
        made.write(made.staged("summary"), "长" * 320 + f"第{chapter}章\n")
        made.advance("summarize")
        made.advance("refine")
        assert made.judged(issues=[{"x": 1}], extra=3, overall=2.0) == "pass"
        made.ok("commit", "--chapter", str(chapter))
    codes = {code for code, _, _ in made.heard}
    assert {
        "PLAN_ODD",
        "CHAPTER_LENGTH",
        "SUMMARY_TOO_LONG",
        "EVALUATION_NOTE",
        "DELTA_UNREGISTERED",
    } <= codes
    assert made.again() == []
    assert [one for one in made.heard if PLACES.search(one[1])] == [], "no id of a rule, no place in a file"
