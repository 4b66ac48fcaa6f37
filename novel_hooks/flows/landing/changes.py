"""The changes of one commit, in landing order. Source: protocol §5.

The order is: chapter, summary, evaluation, crossref, memory, state, change log, foreshadowing, unknown
entities, cards whose contracts end, chapter log, `novel`'s own record, checkpoint; then the removal of the
staged files.
"""

from __future__ import annotations

from contextlib import suppress

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows.book import landed_record, log_join, logs, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, kept_attempts
from novel_hooks.flows.chapter.desk import RECORDED, Desk
from novel_hooks.flows.checks.evaluation import with_gate_decision
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.flows.landing import chapter_log, contract_ends, foreshadowing_merge, unregistered_names
from novel_hooks.flows.recall import index as recall_index
from novel_hooks.flows.recall import passages
from novel_hooks.flows.review import shown_names, versions
from novel_hooks.record import Record
from novel_hooks.rules.cast import person_state
from novel_hooks.rules.evaluation import author_lines, gate_entry
from novel_hooks.rules.evaluation import gate as gates
from novel_hooks.rules.state import changelog, operations
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.steps import chapter_notes, questions
from novel_hooks.rules.steps.checkpoint import RECORDS, Checkpoint
from novel_hooks.rules.text import length
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Landing(Record):
    """A commit that is checked and planned, and not written yet.

    `judged` are the author's lines on the verdict: the good points, and the faults that remain.
    """

    chapter: int
    changes: tuple[Change, ...]
    chars: int
    overall_final: float | None
    gate: dict[str, Any]
    revisions: int
    volume_end: bool
    warnings: tuple[Problem, ...]
    judged: tuple[str, ...] = ()


def op_line(book: Book, op: object) -> str:
    """Return an op of the change log in the author's words."""
    return operations.author_line(op, book.state_names())


