"""The material for the rules of a staged volume's plan. Source: protocol §1, §2. Reads only."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Collection, Mapping, Sequence, T
from novel_hooks.errors import Problem
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.book.foreshadowing import facts as threads_of
from novel_hooks.flows.planning import partial_document
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.state import entry_names, operations
from novel_hooks.rules.text.json_values import FAULTY, has_faulty, integer, text
from novel_hooks.rules.volume import checks
from novel_hooks.rules.volume.plan import Plan

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import StagedFile
    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.rules.outline.outline import Outline


def problems(
    book: Book, number: int, files: Sequence[StagedFile], cards: Mapping[str, StagedFile]
) -> tuple[list[Problem], list[Problem]]:
    """Return (unreadable files of the plan and its sources, problems between the parts).

    `files` are those staged for the volume `number`, `cards` the staged characters by id.
    """
    if all(one.data is None for one in files):
        return [], []
    gathered = _Gathered(book, number, files, cards)
    plan = gathered.plan()
    return gathered.problems, checks.problems(plan)


def landed_problems(book: Book, number: int) -> list[Problem]:
    """Return the present problems between the parts of a landed plan, for its chapters to come.

    A landed plan has passed these rules, so a problem comes from a hand edit. Faults of single files are
    reported elsewhere. [] where no setting was ever noted, because another tool's plan never passed the
    rules.
    """
    if not book.project.has(layout.SETTING):
        return []
    found = checks.problems(landed_plan(book, number))
    return [one for one in found if one.severity == "error" or isinstance(one, errors.PlanEventTwice)]


def landed_plan(book: Book, number: int) -> Plan:
    """Gather a landed volume's plan for the rules, with the contracts of its chapters to come."""
    last = book.checkpoint().last
    places = [
        ("outline", layout.outline(number), None),
        ("schedule", layout.schedule(number), "storyline-schedule"),
        ("foreshadowing_plan", layout.foreshadowing_plan(number), "foreshadowing-plan"),
    ]
    folder = layout.contract(number, 1).rpartition("/")[0]
    for name in book.files(folder, (".json",))[0]:
        if (layout.chapter_number(f"{name[: -len('.json')]}.md") or 0) > last:
            places.append(("contracts", f"{folder}/{name}", "chapter-contract"))
    files = [_landed_file(book, *place) for place in places]
    return _Gathered(book, number, files, {}, landed=True).plan()


def _landed_file(book: Book, key: str, path: str, schema: str | None) -> StagedFile:
    from novel_hooks.flows.chapter.desk import StagedFile

    data, _ = attempt(lambda: book.read(path))
    value, _ = attempt(lambda: book.text(path) if schema is None else book.document(path, schema))
    return StagedFile(key, path, data, value, ())


