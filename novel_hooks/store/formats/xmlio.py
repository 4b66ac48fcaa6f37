"""XML of other programs, read as a stream of events: no entity is expanded, no other file is fetched."""

from __future__ import annotations

from novel_hooks.annotations import Callable, Mapping
from novel_hooks.store.formats.package import Unread


def parse(
    data: bytes,
    begin: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None],
    words: Callable[[str], None],
) -> None:
    """Call `begin` (name, attributes), `end` (name) and `words` (text) as the document goes.

    Names are without prefix and namespace. Raises Unread, also for a document that declares entities.
    """
    from xml.parsers import expat

    def refuse(*_: object) -> int:
        raise Unread("broken")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = lambda name, given: begin(
        _bare(name), {_bare(k): v for k, v in given.items()}
    )
    parser.EndElementHandler = lambda name: end(_bare(name))
    parser.CharacterDataHandler = words
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        raise Unread("broken") from None


def _bare(name: str) -> str:
    return name.rpartition(" ")[2]
