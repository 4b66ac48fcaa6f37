"""`novel commit --setup` and `--volume V`: all of a plan lands, or none of it. Source: protocol §2, §5.

The bytes that are checked are the bytes that land. A landed file that is replaced by another text is kept
under `.novel/attempts/`, with a warning.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable
from novel_hooks.errors import Problem, Problems, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, kept_attempts, reported, work_log
from novel_hooks.flows.chapter.desk import StagedFile
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.planning import open_steps, questions, setting_changes
from novel_hooks.flows.planning.desk import PlanDesk, finding
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import person_state
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.state import changelog
from novel_hooks.rules.steps.checkpoint import SETTING_UP, Checkpoint
from novel_hooks.rules.steps.step_name import SETUP_PHASES, Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

_BESIDE = (
    ("ai_blacklist", layout.BLACKLIST),
    ("storyline_spec", layout.STORYLINE_SPEC),
    ("storylines", layout.STORYLINES),
)
"""What a book may be set up with besides the outputs of the steps."""


class Landed(Record):
    """A plan's landing. `repeat`: it had landed before. `kept` are (path, path of its old text)."""

    step: Step
    repeat: bool
    point: Checkpoint
    paths: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]
    warnings: tuple[Problem, ...]


def run(session: Session, view: View, step: Step) -> Landed:
    """Land the step's plan. Raises the obstacles; then nothing has changed."""
    plan = prepare(view, step, session.caller.stamp)
    if plan.repeat:
        return plan
    fence.check(session.project)
    logged = work_log.closing_changes(view.book, session.caller.now, session.caller.stamp)
    label = "初始设定入库" if step.kind == "setup" else f"第 {step.number} 卷规划入库"
    session.land([*logged, *plan.changes], label=label)
    session.end()
    return plan._replace(warnings=tuple(_moved_with(problem, plan.paths) for problem in plan.warnings))


def _moved_with(problem: Problem, landed: Collection[str]) -> Problem:
    """Return the problem with its file's path after the landing."""
    path = (problem.path or "")[len(layout.STAGING) + 1 :]
    if path in landed and problem.path == layout.staged(path):
        problem.path = problem.values["path"] = path
    return problem


def prepare(view: View, step: Step, now: str) -> Landed:
    """Check everything, then plan every change, with the checkpoint last. Reads only."""
    book = view.book
    if _has_landed(book, view, step):
        return Landed(step, True, view.point, (), (), (), ())
    open_steps.check_open(view, step)
    files, problems = _checked_files(book, step)
    if view.due.step != step:
        what, due = open_steps.describe_step(step), view.due
        closed = errors.PlanningNotDue(case="other step", what=what, due=due.label, reason=due.reason)
        raise Problems([closed, *(p for p in problems if p.severity == "error")])
    refuse(problems)
    staged = [f for f in files if f.path.startswith(f"{layout.STAGING}/")]
    landing = [f for f in staged if f.key != questions.OUTPUT]
    puts = [journal.put(f.path[len(layout.STAGING) + 1 :], _bytes(f)) for f in landing]
    gone = _dropped_contracts(book, step, [change.path for change in puts])
    gave_way = kept_attempts.replaced_texts(book, step, [*puts, *gone])
    over = {change.path: change.data if change.kind == "put" else None for change in (*puts, *gone)}
    noted, left = setting_changes.landed_changes(book, over, step.kind == "volume")
    point = _next_checkpoint(view, step, left, now)
    changes = [
        *(journal.put(where, book.read(path) or b"") for path, where in gave_way),
        *puts,
        *gone,
        *(_first_state(book, now) if step.kind == "setup" else ()),
        *noted,
        *handout.learnt_changes(book),
        journal.put(layout.CHECKPOINT, jsonio.dump(point.document)),
        *handout.clear_changes(book),
        *reported.forget_changes(book),
        *(journal.remove(f.path) for f in staged),
        *_packet_changes(book, step),
    ]
    kept = [errors.PlanKept(path, kept=where) for path, where in gave_way]
    paths = tuple(change.path for change in puts)
    warnings = (*reported.unreported(book, step, problems), *kept)
    return Landed(step, False, point, paths, tuple(gave_way), tuple(changes), warnings)


