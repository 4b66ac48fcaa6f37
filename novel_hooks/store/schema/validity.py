"""Valid documents, remembered by the hash of their content, so that each content is checked once.

Everyday commands read files that have not changed since the last command, so they never load jsonschema. An
invalid document is not remembered. `.novel/validity.json` is a cache: broken, missing or foreign it counts as
empty. Each flow that writes lands `changes()` too.
"""

from __future__ import annotations

import json

from novel_hooks import layout, sha2
from novel_hooks.errors import Problem
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema

CAPACITY = 400
"""The number of passes kept, the newest: enough for the files of a few volumes."""

_VERSION = 1


class Validity:
    """The remembered valid documents of one project, for one command."""

    __slots__ = ("_keys", "_learnt", "_project", "_stored", "_used")

    def __init__(self, project: Project) -> None:
        self._project = project
        self._stored: dict[str, None] | None = None
        self._used: dict[str, None] = {}
        self._learnt: dict[str, None] = {}
        self._keys: dict[tuple[str, bytes, bytes], str] = {}

    def knows(self, name: str, data: bytes, mark: bytes = b"") -> bool:
        """Tell whether these bytes are known to be valid by the present schema `name`.

        With `mark` they must be known under it.
        """
        return self._known(self._key(name, data, mark))

    def judge(self, name: str, data: bytes, value: object, path: str) -> list[Problem]:
        """Return the problems of `data`; [] at once when it is known to be valid.

        `value` is the parsed `data`, `path` the file for the message. Raises as `schema.problems`.
        """
        key = self._key(name, data)
        if self._known(key):
            return []
        problems = schema.problems(name, value, path)
        if not problems:
            self._learnt[key] = None
        return problems

    def learn(self, name: str, data: bytes, mark: bytes = b"") -> None:
        """Remember that `data` is valid; with a `mark`, that the caller's own check passed too."""
        self._learnt[self._key(name, data, mark)] = None

    def changes(self) -> bytes | None:
        """Return the new bytes of `layout.VALIDITY`; None when nothing new was remembered.

        The oldest entries are dropped first; one that this command used counts as new.
        """
        if not self._learnt:
            return None
        idle = [key for key in self._stored or {} if key not in self._used]
        kept = [*idle, *self._used, *self._learnt][-CAPACITY:]
        return jsonio.dump({"schema_version": _VERSION, "passed": kept})

    def _known(self, key: str) -> bool:
        if key in self._learnt:
            return True
        if self._stored is None:
            self._stored = dict.fromkeys(_read(self._project))
        if key in self._stored:
            self._used[key] = None
        return key in self._stored

    def _key(self, name: str, data: bytes, mark: bytes = b"") -> str:
        asked = name, data, mark
        if asked not in self._keys:  # a document is asked for by several checks, and hashed once
            self._keys[asked] = sha2.digest(schema.digest(name), mark, data)
        return self._keys[asked]


def _read(project: Project) -> list[str]:
    """Return the stored keys, oldest first; none when anything is wrong with the file."""
    try:
        document = json.loads(project.read(layout.VALIDITY) or b"null")
    except (Problem, ValueError, RecursionError):
        return []
    if not isinstance(document, dict) or document.get("schema_version") != _VERSION:
        return []
    passed = document.get("passed")
    return [key for key in passed if isinstance(key, str)] if isinstance(passed, list) else []
