"""A small book to test on: real files, valid unless a test breaks one, and every command on it.

The book is the one of `tools.bookmaker`: `chapters` landed, the next one planned and not begun. The
chapter in work is `last + 1`. What the agents hand in is written straight into staging.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CHECKOUT, MUTANTS

from novel_hooks import errors, layout
from novel_hooks.cli.call import call
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, recovery
from novel_hooks.store.schema import schema
from tools import bookmaker, bookparts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from novel_hooks.cli.answer import Answer
    from novel_hooks.errors import Problem

OWNER = "session-under-test"
OTHER = "another-session"
BIN = os.path.join(CHECKOUT, "bin", "novel")
RECORDS = ("summary", "delta", "crossref", "memory")
HIGH = {"status": "violation", "confidence": "high", "detail": "灯灭之后他回了头"}
Tree = dict[str, str]


SOUND: set[bytes] = set()
"""What fitted its schema once in this process. Schema and value are in the hash, so it fits again."""
_problems = schema.problems


def problems_once(name: str, value: object, path: str) -> list[Problem]:
    """`schema.problems`, which asks jsonschema about a value that fits only once.

    Thousands of tests begin with the same few documents. A value with problems is judged every time: they
    name their path.
    """
    try:
        # Version 2 knows no references: equal values give equal bytes, and 7 is neither 7.0 nor True.
        key = hashlib.sha256(schema.digest(name) + marshal.dumps(value, 2)).digest()
    except ValueError:  # too deep, or of a type that no JSON has
        return _problems(name, value, path)
    if key in SOUND:
        return []
    found = _problems(name, value, path)
    if not found:
        SOUND.add(key)
    return found


@pytest.fixture(autouse=True)
def fast_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the modules that import it: nothing is synced, and what once fitted its schema is not judged again.

    What syncs and schemas are for is tested with the store. A mutant may have changed how schemas judge.
    """
    monkeypatch.setattr(os, "fsync", lambda _handle: None)
    if not MUTANTS:
        monkeypatch.setattr(schema, "problems", problems_once)


