"""The inputs of each planning agent. Source: protocol §1, §7; seed 003.

`flows.packet.phase_inputs` lists the parts of a step; this module makes each. A staged file of an earlier
planning step counts before the landed one. One of the step itself is its draft: a broken one is a warning.
"""

from __future__ import annotations

from novel_hooks import defaults, errors, layout, roles
from novel_hooks.annotations import Any, Callable, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, log_join, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.templates import is_template
from novel_hooks.flows.packet import phase_inputs, style_measures
from novel_hooks.flows.packet.gathering import Assembled, Gathering
from novel_hooks.flows.packet.phase_inputs import Part
from novel_hooks.flows.planning import desk, questions, setting_changes
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import chosen_people, world_rules
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.packet import packet
from novel_hooks.rules.packet.size_limit import Offer
from novel_hooks.rules.steps import agents, chapter_notes
from novel_hooks.rules.steps import questions as steps_questions
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text import style_measures as text_style_measures
from novel_hooks.rules.text.name_order import in_order
from novel_hooks.store.files import assets
from novel_hooks.store.formats.text import decode

_SPEAKS_OF_THE_VOLUME = (
    "project_brief",
    "storylines",
    "pending_actions",
    "previous_volume_review",
    "outline",
    "schedule",
    "foreshadowing_plan",
)
"""Whoever is named there, or in the last summaries, is given before the others."""


class Plans(Gathering):
    """The gathering of a planning step. `own` are the keys of the step's outputs."""

    def __init__(self, book: Book, point: Checkpoint, step: Step, volume: int, first: int) -> None:
        self.book = book
        self.point = point
        self.step = step
        self.volume = volume
        self.first = first
        self.inputs, self.guides, self.problems = [], {}, []
        self.settings: Mapping[str, Any] = {}
        table = roles.SETUP_OUTPUTS if step.kind == "setup" else roles.VOLUME_OUTPUTS
        self.own = {output.key for output in table[step.phase]}

    def _offers(self, agent: str) -> Sequence[Offer]:
        from novel_hooks.rules.packet import cuts

        plan = "\n".join(i.body() for i in self.inputs if i.key in _SPEAKS_OF_THE_VOLUME)
        called = self._display_names()
        for given in (i.value for i in self.inputs if i.key == "character_contracts"):
            called.update((slug, held["display_name"]) for slug, held in given.items())
        return cuts.offers(agent, self.first, self.inputs, plan, called)

    def held(self, path: str) -> str:
        """Return the staged path when there is such a file, else the landed one."""
        return layout.staged(path) if self.book.project.has(layout.staged(path)) else path

    def plan(self, key: str, path: str, schema: str) -> Any:
        """Add a plan's document when it is there and valid, and return it."""
        place = self.held(path)
        before = len(self.problems)
        document = self.checked(key, place, schema)
        self._ours(before, key, place)
        return document

    def prose(self, key: str, kind: str, path: str) -> None:
        """Add a text, staged before landed, when it is there."""
        place = self.held(path)
        before = len(self.problems)
        self.file(key, kind, place)
        self._ours(before, key, place)

    def _ours(self, before: int, key: str, place: str) -> None:
        """Turn faults of a staged file into its maker's to mend, not the author's."""
        if not place.startswith(f"{layout.STAGING}/"):
            return
        found, self.problems[before:] = self.problems[before:], []
        self.problems += [self._staged(key, place, problem) for problem in found]

    def _staged(self, key: str, place: str, problem: Problem) -> Problem:
        if key in self.own:
            return errors.StagedPlanUnread(place, reason=problem, who=_title(agents.planner_for(self.step)))
        return errors.OutputBroken(place, cause=problem, who=_title(_MAKERS.get(key)))

    def names(self, key: str, folder: str, endings: tuple[str, ...]) -> list[str]:
        """Return the files of a folder by name, staged and landed together."""
        landed, before = self.folder_names(folder, endings), len(self.problems)
        staged = self.folder_names(layout.staged(folder), endings)
        self._ours(before, key, layout.staged(folder))
        return in_order({*landed, *staged})

    def folder_names(self, folder: str, endings: tuple[str, ...]) -> list[str]:
        """Return the files of one folder by name; a name that is no text stops the step."""
        names, problems = self.attempt(self.book.files, folder, endings) or ((), ())
        self.problems += problems
        return list(names)


