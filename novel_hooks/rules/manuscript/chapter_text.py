"""The text of a chapter as its sections: headings, paragraphs, changes of scene. Pure.

A chapter's file holds one section as a rule; a prologue or a side story that came with it is one more, below
a `# 楔子` of its own.
"""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.record import Record
from novel_hooks.rules.manuscript.paragraphs import paragraphs
from novel_hooks.rules.text import chapter_heading


class Section(Record):
    """One section: `paragraphs` without indent, `BREAK` between two scenes, `number` the chapter's own.

    A prologue or side story has no number.
    """

    number: int | None
    title: str | None
    paragraphs: tuple[str, ...]


def parse(text: str, chapter: int, scene_break: str = "") -> list[Section]:
    """Return the sections of the text of this chapter; `scene_break` is the book's own line, "" for none."""
    heads: list[tuple[int | None, str | None]] = [(None, None)]
    bodies: list[list[str]] = [[]]
    for line in text.split("\n"):
        number, title = chapter_heading.heading(line) if _may_be_heading(line, bodies) else (None, None)
        if number is None and title is None:
            bodies[-1].append(line)
            continue
        heads.append((number, title))
        bodies.append([])
    parts = [(head, paragraphs(body, scene_break)) for head, body in zip(heads, bodies)]
    if parts[0][1] == () and len(parts) > 1:
        del parts[0]
    numbered = next((at for at, (head, _) in enumerate(parts) if head[0] is not None), 0)
    return [
        Section(
            chapter if at == numbered else None,
            head[1] or (None if at == numbered or head[0] is None else f"第 {head[0]} 章"),
            body,
        )
        for at, (head, body) in enumerate(parts)
    ]


def _may_be_heading(line: str, bodies: Sequence[Sequence[str]]) -> bool:
    """Tell whether the line may be read as a heading: with one `#` anywhere, without it as the first line."""
    if line.startswith(("# ", "＃")):
        return True
    return len(bodies) == 1 and not any(map(str.strip, bodies[0]))