class Book:
    """One project in a test's own folder. Paths are project-relative POSIX strings."""

    def __init__(self, root: Path, chapter: int) -> None:
        self.root = root
        self.chapter = chapter

    # files -----------------------------------------------------------------------------------

    def at(self, rel: str) -> Path:
        """Where the file lies, a chapter's with its title too."""
        return self.root / Project(str(self.root)).place(rel)

    def write(self, rel: str, content: bytes | str | Any) -> Path:
        """Bytes and text as they are, anything else as JSON; folders are made."""
        place = self.at(rel)
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.encode("utf-8")
        elif not isinstance(content, bytes):
            content = json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8")
        place.write_bytes(content)
        return place

    def json(self, rel: str) -> Any:
        return json.loads(self.at(rel).read_text(encoding="utf-8"))

    def lines(self, rel: str) -> list[Any]:
        """The documents of a `.jsonl` file."""
        return [json.loads(line) for line in self.at(rel).read_text(encoding="utf-8").splitlines()]

    def drop(self, rel: str) -> None:
        self.at(rel).unlink()

    def names(self, rel: str) -> list[str]:
        return sorted(os.listdir(self.at(rel))) if self.at(rel).is_dir() else []

    def point(self, **changes: Any) -> dict[str, Any]:
        """The checkpoint, with these keys changed; it is written only when there are any."""
        found: dict[str, Any] = self.json(layout.CHECKPOINT)
        if changes:
            found.update(changes)
            self.write(layout.CHECKPOINT, found)
        return found

    def stage(self, stage: str | None, revisions: int = 0, **changes: Any) -> None:
        """The chapter in flight at this stage."""
        state = "CHAPTER_REWRITE" if revisions else "WRITING"
        flying = None if stage in (None, "committed") else self.chapter
        fields = {"orchestrator_state": state, "pipeline_stage": stage, "inflight_chapter": flying}
        self.point(**{**fields, "revision_count": revisions, **changes})

    # commands --------------------------------------------------------------------------------

    def novel(self, *argv: str, owner: str = OWNER) -> Answer:
        """One command in this process, as `bin/novel` would do it."""
        name, *rest = argv
        return call(name, [*rest, "--project", str(self.root)], {"NOVEL_OWNER": owner, "NOVEL_DEBUG": "1"})

    def ok(self, *argv: str) -> Any:
        """The data of a command that must succeed."""
        found = self.novel(*argv)
        assert found.exit == 0, (argv, found.exit, found.diagnostics)
        return found.data

    def refused(self, exit: int, code: str, *argv: str, owner: str = OWNER) -> Any:
        """The first diagnostic of a command that must be refused so, with nothing changed."""
        before = self.tree()
        found = self.novel(*argv, owner=owner)
        assert (found.exit, found.diagnostics[0].code) == (exit, code), (argv, found)
        assert self.changed(before) == {}
        return found.diagnostics[0]

    def next(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ok("next")
        return found

    def step(self, phase: str) -> str:
        return f"chapter:{self.chapter:03d}:{phase}"

    def advance(self, phase: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ok("advance", self.step(phase))
        return found

    # what the agents hand in ------------------------------------------------------------------

    def staged(self, key: str) -> str:
        """Where an output of the chapter in work is staged."""
        line = bookparts.storyline_id(self.chapter)
        places = {
            "chapter": layout.chapter(self.chapter),
            "hints": layout.hints(self.chapter),
            "summary": layout.summary(self.chapter),
            "delta": layout.delta(self.chapter),
            "crossref": layout.crossref(self.chapter),
            "memory": layout.memory(line),
            "evaluation": layout.evaluation(self.chapter),
        }
        return layout.staged(places[key])

    def draft(self, text: str | None = None, version: int = 1) -> str:
        """The writer's chapter; another `version` is another text."""
        body = (
            text if text is not None else f"# 第 {self.chapter} 章 夜渡\n\n第{version}稿。{'水声' * 20}。\n"
        )
        self.write(self.staged("chapter"), body)
        return body

    def records(self, keys: Iterable[str] = RECORDS, **delta: Any) -> None:
        """The summarizer's four files; `delta` changes keys of the delta."""
        for key in keys:
            self.write(self.staged(key), self.record(key, **delta))

    def record(self, key: str, **delta: Any) -> Any:
        line = bookparts.storyline_id(self.chapter)
        if key == "summary":
            return bookparts.summary(self.chapter)
        if key == "memory":
            return bookparts.memory(line, self.chapter)
        if key == "crossref":
            return {"storyline_id": line, "cross_references": [], "leak_risk": "none", "leak_detail": ""}
        version = self.chapter - 1
        op = {"op": "set", "path": "characters.shen-du.location", "value": f"渡口{self.chapter}"}
        plain = {"chapter": self.chapter, "base_state_version": version, "storyline_id": line, "ops": [op]}
        return {**plain, **delta}

    def evaluation(
        self, overall: Any = 4.5, violation: str | None = None, second: Any = None, **metadata: Any
    ) -> dict[str, Any]:
        """The staged evaluation as our own `judge record` leaves it; `metadata` is put over its own."""
        first = make_verdict(overall, violation)
        judges: dict[str, Any] = {"primary": {"model": "sonnet", "overall": overall, "verdict": first}}
        used, role = first, "primary"
        if second is not None:
            other = make_verdict(second)
            judges["secondary"] = {"model": "opus", "overall": second, "verdict": other}
            if second <= overall:
                used, role = other, "secondary"
        judges.update(used=role, overall_final=used["overall"])
        own = {"judges": judges, "text_sha256": self.sha("chapter"), "warnings": [], **metadata}
        document = {**used, "chapter": self.chapter, "overall_final": used["overall"], "metadata": own}
        self.write(self.staged("evaluation"), document)
        return document

    def key_chapter(self) -> None:
        """Make the chapter in work one that needs two judges."""
        plan = self.json(layout.schedule(1))
        lines = list(bookparts.LINES)
        plan["convergence_events"] = [
            {"chapter_range": [self.chapter, self.chapter], "involved_storylines": lines}
        ]
        self.write(layout.schedule(1), plan)

    def attempts(self) -> dict[str, bytes]:
        """`folder/file` → bytes of everything that was taken away."""
        base = self.at(layout.attempts(self.chapter))
        found = sorted(base.rglob("*")) if base.is_dir() else []
        return {str(p.relative_to(base)): p.read_bytes() for p in found if p.is_file()}

    def sha(self, key: str) -> str:
        return hashlib.sha256(self.at(self.staged(key)).read_bytes()).hexdigest()

    def judge(self, overall: float, violation: str | None = None, role: str = "primary") -> Any:
        """A judge's words through `judge record`."""
        words = self.words(make_verdict(overall, violation))
        return self.ok("judge", "record", "--role", role, "--model", "sonnet", "--file", words)

    def words(self, said: Any) -> str:
        """A file outside the project that holds a judge's words; its path."""
        place = self.root.parent / f"{self.root.name}-words.txt"
        place.write_text(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False), "utf-8")
        return str(place)

    def until(self, stage: str, overall: float = 4.5) -> None:
        """Through the commands to the stage: drafting, drafted, refined or judged."""
        self.ok("lock", "acquire")
        self.draft()
        for phase, reached in (("draft", "drafting"), ("summarize", "drafted"), ("refine", "refined")):
            if phase == "summarize":
                self.records()
            self.advance(phase)
            if stage == reached:
                return
        self.judge(overall)
        self.advance("judge")

    # looking ----------------------------------------------------------------------------------

    def held(self) -> Any:
        """The session lock's info file, what is new in each run left out; None when nobody holds it."""
        if not self.at(layout.LOCK_DIR).exists():
            return None
        unlike = ("token", "started", "renewed", "pid", "pid_started")
        return {key: value for key, value in self.json(layout.LOCK_INFO).items() if key not in unlike}

    def tree(self) -> Tree:
        """Every file, link and folder with what it holds; the locks' own files left out."""
        found: Tree = {}
        root = str(self.root)
        for here, folders, files in os.walk(root):
            before = here[len(root) + 1 :].replace(os.sep, "/") + "/" if here != root else ""
            for name in (*folders, *files):
                place = os.path.join(here, name)
                rel = before + name
                if not rel.startswith((layout.LOCK_DIR, layout.OS_LOCK)) and rel != layout.OWN:
                    found[rel] = _mark(place)
        return found

    def changed(self, before: Tree) -> dict[str, tuple[str | None, str | None]]:
        """Path → (before, now) for everything that is not as it was."""
        now = self.tree()
        return {
            path: (before.get(path), now.get(path))
            for path in sorted({*before, *now})
            if before.get(path) != now.get(path)
        }


def _mark(place: str) -> str:
    mode = os.lstat(place).st_mode
    if stat.S_ISLNK(mode):
        return f"link {os.readlink(place)}"
    if stat.S_ISDIR(mode):
        return "folder"
    with open(place, "rb", buffering=0) as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def killed_landing(made: Book, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]) -> None:
    """Several files landed by a command that died right behind the commit point."""

    def die(*_: object) -> None:
        raise errors.JournalPending(layout.JOURNAL, label="试", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        changes = [journal.put(path, data) for path, data in files.items()]
        with pytest.raises(errors.JournalPending):
            journal.land(Project(str(made.root)), changes, label="试", guard=lambda: None)


def book(place: Path, chapters: int = 1, volume_size: int = 6, name: str = "book") -> Book:
    """A project at `place/name`. With the defaults chapter 2 comes next: no key chapter, in volume 1-6."""
    root = place / name
    if MUTANTS or root.exists():
        bookmaker.make_book(str(root), chapters, volume_size, chapter_chars=120)
        return Book(root, chapters + 1)
    if (chapters, volume_size) not in MADE:
        bookmaker.make_book(str(root), chapters, volume_size, chapter_chars=120)
        MADE[chapters, volume_size] = _content(str(root))
    else:
        _lay(str(root), *MADE[chapters, volume_size])
    return Book(root, chapters + 1)


MADE: dict[tuple[int, int], tuple[list[str], dict[str, bytes]]] = {}
"""(chapters, volume size) → the folders and the files of that book, made once in this process."""


def _content(root: str) -> tuple[list[str], dict[str, bytes]]:
    """Every folder below `root`, the outer before the inner, and every file's bytes."""
    folders: list[str] = []
    files: dict[str, bytes] = {}
    for here, inner, names in os.walk(root):
        folders += [os.path.join(here, name)[len(root) :] for name in inner]
        for name in names:
            place = os.path.join(here, name)
            files[place[len(root) :]] = Path(place).read_bytes()
    return folders, files


def _lay(root: str, folders: list[str], files: dict[str, bytes]) -> None:
    os.makedirs(root)
    for folder in folders:
        os.mkdir(root + folder)
    for rel, data in files.items():
        with open(root + rel, "wb", buffering=0) as handle:
            handle.write(data)


def make_verdict(overall: Any = 4.5, violation: str | None = None, **changes: Any) -> dict[str, Any]:
    """A judge's verdict; `violation` is the layer (l1, l2, l3, ls) where he is sure of one.

    All scores are `overall`; one that is no mean of scores (3.9999, 0.5) stands beside a list with a gap.
    """
    whole = isinstance(overall, (int, float)) and 1 <= overall <= 5 and round(overall, 2) == overall
    document = {**bookparts.verdict(overall if whole else 4.2), "overall": overall, **changes}
    if not whole:
        document["scores"] = {name: told for name, told in document["scores"].items() if name != "pacing"}
    checks = {
        name: list(found) for name, found in document["contract_verification"].items() if name[0] == "l"
    }
    if violation:
        checks[f"{violation}_checks"].append({"rule_id": "W-001", **HIGH})
    document["contract_verification"] = {**checks, "has_violations": bool(violation)}
    return document


def process(
    *argv: str, cwd: Path | str, env: dict[str, str] | None = None, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """`bin/novel` as a real process; output as the bytes it is."""
    full = {**os.environ, "NOVEL_OWNER": OWNER, **(env or {})}
    return subprocess.run(
        [BIN, *argv], cwd=cwd, env=full, input=stdin, capture_output=True, check=False, timeout=60
    )
