"""An edition as plain text or Markdown. Pure.

The preset `plain` loses nothing: `novel adopt` reads the same chapters back.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.rules.manuscript.paragraphs import BREAK, bound_lines, in_markdown, paragraphs
from novel_hooks.rules.publication import presets

if TYPE_CHECKING:
    from novel_hooks.rules.publication.edition import Edition, Leaf
    from novel_hooks.rules.publication.presets import Preset

MARKDOWN_BREAK = "* * *"


def text(edition: Edition, preset: Preset) -> str:
    """Return the whole edition as one text, its title on top."""
    blocks = [edition.title]
    for volume in edition.volumes:
        if edition.shows_volumes:
            blocks.append(presets.volume_heading(volume.number, volume.title, preset.number))
        blocks += [leaf_text(leaf, edition, preset).rstrip("\n") for leaf in volume.leaves]
    return "\n\n\n".join(blocks) + "\n"


def leaves(edition: Edition, preset: Preset) -> Iterator[str]:
    """Yield each leaf as a text of its own, a volume's heading above its first."""
    for volume in edition.volumes:
        above = f"{presets.volume_heading(volume.number, volume.title, preset.number)}\n\n\n"
        for at, leaf in enumerate(volume.leaves):
            yield (above if edition.shows_volumes and not at else "") + leaf_text(leaf, edition, preset)


def leaf_text(leaf: Leaf, edition: Edition, preset: Preset) -> str:
    """Return one leaf: heading, an empty line, the paragraphs."""
    scene = edition.scene_break or preset.scene
    between = "\n" * (preset.empty + 1)
    wide = f"{between}{scene}{between}" if scene else "\n\n\n"
    body = _body(leaf, edition, between, wide, preset)
    heading = presets.section_heading(leaf.section, preset.number)
    return "\n\n".join(filter(None, (heading, body))) + "\n"


def _body(leaf: Leaf, edition: Edition, between: str, wide: str, preset: Preset) -> str:
    """Return the paragraphs; lines that two blanks would not hold together are bound by a backslash."""
    made = _joined(leaf, between, wide, preset, "  ")
    found = leaf.section.paragraphs
    bound = preset.marked and any("\n" in one for one in found)
    if bound and paragraphs(made.split("\n"), edition.scene_break) != found:
        return _joined(leaf, between, wide, preset, "\\")
    return made


def _joined(leaf: Leaf, between: str, wide: str, preset: Preset, mark: str) -> str:
    made, gap = "", ""
    for paragraph in leaf.section.paragraphs:
        if paragraph == BREAK:
            gap = wide
        else:
            made += f"{gap}{_paragraph(paragraph, preset, mark)}"
            gap = between
    return made


def _paragraph(paragraph: str, preset: Preset, mark: str) -> str:
    """Return a paragraph; a platform gets the lines of one that has several, without their marks."""
    if preset.marked:
        return in_markdown(paragraph, mark)
    return "\n".join(f"{preset.indent}{line}" if line else "" for line in bound_lines(paragraph))


def markdown(edition: Edition) -> str:
    """Return the whole edition as Markdown: the book's title, volumes and chapters as headings."""
    blocks = [f"# {edition.title}"]
    level = "###" if edition.shows_volumes else "##"
    for volume in edition.volumes:
        if edition.shows_volumes:
            blocks.append(f"## {presets.volume_heading(volume.number, volume.title)}")
        blocks += [leaf_markdown(leaf, edition, level).rstrip("\n") for leaf in volume.leaves]
    return "\n\n".join(blocks) + "\n"


def markdown_leaves(edition: Edition) -> Iterator[str]:
    """Yield each leaf as Markdown of its own, a volume's heading above its first."""
    for volume in edition.volumes:
        above = f"# {presets.volume_heading(volume.number, volume.title)}\n\n"
        for at, leaf in enumerate(volume.leaves):
            yield (above if edition.shows_volumes and not at else "") + leaf_markdown(leaf, edition)


def leaf_markdown(leaf: Leaf, edition: Edition, level: str = "#") -> str:
    """Return one leaf as Markdown, its heading with `level`."""
    heading = presets.section_heading(leaf.section)
    body = _body(leaf, edition, "\n\n", f"\n\n{MARKDOWN_BREAK}\n\n", presets.PRESETS["plain"])
    return "\n\n".join(filter(None, (f"{level} {heading}" if heading else "", body))) + "\n"
