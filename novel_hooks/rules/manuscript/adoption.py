"""The record of an adopted book: `.novel/adoption.json`. Pure."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record


class Adoption(Record):
    """The adopted book. `last` is its last chapter, `written` the number of that chapter in the source.

    `sources` are `{name, sha256, first, last}`; `volumes` are (number, first chapter), in order.
    """

    last: int
    written: int | None
    sources: Sequence[Mapping[str, Any]]
    volumes: Sequence[tuple[int, int]]

    def document(self) -> dict[str, Any]:
        """Return the adoption as it is stored; `parse` reads it back."""
        volumes = [list(one) for one in self.volumes]
        told = {"last": self.last, "written": self.written, "sources": list(self.sources), "volumes": volumes}
        return {"schema_version": 1, **told}

    def volume_of(self, chapter: int) -> int:
        """Return the volume of an adopted chapter."""
        return max(number for number, first in self.volumes if first <= chapter)


NOTHING = Adoption(0, None, (), ())


def parse(document: Any) -> Adoption:
    """Return the adopted book; `NOTHING` for None, a book that was begun here. Raises OwnFileDamaged."""
    if document is None:
        return NOTHING
    try:
        volumes = tuple((int(number), int(first)) for number, first in document["volumes"])
        sources = tuple({**one, "sha256": str(one["sha256"])} for one in document["sources"])
        return Adoption(int(document["last"]), document["written"], sources, volumes)
    except (KeyError, TypeError, ValueError):
        raise errors.OwnFileDamaged(layout.ADOPTION, "incomplete") from None
