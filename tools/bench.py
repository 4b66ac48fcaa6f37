"""`make bench`: how long the everyday commands take, as whole processes, beside a bare interpreter.

The floor is `python -I -S -c pass` of the interpreter that `bin/novel` uses. Every round runs everything
once, so that a slow moment of the machine touches all alike; the median of the rounds is printed. Nothing
is asserted about milliseconds; a command that fails, or loads what it should not, ends with exit 1.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence

from novel_hooks import layout
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.inventory import lost_chapters
from novel_hooks.flows.packet import preflight
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema.validity import Validity
from tools import (
    bench_commit,
    bench_doctor,
    bench_fence,
    bench_foreshadow,
    bench_guard,
    bench_instructions,
    bench_lint,
    bench_report,
    bench_sample,
)
from tools.bookmaker import make_book

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
BOOKS = (10, 2000)
COMMANDS = (("next",), ("status",), ("lock", "status"))
AIM = 5.5
KINDS = ("chapter", "setup", "volume")
HEAVY = ("jsonschema", "ruamel")

_WHICH = '. "$1/scripts/find-python.sh" && novel_ensure_python "$1" && printf %s "$novel_python"'
_LOADED = (
    "import os, sys; sys.path.insert(0, sys.argv.pop(1));"
    "from novel_hooks.cli.main import run; run(sys.argv[1:], os.environ);"
    "sys.stderr.write('\\n' + ' '.join(sys.modules))"
)


def make_bench_book(root: str, chapters: int, volume_size: int = 50) -> None:
    """Make a book, with the caches that the commands of its last chapters leave."""
    make_book(root, chapters, volume_size)
    remember(root, chapters)


def remember(root: str, chapters: int) -> None:
    """Write the caches that the commands which landed a book's `chapters` leave.

    They hold the hashes of valid documents, so a command that finds these documents unchanged loads no
    jsonschema.
    """
    project = Project(root)
    memory = Validity(project)
    documents = [(layout.evaluation(n), "chapter-eval") for n in range(max(1, chapters - 9), chapters + 1)]
    for path, schema in (
        *documents,
        (layout.STATE, "current-state"),
        (layout.FORESHADOWING, "foreshadowing"),
    ):
        data = project.read(path) or b""
        memory.judge(schema, data, jsonio.parse(data, path), path)
    os.makedirs(os.path.join(root, layout.OWN), exist_ok=True)
    _remember(root, memory)
    book = Book(project)
    settings.read(book)
    preflight.problems(due_step.view(book))
    lost_chapters.remember(book)
    _remember(root, book.validity)
    for path, data in book.learnt.items():
        with open(os.path.join(root, path), "wb") as handle:
            handle.write(data)


def _remember(root: str, memory: Validity) -> None:
    with open(os.path.join(root, layout.VALIDITY), "wb") as handle:
        handle.write(memory.changes() or b"")


def interpreter() -> str:
    """Return the path of the Python that `bin/novel` of this checkout runs on."""
    command = ["sh", "-c", _WHICH, "sh", CHECKOUT]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def seconds(command: Sequence[str], folder: str) -> float:
    """Return the seconds of one run of `command` in `folder`. Raises CalledProcessError when it fails."""
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def medians(runs: Mapping[str, tuple[Sequence[str], str]], rounds: int) -> dict[str, float]:
    """Return name → median seconds. `runs` maps a name to (command, folder)."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, (command, folder) in runs.items():
            spent = seconds(command, folder)
            if number:  # the first round only warms caches up
                taken[name].append(spent)
    return {name: statistics.median(values) for name, values in taken.items()}


def loaded(python: str, command: Sequence[str], folder: str) -> list[str]:
    """Return the modules of `HEAVY` that the command imports."""
    call = [python, "-I", "-S", "-X", "utf8", "-c", _LOADED, CHECKOUT, *command]
    run = subprocess.run(call, cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    modules = run.stderr.decode().rsplit("\n", 1)[-1].split()
    return [name for name in HEAVY if name in modules]


def _runs(python: str, folders: Mapping[int, str]) -> dict[str, tuple[Sequence[str], str]]:
    runs: dict[str, tuple[Sequence[str], str]] = {"floor": ([python, "-I", "-S", "-c", "pass"], CHECKOUT)}
    for chapters, folder in folders.items():
        for command in COMMANDS:
            runs[_row_name(command, chapters)] = ([LAUNCHER, *command], folder)
    return runs


def _row_name(command: Sequence[str], chapters: int) -> str:
    return f"{' '.join(command)} @{chapters}"


def report(taken: Mapping[str, float]) -> str:
    """Return the table: milliseconds and multiples of the floor, one column a book."""
    floor = taken["floor"]
    lines = [f"floor (python -I -S -c pass): {floor * 1000:.1f} ms; aim: within {AIM:g} times", ""]
    lines.append(f"{'novel …':<14}" + "".join(f"{f'{n} chapters':>22}" for n in BOOKS))
    for command in COMMANDS:
        values = [taken[_row_name(command, chapters)] for chapters in BOOKS]
        cells = "".join(f"{v * 1000:>12.1f} ms {v / floor:>5.1f}×" for v in values)
        lines.append(f"{' '.join(command):<14}{cells}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    python = interpreter()
    with tempfile.TemporaryDirectory(prefix="novel-bench-") as base:
        folders = {chapters: os.path.join(base, str(chapters)) for chapters in BOOKS}
        for chapters, folder in folders.items():
            make_bench_book(folder, chapters)
        print(report(medians(_runs(python, folders), rounds)) + "\n")
        print(bench_sample.report(medians(bench_sample.runs(python, base, seconds), rounds)) + "\n")
        print(bench_report.report(folders, seconds) + "\n")
        print(bench_report.books_report(base) + "\n")
        print(bench_doctor.report(folders) + "\n")  # before the fence, which spoils the checkpoint's seal
        print("\n" + bench_fence.report(medians(bench_fence.runs(python, folders), rounds), BOOKS))
        print("\n" + bench_guard.report(python, folders[BOOKS[0]], rounds) + "\n")
        steps = {n: {kind: os.path.join(base, f"{kind}-{n}") for kind in KINDS} for n in BOOKS}
        for chapters, books in steps.items():
            for place in books.values():
                make_bench_book(place, chapters, bench_commit.VOLUME)
        asked = medians(bench_instructions.runs(python, steps), rounds)
        print(bench_instructions.report(asked, BOOKS) + "\n")
        print(bench_lint.report(medians(bench_lint.runs(python, folders), rounds)) + "\n")
        many = os.path.join(base, "threads")
        bench_foreshadow.make_threads_book(many)
        print(bench_foreshadow.report(medians(bench_foreshadow.runs(python, many), rounds)) + "\n")
        landing = {chapters: os.path.join(base, f"landing-{chapters}") for chapters in BOOKS}
        for chapters, folder in landing.items():
            make_bench_book(folder, chapters, bench_commit.VOLUME)
        print(bench_commit.report(landing) + "\n")
        heavy = {" ".join(c): loaded(python, c, folders[BOOKS[0]]) for c in COMMANDS}
    for command, names in heavy.items():
        print(f"{command}: loads {', '.join(names) if names else f'none of {HEAVY}'}")
    return 1 if any(heavy.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
