"""`novel instructions --replay FILE`: a written packet, built again and compared. Reads only.

Source: seed 000 Step 2 (the same files give the same context), seed 003.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import DONE, REFUSED, Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.briefing import instructions
from novel_hooks.record import Record
from novel_hooks.rules.packet import packet
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text import length
from novel_hooks.store.formats import jsonio

Facts = dict[str, object]


class Difference(Record):
    """An input that differs. `what` is changed, missing (now) or added; sides `{chars, sha256}`."""

    key: str
    path: str | None
    what: str
    old: Facts | None
    new: Facts | None


class Replay(Record):
    """A comparison.

    `rebuilt` is False when no packet can be built for the step now, and only files were compared. `other` are
    the packet's differing keys beside its inputs; `reasons` say why it was not rebuilt.
    """

    step: str
    same: bool
    rebuilt: bool
    inputs: tuple[Difference, ...]
    other: tuple[str, ...]
    reasons: tuple[Problem, ...]


def parse(raw: bytes, place: str) -> dict[str, Any]:
    """Parse the packet in a file, as it was written or as `--json` printed it. Raises PacketUnreadable."""
    try:
        document = jsonio.parse(raw, place)
    except Problem as wrong:
        raise errors.PacketUnreadable(None, place=place, detail=str(wrong)) from wrong
    if isinstance(document, dict) and document.get("command") == "instructions":
        document = document.get("data")
    if not isinstance(document, dict) or document.get("kind") != packet.KIND:
        raise errors.PacketUnreadable(None, place=place, case="other kind", kind=packet.KIND)
    if document.get("schema_version") != packet.SCHEMA_VERSION:
        raise errors.PacketUnreadable(None, place=place, case="other version")
    if not isinstance(document.get("step"), str) or not _has_shape(document.get("inputs")):
        raise errors.PacketUnreadable(None, place=place, case="incomplete")
    return {key: value for key, value in document.items() if key != "manifest"}


def _has_shape(inputs: object) -> bool:
    return isinstance(inputs, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("key"), str)
        and isinstance(one.get("sha256"), str)
        and isinstance(one.get("path"), (str, type(None)))
        for one in inputs
    )


def compare(book: Book, old: Mapping[str, Any]) -> Replay:
    """Compare the packet with a new one of its step, made of the project's present files.

    Raises UnknownStep, and damage in the project (exit 4 and above).
    """
    step = steps.parse(old["step"])
    embed = any("path" in one and "text" in one for one in old["inputs"])
    role = old.get("role") if old.get("role") in ("primary", "secondary") else None
    try:
        fresh = instructions.build(book, step, embed, role).packet
    except Problem as stopped:
        if stopped.exit not in (DONE, 1, 2, REFUSED):
            raise
        reasons = stopped.problems
        return Replay(str(step), False, False, tuple(_file_differences(book, old["inputs"])), (), reasons)
    told = tuple(_input_differences(old["inputs"], fresh["inputs"]))
    # The inputs beside the packet are made anew from the plugin: only the file itself can be compared.
    beside, known = f"{layout.GUIDES}/", {one.path for one in told}
    guides = [i for i in old["inputs"] if str(i.get("path")).startswith(beside) and "text" not in i]
    told += tuple(one for one in _file_differences(book, guides) if one.path not in known)
    other = sorted(k for k in {*old, *fresh} if k != "inputs" and old.get(k, ...) != fresh.get(k, ...))
    same = jsonio.dump(dict(old)) == jsonio.dump(fresh) and not told
    if not same and not told and not other:
        other = ["inputs"]  # the same material in other words
    return Replay(str(step), same, True, told, tuple(other), ())


def _input_differences(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    """Compare by key and path, in the packet's order; of several of one name the first with the first."""
    before, after = _by_name(old), _by_name(new)
    for name in [*before, *(n for n in after if n not in before)]:
        was, now = before.get(name), after.get(name)
        if was is None or now is None or was["sha256"] != now["sha256"]:
            what = "added" if was is None else "missing" if now is None else "changed"
            yield Difference(name[0], name[1], what, _facts(was), _facts(now))


def _by_name(inputs: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str | None, int], Mapping[str, Any]]:
    found: dict[tuple[str, str | None, int], Mapping[str, Any]] = {}
    for one in inputs:
        key, path, number = str(one["key"]), one.get("path"), 0
        while (key, path, number) in found:
            number += 1
        found[key, path, number] = one
    return found


def _file_differences(book: Book, inputs: Sequence[Mapping[str, Any]]) -> Iterator[Difference]:
    """Compare the inputs that are files with those on disk."""
    for one in inputs:
        if one.get("path") is None:
            continue
        text, _ = attempt(partial(book.text, one["path"]))
        now: Facts | None = None
        if text is not None:
            now = {"chars": length.chars(text), "sha256": sha2.digest(text.encode("utf-8"))}
        if now is None or now["sha256"] != one["sha256"]:
            yield Difference(one["key"], one["path"], "changed" if now else "missing", _facts(one), now)


def _facts(one: Mapping[str, Any] | None) -> Facts | None:
    return None if one is None else {"chars": one.get("chars"), "sha256": one["sha256"]}
