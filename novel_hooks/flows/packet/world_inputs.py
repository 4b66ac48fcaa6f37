"""The world in a packet: its rules, each once, and the pages that name something of the chapter.

Source: seed 000 Step 2.2, protocol §7.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.flows.packet import cast_inputs, phase_inputs
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.packet import packet, world_pages
from novel_hooks.rules.state import entry_names, operations

if TYPE_CHECKING:
    from novel_hooks.flows.packet.gathering import Gathering
    from novel_hooks.flows.packet.phase_inputs import Part


def add_rules(g: Gathering, part: Part) -> None:
    """Add the soft rules, and the hard ones as their own list; for a writer only introduced ones."""
    (document,) = part.documents
    rules = g.attempt(g.book.document, document.path(g.desk.volume), document.schema)
    writer = part.name == "introduced_rules"
    given = world_rules.introduced(rules, g.desk.number) if writer else rules
    soft = world_rules.soft_rules(given)
    if soft is not None:
        g.add(packet.value_input("world_rules", soft))
    lines = world_rules.hard_rule_lines(given, g.desk.number)
    g.add(packet.value_input("hard_rules_list", lines, "list"))


def add_pages(g: Gathering, part: Part) -> None:
    """Add the sections of the world's pages that name the chapter's places, people or things."""
    if g.contract is None or g.outline is None:
        return
    names, problems = g.attempt(phase_inputs.page_paths, g.book) or ([], [])
    g.problems += problems
    pages = [text for text in (g.attempt(g.book.text, path) for path in names) if text is not None]
    key_lines = outlines.key_lines(outlines.block(g.outline, g.desk.number))
    phrases = world_pages.place_phrases(g.contract, key_lines)
    plan = "\n".join(g.plan_texts())
    cast = g.once(g.book.cast) or ()
    everybody = [name for person in cast for name in casts.names_of(person)[:-1]]
    for section in world_pages.choose(pages, _chapter_names(g, plan), phrases, plan, everybody):
        g.add(packet.excerpt_input(part.name, "world_doc", section))


def _chapter_names(g: Gathering, plan: str) -> Iterator[str]:
    """Yield the names of the chapter's people, of what they aim at, and of the state's things in the plan."""
    present = cast_inputs.chapter_people(g)
    for person in g.once(g.book.cast) or ():
        if person.slug in present:
            yield from casts.names_of(person)[:-1]
    for objective in contracts.objectives(g.contract) if g.contract else ():
        yield from map(str, filter(None, (objective.get("actor"), objective.get("target"))))
    state = g.attempt(g.book.state) or {}
    for section in operations.NAMED:
        for key, entry in (state.get(section) or {}).items():
            yield from (name for name in entry_names.names_in_text(key, entry) if name in plan)
