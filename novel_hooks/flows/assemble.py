"""What each agent of the chapter crew is given. Source: seed 000 Steps 2.0-2.6, protocol §7.

Every problem of a step is collected and told at once.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.cap import Cut, Fitted, Offer
import json

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows import config, evaluation, gone, threads
from novel_hooks.flows.book import PLANNING, SETTING, Book
from novel_hooks.flows.outputs import Desk, Found
from novel_hooks.record import Record
from novel_hooks.rules import cap as caps
from novel_hooks.rules import cast as casts
from novel_hooks.rules import contract as contracts
from novel_hooks.rules import evaluation as evaluations
from novel_hooks.rules import outline as outlines
from novel_hooks.rules import packet
from novel_hooks.rules.contract import Contract, Schedule
from novel_hooks.rules.outline import Outline
from novel_hooks.rules.packet import Input
from novel_hooks.store import assets
from novel_hooks.store.text import decode

GUIDES = {
    "writing_methodology": "method",
    "style_guide": "style-guide",
    "quality_rubric": "quality-rubric",
}
RECENT = gone.RECENT


class Assembled(Record):
    """`guides` are the plugin's texts that go beside the packet: path → bytes. `cap` as in the packet.

    `lacking` are files that are not there yet; only who looks ahead gets any (`Gathering.ahead`).
    `hints` are what an author may do about a warning; they are for him, never for an agent.
    """

    inputs: tuple[Input, ...]
    guides: Mapping[str, bytes]
    warnings: tuple[str, ...]
    cap: Mapping[str, Any] | None = None
    lacking: tuple[Problem, ...] = ()
    hints: Mapping[str, str] = {}


def not_yet(problem: Problem) -> bool:
    """Does it stop a step because somebody else's work has not been done yet?"""
    return isinstance(
        problem, (errors.FileMissing, errors.OutputMissing, errors.BriefBlank, errors.CastEmpty)
    )


