"""All rules of a volume's plan, with those of its outline and contracts. Pure.

Source: protocol §1 (planning files), §7. Each rule is a function from a `rules.volume.plan.Plan` to problems.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.rules.foreshadowing.item import title
from novel_hooks.rules.outline import check, repeats
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import has_faulty, integer, mapping, text
from novel_hooks.rules.volume import (
    chapter_chain,
    contract_ends,
    foreshadowing,
    foreshadowing_updates,
    payoffs,
    people,
    required_rules,
    storylines,
)

if TYPE_CHECKING:
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan

_TITLE = 20
"""Longest title of a thread in a message, in characters."""
_FILLED = ("POV", "Location", "Conflict", "Arc", "Foreshadowing", "StateChanges")


def problems(plan: Plan) -> list[Problem]:
    """Return the problems of all rules, those of the outline first, then in the order of `RULES`."""
    found: list[Problem] = []
    if plan.data:
        found += check.problems(plan.outline, plan.volume, plan.data)
        # A near miss is a problem of its own, and its chapter exists all the same.
        mended = check.repair(plan.outline).text
        plan = plan._replace(outline=outlines.parse(mended, plan.outline.path))
    plan = plan._replace(worked_out={})
    for rule in RULES:
        found += rule(plan)
    titles = _thread_titles(plan)
    for problem in found:
        if isinstance(problem, errors.VolumeForeshadowing):
            problem.name_threads(titles)
    return found


def _thread_titles(plan: Plan) -> dict[str, str]:
    """Return id → what the author calls a thread, of the facts and the plan; none where that is its id."""
    listed = [one for one in (*(plan.facts or ()), *(plan.threads or ())) if text(one.get("id"))]
    titles = {str(one["id"]): str(title(one))[:_TITLE] for one in listed}
    return {name: called for name, called in titles.items() if called not in ("", name)}


def volume_range_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem when the outline does not follow the last volume, or ends before the last chapter."""
    if not plan.outline.headings:
        return
    path, ends = plan.outline.path, {"start": plan.outline.start, "end": plan.outline.end}
    if ends["start"] != plan.first:
        yield errors.VolumeRange(path, case="other start", **ends, volume=plan.volume, first=plan.first)
    if ends["end"] < plan.last:
        yield errors.VolumeRange(path, case="ends early", **ends, last=plan.last)


def empty_key_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each block with empty key lines; `TransitionHint` may be empty."""
    for heading in plan.outline.headings:
        keys = outlines.key_lines(outlines.block_under(plan.outline, heading))
        empty = [key for key in _FILLED if key in keys and not keys[key]]
        if empty and heading.chapter > plan.last:
            path, keys_text = plan.outline.path, "、".join(empty)
            yield errors.VolumeOutline(
                path, chapter=heading.chapter, line=heading.line, keys=keys_text, key=empty[0]
            )


def event_twice_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a warning for each event that two chapters are to bring about; the later one is still to come."""
    yield from repeats.outline_problems(plan.outline, plan.last, plan.earlier)
    sound = {chapter: found for chapter in plan.chapters if (found := plan.sound(chapter)) is not None}
    yield from repeats.contract_problems(sound, plan.last, plan.earlier_contracts)


def contract_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of contracts: missing, surplus, of another chapter or storyline, incomplete."""
    yield from _contract_file_problems(plan)
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter not in plan.chapters:
            continue
        if contract.chapter != chapter:
            found = contract.chapter
            yield errors.VolumeContract(contract.path, case="other chapter", found=found, chapter=chapter)
        line, own = plan.storyline(chapter), contract.storyline_id
        if line and own and line != own:
            lines = {"own": own, "line": line, "outline": plan.outline.path, "chapter": chapter}
            yield errors.VolumeContract(contract.path, case="other storyline", **lines)
        if not contracts.has_required_objective(contract) and not has_faulty(
            contract.document.get("objectives")
        ):
            yield errors.VolumeContract(contract.path, case="no objective", chapter=chapter)
        yield from _objective_id_problems(contract)
        yield from _storyline_distance_problems(plan, chapter, contract)


def _contract_file_problems(plan: Plan) -> Iterator[Problem]:
    """Yield chapters without a contract, and contracts without a chapter, except in a gap of the outline."""
    chapters = plan.chapters
    for chapter in chapters:
        if chapter not in plan.files:
            yield errors.VolumeContract(plan.contract_path(chapter), case="no contract", chapter=chapter)
    numbers = {number for near in plan.outline.near for number in near.chapters}
    known = {*chapters, *numbers, *range(min(chapters, default=1), plan.end)}
    for chapter in plan.files:
        if chapter not in known:
            yield errors.VolumeContract(plan.contract_path(chapter), case="no chapter", chapter=chapter)


def _objective_id_problems(contract: Contract) -> Iterator[Problem]:
    """Yield each objective's id that occurs twice: judges identify objectives by their ids."""
    ids = [each.get("id") for each in contracts.objectives(contract) if isinstance(each.get("id"), str)]
    for name in dict.fromkeys(each for each in ids if ids.count(each) > 1):
        yield errors.VolumeContract(contract.path, case="objective twice", name=name)


def _storyline_distance_problems(plan: Plan, chapter: int, contract: Contract) -> Iterator[Problem]:
    """Yield a `chapters_since_last` that does not count back to the storyline's last chapter.

    That chapter itself may be counted or not.
    """
    count = integer(mapping(contract.document.get("storyline_context")).get("chapters_since_last"))
    own = [n for n in plan.chapters if n < chapter and plan.agreed(n) == plan.agreed(chapter) != ""]
    if count is None or not own or chapter <= plan.last or plan.sound(chapter) is None:
        return
    if not all(plan.agreed(n) for n in range(own[-1] + 1, chapter)):
        return  # the storylines of the chapters in between are not certain
    if count not in (chapter - own[-1], chapter - own[-1] - 1):
        counts = {"count": count, "before": own[-1], "wanted": chapter - own[-1]}
        yield errors.VolumeContract(contract.path, case="distance", **counts)


RULES = (
    volume_range_problems,
    empty_key_problems,
    contract_problems,
    chapter_chain.chain_problems,
    chapter_chain.entrance_problems,
    storylines.unknown_storyline_problems,
    storylines.active_storyline_problems,
    storylines.target_chapter_problems,
    storylines.next_storyline_problems,
    storylines.convergence_problems,
    foreshadowing.plan_item_problems,
    foreshadowing_updates.unknown_thread_problems,
    foreshadowing_updates.course_problems,
    foreshadowing_updates.update_mismatch_problems,
    payoffs.early_payoff_problems,
    payoffs.early_secret_problems,
    payoffs.own_secret_problems,
    people.character_problems,
    people.uncarded_problems,
    required_rules.world_rule_problems,
    contract_ends.closing_problems,
    event_twice_problems,
)
"""What `problems` asks beside the outline's own rules."""
