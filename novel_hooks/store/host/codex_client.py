"""Codex on this computer, asked by its own commands: version, trust of a book's hooks, its sandbox.

Nothing of the author's settings is read or written. Source: the real client.
"""

from __future__ import annotations

import json
import subprocess

from novel_hooks.annotations import Any, Sequence
from novel_hooks.record import Record

_SECONDS = 20
# Staging takes a file and the book's own folder none: 0 as it should be, 1 not.
_PROBE = (
    ": >staging/.novel-probe && rm staging/.novel-probe || exit 1;"
    " (: >.novel-probe) 2>&- || exit 0; rm .novel-probe; exit 1"
)


class Report(Record):
    """A report of Codex on a book: the trust in each of its hooks, and the settings that it cannot read."""

    hooks: Sequence[str]
    """`trusted`, `untrusted`, `modified`; none where it does not trust the folder."""
    faults: Sequence[str]
    """A line each, in its own words: the file, and what is wrong with it."""


def version(codex: str) -> tuple[int, ...] | None:
    """Return the version of the program `codex`, such as (0, 171, 0); None when it prints none."""
    said = _run([codex, "--version"], ".")
    words = said[1].split() if said else []
    parts = words[-1].split("-")[0].split(".") if words else []
    return tuple(int(part) for part in parts) if parts and all(map(_is_number, parts)) else None


def trust(codex: str, root: str) -> Report | None:
    """Return Codex's report on the book in `root`; None when it gave no answer."""
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "novel", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [root]}},
    ]
    try:
        with subprocess.Popen(
            [codex, "app-server"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as server:
            return _ask(server, asked)
    except OSError:
        return None


def _ask(server: subprocess.Popen[bytes], asked: Sequence[Any]) -> Report | None:
    """Ask, read to the answer, and end the server: it would wait for more."""
    from threading import Timer

    assert server.stdin is not None and server.stdout is not None
    watch = Timer(_SECONDS, server.kill)
    watch.start()
    try:
        for one in asked:
            server.stdin.write(json.dumps(one).encode("ascii") + b"\n")
        server.stdin.flush()
        faults: list[str] = []
        for line in server.stdout:
            found = json.loads(line)
            warned = found.get("params") or {}
            if found.get("method") == "configWarning" and warned.get("path"):
                faults.append(str(warned["details"]))
            if found.get("id") == 2:
                return _report(found["result"]["data"], faults)
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        watch.cancel()
        server.kill()


def _report(entries: Sequence[Any], faults: Sequence[str]) -> Report:
    hooks = [hook for entry in entries for hook in entry["hooks"]]
    said = [*faults, *(str(one["message"]) for entry in entries for one in entry.get("errors", ()))]
    said += [str(one) for entry in entries for one in entry.get("warnings", ())]
    trusted = [str(hook["trustStatus"]) for hook in hooks if hook["source"] == "project"]
    return Report(trusted, list(dict.fromkeys(one.partition("\n")[0] for one in said)))


def is_confined(codex: str, root: str, profile: str) -> bool:
    """Tell, by a trial, whether a command under that profile writes in staging alone."""
    said = _run([codex, "sandbox", "-P", profile, "--", "sh", "-c", _PROBE], root)
    return said is not None and said[0] == 0


def _run(command: Sequence[str], cwd: str) -> tuple[int, str] | None:
    try:
        done = subprocess.run(command, cwd=cwd, input=b"", capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9
