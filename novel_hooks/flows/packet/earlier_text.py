"""Landed chapters in a packet in their own words: the last ones, and the end of the storyline's last.

The cost is the same in a book of any length. Source: protocol §7.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.flows.packet import phase_inputs
from novel_hooks.rules.packet import packet
from novel_hooks.rules.text import excerpt, length

if TYPE_CHECKING:
    from novel_hooks.flows.packet.gathering import Gathering
    from novel_hooks.flows.packet.phase_inputs import Part

LAST, LINE = 5000, 1200
"""The 字 of a last chapter that are given (a high point of the usual length fits), and of the line's own."""


def add_previous_texts(g: Gathering, part: Part) -> None:
    """Add the last landed chapters in reading order: each file, or its end when it is long."""
    (key,) = part.keys
    for number in range(max(1, g.desk.number - part.texts), g.desk.number):
        text = _text(g, number)
        if text is not None and length.chars(text) <= LAST:
            g.add(packet.file_input(key, "chapter_content", layout.chapter(number), text))
        elif text is not None:
            g.add(packet.excerpt_input(key, "chapter_content", excerpt.ending(text, LAST)))


def add_line_text(g: Gathering, part: Part) -> None:
    """Add the end of the storyline's last chapter when it is not among the last landed ones."""
    if g.contract is None:
        return
    number = phase_inputs.line_chapter(g.book, g.contract.storyline_id, g.desk.number, g.phase)
    text = _text(g, number) if number is not None else None
    if text is not None:
        g.add(packet.excerpt_input(part.name, "chapter_content", excerpt.ending(text, LINE)))


def _text(g: Gathering, chapter: int) -> str | None:
    """Return the text of a landed chapter; a lost one stops a chapter of which nothing is written."""
    path = layout.chapter(chapter)
    text: str | None = g.attempt(g.book.text, path)
    if text is None and g.book.project.kind(path) == "absent":
        lost = lost_inputs.missing_text_refusal(g.book.project, [chapter])
        if g.phase != "draft" or not phase_inputs.begins(g.book, g.desk.number):
            lost.severity = "warning"
        g.problems.append(lost)
    return text
