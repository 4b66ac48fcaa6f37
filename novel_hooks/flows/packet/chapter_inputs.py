"""The inputs of each agent of the chapter crew. Source: seed 000 Steps 2.0-2.6, protocol §7.

`flows.packet.phase_inputs` lists the parts of a phase; this module makes each part.
"""

from __future__ import annotations

import json

from novel_hooks import defaults, errors, layout, roles
from novel_hooks.annotations import Any, Callable, Mapping
from novel_hooks.flows.book import foreshadowing, log_join, settings
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.chapter.desk import Desk, StagedFile
from novel_hooks.flows.packet import (
    cast_inputs,
    earlier_text,
    held_back,
    phase_inputs,
    previous_work,
    world_inputs,
)
from novel_hooks.flows.packet.gathering import Assembled, Gathering
from novel_hooks.flows.packet.phase_inputs import Part
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.verdict import high_violations
from novel_hooks.rules.foreshadowing import reader_view
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline import writer_view
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.packet import against_state, packet
from novel_hooks.rules.state import entry_names
from novel_hooks.rules.steps import step_name as steps


def for_phase(desk: Desk, phase: str, revisions: int, ahead: bool = False) -> Assembled:
    """Gather the inputs of a chapter's phase. Raises Problems with everything that stops it."""
    parts = phase_inputs.CHAPTER.get(phase, ())
    new_draft = phase == "draft" and revisions == 0
    gathering = Gathering(desk, new_draft)
    gathering.ahead = ahead
    gathering.phase = phase
    if parts:
        gathering.attempt(log_join.checked_state, desk.book)  # nothing is begun that could not land
        for part in parts:
            _PARTS[part.name](gathering, part)
        if phase != "judge":
            held_back.from_plans(gathering)
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
        g.need(part.name, text.type, text.path(g.desk.volume), text.what)


def _add_brief(g: Gathering, part: Part) -> None:
    g.brief(layout.BRIEF, part)


def _add_document(g: Gathering, part: Part) -> Any:
    """Add the part's one JSON file as it is."""
    (document,) = part.documents
    return g.checked(part.name, document.path(g.desk.volume), document.schema)


def _add_guide(g: Gathering, part: Part) -> None:
    if part.guide is not None:
        g.guide(part.name, part.guide)


def _add_closing_questions(g: Gathering, part: Part) -> None:
    """Add of a guide its last section alone: what to ask of a text that is there."""
    text = g.guide_text(str(part.guide))
    g.add(packet.excerpt_input(part.keys[0], "reference", text[text.rindex("\n## ") + 1 :]))


def _add_summaries(g: Gathering, part: Part) -> None:
    for number in range(g.desk.number - 1, max(0, g.desk.number - 1 - part.summaries), -1):
        g.file(part.name, "summary", layout.summary(number))


def _add_recall(g: Gathering, part: Part) -> None:
    """Add what earlier chapters said of all whom contract and outline name, and of the threads."""
    if g.contract is None or g.outline is None:
        return
    from novel_hooks.flows.recall import chapter_part

    plan = f"{outlines.block(g.outline, g.desk.number)}\n{_contract_text(g)}"
    tasks = g.once(foreshadowing.tasks, g.book, g.desk.volume, g.desk.number) or []
    newest = g.desk.number - 1 - phase_inputs.text_count(g.phase)
    found = g.attempt(chapter_part.for_chapter, g.book, g.desk.number, plan, tasks, newest) or []
    given = "\n".join(one.body() for one in g.inputs if one.key in ("line_text", "previous_text"))
    g.add(packet.value_input("recall", [one for one in found if one["text"].strip("…") not in given], "list"))


def _contract_text(g: Gathering) -> str:
    return json.dumps(g.contract.document, ensure_ascii=False) if g.contract is not None else ""


def _add_blacklist_top(g: Gathering, part: Part) -> None:
    (document,) = part.documents
    blacklist = g.attempt(g.book.document, document.path(g.desk.volume), document.schema)
    g.add(packet.value_input("ai_blacklist_top10", world_rules.blacklist_top(blacklist), "list"))


