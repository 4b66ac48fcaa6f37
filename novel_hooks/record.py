"""`Record`: a `typing.NamedTuple` that costs almost nothing to define.

The everyday commands define some fifty records before they do anything. `typing`, and the code that
`NamedTuple` generates for each record, would take longer than the interpreter's start. A type checker sees
the real `NamedTuple`.
"""

from __future__ import annotations

__all__ = ("Record",)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from _collections import _tuplegetter

    class Record(tuple):
        """Fields by annotation, defaults by assignment, immutable, compared as a tuple."""

        __slots__ = ()
        _fields = ()
        _defaults = ()

        def __init_subclass__(cls):
            names = tuple(cls.__annotations__)
            defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
            cls._fields, cls._defaults = names, defaults
            for index, name in enumerate(names):
                setattr(cls, name, _tuplegetter(index, None))

        def __new__(cls, *values, **named):
            names = cls._fields
            if len(values) > len(names):
                raise TypeError(f"{cls.__name__} takes {len(names)} values, {len(values)} given")
            if len(values) != len(names):
                rest = names[len(values) :]
                defaults = cls._defaults
                try:
                    values += tuple([named.pop(n) if n in named else defaults[n] for n in rest])
                except KeyError as missing:
                    raise TypeError(f"{cls.__name__} needs {missing.args[0]}") from None
            if named:
                raise TypeError(f"{cls.__name__} does not take {', '.join(named)}")
            return tuple.__new__(cls, values)

        def _replace(self, **changes):
            made = tuple.__new__(type(self), [changes.pop(n, v) for n, v in zip(self._fields, self)])
            if changes:
                raise ValueError(f"{type(self).__name__} has no {', '.join(changes)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self))

        def __repr__(self):
            shown = ", ".join(f"{n}={v!r}" for n, v in zip(self._fields, self))
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)
