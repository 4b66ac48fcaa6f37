"""An edition as plain text or Markdown. Pure.

The preset `plain` loses nothing: `novel adopt` reads the same chapters back.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.publication.edition import Edition, Leaf, Volume
    from novel_hooks.rules.publication.presets import Preset

from novel_hooks.rules.manuscript.paragraphs import BREAK
from novel_hooks.rules.publication import presets

MARKDOWN_BREAK = "* * *"


def text(edition: Edition, preset: Preset) -> str:
    """Return the whole edition as one text, its title on top."""
    blocks = [edition.title]
    for volume in edition.volumes:
        if edition.shows_volumes:
            blocks.append(presets.volume_heading(volume.number, volume.title, preset.number))
        blocks += [leaf_text(leaf, edition, preset).rstrip("\n") for leaf in volume.leaves]
    return "\n\n\n".join(blocks) + "\n"


def leaf_text(leaf: Leaf, edition: Edition, preset: Preset) -> str:
    """Return one leaf as a text of its own: heading, an empty line, the paragraphs."""
    scene = edition.scene_break or preset.scene
    between = "\n" * (preset.empty + 1)
    wide = f"{between}{scene}{between}" if scene else "\n\n\n"
    body = _joined(leaf, between, wide, preset.indent)
    heading = presets.section_heading(leaf.section, preset.number)
    return "\n\n".join(filter(None, (heading, body))) + "\n"


def _joined(leaf: Leaf, between: str, wide: str, indent: str) -> str:
    made, gap = "", ""
    for paragraph in leaf.section.paragraphs:
        if paragraph == BREAK:
            gap = wide
        else:
            made += f"{gap}{indent}{paragraph}"
            gap = between
    return made


def markdown(edition: Edition) -> str:
    """Return the whole edition as Markdown: the book's title, volumes and chapters as headings."""
    blocks = [f"# {edition.title}"]
    level = "###" if edition.shows_volumes else "##"
    for volume in edition.volumes:
        blocks += _volume_blocks(volume, edition.shows_volumes)
        blocks += [leaf_markdown(leaf, level).rstrip("\n") for leaf in volume.leaves]
    return "\n\n".join(blocks) + "\n"


def _volume_blocks(volume: Volume, shown: bool) -> Iterator[str]:
    if shown:
        yield f"## {presets.volume_heading(volume.number, volume.title)}"


def leaf_markdown(leaf: Leaf, level: str = "#") -> str:
    """Return one leaf as Markdown, its heading with `level`."""
    heading = presets.section_heading(leaf.section)
    body = _joined(leaf, "\n\n", f"\n\n{MARKDOWN_BREAK}\n\n", "")
    return "\n\n".join(filter(None, (f"{level} {heading}" if heading else "", body))) + "\n"
