"""An edition: the exported chapters of a book, by volume. Pure."""

from __future__ import annotations

from novel_hooks.record import Record
from novel_hooks.rules.manuscript.chapter_text import Section


class Leaf(Record):
    """One entry of the contents: a section of a landed chapter, `chapter` its number in the book."""

    chapter: int
    section: Section


class Volume(Record):
    """A volume with its leaves; `title` is None where the book does not name it."""

    number: int
    title: str | None
    leaves: tuple[Leaf, ...]


class Edition(Record):
    """An exported book. `author` is the pen name, or None.

    `modified` is the time of the newest chapter, ISO-8601 UTC; `scene_break` the book's own line between
    scenes, "" for none.
    """

    title: str
    author: str | None
    volumes: tuple[Volume, ...]
    modified: str
    scene_break: str = ""

    @property
    def leaves(self) -> list[Leaf]:
        """Return the leaves of all volumes, in order."""
        return [leaf for volume in self.volumes for leaf in volume.leaves]

    @property
    def shows_volumes(self) -> bool:
        """Tell whether the volumes have headings of their own: there are several, or one has a name."""
        return len(self.volumes) > 1 or any(volume.title for volume in self.volumes)