class _Gathered:
    """A volume's plan, read part by part: what a part lacks is noted and hides no other.

    A volume that is written in part keeps the contracts that its new plan does not replace.
    """

    def __init__(
        self,
        book: Book,
        number: int,
        files: Sequence[StagedFile],
        cards: Mapping[str, StagedFile],
        landed: bool = False,
    ) -> None:
        self.book = book
        self.landed = landed
        self.volume = number
        self.files = files
        self.cards = cards
        self.problems: list[Problem] = []
        self.partial: set[str] = set()
        self.faulty_keys: frozenset[str] = frozenset()

    def plan(self) -> Plan:
        """Gather the plan, for its rules."""
        book, number = self.book, self.volume
        last = book.checkpoint().last
        first = self.attempt(planned_chapters.first_chapter, book, number, last) or last + 1
        found = next((f for f in self.files if f.key == "outline"), None)
        text = found.value if found is not None and isinstance(found.value, str) else ""
        read = outlines.parse(text, self._path(layout.outline(number)))
        named = self._numbers(read)
        own = self._contracts(named)
        held = self._held(read, last) if last >= first else {}
        self._unwritten_only(own, held, last)
        schedule = self._document("schedule", "storyline-schedule")
        threads, volume_told = self._threads()
        storylines = self._storylines()
        return Plan(
            volume=number,
            first=first,
            last=last,
            outline=read,
            data=(found.data or b"") if found is not None and text.strip() else b"",
            files=tuple(sorted({*named, *held})),
            contracts={**held, **own},
            before=self.attempt(_contract_before, book, number, first),
            schedule=schedule,
            lines=self._ids("lines", storylines, "storylines"),
            threads=threads,
            facts=self.attempt(threads_of, book),
            people=self._people(),
            rules=self._rules(),
            retired=self.attempt(book.retired) or (),
            things=self.attempt(_thing_names, book) or frozenset(),
            partial=frozenset(self.partial),
            faulty_keys=self.faulty_keys,
            stated_volume=volume_told,
            storylines=storylines if isinstance(storylines, dict) else {},
            storylines_path=self._path(layout.STORYLINES) if self._all("storylines") else layout.STORYLINES,
            landed=self.landed,
            staged=frozenset(self.cards),
            earlier=planned_chapters.earlier_outlines(book, number),
            earlier_contracts=planned_chapters.earlier_contracts(book, number),
        )

    def _path(self, place: str) -> str:
        return place if self.landed else layout.staged(place)

    def attempt(self, read: Callable[..., T], *given: object) -> T | None:
        """Read one part; its problems are collected and None is returned."""
        found, problems = attempt(lambda: read(*given))
        self.problems += problems
        return found

    def _all(self, key: str) -> list[StagedFile]:
        return [f for f in self.files if f.key == key and f.data is not None]

    def _document(self, key: str, schema: str) -> Any:
        """Return a staged document as far as its shape is right; None for none, or no JSON."""
        found = next(iter(self._all(key)), None)
        if found is None or found.value is not None:
            return None if found is None else found.value
        sound = partial_document.parse(found.data or b"", found.path, schema)
        if sound is None or sound.document is FAULTY:
            return None
        if key == "schedule":
            self.faulty_keys = sound.faults
        return sound.document

    def _numbers(self, outline: Outline) -> dict[int, StagedFile]:
        """Return the contracts by the chapter in their file's name; a misnamed one is a problem."""
        found: dict[int, StagedFile] = {}
        astray: list[StagedFile] = []
        for one in self._all("contracts"):
            name = one.path.rsplit("/", 1)[-1]
            number = layout.chapter_number(f"{name[: -len('.json')]}.md")
            if number is None or name != f"{layout.chapter_id(number)}.json":
                astray.append(one)
            else:
                found[number] = one
        for one in astray:
            self._misnamed(one, found, {heading.chapter for heading in outline.headings})
        return found

    def _misnamed(self, one: StagedFile, found: dict[int, StagedFile], chapters: Collection[int]) -> None:
        number = integer(self._partial(one, "chapter-contract").get("chapter"))
        case, name = "misnamed" if number else "misnamed, no number", layout.chapter_id(number or 7)
        place = f"{one.path.rpartition('/')[0]}/{name}.json"
        if number in found or (number and self.book.project.has(place)):
            case = "misnamed, taken"
        self.problems.append(errors.VolumeContract(one.path, case, name=name))
        if number is not None and number in chapters:
            found.setdefault(number, one)

    def _contracts(self, named: dict[int, StagedFile]) -> dict[int, Contract]:
        found = {}
        for number, one in sorted(named.items()):
            document = self._partial(one, "chapter-contract")
            if document is not FAULTY:
                found[number] = contracts.parse(_readable_contract(document, number), one.path)
        return found

    def _partial(self, found: StagedFile, schema: str) -> Any:
        """Return the document as far as its shape is right; FAULTY when nothing of it is."""
        if found.value is not None:
            return found.value
        sound = partial_document.parse(found.data or b"", found.path, schema)
        return FAULTY if sound is None else sound.document

    def _held(self, outline: Outline, last: int) -> dict[int, Contract]:
        """Return the landed contracts of the outline's chapters; without an outline those of written ones."""
        book, volume = self.book, self.volume
        found = {}
        for number in [heading.chapter for heading in outline.headings] or range(1, last + 1):
            path = layout.contract(volume, number)
            document = self.attempt(book.document, path, "chapter-contract")
            if document is not None:
                found[number] = contracts.parse(document, path)
        return found

    def _unwritten_only(self, own: dict[int, Contract], held: dict[int, Contract], last: int) -> None:
        """Refuse contracts that change a written chapter's: it is not planned again."""
        for number, contract in sorted(own.items()):
            landed = held.get(number)
            if number <= last and landed is not None and landed.document != contract.document:
                self.problems.append(errors.VolumeContract(contract.path, case="written", chapter=number))

    def _storylines(self) -> Any:
        if self._all("storylines"):
            return self._document("storylines", "storylines")
        return self._landed(layout.STORYLINES, "storylines")

    def _ids(self, field: str, document: Any, key: str) -> tuple[str, ...] | None:
        """Return the ids that can be read; `field` is partial when there may be others."""
        listed = document.get(key) if isinstance(document, dict) else None
        if not isinstance(listed, list):
            return None
        named = [one.get("id") for one in listed if isinstance(one, dict)]
        if any(not isinstance(name, str) for name in named):
            self.partial.add(field)
        return tuple(name for name in named if isinstance(name, str))

    def _landed(self, path: str, schema: str) -> Any:
        """Return the author's document; faults in its shape are noted, and the rest is used."""
        before = len(self.problems)
        document = self.attempt(self.book.document, path, schema)
        if len(self.problems) == before:
            return document
        data = self.attempt(self.book.read, path)
        sound = partial_document.parse(data, path, schema) if data else None
        return None if sound is None or sound.document is FAULTY else sound.document

    def _threads(self) -> tuple[list[dict[str, Any]] | None, object]:
        """Return the plan's items, and the volume that it names."""
        document = self._document("foreshadowing_plan", "foreshadowing-plan")
        if document is None:
            return None, None
        whole = document if isinstance(document, dict) else {"foreshadowing": document}
        listed = whole.get("foreshadowing", whole.get("items"))
        if not isinstance(listed, list):
            return None, None
        items = [one for one in listed if isinstance(one, dict)]
        if any(not isinstance(one.get("id"), str) for one in items):
            self.partial.add("threads")
        return items, whole.get("volume")

    def _people(self) -> list[Character] | None:
        """Return everybody as he will be; of a card that is wrong elsewhere the names are known."""
        landed = self.attempt(self.book.cast)
        if landed is not None:
            landed = [person for person in landed if person.slug not in self.cards]
        if landed is None or not (landed or any(card.ok for card in self.cards.values())):
            landed = self._cards()
        people = {person.slug: person for person in landed}
        for slug, found in self.cards.items():
            if found.ok:
                people[slug] = casts.character(slug, found.value)
            else:
                self._named(people, slug, found.data, found.path)
        return [people[slug] for slug in sorted(people)]

    def _cards(self) -> list[Character]:
        """Return the landed cards one by one, when one of them is broken and noted."""
        people: dict[str, Character] = {}
        folder = layout.CHARACTERS
        for name in self.book.files(folder, (".json",))[0]:
            path = f"{folder}/{name}"
            self._named(people, name[: -len(".json")], self.attempt(self.book.read, path), path)
        return list(people.values())

    def _named(self, people: dict[str, Character], slug: str, data: bytes | None, path: str) -> None:
        sound = partial_document.parse(data, path, "character") if data else None
        document = sound.document if sound is not None else FAULTY
        if text(document.get("display_name")) is None or has_faulty(document.get("aliases")):
            self.partial.add("people")
        if text(document.get("display_name")) is not None:
            people[slug] = casts.character(slug, document)

    def _rules(self) -> dict[str, int | None] | None:
        document = self._landed(layout.WORLD_RULES, "world-rules")
        if document is None:
            return {} if not self.book.project.has(layout.WORLD_RULES) else None
        names = self._ids("rules", document, "rules")
        if names is None:
            return None
        rules = {one.get("id"): integer(one.get("introduced_chapter")) for one in document["rules"]}
        return {name: rules[name] for name in names}


def _readable_contract(document: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the contract with a legal chapter and storyline: a fault in their shape is noted elsewhere."""
    chapter, line = integer(document.get("chapter")), text(document.get("storyline_id"))
    return {**document, "chapter": chapter or number, "storyline_id": line or ""}


def _contract_before(book: Book, number: int, first: int) -> Contract | None:
    """Return the contract of the chapter before the volume; None when there is none."""
    path = layout.contract(number - 1, first - 1)
    document = book.document(path, "chapter-contract") if number > 1 else None
    return None if document is None else contracts.parse(document, path)


def _thing_names(book: Book) -> frozenset[str]:
    """Return names and ids of the state's things, places and factions, and of the storylines' factions."""
    state, found = book.state(), set[str]()
    for group in operations.NAMED:
        for key, entry in (state.get(group) or {}).items():
            found.update(name for _, name in entry_names.ranked_names(key, entry))
    lines = book.project.has(layout.STORYLINES) and book.document(layout.STORYLINES, "storylines")
    for line in (lines or {}).get("storylines") or ():
        found.update(line.get("affiliated_factions") or ())
    return frozenset(found)
