"""Updates of threads in contracts and outline, chapter by chapter, against the plan and the facts.

Source: seed 002 §1 to §3, protocol §1. A thread is planted, advanced, resolved, in this order only.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import ACTIONS, DROPPED, span
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text.json_values import FAULTY, has_faulty, integer, text
from novel_hooks.rules.volume import places as volume_places
from novel_hooks.rules.volume.foreshadowing import find_fact

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan

_KEY = "foreshadowing_updates"
_REMARK = Pattern(r"[（(【\[][^（）()【】\[\]]*[）)】\]]")
_CLAUSE = Pattern(r"[；;。\n]")
_WORD = Pattern(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_DOING = Pattern(r"(埋[下设入]?|推[进动]?|回?收[回束]?)[\s:：、「『“]*\Z")
_SIGNS = {"埋": "planted", "推": "advanced", "收": "resolved"}
_DONE = {"plant": "planted", "advance": "advanced", "resolve": "resolved", **{one: one for one in ACTIONS}}
_JOINS = " \t、,，和与及/:："
_NOTHING = ("无", "没有", "暂无", "-", "—", "——", "/", "none")
_ACTION_WORDS = {"planted": "埋", "advanced": "推", "resolved": "收"}


class Update(Record):
    """One thread in a chapter and the action on it; None when only its id is given."""

    name: str
    action: str | None


def thread_ids(items: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the items that have one."""
    return {name for name in (text(item.get("id")) for item in items) if name is not None}


def contract_updates(contract: Contract) -> list[Update]:
    """Return the `foreshadowing_updates`: a map id → action, or a list of ids or objects."""
    return [
        Update(name, action if action in ACTIONS else None)
        for name, action in _update_entries(contract)
        if name
    ]


def last_actions(listed: Iterable[Update]) -> dict[str, str | None]:
    """Return id → the last action on it in a thread's course; None where only its id is given."""
    found: dict[str, str | None] = {}
    for one in listed:
        rivals = [action for action in (found.get(one.name), one.action) if action]
        found[one.name] = max(rivals, key=ACTIONS.index) if rivals else None
    return found


def _update_entries(contract: Contract) -> list[tuple[str | None, object]]:
    """Return (id or None, action as written) of each entry; an object's missing action is empty."""
    found = contracts.postconditions(contract).get(_KEY)
    if isinstance(found, dict):
        return [
            (name, update.get("action") if isinstance(update, dict) else update)
            for name, update in found.items()
        ]
    entries = found if isinstance(found, list) else []
    return [
        (text(one.get("id")), one.get("action", "")) if isinstance(one, dict) else (text(one), None)
        for one in entries
        if one is not FAULTY
    ]


def outline_updates(key_line: str, names: Iterable[str]) -> list[Update]:
    """Parse a key line: `埋 bell（门上）；推 rope、coin` → bell planted, rope and coin advanced.

    An id is one of `names`, a word with a hyphen or an underscore, or a word in the list after 埋, 推 or 收.
    """
    known, found = set(names), []
    for clause in _CLAUSE.split(_without_remarks(key_line)):
        at, doing = 0, None
        for match in _WORD.finditer(clause or ""):
            between, word = (clause or "")[at : match.start()], match.group()
            at, verb = match.end(), _action_before(between)
            if word.lower() in _DONE:
                doing = _DONE[word.lower()]
                continue
            named = verb is not None or (doing is not None and not between.strip(_JOINS))
            doing = verb or doing
            if word in known or "-" in word or "_" in word or (named and not word.isdigit()):
                found.append(Update(word, doing))
    others = sorted(name for name in known if not name.isascii() and name in key_line)
    return [*found, *(Update(name, None) for name in others)]


def _without_remarks(key_line: str) -> str:
    while True:
        shorter = _REMARK.sub(" ", key_line)
        if shorter == key_line:
            return key_line
        key_line = shorter


def _action_before(between: str) -> str | None:
    """Return the action of the verb right before an id; None without one."""
    found = _DOING.search(between)
    verb = found.group(1) if found else ""
    return next((action for sign, action in _SIGNS.items() if sign in verb), None)


def _plan_thread_ids(plan: Plan) -> set[str]:
    return thread_ids(plan.threads or ()) | thread_ids(plan.facts or ())


def _is_complete(plan: Plan) -> bool:
    return plan.threads is not None and plan.facts is not None and "threads" not in plan.partial


def _upcoming_contracts(plan: Plan) -> list[tuple[int, Contract]]:
    """Return the contracts of unwritten chapters, without those in another chapter's file."""
    found = ((chapter, plan.sound(chapter)) for chapter in sorted(plan.contracts))
    return [(chapter, one) for chapter, one in found if one is not None and chapter > plan.last]


def upcoming_outline_updates(plan: Plan) -> list[tuple[int, list[Update]]]:
    """Return (chapter, the threads of its key line) of each unwritten chapter of the outline."""
    names = _plan_thread_ids(plan)
    keyed = ((chapter, plan.keys(chapter).get("Foreshadowing")) for chapter in plan.chapters)
    return [(n, outline_updates(line, names)) for n, line in keyed if line is not None and n > plan.last]