_MAKERS = {
    "world_rules": "world-builder",
    "world_docs": "world-builder",
    "character_cards": "character-weaver",
    "character_profiles": "character-weaver",
    "style_profile": "style-analyzer",
}


def _title(agent: str | None) -> str:
    return roles.ROLES[agent].title if agent else "写作助手"


def for_step(
    book: Book, point: Checkpoint, step: Step, volume: int, first: int, ahead: bool = False
) -> Assembled:
    """Gather the inputs of a planning step. Raises Problems with everything that stops it."""
    plans = Plans(book, point, step, volume, first)
    plans.ahead = ahead
    for part in phase_inputs.PLANS[step.phase]:
        _PARTS[part.name](plans, part)
    return plans.done(agents.planner_for(step))


def _add_answers(p: Plans, part: Part) -> None:
    """Add the author's decisions, by step, in the order of their questions."""
    found = steps_questions.packet_answers(p.attempt(questions.answers, p.book) or [], str(p.step))
    found = [*filter(steps_questions.is_about_style, found)] if p.step.phase == "style" else found
    if found:
        p.add(packet.value_input("author_decisions", found, "list"))


def _add_wishes(p: Plans, part: Part) -> None:
    """Add what the author wishes of this volume: told before it was planned, kept when it is planned anew."""
    found = steps_questions.packet_wishes(p.attempt(questions.answers, p.book) or [], str(p.step))
    if found:
        p.add(packet.value_input("volume_wishes", found, "list"))


def _add_notes(p: Plans, part: Part) -> None:
    """Add the author's notes for chapters that are still to be written, which this volume may plan."""
    notes = chapter_notes.of_coming(p.attempt(p.book.decisions) or [], p.point.last)
    if notes:
        found = [{"chapter": one.chapter, "note": one.text} for one in notes]
        p.add(packet.value_input("author_notes", found, "list"))


def _add_problems(p: Plans, part: Part) -> None:
    """Add the reasons why the step's earlier draft was not taken, as `validate` gives them now."""
    found = [problem.diagnostic() for problem in p.attempt(desk.unusable_problems, p.book, p.step) or ()]
    if found:
        told = [{"path": one.path, "problem": one.message, "fix": one.fix} for one in found]
        p.add(packet.value_input("previous_problems", told, "list"))


def _add_document(p: Plans, part: Part) -> Any:
    """Add the part's one JSON file as it is."""
    (document,) = part.documents
    return p.plan(part.keys[0], document.path(p.volume), document.schema)


def _add_storylines_draft(p: Plans, part: Part) -> Any:
    """Add the staged storylines: those of a book that moved in come with its people."""
    return _add_document(p, part) if p.book.project.has(layout.staged(layout.STORYLINES)) else None


def _add_brief_draft(p: Plans, part: Part) -> None:
    """Add the brief as it is; the untouched template is given as such, and not twice."""
    path = p.held(layout.BRIEF)
    if not p.attempt(is_template, p.book, path):
        p.file("project_brief", "world_doc", path)


def _add_brief_template(p: Plans, part: Part) -> None:
    data = assets.load(assets.package_path("templates/brief.md"))
    guide = f"{layout.GUIDES}/brief.md"
    p.guides[guide] = data
    p.add(packet.file_input("brief_template", "reference", guide, decode(data, guide)))


def _add_brief(p: Plans, part: Part) -> None:
    """Add the brief; nothing is planned without one, or on the blank template."""
    path = p.held(layout.BRIEF)
    if p.attempt(is_template, p.book, path):
        p.problems.append(errors.BriefBlank(path))
    else:
        p.brief(path, part)


def _add_settings(p: Plans, part: Part) -> None:
    p.settings = p.attempt(settings.read, p.book) or {}
    p.add(packet.value_input("book", {key: str(p.settings.get(key) or "") for key in ("title", "genre")}))


def _add_research(p: Plans, part: Part) -> None:
    """Add `research/*.md` (seed 003); files in deeper folders are none."""
    for name in p.folder_names(layout.RESEARCH, layout.PAGE_ENDINGS[layout.RESEARCH]):
        p.file("research", "research", f"{layout.RESEARCH}/{name}")


