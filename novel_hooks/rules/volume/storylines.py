"""A volume's storylines: the active ones, their chapters, their convergences. Source: protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.foreshadowing.item import span
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text.json_values import has_faulty, integer, text
from novel_hooks.rules.volume import places as volume_places

MOST = 4
"""The limit of active storylines in one volume."""
_FEWEST = 2
_ACTIVE, _NEW, _DORMANT = "active_storylines", "newly_activated", "dormant_storylines"
_EVEN = "请改好 target_chapters 或大纲的 Storyline，使两边一致。"
_LONGEST = 10_000
"""The limit of a range: a misprint such as `1-99999` is not written out."""
_BARE = "*"
"""The key of a `concurrent_state` that is one string and names no storyline."""
_NUMBERS = Pattern(r"(?:第?\s*\d{1,6}(?:\s*[-–—~～至到]\s*\d{1,6})?\s*章?\s*[、，,；;\s]*)+")
_RANGE = Pattern(r"(\d{1,6})(?:\s*[-–—~～至到]\s*(\d{1,6}))?")


def unknown_storyline_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the storylines that the plan names and the book does not have, each once with its places."""
    if plan.lines is None or "lines" in plan.partial:
        return
    places: dict[str, list[tuple[str, str]]] = {}
    for line, path, where in _storyline_mentions(plan):
        if line not in plan.lines:
            places.setdefault(line, []).append((path, where))
    for line, mentions in places.items():
        where = volume_places.places_text(mentions)
        guess = volume_places.suggestion_text(line, plan.lines)
        how = f"请改好这个代号{guess}，或在 {_storylines_path()} 里定义它。"
        yield errors.VolumeStoryline(mentions[0][0], detail=f"故事线「{line}」没有定义（{where}）", how=how)