def _add_state_version(g: Gathering, part: Part) -> None:
    state = g.attempt(g.book.state)
    if state is not None:
        g.add(packet.value_input("base_state_version", state["state_version"], "number"))


def _add_fixes(g: Gathering, part: Part) -> None:
    from novel_hooks.flows.checks import evaluation

    document = _evaluation(g)
    fixes = evaluation.fixes(document)
    note = gate_entry.gate_of(document).get("note")
    own = [fix for fix in fixes[:1] if fix["instruction"] == note]  # the author may say what he likes
    asked = held_back.from_writer(g, fixes[len(own) :])
    g.add(packet.value_input("required_fixes", [*own, *asked], "list"))


def _add_notes(g: Gathering, part: Part) -> None:
    """Add what the author wants of the chapter, but for what the step has as a rule or as its first fix."""
    known = g.attempt(g.book.decisions)
    if not known:
        return
    from novel_hooks.rules.steps import chapter_notes

    notes = chapter_notes.of_chapter(known, g.desk.number)
    said = [handout.author_note(g.book, str(steps.chapter_step(g.desk.number, g.phase)))]
    said += [gate_entry.gate_of(_evaluation(g)).get("note")] if g.phase == "revise" else []
    left = [one.text for one in notes if one.text not in said]
    g.add(packet.value_input("author_notes", left, "list") if left else None)


def _add_text_fixes(g: Gathering, part: Part) -> None:
    """Add the fixes that a refiner may carry out: words alone, never a fact."""
    from novel_hooks.flows.checks import evaluation

    asked = held_back.from_writer(g, evaluation.text_fixes(_evaluation(g)))
    g.add(packet.value_input("required_fixes", asked, "list"))


def _add_violations(g: Gathering, part: Part) -> None:
    from novel_hooks.rules.evaluation import document as evaluations

    verdicts = evaluations.verdicts_of(_evaluation(g)).values()
    violations: list[Any] = []
    for found in (v for verdict in verdicts for v in high_violations(verdict)):
        violations += [found] if found not in violations else []
    given = held_back.from_writer(g, violations)
    g.add(packet.value_input("high_confidence_violations", given, "list"))


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
        reason = "；".join(str(problem).rstrip("。") for problem in found.problems)
        g.problems.append(errors.StagedLeftOut(found.path, reason=reason))


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


