"""A made-up book for the report: chapters that differ in scores, days and costs; threads; hostile words."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from novel_hooks import layout
from tools import bookparts
from tools.bookmaker import make_book

HOSTILE = (
    '</script><script>alert(1)</script><!--<b>\u2028\u2029&amp;"'
    "<img src=x onerror=alert(2)><a href='javascript:alert(3)'>"
)
_MOOD = ("他不禁缓缓点头。", "忽然起了风。", "水声不停。", "然而灯还亮着。", "他目光落在船牌上。")


def lively_book(root: Path, chapters: int = 24, volume_size: int = 10) -> Path:
    """Write the book and return its folder; chapter 3 has a hostile title, chapter 5 no evaluation."""
    make_book(str(root), chapters, volume_size, chapter_chars=400)
    (root / layout.CONFIG).write_text(
        f"title: {json.dumps(HOSTILE)}\ngenre: 志怪\ncurrency: 元\nchapter_chars: [300, 500]\n"
        "prices:\n  sonnet: {input: 3, output: 15}\n",
        encoding="utf-8",
    )
    lines = []
    for line in (root / layout.CHANGELOG).read_text(encoding="utf-8").splitlines():
        change = json.loads(line)
        change["ts"] = f"2026-03-{1 + change['chapter'] // 2 % 28:02d}T12:00:00Z"
        lines.append(json.dumps(change, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
    (root / layout.CHANGELOG).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for chapter in range(1, chapters + 1):
        _vary(root, chapter)
    os.remove(root / layout.evaluation(5))
    facts = _json(root, layout.FORESHADOWING)
    facts["foreshadowing"] += [
        _thread("clue-late", "断了的缆绳", "short", "planted", 2, [4, 6]),
        _thread("clue-wide", f"守塔人的账本{HOSTILE}", "long", "advanced", 3, [20, 40]),
    ]
    _write(root, layout.FORESHADOWING, facts)
    lines_of_the_book = _json(root, layout.STORYLINES)
    lines_of_the_book["storylines"][0]["name"] += HOSTILE
    _write(root, layout.STORYLINES, lines_of_the_book)
    return root


def _vary(root: Path, chapter: int) -> None:
    title = HOSTILE if chapter == 3 else f"第{chapter}趟船"
    extra = "\n\n".join(_MOOD[(chapter + n) % len(_MOOD)] for n in range(chapter % 4 + 1))
    text = (
        f"# 第{chapter}章 {title}\n\n{extra}\n"
        + bookparts.prose(chapter, 250 + chapter * 37 % 260).split("\n", 1)[1]
    )
    (root / layout.chapter(chapter)).write_text(text, encoding="utf-8")
    found = _json(root, layout.evaluation(chapter))
    overall = round(3.3 + chapter * 7 % 17 / 10, 2)
    found["overall"] = found["overall_final"] = overall
    for place, entry in enumerate(found["scores"].values()):
        entry["score"] = round(min(5.0, max(1.0, overall + (place * chapter % 5 - 2) / 5)), 1)
    gate = found["metadata"]["gate"]
    gate["revisions"] = chapter % 3
    gate["force_passed"] = chapter % 11 == 0
    gate["decision"] = "polish" if chapter % 4 == 0 else "pass"
    _write(root, layout.evaluation(chapter), found)
    log = _json(root, layout.chapter_log(chapter))
    for stage in log["stages"]:
        stage.update(
            duration_ms=60_000 + chapter * 1000, input_tokens=20_000 + chapter * 300, output_tokens=3_000
        )
    _write(root, layout.chapter_log(chapter), log)


def _thread(
    name: str, words: str, scope: str, status: str, planted: int, window: list[int]
) -> dict[str, Any]:
    history = [{"chapter": planted, "action": "planted", "detail": f"露了一角{HOSTILE}"}]
    return {
        "id": name,
        "description": words,
        "scope": scope,
        "status": status,
        "planted_chapter": planted,
        "planted_storyline": "river-line",
        "target_resolve_range": window,
        "last_updated_chapter": planted,
        "history": history,
    }


def _json(root: Path, path: str) -> Any:
    return json.loads((root / path).read_text(encoding="utf-8"))


def _write(root: Path, path: str, value: object) -> None:
    (root / path).write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
