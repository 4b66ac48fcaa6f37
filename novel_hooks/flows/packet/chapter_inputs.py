"""What each agent of the chapter crew is given. Source: seed 000 Steps 2.0-2.6, protocol §7.

Which parts a phase is given stands in `flows.packet.phase_inputs`; here each part is made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

import json

from novel_hooks import errors, layout, roles
from novel_hooks.flows.book import foreshadowing, log_join, settings
from novel_hooks.flows.chapter.desk import Desk, Found
from novel_hooks.flows.checks import evaluation
from novel_hooks.flows.packet import phase_inputs
from novel_hooks.flows.packet.gathering import Assembled, Gathering
from novel_hooks.flows.packet.phase_inputs import Part
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.packet import packet


def for_phase(desk: Desk, phase: str, revisions: int, ahead: bool = False) -> Assembled:
    """The inputs of a chapter's phase; raises Problems with everything that stops it."""
    parts = phase_inputs.CHAPTER.get(phase, ())
    new_draft = phase == "draft" and revisions == 0
    gathering = Gathering(desk, new_draft)
    gathering.ahead = ahead
    if parts:
        gathering.attempt(log_join.sound_state, desk.book)  # nothing is begun that could not land
        for part in parts:
            _PARTS[part.name](gathering, part)
        storyline = gathering.contract.storyline_id if gathering.contract else None
        gathering.problems += phase_inputs.missing(desk.book, phase, desk.number, storyline)
    return gathering.done(roles.CHAPTER_AGENTS.get(phase))


def _judged(g: Gathering, part: Part) -> None:
    """JSON files that must be right, though no agent is given them as they are."""
    for document in part.documents:
        g.attempt(g.book.document, document.path(g.desk.volume), document.schema)


def _needed(g: Gathering, part: Part) -> None:
    _judged(g, part)
    text = part.text
    if text is not None:
        g.need(part.name, text.type, text.path(g.desk.volume), text.what, text.how)


def _checked(g: Gathering, part: Part) -> Any:
    """The part's one JSON file, given as it is."""
    (document,) = part.documents
    return g.checked(part.name, document.path(g.desk.volume), document.schema)


def _guide(g: Gathering, part: Part) -> None:
    if part.guide is not None:
        g.guide(part.name, part.guide)


def _summaries(g: Gathering, part: Part) -> None:
    for number in range(g.desk.number - 1, max(0, g.desk.number - 1 - part.summaries), -1):
        g.file(part.name, "summary", layout.summary(number))


def _blacklist_top(g: Gathering, part: Part) -> None:
    (document,) = part.documents
    blacklist = g.attempt(g.book.document, document.path(g.desk.volume), document.schema)
    g.add(packet.value("ai_blacklist_top10", world_rules.blacklist_top(blacklist), "list"))


def _state_version(g: Gathering, part: Part) -> None:
    state = g.attempt(g.book.state)
    if state is not None:
        g.add(packet.value("base_state_version", state["state_version"], "number"))


def _entity_ids(g: Gathering, part: Part) -> None:
    people = g.attempt(g.book.cast) or []
    g.problems += casts.problems(people)
    g.add(packet.value("entity_id_map", casts.entity_ids(people)))


def _fixes(g: Gathering, part: Part) -> None:
    g.add(packet.value("required_fixes", evaluation.fixes(_evaluation(g)), "list"))


def _violations(g: Gathering, part: Part) -> None:
    verdicts = evaluations.verdicts_of(_evaluation(g)).values()
    violations = [v for verdict in verdicts for v in evaluations.high_violations(verdict)]
    g.add(packet.value("high_confidence_violations", violations, "list"))


def _evaluation(g: Gathering) -> Mapping[str, Any]:
    """The staged evaluation, {} when there is none."""
    found: Found | None = g.attempt(g.desk.get, "evaluation")
    return found.value if found is not None and found.ok else {}


def _staged(g: Gathering, part: Part) -> None:
    """A file of the crew's, when it is there and right."""
    found: Found | None = g.attempt(g.desk.get, part.staged)
    if found is not None and found.ok:
        g.file(part.name, "json", found.path)
    elif found is not None and g.book.project.has(found.path):
        detail = "；".join(str(problem).rstrip("。") for problem in found.problems)
        g.problems.append(errors.StagedLeftOut(found.path, detail=detail))


def _chapter_content(g: Gathering, part: Part) -> None:
    found: Found | None = g.attempt(g.desk.get, part.staged)
    if found is not None and not found.ok:
        g.problems += found.problems
    elif found is not None:
        g.add(packet.file("chapter_content", "chapter_content", found.path, found.value))


def _lint(g: Gathering, part: Part) -> None:
    """What was counted of the text, so that no agent has to guess a number."""
    from novel_hooks.flows.checks import lint

    g.add(g.attempt(lint.packet_input, g.desk))


def _chapter_outline(g: Gathering, part: Part) -> None:
    if g.outline is not None:
        g.add(packet.excerpt("chapter_outline", "summary", outlines.block(g.outline, g.desk.number)))