def _add_rules(p: Plans, part: Part) -> None:
    """Add the soft rules, and the hard ones as a list of their own, those of later chapters marked."""
    (document,) = part.documents
    place, before = p.held(document.path(p.volume)), len(p.problems)
    rules = p.attempt(p.book.document, place, document.schema)
    p._ours(before, "world_rules", place)
    soft = world_rules.soft_rules(rules)
    p.add(packet.value_input("world_rules", soft) if soft else None)
    p.add(packet.value_input("hard_rules_list", world_rules.hard_rule_lines(rules, p.first), "list"))


def _add_world_docs(p: Plans, part: Part) -> None:
    for name in p.names("world_docs", layout.WORLD, (".md",)):
        p.prose("world_docs", "world_doc", f"{layout.WORLD}/{name}")


def _active_characters(p: Plans) -> list[Character]:
    """Return the active characters, staged ones before landed ones, in slug order.

    Two landed ones of one name are an error; faults of a staged one are reported by `_add_problems`.
    """
    people, staged = [], set[str]()
    for name in p.names("character_cards", layout.CHARACTERS, (".json",)):
        place, before = p.held(f"{layout.CHARACTERS}/{name}"), len(p.problems)
        document = p.attempt(p.book.document, place, "character")
        p._ours(before, "character_cards", place)
        if document is not None:
            people.append(casts.character(name[: -len(".json")], document))
            staged.update([people[-1].slug] if place.startswith(f"{layout.STAGING}/") else [])
    wrong = casts.problems(people, staged)
    p.problems += [one for one in wrong if not (one.path or "").startswith(f"{layout.STAGING}/")]
    return people


def _add_cards(p: Plans, part: Part) -> None:
    """Add everybody's card and profile, staged ones before landed ones."""
    people = _active_characters(p)
    for person in people:
        place = p.held(layout.character_card(person.slug))
        p.add(packet.file_input("character_cards", "json", place, p.book.text(place) or ""))
    for person in people:
        p.prose("character_profiles", "character_profile", layout.character_profile(person.slug))
    p.add(packet.value_input("entity_id_map", known_people.names_by_slug(people)))


def _add_cast(p: Plans, part: Part) -> None:
    """Add everybody's contracts, and the profiles of those who appeared last (Step 2.4)."""
    broken = len(p.problems)
    people = _active_characters(p)
    if not people and len(p.problems) == broken:
        p.problems.append(errors.CastEmpty(layout.CHARACTERS))
    recent = _recent_summaries(p, chosen_people.RECENT_SUMMARIES)
    chosen, _ = chosen_people.select_characters(people, None, layout.CHARACTERS, recent)
    given = {c.slug: casts.plan_view(c, p.first) for c in people}
    p.add(packet.value_input("character_contracts", given))
    for person in sorted(chosen, key=lambda c: c.slug):
        p.prose("character_profiles", "character_profile", layout.character_profile(person.slug))


def _add_storylines(p: Plans, part: Part) -> None:
    """Add the storylines, their specification, and the memory of each."""
    storylines, spec = part.documents
    document = p.plan("storylines", storylines.path(p.volume), storylines.schema)
    p.checked("storyline_spec", spec.path(p.volume), spec.schema)
    for line in sorted(each["id"] for each in (document or {}).get("storylines") or ()):
        p.file("storyline_memories", "summary", layout.memory(line))


def _add_previous_volume(p: Plans, part: Part) -> None:
    if p.volume > 1:
        p.file("previous_volume_outline", "summary", layout.outline(p.volume - 1))
        p.file("previous_volume_review", "summary", layout.volume_review(p.volume - 1))


def _add_summaries(p: Plans, part: Part) -> None:
    for number, _ in reversed(_recent_summaries(p, part.summaries)):
        p.file(part.name, "summary", layout.summary(number))


def _add_state(p: Plans, part: Part) -> None:
    state, path = p.attempt(log_join.checked_state, p.book), p.book.state_path()
    if state is not None and path is not None:
        p.file("current_state", "json", path)
    elif state is not None:
        p.add(packet.value_input("current_state", state))


