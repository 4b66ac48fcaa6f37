"""What landing a chapter and taking it back cost, in a short book and a long one. Part of `make bench`.

Whole processes, every sync to the disk included. Each round commits the next chapter of a copy of the book
and rolls it back, so that every round does the same to the same book; only the archives grow. What a landing
keeps of each chapter is counted in bytes.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.recall import passages
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from tools import bookparts as parts

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
OWNER = "bench"
AIM = 1.3
ROUNDS = 10
VOLUME = 60
"""Chapters a volume: neither 11 nor 2,001 is the first or last of one, so both need one judge."""
COMMANDS = ("commit", "rollback")
# A chapter rarely names more than one person whom nobody has registered.
UNKNOWN = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}


def command_seconds(folder: str, *argv: str) -> float:
    """Return the seconds of one command as a whole process. Raises CalledProcessError when it is refused."""
    begun = time.perf_counter()
    subprocess.run(
        [LAUNCHER, *argv],
        cwd=folder,
        env={**os.environ, "NOVEL_OWNER": OWNER},
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return time.perf_counter() - begun


def write_chapter(folder: str, chapter: int) -> None:
    """Take the next chapter from hand-out to judged, each step by its command.

    It is then due to be committed. It is no key chapter, so it has one judge. The hand-out arms the second
    fence, and the commit pays for that.
    """
    command_seconds(folder, "lock", "acquire")
    command_seconds(folder, "instructions", f"chapter:{chapter:03d}:draft", "--write-manifest")
    write_text(folder, layout.chapter(chapter), parts.prose(chapter, 2000))
    command_seconds(folder, "advance", f"chapter:{chapter:03d}:draft")
    stage_records(folder, chapter)
    for phase in ("summarize", "refine"):
        command_seconds(folder, "advance", f"chapter:{chapter:03d}:{phase}")
    words = os.path.join(os.path.dirname(folder), f"words-{chapter}.json")
    with open(words, "wb") as handle:
        handle.write(jsonio.dump(parts.verdict(4.2)))
    command_seconds(folder, "judge", "record", "--role", "primary", "--model", "sonnet", "--file", words)
    command_seconds(folder, "advance", f"chapter:{chapter:03d}:judge")


def stage_records(folder: str, chapter: int) -> None:
    line = parts.storyline_id(chapter)
    delta = {
        "chapter": chapter,
        "base_state_version": chapter - 1,
        "storyline_id": line,
        "ops": parts.ops(chapter),
        "unknown_entities": [UNKNOWN],
    }
    crossref = {"storyline_id": line, "cross_references": [], "leak_risk": "none", "leak_detail": ""}
    write_text(folder, layout.summary(chapter), parts.summary(chapter))
    write_text(folder, layout.delta(chapter), jsonio.dump(delta).decode())
    write_text(folder, layout.crossref(chapter), jsonio.dump(crossref).decode())
    write_text(folder, layout.memory(line), parts.memory(line, chapter))


def write_text(folder: str, path: str, text: str) -> None:
    place = os.path.join(folder, *layout.staged(path).split("/"))
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="\n") as handle:
        handle.write(text)


def stored_bytes(folder: str, chapter: int) -> int:
    """Return the bytes that stay under `.novel/` for a landed chapter: record, attempts, raw verdicts."""
    name, total = layout.chapter_id(chapter), 0
    for here, _, names in os.walk(os.path.join(folder, layout.OWN)):
        for one in names:
            place = os.path.join(here, one)
            if name in os.path.relpath(place, folder) and layout.ARCHIVE not in place:
                total += os.path.getsize(place)
    return total


def grow(folder: str, chapters: int) -> None:
    """Write the log of unknown entities and the index of passages as `chapters` commits leave them.

    The log has one line each. Without the index a landing would take in earlier chapters too.
    """
    told = {"ts": parts.TIME, **UNKNOWN}
    lines = [jsonio.dump_line({**told, "chapter": n, "mention": f"渔夫{n}"}) for n in range(1, chapters + 1)]
    with open(os.path.join(folder, *layout.UNKNOWN_ENTITIES.split("/")), "wb") as handle:
        handle.write(b"".join(lines))
    book = Book(Project(folder))
    rows = [passages.chapter_row(n, passages.text_of(book, n) or "") for n in range(1, chapters + 1)]
    with open(os.path.join(folder, *layout.PASSAGES.split("/")), "wb") as handle:
        handle.write(passages.dump(filter(None, rows)))


def medians(folders: Mapping[int, str], rounds: int) -> dict[tuple[str, int], float]:
    """Return (command, landed chapters) → median seconds. The books take turns, and end as they began."""
    taken: dict[tuple[str, int], list[float]] = {(c, n): [] for c in COMMANDS for n in folders}
    for _ in range(rounds):
        for chapters, folder in folders.items():
            write_chapter(folder, chapters + 1)
            taken["commit", chapters].append(
                command_seconds(folder, "commit", "--chapter", str(chapters + 1))
            )
            taken["rollback", chapters].append(command_seconds(folder, "rollback", str(chapters), "--yes"))
    return {row: statistics.median(values) for row, values in taken.items()}


def report(folders: Mapping[int, str], rounds: int = ROUNDS) -> str:
    """Return the table: milliseconds for each book, and how many times the short book's the long one's are.

    `folders` maps the number of landed chapters to a book's root. The books end as they began.
    """
    for chapters, folder in folders.items():
        grow(folder, chapters)
    sizes = {chapters: _stored_bytes_first(folder, chapters + 1) for chapters, folder in folders.items()}
    taken = medians(folders, rounds)
    lines = [f"landing one chapter and taking it back, syncs included; aim: commit within {AIM:g} times", ""]
    lines.append(" " * 17 + "".join(f"{f'chapter {n + 1}':>18}" for n in folders))
    for command in COMMANDS:
        values = [taken[command, n] for n in folders]
        cells = "".join(f"{value * 1000:>15.1f} ms" for value in values)
        lines.append(f"{command:<17}{cells}{values[-1] / values[0]:>7.2f}×")
    cells = "".join(f"{size:>12} bytes" for size in sizes.values())
    lines.append(f"{'kept for it':<17}{cells}")
    return "\n".join(lines)


def _stored_bytes_first(folder: str, chapter: int) -> int:
    """What stays for the chapter; counted first, for the words of judges outlive a rollback."""
    write_chapter(folder, chapter)
    command_seconds(folder, "commit", "--chapter", str(chapter))
    size = stored_bytes(folder, chapter)
    command_seconds(folder, "rollback", str(chapter - 1), "--yes")
    return size
