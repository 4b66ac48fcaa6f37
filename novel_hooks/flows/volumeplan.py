"""A staged volume's plan, gathered for its rules. Source: protocol §1, §2. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from novel_hooks.flows.outputs import Found
    from novel_hooks.flows.plandesk import PlanDesk
    from novel_hooks.rules.outline import Outline

    T = TypeVar("T")

from novel_hooks import layout
from novel_hooks.errors import Problem, Problems, VolumeContract
from novel_hooks.flows import planinputs, threads
from novel_hooks.flows.book import Book
from novel_hooks.rules import contract as contracts
from novel_hooks.rules import foreshadowing, volume
from novel_hooks.rules import outline as outlines
from novel_hooks.rules.contract import Contract
from novel_hooks.rules.volume import Plan


def problems(desk: PlanDesk, files: Sequence[Found]) -> list[Problem]:
    """What is wrong between the plan's files and with what they lean on; [] without an outline."""
    from novel_hooks.flows.plandesk import finding

    outline = next((f for f in files if f.key == "outline" and f.ok), None)
    if outline is None:
        return []
    gathered = _Gathered(desk, files)
    plan = gathered.plan(outline)
    return [*gathered.problems, *(finding(p) for p in volume.problems(plan))]


class _Gathered:
    """Reads one part after the other; what a part lacks is noted and hides no other.

    A volume that is written in part keeps the contracts that its new plan does not replace.
    """

    def __init__(self, desk: PlanDesk, files: Sequence[Found]) -> None:
        self.desk = desk
        self.files = files
        self.problems: list[Problem] = []

    def plan(self, outline: Found) -> Plan:
        book, number = self.desk.book, self.desk.volume
        last = book.checkpoint().last
        first = self.attempt(planinputs.first_chapter, book, number, last) or last + 1
        read = outlines.read(outline.value, outline.path)
        held = self._held(read) if last >= first else {}
        own = self._contracts()
        self._unwritten_only(own, held, last)
        return Plan(
            volume=number,
            first=first,
            last=last,
            outline=read,
            data=outline.data or b"",
            files=tuple(sorted({*self._numbers(), *held})),
            contracts={**held, **own},
            before=self.attempt(_before, book, number, first),
            schedule=self._value("schedule"),
            lines=self._lines(),
            threads=self._threads(),
            facts=self.attempt(_facts, book),
            people=self.attempt(self.desk.people),
            rules=self.attempt(_rules, book),
            gone=self.attempt(_gone, book) or (),
        )

    def attempt(self, read: Callable[..., T], *given: object) -> T | None:
        try:
            return read(*given)
        except (Problem, Problems) as error:
            self.problems += error.problems if isinstance(error, Problems) else [error]
            return None

    def _all(self, key: str) -> list[Found]:
        return [f for f in self.files if f.key == key and f.data is not None]

    def _value(self, key: str) -> dict[str, object] | None:
        return next((f.value for f in self._all(key) if f.ok), None)

    def _numbers(self) -> dict[int, Found]:
        """Contracts by the chapter in their file's name; a name that is none is told."""
        found: dict[int, Found] = {}
        for one in self._all("contracts"):
            name = one.path.rsplit("/", 1)[-1]
            number = layout.chapter_number(f"{name[: -len('.json')]}.md")
            if number is None or name != f"{layout.chapter_id(number)}.json":
                detail, how = "文件名不是章号", "请把文件名写成 chapter-007.json 这样（至少三位）。"
                told = VolumeContract(one.path, detail=detail, how=how)
                if str(told) not in map(str, self.problems):
                    self.problems.append(told)
            else:
                found[number] = one
        return found

    def _contracts(self) -> dict[int, Contract]:
        return {n: contracts.read(f.value, f.path) for n, f in self._numbers().items() if f.ok}

    def _held(self, outline: Outline) -> dict[int, Contract]:
        """The landed contracts of the chapters that the new outline has."""
        book, volume = self.desk.book, self.desk.volume
        found = {}
        for heading in outline.headings:
            path = layout.contract(volume, heading.chapter)
            document = self.attempt(book.document, path, "chapter-contract")
            if document is not None:
                found[heading.chapter] = contracts.read(document, path)
        return found

    def _unwritten_only(self, own: dict[int, Contract], held: dict[int, Contract], last: int) -> None:
        """What is written stays: its contract is not planned again."""
        for number, contract in sorted(own.items()):
            landed = held.get(number)
            if number <= last and landed is not None and landed.document != contract.document:
                detail, how = f"第 {number} 章已经写了，契约不能再改", "请删去这一份，原来的还在。"
                self.problems.append(VolumeContract(contract.path, detail=detail, how=how))

    def _lines(self) -> tuple[str, ...] | None:
        if self._all("storylines"):
            document = self._value("storylines")
        else:
            document = self.attempt(self.desk.book.document, layout.STORYLINES, "storylines")
        if document is None:
            return None
        listed = document["storylines"]
        return tuple(one["id"] for one in listed) if isinstance(listed, list) else None

    def _threads(self) -> list[dict[str, object]] | None:
        found = next((f for f in self._all("foreshadowing_plan") if f.ok), None)
        return None if found is None else self.attempt(foreshadowing.read, found.value, found.path)


def _before(book: Book, number: int, first: int) -> Contract | None:
    """The contract of the chapter before the volume; None where there is none."""
    path = layout.contract(number - 1, first - 1)
    document = book.document(path, "chapter-contract") if number > 1 else None
    return None if document is None else contracts.read(document, path)


def _facts(book: Book) -> tuple[str, ...]:
    return tuple(str(item["id"]) for item in threads.facts(book))


def _gone(book: Book) -> tuple[str, ...]:
    return tuple(person.name for person in book.retired())


def _rules(book: Book) -> tuple[str, ...]:
    document = book.document(layout.WORLD_RULES, "world-rules")
    return tuple(rule["id"] for rule in (document or {}).get("rules") or ())