def _has_landed(book: Book, view: View, step: Step) -> bool:
    """Has it landed? Then repeating it succeeds and changes nothing."""
    point = view.point
    state = str(point.error.get("from_state")) if point.state == "ERROR_RETRY" else point.state
    if step.kind == "setup":
        return state not in SETTING_UP
    number = step.number or 0
    written = number < point.volume or (number == point.volume and state not in ("VOL_PLANNING", *SETTING_UP))
    return written and book.project.has(layout.outline(number)) and view.due.step != step


def _checked_files(book: Book, step: Step) -> tuple[tuple[StagedFile, ...], tuple[Problem, ...]]:
    desk = PlanDesk(book, step.number or 1)
    if step.kind == "volume":
        return desk.step_files(step)
    files: list[StagedFile] = []
    problems: list[Problem] = []
    for phase in SETUP_PHASES[:-1]:
        found, wrong = desk.step_files(Step("setup", None, phase))
        files += found
        problems += wrong
    known = {one.path for one in files}
    for key, path in _BESIDE:
        if layout.staged(path) not in known and book.project.has(layout.staged(path)):
            one = desk.examine(key, layout.staged(path), layout.SETTING_SCHEMAS[path])
            files.append(one)
            problems += one.problems
    return tuple(files), tuple(finding(p) for p in problems)


def _bytes(found: StagedFile) -> bytes:
    """Return the bytes that land: text as UTF-8, LF, no BOM; JSON in canonical order."""
    return found.value.encode("utf-8") if isinstance(found.value, str) else jsonio.dump(found.value)


def _dropped_contracts(book: Book, step: Step, landing: Iterable[str]) -> list[Change]:
    """Remove contracts of an earlier plan for chapters that the new one does not have."""
    if step.kind != "volume" or step.number is None:
        return []
    folder = layout.contract(step.number, 1).rsplit("/", 1)[0]
    spelled = (n for n in book.project.names(folder) if layout.chapter_number(f"{n[: -len('.json')]}.md"))
    old = [f"{folder}/{name}" for name in spelled if name.endswith(".json")]
    path = layout.staged(layout.outline(step.number))
    outline = outlines.parse(book.text(path) or "", path)
    planned = {layout.contract(step.number, heading.chapter) for heading in outline.headings}
    return [journal.remove(path) for path in old if path not in {*landing, *planned}]


def _first_state(book: Book, now: str) -> list[Change]:
    """Begin state and change log with what the cards tell of people; a book that has one begins nothing."""
    ops = person_state.first_ops(PlanDesk(book, 1).people(), {})
    if not ops or any(book.read(path) is not None for path in (layout.STATE, layout.CHANGELOG)):
        return []
    first = changelog.setup_line(now, ops)
    return [
        journal.put(layout.STATE, jsonio.dump(changelog.replay([first]))),
        journal.put(layout.CHANGELOG, jsonio.dump_line(first)),
    ]


def _next_checkpoint(view: View, step: Step, left: list[Any], now: str) -> Checkpoint:
    """Return the checkpoint after the landing; `left` are the pending actions that the plan leaves."""
    volume = step.number if step.kind == "volume" else max(1, view.point.volume)
    return view.point.moved(
        now,
        orchestrator_state="WRITING" if step.kind == "volume" else "VOL_PLANNING",
        current_volume=volume,
        inflight_chapter=None,
        revision_count=0,
        pending_actions=left,
        last_step=str(step),
        drop=("error", "failures"),
    )


def _packet_changes(book: Book, step: Step) -> list[Change]:
    """Remove the packets of the steps that are over."""
    own = "setup-" if step.kind == "setup" else f"volume-{step.number:02d}-"
    names = [n for n in book.project.names(layout.MANIFESTS) if n.startswith(own) and n.endswith(".json")]
    return [journal.remove(f"{layout.MANIFESTS}/{name}") for name in names]
