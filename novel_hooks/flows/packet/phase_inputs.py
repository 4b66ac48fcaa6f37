"""The inputs of each phase: the table by which a packet is built, and its files judged beforehand.

`CHAPTER` and `PLANS` name the parts of a phase in the packet's order. `flows.packet.chapter_inputs` and
`flows.planning.planner_inputs` make the inputs of every part, `rules.packet.packet.TITLES` names each for the
author. `flows.packet.preflight` judges the files of a part. Source: seed 000 Steps 2.0-2.6, protocol §7; seed
003.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Callable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.record import Record

if TYPE_CHECKING:
    from typing import Union

    Place = Union[str, Callable[[int], str]]

WRITERS_TEXTS = 3
"""So many last chapters a writer gets in their own words."""
RECENT = 3
"""How many earlier chapters a writer and a planner get the summaries of."""


def _path(place: Place, volume: int) -> str:
    return place if isinstance(place, str) else place(volume)


class Document(Record):
    """A JSON file that its schema judges. `place` is its path, or a function from the volume to the path."""

    schema: str
    place: Place

    def path(self, volume: int) -> str:
        """Return the file's path for the volume."""
        return _path(self.place, volume)


class Text(Record):
    """A file of setting that the phase cannot do without. `what`: the author's name for it."""

    type: str
    place: Place
    what: str

    def path(self, volume: int) -> str:
        """Return the file's path for the volume."""
        return _path(self.place, volume)


class Part(Record):
    """Inputs that are made together. `keys` are theirs in the packet; () when files are only judged.

    `documents` and `text` are the files that the part is made of. `summaries` counts the earlier chapters
    that it covers, `texts` those that it gives in their own words. `staged` is the chapter crew's output that
    it gives, `guide` the plugin's text on craft. `awaited` describes, for an author, the work that makes an
    optional part.
    """

    name: str
    keys: tuple[str, ...]
    documents: tuple[Document, ...] = ()
    text: Text | None = None
    summaries: int = 0
    texts: int = 0
    staged: str | None = None
    guide: str | None = None
    awaited: str | None = None


def _part(
    name: str,
    *documents: Document,
    keys: tuple[str, ...] | None = None,
    text: Text | None = None,
    summaries: int = 0,
    texts: int = 0,
    staged: str | None = None,
    guide: str | None = None,
    awaited: str | None = None,
) -> Part:
    """A part that is called by its key, unless it has several or none."""
    own = (name,) if keys is None else keys
    return Part(name, own, documents, text, summaries, texts, staged, guide, awaited)


STYLE_FILE = Document("style-profile", layout.STYLE_PROFILE)
SCHEDULE_FILE = Document("storyline-schedule", layout.schedule)
_STORYLINES = Document("storylines", layout.STORYLINES)
_BLACKLIST = Document("ai-blacklist", layout.BLACKLIST)
_RULES = Document("world-rules", layout.WORLD_RULES)
_SPEC = Document("storyline-spec", layout.STORYLINE_SPEC)
_FACTS = Document("foreshadowing", layout.FORESHADOWING)
_PLAN = Document("foreshadowing-plan", layout.foreshadowing_plan)
_REPORT_ORDER = (STYLE_FILE, SCHEDULE_FILE, _STORYLINES, _BLACKLIST, _RULES, _SPEC, _FACTS, _PLAN)