def _add_volume_outline(g: Gathering, part: Part) -> None:
    """Add the volume's promise and one line on the next chapter; no more of the volume."""
    if g.outline is not None:
        text = writer_view.surroundings(g.outline, g.desk.number)
        g.add(packet.excerpt_input("current_volume_outline", "summary", text) if text.strip() else None)


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
    """Add what the plan says of the line, but not of what has been written since: summaries tell that."""
    if g.contract is None:
        return
    document = g.contract.document
    context = document.get("storyline_context") or {}
    planned = ("concurrent_state", *(["last_chapter_summary"] if g.desk.number > 1 else []))
    alone = {key: part for key, part in context.items() if key not in planned}
    g.add(
        packet.value_input("storyline_context", alone),
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


def _add_state_of_chapter(g: Gathering, part: Part) -> None:
    """Add the state of all whom the chapter's plan, its text or a fix names, and what holds for the world."""
    state = g.attempt(g.book.state)
    text: StagedFile | None = g.attempt(g.desk.get, "chapter")
    if state is None or text is None:
        return
    from novel_hooks.flows.checks import evaluation
    from novel_hooks.rules.packet import cuts

    fixes = json.dumps(evaluation.fixes(_evaluation(g)), ensure_ascii=False)
    texts = [*g.plan_texts(), str(text.value), fixes]
    named = known_people.named_people(g.once(g.book.cast) or [], texts, state)
    spoken = "\n".join([*texts, *(person.slug for person in named)])
    g.add(cuts.state_about(packet.value_input("current_state", state), spoken))


def _add_tasks(g: Gathering, part: Part) -> None:
    """Add the chapter's threads: whole for a judge, for others as a reader sees them."""
    tasks = g.once(foreshadowing.tasks, g.book, g.desk.volume, g.desk.number)
    if tasks is None:
        g.attempt(foreshadowing.facts, g.book)  # a broken plan must not hide a broken index
    whole = part == phase_inputs.WHOLE_THREADS
    given = [one if whole else reader_view.as_reader_sees(one) for one in tasks or []]
    g.add(packet.value_input("foreshadowing_tasks", given, "list"))


def _add_contract(g: Gathering, part: Part) -> None:
    if g.contract is not None:
        text = g.book.text(g.contract.path) or _contract_text(g)
        g.add(packet.file_input("chapter_contract", "json", g.contract.path, text))


def _add_own_contract(g: Gathering, part: Part) -> None:
    """Add the contract as a value, without what `storyline_context` and the others give already."""
    if g.contract is not None:
        if g.phase == "draft":
            _note_contradictions(g, g.contract)
        g.add(packet.value_input("chapter_contract", contracts.without_context(g.contract.document)))


def _note_contradictions(g: Gathering, contract: Contract) -> None:
    """Tell the author before the chapter is written where its contract and the state cannot both be true."""
    state, cast = g.attempt(g.book.state) or {}, g.once(g.book.cast) or []
    items = (state.get("items") or {}).items()
    things = [name for key, entry in items for name in entry_names.names_in_text(key, entry)]
    found = against_state.contradictions(contract, state, things, casts.names(cast))
    told, number = "；".join(found), g.desk.number
    if told:
        g.problems.append(
            errors.PlanAgainstState(contract.path, chapter=number, detail=told, last=number - 1)
        )


def _add_previous(g: Gathering, part: Part) -> None:
    previous_work.add(g, g.phase)


def _add_length(g: Gathering, part: Part) -> None:
    least, most = g.attempt(settings.chapter_chars, g.book) or defaults.CHAPTER_CHARS
    g.add(packet.value_input("chapter_length", {"least": least, "most": most}))


_PARTS: Mapping[str, Callable[[Gathering, Part], Any]] = {
    "storylines": _check_documents,
    "project_brief": _add_brief,
    "told_brief": _add_brief,
    "style_profile": _add_needed,
    "ai_blacklist_top10": _add_blacklist_top,
    "ai_blacklist": _add_document,
    "current_volume_outline": _add_volume_outline,
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
    "previous_text": earlier_text.add_previous_texts,
    "previous_texts": earlier_text.add_previous_texts,
    "line_text": earlier_text.add_line_text,
    "recall": _add_recall,
    "current_state": _add_state,
    "state_of_chapter": _add_state_of_chapter,
    "base_state_version": _add_state_version,
    "foreshadowing_tasks": _add_tasks,
    "whole_threads": _add_tasks,
    "chapter_contract": _add_contract,
    "own_contract": _add_own_contract,
    "world_rules": world_inputs.add_rules,
    "introduced_rules": world_inputs.add_rules,
    "world_pages": world_inputs.add_pages,
    "entity_id_map": cast_inputs.add_entity_ids,
    "character_contracts": cast_inputs.add_contracts,
    "characters": cast_inputs.add_contracts,
    "people": cast_inputs.add_people,
    "chapter_length": _add_length,
    "chapter_content": _add_chapter_content,
    "lint_report": _add_lint_report,
    "hints": _add_staged,
    "cross_references": _add_staged,
    "author_notes": _add_notes,
    "required_fixes": _add_fixes,
    "text_fixes": _add_text_fixes,
    "high_confidence_violations": _add_violations,
    "previous_work": _add_previous,
    "writing_methodology": _add_guide,
    "closing_questions": _add_closing_questions,
    "style_guide": _add_guide,
    "quality_rubric": _add_guide,
}
"""How each part of the table is made."""