def _recent_summaries(p: Plans, count: int) -> list[tuple[int, str]]:
    numbers = range(max(1, p.point.last - count + 1), p.point.last + 1)
    found = [(n, p.attempt(p.book.text, layout.summary(n))) for n in numbers]
    return [(number, text) for number, text in found if text is not None]


def _add_pending_actions(p: Plans, part: Part) -> None:
    """Add the author's changes since the plans were made, and the contracts that they touch."""
    actions = setting_changes.pending(p.point)
    p.add(packet.value_input("pending_actions", actions, "list"))
    paths = {path for one in actions if isinstance(one, dict) for path in one.get("contracts") or ()}
    for path in sorted(path for path in paths if isinstance(path, str) and p.book.project.has(path)):
        p.file("touched_contracts", "json", path)


def _add_length(p: Plans, part: Part) -> None:
    least, most = p.settings.get("chapter_chars") or defaults.CHAPTER_CHARS
    p.add(packet.value_input("chapter_length", {"least": least, "most": most}))


def _add_number(p: Plans, part: Part) -> None:
    value = p.first if part.name == "first_chapter" else p.point.last
    p.add(packet.value_input(part.name, value, "number"))


def _add_open_threads(p: Plans, part: Part) -> None:
    threads = p.attempt(foreshadowing.unresolved, p.book, p.point.last) or []
    p.add(packet.value_input("open_foreshadowing", threads, "list"))


def _add_outline_draft(p: Plans, part: Part) -> None:
    """Add an earlier outline of this volume, staged or landed; its other plans are `_add_document`'s."""
    p.prose("outline", "summary", layout.outline(p.volume))


def _add_style_samples(p: Plans, part: Part) -> None:
    (words,) = part.documents
    blacklist = p.checked("ai_blacklist", words.path(p.volume), words.schema)
    texts = _author_samples(p)
    if texts:
        facts = style_measures.facts(p.book, texts, style_measures.blacklisted(blacklist))
        if facts["sentences"] < text_style_measures.FEWEST_SENTENCES:
            p.problems.append(errors.SampleShort(layout.STYLE_SAMPLES, sentences=facts["sentences"]))
        p.add(packet.value_input("style_facts", facts))


def _author_samples(p: Plans) -> list[str]:
    """Add the author's own texts, by name, until there is enough; return them."""
    names = p.folder_names(layout.STYLE_SAMPLES, layout.PAGE_ENDINGS[layout.STYLE_SAMPLES])
    found, left = style_measures.samples(names, lambda path: p.attempt(p.book.text, path))
    for path, text in found:
        p.add(packet.file_input("style_samples", "style_sample", path, text))
    texts = [text for _, text in found]
    if left:
        files = excerpt.join_first(left, 5, "个")
        p.problems.append(errors.SampleLeftOut(layout.STYLE_SAMPLES, limit=style_measures.LIMIT, files=files))
    if not texts and not any(q.path and q.path.startswith(layout.STYLE_SAMPLES) for q in p.problems):
        p.problems.append(errors.SampleMissing(layout.STYLE_SAMPLES))
    return texts


_PARTS: Mapping[str, Callable[[Plans, Part], Any]] = {
    "project_brief": _add_brief,
    "told_brief": _add_brief,
    "brief_draft": _add_brief_draft,
    "brief_template": _add_brief_template,
    "book": _add_settings,
    "research": _add_research,
    "rules_draft": _add_document,
    "world_rules": _add_rules,
    "world_docs": _add_world_docs,
    "cards": _add_cards,
    "storylines_draft": _add_storylines_draft,
    "style_draft": _add_document,
    "samples": _add_style_samples,
    "first_chapter": _add_number,
    "last_completed_chapter": _add_number,
    "cast": _add_cast,
    "storylines": _add_storylines,
    "previous_volume": _add_previous_volume,
    "recent_3_summaries": _add_summaries,
    "current_state": _add_state,
    "open_foreshadowing": _add_open_threads,
    "pending": _add_pending_actions,
    "chapter_length": _add_length,
    "outline": _add_outline_draft,
    "schedule": _add_document,
    "foreshadowing_plan": _add_document,
    "volume_wishes": _add_wishes,
    "author_notes": _add_notes,
    "author_decisions": _add_answers,
    "previous_problems": _add_problems,
}
"""How each part of the table is made."""
