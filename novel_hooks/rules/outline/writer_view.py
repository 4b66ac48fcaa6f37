"""The part of a volume's outline that a chapter's writer gets beside its own block. Pure.

Source: protocol §7 (no text twice, nothing before its time).
"""

from __future__ import annotations

from novel_hooks.annotations import Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.headings import Heading
from novel_hooks.rules.outline.outline import Outline

_QUESTION = Pattern(r"(?:卷首|本卷)的?问题[*_]*\s*[:：].*?(?=[\s*_]*(?:卷[末尾]|答案|结局|谜底)|\Z)")


def surroundings(outline: Outline, chapter: int) -> str:
    """Return the volume's promise, and one line on the next chapter.

    The promise is the volume's title and its opening question (`卷首的问题：…`). The rest before the first
    chapter's heading, above all the volume's end, is for planners. The line is the next chapter's heading
    with its Conflict line. A part that the outline lacks is left out. The plans of earlier chapters are left
    out too, because the writer has their texts.
    """
    promise = "\n".join(_promise(outline.lines[: min(h.line for h in outline.headings) - 1]))
    following = next((h for h in outline.headings if h.chapter == chapter + 1), None)
    parts = [promise, _line(outline, following) if following else ""]
    return "".join(f"{part}\n\n" for part in parts if part.strip()).rstrip("\n") + "\n"


def _promise(head: Sequence[str]) -> Iterator[str]:
    yield from [line.rstrip() for line in head if line.startswith("# ")][:1]
    asked = (found for line in head if (found := _QUESTION.search(line)))
    yield from (found.group().replace("**", "").rstrip() for found in asked)


def _line(outline: Outline, heading: Heading) -> str:
    conflict = outlines.key_lines(outlines.block_under(outline, heading)).get("Conflict", "")
    return f"{outline.lines[heading.line - 1].rstrip()}　{conflict}".rstrip()
