"""The inputs of each agent of the chapter crew. Source: seed 000 Steps 2.0-2.6, protocol §7.

`flows.packet.phase_inputs` lists the parts of a phase; here each part is made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

import json

from novel_hooks import errors, layout, roles
from novel_hooks.flows.book import foreshadowing, log_join, settings
from novel_hooks.flows.chapter.desk import Desk, StagedFile
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
    """Gather the inputs of a chapter's phase. Raises Problems with everything that stops it."""
    parts = phase_inputs.CHAPTER.get(phase, ())
    new_draft = phase == "draft" and revisions == 0
    gathering = Gathering(desk, new_draft)
    gathering.ahead = ahead
    if parts:
        gathering.attempt(log_join.checked_state, desk.book)  # nothing is begun that could not land
        for part in parts:
            _PARTS[part.name](gathering, part)
        storyline = gathering.contract.storyline_id if gathering.contract else None
        gathering.problems += phase_inputs.missing_problems(desk.book, phase, desk.number, storyline)
    return gathering.done(roles.CHAPTER_AGENTS.get(phase))


def _check_documents(g: Gathering, part: Part) -> None:
    """Judge JSON files that must be right, though no agent is given them as they are."""
    for document in part.documents:
        g.attempt(g.book.document, document.path(g.desk.volume), document.schema)


def _add_needed(g: Gathering, part: Part) -> None:
    _check_documents(g, part)
    text = part.text
    if text is not None:
        g.need(part.name, text.type, text.path(g.desk.volume), text.what, text.how)


def _add_document(g: Gathering, part: Part) -> Any:
    """Add the part's one JSON file as it is."""
    (document,) = part.documents
    return g.checked(part.name, document.path(g.desk.volume), document.schema)


def _add_guide(g: Gathering, part: Part) -> None:
    if part.guide is not None:
        g.guide(part.name, part.guide)


def _add_summaries(g: Gathering, part: Part) -> None:
    for number in range(g.desk.number - 1, max(0, g.desk.number - 1 - part.summaries), -1):
        g.file(part.name, "summary", layout.summary(number))


def _add_blacklist_top(g: Gathering, part: Part) -> None:
    (document,) = part.documents
    blacklist = g.attempt(g.book.document, document.path(g.desk.volume), document.schema)
    g.add(packet.value_input("ai_blacklist_top10", world_rules.blacklist_top(blacklist), "list"))


def _add_state_version(g: Gathering, part: Part) -> None:
    state = g.attempt(g.book.state)
    if state is not None:
        g.add(packet.value_input("base_state_version", state["state_version"], "number"))


def _add_entity_ids(g: Gathering, part: Part) -> None:
    people = g.attempt(g.book.cast) or []
    g.problems += casts.problems(people)
    g.add(packet.value_input("entity_id_map", casts.names_by_slug(people)))


def _add_fixes(g: Gathering, part: Part) -> None:
    g.add(packet.value_input("required_fixes", evaluation.fixes(_evaluation(g)), "list"))


def _add_text_fixes(g: Gathering, part: Part) -> None:
    """Add the fixes that a refiner may carry out: words alone, never a fact."""
    g.add(packet.value_input("required_fixes", evaluation.text_fixes(_evaluation(g)), "list"))


def _add_violations(g: Gathering, part: Part) -> None:
    verdicts = evaluations.verdicts_of(_evaluation(g)).values()
    violations = [v for verdict in verdicts for v in evaluations.high_violations(verdict)]
    g.add(packet.value_input("high_confidence_violations", violations, "list"))


def _evaluation(g: Gathering) -> Mapping[str, Any]:
    """Return the staged evaluation, {} when there is none."""
    found: StagedFile | None = g.attempt(g.desk.get, "evaluation")
    return found.value if found is not None and found.ok else {}


def _add_staged(g: Gathering, part: Part) -> None:
    """Add a file of the crew's, when it is there and right."""
    found: StagedFile | None = g.attempt(g.desk.get, part.staged)
    if found is not None and found.ok:
        g.file(part.name, "json", found.path)
    elif found is not None and g.book.project.has(found.path):
        detail = "；".join(str(problem).rstrip("。") for problem in found.problems)
        g.problems.append(errors.StagedLeftOut(found.path, detail=detail))


def _add_chapter_content(g: Gathering, part: Part) -> None:
    found: StagedFile | None = g.attempt(g.desk.get, part.staged)
    if found is not None and not found.ok:
        g.problems += found.problems
    elif found is not None:
        g.add(packet.file_input("chapter_content", "chapter_content", found.path, found.value))


def _add_lint_report(g: Gathering, part: Part) -> None:
    """Add the counts of the text, so that no agent has to guess a number."""
    from novel_hooks.flows.checks import lint

    g.add(g.attempt(lint.packet_input, g.desk))


def _add_chapter_outline(g: Gathering, part: Part) -> None:
    if g.outline is not None:
        g.add(packet.excerpt_input("chapter_outline", "summary", outlines.block(g.outline, g.desk.number)))


