"""The crew and the author of `make soak`: they ask `novel next` and do its step, chapter after chapter.

Their files follow from the chapter's number, so the same files are handed in again after a kill or a
rollback. Every command runs in this process, as `bin/novel` would run it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from novel_hooks import layout
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.call import call
from tools import bookmaker
from tools import bookparts as parts

OWNER = "soak"
CHARS = 600
_MARKS = {"planted": "埋", "advanced": "推", "resolved": "收"}
_JUDGES = {"sonnet": "primary", "opus": "secondary"}


class SoakFault(Exception):
    """An invariant of the book does not hold, or a command was refused that must succeed."""


class Author:
    """One book at `root`, its volumes of `volume_size` chapters (at least four).

    `texts` are the accepted texts by chapter. `names` are (old name, new name) of each rename: later texts
    have the new name. `unjudged` are chapters whose text changed after their verdict.
    """

    def __init__(self, root: str, volume_size: int) -> None:
        self.root = root
        self.volume_size = volume_size
        self.texts: dict[int, str] = {}
        self.names: dict[str, str] = {}
        self.unjudged: set[int] = set()
        bookmaker.make_book(root, 0, volume_size)

    def novel(self, *argv: str) -> Answer:
        """Run one command and return its answer; a refusal is an answer too."""
        name, *rest = argv
        return call(name, [*rest, "--project", self.root], {"NOVEL_OWNER": OWNER, "NOVEL_DEBUG": "1"})

    def ok(self, *argv: str) -> Any:
        """Run one command and return its data. Raises SoakFault when it is refused."""
        answer = self.novel(*argv)
        if answer.exit:
            raise SoakFault(f"{' '.join(argv)}: exit {answer.exit}: {[str(d) for d in answer.diagnostics]}")
        return answer.data

    def path(self, rel: str) -> str:
        return os.path.join(self.root, *rel.split("/"))

    def text(self, rel: str) -> str:
        with open(self.path(rel), encoding="utf-8", newline="") as handle:
            return handle.read()

    def json(self, rel: str) -> Any:
        return json.loads(self.text(rel))

    def write(self, rel: str, content: str) -> None:
        os.makedirs(os.path.dirname(self.path(rel)), exist_ok=True)
        with open(self.path(rel), "w", encoding="utf-8", newline="\n") as handle:
            handle.write(content)

    @property
    def last(self) -> int:
        """The last chapter that landed."""
        last: int = self.json(layout.CHECKPOINT)["last_completed_chapter"]
        return last

    def volume(self, chapter: int) -> int:
        return (chapter - 1) // self.volume_size + 1

    def renamed(self, text: str) -> str:
        """Return the text with the names that hold now."""
        for old, new in self.names.items():
            text = text.replace(old, new)
        return text

    def due(self) -> tuple[str, ...]:
        """Hand in the files that the next command needs; return that command."""
        answer = self.novel("next")
        if answer.exit:
            raise SoakFault(f"next: {[str(d) for d in answer.diagnostics]}")
        if "JOURNAL_WAITS" in [note.code for note in answer.diagnostics]:
            return ("lock", "acquire")
        due = answer.data
        if due["step"] is None or due["stop"]:
            raise SoakFault(f"next stops: {due}")
        if due["step"].startswith("volume:"):
            return self._planning(due)
        return self._chapter_step(due)

    def _planning(self, due: dict[str, Any]) -> tuple[str, ...]:
        volume, phase = int(due["volume"]), due["phase"]
        if phase == "commit":
            return ("commit", "--volume", str(volume))
        if phase == "outline":
            self._stage_plan(volume)
        return ("advance", due["step"])

    def _stage_plan(self, volume: int) -> None:
        first = (volume - 1) * self.volume_size + 1
        chapters = range(first, first + self.volume_size)
        staging = self.path(layout.STAGING)
        bookmaker._write_plan(staging, volume, chapters)
        outline, planned = layout.staged(layout.outline(volume)), []
        for chapter in chapters:
            acts = self._acts(chapter)
            marks = "；".join(f"{_MARKS[action]} {thread}" for thread, action in acts) or "无"
            line = f"- **Foreshadowing**: {parts.clue(chapter)}\n"
            self.write(outline, self.text(outline).replace(line, f"- **Foreshadowing**: {marks}\n", 1))
            path = layout.staged(layout.contract(volume, chapter))
            contract = self.json(path)
            updates = [{"id": thread, "action": action} for thread, action in acts]
            contract["postconditions"]["foreshadowing_updates"] = updates
            self.write(path, json.dumps(contract, ensure_ascii=False))
            planned += [self._thread(chapter, thread) for thread, action in acts if action == "planted"]
        plan = {"volume": volume, "foreshadowing": planned}
        path = layout.staged(layout.foreshadowing_plan(volume))
        self.write(path, json.dumps(plan, ensure_ascii=False))
        for rel in files_under(staging):
            if rel.startswith("volumes/"):
                self.write(layout.staged(rel), self.renamed(self.text(layout.staged(rel))))

    def _acts(self, chapter: int) -> list[tuple[str, str]]:
        return [(op["path"], op["value"]) for op in self.ops(chapter) if op["op"] == "foreshadow"]

    def _thread(self, chapter: int, thread: str) -> dict[str, Any]:
        """Return the plan's entry of a thread that the chapter plants."""
        short = thread.startswith("clue")
        end = chapter + 19 if short else chapter + 2 * self.volume_size
        return {
            "id": thread,
            "description": "灯的数目" if short else "塔里的钟",
            "scope": "medium" if short else "long",
            "status": "planted",
            "planted_chapter": chapter,
            "planted_storyline": parts.storyline_id(chapter),
            "target_resolve_range": [end, end + 1],
        }

    def _chapter_step(self, due: dict[str, Any]) -> tuple[str, ...]:
        chapter, phase, sync = int(due["chapter"]), due["phase"], due["step"].startswith("sync:")
        if not sync and self.json(layout.CHECKPOINT)["inflight_chapter"] != chapter:
            return ("lock", "acquire")
        if phase == "commit":
            return ("commit", "--chapter", str(chapter))
        if not due["recorded"]:
            self.ok("instructions", due["step"], "--write-manifest")
            if phase == "judge":
                return self._judge(due["model"])
        if phase == "draft":
            self.write(layout.staged(layout.chapter(chapter)), self.prose(chapter))
        if phase == "summarize":
            self._stage_records(chapter)
        return ("advance", due["step"])

    def _judge(self, model: str) -> tuple[str, ...]:
        words = f"{self.root}-words.json"
        with open(words, "w", encoding="utf-8") as handle:
            json.dump(parts.verdict(4.2), handle, ensure_ascii=False)
        return ("judge", "record", "--role", _JUDGES[model], "--model", model, "--file", words)

    def prose(self, chapter: int) -> str:
        """Return the chapter's text as it is drafted."""
        return self.renamed(parts.prose(chapter, CHARS))

    def _stage_records(self, chapter: int) -> None:
        line = parts.storyline_id(chapter)
        delta = {
            "chapter": chapter,
            "base_state_version": chapter - 1,
            "storyline_id": line,
            "ops": self.ops(chapter),
            "unknown_entities": [],
        }
        crossref = {"storyline_id": line, "cross_references": [], "leak_risk": "none", "leak_detail": ""}
        for path, content in (
            (layout.summary(chapter), parts.summary(chapter)),
            (layout.delta(chapter), json.dumps(delta, ensure_ascii=False)),
            (layout.crossref(chapter), json.dumps(crossref)),
            (layout.memory(line), parts.memory(line, chapter)),
        ):
            self.write(layout.staged(path), self.renamed(content))

    def ops(self, chapter: int) -> list[dict[str, Any]]:
        """Return the delta: what `bookparts` has, and threads over three volumes.

        The second chapter of a volume plants one, resolves the one of two volumes ago, and the third
        advances the one of the volume before.
        """
        volume, place = self.volume(chapter), (chapter - 1) % self.volume_size
        acts = {1: [(volume, "planted"), (volume - 2, "resolved")], 2: [(volume - 1, "advanced")]}
        return [*parts.ops(chapter)] + [
            {"op": "foreshadow", "path": f"long-{begun:02d}", "value": action, "detail": "塔里的钟"}
            for begun, action in acts.get(place, [])
            if begun >= 1
        ]

    def threads(self, last: int) -> dict[str, str]:
        """Return thread → status, as the deltas of the chapters 1 to `last` leave them."""
        found = {}
        for chapter in range(1, last + 1):
            for op in self.ops(chapter):
                if op["op"] == "foreshadow":
                    found[op["path"]] = op["value"]
        return found


def files_under(root: str) -> Iterator[str]:
    """Yield every file below the folder, as a POSIX path relative to it."""
    for here, _, names in os.walk(root):
        for name in names:
            yield os.path.relpath(os.path.join(here, name), root).replace(os.sep, "/")
