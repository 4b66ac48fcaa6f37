"""All rules of a volume's plan, with those of its outline, contracts and world rules. Pure.

Source: protocol §1 (planning files), §7. Each rule is a function from a `rules.volume.plan.Plan` to problems.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.rules.outline import check
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import has_faulty, integer
from novel_hooks.rules.volume import (
    chapter_chain,
    foreshadowing,
    foreshadowing_updates,
    payoffs,
    people,
    places,
    storylines,
)

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
    return found


def volume_range_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem when the outline does not follow the last volume, or ends before the last chapter."""
    if not plan.outline.headings:
        return
    start, end, path = plan.outline.start, plan.outline.end, plan.outline.path
    if start != plan.first:
        detail = f"可第 {plan.volume} 卷应从第 {plan.first} 章起"
        yield errors.VolumeRange(
            path, start=start, end=end, detail=detail, how=f"请把大纲改成从第 {plan.first} 章起连号。"
        )
    if end < plan.last:
        detail = f"可书已写到第 {plan.last} 章"
        yield errors.VolumeRange(
            path, start=start, end=end, detail=detail, how=f"请把大纲补到第 {plan.last} 章或更后。"
        )


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


def contract_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of contracts: missing, surplus, of another chapter or storyline, incomplete."""
    yield from _contract_file_problems(plan)
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter not in plan.chapters:
            continue
        if contract.chapter != chapter:
            detail = f"契约写的是第 {contract.chapter} 章，应是第 {chapter} 章"
            how = f"请把 chapter 改成 {chapter}；整份放错了就给文件改名。"
            yield errors.VolumeContract(contract.path, detail=detail, how=how)
        line, own = plan.storyline(chapter), contract.storyline_id
        if line and own and line != own:
            detail = f"契约的故事线是 {own}，大纲写的是 {line}"
            how = (
                f"请把契约的 storyline_id 或 {plan.outline.path} 第 {chapter} 章的 Storyline 改成对的那一条。"
            )
            yield errors.VolumeContract(contract.path, detail=detail, how=how)
        if not contracts.has_required_objective(contract) and not has_faulty(
            contract.document.get("objectives")
        ):
            how = f"请在第 {chapter} 章契约的 objectives 里至少写一条 required: true。"
            yield errors.VolumeContract(
                contract.path, detail="契约里没有一条必达目标（required: true）", how=how
            )
        yield from _objective_id_problems(contract)
        yield from _storyline_distance_problems(plan, chapter, contract)


def _contract_file_problems(plan: Plan) -> Iterator[Problem]:
    """Yield chapters without a contract, and contracts without a chapter, except in a gap of the outline."""
    chapters = plan.chapters
    for chapter in chapters:
        if chapter not in plan.files:
            how = f"请照大纲给第 {chapter} 章写一份契约。"
            yield errors.VolumeContract(
                plan.contract_path(chapter), detail=f"第 {chapter} 章没有契约", how=how
            )
    numbers = {number for near in plan.outline.near for number in near.chapters}
    known = {*chapters, *numbers, *range(min(chapters, default=1), plan.end)}
    for chapter in plan.files:
        if chapter not in known:
            how = f"请删去这份契约，或在大纲里补上第 {chapter} 章。"
            yield errors.VolumeContract(
                plan.contract_path(chapter), detail=f"大纲里没有第 {chapter} 章", how=how
            )


def _objective_id_problems(contract: Contract) -> Iterator[Problem]:
    """Yield each objective's id that occurs twice: judges identify objectives by their ids."""
    ids = [each.get("id") for each in contracts.objectives(contract) if isinstance(each.get("id"), str)]
    for name in dict.fromkeys(each for each in ids if ids.count(each) > 1):
        how = "请给其中一条另起 id。"
        yield errors.VolumeContract(contract.path, detail=f"有两条目标都叫「{name}」", how=how)


def _storyline_distance_problems(plan: Plan, chapter: int, contract: Contract) -> Iterator[Problem]:
    """Yield a `chapters_since_last` that does not count back to the storyline's last chapter.

    That chapter itself may be counted or not.
    """
    context = contract.document.get("storyline_context")
    count = integer(context.get("chapters_since_last")) if isinstance(context, dict) else None
    own = [n for n in plan.chapters if n < chapter and plan.agreed(n) == plan.agreed(chapter) != ""]
    if count is None or not own or chapter <= plan.last or plan.sound(chapter) is None:
        return
    if not all(plan.agreed(n) for n in range(own[-1] + 1, chapter)):
        return  # the storylines of the chapters in between are not certain
    if count not in (chapter - own[-1], chapter - own[-1] - 1):
        detail = f"chapters_since_last 写的是 {count}，这条线上一次是第 {own[-1]} 章"
        how = f"请改成 {chapter - own[-1]}。"
        yield errors.VolumeContract(contract.path, detail=detail, how=how)


def world_rule_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the `required_world_rules` that do not exist, or are introduced later; each once."""
    if plan.rules is None:
        return
    unknown: dict[str, list[int]] = {}
    early: dict[str, list[int]] = {}
    for chapter, contract in sorted(plan.contracts.items()):
        for name in contracts.world_rules(contract) if chapter > plan.last else ():
            since = integer(plan.rules.get(name))
            if name not in plan.rules:
                unknown.setdefault(name, []).append(chapter)
            elif since is not None and since > chapter:
                early.setdefault(name, []).append(chapter)
    for name, numbers in early.items():
        path, chapters = plan.contracts[numbers[0]].path, places.chapters_text(numbers)
        detail = f"要到第 {plan.rules[name]} 章才引入，{chapters}就用上了"
        how = f"请从{chapters}的契约里去掉它，或把 {layout.WORLD_RULES} 里它的 introduced_chapter 提前。"
        yield errors.VolumeWorldRule(path, name=name, detail=detail, how=how)
    if "rules" in plan.partial:
        return
    for name, numbers in unknown.items():
        path, detail = (
            plan.contracts[numbers[0]].path,
            f"{layout.WORLD_RULES} 没有这一条{places.also_text(numbers)}",
        )
        how = f"请改成 {layout.WORLD_RULES} 里有的编号{places.suggestion_text(name, plan.rules)}，或去掉它。"
        yield errors.VolumeWorldRule(path, name=name, detail=detail, how=how)


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
    people.character_problems,
    world_rule_problems,
)
"""What `problems` asks beside the outline's own rules."""
