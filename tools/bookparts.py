"""The documents of a made-up book, in the shapes of protocol §1. See `bookmaker` for how they fit together.

Everything follows from the chapter number, so the same call makes the same bytes.
"""

from __future__ import annotations

import hashlib
from typing import Any

from novel_hooks.rules.evaluation.score import WEIGHTS

Document = dict[str, Any]

LINES = ("river-line", "tower-line")
CAST = {"shen-du": "沈渡", "qiao-jiu": "乔九", "mo-lan": "莫岚", "he-tie": "何铁", "bai-sui": "白穗"}
TIME = "2026-01-01T00:00:00Z"
_SHORT = 200
"""Characters of a chapter that is too short to repeat another."""
_PARAGRAPHS = (
    "沈渡把缆绳在桩上绕了三圈，水声从船底漫上来，像有人隔着木板同他商量什么。",
    "“第{n}趟了。”乔九数着竹筹，“你再不收灯，塔上的人就要下来问了。”",
    "那块船牌是1981年换过的，背面还留着前一个人的名字，笔画被手汗磨得只剩一半。",
    "他没有回头。对岸的灯灭了一盏，又灭了一盏，第12章那本旧账里记的正是这样的夜。",
    "风从上游压过来，芦苇齐齐低下去，露出半截沉在泥里的铁链。",
)


def storyline_id(chapter: int) -> str:
    """Return the id of the chapter's storyline; the storylines take turns."""
    return LINES[(chapter - 1) % len(LINES)]


def prose(chapter: int, chars: int) -> str:
    """Return a chapter of about `chars` characters, numbers in its prose included.

    Every sentence of a long chapter has the chapter's number in Chinese, so no chapter repeats another.
    """
    own = "".join("零一二三四五六七八九"[int(digit)] for digit in str(chapter))
    heading = f"# 第{chapter}章 第{chapter}趟船\n"
    body: list[str] = []
    length = 0
    while length < chars:
        paragraph = _PARAGRAPHS[len(body) % len(_PARAGRAPHS)].format(n=chapter)
        body.append(paragraph.replace("，", f"，{own}趟，") if chars > _SHORT else paragraph)
        length += len(paragraph)
    return heading + "".join(f"\n{paragraph}\n" for paragraph in body)


def summary(chapter: int) -> str:
    return f"沈渡在第 {chapter} 趟船上收起一盏灯，塔上的人知道了他的去向；乔九把竹筹藏进船舱。\n"


def memory(storyline: str, chapter: int) -> str:
    return f"{storyline}：写到第 {chapter} 章。沈渡的船停在下游，乔九手里还有一根竹筹。\n"


def outline_block(chapter: int) -> str:
    values = {
        "Storyline": storyline_id(chapter),
        "POV": "沈渡",
        "Location": f"第 {chapter} 个渡口",
        "Conflict": f"沈渡要过河，守塔人不放灯，过不去就误了船期（第 {chapter} 趟）",
        "Arc": "从躲着塔上的灯，到自己点起一盏",
        "Foreshadowing": clue(chapter),
        "StateChanges": "沈渡换了停船的地方",
        "TransitionHint": storyline_id(chapter + 1),
    }
    lines = "".join(f"- **{key}**: {value}\n" for key, value in values.items())
    return f"### 第 {chapter} 章: 第{chapter}趟船\n{lines}\n"


def clue(chapter: int) -> str:
    """Return the piece of foreshadowing of this chapter: each one spans twenty chapters."""
    return f"clue-{(chapter - 1) // 20 + 1:03d}"


