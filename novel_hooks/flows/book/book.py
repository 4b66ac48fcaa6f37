"""One reading of a project: every file is read once, so that the checked bytes are the used bytes.

A `Book` lives for one command. Files of the author are judged by their schema as they are read. The hashes of
valid documents are remembered (`store.schema.validity`).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping
from novel_hooks.errors import Problem, Problems
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.fence import watched_files
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

if TYPE_CHECKING:
    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.rules.manuscript.adoption import Adoption
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.outline.schedule import Schedule
    from novel_hooks.store.schema.validity import Validity

_LAYOUT = 1
"""The `schema_version` of the files that only `novel` writes."""
_THREADS = ("foreshadowing", "foreshadowing-plan")


class Damage:
    """Turn the author's faults into damage within a `with` block, for a file that only `novel` writes.

    A file or link in the place of a folder remains that fault, because it must be repaired and not the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if not isinstance(fault, Problem):
            return
        if isinstance(fault, (errors.TextNotUtf8, errors.NotARegularFile)):
            raise errors.OwnFileDamaged(self.path, detail=str(fault)) from fault
        if isinstance(fault, errors.GitConflict):
            line, mark = fault.values["line"], fault.values["mark"]
            raise errors.OwnGitConflict(fault.path, line=line, mark=mark) from fault


