"""A small book from `init` on, by the commands, with texts of a few lines: for tests over a whole run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from builders import Book, make_verdict

from novel_hooks import layout
from novel_hooks.cli.call import call

if TYPE_CHECKING:
    from pathlib import Path

STYLE = {
    "voice": "一个老伙计，嘴上不饶人。",
    "pov": "第三人称，一场跟一个人",
    "quote_marks": "“”",
    "do": ["段尾停在手上的活上"],
    "avoid": ["拿天色开头"],
}


class SmallBook(Book):
    """A book whose plan is made of short rows. `rows` are the chapters' entries, by number."""

    rows: dict[int, dict[str, Any]]

    def line(self) -> str:
        return str(self.rows[self.chapter]["line"])

    def staged(self, key: str) -> str:
        if key == "memory":
            return layout.staged(layout.memory(self.line()))
        return super().staged(key)

    def packet(self, phase: str, kind: str = "chapter") -> dict[str, Any]:
        """The step's packet by its keys, each a list; files stand with their text."""
        found = self.ok("instructions", f"{kind}:{self.chapter:03d}:{phase}")
        given: dict[str, list[Any]] = {}
        for one in found["inputs"]:
            told = one.get("value", one.get("text"))
            if told is None and "path" in one:
                told = self.at(one["path"]).read_text("utf-8")
            given.setdefault(one["key"], []).append(told)
        return given

    def recorded(self, *ops: Any, **delta: Any) -> None:
        """What the recorder hands in."""
        version = self.json(layout.STATE)["state_version"]
        plain = {"chapter": self.chapter, "base_state_version": version, "storyline_id": self.line()}
        idle = {} if ops else {"no_change": True}
        self.write(self.staged("delta"), {**plain, "ops": list(ops), "unknown_entities": [], **idle, **delta})
        self.write(self.staged("summary"), f"第 {self.chapter} 章的事。\n")
        self.write(self.staged("memory"), f"停在第 {self.chapter} 章。\n")
        crossref = {"cross_references": [], "leak_risk": "none", "leak_detail": ""}
        self.write(self.staged("crossref"), {"storyline_id": self.line(), **crossref})

    def judged(self, **verdict: Any) -> Any:
        """Both judges' words, and the gate's decision."""
        for role in ("primary", "secondary"):
            if self.next().get("role") == role:
                words = self.words({**make_verdict(4.5), "chapter": self.chapter, **verdict})
                self.ok("judge", "record", "--role", role, "--model", "sonnet", "--file", words)
        return self.advance("judge")["gate"]["decision"]

    def land(self, chapter: int, text: str, *ops: Any) -> None:
        """The chapter from its draft to its landing."""
        self.chapter = chapter
        self.ok("lock", "acquire")
        self.draft(f"# 第 {chapter} 章 名{chapter}\n\n{text}\n")
        self.advance("draft")
        self.recorded(*ops)
        self.advance("summarize")
        self.advance("refine")
        assert self.judged() == "pass"
        self.ok("commit", "--chapter", str(chapter))


def told(given: Any) -> str:
    """All that a packet says."""
    return json.dumps(given, ensure_ascii=False)


def started(
    place: Path, cards: list[Any], rules: list[Any], rows: list[Any], threads: list[Any], page: str
) -> SmallBook:
    """The book set up, and its first volume planned, by the commands."""
    call("init", [str(place), "--title", "小书"], {"NOVEL_DEBUG": "1"})
    made = SmallBook(place, 1)
    made.rows = dict(enumerate(rows, 1))
    made.write("novel.yaml", "chapter_chars: [10, 400]\n")
    made.write(layout.staged(layout.BRIEF), "# 立意\n\n一个人要一样东西。\n")
    made.ok("advance", "setup:brief")
    made.write(layout.staged(layout.WORLD_RULES), {"rules": rules})
    made.write(layout.staged(f"{layout.WORLD}/place.md"), page)
    made.ok("advance", "setup:world")
    for card in cards:
        made.write(layout.staged(layout.character_card(card["id"])), {"contracts": [], **card})
        made.write(layout.staged(layout.character_profile(card["id"])), "他要一样东西。\n")
    made.ok("advance", "setup:characters")
    made.write(layout.staged(layout.STYLE_PROFILE), STYLE)
    made.ok("advance", "setup:style")
    made.ok("commit", "--setup")
    _plan(made, rows, threads)
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    return made


def _plan(made: SmallBook, rows: list[Any], threads: list[Any]) -> None:
    """Stage the volume's plan: outline, contracts, schedule, threads and storylines, of the rows."""
    lines = list(dict.fromkeys(row["line"] for row in rows))
    blocks, last = ["# 第一卷\n\n要紧的一卷。\n"], dict.fromkeys(lines, 0)
    for number, row in enumerate(rows, 1):
        moved = "；".join(f"{one['action']} {one['id']}" for one in row.get("threads", ()))
        keys = {
            "Storyline": row["line"],
            "POV": row["pov"],
            "Location": row["place"],
            "Conflict": row["conflict"],
            "Arc": "从躲到认",
            "Foreshadowing": moved or "无",
            "StateChanges": "在门外→在门里",
            "TransitionHint": "",
        }
        blocks.append(
            f"### 第 {number} 章: 名{number}\n" + "".join(f"- **{k}**: {v}\n" for k, v in keys.items())
        )
        since = number - last[row["line"]] if last[row["line"]] else 0
        last[row["line"]] = number
        after = {"state_changes": {}, "foreshadowing_updates": row.get("threads", []), **row.get("after", {})}
        made.write(
            layout.staged(layout.contract(1, number)),
            {
                "chapter": number,
                "storyline_id": row["line"],
                "storyline_context": {"chapters_since_last": since},
                "preconditions": {"character_states": row["people"], "required_world_rules": []},
                "objectives": [{"id": f"OBJ-{number}-1", "required": True, "description": row["conflict"]}],
                "postconditions": after,
                "acceptance_criteria": [],
            },
        )
    made.write(layout.staged(layout.outline(1)), "\n".join(blocks))
    active = [
        {"storyline_id": line, "target_chapters": [n for n, row in enumerate(rows, 1) if row["line"] == line]}
        for line in lines
    ]
    made.write(layout.staged(layout.schedule(1)), {"volume": 1, "active_storylines": active})
    made.write(layout.staged(layout.foreshadowing_plan(1)), {"volume": 1, "foreshadowing": threads})
    book = [{"id": line, "name": line, "pov_characters": [], "description": "一条线"} for line in lines]
    made.write(layout.staged(layout.STORYLINES), {"storylines": book, "relationships": []})