def judged_lines(book: Book, chapter: int, evaluation: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the author's two lines on a verdict, with names for the ids in them."""
    return tuple(map(shown_names.in_words(book, chapter), author_lines.landing_lines(evaluation)))


def plan_landing(desk: Desk, point: Checkpoint, now: str) -> Landing:
    """Plan every change of the commit. The chapter is due and its files have passed."""
    chapter, delta = desk.number, desk.get("delta").value
    evaluation = _final_evaluation(desk, point)
    state_changes, entry = _apply_delta(desk, delta, now)
    threads = foreshadowing_merge.merge(desk.book, desk.volume, chapter, entry)
    entities = unregistered_names.new_entities(desk.book, chapter, now, delta)
    ends = contract_ends.plan_ends(desk.book, desk.contract(), chapter)
    log = chapter_log.document(desk, point, evaluation)
    prose_changes = _prose_changes(desk, evaluation)
    volume_end = chapter >= desk.book.need_outline(desk.volume).reach
    _remember_next_contract(desk)
    recall_index.note_landing(desk.book, chapter, _chapter_bytes(desk))
    passages.note_landing(desk.book, chapter, str(desk.get("chapter").value))
    changes = [
        *prose_changes,
        *state_changes,
        *threads.changes,
        *entities.changes,
        *ends.changes,
        journal.put(layout.chapter_log(chapter), jsonio.dump(log)),
        record_change(desk, prose_changes, threads.before, ends.noted),
        *hand_edits.forget_changes(desk.book, chapter, landing=[one.path for one in prose_changes]),
        *handout.learnt_changes(desk.book),
        *kept_attempts.landing_changes(desk, settings.keep_versions(desk.book)),
        *_note_changes(desk),
        journal.put(layout.CHECKPOINT, jsonio.dump(_next_checkpoint(point, desk, now, volume_end).document)),
        *_clear_changes(desk),
    ]
    return Landing(
        chapter=chapter,
        changes=tuple(changes),
        chars=length.count(desk.get("chapter").value).chars,
        overall_final=evaluation.get("overall_final"),
        gate=dict(gate_entry.gate_of(evaluation)),
        revisions=point.revisions,
        volume_end=volume_end,
        warnings=(
            *_dropped_problems(desk.book, chapter, entry),
            *unregistered_names.unregistered_problems(desk.book, entry),
            *threads.warnings,
            *entities.warnings,
            *ends.warnings,
        ),
        judged=(*judged_lines(desk.book, chapter, evaluation), *_refining_lines(desk)),
    )


def _dropped_problems(book: Book, chapter: int, entry: Mapping[str, Any]) -> list[Problem]:
    """Warn of each op of the chapter that changed nothing, with its reason."""
    return [
        errors.DeltaOpDropped(
            layout.CHANGELOG, op=op_line(book, d.get("op")), reason=d.get("reason"), chapter=chapter
        )
        for d in entry.get("dropped") or ()
    ]


def _refining_lines(desk: Desk) -> list[str]:
    """Return the author's line on how much the refiner changed; [] where the text before was not kept."""
    share = versions.refined_share(desk.book, desk.number, desk.get("chapter").value)
    return [] if share is None else [f"润色：动了 {share:.1%} 的字；看改了什么：novel diff {desk.number}"]


def _note_changes(desk: Desk) -> list[Change]:
    """Return the change that marks the author's notes for the chapter as used; [] when it had none."""
    known = desk.book.decisions()
    now = chapter_notes.with_used(known, desk.number)
    return [] if now == known else [journal.put(layout.DECISIONS, jsonio.dump(questions.document(now)))]


def _remember_next_contract(desk: Desk) -> None:
    """Judge the next chapter's contract, and remember the result, so that `next` need not load a schema.

    A fault in it stops the next step, not this landing.
    """
    with suppress(Problem):
        desk.book.document(layout.contract(desk.volume, desk.number + 1), "chapter-contract")


def _final_evaluation(desk: Desk, point: Checkpoint) -> dict[str, Any]:
    """Return the staged verdict, with the decision that lets it land."""
    document = dict(desk.get("evaluation").value)
    gate = gate_entry.gate_of(document)
    if gate.get("accepted") or gate.get("polished") is True or gate.get("decision") == gates.PASS:
        return with_gate_decision(desk, document, point.revisions)
    undecided = {k: v for k, v in gate.items() if k != "decision"}
    metadata = {**gate_entry.metadata(document), "gate": undecided}
    return with_gate_decision(desk, {**document, "metadata": metadata}, point.revisions)


def _prose_changes(desk: Desk, evaluation: Mapping[str, Any]) -> list[Change]:
    """Chapter, summary, evaluation, crossref, memory."""
    memory = layout.memory(desk.contract().storyline_id)
    return [*chapter_changes(desk, evaluation), journal.put(memory, desk.text_bytes("memory"))]


def chapter_changes(desk: Desk, evaluation: Mapping[str, Any]) -> list[Change]:
    """Return the changes of the chapter's own files: text as UTF-8, LF, no BOM.

    An adopted chapter has no evaluation: {}.
    """
    chapter = desk.number
    return [
        journal.put(layout.chapter(chapter), _chapter_bytes(desk)),
        journal.put(layout.summary(chapter), desk.text_bytes("summary")),
        *([journal.put(layout.evaluation(chapter), jsonio.dump(evaluation))] if evaluation else []),
        journal.put(layout.crossref(chapter), jsonio.dump(desk.get("crossref").value)),
    ]


def record_change(
    desk: Desk,
    changes: Sequence[Change],
    threads_before: Mapping[str, Any],
    ended: Sequence[Mapping[str, Any]] = (),
) -> Change:
    """Return `novel`'s own record of the landing: hashes of the landed files, and the contents they replaced.

    `created`: shared files that were new; `waiting`: the foreshadowing backlog before it; `ended`: the
    characters' contracts that end with the chapter, if any.
    """
    memory = layout.memory(desk.contract().storyline_id)
    document = {
        "chapter": desk.number,
        "storyline_id": desk.contract().storyline_id,
        "sha256": {c.path: sha2.digest(c.data) for c in changes},
        "before": {memory: desk.book.text(memory), layout.FORESHADOWING: dict(threads_before)},
        "created": [path for path in (layout.FORESHADOWING,) if desk.book.project.kind(path) == "absent"],
        "waiting": foreshadowing_merge.waiting_chapters(desk.book),
    }
    ends = {"ended": list(ended)} if ended else {}
    return landed_record.record_change(desk.number, {**document, **ends})


def _chapter_bytes(desk: Desk) -> bytes:
    """Return the text as it lands, with the author's comments: they are no part of it, and his."""
    return decode(desk.get("chapter").data or b"", layout.staged(layout.chapter(desk.number))).encode("utf-8")


def _apply_delta(desk: Desk, delta: Mapping[str, Any], now: str) -> tuple[list[Change], Mapping[str, Any]]:
    """Return the state with the delta applied, and the change log's line for it.

    Before the delta come people of whom the cards tell and the state does not know yet.
    """
    state = log_join.checked_state(desk.book)
    storyline = desk.contract().storyline_id
    if delta.get("skipped") is True:
        entry = changelog.skipped_line(
            now, desk.number, storyline, state["state_version"], str(delta.get("reason", ""))
        )
        return [journal.append(layout.CHANGELOG, jsonio.dump_line(entry))], entry
    closed = _resolved_ids(desk.book) if foreshadowing_merge.foreshadowing_ops(delta) else ()
    first = person_state.first_ops(desk.book.cast(), state)
    whole = {**delta, "ops": [*first, *delta["ops"]]}
    applied = deltas.apply(state, whole, resolved=closed)
    entry = changelog.log_line(
        now,
        desk.number,
        storyline,
        state["state_version"],
        applied.state["state_version"],
        applied.ops,
        applied.dropped,
    )
    data = jsonio.dump(applied.state)
    broken = desk.book.validity.judge("current-state", data, applied.state, layout.STATE)
    if broken:
        raise Problems(broken)
    put = journal.put(layout.STATE, data)
    return [put, journal.append(layout.CHANGELOG, jsonio.dump_line(entry))], entry


def _resolved_ids(book: Book) -> set[str]:
    """Return the ids of foreshadowing that landed chapters resolved, by the log alone.

    An author's change to `foreshadowing/global.json` does not count, so that a replay comes to the same
    `active_foreshadowing`. Lines without the word are not parsed, so that a commit does not grow with the
    book. Raises LogLineBroken, OwnFileDamaged.
    """
    raw, numbers = logs.raw_lines(book, layout.CHANGELOG)
    read = [at for at, line in enumerate(raw) if b'"resolved"' in line or not _is_whole(line)]
    lines = logs.parse_raw([raw[at] for at in read], [numbers[at] for at in read], layout.CHANGELOG)
    return changelog.resolved_ids(lines)


def _is_whole(line: bytes) -> bool:
    return line.startswith(b"{") and line.rstrip().endswith(b"}")


def _next_checkpoint(point: Checkpoint, desk: Desk, now: str, volume_end: bool) -> Checkpoint:
    skipped = desk.get("delta").value.get("skipped") is True
    counted = {"skipped_deltas": int(point.document.get("skipped_deltas") or 0) + 1} if skipped else {}
    return point.moved(
        now,
        last_completed_chapter=desk.number,
        orchestrator_state="VOL_REVIEW" if volume_end else "WRITING",
        pipeline_stage="committed",
        inflight_chapter=None,
        revision_count=0,
        last_step=f"chapter:{desk.number:03d}:commit",
        drop=("error", "failures", RECORDS, "sync"),
        **counted,
    )


def _clear_changes(desk: Desk) -> list[Change]:
    """Remove this chapter's own staged files and work notes; nothing else in staging."""
    staged = [desk.get(key) for key in ("chapter", "hints", *RECORDED, "evaluation")]
    gone = [f.path for f in staged if f.data is not None]
    names = desk.book.project.names(layout.MANIFESTS)
    own = f"{layout.chapter_id(desk.number)}-"
    gone += [f"{layout.MANIFESTS}/{name}" for name in names if name.startswith(own)]
    verdicts = layout.staged("evaluations")
    raw = [n for n in desk.book.project.names(verdicts) if n.startswith(own) and n.endswith(".raw.txt")]
    gone += [f"{verdicts}/{name}" for name in raw]
    gone += [p for p in (layout.work_log(desk.number), layout.HANDOUT) if desk.book.read(p) is not None]
    return [journal.remove(path) for path in gone]