class Gathering:
    """Collects inputs and problems for one step of one chapter.

    `ahead`: someone only looks at what the step would get, so what is `not_yet` there stops nothing.
    """

    ahead = False

    def __init__(self, desk: Desk, new_draft: bool) -> None:
        self.desk = desk
        self.book: Book = desk.book
        self.inputs: list[Input] = []
        self.guides: dict[str, bytes] = {}
        self.problems: list[Problem] = []
        self.outline = self.attempt(self._outline, new_draft)
        self.contract = self.attempt(desk.contract)
        self.schedule: Schedule = (
            self.attempt(lambda: self.book.schedule(desk.volume)) or contracts.NO_SCHEDULE
        )
        if self.outline and self.contract:
            self.attempt(self._agree, self.outline, self.contract)

    def attempt(self, action: Callable[..., Any], *args: Any) -> Any:
        """The action's result; its problems are collected and None is returned."""
        try:
            return action(*args)
        except Problem as error:
            listed = error.problems
            self.problems += [p for p in listed if str(p) not in map(str, self.problems)]
        return None

    def _outline(self, new_draft: bool) -> Outline:
        found = self.book.need_outline(self.desk.volume)
        doubts = outlines.doubts(found, self.desk.number) if new_draft else []
        if doubts:
            raise Problems(doubts)
        outlines.block(found, self.desk.number)
        problems = outlines.key_problems(found, self.desk.number)
        if problems:
            raise Problems(problems)
        return found

    def _agree(self, outline: Outline, contract: Contract) -> None:
        storyline = outlines.keys(outlines.block(outline, self.desk.number)).get("Storyline", "")
        problems = contracts.problems(contract, self.desk.number, storyline)
        if problems:
            raise Problems(problems)

    def add(self, *inputs: Input | None) -> None:
        self.inputs += [i for i in inputs if i is not None]

    def need(self, key: str, kind: str, path: str, what: str, how: str) -> None:
        """A file that the step cannot do without; what is known to be wrong with it is told once."""
        if any(p.path == path and p.severity == "error" for p in self.problems):
            return
        text = self.attempt(self.book.need_text, path, what, how)
        if text is not None:
            self.add(packet.file(key, kind, path, text))

    def file(self, key: str, kind: str, path: str) -> None:
        """A file that may be absent."""
        text = self.attempt(self.book.text, path)
        if text is not None:
            self.add(packet.file(key, kind, path, text))

    def checked(self, key: str, path: str, schema: str) -> Any:
        """A JSON file that may be absent, but must be right when it is there."""
        document = self.attempt(self.book.document, path, schema)
        if document is not None:
            self.file(key, "json", path)
        return document

    def guide(self, key: str) -> None:
        name = GUIDES[key]
        data = assets.read(assets.plugin_path(f"skills/novel-writing/references/{name}.md"))
        path = f"{layout.GUIDES}/{name}.md"
        self.guides[path] = data
        self.add(packet.file(key, "reference", path, decode(data, path)))

    def done(self, agent: str | None = None) -> Assembled:
        """Raises every error that was met. What is too much for the agent is cut, and told."""
        limit = self.attempt(config.packet_chars, self.book, agent) if agent else None
        grave = [p for p in self.problems if p.severity == "error" and p not in self._lacking()]
        if grave:
            raise Problems(grave)
        if limit is None or agent is None:
            return self._assembled(tuple(self.inputs), None)
        fitted = caps.fit(self.inputs, limit, lambda: self._offers(agent))
        self.problems += _cut_notes(fitted, agent)
        return self._assembled(fitted.inputs, fitted.document())

    def _assembled(self, inputs: tuple[Input, ...], cap: Mapping[str, Any] | None) -> Assembled:
        lacking = self._lacking()
        warnings = tuple(str(p) for p in self.problems if p not in lacking)
        hints = {str(p): p.diagnostic().fix for p in self.problems if isinstance(p, errors.PacketCut)}
        return Assembled(inputs, self.guides, warnings, cap, lacking, hints)

    def _lacking(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if self.ahead and not_yet(p))

    def _offers(self, agent: str) -> Sequence[Offer]:
        from novel_hooks.rules import cap_offers

        contract = json.dumps(self.contract.document, ensure_ascii=False) if self.contract else ""
        block = outlines.block(self.outline, self.desk.number) if self.outline else ""
        plan = f"{contract}\n{block}"
        return cap_offers.offers(agent, self.desk.number, self.inputs, plan, self._called())

    def _called(self) -> dict[str, str]:
        """What the cards call people, those who left the book too; cards that cannot be read tell nothing."""
        found: dict[str, str] = {}
        for cards in (self.book.retired, self.book.cast):
            try:
                found.update((person.slug, person.name) for person in cards())
            except Problem:
                continue
        return found


