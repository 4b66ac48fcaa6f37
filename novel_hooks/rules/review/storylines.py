"""A volume's storylines, planned and written: rhythm, convergences, bridges. Pure.

Its limits are those of `rules.outline.storyline`.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping, Sequence
from novel_hooks.rules.outline import schedule as schedules
from novel_hooks.rules.outline.storyline import LONGEST_GAP, LONGEST_RUN
from novel_hooks.rules.text.json_values import integer, mapping, objects, text

if TYPE_CHECKING:
    from novel_hooks.rules.review.material import Material


def storyline_summaries(material: Material) -> list[dict[str, Any]] | None:
    """Summarize every storyline that is active in the schedule or was written, in the schedule's order.

    A summary is `{id, name, role, chapters[], planned_chapters[] or null, unwritten[], longest_run,
    longest_gap, remarks[]}`. `unwritten` are chapters planned for it and written for another storyline.
    `longest_gap` is the most chapters of others in a row, also before its first and behind its last.
    `remarks` are of `run`, `gap`, `absent`. None without a change log.
    """
    if material.log is None:
        return None
    seen = _storyline_by_chapter(material)
    planned = _scheduled(material)
    names = {
        str(one.get("id")): text(one.get("name"))
        for one in objects((material.storylines or {}).get("storylines"))
    }
    order = list(dict.fromkeys([*planned, *(line for _, line in sorted(seen.items()))]))
    return [
        _storyline_summary(material, name, names.get(name) or name, planned.get(name), seen) for name in order
    ]


def _storyline_by_chapter(material: Material) -> dict[int, str]:
    """Written chapter → its storyline, by the change log."""
    entries = ((integer(one.get("chapter")), text(one.get("storyline_id"))) for one in material.log or ())
    return {chapter: line for chapter, line in entries if chapter in material.written and line}


def _scheduled(material: Material) -> dict[str, Mapping[str, Any]]:
    listed = (material.schedule or {}).get("active_storylines") or ()
    entries = (one if isinstance(one, dict) else {"storyline_id": one} for one in listed)
    return {name: entry for entry in entries if (name := text(entry.get("storyline_id")))}


def _storyline_summary(
    material: Material, name: str, title: str, scheduled: Mapping[str, Any] | None, seen: Mapping[int, str]
) -> dict[str, Any]:
    own = [chapter for chapter in material.written if seen.get(chapter) == name]
    targets = (scheduled or {}).get("target_chapters")
    planned = [n for n in map(integer, targets) if n is not None] if isinstance(targets, list) else None
    others = [chapter for chapter in material.written if chapter not in own]
    run, gap = (_longest_run(material.written, listed) for listed in (own, others))
    remarks = ["run"] if run > LONGEST_RUN else []
    remarks += ["gap"] if own and gap >= LONGEST_GAP else []
    remarks += ["absent"] if scheduled is not None and not own else []
    return {
        "id": name,
        "name": title,
        "role": text((scheduled or {}).get("volume_role")),
        "chapters": own,
        "planned_chapters": planned,
        "unwritten": [n for n in planned or () if n in material.written and n not in own],
        "longest_run": run,
        "longest_gap": gap,
        "remarks": remarks,
    }


def _longest_run(written: Sequence[int], own: Sequence[int]) -> int:
    longest = now = 0
    for chapter in written:
        now = now + 1 if chapter in own else 0
        longest = max(longest, now)
    return longest


def convergence_summaries(material: Material) -> list[dict[str, Any]] | None:
    """Summarize the convergences whose range is written, as `{chapter_range, involved[], missing[]}`.

    `missing` are the involved storylines without a chapter in the range. None without schedule or change log.
    """
    if material.schedule is None or material.log is None:
        return None
    seen, reached = _storyline_by_chapter(material), max(material.written, default=0)
    summaries = []
    for (start, end), involved in schedules.parse(material.schedule).convergences:
        if end <= reached:
            present = {line for chapter, line in seen.items() if start <= chapter <= end}
            missing = [line for line in involved if line not in present]
            summaries.append({"chapter_range": [start, end], "involved": list(involved), "missing": missing})
    return summaries


def undefined_bridges(material: Material) -> list[dict[str, Any]] | None:
    """List the ends and shared things of relationships that the book does not define.

    Each is `{from, to, kind, name}`, `kind` one of storyline, character, foreshadowing. None when a file that
    defines them could not be read.
    """
    if material.storylines is None or material.people is None:
        return None
    if material.plan is None or material.facts is None:
        return None
    defined = {str(one.get("id")) for one in objects((material.storylines or {}).get("storylines"))}
    threads = {str(item["id"]) for item in (*material.plan, *material.facts)}
    missing = []
    for one in objects((material.storylines or {}).get("relationships")):
        ends = {"from": str(one.get("from")), "to": str(one.get("to"))}
        for kind, name in _undefined_ends(one, defined, threads, material.people):
            missing.append({**ends, "kind": kind, "name": name})
    return missing


def _undefined_ends(
    one: Mapping[str, Any], known: set[str], threads: set[str], people: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for name in (str(one.get("from")), str(one.get("to"))):
        if name not in known:
            yield "storyline", name
    shared = mapping(one.get("bridges"))
    for key, kind, existing in (
        ("shared_characters", "character", people),
        ("shared_foreshadowing", "foreshadowing", threads),
    ):
        for name in shared.get(key) or ():
            if str(name) not in existing:
                yield kind, str(name)