def unknown_thread_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the threads of contracts and outline that neither plan nor book has, and the illegal actions."""
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter > plan.last:
            yield from _update_problems(contract)
    if not _is_complete(plan):
        return
    names, places = _plan_thread_ids(plan), dict[str, list[tuple[str, str]]]()
    for chapter, contract in sorted(plan.contracts.items()):
        for one in contract_updates(contract) if chapter > plan.last else ():
            places.setdefault(one.name, []).append((contract.path, _KEY))
    for chapter, listed in upcoming_outline_updates(plan):
        for one in listed:
            places.setdefault(one.name, []).append((plan.outline.path, f"第 {chapter} 章 Foreshadowing"))
    plan_path = plan.path(layout.foreshadowing_plan(plan.volume))
    for name, mentions in places.items():
        if name not in names:
            where = volume_places.places_text(mentions)
            told = {"where": where, "guess": volume_places.suggestion_text(name, names), "plan": plan_path}
            yield errors.VolumeForeshadowing(mentions[0][0], case="unknown", name=name, **told)


def _update_problems(contract: Contract) -> Iterator[Problem]:
    done = [one for one in contract_updates(contract) if one.action]
    for one in dict.fromkeys(one for one in done if done.count(one) > 1):
        told = {"name": one.name, "action": one.action}
        yield errors.VolumeForeshadowing(contract.path, case="action twice", **told)
    for number, (name, action) in enumerate(_update_entries(contract), 1):
        if name is None:
            yield errors.VolumeForeshadowing(contract.path, case="no id", number=number)
        elif action is not None and action not in ACTIONS:
            case, known = "unknown action" if action else "no action", "、".join(ACTIONS)
            yield errors.VolumeForeshadowing(contract.path, case, name=name, action=action, actions=known)


def course_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of each thread's course through the volume.

    A thread is planted once, in the planned chapter, and resolved once, inside its range. It advances only in
    between.
    """
    if not _is_complete(plan):
        return
    for course in _courses(plan):
        yield from course.problems()


def _courses(plan: Plan) -> list[_Course]:
    """Return a course for each thread, except ids that occur twice: those are problems of their own."""
    unclear, listed = _unclear_chapters(plan), [item for item in plan.threads or () if text(item.get("id"))]
    listed += [item for item in plan.facts or () if item.get("id") not in thread_ids(listed)]
    names = [item["id"] for item in listed]
    upcoming = _upcoming_contracts(plan)
    return [_Course(plan, item, unclear, upcoming) for item in listed if names.count(item["id"]) == 1]


def _unclear_chapters(plan: Plan) -> set[int]:
    """Return the chapters whose contract is not readable or names an unknown thread: it may mean any."""
    names = _plan_thread_ids(plan)
    return {
        chapter
        for chapter, contract in _upcoming_contracts(plan)
        if has_faulty(contract.document.get("postconditions"))
        or any(name != "" and name not in names for name, _ in _update_entries(contract))
    }


