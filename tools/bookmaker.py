"""Makes a valid project of any length, written straight in the formats of protocol §1.

For benchmarks and tests: it goes past the pipeline on purpose, so that a book of thousands of chapters
stands in seconds.
"""

from __future__ import annotations

import os
from typing import Any

from novel_hooks import layout
from novel_hooks.flows.session import word_tally
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from tools import bookparts as parts

SETTINGS = "title: 十三渡\ngenre: 志怪\n"
"""The `novel.yaml` of a book."""


def make_book(root: str, chapters: int, volume_size: int = 50, chapter_chars: int = 2000) -> None:
    """Write a project at `root` with `chapters` landed chapters, the next one planned and not begun.

    Volumes have `volume_size` chapters; the one with the next chapter is the current one, in WRITING.
    A chapter has about `chapter_chars` characters. The folder is made; files in it are overwritten.
    """
    for folder in layout.PROJECT_DIRS:
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    current = chapters // volume_size + 1
    _write_settings(root)
    for volume in range(1, current + 1):
        first = (volume - 1) * volume_size + 1
        _write_plan(root, volume, range(first, first + volume_size))
    for chapter in range(1, chapters + 1):
        _write_landed(root, chapter, volume_size, chapter_chars)
    _write_state(root, chapters)
    _write_tally(root, chapters)
    _write_json(root, layout.CHECKPOINT, _checkpoint(chapters, current))


def _write_settings(root: str) -> None:
    _write_text(root, layout.BRIEF, "# 十三渡\n\n一个摆渡人替塔上的人收灯，每收一盏，河就窄一分。\n")
    _write_text(root, layout.CONFIG, SETTINGS)
    _write_json(
        root, layout.STYLE_PROFILE, {"voice": "短句，少形容词", "pov": "第三人称限知", "quote_marks": "“”"}
    )
    words = [f"陈词{number}" for number in range(1, 41)]
    _write_json(root, layout.BLACKLIST, {"words": words, "whitelist": [], "categories": {}, "update_log": []})
    rule = {"id": "W-001", "category": "river", "rule": "灯灭之后不得回头", "constraint_type": "hard"}
    _write_json(root, layout.WORLD_RULES, {"rules": [{**rule, "exceptions": [], "introduced_chapter": 1}]})
    for slug, name in parts.CAST.items():
        duty = {"id": f"C-{slug}-1", "type": "belief", "rule": f"{name}不说谎", "valid_from_chapter": 1}
        _write_json(
            root, layout.character_card(slug), {"id": slug, "display_name": name, "contracts": [duty]}
        )
        _write_text(root, layout.character_profile(slug), f"# {name}\n\n在河边长大。\n")
    lines = [{"id": line, "name": line, "status": "active"} for line in parts.LINES]
    _write_json(root, layout.STORYLINES, {"storylines": lines, "relationships": []})
    spec = {"id": "LS-001", "name": "时间对得上", "rule": "各线时间一致", "constraint_type": "hard"}
    _write_json(root, layout.STORYLINE_SPEC, {"rules": [spec]})


def _write_plan(root: str, volume: int, chapters: range) -> None:
    blocks = "".join(parts.outline_block(chapter) for chapter in chapters)
    _write_text(root, layout.outline(volume), f"# 第 {volume} 卷\n\n{blocks}")
    for chapter in chapters:
        _write_json(root, layout.contract(volume, chapter), parts.contract(chapter))
    roles = [
        {"storyline_id": line, "volume_role": role, "arc_goal": "过河"}
        for line, role in zip(parts.LINES, ("primary", "secondary"))
    ]
    schedule = {"volume": volume, "active_storylines": roles, "convergence_events": []}
    _write_json(root, layout.schedule(volume), {**schedule, "dormant_storylines": [], "newly_activated": []})
    clues = sorted({parts.clue(chapter) for chapter in chapters})
    planned = [{"id": clue, "description": "灯的数目", "scope": "medium"} for clue in clues]
    _write_json(root, layout.foreshadowing_plan(volume), {"volume": volume, "foreshadowing": planned})