def _add_storyline_id(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        g.add(packet.value_input("storyline_id", g.contract.storyline_id, "text"))


def _add_storyline_ids(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        g.add(packet.value_input("storyline_ids", [*g.schedule.active, *g.schedule.dormant], "list"))


def _add_storyline_context(g: Gathering, part: Part) -> None:
    if g.contract is None:
        return
    document = g.contract.document
    g.add(
        packet.value_input("storyline_context", document.get("storyline_context") or {}),
        packet.value_input("concurrent_state", dict(g.contract.concurrent_state)),
        packet.value_input("transition_hint", document.get("transition_hint")),
    )


def _add_memory(g: Gathering, part: Part) -> None:
    """Add the storyline's memory as the chapter found it: by its file, or as text when no file holds it."""
    if g.contract is None:
        return
    storyline = g.contract.storyline_id
    path, text = g.attempt(g.book.memory, storyline) or (None, "")
    doubt = g.attempt(g.book.memory_warning, storyline) if path is not None else None
    g.problems += [doubt] if doubt is not None else []
    if path is not None:
        g.add(packet.file_input("storyline_memory", "summary", path, text))
    elif text:
        g.add(packet.excerpt_input("storyline_memory", "summary", text))


def _add_neighbours(g: Gathering, part: Part) -> None:
    """Add the memories of storylines that come near; never a dormant one's (Step 2.5)."""
    if g.contract is not None:
        for other in contracts.neighbour_storylines(g.contract, g.schedule):
            g.file("adjacent_storyline_memories", "summary", layout.memory(other))


def _add_state(g: Gathering, part: Part) -> None:
    state = g.attempt(g.book.state)
    path = g.book.state_path()
    if state is not None and path is not None:
        g.file("current_state", "json", path)
    elif state is not None:
        g.add(packet.value_input("current_state", state))


def _add_tasks(g: Gathering, part: Part) -> None:
    tasks = g.attempt(foreshadowing.tasks, g.book, g.desk.volume, g.desk.number)
    if tasks is None:
        g.attempt(foreshadowing.facts, g.book)  # a broken plan must not hide a broken index
    g.add(packet.value_input("foreshadowing_tasks", tasks or [], "list"))


def _add_contract(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        text = json.dumps(g.contract.document, ensure_ascii=False)
        g.add(
            packet.file_input(
                "chapter_contract", "json", g.contract.path, g.book.text(g.contract.path) or text
            )
        )


def _add_world_rules(g: Gathering, part: Part) -> None:
    rules = _add_document(g, part)
    g.add(packet.value_input("hard_rules_list", world_rules.hard_rule_lines(rules), "list"))


def _add_characters(g: Gathering, part: Part) -> None:
    """Add the contracts of the characters in the chapter's contract, else of the 15 last seen (Step 2.4)."""
    people = g.attempt(g.book.cast)
    if people is None or g.contract is None:
        return
    g.problems += casts.problems(people)
    recent = [] if g.contract.cast is not None else _recent_summaries(g)
    most = g.attempt(settings.max_characters, g.book) or casts.CAP_WITHOUT_CONTRACT
    chosen, warnings = casts.select_characters(people, g.contract.cast, g.contract.path, recent, most)
    g.problems += warnings
    if "character_profiles" in part.keys:
        for person in chosen:
            g.file("character_profiles", "character_profile", layout.character_profile(person.slug))
    given = {person.slug: casts.agent_view(person, g.desk.number) for person in chosen}
    g.add(packet.value_input("character_contracts", given))


def _recent_summaries(g: Gathering) -> list[tuple[int, str]]:
    first = max(1, g.desk.number - casts.RECENT_SUMMARIES)
    found = [(n, g.attempt(g.book.text, layout.summary(n))) for n in range(first, g.desk.number)]
    return [(number, text) for number, text in found if text is not None]


def _add_length(g: Gathering, part: Part) -> None:
    least, most = g.attempt(settings.chapter_chars, g.book) or settings.DEFAULT_CHAPTER_CHARS
    g.add(packet.value_input("chapter_length", {"least": least, "most": most}))


_PARTS: Mapping[str, Callable[[Gathering, Part], Any]] = {
    "storylines": _check_documents,
    "project_brief": _add_needed,
    "style_profile": _add_needed,
    "ai_blacklist_top10": _add_blacklist_top,
    "ai_blacklist": _add_document,
    "current_volume_outline": _add_needed,
    "chapter_outline": _add_chapter_outline,
    "storyline_id": _add_storyline_id,
    "storyline_ids": _add_storyline_ids,
    "storyline_context": _add_storyline_context,
    "storyline_memory": _add_memory,
    "adjacent_storyline_memories": _add_neighbours,
    "storyline_spec": _add_document,
    "storyline_schedule": _add_document,
    "recent_3_summaries": _add_summaries,
    "prev_summary": _add_summaries,
    "current_state": _add_state,
    "base_state_version": _add_state_version,
    "foreshadowing_tasks": _add_tasks,
    "chapter_contract": _add_contract,
    "world_rules": _add_world_rules,
    "entity_id_map": _add_entity_ids,
    "character_contracts": _add_characters,
    "characters": _add_characters,
    "chapter_length": _add_length,
    "chapter_content": _add_chapter_content,
    "lint_report": _add_lint_report,
    "hints": _add_staged,
    "cross_references": _add_staged,
    "required_fixes": _add_fixes,
    "text_fixes": _add_text_fixes,
    "high_confidence_violations": _add_violations,
    "writing_methodology": _add_guide,
    "style_guide": _add_guide,
    "quality_rubric": _add_guide,
}
"""How each part of the table is made."""
