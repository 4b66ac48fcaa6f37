"""Roles, their outputs and their folders: one table for packets, the guard and the log.

Paths are project-relative patterns with `{C}` the chapter id (`chapter-007`) and `{S}` the
storyline id. Source: seed 000 Step 3, seed 001, protocol §2 and §5. The guard imports it at every
call of an agent, so it loads nothing of the standard library.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Mapping
from novel_hooks.record import Record

STAGING = (layout.STAGING,)
# Below `staging/`, and yet `novel`'s alone: verdicts and packets.
OWN_STAGING = ("staging/evaluations", "staging/manifests")


class Role(Record):
    """One agent. `writes` are the folders it may write in, without `OWN_STAGING`; none: it only reads.

    A step's own outputs are narrower (`CHAPTER_OUTPUTS`); no other staged file lands.
    """

    agent: str
    title: str
    model: str
    writes: tuple[str, ...]


class Output(Record):
    """A file that a phase makes. `schema` is None for prose."""

    key: str
    pattern: str
    schema: str | None
    required: bool = True


ROLES: Mapping[str, Role] = {
    role.agent: role
    for role in (
        Role("chapter-writer", "写手", "sonnet", STAGING),
        Role("summarizer", "记录员", "sonnet", STAGING),
        Role("style-refiner", "润色师", "sonnet", STAGING),
        Role("quality-judge", "评审", "sonnet", ()),
        Role("world-builder", "世界观设计师", "opus", STAGING),
        Role("character-weaver", "角色设计师", "opus", STAGING),
        Role("plot-architect", "情节架构师", "opus", STAGING),
        Role("style-analyzer", "文风分析师", "sonnet", STAGING),
    )
}

JUDGES: Mapping[str, str] = {"primary": "主评审", "secondary": "第二评审"}
"""The judges of a chapter, by the author's word for each; only a key chapter has both."""

PLUGIN = "novel"
CODEX_PROFILE = "novel-staging"
"""The permission profile under which all of Codex writes in `staging/` alone."""

CHAPTER_AGENTS: Mapping[str, str] = {
    "draft": "chapter-writer",
    "summarize": "summarizer",
    "refine": "style-refiner",
    "judge": "quality-judge",
    "revise": "chapter-writer",
    "polish": "style-refiner",
}
SETUP_AGENTS: Mapping[str, str] = {
    "world": "world-builder",
    "characters": "character-weaver",
    "style": "style-analyzer",
}
VOLUME_AGENTS: Mapping[str, str] = {"outline": "plot-architect"}

STRONG_MODEL = "opus"
CODEX_EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
"""What `codex_models` may say in a model's place: how hard the session's own model thinks."""
CODEX_STRONG = "high"
MODELS = ("haiku", "sonnet", "opus", "fable")
"""What a packet's `model` may be where the host is Claude Code: its Agent call takes these names alone."""

PHASE_TITLES: Mapping[str, str] = {
    "draft": "写初稿",
    "summarize": "记摘要与状态",
    "refine": "润色",
    "judge": "评审",
    "revise": "按意见修订",
    "polish": "再润色",
    "review": "等作者决定",
    "commit": "入库",
    "brief": "定立意",
    "world": "建世界观",
    "characters": "立角色",
    "style": "定文风",
    "outline": "写本卷大纲",
    "validate": "核对本卷规划",
}

_VOLUME_TITLES: Mapping[str, str] = {"review": "卷末回顾", "commit": "规划入库"}

_CHAPTER = Output("chapter", "staging/chapters/{C}.md", None)
_HINTS = Output("hints", "staging/chapters/{C}-hints.json", "hints", required=False)
CHAPTER_OUTPUTS: Mapping[str, tuple[Output, ...]] = {
    "draft": (_CHAPTER, _HINTS),
    "summarize": (
        Output("summary", "staging/summaries/{C}-summary.md", None),
        Output("delta", "staging/state/{C}-delta.json", "chapter-delta"),
        Output("crossref", "staging/state/{C}-crossref.json", "chapter-crossref"),
        Output("memory", "staging/storylines/{S}/memory.md", None),
    ),
    "refine": (_CHAPTER,),
    "revise": (_CHAPTER, _HINTS),
    "polish": (_CHAPTER,),
    "judge": (Output("evaluation", "staging/evaluations/{C}-eval.json", "chapter-eval"),),
}

WRITING_PHASES = ("draft", "revise")
RETOUCHING_PHASES = ("refine", "polish")
TEXT_PHASES = (*WRITING_PHASES, *RETOUCHING_PHASES)
"""The phases that stage the chapter's text: the writer's, the refiner's, and both."""

# Planning. `{V}` is the volume's folder name, `{STEP}` the step as a file name; a pattern with `{C}` or
# `{ID}` stands for one file each. Questions go to the author and never land.
_QUESTIONS = Output("questions", "staging/questions/{STEP}.json", "planning-questions", required=False)
_STORYLINES = Output("storylines", "staging/storylines/storylines.json", "storylines", required=False)
SETUP_OUTPUTS: Mapping[str, tuple[Output, ...]] = {
    "brief": (Output("project_brief", "staging/brief.md", None),),
    "world": (
        Output("world_rules", "staging/world/rules.json", "world-rules"),
        Output("world_docs", "staging/world/{ID}.md", None, required=False),
        _QUESTIONS,
    ),
    "characters": (
        Output("character_cards", "staging/characters/active/{ID}.json", "character"),
        Output("character_profiles", "staging/characters/active/{ID}.md", None),
        _STORYLINES,
        _QUESTIONS,
    ),
    "style": (Output("style_profile", "staging/style-profile.json", "style-profile"), _QUESTIONS),
}
VOLUME_OUTPUTS: Mapping[str, tuple[Output, ...]] = {
    "outline": (
        Output("outline", "staging/volumes/{V}/outline.md", None),
        Output("schedule", "staging/volumes/{V}/storyline-schedule.json", "storyline-schedule"),
        Output("contracts", "staging/volumes/{V}/chapter-contracts/{C}.json", "chapter-contract"),
        Output("foreshadowing_plan", "staging/volumes/{V}/foreshadowing.json", "foreshadowing-plan"),
        _STORYLINES,
        Output("character_cards", "staging/characters/active/{ID}.json", "character", required=False),
        Output("character_profiles", "staging/characters/active/{ID}.md", None, required=False),
        _QUESTIONS,
    ),
}


def phase_title(kind: str, phase: str) -> str:
    """Return the author's word for a phase of a step of this kind.

    A phase without one is returned unchanged.
    """
    titles = _VOLUME_TITLES if kind == "volume" else {}
    return titles.get(phase, PHASE_TITLES.get(phase, phase))


def subagent_name(agent: str) -> str:
    """Return the name that Claude Code has for a plugin's agent."""
    return f"{PLUGIN}:{agent}"
