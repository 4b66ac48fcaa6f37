"""The inputs of one step, gathered with all their problems, which are reported at once.

Source: seed 000 Step 2, protocol §7.
"""

from __future__ import annotations

import json

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Sequence
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.record import Record
from novel_hooks.rules.outline import brief as briefs
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.outline.schedule import NO_SCHEDULE, Schedule
from novel_hooks.rules.packet import packet
from novel_hooks.rules.packet import size_limit as caps
from novel_hooks.rules.packet.packet import Input
from novel_hooks.rules.text.json_values import strings
from novel_hooks.store.files import assets
from novel_hooks.store.formats.text import decode, is_landed_chapter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.flows.packet.phase_inputs import Part
    from novel_hooks.rules.packet.size_limit import Cut, Fitted, Offer


class Assembled(Record):
    """Gathered inputs. `guides` are the plugin's texts beside the packet: path → bytes.

    `cap` is the packet's key. `lacking` are files that are not there yet; only a preview has any
    (`Gathering.ahead`). `hints` are the author's next actions for warnings; agents never get them.
    """

    inputs: tuple[Input, ...]
    guides: Mapping[str, bytes]
    warnings: tuple[str, ...]
    cap: Mapping[str, Any] | None = None
    lacking: tuple[Problem, ...] = ()
    hints: Mapping[str, str] = {}


def is_awaited_work(problem: Problem) -> bool:
    """Tell whether the problem is only that another agent has not done its work yet."""
    return isinstance(
        problem, (errors.FileMissing, errors.OutputMissing, errors.BriefBlank, errors.CastEmpty)
    )


class Hidden(Record):
    """The secrets that a chapter must not tell yet, and everybody's names."""

    secrets: tuple[str, ...]
    names: tuple[str, ...]