def contract(chapter: int) -> Document:
    return {
        "chapter": chapter,
        "storyline_id": storyline_id(chapter),
        "storyline_context": {
            "last_chapter_summary": summary(max(chapter - 2, 1)).strip(),
            "chapters_since_last": 1,
            "line_arc_progress": "过半",
            "concurrent_state": {storyline_id(chapter + 1): "塔上的人在数灯"},
        },
        "transition_hint": {"next_storyline": storyline_id(chapter + 1), "bridge": "同一盏灯"},
        "preconditions": {
            "character_states": {"沈渡": {"location": f"第 {chapter} 个渡口"}, "乔九": {"location": "船上"}},
            "required_world_rules": ["W-001"],
        },
        "objectives": [
            {"id": f"OBJ-{chapter}-1", "type": "plot", "required": True, "description": "沈渡收起一盏灯"},
            {"id": f"OBJ-{chapter}-2", "type": "mood", "required": False, "description": "让读者听见水声"},
        ],
        "postconditions": {"state_changes": {"沈渡": {"location": f"第 {chapter + 1} 个渡口"}}},
        "acceptance_criteria": ["沈渡离开时灯已经灭了"],
    }


def ops(chapter: int) -> list[Document]:
    """Return the ops of the chapter's delta: a character moves; the clue is planted, advanced or resolved."""
    found: list[Document] = [
        {"op": "set", "path": "characters.shen-du.location", "value": f"第 {chapter + 1} 个渡口"},
        {"op": "inc", "path": "characters.shen-du.relationships.qiao-jiu", "value": 1},
    ]
    action = {1: "planted", 11: "advanced", 0: "resolved"}.get(chapter % 20)
    if action:
        found.append({"op": "foreshadow", "path": clue(chapter), "value": action, "detail": "灯的数目"})
    return found


def verdict(overall: float) -> Document:
    """Return a judge's verdict; every dimension has the same score, so the weighted mean is `overall`."""
    check = {"status": "pass", "confidence": "high", "detail": "符合"}
    return {
        "contract_verification": {
            "l1_checks": [{"rule_id": "W-001", **check}],
            "l2_checks": [{"contract_id": "C-shen-du-1", **check}],
            "l3_checks": [{"objective_id": "OBJ-1", **check}],
            "ls_checks": [{"rule_id": "LS-001", "constraint_type": "hard", **check}],
            "has_violations": False,
        },
        "scores": {
            name: {"score": overall, "weight": weight, "reason": "稳", "evidence": "水声从船底漫上来"}
            for name, weight in WEIGHTS.items()
        },
        "overall": overall,
        "recommendation": "pass",
        "required_fixes": [],
        "risk_flags": [],
        "issues": [],
        "strengths": ["有水声"],
    }


def evaluation(chapter: int, text: str, two_judges: bool) -> Document:
    """Return the landed evaluation of `text`.

    That of a key chapter has both verdicts and uses the lower one.
    """
    primary, secondary = verdict(4.2), verdict(4.1)
    used = secondary if two_judges else primary
    judges: Document = {
        "primary": {"model": "sonnet", "overall": primary["overall"], "verdict": primary},
        "used": "secondary" if two_judges else "primary",
        "overall_final": used["overall"],
    }
    if two_judges:
        judges["secondary"] = {"model": "opus", "overall": secondary["overall"], "verdict": secondary}
    gate = {
        "decision": "pass",
        "revisions": 0,
        "force_passed": False,
        "polished": False,
        "accepted": None,
        "bands": {"pass": 4.0, "polish": 3.5, "revise": 3.0, "pause": 2.0, "max_revisions": 2},
    }
    return {
        "chapter": chapter,
        **used,
        "overall_final": used["overall"],
        "metadata": {
            "judges": judges,
            "gate": gate,
            "text_sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(),
            "warnings": [],
        },
    }


def log(chapter: int) -> Document:
    stages = [
        {"name": name, "model": "sonnet", "duration_ms": 60000, "input_tokens": None, "output_tokens": None}
        for name in ("draft", "summarize", "refine", "judge")
    ]
    return {
        "chapter": chapter,
        "storyline_id": storyline_id(chapter),
        "started_at": TIME,
        "stages": stages,
        "gate_decision": "pass",
        "revisions": 0,
        "force_passed": False,
        "judges": {"primary": {"model": "sonnet", "overall": 4.2}, "used": "primary", "overall_final": 4.2},
        "total_duration_ms": 240000,
        "total_cost_usd": None,
    }
