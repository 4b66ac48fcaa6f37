"""Is a volume's plan whole? Every finding at once. Source: protocol §1 (planning files), §7.

Pure: `Plan` holds what was read, each rule is a function from it to problems, `problems` is all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.cast import Character
    from novel_hooks.rules.contract import Contract

from novel_hooks import layout
from novel_hooks.errors import (
    Problem,
    VolumeCharacter,
    VolumeContract,
    VolumeRange,
    VolumeRetired,
    VolumeWorldRule,
)
from novel_hooks.record import Record
from novel_hooks.rules import cast as casts
from novel_hooks.rules import contract as contracts
from novel_hooks.rules import outline as outlines
from novel_hooks.rules import outline_check, volume_chain, volume_lines, volume_threads
from novel_hooks.rules.outline import Outline


class Plan(Record):
    """A volume's plan as it is staged, with what of the book it leans on.

    `first` is the chapter that the volume must begin with, `last` the newest landed one. `files` are the
    chapters that have a contract's file, `contracts` those whose file could be read, by that number.
    `before` is the contract of the chapter before the volume. `schedule`, `lines` (ids of the storylines),
    `threads` (the foreshadowing plan's items), `facts` (ids of threads already told), `people` and `rules`
    (ids of the world's) are None when they could not be read: what leans on them is not looked at. `gone` are
    the names of those who have left the book.
    """

    volume: int
    first: int
    last: int
    outline: Outline
    data: bytes
    files: tuple[int, ...]
    contracts: Mapping[int, Contract]
    before: Contract | None
    schedule: Mapping[str, Any] | None
    lines: tuple[str, ...] | None
    threads: Sequence[Mapping[str, Any]] | None
    facts: tuple[str, ...] | None
    people: Sequence[Character] | None
    rules: tuple[str, ...] | None
    gone: tuple[str, ...] = ()

    @property
    def chapters(self) -> list[int]:
        """The outline's chapters, each once, in order."""
        return sorted({heading.chapter for heading in self.outline.headings})

    @property
    def end(self) -> int:
        return max(self.chapters, default=self.first)

    def at(self, chapter: int) -> Contract | None:
        """The contract of a chapter of the volume, or of the one before it."""
        return self.before if chapter == self.first - 1 else self.contracts.get(chapter)

    def keys(self, chapter: int) -> Mapping[str, str]:
        """The chapter's key lines in the outline."""
        return outlines.keys(outlines.block(self.outline, chapter))

    def storyline(self, chapter: int) -> str:
        """As the outline has it; empty when it has none."""
        return self.keys(chapter).get("Storyline", "")


def problems(plan: Plan) -> list[Problem]:
    """All rules, in a fixed order: outline, contracts, chain, storylines, foreshadowing, people, world."""
    found: list[Problem] = [*outline_check.problems(plan.outline, plan.volume, plan.data)]
    for rule in RULES:
        found += rule(plan)
    return found


def bounds(plan: Plan) -> Iterator[Problem]:
    """The volume begins behind the one before it, and reaches as far as the book has been written."""
    if not plan.outline.headings:
        return
    start, end, path = plan.outline.start, plan.outline.end, plan.outline.path
    if start != plan.first:
        detail = f"可第 {plan.volume} 卷应从第 {plan.first} 章起"
        yield VolumeRange(
            path, start=start, end=end, detail=detail, how=f"请把大纲改成从第 {plan.first} 章起连号。"
        )
    if end < plan.last:
        detail = f"可书已写到第 {plan.last} 章"
        yield VolumeRange(
            path, start=start, end=end, detail=detail, how=f"请把大纲补到第 {plan.last} 章或更后。"
        )


def agreements(plan: Plan) -> Iterator[Problem]:
    """One contract a chapter, of the right chapter and storyline, with a required objective."""
    chapters = plan.chapters
    for chapter in chapters:
        if chapter not in plan.files:
            how = f"请照大纲给第 {chapter} 章写一份契约。"
            yield VolumeContract(_path(plan, chapter), detail=f"第 {chapter} 章没有契约", how=how)
    for chapter in plan.files:
        if chapter not in chapters:
            how = f"请删去这份契约，或在大纲里补上第 {chapter} 章。"
            yield VolumeContract(_path(plan, chapter), detail=f"大纲里没有第 {chapter} 章", how=how)
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter in chapters:
            line = plan.storyline(chapter) or contract.storyline_id  # an empty line is told by itself
            for problem in contracts.problems(contract, chapter, line):
                detail = str(problem.values["detail"])
                yield VolumeContract(
                    contract.path, detail=detail, how=f"请改好第 {chapter} 章的契约或大纲，使两边一致。"
                )


def persons(plan: Plan) -> Iterator[Problem]:
    """Who is in a chapter's preconditions has a card and is still there; a name belongs to one card."""
    if plan.people is None:
        return
    yield from casts.problems(plan.people)
    names = {person.name for person in plan.people}
    for _, contract in sorted(plan.contracts.items()):
        for name in contract.cast or ():
            if name not in names:
                kind = VolumeRetired if name in plan.gone else VolumeCharacter
                yield kind(contract.path, name=name)


def world(plan: Plan) -> Iterator[Problem]:
    """`required_world_rules` name rules that exist."""
    if plan.rules is None:
        return
    for _, contract in sorted(plan.contracts.items()):
        wanted = (contract.document.get("preconditions") or {}).get("required_world_rules") or ()
        for name in dict.fromkeys(wanted):
            if name not in plan.rules:
                yield VolumeWorldRule(contract.path, name=name)


def _path(plan: Plan, chapter: int) -> str:
    return layout.staged(layout.contract(plan.volume, chapter))


RULES = (
    bounds,
    agreements,
    volume_chain.chain,
    volume_lines.active,
    volume_lines.convergences,
    volume_threads.planned,
    volume_threads.spoken,
    persons,
    world,
)
"""What `problems` asks beside the outline's own rules."""
