"""State, change log, evaluation and logs of a chapter that is recorded anew. Source: protocol §4, §5."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import kept_attempts, work_log
from novel_hooks.flows.chapter.landed_desk import LandedDesk
from novel_hooks.flows.landing import chapter_log as landing_chapter_log
from novel_hooks.flows.landing import unregistered_names
from novel_hooks.flows.landing.changes import op_line
from novel_hooks.record import Record
from novel_hooks.rules.cast import person_state
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.state import changelog, changelog_edit
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.state.changelog_edit import Relogged
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text.json_values import objects, same
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Restated(Record):
    """State and change log of a sync: `changes`, and `kept`, the copies of the replaced files.

    `old` and `line` are the chapter's lines; `skipped` counts the skipped deltas of the new log; `folder` is
    the path of `kept`.
    """

    changes: list[Change]
    kept: list[Change]
    log: Relogged
    old: Mapping[str, Any]
    line: Mapping[str, Any]
    skipped: int
    warnings: list[Problem]


def plan(desk: LandedDesk, now: str) -> Restated:
    """Make the chapter's line from the new delta, and replay all later lines. Raises ChangelogBroken."""
    lines = desk.book.lines()
    at = changelog_edit.line_index(lines, desk.number)
    line = _new_line(desk, lines[:at], lines[at], now)
    log = changelog_edit.replace_line(lines, desk.number, line)
    folder = kept_attempts.attempt_folder(desk, "synced")
    logged = journal.put(layout.CHANGELOG, _log_bytes(desk, lines, log.lines))
    told = [_replayed_state([one for one in lines if not changelog_edit.is_stand_in(one)])]
    told += [log.state] if changelog_edit.is_stand_in(lines[at]) else []
    path, given_up = layout.CHANGELOG, line.get("dropped") or ()
    shown = [(op_line(desk.book, one.get("op")), one.get("reason")) for one in given_up]
    dropped = [errors.DeltaOpDropped(path, op=op, reason=why, chapter=desk.number) for op, why in shown]
    return Restated(
        changes=[*_state_changes(desk, log.state), logged],
        kept=[*_attempt_changes(desk, folder), *_keep_line_changes(lines[at], folder)],
        log=log,
        old=lines[at],
        line=line,
        skipped=len(changelog.skipped_chapters(log.lines)),
        warnings=[*dropped, *_state_problems(desk, told, folder)],
    )


def _new_line(
    desk: LandedDesk, head: Sequence[Mapping[str, Any]], old: Mapping[str, Any], now: str
) -> dict[str, Any]:
    """Return the change log's line of the new delta, on the state before the chapter.

    What the `old` line took from the characters' cards stays, and `first_ts`: when the chapter was written.
    """
    delta, before = desk.get("delta").value, desk.book.state()
    storyline, base = desk.contract().storyline_id, before["state_version"]
    first = {"first_ts": old.get("first_ts", old.get("ts"))}
    if deltas.is_skipped(delta):
        skipped = changelog.skipped_line(now, desk.number, storyline, base, str(delta.get("reason", "")))
        return {**skipped, **first}
    of_cards = [op for op in old.get("ops") or () if op.get("detail") == person_state.FROM_CARD]
    whole, resolved = {**delta, "ops": [*of_cards, *delta["ops"]]}, sorted(changelog.resolved_ids(head))
    applied = deltas.apply(before, whole, resolved=resolved)
    version = applied.state["state_version"]
    line = changelog.log_line(now, desk.number, storyline, base, version, applied.ops, applied.dropped)
    return {**line, **first}


def _state_changes(desk: LandedDesk, state: dict[str, Any]) -> list[Change]:
    """Return the change of the state; no file at version 0, as before the first delta."""
    if state["state_version"]:
        return [journal.put(layout.STATE, jsonio.dump(state))]
    return [journal.remove(layout.STATE)] if desk.book.read(layout.STATE) is not None else []