def _storyline_id(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        g.add(packet.value("storyline_id", g.contract.storyline_id, "text"))


def _storyline_ids(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        g.add(packet.value("storyline_ids", [*g.schedule.active, *g.schedule.dormant], "list"))


def _storyline_context(g: Gathering, part: Part) -> None:
    if g.contract is None:
        return
    document = g.contract.document
    g.add(
        packet.value("storyline_context", document.get("storyline_context") or {}),
        packet.value("concurrent_state", dict(g.contract.concurrent_state)),
        packet.value("transition_hint", document.get("transition_hint")),
    )


def _memory(g: Gathering, part: Part) -> None:
    """The storyline's memory as the chapter found it: by its file, or as text when no file holds that."""
    if g.contract is None:
        return
    storyline = g.contract.storyline_id
    path, text = g.attempt(g.book.memory, storyline) or (None, "")
    doubt = g.attempt(g.book.memory_doubt, storyline) if path is not None else None
    g.problems += [doubt] if doubt is not None else []
    if path is not None:
        g.add(packet.file("storyline_memory", "summary", path, text))
    elif text:
        g.add(packet.excerpt("storyline_memory", "summary", text))


def _neighbours(g: Gathering, part: Part) -> None:
    """The memories of storylines that come near; never a dormant one's (Step 2.5)."""
    if g.contract is not None:
        for other in contracts.neighbours(g.contract, g.schedule):
            g.file("adjacent_storyline_memories", "summary", layout.memory(other))


def _state(g: Gathering, part: Part) -> None:
    state = g.attempt(g.book.state)
    path = g.book.state_path()
    if state is not None and path is not None:
        g.file("current_state", "json", path)
    elif state is not None:
        g.add(packet.value("current_state", state))


def _tasks(g: Gathering, part: Part) -> None:
    tasks = g.attempt(foreshadowing.tasks, g.book, g.desk.volume, g.desk.number)
    if tasks is None:
        g.attempt(foreshadowing.facts, g.book)  # a broken plan must not hide a broken index
    g.add(packet.value("foreshadowing_tasks", tasks or [], "list"))


def _contract(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        text = json.dumps(g.contract.document, ensure_ascii=False)
        g.add(packet.file("chapter_contract", "json", g.contract.path, g.book.text(g.contract.path) or text))


def _world_rules(g: Gathering, part: Part) -> None:
    rules = _checked(g, part)
    g.add(packet.value("hard_rules_list", world_rules.hard_rule_lines(rules), "list"))


def _characters(g: Gathering, part: Part) -> None:
    """The contracts of those whom the chapter's contract names, else of the 15 seen last (Step 2.4)."""
    people = g.attempt(g.book.cast)
    if people is None or g.contract is None:
        return
    g.problems += casts.problems(people)
    recent = [] if g.contract.cast is not None else _recent_summaries(g)
    most = g.attempt(settings.max_characters, g.book) or casts.CAP_WITHOUT_CONTRACT
    chosen, warnings = casts.pruned(people, g.contract.cast, g.contract.path, recent, most)
    g.problems += warnings
    if "character_profiles" in part.keys:
        for person in chosen:
            g.file("character_profiles", "character_profile", layout.character_profile(person.slug))
    given = {person.slug: casts.told(person, g.desk.number) for person in chosen}
    g.add(packet.value("character_contracts", given))


def _recent_summaries(g: Gathering) -> list[tuple[int, str]]:
    first = max(1, g.desk.number - casts.RECENT_SUMMARIES)
    found = [(n, g.attempt(g.book.text, layout.summary(n))) for n in range(first, g.desk.number)]
    return [(number, text) for number, text in found if text is not None]


def _length(g: Gathering, part: Part) -> None:
    least, most = g.attempt(settings.chapter_chars, g.book) or settings.DEFAULT_CHAPTER_CHARS
    g.add(packet.value("chapter_length", {"least": least, "most": most}))


_PARTS: Mapping[str, Callable[[Gathering, Part], Any]] = {
    "storylines": _judged,
    "project_brief": _needed,
    "style_profile": _needed,
    "ai_blacklist_top10": _blacklist_top,
    "ai_blacklist": _checked,
    "current_volume_outline": _needed,
    "chapter_outline": _chapter_outline,
    "storyline_id": _storyline_id,
    "storyline_ids": _storyline_ids,
    "storyline_context": _storyline_context,
    "storyline_memory": _memory,
    "adjacent_storyline_memories": _neighbours,
    "storyline_spec": _checked,
    "storyline_schedule": _checked,
    "recent_3_summaries": _summaries,
    "prev_summary": _summaries,
    "current_state": _state,
    "base_state_version": _state_version,
    "foreshadowing_tasks": _tasks,
    "chapter_contract": _contract,
    "world_rules": _world_rules,
    "entity_id_map": _entity_ids,
    "character_contracts": _characters,
    "characters": _characters,
    "chapter_length": _length,
    "chapter_content": _chapter_content,
    "lint_report": _lint,
    "hints": _staged,
    "cross_references": _staged,
    "required_fixes": _fixes,
    "high_confidence_violations": _violations,
    "writing_methodology": _guide,
    "style_guide": _guide,
    "quality_rubric": _guide,
}
"""How each part of the table is made."""
