"""The names that annotations use, at no cost: neither `typing` nor `collections.abc` is loaded.

`typing` takes as long as much of a command's start. `_collections_abc` is part of every interpreter's start;
`collections.abc` is the same behind a package that is not. A type checker sees the real ones, and takes
`TYPE_CHECKING` for true: below it stands what only annotations need. A module with `{}` for a default takes
`Mapping` from `collections.abc` there, for ruff trusts no other.
"""

from __future__ import annotations

__all__ = ["TYPE_CHECKING", "Any", "BinaryIO", "NoReturn", "T"]
__all__ += ["Callable", "Collection", "Iterable", "Iterator", "Mapping", "Sequence"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, BinaryIO, NoReturn, TypeVar

    T = TypeVar("T")
else:
    from _collections_abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    Any = BinaryIO = NoReturn = T = object