def _storyline_mentions(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Yield (storyline, path, place in it) for all that a plan names."""
    for key in (_ACTIVE, _NEW, _DORMANT):
        yield from ((line, _schedule_path(plan), key) for line in _storyline_ids(plan.schedule or {}, key))
    for _, _, involved in _convergences(plan):
        yield from ((line, _schedule_path(plan), "convergence_events") for line in involved)
    for line, numbers in _chapters_by_storyline(plan).items():
        if plan.schedule is None:
            yield line, plan.outline.path, f"{volume_places.chapters_text(numbers)} Storyline"
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter > plan.last:
            yield from ((line, contract.path, where) for line, where in _contract_storylines(contract))
    relations = plan.storylines.get("relationships")
    for one in relations if isinstance(relations, list) else ():
        ends = (text(one.get(key)) for key in ("from", "to")) if isinstance(one, dict) else ()
        yield from ((end, plan.storylines_path, "relationships") for end in ends if end is not None)
    path = layout.staged(layout.foreshadowing_plan(plan.volume))
    for item in plan.threads or ():
        home = text(item.get("planted_storyline"))
        if home is not None:
            yield home, path, f"伏笔「{item.get('id')}」的 planted_storyline"


def active_storyline_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of the schedule's lists: too many, repeated, also dormant, or not of the outline.

    At most four storylines are active. Every chapter is on an active one.
    """
    if plan.schedule is None:
        return
    path, at_work, asleep = _schedule_path(plan), _active_ids(plan), _storyline_ids(plan.schedule, _DORMANT)
    volume = integer(plan.schedule.get("volume"))
    if volume not in (None, plan.volume):
        detail = f"volume 写的是 {volume}，应是 {plan.volume}"
        yield errors.VolumeStoryline(path, detail=detail, how=f"请把 volume 改成 {plan.volume}。")
    by_shape = _ACTIVE in plan.faulty_keys and len(_storyline_ids(plan.schedule, _ACTIVE)) > MOST
    if len(at_work) > MOST and not by_shape:
        detail = f"活跃故事线有 {len(at_work)} 条，一卷至多 {MOST} 条"
        yield errors.VolumeStoryline(path, detail=detail, how=f"请把次要的几条移到 {_DORMANT}。")
    for key in (_ACTIVE, _NEW, _DORMANT):
        yield from _repeated_id_problems(path, key, _storyline_ids(plan.schedule, key))
    for line in at_work:
        if line in asleep:
            how = f"请从 {_DORMANT} 里去掉它，或让它这一卷休眠。"
            yield errors.VolumeStoryline(path, detail=f"故事线「{line}」又活跃又休眠", how=how)
    yield from _inactive_storyline_problems(plan, at_work)


def _chapters_by_storyline(plan: Plan) -> dict[str, list[int]]:
    """Map each storyline to its unwritten chapters; a contradiction with the contract is another problem."""
    found: dict[str, list[int]] = {}
    for chapter in plan.chapters:
        line = plan.agreed(chapter)
        if line and chapter > plan.last:
            found.setdefault(line, []).append(chapter)
    return found


def _inactive_storyline_problems(plan: Plan, at_work: list[str]) -> Iterator[Problem]:
    if _may_hold_more(plan, _ACTIVE) or _may_hold_more(plan, _NEW):
        return
    for line, numbers in _chapters_by_storyline(plan).items():
        if line not in at_work:
            chapters = volume_places.chapters_text(numbers)
            detail = f"{chapters}的故事线「{line}」不在本卷的活跃故事线里"
            how = (
                f"请在 {_schedule_path(plan)} 的 active_storylines 里加上它，"
                f"或改{chapters}的 Storyline{volume_places.suggestion_text(line, at_work)}。"
            )
            yield errors.VolumeStoryline(plan.outline.path, detail=detail, how=how)
    for chapter in plan.chapters:
        line, contract = plan.storyline(chapter), plan.contracts.get(chapter)
        own = contract.storyline_id if contract is not None else ""
        if chapter > plan.last and line and own and line != own and {line, own}.isdisjoint(at_work):
            detail = f"第 {chapter} 章的故事线「{line}」和契约里的「{own}」都不在本卷的活跃故事线里"
            how = f"请写成 {_schedule_path(plan)} 的 active_storylines 里的一条。"
            yield errors.VolumeStoryline(plan.outline.path, detail=detail, how=how)


def _repeated_id_problems(path: str, key: str, listed: list[str]) -> Iterator[Problem]:
    for line in dict.fromkeys(one for one in listed if listed.count(one) > 1):
        yield errors.VolumeStoryline(path, detail=f"{key} 里「{line}」写了两次", how="请只留一条。")


def target_chapter_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the `target_chapters` outside the volume, and those that differ from the outline's.

    A chapter in which storylines converge may be a target of each.
    """
    if plan.schedule is None or not plan.outline.headings:
        return
    path = _schedule_path(plan)
    for entry in _schedule_entries(plan.schedule, _ACTIVE):
        line, wanted = text(entry.get("storyline_id")), parse_chapters(entry.get("target_chapters"))
        count = integer(entry.get("target_chapters"))
        if line is not None and count is not None and count > len(plan.chapters):
            detail = f"「{line}」要写 {count} 章，本卷只有 {len(plan.chapters)} 章"
            yield errors.VolumeStoryline(
                path, detail=detail, how="请把 target_chapters 写成这条线的章号列表。"
            )
        if line is None or wanted is None or (plan.lines is not None and line not in plan.lines):
            continue
        outside = [one for one in wanted if not plan.first <= one <= plan.end]
        if outside:
            detail = f"「{line}」的 target_chapters 里{volume_places.chapters_text(outside)}不在本卷里"
            yield errors.VolumeStoryline(path, detail=detail, how=f"请改在{plan.range_text}之间。")
        yield from _target_mismatch_problems(plan, path, line, wanted)


def _target_mismatch_problems(plan: Plan, path: str, line: str, wanted: list[int]) -> Iterator[Problem]:
    """Yield the chapters that only the targets, or only the outline, give to the storyline."""
    planned = {chapter: plan.agreed(chapter) for chapter in plan.chapters}
    meets = {c for (a, b), involved in _convergence_ranges(plan) if line in involved for c in range(a, b + 1)}
    foreign = [n for n in wanted if planned.get(n) and planned[n] != line and n not in meets]
    if foreign:
        own = volume_places.chapters_text(foreign)
        detail = f"「{line}」的 target_chapters 里有{own}，大纲写的是「{planned[foreign[0]]}」"
        yield errors.VolumeStoryline(path, detail=detail, how=_EVEN)
    mine = [chapter for chapter in plan.chapters if planned[chapter] == line and chapter in plan.files]
    missing = [chapter for chapter in mine if chapter not in wanted]
    if missing:
        detail = f"大纲里{volume_places.chapters_text(missing)}是「{line}」的，target_chapters 里没有"
        yield errors.VolumeStoryline(path, detail=detail, how=_EVEN)


def parse_chapters(value: object) -> list[int] | None:
    """Parse chapters: `[1, 3]` or `"1、3-5"` → each once, in the order given; None when there are none.

    A bare number is a count of chapters and gives None.
    """
    found: list[int] = []
    for one in value if isinstance(value, list) else [value]:
        number = integer(one) if isinstance(value, list) else None
        if number is not None:
            found.append(number)
        elif isinstance(one, str) and _NUMBERS.fullmatch(one.strip()):
            for match in _RANGE.finditer(one):
                first, last = int(match.group(1)), int(match.group(2) or match.group(1))
                found += range(first, min(last, first + _LONGEST) + 1)
        else:
            return None
    return list(dict.fromkeys(found)) or None


def next_storyline_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the contracts whose `next_storyline` is not the next chapter's; after the last any may follow."""
    for chapter, contract in sorted(plan.contracts.items()):
        line, following = contract.next_storyline, plan.agreed(chapter + 1)
        fit = plan.sound(chapter) is not None and chapter > plan.last and chapter + 1 in plan.files
        defined = plan.lines is None or line in plan.lines
        if fit and defined and line and following and line != following:
            detail = f"next_storyline 写的是「{line}」，第 {chapter + 1} 章是「{following}」"
            how = f"请把 transition_hint.next_storyline 改成 {following}，或改第 {chapter + 1} 章。"
            yield errors.VolumeStoryline(contract.path, detail=detail, how=how)


def _contract_storylines(contract: Contract) -> Iterator[tuple[str, str]]:
    if contract.next_storyline is not None:
        yield contract.next_storyline, "transition_hint.next_storyline"
    for line in contract.concurrent_state:
        if line != _BARE:
            yield line, "concurrent_state"


def convergence_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the faults of convergences: a range outside the volume, or storylines too few or not active."""
    if plan.schedule is None:
        return
    path, at_work, asleep = _schedule_path(plan), _active_ids(plan), _storyline_ids(plan.schedule, _DORMANT)
    chaptered = set(_chapters_by_storyline(plan))
    for number, window, involved in _convergences(plan):
        detail, how = _range_fault(plan, window)
        if detail:
            yield errors.VolumeConvergence(path, number=number, detail=detail, how=how)
        if len(set(involved)) < _FEWEST and not has_faulty(_convergence(plan, number)):
            detail = f"只有 {len(set(involved))} 条故事线"
            yield errors.VolumeConvergence(
                path, number=number, detail=detail, how="请在 involved_storylines 里写上交汇的各条线。"
            )
        for line in dict.fromkeys(involved):
            fine = line in at_work or line in chaptered or (plan.lines is not None and line not in plan.lines)
            if not fine and not _may_hold_more(plan, _ACTIVE) and not _may_hold_more(plan, _NEW):
                state = "本卷休眠" if line in asleep else "本卷没有活跃"
                how = "请把它写进 active_storylines，或从 involved_storylines 里去掉。"
                yield errors.VolumeConvergence(
                    path, number=number, detail=f"要用的「{line}」{state}", how=how
                )


def _range_fault(plan: Plan, window: object) -> tuple[str, str]:
    how = f"请把 chapter_range 改在{plan.range_text}之间，前小后大。"
    read = [integer(one) for one in window] if isinstance(window, list) else []
    if len(read) != _FEWEST or read[0] is None or read[1] is None:
        return "", ""
    start, end = read[0], read[1]
    if start > end:
        return f"第 {start} 章到第 {end} 章前后颠倒了", how
    if plan.outline.headings and (start < plan.first or end > plan.end):
        return f"第 {start} 章到第 {end} 章，超出了本卷（{plan.range_text}）", how
    return "", ""


def storyline_narrators(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield (active storyline, name) for each of its `pov_characters`."""
    listed, at_work = plan.storylines.get("storylines"), _active_ids(plan)
    for one in listed if isinstance(listed, list) else ():
        people = one.get("pov_characters") if isinstance(one, dict) and one.get("id") in at_work else ()
        yield from ((one["id"], name) for name in people or () if text(name))


def _schedule_path(plan: Plan) -> str:
    return layout.staged(layout.schedule(plan.volume))


def _storylines_path() -> str:
    return layout.staged(layout.STORYLINES)


def _may_hold_more(plan: Plan, key: str) -> bool:
    """Return whether the schedule's list has unreadable entries."""
    return has_faulty((plan.schedule or {}).get(key))


def _schedule_entries(schedule: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the entries of a schedule's list, bare ids as objects."""
    listed = schedule.get(key)
    found = listed if isinstance(listed, list) else []
    return [one if isinstance(one, dict) else {"storyline_id": one} for one in found]


def _storyline_ids(schedule: Mapping[str, Any], key: str) -> list[str]:
    names = (text(one.get("storyline_id")) for one in _schedule_entries(schedule, key))
    return [name for name in names if name is not None]


def _active_ids(plan: Plan) -> list[str]:
    schedule = plan.schedule or {}
    return list(dict.fromkeys([*_storyline_ids(schedule, _ACTIVE), *_storyline_ids(schedule, _NEW)]))


def _convergence(plan: Plan, number: int) -> object:
    return (plan.schedule or {})["convergence_events"][number - 1]


def _convergences(plan: Plan) -> list[tuple[int, object, list[str]]]:
    """Return (number from 1, range as written, storylines) of each readable convergence."""
    listed = (plan.schedule or {}).get("convergence_events")
    found = []
    for number, one in enumerate(listed if isinstance(listed, list) else (), 1):
        if isinstance(one, dict):
            lines = one.get("involved_storylines")
            involved = [line for line in lines if text(line)] if isinstance(lines, list) else []
            found.append((number, one.get("chapter_range"), involved))
    return found


def _convergence_ranges(plan: Plan) -> Iterator[tuple[tuple[int, int], list[str]]]:
    for _, window, involved in _convergences(plan):
        read = span(window)
        if read is not None and read[1] <= plan.end:
            yield read, involved
