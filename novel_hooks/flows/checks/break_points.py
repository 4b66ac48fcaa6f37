"""Break points of a project: the outputs made since the hand-out, and whether the author looks first.

Source: seed 004. The run's own setting is kept in the lock (`lock acquire --step`) and ends with it; else
`stop_after` of `novel.yaml` counts. The author's answer is kept in the hand-out, which is removed when the
step advances.
"""

from __future__ import annotations

from novel_hooks import roles, sha2
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout
from novel_hooks.rules.steps import break_points
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.break_points import OpenStep
from novel_hooks.rules.text import length
from novel_hooks.store.lock import lockstate

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import Desk
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.next_step import Next, Staged


def stops(book: Book) -> tuple[str, ...]:
    """Return the phases after which the author looks: those of the lock, else those of his settings."""
    told = break_points.parse_phases(lockstate.read_info(book.project).get("stop_after"))
    return settings.stop_after(book) if told is None else told


def apply(desk: Desk, point: Checkpoint, staged: Staged, due: Next) -> Next:
    """Return the next step with break points applied: unchanged, stopped, or with its outputs taken as made.

    A step that no agent is known to have done stays due, with the author's three answers beside it.
    """
    out = _handed_out(desk, point)
    phase = break_points.staged_phase(point, desk.number, staged, due, out)
    if phase is None:
        return due
    found = break_points.next_after(
        due, desk.number, phase, out, stops(desk.book), _describe_outputs(desk, phase)
    )
    if found.stop or not is_unseen(desk, point, found):
        return found
    return break_points.with_choices(found, desk.number, describe_unchanged(desk, phase))


def _handed_out(desk: Desk, point: Checkpoint) -> OpenStep | None:
    out = handout.read(desk.book)
    if out.revisions != point.revisions:
        return None
    known = {str(steps.chapter_step(desk.number, phase)): phase for phase in break_points.PHASES}
    phase = known.get(str(out.step))
    if phase is None:
        return None
    holds = phase != "judge" or out.over == outputs_digest(desk, phase)
    said = out.said if out.said in break_points.ANSWERS else None
    if out.failed:
        return OpenStep(phase, said, holds, failed=True)
    return OpenStep(phase, said, holds, out.done, out.handed not in (None, desk.text_sha256()))


def is_unseen(desk: Desk, point: Checkpoint, due: Next) -> bool:
    """Tell whether the due step is out at a break point, unchanged, and no host saw its agent finish."""
    return break_points.awaits_author(due, _handed_out(desk, point), stops(desk.book))


def describe_unchanged(desk: Desk, phase: str) -> str:
    """Describe, for the author, a text that is as it was handed out."""
    head = f"第 {desk.number} 章「{roles.PHASE_TITLES[phase]}」看不出有人做过"
    return f"{head}，{desk.get('chapter').path} 和交出去时一样"


def outputs_digest(desk: Desk, phase: str) -> str:
    """Return the hash of a step's staged outputs; an answer refers to outputs by it."""
    seen = sha2.sha256()
    for output in roles.CHAPTER_OUTPUTS[phase]:
        data = desk.examine(output).data
        seen.update(sha2.sha256(data or b"").digest() if data is not None else b"-")
    return seen.hexdigest()


def _describe_outputs(desk: Desk, phase: str) -> str:
    """Describe the outputs and where to read them, for the author."""
    head = f"第 {desk.number} 章「{roles.PHASE_TITLES[phase]}」做好了"
    if phase == "judge":
        found, text = desk.get("evaluation"), desk.get("chapter")
        return f"{head}，评分 {found.value['overall']}，意见在 {found.path}，评的是 {text.path}"
    if phase == "summarize":
        places = "、".join(found.path for found in desk.phase_files(phase) if found.data is not None)
        return f"{head}，请看 {places}"
    found = desk.get("chapter")
    from novel_hooks.flows.checks import output_checks

    same = "，和交出去时一字不差" if _is_unchanged(desk, phase) else ""
    chars = length.count(found.value).chars
    odd = [p.values for p in output_checks.length_problems(desk, phase, chars)]
    off = "".join(f"，想要 {told['least']} 到 {told['most']} 字，{told['detail']}" for told in odd)
    return f"{head}（{chars} 字{same}{off}），请看 {found.path}"


def _is_unchanged(desk: Desk, phase: str) -> bool:
    """Is the text the one that the agent was given?"""
    kept = None if phase == "draft" else handout.read(desk.book).before
    return kept is not None and desk.book.read(kept) == desk.get("chapter").data
