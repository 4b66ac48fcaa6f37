"""`Pattern`: a regular expression, compiled at its first use and not at the import of its module.

An everyday command imports many patterns and uses few of them.
"""

from __future__ import annotations

import re

from novel_hooks.annotations import Callable, Iterator


class Pattern:
    """The methods of `re.Pattern` that this package uses, on text."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self.compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self.compiled.search(text, start)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start)

    def findall(self, text: str) -> list[str]:
        return self.compiled.findall(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.compiled.sub(replacement, text)

    def split(self, text: str) -> list[str | None]:
        return self.compiled.split(text)