def _cut_notes(fitted: Fitted, agent: str) -> list[Problem]:
    """One warning for all that was cut, another for what is still too much."""
    by_key: dict[str, list[Cut]] = {}
    for cut in fitted.cuts:
        by_key.setdefault(cut.key, []).append(cut)
    told = "，".join(_cut_note(cuts) for cuts in by_key.values())
    notes: list[Problem] = []
    if told:
        notes = [errors.PacketCut(limit=fitted.limit, what=told, agent=agent, more=fitted.limit * 3 // 2)]
    return [*notes, errors.PacketOver(limit=fitted.limit, over=fitted.over)] if fitted.over else notes


def _cut_note(cuts: Sequence[Cut]) -> str:
    """What is not given of all inputs of one key; a text that goes line by line counts in 段."""
    key = cuts[0].key
    unit = "段" if key in caps.BY_LINE else "份"
    pieces, of, chars = (sum(getattr(cut, name) for cut in cuts) for name in ("pieces", "of", "chars"))
    among = "" if pieces == of else f"{of} {unit}里"
    return f"「{packet.TITLES.get(key, key)}」{among}少给 {pieces} {unit}（{chars} 字）"


def for_phase(desk: Desk, phase: str, revisions: int, ahead: bool = False) -> Assembled:
    """The inputs of a chapter's phase; raises Problems with everything that stops it."""
    with_agent = _PHASES.get(phase)
    new_draft = phase == "draft" and revisions == 0
    gathering = Gathering(desk, new_draft)
    gathering.ahead = ahead
    if with_agent is not None:
        gathering.attempt(desk.book.sound_state)  # nothing is begun that could not land
        with_agent(gathering)
        storyline = gathering.contract.storyline_id if gathering.contract else None
        gathering.problems += gone.of_step(desk.book, phase, desk.number, storyline)
    return gathering.done(roles.CHAPTER_AGENTS.get(phase))


def _draft(g: Gathering) -> None:
    g.attempt(g.book.document, layout.STORYLINES, "storylines")
    g.need("project_brief", "world_doc", layout.BRIEF, "立意简报", SETTING)
    _style(g)
    blacklist = g.attempt(g.book.document, layout.BLACKLIST, "ai-blacklist")
    g.add(packet.value("ai_blacklist_top10", casts.blacklist_top(blacklist), "list"))
    g.need("current_volume_outline", "summary", layout.outline(g.desk.volume), "本卷大纲", PLANNING)
    _chapter_outline(g)
    _storyline(g)
    for number in range(g.desk.number - 1, max(0, g.desk.number - 1 - RECENT), -1):
        g.file("recent_3_summaries", "summary", layout.summary(number))
    _state(g)
    _tasks(g)
    _contract_and_rules(g)
    _characters(g, profiles=False)
    g.add(packet.value("chapter_length", _length(g)))
    g.guide("writing_methodology")


def _revise(g: Gathering) -> None:
    _draft(g)
    _chapter_content(g)
    document = _evaluation(g)
    violations = [
        v for one in evaluations.verdicts_of(document).values() for v in evaluations.high_violations(one)
    ]
    g.add(
        packet.value("required_fixes", evaluation.fixes(document), "list"),
        packet.value("high_confidence_violations", violations, "list"),
    )


def _summarize(g: Gathering) -> None:
    _chapter_content(g)
    _state(g)
    _tasks(g)
    state = g.attempt(g.book.state)
    if state is not None:
        g.add(packet.value("base_state_version", state["state_version"], "number"))
    people = g.attempt(g.book.cast) or []
    g.problems += casts.problems(people)
    g.add(packet.value("entity_id_map", casts.entity_ids(people)))
    if g.contract is not None:
        g.add(
            packet.value("storyline_id", g.contract.storyline_id, "text"),
            packet.value("storyline_ids", [*g.schedule.active, *g.schedule.dormant], "list"),
        )
        _memory(g, g.contract.storyline_id)
    _staged(g, "hints", "hints")


def _memory(g: Gathering, storyline: str) -> None:
    """The storyline's memory as the chapter found it: by its file, or as text when no file holds that."""
    path, text = g.attempt(g.book.memory, storyline) or (None, "")
    doubt = g.attempt(g.book.memory_doubt, storyline) if path is not None else None
    g.problems += [doubt] if doubt is not None else []
    if path is not None:
        g.add(packet.file("storyline_memory", "summary", path, text))
    elif text:
        g.add(packet.excerpt("storyline_memory", "summary", text))


def _refine(g: Gathering) -> None:
    _chapter_content(g)
    _style(g)
    g.checked("ai_blacklist", layout.BLACKLIST, "ai-blacklist")
    _lint(g)
    g.guide("style_guide")


def _polish(g: Gathering) -> None:
    _refine(g)
    document = _evaluation(g)
    g.add(packet.value("required_fixes", evaluation.fixes(document), "list"))


def _judge(g: Gathering) -> None:
    _chapter_content(g)
    _chapter_outline(g)
    _characters(g, profiles=True)
    if g.desk.number > 1:
        g.file("prev_summary", "summary", layout.summary(g.desk.number - 1))
    _style(g)
    g.checked("ai_blacklist", layout.BLACKLIST, "ai-blacklist")
    _lint(g)
    _contract_and_rules(g)
    g.checked("storyline_spec", layout.STORYLINE_SPEC, "storyline-spec")
    g.checked("storyline_schedule", layout.schedule(g.desk.volume), "storyline-schedule")
    _staged(g, "cross_references", "crossref")
    g.guide("quality_rubric")


_PHASES: dict[str, Callable[[Gathering], None]] = {
    "draft": _draft,
    "revise": _revise,
    "summarize": _summarize,
    "refine": _refine,
    "polish": _polish,
    "judge": _judge,
}


def _style(g: Gathering) -> None:
    g.attempt(g.book.document, layout.STYLE_PROFILE, "style-profile")
    g.need("style_profile", "json", layout.STYLE_PROFILE, "文风档案", SETTING)


def _evaluation(g: Gathering) -> Mapping[str, Any]:
    """The staged evaluation, {} when there is none."""
    found: Found | None = g.attempt(g.desk.get, "evaluation")
    return found.value if found is not None and found.ok else {}


def _staged(g: Gathering, key: str, output: str) -> None:
    """A file of the crew's, when it is there and right."""
    found: Found | None = g.attempt(g.desk.get, output)
    if found is not None and found.ok:
        g.file(key, "json", found.path)
    elif found is not None and g.book.project.has(found.path):
        detail = "；".join(str(problem).rstrip("。") for problem in found.problems)
        g.problems.append(errors.StagedLeftOut(found.path, detail=detail))


def _chapter_content(g: Gathering) -> None:
    found: Found | None = g.attempt(g.desk.get, "chapter")
    if found is not None and not found.ok:
        g.problems += found.problems
    elif found is not None:
        g.add(packet.file("chapter_content", "chapter_content", found.path, found.value))


def _lint(g: Gathering) -> None:
    """What was counted of the text, so that no agent has to guess a number."""
    from novel_hooks.flows import linting

    g.add(g.attempt(linting.packet_input, g.desk))


def _chapter_outline(g: Gathering) -> None:
    if g.outline is not None:
        g.add(packet.excerpt("chapter_outline", "summary", outlines.block(g.outline, g.desk.number)))


def _storyline(g: Gathering) -> None:
    """The storyline's own context and memories; never a dormant one's (Step 2.5)."""
    if g.contract is None:
        return
    document, own = g.contract.document, g.contract.storyline_id
    g.add(
        packet.value("storyline_id", own, "text"),
        packet.value("storyline_context", document.get("storyline_context") or {}),
        packet.value("concurrent_state", dict(g.contract.concurrent_state)),
        packet.value("transition_hint", document.get("transition_hint")),
    )
    _memory(g, own)
    for other in contracts.neighbours(g.contract, g.schedule):
        g.file("adjacent_storyline_memories", "summary", layout.memory(other))


def _state(g: Gathering) -> None:
    state = g.attempt(g.book.state)
    path = g.book.state_path()
    if state is not None and path is not None:
        g.file("current_state", "json", path)
    elif state is not None:
        g.add(packet.value("current_state", state))


def _tasks(g: Gathering) -> None:
    tasks = g.attempt(threads.tasks, g.book, g.desk.volume, g.desk.number)
    if tasks is None:
        g.attempt(threads.facts, g.book)  # a broken plan must not hide a broken index
    g.add(packet.value("foreshadowing_tasks", tasks or [], "list"))


def _contract_and_rules(g: Gathering) -> None:
    if g.contract is not None:
        text = json.dumps(g.contract.document, ensure_ascii=False)
        g.add(packet.file("chapter_contract", "json", g.contract.path, g.book.text(g.contract.path) or text))
    rules = g.checked("world_rules", layout.WORLD_RULES, "world-rules")
    g.add(packet.value("hard_rules_list", casts.hard_rule_lines(rules), "list"))


def _characters(g: Gathering, profiles: bool) -> None:
    """The contracts of those whom the chapter's contract names, else of the 15 seen last (Step 2.4)."""
    people = g.attempt(g.book.cast)
    if people is None or g.contract is None:
        return
    g.problems += casts.problems(people)
    recent = [] if g.contract.cast is not None else _recent_summaries(g)
    most = g.attempt(config.max_characters, g.book) or casts.CAP_WITHOUT_CONTRACT
    chosen, warnings = casts.pruned(people, g.contract.cast, g.contract.path, recent, most)
    g.problems += warnings
    if profiles:
        for person in chosen:
            g.file("character_profiles", "character_profile", layout.character_profile(person.slug))
    given = {person.slug: casts.told(person, g.desk.number) for person in chosen}
    g.add(packet.value("character_contracts", given))


def _recent_summaries(g: Gathering) -> list[tuple[int, str]]:
    first = max(1, g.desk.number - casts.RECENT_SUMMARIES)
    found = [(n, g.attempt(g.book.text, layout.summary(n))) for n in range(first, g.desk.number)]
    return [(number, text) for number, text in found if text is not None]


def _length(g: Gathering) -> dict[str, int]:
    least, most = g.attempt(config.chapter_chars, g.book) or config.DEFAULT_CHAPTER_CHARS
    return {"least": least, "most": most}
