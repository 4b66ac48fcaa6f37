"""Packets of the sample's chapters, phase by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = ("draft", "summarize", "refine", "judge", "revise", "polish")


STAGES = {
    "draft": "drafting",
    "summarize": "drafting",
    "refine": "drafted",
    "judge": "refined",
    "revise": "revising",
    "polish": "revising",
}


# Seed 000 Step 2.6, in its order; what protocol and seeds let be absent is there in the test's book.
DRAFT_KEYS = [
    "project_brief",
    "style_profile",
    "ai_blacklist_top10",
    "current_volume_outline",
    "chapter_outline",
    "storyline_id",
    "storyline_context",
    "concurrent_state",
    "transition_hint",
    "storyline_memory",
    "adjacent_storyline_memories",
    "recent_3_summaries",
    "recent_3_summaries",
    "recent_3_summaries",
    "previous_text",
    "previous_text",
    "previous_text",
    "recall",
    "current_state",
    "foreshadowing_tasks",
    "chapter_contract",
    "world_rules",
    "hard_rules_list",
    "character_contracts",
    "people",
    "world_pages",
    "world_pages",
    "chapter_length",
    "writing_methodology",
]


_FIRST = DRAFT_KEYS.index("previous_text")


# The chapter before, and of the one before that, which is the line's own last, the end.
REVISE_KEYS = [*DRAFT_KEYS[: _FIRST + 1], "line_text", *DRAFT_KEYS[_FIRST + 3 :]]


KEYS = {
    "draft": DRAFT_KEYS,
    "revise": [*REVISE_KEYS, "chapter_content", "required_fixes", "high_confidence_violations"],
    "summarize": [
        "chapter_content",
        "current_state",
        "foreshadowing_tasks",
        "base_state_version",
        "entity_id_map",
        "storyline_id",
        "storyline_ids",
        "storyline_memory",
        "hints",
    ],
    "refine": ["chapter_content", "style_profile", "ai_blacklist", "lint_report", "style_guide"],
    "polish": [
        *("chapter_content", "style_profile", "ai_blacklist", "lint_report", "style_guide"),
        "required_fixes",
    ],
    "judge": [
        "chapter_content",
        "project_brief",
        "chapter_outline",
        "character_profiles",
        "character_profiles",
        "character_contracts",
        "prev_summary",
        "previous_text",
        "current_state",
        "style_profile",
        "ai_blacklist",
        "lint_report",
        "chapter_contract",
        "foreshadowing_tasks",
        "world_rules",
        "hard_rules_list",
        "world_pages",
        "world_pages",
        "storyline_spec",
        "storyline_schedule",
        "cross_references",
        "quality_rubric",
    ],
}


PAGE = "# 渡口\n\n十三个渡口，一个渡口一盏灯。\n\n## 盐税\n\n一斤盐抽三文。\n"


def at_phase(tmp_path: Path, phase: str, chapters: int = 4) -> Book:
    """A book whose next step is this phase of chapter 5 (no key chapter)."""
    made = book(tmp_path, chapters, volume_size=8)
    revisions = 1 if phase == "revise" else 0
    made.stage(STAGES[phase], revisions)
    rules = made.json(layout.WORLD_RULES)["rules"]
    custom = {"id": "W-002", "category": "river", "rule": "过渡口先问灯", "constraint_type": "soft"}
    made.write(layout.WORLD_RULES, {"rules": [*rules, custom]})
    made.write(f"{layout.WORLD}/ferry.md", PAGE)
    if phase == "draft":
        return made
    made.draft()
    made.write(made.staged("hints"), {"hints": ["灯灭了"]})
    if phase != "summarize":
        made.records()
    if phase in ("revise", "polish"):
        made.evaluation(
            3.2 if phase == "revise" else 3.7, "l1" if phase == "revise" else None, gate={"decision": phase}
        )
    return made
