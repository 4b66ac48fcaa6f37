"""What the hooks cost, as whole processes with the event on stdin. Part of `make bench`.

Two floors: `sh -c :` for those whom the guard does not concern, `python -I -S -c pass` for a call of one of
our agents, in a book whose lock the session holds, as in a run, and for a session that begins in it. The
client starts a hook through a shell of its own; that row is printed too.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Sequence

from novel_hooks import layout
from novel_hooks.record import Record

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GUARD = os.path.join(CHECKOUT, "hooks", "guard")
NOTICE = os.path.join(CHECKOUT, "hooks", "notice")
ELSEWHERE = os.path.sep
SESSION = "bench-session"
MAIN_AIM = 3.0
AGENT_AIM = 2.6
# A chapter of about three thousand characters, as a writer hands it in.
CONTENT = "渡口的灯灭了又亮，他没有回头。\n" * 200


class Row(Record):
    """`floor` names the row that this one is compared with; `cwd` is where the process runs."""

    name: str
    command: Sequence[str]
    event: bytes
    floor: str
    cwd: str = CHECKOUT


def rows(python: str, book: str) -> list[Row]:
    """Return the rows to measure, in order; `book` is a project's root."""
    main, ours = _event(book, None), _event(book, "novel:chapter-writer")
    return [
        Row("sh -c :", ("sh", "-c", ":"), main, "sh -c :"),
        Row("main session", (GUARD,), main, "sh -c :"),
        Row("main session, client's shell", ("sh", "-c", f'"{GUARD}"'), main, "sh -c :"),
        Row("another agent", (GUARD,), _event(book, "general-purpose"), "sh -c :"),
        Row(
            "session begins elsewhere",
            (NOTICE, "session-start"),
            _start_event(ELSEWHERE),
            "sh -c :",
            ELSEWHERE,
        ),
        Row("another agent is done", (NOTICE, "agent-done"), _event(book, "Explore"), "sh -c :", book),
        Row("python -I -S -c pass", (python, "-I", "-S", "-c", "pass"), ours, "python -I -S -c pass"),
        Row("our agent's legal write", (GUARD,), ours, "python -I -S -c pass"),
        Row(
            "session begins in a novel",
            (NOTICE, "session-start"),
            _start_event(book),
            "python -I -S -c pass",
            book,
        ),
    ]


def report(python: str, book: str, rounds: int) -> str:
    """Return the table: medians in milliseconds and multiples of the floors."""
    _take_lock(book)
    measured = rows(python, book)
    taken = _medians(measured, rounds)
    lines = [
        f"the hooks; aims: main session {MAIN_AIM:g} times `sh -c :`, our agent {AGENT_AIM:g} times python",
        "",
    ]
    for row in measured:
        value = taken[row.name]
        lines.append(f"{row.name:<30}{value * 1000:>8.1f} ms {value / taken[row.floor]:>5.1f}×")
    return "\n".join(lines)


def _medians(measured: Sequence[Row], rounds: int) -> dict[str, float]:
    """Every round runs every row once, so that a slow moment touches all alike; the first only warms up."""
    taken: dict[str, list[float]] = {row.name: [] for row in measured}
    for number in range(rounds + 1):
        for row in measured:
            spent = _seconds(row)
            if number:
                taken[row.name].append(spent)
    return {name: statistics.median(values) for name, values in taken.items()}


def _seconds(row: Row) -> float:
    begun = time.perf_counter()
    subprocess.run(row.command, input=row.event, check=True, stdout=subprocess.DEVNULL, cwd=row.cwd)
    return time.perf_counter() - begun


def _event(book: str, agent: str | None) -> bytes:
    event = {
        "session_id": SESSION,
        "transcript_path": f"{book}/transcript.jsonl",
        "cwd": book,
        "permission_mode": "default",
        **({"agent_id": "a1", "agent_type": agent} if agent else {}),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": f"{book}/{layout.staged(layout.chapter(11))}", "content": CONTENT},
        "tool_use_id": "toolu_1",
    }
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _start_event(folder: str) -> bytes:
    event = {"session_id": SESSION, "cwd": folder, "hook_event_name": "SessionStart", "source": "startup"}
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _take_lock(book: str) -> None:
    os.makedirs(os.path.join(book, layout.LOCK_DIR), exist_ok=True)
    with open(os.path.join(book, *layout.LOCK_INFO.split("/")), "w", encoding="utf-8") as handle:
        json.dump({"owner": SESSION, "chapter": 11}, handle)
