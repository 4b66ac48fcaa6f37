"""What has passed its schema once need not be checked again: verdicts remembered by content hash.

Everyday commands read files that did not change since the last one; with this they never load
jsonschema. Only passes are remembered. `.novel/validity.json` is a cache: when it is broken, missing
or foreign it is as good as empty. A flow that writes anything lands `changes()` with it.
"""

from __future__ import annotations

import json

from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.store.files.project import Project

CAPACITY = 400
"""Newest verdicts kept: a few volumes' worth of the files that a command reads."""

_VERSION = 1


class Validity:
    """The remembered verdicts of one project, for one command."""

    __slots__ = ("_learnt", "_project", "_stored", "_used")

    def __init__(self, project: Project) -> None:
        self._project = project
        self._stored: dict[str, None] | None = None
        self._used: dict[str, None] = {}
        self._learnt: dict[str, None] = {}

    def knows(self, name: str, data: bytes, mark: bytes = b"") -> bool:
        """Have these bytes passed schema `name` before, as the schema stands now?

        With a `mark`: has a caller told `learn` so of them?
        """
        return self._known(_key(name, data, mark))

    def judge(self, name: str, data: bytes, value: object, path: str) -> list[Problem]:
        """`schema.check`, unless the outcome is known. `value` is what `data` was parsed to."""
        key = _key(name, data)
        if self._known(key):
            return []
        problems = schema.problems(name, value, path)
        if not problems:
            self._learnt[key] = None
        return problems

    def learn(self, name: str, data: bytes, mark: bytes = b"") -> None:
        """Remember that `data` fits the schema; with a `mark`, what a caller found out of it besides."""
        self._learnt[_key(name, data, mark)] = None

    def changes(self) -> bytes | None:
        """What `layout.VALIDITY` should hold now; None when nothing new was learnt.

        The oldest entries go first; one that was of use to this command counts as new.
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


def _key(name: str, data: bytes, mark: bytes = b"") -> str:
    import hashlib

    found = hashlib.sha256(schema.digest(name) + mark)
    found.update(data)
    return found.hexdigest()


def _read(project: Project) -> list[str]:
    """The stored keys, oldest first. Whatever is wrong with the file, the answer is only slower."""
    try:
        document = json.loads(project.read(layout.VALIDITY) or b"null")
    except (Problem, ValueError, RecursionError):
        return []
    if not isinstance(document, dict) or document.get("schema_version") != _VERSION:
        return []
    passed = document.get("passed")
    return [key for key in passed if isinstance(key, str)] if isinstance(passed, list) else []
