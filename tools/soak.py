"""`make soak`: a long book through the whole pipeline, with kills, hand edits, rollbacks, a rename.

In every tenth chapter a command is killed at a random point. In each volume some chapters are edited by hand
(one recorded anew, one accepted) and one rollback happens. Over the book one person is renamed, one retires,
and threads reach over three volumes. Some of these commands are killed too. After each chapter every
invariant is checked (`soak_invariants`). Chance follows from the seed. Nothing is synced to the disk. Exit 1
names the broken invariants; the book is then kept.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

from novel_hooks import layout
from tools import kill_points, soak_invariants
from tools.soak_author import Author, SoakFault

CHAPTERS, SEED, VOLUME, KILL_EVERY = 300, 20260405, 30, 10
RENAMED = ("乔九", "乔久安")
RETIRED = "bai-sui"
_EDGE = 20
"""So many chapters at the beginning and at the end are compared."""


class Soak:
    """One run. `kills` are (chapter, command, point), `seconds` a chapter's time, checks left out."""

    def __init__(self, root: str, seed: int, volume_size: int = VOLUME, kill_every: int = KILL_EVERY) -> None:
        self.author = Author(root, volume_size)
        self.luck = random.Random(seed)
        self.kill_every = kill_every
        self.kills: list[tuple[int, str, int]] = []
        self.seconds: dict[int, float] = {}
        self.checked: dict[int, float] = {}
        self.done: set[str] = set()

    def run(self, chapters: int, say: Callable[[str], None] = print) -> None:
        """Write the book to `chapters`. Raises SoakFault."""
        size, begun = self.author.volume_size, time.perf_counter()
        while self.author.last < chapters:
            last = self.author.last
            self._chapter(last + 1)
            self._check()
            self._between(last + 1)
            if self.author.last == last + 1 and (self.author.last % size == 0 or last + 1 == chapters):
                say(self._volume_line(self.author.last, time.perf_counter() - begun))
        say(self.summary())

    def _chapter(self, chapter: int) -> None:
        """Write one chapter, and plan its volume before when that is due; a kill in every tenth."""
        begun = time.perf_counter()
        victim = self.luck.randint(1, 8) if chapter % self.kill_every == 0 else None
        number = 0
        while self.author.last < chapter:
            argv = self.author.due()
            number += 1
            if number == victim:
                self._kill(argv)
            else:
                self.author.ok(*argv)
        if argv[0] == "lock":  # its landing was killed, and carried through by the lock that goes on
            self.author.ok("lock", "release")
        self.author.texts[chapter] = self.author.prose(chapter)
        self.seconds.setdefault(chapter, time.perf_counter() - begun)

    def _check(self) -> None:
        begun = time.perf_counter()
        soak_invariants.check(self.author)
        self.checked.setdefault(self.author.last, time.perf_counter() - begun)

    def _between(self, chapter: int) -> None:
        """What the author does behind this chapter, by its place in the volume; each once."""
        size = self.author.volume_size
        volume, place = self.author.volume(chapter), (chapter - 1) % size + 1
        for name, due, act in (
            ("record", max(2, size // 4), self._record_edit),
            ("accept", max(2, size // 3), self._accept_edit),
            ("rename", size // 2 if volume == 2 else 0, self._rename),
            ("retire", size // 2 if volume == 3 else 0, self._retire),
            ("back", max(3, size * 2 // 3), self._back),
            ("over", 1 if volume % 3 == 0 else 0, self._back),
        ):
            if place == due and f"{name}-{volume}" not in self.done:
                self.done.add(f"{name}-{volume}")
                act()
                self._check()

    def _record_edit(self) -> None:
        """A chapter gets another paragraph and is recorded anew."""
        chapter = self._edit("他又添了一盏灯。")
        self._special("sync", str(chapter), "--yes")
        while "sync" in self.author.json(layout.CHECKPOINT):
            self._special(*self.author.due())

    def _accept_edit(self) -> None:
        """A slip is put right and accepted as it is."""
        chapter = self._edit("灯。")
        self._special("sync", str(chapter), "--accept")
        self.author.unjudged.add(chapter)

    def _edit(self, more: str) -> int:
        author = self.author
        chapter = self.luck.randint(max(1, author.last - author.volume_size), author.last)
        author.texts[chapter] += f"\n{more}\n"
        author.write(layout.chapter(chapter), author.texts[chapter])
        return chapter

    def _rename(self) -> None:
        author, (old, new) = self.author, RENAMED
        self._special("rename", old, new, "--text", "--yes")
        author.names[old] = new
        author.unjudged.update(n for n, text in author.texts.items() if old in text)
        author.texts = {n: author.renamed(text) for n, text in author.texts.items()}

    def _retire(self) -> None:
        self._special("retire", RETIRED, "--yes")

    def _back(self) -> None:
        """One to four chapters are taken back, over a volume's edge too."""
        author = self.author
        to = max(1, author.last - self.luck.randint(1, 4))
        self._special("rollback", str(to), "--yes")
        author.texts = {n: text for n, text in author.texts.items() if n <= to}
        author.unjudged = {n for n in author.unjudged if n <= to}

    def _special(self, *argv: str) -> None:
        """Run a command that is killed half the time, and said again."""
        if self.luck.random() < 0.5:
            self._kill(argv, again=True)
        else:
            self.author.ok(*argv)

    def _kill(self, argv: tuple[str, ...], again: bool | None = None) -> None:
        """Kill the command at any of its points; say it again, or go on by `next`."""
        number = self.luck.randint(1, self._points(argv))
        outcome = kill_points.killed_at(number, lambda: self.author.ok(*argv))
        if outcome not in (kill_points.KILLED, kill_points.DONE):
            raise SoakFault(f"{' '.join(argv)}, to be killed at point {number}: {outcome}")
        self.kills.append((self.author.last, argv[0], number))
        wanted = again or (again is None and self.luck.random() < 0.5)
        if wanted or self._has_landed(argv):
            self.author.ok(*argv)

    def _has_landed(self, argv: tuple[str, ...]) -> bool:
        """Was it the commit of a chapter that is in the book? Only said again it gives its lock back."""
        return argv[:2] == ("commit", "--chapter") and self.author.last == int(argv[2])

    def _points(self, argv: tuple[str, ...]) -> int:
        """How many points the command has, from a copy of the book."""
        root = self.author.root
        copy = f"{root}-traced"
        shutil.copytree(root, copy, symlinks=True)
        try:
            self.author.root = copy
            return max(1, len(kill_points.trace(lambda: self.author.ok(*argv))))
        finally:
            self.author.root = root
            shutil.rmtree(copy)

    def _volume_line(self, last: int, spent: float) -> str:
        volume = self.author.volume(last)
        mine = [n for n in self.seconds if self.author.volume(n) == volume]
        chapter = statistics.median(self.seconds[n] for n in mine)
        check = statistics.median(self.checked[n] for n in mine)
        return (
            f"volume {volume:>2}: chapters {min(mine)}-{last}, {chapter:.2f} s a chapter, "
            f"{check:.2f} s its checks, {len(self.kills)} kills so far, {spent:.0f} s"
        )

    def summary(self) -> str:
        """Return one line: the seconds of a chapter at the beginning and at the end of the book."""
        numbers = sorted(self.seconds)
        first, last = numbers[:_EDGE], numbers[-_EDGE:]
        begin = statistics.median(self.seconds[n] for n in first)
        end = statistics.median(self.seconds[n] for n in last)
        return (
            f"{len(numbers)} chapters, {len(self.kills)} kills: "
            f"a chapter took {begin:.2f} s at the beginning, "
            f"{end:.2f} s at the end ({end / begin:.2f}×); every invariant held after each"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chapters", type=int, default=CHAPTERS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--volume", type=int, default=VOLUME, help="chapters a volume, four at least")
    args = parser.parse_args()
    kill_points.skip_syncs()
    base = tempfile.mkdtemp(prefix="novel-soak-")
    os.chdir(base)  # the notes of a trace lie here
    try:
        Soak(os.path.join(base, "book"), args.seed, args.volume).run(
            args.chapters, lambda line: print(line, flush=True)
        )
    except SoakFault as fault:
        print(f"{fault}\nseed {args.seed}; the book is kept: {base}", file=sys.stderr)
        return 1
    shutil.rmtree(base)
    return 0


if __name__ == "__main__":
    sys.exit(main())