class Gathering:
    """The gathering of inputs and problems for one step of one chapter.

    `ahead`: it is for a preview, so awaited work stops nothing. `phase` is a chapter's. `hidden` are the
    secrets that the writer must not know yet, once `held_back` has read them.
    """

    ahead = False
    phase = ""
    hidden: Hidden | None = None

    def __init__(self, desk: Desk, new_draft: bool) -> None:
        self.desk = desk
        self.book: Book = desk.book
        self.inputs: list[Input] = []
        self.guides: dict[str, bytes] = {}
        self.problems: list[Problem] = []
        self._results: dict[tuple[Any, ...], Any] = {}
        self.outline = self.attempt(self._outline, new_draft)
        self.contract = self.attempt(desk.contract)
        self.schedule: Schedule = self.attempt(lambda: self.book.schedule(desk.volume)) or NO_SCHEDULE
        if self.outline and self.contract and not self._moved_in():
            self.attempt(self._check_contract, self.outline, self.contract)

    def attempt(self, action: Callable[..., Any], *args: Any) -> Any:
        """Return the action's result; when it raises, collect its problems and return None."""
        try:
            return action(*args)
        except Problem as error:
            listed = error.problems
            self.problems += [p for p in listed if str(p) not in map(str, self.problems)]
        return None

    def once(self, action: Callable[..., Any], *args: Any) -> Any:
        """Return the action's result as `attempt` does; asked again, the same result of the same call."""
        call = (action, *args)
        if call not in self._results:
            self._results[call] = self.attempt(action, *args)
        return self._results[call]

    def _outline(self, new_draft: bool) -> Outline:
        found = self.book.need_outline(self.desk.volume)
        doubts = outlines.draft_problems(found, self.desk.number) if new_draft else []
        if doubts:
            raise Problems(doubts)
        outlines.block(found, self.desk.number)
        problems = [] if self._moved_in() else outlines.key_problems(found, self.desk.number)
        if problems:
            raise Problems(problems)
        return found

    def _moved_in(self) -> bool:
        """Tell whether the chapter moved in: nobody planned it, so outline and contract are bare."""
        return self.desk.number <= self.book.adoption().last

    def _check_contract(self, outline: Outline, contract: Contract) -> None:
        storyline = outlines.key_lines(outlines.block(outline, self.desk.number)).get("Storyline", "")
        problems = contracts.problems(contract, self.desk.number, storyline)
        if problems:
            raise Problems(problems)

    def plan_texts(self) -> list[str]:
        """Return the words of contract and outline on the chapter itself: strings, and outline lines.

        The hint at the next chapter is left out.
        """
        texts = [*strings(contracts.without_context(self.contract.document))] if self.contract else []
        block = outlines.block(self.outline, self.desk.number) if self.outline else ""
        return [*texts, *(line for line in block.split("\n") if "**TransitionHint**" not in line)]

    def add(self, *inputs: Input | None) -> None:
        """Add inputs, leaving out None."""
        kept = [self._without_comments(i) for i in inputs if i is not None]
        self.inputs += [i._replace(path=self.book.project.place(i.path)) if i.path else i for i in kept]

    def _without_comments(self, one: Input) -> Input:
        """Return a chapter with the author's comments as its text alone: its file holds them too."""
        path = one.path or ""
        staged = path.startswith(layout.staged(layout.chapter(1).rpartition("/")[0])) and path.endswith(".md")
        held = self.book.read(path) if staged or is_landed_chapter(path) else None
        if not held or b"<!--" not in held:
            return one
        text = self.desk.get("chapter").value if staged else one.text
        if not isinstance(text, str) or (staged and "<!--" in text):  # an agent's own, which it is to mend
            return one
        return packet.excerpt_input(one.key, one.type, text)

    def need(self, key: str, kind: str, path: str, what: str) -> None:
        """Add a file of setting that the step cannot do without; an error is not told twice."""
        if any(p.path == path and p.severity == "error" for p in self.problems):
            return
        text = self.attempt(self.book.need_setting, path, what)
        if text is not None:
            self.add(packet.file_input(key, kind, path, text))

    def brief(self, path: str, part: Part) -> None:
        """Add the brief; for an agent that neither plans nor judges, as a text without its answers."""
        key = part.keys[0]
        if part.text is not None:
            self.need(key, part.text.type, path, part.text.what)
        for at, one in enumerate(self.inputs):
            told = briefs.without_answers(one.body()) if one.key == key != part.name else one.body()
            if told != one.body():
                self.inputs[at] = packet.excerpt_input(key, one.type, told)

    def file(self, key: str, kind: str, path: str) -> None:
        """Add an optional file."""
        text = self.attempt(self.book.text, path)
        if text is not None:
            self.add(packet.file_input(key, kind, path, text))

    def checked(self, key: str, path: str, schema: str) -> Any:
        """Add an optional JSON file that must be valid when it is there; return its document."""
        document = self.attempt(self.book.document, path, schema)
        if document is not None:
            self.file(key, "json", path)
        return document

    def guide(self, key: str, name: str) -> None:
        """Add a guide of the plugin's, which is put beside the packet."""
        path = f"{layout.GUIDES}/{name}.md"
        self.guides[path] = _guide(name)
        self.add(packet.file_input(key, "reference", path, decode(self.guides[path], path)))

    def guide_text(self, name: str) -> str:
        """Return the text of a guide of the plugin's."""
        return decode(_guide(name), name)

    def done(self, agent: str | None = None) -> Assembled:
        """Return the inputs, cut to the agent's limit, with a warning. Raises every collected error."""
        limit = self.attempt(settings.packet_chars, self.book, agent) if agent else None
        grave = [p for p in self.problems if p.severity == "error" and p not in self._lacking()]
        if grave:
            raise Problems(grave)
        if limit is None or agent is None:
            return self._assembled(tuple(self.inputs), None)
        fitted = caps.fit(self.inputs, limit, lambda: self._offers(agent))
        self.problems += _cut_problems(fitted, agent)
        return self._assembled(fitted.inputs, fitted.document())

    def _assembled(self, inputs: tuple[Input, ...], cap: Mapping[str, Any] | None) -> Assembled:
        lacking = self._lacking()
        warnings = tuple(str(p) for p in self.problems if p not in lacking)
        hints = {str(p): p.diagnostic().fix for p in self.problems if _is_for_author(p)}
        return Assembled(inputs, self.guides, warnings, cap, lacking, hints)

    def _lacking(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if self.ahead and is_awaited_work(p))

    def _offers(self, agent: str) -> Sequence[Offer]:
        from novel_hooks.rules.packet import cuts as packet_cuts

        contract = json.dumps(self.contract.document, ensure_ascii=False) if self.contract else ""
        block = outlines.block(self.outline, self.desk.number) if self.outline else ""
        plan = f"{contract}\n{block}"
        return packet_cuts.offers(agent, self.desk.number, self.inputs, plan, self._display_names())

    def _display_names(self) -> dict[str, str]:
        """Return slug → display name, of retired people too; cards that cannot be read are left out."""
        found: dict[str, str] = {}
        for cards in (self.book.retired, self.book.cast):
            try:
                found.update((person.slug, person.name) for person in cards())
            except Problem:
                continue
        return found


def _is_for_author(problem: Problem) -> bool:
    """Tell whether a warning has a next action that its author gets, and the agent does not."""
    told = (errors.PacketCut, errors.FixHeldBack, errors.PlanHeldBack, errors.PlanAgainstState)
    return isinstance(problem, told)


def _guide(name: str) -> bytes:
    return assets.load(assets.plugin_path(f"skills/novel-writing/references/{name}.md"))


def _cut_problems(fitted: Fitted, agent: str) -> list[Problem]:
    """Return one warning for all that was cut, another for what is still too much."""
    by_key: dict[str, list[Cut]] = {}
    for cut in fitted.cuts:
        by_key.setdefault(cut.key, []).append(cut)
    told = "，".join(_cut_text(cuts) for cuts in by_key.values())
    notes: list[Problem] = []
    if told:
        notes = [errors.PacketCut(limit=fitted.limit, what=told, agent=agent, more=fitted.limit * 3 // 2)]
    return [*notes, errors.PacketOver(limit=fitted.limit, over=fitted.over)] if fitted.over else notes


def _cut_text(cuts: Sequence[Cut]) -> str:
    """Describe the cut inputs of one key; a text that is cut line by line counts in 段."""
    key = cuts[0].key
    unit = "段" if key in (*caps.BY_LINE, *caps.FROM_START) else "份"
    pieces, of, chars = (sum(getattr(cut, name) for cut in cuts) for name in ("pieces", "of", "chars"))
    among = "" if pieces == of else f"{of} {unit}里"
    return f"「{packet.TITLES.get(key, key)}」{among}少给 {pieces} {unit}（{chars} 字）"
