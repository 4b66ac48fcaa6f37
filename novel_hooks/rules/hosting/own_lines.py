"""Our lines in a settings file of the author's: those he should remove and those he should add. Pure.

`novel` writes into no file of his. Source: ADR 0019.
"""

from __future__ import annotations

import json

from novel_hooks.annotations import Any, Iterator, Sequence
from novel_hooks.rules.hosting import project_files


def changes(path: str, found: str, old: str, new: str) -> str:
    """Return what to change in the file `found` with its `old` lines of ours, as Chinese words and lines.

    "" when there is nothing to change, and when the file cannot be read. `new` is "" when all of ours goes.
    """
    if path == project_files.CONFIG:
        before, after = _config_lines(found), _config_after(found, old, new)
    elif path == project_files.HOOKS:
        before, after = _hooks_after(found, old, new)
    else:
        return ""
    return "\n".join(_steps(before, [line for line in after if line]))


def _steps(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield each change once, with the number of places where it is to be made."""
    from difflib import SequenceMatcher

    places: dict[tuple[str, str, str], int] = {}
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            above = before[i - 1].strip() if kind == "insert" and i else ""
            step = (above, "\n".join(before[i:j]), "\n".join(after[k:m]))
            places[step] = places.get(step, 0) + 1
    for (above, gone, fresh), count in places.items():
        where = f"（{count} 处）" if count > 1 else ""
        if not gone:
            yield f"在「{above}」下面加上{where}：\n{fresh}" if above else f"在最前面加上：\n{fresh}"
        elif not fresh:
            yield f"去掉{where}：\n{gone}"
        else:
            yield f"把下面这些{where}：\n{gone}\n换成：\n{fresh}"


def _hooks_after(found: str, old: str, new: str) -> tuple[list[str], list[str]]:
    """Return the lines of the author's hooks as they are and as they should be; none when there are none."""
    try:
        theirs = json.loads(found)
        before = _json_lines(theirs)
        entries = theirs["hooks"]
        ours = json.loads(new)["hooks"] if new else {}
        for event, gone in json.loads(old)["hooks"].items():
            entries[event] = _swapped(entries.get(event, []), gone, ours.get(event, []))
        for event, wanted in ours.items():
            listed = entries.setdefault(event, [])
            listed += [entry for entry in wanted if entry not in listed]
        theirs["hooks"] = {event: listed for event, listed in entries.items() if listed}
        return before, _json_lines(theirs)
    except (ValueError, KeyError, TypeError, AttributeError):
        return [], []


def _swapped(listed: list[Any], gone: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
    """Return the entries with ours of today in the place of ours of before."""
    stale = [entry for entry in gone if entry not in wanted]
    at = next((n for n, entry in enumerate(listed) if entry in stale), None)
    if at is None:
        return listed
    fresh = [entry for entry in wanted if entry not in listed]
    return [*listed[:at], *fresh, *(entry for entry in listed[at:] if entry not in stale)]


def _json_lines(document: object) -> list[str]:
    return json.dumps(document, ensure_ascii=False, indent=2).splitlines()


def _config_lines(found: str) -> list[str]:
    """Return the lines that set something."""
    return [line for line in map(str.strip, found.splitlines()) if line and not line.startswith("#")]


def _config_after(found: str, old: str, new: str) -> list[str]:
    """Return the lines of the author's settings as they should be; as they are when they cannot be read."""
    theirs, gone, wanted = map(project_files.tables, (found, old, new))
    if theirs is None or gone is None or wanted is None:
        return _config_lines(found)
    after: list[str] = []
    for table, lines in theirs.items():
        ours, before = wanted.get(table, []), gone.get(table, [])
        stale = [line for line in before if line not in ours]
        fresh = [line for line in ours if line not in lines]
        at = next((n for n, line in enumerate(lines) if line in stale), 0)
        rest = [line for line in lines[at:] if line not in stale]
        if table in wanted or not before or lines[:at] + rest:
            after += [table, *lines[:at], *fresh, *rest]
    for table in wanted:
        if table not in theirs:
            after += [table, *wanted[table]]
    return after