def _log_bytes(desk: LandedDesk, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the log's bytes; a line of equal content keeps its bytes."""
    text = desk.book.text(layout.CHANGELOG) or ""
    written = [line for line in text.split("\n") if line.strip()]
    if len(written) != sum(not changelog_edit.is_stand_in(line) for line in old):
        raise errors.OwnFileDamaged(layout.CHANGELOG, case="line ends")
    left = iter(written)
    texts = ["" if changelog_edit.is_stand_in(line) else next(left) for line in old]
    return b"".join(
        (text + "\n").encode("utf-8") if same(before, after) else jsonio.dump_line(after)
        for text, before, after in zip(texts, old, new)
    )


def _keep_line_changes(line: Mapping[str, Any], folder: str) -> list[Change]:
    if changelog_edit.is_stand_in(line):  # the chapter's own was lost
        return []
    return [journal.put(f"{folder}/changelog-line.json", jsonio.dump(line))]


def _attempt_changes(desk: LandedDesk, folder: str) -> list[Change]:
    """Copy everything that the landing replaces: nothing is deleted."""
    places = (
        layout.summary(desk.number),
        layout.evaluation(desk.number),
        layout.crossref(desk.number),
        layout.memory(desk.contract().storyline_id),
        layout.STATE,
        layout.FORESHADOWING,
    )
    found = [(path.rpartition("/")[2], desk.book.read(path)) for path in places]
    return [journal.put(f"{folder}/{name}", data) for name, data in found if data is not None]


def _replayed_state(lines: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Replay the log as it is; None when its lines do not join, which may be why it is recorded anew."""
    try:
        return changelog.replay(lines)
    except errors.ChangelogBroken:
        return None


def _state_problems(desk: LandedDesk, told: Sequence[object], folder: str) -> list[Problem]:
    """Warn of a state that is none of those the log makes: it was changed by hand, or is broken.

    Without the chapter's line two may be right: the one without the chapter, which may never have been
    recorded, and the one with it, when its line was lost.
    """
    try:
        data = desk.book.read(layout.STATE)
        found = deltas.empty_state() if data is None else jsonio.parse(data, layout.STATE)
    except Problem:
        found = None
    if any(same(found, one) for one in told):
        return []
    return [errors.SyncStateDiffers(layout.STATE, kept=f"{folder}/{layout.STATE.rsplit('/', 1)[-1]}")]


def evaluation(desk: LandedDesk) -> dict[str, Any]:
    """Return the new verdict for the record, with the gate's old decision, which let the chapter land."""
    document = dict(desk.get("evaluation").value)
    metadata = {k: v for k, v in gate_entry.metadata(document).items() if k != "gate"}
    # A landed one that is lost or broken has no gate: it is being replaced, and kept aside.
    gate = gate_entry.gate_of(desk.book.plain_document(layout.evaluation(desk.number)))
    if gate:
        metadata["gate"] = dict(gate)
    return {"overall_final": document["overall"], **document, "metadata": metadata}


def new_entities(desk: LandedDesk, now: str) -> unregistered_names.NewEntities:
    """Replace the old delta's unknown names by the new delta's; a name noted before keeps its line."""
    path, book = layout.UNKNOWN_ENTITIES, desk.book.now
    delta = desk.get("delta").value
    mentions = {one.get("mention") for one in objects(delta.get("unknown_entities"))}
    noted = unregistered_names.new_entities(book, desk.number, now, delta)
    warnings = tuple(w for w in noted.warnings if not isinstance(w, errors.UnregisteredEntities))
    known = attempt(lambda: unknown_names.lines(book))[0] or []
    stay = [line for line in known if not _is_superseded(line.said, desk.number, mentions)]
    if len(stay) == len(known):
        return noted._replace(warnings=warnings)
    put = journal.put(path, b"".join(line.raw for line in stay) + noted.fresh)
    return unregistered_names.NewEntities((put,), warnings)


def _is_superseded(line: Mapping[str, Any] | None, chapter: int, mentions: Collection[Any]) -> bool:
    return line is not None and line.get("chapter") == chapter and line.get("mention") not in mentions


def chapter_log_changes(desk: LandedDesk, point: Checkpoint, document: Mapping[str, Any]) -> list[Change]:
    """Add the new stages and judges to the log that is there; a lost one is not made up.

    A chapter that moved in (`document` is empty: nobody judges it) gets its first one.
    """
    path = layout.chapter_log(desk.number)
    found = desk.book.own(path)
    if found is None and not document:
        return [journal.put(path, jsonio.dump(landing_chapter_log.document(desk, point, document)))]
    if not isinstance(found, dict):
        return []
    stages = [*(found.get("stages") or ()), *(work_log.read(desk.book, desk.number).get("stages") or ())]
    spent = [stage.get("duration_ms") for stage in stages if isinstance(stage, dict)]
    known = [one for one in spent if isinstance(one, int)]
    judges = landing_chapter_log.judges(gate_entry.metadata(document))
    total = sum(known) if known else None
    renewed = {**found, "stages": stages, "judges": judges, "total_duration_ms": total}
    return [journal.put(path, jsonio.dump(renewed))]
