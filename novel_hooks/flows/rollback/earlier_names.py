"""The check for names that were replaced after an archive was made: a restore would bring them back."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Mapping
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.rollback import archive as archives
from novel_hooks.flows.rollback.archive import Archive, Renaming
from novel_hooks.rules.spelling import renaming

_NEVER_RENAMED = ("evaluations/", "logs/", f"{layout.OWN}/")


def refuse_mixed(book: Book, archive: Archive, held: Mapping[str, bytes | None]) -> None:
    """Refuse to restore an archive that holds a name replaced since. Raises RestoreRenamed.

    The refusal names the way that does not mix the names.
    """
    later = [one for one in archives.restorable(book.project)[0] if one.id > archive.id]
    for one in _in_force([each.renamed for each in later if each.renamed is not None]):
        if any(_holds(book, path, data, one) for path, data in held.items()):
            text, alias = " --text" if one.text else "", " --alias" if one.alias else ""
            told = {"back": f"{one.new} {one.old}{text}", "again": f"{one.old} {one.new}{text}{alias}"}
            about = {"name": archive.id, "number": archive.id.partition("-")[0]}
            path = layout.archive_manifest(archive.id)
            raise errors.RestoreRenamed(path, **about, old=one.old, new=one.new, **told)


def _in_force(done: list[Renaming]) -> list[Renaming]:
    """Return what the renamings come to, one after the other: those that were taken back are none."""
    found: dict[str, Renaming] = {}
    for one in done:
        first = next((each for each in found.values() if each.new == one.old), one)
        whole = Renaming(first.old, one.new, first.text or one.text, one.alias)
        found[first.old] = whole
        if whole.old == whole.new:
            del found[first.old]
    return list(found.values())


def _holds(book: Book, path: str, data: bytes | None, one: Renaming) -> bool:
    """Tell whether an archived file holds the old name where the renaming would have replaced it."""
    if data is None or one.old.encode("utf-8") not in data:
        return False
    if path.startswith("chapters/") and not one.text:
        return False
    follows = path.startswith(f"{layout.LANDED}/") or path in layout.OWN_WORDS
    if path.startswith(_NEVER_RENAMED) and not follows:
        return False
    known = unknown_names.registered_names(book) - {one.new}
    return renaming.rename(data.decode("utf-8", "replace"), one.old, one.new, known).times > 0