class Book:
    """One reading of a project, remembered. Every method may raise the Problem that names place and fix."""

    replayed = False
    """Is the state worked out from the change log, and in no file?"""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._validity: Validity | None = None
        self._bytes: dict[str, bytes | None] = {}
        self._documents: dict[str, Any] = {}
        self._checkpoint: Checkpoint | None = None
        self._known: list[str] | None = None
        self._outlines: dict[int, Outline | None] = {}
        self.lost_files: list[str] | None = None
        """What `inventory.lost_setting` found, for it alone."""
        self.settings: Mapping[str, Any] | None = None
        self.checked_steps: dict[tuple[int, object], Any] = {}
        """By volume and planning step what `planning.desk` found staged, for it alone."""
        self.learnt: dict[str, bytes] = {}
        """What to remember for the next command: path below `.novel/` → bytes."""

    @property
    def validity(self) -> Validity:
        """Return the remembered valid documents; loaded when the first document is judged."""
        if self._validity is None:
            from novel_hooks.store.schema.validity import Validity

            self._validity = Validity(self.project)
        return self._validity

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes as they were at the first reading; None when absent."""
        if path not in self._bytes:
            self._bytes[path] = self.project.read(path)
        return self._bytes[path]

    def text(self, path: str) -> str | None:
        """Return the file's text: no BOM, LF line ends; None when absent."""
        data = self.read(path)
        return None if data is None else decode(data, path)

    def need_setting(self, path: str, what: str) -> str:
        """Return the text of a file of setting that a step cannot do without; `what` is its name.

        Raises FileMissing, FileBlank.
        """
        text = self.text(path)
        if text is None:
            raise errors.FileMissing(path, "setting", what=what)
        if not text.strip():
            raise errors.FileBlank(path, what=what)
        return text

    def plain_document(self, path: str, own: bool = False) -> dict[str, Any]:
        """Return the JSON object at `path`, judged by no schema; {} when it is absent or cannot be read."""
        try:
            found = jsonio.parse(self.read(path) or b"null", path, own)
        except Problem:
            return {}
        return found if isinstance(found, dict) else {}

    def own(self, path: str) -> Any:
        """Return the JSON of a file that only `novel` writes, None when absent.

        Its faults are damage (exit 5). Raises LayoutNewer for a file of a later version.
        """
        with Damage(path):
            data = self.read(path)
            found = None if data is None else jsonio.parse(data, path, own=True)
        layout_version = found.get("schema_version") if isinstance(found, dict) else None
        if type(layout_version) is int and layout_version > _LAYOUT:
            raise errors.LayoutNewer(path, found=layout_version, known=_LAYOUT)
        return found

    def decisions(self) -> list[dict[str, Any]]:
        """Return the author's answers to planners, and his notes. Raises OwnFileDamaged."""
        document = self.own(layout.DECISIONS)
        if document is None:
            return []
        from novel_hooks.rules.steps import questions

        found = questions.parse(document)
        if found is None:
            raise errors.OwnFileDamaged(layout.DECISIONS, case="unlike")
        return found

    def dropped_threads(self) -> dict[str, dict[str, Any]]:
        """Return id → `{at, by, chapter, reason}` of each thread that was given up. Raises OwnFileDamaged."""
        found = self.own(layout.DROPPED_THREADS)
        if found is None:
            return {}
        if not isinstance(found, dict) or not all(map(_is_drop, found.values())):
            raise errors.OwnFileDamaged(layout.DROPPED_THREADS, case="unlike")
        return found

    def document(self, path: str, schema: str, own: bool = False) -> Any:
        """Return the JSON document at `path`, None when absent. Raises Problems when it breaks its schema."""
        if path not in self._documents:
            self._documents[path] = self._judged(path, schema, own)
        return self._documents[path]

    def _judged(self, path: str, schema: str, own: bool) -> Any:
        value = self.own(path) if own else None
        data = self.read(path)
        if data is None:
            return None
        if not own and self.validity.knows(schema, data):
            return jsonio.parse_trusted(data)
        if not own:
            value = jsonio.parse(data, path)
            if schema in _THREADS:
                from novel_hooks.rules.foreshadowing.fast_check import fits_schema

                if fits_schema(value):
                    self.validity.learn(schema, data)
                    return value
        problems = self.validity.judge(schema, data, value, path)
        if problems and own:
            raise Problems([errors.OwnFileDamaged(path, detail=str(p)) for p in problems])
        if problems:
            raise Problems(problems)
        return value

    def known_files(self) -> list[str]:
        """Return the paths of setting and plans that were in the book once (`store.fence.watched_files`)."""
        if self._known is None:
            self._known = watched_files.read(self.project) or []
        return self._known

    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint. Raises NotAProject, ProjectLost, and the faults of the file.

        Fields are judged one by one; a contradiction of two fields is not looked for.
        """
        if self._checkpoint is not None:
            return self._checkpoint
        document = self.own(layout.CHECKPOINT)
        if self.read(layout.CHECKPOINT) is not None:
            self._checkpoint = checkpoints.parse(document)
            return self._checkpoint
        chapters = [n for n in self.project.names("chapters") if layout.chapter_number(n)]
        if chapters:
            raise errors.ProjectLost(layout.CHECKPOINT, count=len(chapters))
        raise errors.NotAProject(place=self.project.root)

    def adoption(self) -> Adoption:
        """Return the record of the adopted book; `adoption.NOTHING` for a book that was begun here."""
        from novel_hooks.rules.manuscript import adoption

        return adoption.parse(self.own(layout.ADOPTION))

    def outline(self, volume: int) -> Outline | None:
        """Return the volume's landed outline, None when absent."""
        if volume not in self._outlines:
            path = layout.outline(volume)
            text = self.text(path)
            self._outlines[volume] = None if text is None else outlines.parse(text, path)
        return self._outlines[volume]

    def volumes(self, folder: str = "volumes") -> list[int]:
        """Return the volumes that have a folder below `folder`, sorted."""
        names = [name[4:] for name in self.project.names(folder) if name.startswith("vol-")]
        return sorted({int(name) for name in names if name.isascii() and name.isdigit()})

    def outlines(self, newest: int) -> Iterator[tuple[int, Outline]]:
        """Yield (volume, landed outline) of each volume that has one, from `newest` back to the first."""
        for volume in range(newest, 0, -1):
            outline = self.outline(volume)
            if outline is not None:
                yield volume, outline

    def need_outline(self, volume: int) -> Outline:
        """Return the volume's landed outline. Raises FileMissing, and what is wrong with its bounds."""
        found = self.outline(volume)
        if found is None:
            raise errors.FileMissing(layout.outline(volume), "plan", what=f"第 {volume} 卷大纲")
        problems = outlines.bounds_problems(found)
        if problems:
            raise Problems(problems)
        return found

    def need_contract(self, volume: int, chapter: int) -> Contract:
        """Return the chapter's contract. Raises FileMissing, and what is wrong with it."""
        from novel_hooks.rules.outline import contract as contracts

        path = layout.contract(volume, chapter)
        document = self.document(path, "chapter-contract")
        if document is None:
            raise errors.FileMissing(path, "contract", what=f"第 {chapter} 章的契约")
        return contracts.parse(document, path)

    def schedule(self, volume: int) -> Schedule:
        """Return the volume's storyline schedule; an empty one when absent."""
        from novel_hooks.rules.outline import schedule as schedules

        return schedules.parse(self.document(layout.schedule(volume), "storyline-schedule"))

    def key_chapter(self, volume: int, chapter: int) -> bool:
        """Tell whether the chapter is the first or last of the volume, or in a convergence."""
        from novel_hooks.rules.outline import key_chapter

        outline = self.need_outline(volume)
        return key_chapter.is_key_chapter(chapter, outline.start, outline.end, self.schedule(volume))

    def files(self, folder: str, endings: tuple[str, ...]) -> tuple[list[str], list[Problem]]:
        """Return (names in a folder with these endings, by number; problems of names that are no text).

        Hidden files are left out, and stray copies (`rules.text.stray_names`).
        """
        from novel_hooks.rules.text import stray_names
        from novel_hooks.rules.text.name_order import in_order

        ending = (n for n in self.project.names(folder) if n.endswith(endings))
        names = [n for n in ending if not stray_names.is_hidden(n)]
        garbled = [n for n in names if any("\ud800" <= mark <= "\udfff" for mark in n)]
        shown = (n.encode("utf-8", "backslashreplace").decode() for n in garbled)
        problems: list[Problem] = [errors.FileNameNotUtf8(folder, name=name) for name in shown]
        return in_order({*names}.difference(garbled, stray_names.copies(names))), problems

    def cast(self) -> list[Character]:
        """Return the active characters, in slug order."""
        return self._cards(layout.CHARACTERS)

    def retired(self) -> list[Character]:
        """Return the characters who have left the book, in slug order."""
        return self._cards(layout.RETIRED)

    def state_names(self) -> dict[str, str]:
        """Return id → name of people and of the state's entries; a name that cannot be read is left out."""
        from novel_hooks.flows.book.collect import attempt
        from novel_hooks.rules.state import entry_names

        people = [one for cards in (self.retired, self.cast) for one in attempt(cards)[0] or []]
        state, _ = attempt(self.state)
        return entry_names.shown_names(state or {}, {one.slug: one.name for one in people})

    def _cards(self, folder: str) -> list[Character]:
        from novel_hooks.rules.cast import characters as casts

        names, problems = self.files(folder, (".json",))
        people: list[Character] = []
        for slug in (name[:-5] for name in names):
            path = f"{folder}/{slug}.json"
            try:
                people.append(casts.character(slug, self.document(path, "character")))
            except Problem as error:
                problems.extend(error.problems)
        if problems:
            raise Problems(problems)
        return people

    def state_path(self) -> str | None:
        """Return the path of the state for an agent; None when no file holds it."""
        return layout.STATE if self.project.has(layout.STATE) else None

    def memory(self, storyline: str) -> tuple[str | None, str]:
        """Return (the file that holds the storyline's memory or None, its text)."""
        path = layout.memory(storyline)
        text = self.text(path)
        return (path if text is not None else None), text or ""

    def memory_warning(self, storyline: str) -> Problem | None:
        """Return a warning about the memory that `memory` returns; None when there is none."""
        return None

    def state(self) -> Mapping[str, Any]:
        """Return the current state; absent = the skeleton at version 0."""
        found = self.document(layout.STATE, "current-state", own=True)
        if found is None:
            from novel_hooks.rules.state import delta as deltas

            found = deltas.empty_state()
        state: Mapping[str, Any] = found
        return state


def _is_drop(one: object) -> bool:
    return isinstance(one, dict) and isinstance(one.get("chapter"), int) and isinstance(one.get("at"), str)