def _write_landed(root: str, chapter: int, volume_size: int, chars: int) -> None:
    text = parts.prose(chapter, chars)
    key_chapter = chapter % volume_size in (1, 0)
    _write_text(root, layout.chapter(chapter), text)
    _write_text(root, layout.summary(chapter), parts.summary(chapter))
    _write_json(root, layout.evaluation(chapter), parts.evaluation(chapter, text, key_chapter))
    crossref = {"storyline_id": parts.storyline_id(chapter), "cross_references": [], "leak_risk": "none"}
    _write_json(root, layout.crossref(chapter), crossref)
    _write_json(root, layout.chapter_log(chapter), parts.log(chapter))
    _write_text(
        root, layout.memory(parts.storyline_id(chapter)), parts.memory(parts.storyline_id(chapter), chapter)
    )


def _write_tally(root: str, chapters: int) -> None:
    """The tally of words, as the landings would have left it."""
    landed = word_tally.counted(Project(root), chapters)
    _write(root, layout.WORD_TALLY, word_tally.dump(landed))


def _write_state(root: str, chapters: int) -> None:
    """The state, the change log that rebuilds it, and the facts of foreshadowing."""
    changes = [_change(chapter) for chapter in range(1, chapters + 1)]
    _write(root, layout.CHANGELOG, b"".join(jsonio.dump_line(change) for change in changes))
    facts: dict[str, dict[str, Any]] = {}
    for chapter in range(1, chapters + 1):
        for op in parts.ops(chapter):
            if op["op"] == "foreshadow":
                _note(facts, chapter, op)
    _write_json(root, layout.FORESHADOWING, {"foreshadowing": list(facts.values())})
    if not chapters:
        return
    hero = {"location": f"第 {chapters + 1} 个渡口", "relationships": {"qiao-jiu": chapters}}
    state: dict[str, Any] = {
        "schema_version": 1,
        "state_version": chapters,
        "last_updated_chapter": chapters,
        "characters": {"shen-du": hero},
        "items": {},
        "locations": {},
        "factions": {},
        "world_state": {},
        "active_foreshadowing": sorted(i for i, fact in facts.items() if fact["status"] != "resolved"),
    }
    _write_json(root, layout.STATE, state)


def _change(chapter: int) -> dict[str, Any]:
    return {
        "ts": parts.TIME,
        "chapter": chapter,
        "storyline_id": parts.storyline_id(chapter),
        "base_state_version": chapter - 1,
        "state_version": chapter,
        "ops": parts.ops(chapter),
        "dropped": [],
    }


def _note(facts: dict[str, dict[str, Any]], chapter: int, op: dict[str, Any]) -> None:
    """Seed 002 §3, as far as the ops of `bookparts` need it."""
    new = {
        "id": op["path"],
        "description": "灯的数目",
        "scope": "medium",
        "planted_chapter": chapter,
        "planted_storyline": parts.storyline_id(chapter),
        "target_resolve_range": None,
        "history": [],
    }
    fact = facts.setdefault(op["path"], new)
    fact["status"] = op["value"]
    fact["last_updated_chapter"] = chapter
    fact["history"].append({"chapter": chapter, "action": op["value"], "detail": op["detail"]})


def _checkpoint(chapters: int, volume: int) -> dict[str, Any]:
    return {
        "last_completed_chapter": chapters,
        "current_volume": volume,
        "orchestrator_state": "WRITING",
        "pipeline_stage": "committed" if chapters else None,
        "inflight_chapter": None,
        "revision_count": 0,
        "pending_actions": [],
        "last_checkpoint_time": parts.TIME,
    }


def _write_json(root: str, path: str, value: object) -> None:
    _write(root, path, jsonio.dump(value))


def _write_text(root: str, path: str, text: str) -> None:
    _write(root, path, text.encode("utf-8"))


def _write(root: str, path: str, data: bytes) -> None:
    place = os.path.join(root, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as handle:
        handle.write(data)
