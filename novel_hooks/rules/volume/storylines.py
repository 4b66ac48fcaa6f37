"""A volume's storylines: the active ones, their chapters, their convergences. Source: protocol §1."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.foreshadowing.item import span
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text.json_values import has_faulty, integer, objects, text
from novel_hooks.rules.volume import places as volume_places

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan

MOST = 4
"""The limit of active storylines in one volume."""
_FEWEST = 2
_ACTIVE, _NEW, _DORMANT = "active_storylines", "newly_activated", "dormant_storylines"
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
        guess, path = volume_places.suggestion_text(line, plan.lines), plan.path(layout.STORYLINES)
        told = {"line": line, "where": where, "guess": guess, "storylines": path}
        yield errors.VolumeStoryline(mentions[0][0], case="unknown", **told)


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
    for one in objects(plan.storylines.get("relationships")):
        ends = (text(one.get(key)) for key in ("from", "to"))
        yield from ((end, plan.storylines_path, "relationships") for end in ends if end is not None)
    path = plan.path(layout.foreshadowing_plan(plan.volume))
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
        yield errors.VolumeStoryline(path, case="other volume", found=volume, volume=plan.volume)
    by_shape = _ACTIVE in plan.faulty_keys and len(_storyline_ids(plan.schedule, _ACTIVE)) > MOST
    if len(at_work) > MOST and not by_shape:
        yield errors.VolumeStoryline(path, case="too many", count=len(at_work), most=MOST)
    for key in (_ACTIVE, _NEW, _DORMANT):
        listed = _storyline_ids(plan.schedule, key)
        for line in dict.fromkeys(one for one in listed if listed.count(one) > 1):
            yield errors.VolumeStoryline(path, case="twice", key=key, line=line)
    for line in at_work:
        if line in asleep:
            yield errors.VolumeStoryline(path, case="dormant too", line=line)
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
    path, schedule = plan.outline.path, _schedule_path(plan)
    for line, numbers in _chapters_by_storyline(plan).items():
        if line not in at_work:
            told = {"line": line, "guess": volume_places.suggestion_text(line, at_work)}
            told["chapters"] = volume_places.chapters_text(numbers)
            yield errors.VolumeStoryline(path, case="inactive", schedule=schedule, **told)
    for chapter in plan.chapters:
        line, contract = plan.storyline(chapter), plan.contracts.get(chapter)
        own = contract.storyline_id if contract is not None else ""
        if chapter > plan.last and line and own and line != own and {line, own}.isdisjoint(at_work):
            lines = {"chapter": chapter, "line": line, "own": own}
            yield errors.VolumeStoryline(path, case="both inactive", schedule=schedule, **lines)


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
            chapters = len(plan.chapters)
            yield errors.VolumeStoryline(path, case="count", line=line, count=count, chapters=chapters)
        if line is None or wanted is None or (plan.lines is not None and line not in plan.lines):
            continue
        outside = [one for one in wanted if not plan.first <= one <= plan.end]
        if outside:
            told = {"chapters": volume_places.chapters_text(outside), "range": plan.range_text}
            yield errors.VolumeStoryline(path, case="outside", line=line, **told)
        yield from _target_mismatch_problems(plan, path, line, wanted)


def _target_mismatch_problems(plan: Plan, path: str, line: str, wanted: list[int]) -> Iterator[Problem]:
    """Yield the chapters that only the targets, or only the outline, give to the storyline."""
    planned = {chapter: plan.agreed(chapter) for chapter in plan.chapters}
    spans = [span(window) for _, window, involved in _convergences(plan) if line in involved]
    meets = {n for one in spans if one and one[1] <= plan.end for n in range(one[0], one[1] + 1)}
    foreign = [n for n in wanted if planned.get(n) and planned[n] != line and n not in meets]
    if foreign:
        told = {"chapters": volume_places.chapters_text(foreign), "other": planned[foreign[0]]}
        yield errors.VolumeStoryline(path, case="not of outline", line=line, **told)
    mine = [chapter for chapter in plan.chapters if planned[chapter] == line and chapter in plan.files]
    missing = [chapter for chapter in mine if chapter not in wanted]
    if missing:
        chapters = volume_places.chapters_text(missing)
        yield errors.VolumeStoryline(path, case="no target", line=line, chapters=chapters)


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
            told = {"line": line, "chapter": chapter + 1, "following": following}
            yield errors.VolumeStoryline(contract.path, case="next", **told)


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
        yield from _range_problems(plan, path, number, window)
        if len(set(involved)) < _FEWEST and not has_faulty(plan.schedule["convergence_events"][number - 1]):
            yield errors.VolumeConvergence(path, case="too few", number=number, count=len(set(involved)))
        for line in dict.fromkeys(involved):
            fine = line in at_work or line in chaptered or (plan.lines is not None and line not in plan.lines)
            if not fine and not _may_hold_more(plan, _ACTIVE) and not _may_hold_more(plan, _NEW):
                case = "dormant" if line in asleep else "inactive"
                yield errors.VolumeConvergence(path, case, number=number, line=line)


def _range_problems(plan: Plan, path: str, number: int, window: object) -> Iterator[Problem]:
    read = [integer(one) for one in window] if isinstance(window, list) else []
    if len(read) != _FEWEST or read[0] is None or read[1] is None:
        return
    start, end = read[0], read[1]
    if start > end or (plan.outline.headings and (start < plan.first or end > plan.end)):
        told = {"number": number, "start": start, "end": end, "range": plan.range_text}
        yield errors.VolumeConvergence(path, case="turned" if start > end else "outside", **told)


def storyline_narrators(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield (active storyline, name) for each of its `pov_characters`."""
    at_work = _active_ids(plan)
    for one in objects(plan.storylines.get("storylines")):
        people = one.get("pov_characters") if one.get("id") in at_work else ()
        yield from ((one["id"], name) for name in people or () if text(name))


def _schedule_path(plan: Plan) -> str:
    return plan.path(layout.schedule(plan.volume))


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