BRIEF = _part("project_brief", text=Text("world_doc", layout.BRIEF, "立意"))
TOLD_BRIEF = BRIEF._replace(name="told_brief")
"""The brief without its answers: for who writes chapters, and who learns the style."""
STYLE = _part("style_profile", STYLE_FILE, text=Text("json", layout.STYLE_PROFILE, "文风档案"))
MEMORY = _part("storyline_memory")
NEIGHBOURS = _part("adjacent_storyline_memories")
THREADS = _part("foreshadowing_tasks", _FACTS, _PLAN)
WHOLE_THREADS = _part("whole_threads", _FACTS, _PLAN, keys=("foreshadowing_tasks",))
"""The threads with what they turn out to be: a judge's."""
ENTITY_IDS = _part("entity_id_map")
CONTRACTS = _part("character_contracts")
PROFILES = _part("characters", keys=("character_profiles", "character_contracts"))
_CHAPTER_OUTLINE = _part("chapter_outline")
_STORYLINE = _part("storyline_id")
_STATE = _part("current_state")
_CONTRACT = _part("chapter_contract")
PREVIOUS = _part("previous_text", texts=1)
LAST_TEXTS = _part("previous_texts", keys=("previous_text",), texts=WRITERS_TEXTS)
LINE = _part("line_text")
PEOPLE = _part("people")
WORLD_PAGES = _part("world_pages")
_RULE_KEYS = ("world_rules", "hard_rules_list")
_WORLD_RULES = _part("world_rules", _RULES, keys=_RULE_KEYS)
_LENGTH = _part("chapter_length")
_CONTENT = _part("chapter_content", staged="chapter")
FIXES = _part("required_fixes", _FACTS, _PLAN)
"""What the judge asks for; threads and cards are read, so that it tells no secret."""
TEXT_FIXES = _part("text_fixes", _FACTS, _PLAN, keys=("required_fixes",))
"""Of them those that a refiner may carry out."""
NOTES = _part("author_notes")
"""What the author wants of the chapter."""
REDO = _part("previous_work", keys=("previous_output", "previous_problems"))
"""What a redone step had made before, and what was wrong with it."""
_LINT = _part("lint_report", awaited="本章正文写好以后，由程序数出来")
_RECENT_SUMMARIES = _part("recent_3_summaries", summaries=RECENT)
_RECALL = _part("recall")


def _writer(texts: Part, state: Part, method: Part) -> tuple[Part, ...]:
    """Return a writer's parts. A revision needs less of these three: it changes single places of a text."""
    return (
        _part("storylines", _STORYLINES, keys=()),
        TOLD_BRIEF,
        STYLE,
        _part("ai_blacklist_top10", _BLACKLIST),
        _part("current_volume_outline"),
        _CHAPTER_OUTLINE,
        _STORYLINE,
        _part("storyline_context", keys=("storyline_context", "concurrent_state", "transition_hint")),
        MEMORY,
        NEIGHBOURS,
        _RECENT_SUMMARIES,
        texts,
        LINE,
        _RECALL,
        state,
        THREADS,
        _part("own_contract", keys=("chapter_contract",)),
        _part("introduced_rules", _RULES, keys=_RULE_KEYS),
        CONTRACTS,
        PEOPLE,
        WORLD_PAGES,
        _LENGTH,
        method,
        NOTES,
    )


_DRAFT = _writer(LAST_TEXTS, _STATE, _part("writing_methodology", guide="method"))
_REVISE = _writer(
    PREVIOUS,
    _part("state_of_chapter", keys=("current_state",)),
    _part("closing_questions", keys=("writing_methodology",), guide="method"),
)
_REFINE = (
    _CONTENT,
    STYLE,
    _part("ai_blacklist", _BLACKLIST),
    _LINT,
    _part("style_guide", guide="style-guide"),
)

CHAPTER: Mapping[str, tuple[Part, ...]] = {
    "draft": (*_DRAFT, REDO),
    "revise": (*_REVISE, _CONTENT, FIXES, _part("high_confidence_violations"), REDO),
    "summarize": (
        _CONTENT,
        _STATE,
        THREADS,
        _part("base_state_version"),
        ENTITY_IDS,
        _STORYLINE,
        _part("storyline_ids"),
        MEMORY,
        _part("hints", staged="hints", awaited="写手交初稿时可以留下，不一定有"),
        REDO,
    ),
    "refine": (*_REFINE, REDO),
    "polish": (*_REFINE, TEXT_FIXES, REDO),
    "judge": (
        _CONTENT,
        BRIEF,
        _CHAPTER_OUTLINE,
        PROFILES,
        _part("prev_summary", summaries=1),
        PREVIOUS,
        _STATE,
        STYLE,
        _part("ai_blacklist", _BLACKLIST),
        _LINT,
        _CONTRACT,
        WHOLE_THREADS,
        _WORLD_RULES,
        WORLD_PAGES,
        _part("storyline_spec", _SPEC),
        _part("storyline_schedule", SCHEDULE_FILE),
        _part("cross_references", staged="crossref", awaited="记录员记下这一章以后才有"),
        NOTES,
        _part("quality_rubric", guide="quality-rubric"),
    ),
}

_BOOK = _part("book")
_RESEARCH = _part("research")
_WORLD_DOCS = _part("world_docs")
_BUILT_WORLD = (_WORLD_RULES._replace(awaited="世界观设计师建好世界以后才有"), _WORLD_DOCS)
_EARLIER = (_part("author_decisions"), _part("previous_problems"))
_CARDS = ("character_cards", "character_profiles", "entity_id_map")
_SAMPLES = ("ai_blacklist", "style_samples", "style_facts")
_OF_STORYLINES = ("storylines", "storyline_spec", "storyline_memories")

