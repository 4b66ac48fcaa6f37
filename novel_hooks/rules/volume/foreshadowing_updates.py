"""What contracts and the outline do with threads, chapter by chapter, held against the plan and the facts.

Source: seed 002 §1 to §3, protocol §1; a thread is planted, advanced, resolved, and goes one way only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import ACTIONS, span
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text.json_values import FAULTY, has_faulty, integer, text
from novel_hooks.rules.volume import places as volume_places
from novel_hooks.rules.volume.foreshadowing import find_fact

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
    """`action` is None where only the id is told."""

    name: str
    action: str | None


def thread_ids(items: Iterable[Mapping[str, Any]]) -> set[str]:
    return {name for name in (text(item.get("id")) for item in items) if name is not None}


def contract_updates(contract: Contract) -> list[Update]:
    """`foreshadowing_updates`: a map id → action, or a list of ids or of objects."""
    return [
        Update(name, action if action in ACTIONS else None)
        for name, action in _update_entries(contract)
        if name
    ]


def _update_entries(contract: Contract) -> list[tuple[str | None, object]]:
    """(id, action as it stands); None is no id. An object without an action has an empty one."""
    found = contracts.postconditions(contract).get(_KEY)
    if isinstance(found, dict):
        return [
            (name, told.get("action") if isinstance(told, dict) else told) for name, told in found.items()
        ]
    entries = found if isinstance(found, list) else []
    return [
        (text(one.get("id")), one.get("action", "")) if isinstance(one, dict) else (text(one), None)
        for one in entries
        if one is not FAULTY
    ]


def outline_updates(said: str, names: Iterable[str]) -> list[Update]:
    """`埋 bell（门上）；推 rope、coin` → what the key line does with which thread.

    An id is a known one, a word with a hyphen or an underscore, or a word listed behind 埋, 推, 收.
    """
    known, found = set(names), []
    for clause in _CLAUSE.split(_without_remarks(said)):
        at, doing = 0, None
        for match in _WORD.finditer(clause or ""):
            between, word = (clause or "")[at : match.start()], match.group()
            at, said_now = match.end(), _action_before(between)
            if word.lower() in _DONE:
                doing = _DONE[word.lower()]
                continue
            named = said_now is not None or (doing is not None and not between.strip(_JOINS))
            doing = said_now or doing
            if word in known or "-" in word or "_" in word or (named and not word.isdigit()):
                found.append(Update(word, doing))
    others = sorted(name for name in known if not name.isascii() and name in said)
    return [*found, *(Update(name, None) for name in others)]


def _without_remarks(said: str) -> str:
    while True:
        less = _REMARK.sub(" ", said)
        if less == said:
            return said
        said = less


def _action_before(between: str) -> str | None:
    """The verb that stands right before an id."""
    found = _DOING.search(between)
    return (
        next((action for sign, action in _SIGNS.items() if sign in found.group(1)), None) if found else None
    )


def _plan_thread_ids(plan: Plan) -> set[str]:
    return thread_ids(plan.threads or ()) | thread_ids(plan.facts or ())


def _is_complete(plan: Plan) -> bool:
    return plan.threads is not None and plan.facts is not None and "threads" not in plan.partial


def _upcoming_contracts(plan: Plan) -> list[tuple[int, Contract]]:
    """Contracts of chapters not yet written, each where it belongs."""
    found = ((chapter, plan.sound(chapter)) for chapter in sorted(plan.contracts))
    return [(chapter, one) for chapter, one in found if one is not None and chapter > plan.last]


def _upcoming_outline_updates(plan: Plan) -> list[tuple[int, list[Update]]]:
    names = _plan_thread_ids(plan)
    keyed = ((chapter, plan.keys(chapter).get("Foreshadowing")) for chapter in plan.chapters)
    return [(n, outline_updates(said, names)) for n, said in keyed if said is not None and n > plan.last]


def unknown_thread_problems(plan: Plan) -> Iterator[Problem]:
    """Contracts and the outline speak of threads that the plan or the book has; an action is one of three."""
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter > plan.last:
            yield from _update_problems(contract)
    if not _is_complete(plan):
        return
    names, places = _plan_thread_ids(plan), dict[str, list[tuple[str, str]]]()
    for chapter, contract in sorted(plan.contracts.items()):
        for one in contract_updates(contract) if chapter > plan.last else ():
            places.setdefault(one.name, []).append((contract.path, _KEY))
    for chapter, listed in _upcoming_outline_updates(plan):
        for one in listed:
            places.setdefault(one.name, []).append((plan.outline.path, f"第 {chapter} 章 Foreshadowing"))
    plan_path = layout.staged(layout.foreshadowing_plan(plan.volume))
    for name, told in places.items():
        if name not in names:
            where = volume_places.places_text(told)
            how = f"请改好编号{volume_places.suggestion_text(name, names)}，或在 {plan_path} 里立这一条。"
            yield errors.VolumeForeshadowing(
                told[0][0], detail=f"伏笔「{name}」没有人立过（{where}）", how=how
            )


def _update_problems(contract: Contract) -> Iterator[Problem]:
    done = [one for one in contract_updates(contract) if one.action]
    for one in dict.fromkeys(one for one in done if done.count(one) > 1):
        detail = f"{_KEY} 里「{one.name}」的 {one.action} 写了两次"
        yield errors.VolumeForeshadowing(contract.path, detail=detail, how="请只留一条。")
    for number, (name, action) in enumerate(_update_entries(contract), 1):
        if name is None:
            detail = f"{_KEY} 第 {number} 条没有 id"
            yield errors.VolumeForeshadowing(contract.path, detail=detail, how="请写上伏笔的编号。")
        elif action is not None and action not in ACTIONS:
            how = f"action 请写成 {'、'.join(ACTIONS)} 之一。"
            detail = (
                f"伏笔「{name}」的 action「{action}」不认识" if action else f"伏笔「{name}」没有写 action"
            )
            yield errors.VolumeForeshadowing(contract.path, detail=detail, how=how)


def course_problems(plan: Plan) -> Iterator[Problem]:
    """A thread is planted once, where the plan says; moves only in between; ends once, inside its range."""
    if not _is_complete(plan):
        return
    for course in _courses(plan):
        yield from course.problems()


def _courses(plan: Plan) -> list[_Course]:
    """One a thread. What stands twice is told, and nobody knows which is meant."""
    strange, listed = _unclear_chapters(plan), [item for item in plan.threads or () if text(item.get("id"))]
    listed += [item for item in plan.facts or () if item.get("id") not in thread_ids(listed)]
    names = [item["id"] for item in listed]
    coming = _upcoming_contracts(plan)
    return [_Course(plan, item, strange, coming) for item in listed if names.count(item["id"]) == 1]


def _unclear_chapters(plan: Plan) -> set[int]:
    """Chapters whose contract names a thread that nobody knows, or cannot be read: it may be any other."""
    names = _plan_thread_ids(plan)
    found = {
        c
        for c, contract in _upcoming_contracts(plan)
        if any(one.name not in names for one in contract_updates(contract))
    }
    unread = {c for c, one in _upcoming_contracts(plan) if has_faulty(one.document.get("postconditions"))}
    unread |= {
        c for c, one in _upcoming_contracts(plan) if any(name is None for name, _ in _update_entries(one))
    }
    return found | unread


class _Course:
    """One thread through the chapters to come."""

    def __init__(
        self, plan: Plan, item: Mapping[str, Any], strange: set[int], coming: list[tuple[int, Contract]]
    ) -> None:
        self.plan, self.item, self.unclear = plan, item, strange
        self.name = str(item["id"])
        self.known = find_fact(plan, self.name)
        self.paths = {chapter: contract.path for chapter, contract in coming}
        self.telling = {chapter for chapter, one in coming if _KEY in contracts.postconditions(one)}
        self.events = [
            (chapter, one.action)
            for chapter, contract in coming
            for one in contract_updates(contract)
            if one.name == self.name
        ]

    def at(self, action: str) -> list[int]:
        return list(dict.fromkeys(chapter for chapter, told in self.events if told == action))

    def problem(self, path: str, detail: str, how: str) -> Problem:
        return errors.VolumeForeshadowing(path, detail=f"伏笔「{self.name}」{detail}", how=how)

    def problems(self) -> Iterator[Problem]:
        planted = self.at("planted")
        if self.known is not None and planted:
            was = integer(self.known.get("planted_chapter"))
            when = f"第 {was} 章" if was is not None else "前面"
            yield self.problem(
                self.paths[planted[0]],
                f"{when}已经埋过，第 {planted[0]} 章又埋",
                "请把 action 改成 advanced 或 resolved。",
            )
        elif len(planted) > 1:
            detail = f"在{volume_places.chapters_text(planted)}各埋了一次"
            yield self.problem(self.paths[planted[1]], detail, "请只留一次 planted，后面的改成 advanced。")
        elif self.known is None:
            yield from self._planting(planted)
        yield from self._ending()

    def _planting(self, planted: list[int]) -> Iterator[Problem]:
        """What is new is planted in the chapter that the plan says, and not moved before."""
        meant = integer(self.item.get("planted_chapter"))
        if meant is None or not self.plan.last < meant <= self.plan.end:
            return
        mentioned = any(chapter == meant and action is None for chapter, action in self.events)
        path = layout.staged(layout.foreshadowing_plan(self.plan.volume))
        if planted and planted[0] != meant:
            detail = f"计划在第 {meant} 章埋，契约却在第 {planted[0]} 章埋"
            yield self.problem(path, detail, f"请改好 planted_chapter，或第 {planted[0]} 章契约的 {_KEY}。")
        elif not planted and not mentioned and meant in self.paths and meant not in self.unclear:
            detail = f"计划在第 {meant} 章埋，那一章的契约没有写"
            how = f"请在契约的 {_KEY} 里写上它，action 是 planted；或改 planted_chapter。"
            yield self.problem(self.paths[meant], detail, how)
        else:
            yield from self._line(meant)
            yield from self._early(meant)

    def _early(self, meant: int) -> Iterator[Problem]:
        for chapter, action in self.events:
            if action in ("advanced", "resolved") and chapter < meant:
                detail = f"第 {meant} 章才埋，第 {chapter} 章就{_ACTION_WORDS[action]}"
                yield self.problem(self.paths[chapter], detail, "请改好两处的先后。")

    def _line(self, meant: int) -> Iterator[Problem]:
        """It belongs to the storyline of the chapter that plants it (seed 002 §3)."""
        line, own, lines = text(self.item.get("planted_storyline")), self.plan.agreed(meant), self.plan.lines
        if line and own and line != own and (lines is None or line in lines):
            detail = f"写的是在「{line}」线埋，第 {meant} 章却是「{own}」线"
            path = layout.staged(layout.foreshadowing_plan(self.plan.volume))
            yield self.problem(path, detail, "请改好 planted_storyline 或 planted_chapter。")

    def _ending(self) -> Iterator[Problem]:
        resolved = self.at("resolved")
        if (self.known or {}).get("status") == "resolved":
            for chapter, _ in self.events[:1]:
                how = "请从这份契约里去掉它，或另立一条。"
                yield self.problem(self.paths[chapter], f"已经收了，第 {chapter} 章还要动它", how)
            return
        later = [chapter for chapter, _ in self.events if resolved and chapter > resolved[0]]
        if later:
            detail = f"第 {resolved[0]} 章收了，{volume_places.chapters_text(later)}还要动它"
            yield self.problem(self.paths[later[0]], detail, "请改好先后，收只写一次，放在最后。")
        window = span(self.item.get("target_resolve_range"))
        if window is not None and window[0] >= (integer(self.item.get("planted_chapter")) or 0):
            yield from self._in_range(window, resolved)

    def _in_range(self, window: tuple[int, int], resolved: list[int]) -> Iterator[Problem]:
        if len(resolved) == 1 and not window[0] <= resolved[0] <= window[1]:
            detail = f"第 {resolved[0]} 章收，计划的回收范围却是第 {window[0]} 章到第 {window[1]} 章"
            how = f"请改好 target_resolve_range，或第 {resolved[0]} 章契约的 {_KEY}。"
            yield self.problem(self.paths[resolved[0]], detail, how)
        elif not resolved and self._must_end(window):
            detail = f"该在第 {window[0]} 章到第 {window[1]} 章收，没有一份契约收它"
            how = f"请在这几章里一份契约的 {_KEY} 里写上它，action 是 resolved；或改 target_resolve_range。"
            yield self.problem(layout.staged(layout.foreshadowing_plan(self.plan.volume)), detail, how)

    def _must_end(self, window: tuple[int, int]) -> bool:
        """Its range ends in this volume, and every contract of the range says what it does with threads."""
        if not self.plan.last < window[1] <= self.plan.end:
            return False
        chapters = range(max(window[0], self.plan.last + 1), window[1] + 1)
        bare = any(action is None and chapter in chapters for chapter, action in self.events)
        return not bare and all(one in self.telling and one not in self.unclear for one in chapters)


def update_mismatch_problems(plan: Plan) -> Iterator[Problem]:
    """The outline's `Foreshadowing` and the contract do the same with the same threads.

    A key line in words, without an id, says nothing; nor does a contract without `foreshadowing_updates`.
    """
    if not _is_complete(plan):
        return
    strange, names, lines = (
        _unclear_chapters(plan),
        _plan_thread_ids(plan),
        dict(_upcoming_outline_updates(plan)),
    )
    astray = {course.name for course in _courses(plan) if any(True for _ in course.problems())}
    for chapter, contract in _upcoming_contracts(plan):
        listed = lines.get(chapter)
        silent = _KEY not in contracts.postconditions(contract)
        if listed is None or silent or chapter in strange or any(one.name not in names for one in listed):
            continue
        nothing = plan.keys(chapter).get("Foreshadowing", "").strip("。.").lower() in _NOTHING
        if (listed or nothing) and plan.agreed(chapter):
            yield from _mismatch_problems(plan, chapter, contract, listed, astray)


def _mismatch_problems(
    plan: Plan, chapter: int, contract: Contract, listed: list[Update], astray: set[str]
) -> Iterator[Problem]:
    """`astray` are threads of which something worse is told."""
    here, there = (
        _actions_by_id(one for one in each if one.name not in astray)
        for each in (listed, contract_updates(contract))
    )
    path = plan.outline.path
    how = f"请改好 {path} 第 {chapter} 章的 Foreshadowing 或契约的 {_KEY}，使两边一致。"
    alone = (
        ([name for name in here if name not in there], f"第 {chapter} 章的大纲里有，契约的 {_KEY} 里没有"),
        (
            [name for name in there if name not in here],
            f"第 {chapter} 章的契约里有，大纲的 Foreshadowing 里没有",
        ),
    )
    for names, detail in alone:
        if names:
            yield errors.VolumeForeshadowing(
                contract.path, detail=f"伏笔「{'」「'.join(names)}」{detail}", how=how
            )
    for name in (one for one in here if one in there):
        if here[name] and there[name] and here[name].isdisjoint(there[name]):
            done, wanted = (_actions_text(one[name]) for one in (here, there))
            detail = f"伏笔「{name}」第 {chapter} 章的大纲写的是{done}，契约写的是{wanted}"
            yield errors.VolumeForeshadowing(contract.path, detail=detail, how=how)


def _actions_by_id(listed: Iterable[Update]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in listed:
        found.setdefault(one.name, set()).update([one.action] if one.action else [])
    return found


def _actions_text(actions: Iterable[str]) -> str:
    return "、".join(_ACTION_WORDS[one] for one in ACTIONS if one in set(actions))
