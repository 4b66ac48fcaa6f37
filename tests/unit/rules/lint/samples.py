"""Chapters for the tests of the lint, and templates that write out every word of a pattern."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from novel_hooks.rules.lint import report as lint_report
from novel_hooks.rules.lint.report import Comparison
from novel_hooks.rules.lint.residue.residue import blocking_residue, find_residue
from novel_hooks.rules.lint.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = "# 第 7 章 夜渡\n\n"
PLAIN = "老何把缆绳绕了三圈，水声从船底漫上来。"


def report(body: str, **beside: Any) -> dict[str, Any]:
    return lint_report.report(HEAD + body, Comparison(**beside))


def residue(body: str, whitelist: tuple[str, ...] = ()) -> list[tuple[str, int, str]]:
    return [(r["name"], r["line"], r["quote"]) for r in blocking_residue(HEAD + body, whitelist)]


def advised(body: str, rule: int, name: str = "", **beside: Any) -> list[dict[str, Any]]:
    return [a for a in report(body, **beside)["advice"] if a["rule"] == rule and name in a["name"]]


def expand(template: str) -> Iterator[str]:
    """Yield the texts with each word of each group once: `⟨他|她⟩走⟨了|着⟩` → 他走了, 她走了, 他走着."""
    parts = re.split("⟨(.*?)⟩", template, flags=re.S)
    groups = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
    base = [group[0] for group in groups]
    yield "".join(base)
    for index, group in enumerate(groups):
        for word in group[1:]:
            yield "".join([*base[:index], word, *base[index + 1 :]])


def hits(
    text: str, before: str = f"{PLAIN}\n\n", after: str = "\n\n他走了。"
) -> list[tuple[str, bool, bool]]:
    """(name, blocks, sure) of every hit in the text, which is narration between two paragraphs."""
    sheet = Sheet(HEAD + before + text + after)
    start = len(HEAD + before)
    return [(hit.name, hit.blocks, hit.sure) for hit in find_residue(sheet) if hit.start >= start]


def matches(text: str, name: str) -> list[str]:
    """The pieces of the text that are hits of this name."""
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n{text}\n\n{PLAIN}")
    return [sheet.text[hit.start : hit.end] for hit in find_residue(sheet) if hit.name == name]


def unblocked(template: str, name: str, after: str = "\n\n他走了。") -> list[str]:
    """The texts of the template that are not residue of this name, or do not block."""
    return [text for text in expand(template) if (name, True, True) not in hits(text, after=after)]


def blocked(template: str) -> list[str]:
    """The texts of the template with any residue that blocks."""
    return [text for text in expand(template) if any(blocks for _, blocks, _ in hits(text))]


def unfound(template: str, name: str) -> list[str]:
    """The texts of the template without a hit of this name that would block in narration."""
    return [text for text in expand(template) if not any(hit == name and sure for hit, _, sure in hits(text))]