PLANS: Mapping[str, tuple[Part, ...]] = {
    "brief": (_part("brief_draft", keys=("project_brief",)), _BOOK, _RESEARCH, _part("brief_template")),
    "world": (
        BRIEF,
        _BOOK,
        _RESEARCH,
        _part("rules_draft", _RULES, keys=("world_rules",)),
        _WORLD_DOCS,
        *_EARLIER,
    ),
    "characters": (
        BRIEF,
        _BOOK,
        _RESEARCH,
        *_BUILT_WORLD,
        _part("cards", keys=_CARDS),
        _part("storylines_draft", _STORYLINES, keys=("storylines",)),
        *_EARLIER,
    ),
    "style": (
        TOLD_BRIEF,
        _BOOK,
        _part("style_draft", STYLE_FILE, keys=("style_profile",)),
        _part("samples", _BLACKLIST, keys=_SAMPLES),
        *_EARLIER,
    ),
    "outline": (
        BRIEF,
        _BOOK,
        _RESEARCH,
        _part("volume_wishes"),
        NOTES,
        _part("first_chapter"),
        _part("last_completed_chapter"),
        *_BUILT_WORLD,
        _part("cast", keys=("character_contracts", "character_profiles")),
        _part("storylines", _STORYLINES, _SPEC, keys=_OF_STORYLINES),
        _part("previous_volume", keys=("previous_volume_outline", "previous_volume_review")),
        _RECENT_SUMMARIES,
        _STATE,
        _part("open_foreshadowing", _FACTS),
        _part("pending", keys=("pending_actions", "touched_contracts")),
        _LENGTH,
        _part("outline"),
        _part("schedule", SCHEDULE_FILE),
        _part("foreshadowing_plan", _PLAN),
        *_EARLIER,
    ),
}


def phase_parts(phase: str) -> tuple[Part, ...]:
    """Return the parts of a phase in the packet's order; () for a phase that no agent works on."""
    return CHAPTER.get(phase) or PLANS.get(phase, ())


def documents(phase: str) -> list[Document]:
    """Return the JSON files of a phase, each once, in the order of their reports."""
    return sorted({d for part in phase_parts(phase) for d in part.documents}, key=_REPORT_ORDER.index)


def summary_count(phase: str) -> int:
    """Return the number of earlier chapters whose summaries the phase gets."""
    return max((part.summaries for part in phase_parts(phase)), default=0)


def text_count(phase: str) -> int:
    """Return the number of earlier chapters that the phase gets in their own words."""
    return max((part.texts for part in phase_parts(phase)), default=0)


def line_chapter(book: Book, storyline: str, chapter: int, phase: str) -> int | None:
    """Return the storyline's last chapter before `chapter`.

    None without one, or when the phase has its text.
    """
    number = logs.last_chapter(book, storyline, chapter)
    return None if number is None or number >= chapter - text_count(phase) else number


def page_paths(book: Book) -> tuple[list[str], list[Problem]]:
    """Return (the paths of the world's pages by name, problems of files whose name is no text)."""
    names, problems = book.files(layout.WORLD, (".md",))
    return [f"{layout.WORLD}/{name}" for name in names], problems


def missing_problems(book: Book, phase: str, chapter: int, storyline: str | None) -> list[Problem]:
    """Return the lost files of landed chapters that the phase needs.

    They stop a chapter of which nothing is written, because a sync can bring them back then; else they are
    warnings.
    """
    parts = phase_parts(phase)
    found: list[Problem] = []
    if summary_count(phase):
        found += lost_inputs.summary_problems(book, chapter, summary_count(phase))
    if MEMORY in parts and storyline:
        found += lost_inputs.lost_memory_problems(book, storyline)
    if THREADS in parts or WHOLE_THREADS in parts:
        found += lost_inputs.foreshadowing_problems(book)
    if found and phase == "draft" and begins(book, chapter):
        for problem in found:
            problem.severity = "error"
    return found


def begins(book: Book, chapter: int) -> bool:
    """Tell whether it is the next chapter and nothing of it is written."""
    from novel_hooks.flows.chapter import staged  # only where something is lost

    point = book.checkpoint()
    follows = chapter == point.last + 1 and point.last > book.adoption().last
    return follows and staged.has_nothing(book, point)