class _Course:
    """One thread through the unwritten chapters of a volume."""

    def __init__(
        self, plan: Plan, item: Mapping[str, Any], unclear: set[int], upcoming: list[tuple[int, Contract]]
    ) -> None:
        self.plan, self.item, self.unclear = plan, item, unclear
        self.name = str(item["id"])
        self.known = find_fact(plan, self.name)
        self.paths = {chapter: contract.path for chapter, contract in upcoming}
        self.explicit = {chapter for chapter, one in upcoming if _KEY in contracts.postconditions(one)}
        self.events = [
            (chapter, one.action)
            for chapter, contract in upcoming
            for one in contract_updates(contract)
            if one.name == self.name
        ]

    def at(self, action: str) -> list[int]:
        """Return the chapters with that action, each once, in order."""
        return list(dict.fromkeys(chapter for chapter, done in self.events if done == action))

    def problem(self, path: str, case: str, **values: object) -> Problem:
        """Return the problem of this thread."""
        return errors.VolumeForeshadowing(path, case, name=self.name, **values)

    def problems(self) -> Iterator[Problem]:
        """Yield the problems of its planting, then those of its end; of one given up, that it is moved."""
        if DROPPED in (self.item.get("status"), (self.known or {}).get("status")):
            for chapter, _ in self.events[:1]:
                yield self.problem(self.paths[chapter], "dropped", chapter=chapter)
            return
        planted = self.at("planted")
        if self.known is not None and planted:
            was = integer(self.known.get("planted_chapter"))
            case = "earlier" if was is None else "planted again"
            yield self.problem(self.paths[planted[0]], case, was=was, chapter=planted[0])
        elif len(planted) > 1:
            chapters = volume_places.chapters_text(planted)
            yield self.problem(self.paths[planted[1]], "planted twice", chapters=chapters)
        elif self.known is None:
            yield from self._planting(planted)
        yield from self._ending()

    def _planting(self, planted: list[int]) -> Iterator[Problem]:
        """Yield the faults of a new thread's planting: another chapter, storyline, or an earlier action."""
        meant = integer(self.item.get("planted_chapter"))
        if meant is None or not self.plan.last < meant <= self.plan.end:
            return
        mentioned = any(chapter == meant and action is None for chapter, action in self.events)
        path = self.plan.path(layout.foreshadowing_plan(self.plan.volume))
        if planted and planted[0] != meant:
            yield self.problem(path, "planned for another", meant=meant, planted=planted[0])
        elif not planted and not mentioned and meant in self.paths and meant not in self.unclear:
            yield self.problem(self.paths[meant], "not in contract", meant=meant)
        else:
            yield from self._line(meant)
            yield from self._early(meant)

    def _early(self, meant: int) -> Iterator[Problem]:
        for chapter, action in self.events:
            if action in ("advanced", "resolved") and chapter < meant:
                told = {"meant": meant, "chapter": chapter, "action": _ACTION_WORDS[action]}
                yield self.problem(self.paths[chapter], "before planting", **told)

    def _line(self, meant: int) -> Iterator[Problem]:
        """Yield a storyline that is not that of the chapter which plants the thread (seed 002 §3)."""
        line, own, lines = text(self.item.get("planted_storyline")), self.plan.agreed(meant), self.plan.lines
        if line and own and line != own and (lines is None or line in lines):
            path = self.plan.path(layout.foreshadowing_plan(self.plan.volume))
            yield self.problem(path, "other storyline", line=line, meant=meant, own=own)

    def _ending(self) -> Iterator[Problem]:
        resolved = self.at("resolved")
        if (self.known or {}).get("status") == "resolved":
            for chapter, _ in self.events[:1]:
                yield self.problem(self.paths[chapter], "resolved", chapter=chapter)
            return
        later = [chapter for chapter, _ in self.events if resolved and chapter > resolved[0]]
        if later:
            chapters = volume_places.chapters_text(later)
            yield self.problem(self.paths[later[0]], "after", resolved=resolved[0], chapters=chapters)
        window = span(self.item.get("target_resolve_range"))
        if window is not None and window[0] >= (integer(self.item.get("planted_chapter")) or 0):
            yield from self._in_range(window, resolved)

    def _in_range(self, window: tuple[int, int], resolved: list[int]) -> Iterator[Problem]:
        start, end = window
        if len(resolved) == 1 and not start <= resolved[0] <= end:
            told = {"resolved": resolved[0], "start": start, "end": end}
            yield self.problem(self.paths[resolved[0]], "out of range", **told)
        elif not resolved and self._must_end(window):
            path = self.plan.path(layout.foreshadowing_plan(self.plan.volume))
            yield self.problem(path, "unresolved", start=start, end=end)

    def _must_end(self, window: tuple[int, int]) -> bool:
        """Return whether the range ends in this volume, and all its contracts list their updates."""
        if not self.plan.last < window[1] <= self.plan.end:
            return False
        chapters = range(max(window[0], self.plan.last + 1), window[1] + 1)
        bare = any(action is None and chapter in chapters for chapter, action in self.events)
        return not bare and all(one in self.explicit and one not in self.unclear for one in chapters)


def update_mismatch_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the chapters whose outline and contract differ in their threads, or in the actions on them.

    A key line in words, without an id, is not compared, nor is a contract without `foreshadowing_updates`.
    """
    if not _is_complete(plan):
        return
    unclear, names = _unclear_chapters(plan), _plan_thread_ids(plan)
    lines = dict(upcoming_outline_updates(plan))
    astray = {course.name for course in _courses(plan) if any(True for _ in course.problems())}
    for chapter, contract in _upcoming_contracts(plan):
        listed = lines.get(chapter)
        silent = _KEY not in contracts.postconditions(contract)
        if listed is None or silent or chapter in unclear or any(one.name not in names for one in listed):
            continue
        nothing = plan.keys(chapter).get("Foreshadowing", "").strip("。.").lower() in _NOTHING
        if (listed or nothing) and plan.agreed(chapter):
            yield from _mismatch_problems(plan, chapter, contract, listed, astray)


def _mismatch_problems(
    plan: Plan, chapter: int, contract: Contract, listed: list[Update], astray: set[str]
) -> Iterator[Problem]:
    """Yield the differences in one chapter; the `astray` threads have a problem already."""
    here, there = (
        _actions_by_id(one for one in each if one.name not in astray)
        for each in (listed, contract_updates(contract))
    )
    where = {"outline": plan.outline.path, "chapter": chapter}
    for case, those, others in (("outline only", here, there), ("contract only", there, here)):
        names = [name for name in those if name not in others]
        if names:
            yield errors.VolumeForeshadowing(contract.path, case, name="」「".join(names), **where)
    for name in (one for one in here if one in there):
        if here[name] and there[name] and here[name].isdisjoint(there[name]):
            done, wanted = (
                "、".join(_ACTION_WORDS[action] for action in ACTIONS if action in one[name])
                for one in (here, there)
            )
            told = {"name": name, "done": done, "wanted": wanted}
            yield errors.VolumeForeshadowing(contract.path, case="other action", **told, **where)


def _actions_by_id(listed: Iterable[Update]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in listed:
        found.setdefault(one.name, set()).update([one.action] if one.action else [])
    return found
