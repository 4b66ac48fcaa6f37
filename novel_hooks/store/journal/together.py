"""Many files written by several threads, because a disk syncs several in the time of one."""

from __future__ import annotations

from novel_hooks.annotations import Callable, Sequence, T

MANY = 64
_AT_ONCE = 16


def are_many(pieces: Sequence[object]) -> bool:
    """Tell whether there are enough pieces for threads; a chapter's landing never has so many."""
    return len(pieces) > MANY


def run(work: Callable[[T], object], pieces: Sequence[T]) -> None:
    """Do the work on each piece, in order when they are few. Raises the first failure, when all are done."""
    if not are_many(pieces):
        for piece in pieces:
            work(piece)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running = [pool.submit(work, piece) for piece in pieces]
    for one in running:
        one.result()
