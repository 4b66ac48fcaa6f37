"""The table of the next step (protocol §2), as a pure function of the checkpoint and the files found.

The number of the next chapter comes from the checkpoint, never from any text.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.offered_answers import (
    Choice,
    failure_choices,
    question_choices,
    review_choices,
    wish_choices,
)
from novel_hooks.rules.steps.step_name import Step

if TYPE_CHECKING:
    from novel_hooks.rules.steps.questions import Question

PAUSES = ("pause_for_user", "pause_for_user_force_rewrite")


class StagedVerdict(Record):
    """The staged evaluation, as far as the next step depends on it.

    `missing` are the roles of the awaited judges. `fresh`: it is of the staged text as it is now. `stored` is
    the gate's decision when it was advanced, `outcome` the gate's present one. `accepted`: the author
    accepted the chapter. `polished`: it was polished after the verdict. `by_author`: the stored decision is
    the author's (`decide`). `why` is the reason, in the author's words.
    """

    missing: tuple[str, ...]
    fresh: bool
    stored: str | None
    outcome: str | None
    accepted: bool = False
    polished: bool = False
    by_author: bool = False
    why: str = ""


class Staged(Record):
    """The outputs in staging for the chapter in work, as far as each passed its step's validation.

    `chapter`: its text is there. `recorded`: summary, delta, crossref and memory all are. `verdict` is None
    when there is no legal evaluation. `changed`: the text is not the one that the refiner left, or, before he
    has it, the one that the records describe.
    """

    chapter: bool
    recorded: bool
    verdict: StagedVerdict | None
    changed: bool = False


class Planned(Record):
    """The plans of a project in which no chapter is in work.

    `outline`: the volume has one. `end` is its last chapter. `setup` is the first setup phase without its
    output, None when all have theirs. `volume_phase` is the due phase of the volume's planning. `faulty`: its
    staged outputs do not pass. `asked` is the first open question of that phase's planner. `decided`: an
    answer is still to be carried out. `replan`: the volume has a plan with chapters that are not written yet.
    `wishes`: the author may say what he wishes of the volume before anybody plans it.
    """

    outline: bool = False
    end: int | None = None
    setup: str | None = None
    volume_phase: str = "outline"
    faulty: bool = False
    asked: Question | None = None
    decided: bool = False
    replan: bool = False
    wishes: bool = False


class Next(Record):
    """The next step and its reason in the author's words.

    `role` is the judge's. `recorded`: the outputs are there, and the step is only to be advanced. `stop`: the
    author answers first, by one of `choices`. `step` is None when no step can be made before he answers.
    """

    step: Step | None
    reason: str
    role: str | None = None
    recorded: bool = False
    stop: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def label(self) -> str:
        """The step in the author's words; his decision when there is none."""
        return self.step.label if self.step else "等作者决定"


def next_step(point: Checkpoint, staged: Staged | None, planned: Planned | None) -> Next:
    """Return the next step of the book.

    `staged` is needed at an active stage, `planned` at an idle one. Raises ValueError without it.
    """
    if point.state == "ERROR_RETRY":
        return _after_failure(point)
    if point.active:
        if staged is None or point.inflight is None:
            raise ValueError("an active stage needs what is staged")
        return next_in_chapter(point, point.inflight, staged)
    if planned is None:
        raise ValueError("an idle stage needs what is planned")
    return _between_chapters(point, planned)


def next_in_chapter(point: Checkpoint, chapter: int, staged: Staged) -> Next:
    """Return the next step of the chapter in work, by the first row of the table that fits."""
    verdict = staged.verdict
    if not staged.chapter:
        return _next_phase(chapter, "draft", "暂存区里还没有可用的本章正文")
    if point.stage == "revising" and verdict is not None:
        return _revising(chapter, verdict)
    if point.stage == "revising":
        return _next_phase(chapter, "summarize", "修订稿已在，摘要与状态要按新稿重记")
    if not staged.recorded:
        return _next_phase(chapter, "summarize", "摘要、状态增量、串线检测、故事线记忆还不齐")
    if point.stage == "judged" and verdict is not None and not verdict.fresh:
        return _next_phase(chapter, "summarize", "正文在评审之后改过，要重新记录和评审")
    if staged.changed and (verdict is None or not verdict.fresh):
        since = "润色" if point.stage == "refined" else "记摘要与状态"
        return _next_phase(chapter, "summarize", f"正文在{since}之后改过，要重新记录")
    if point.stage in ("drafting", "drafted"):
        return _next_phase(chapter, "refine", "正文与记录齐了，该润色")
    return _after_refine(point, chapter, verdict)


def _revising(chapter: int, verdict: StagedVerdict) -> Next:
    if (verdict.stored or verdict.outcome) == "polish":
        return _next_phase(chapter, "polish", verdict.why or "门控：再润色一遍")
    why = "作者要求再修订一轮" if verdict.by_author else verdict.why or "评审要求修订"
    return _next_phase(chapter, "revise", why)


def _after_refine(point: Checkpoint, chapter: int, verdict: StagedVerdict | None) -> Next:
    if verdict is None or not verdict.fresh or verdict.missing:
        role = verdict.missing[0] if verdict is not None and verdict.fresh and verdict.missing else "primary"
        reason = "关键章还差另一位评审的意见" if role == "secondary" else "本章还没有有效的评审"
        return _next_phase(chapter, "judge", reason)._replace(role=role)
    if point.stage == "refined":
        return _next_phase(chapter, "judge", "评审意见已记下，等门控定夺")._replace(recorded=True)
    if verdict.accepted:
        return _next_phase(chapter, "commit", "作者已接受本章")
    if verdict.polished:
        return _next_phase(chapter, "commit", "再润色已完成")
    return _after_gate(chapter, verdict.outcome, verdict.why)


def _after_gate(chapter: int, outcome: str | None, why: str) -> Next:
    if outcome == "pass":
        return _next_phase(chapter, "commit", "门控通过")
    if outcome == "polish":
        return _next_phase(chapter, "polish", why or "门控：再润色一遍")
    if outcome == "revise":
        return _next_phase(chapter, "revise", why or "门控：需要修订")
    return _review(chapter, outcome, why)


def _review(chapter: int, outcome: str | None, why: str) -> Next:
    bare = (
        "门控：分数过低，建议重写，等作者决定"
        if outcome == "pause_for_user_force_rewrite"
        else "门控：自动修订解决不了，等作者决定"
    )
    choices = review_choices(chapter, outcome)
    reason = f"门控：{why}" if why else bare
    return Next(steps.chapter_step(chapter, "review"), reason, stop=True, choices=choices)


def _next_phase(chapter: int, phase: str, reason: str) -> Next:
    return Next(steps.chapter_step(chapter, phase), reason)


def _after_failure(point: Checkpoint) -> Next:
    failed = str(point.error.get("step") or "")
    cause = str(point.error.get("reason") or "原因没有记下")
    what = f"「{steps.label(failed)}」连续失败" if failed else "上一步连续失败"
    return Next(None, f"{what}：{cause}", stop=True, choices=failure_choices(failed, point.inflight))


def _between_chapters(point: Checkpoint, planned: Planned) -> Next:
    if planned.asked is not None:
        return _question(steps.parse(planned.asked.step), planned.asked)
    if point.setting_up:
        phase = planned.setup or "commit"
        why = f"项目还在初始设定阶段，{_SETUP[phase]}"
        return Next(Step("setup", None, phase), _DECIDED if planned.decided else why)
    if point.state == "VOL_PLANNING":
        bare = f"第 {point.volume} 卷从第 {point.last + 1} 章起重排" if planned.replan else None
        return _planning(point, planned, bare or f"第 {point.volume} 卷还没有规划")
    if point.state == "VOL_REVIEW":
        return _volume_review(point, f"第 {point.volume} 卷已写完，该做卷末回顾")
    return _writing(point, planned)


_SETUP = {
    "brief": "立意还没有写",
    "world": "世界规则还没有",
    "characters": "还没有角色档案",
    "style": "文风还没有定",
    "commit": "几样都齐了，等着定下来",
}


_DECIDED = "你定了几件事，这一步要照着改"


def _question(step: Step, asked: Question) -> Next:
    """Return the step at which the planner's question stops, its choices as the author's answers."""
    where = f"第 {asked.number} 件，共 {asked.total} 件"
    reason = f"有事要你定（{where}）：{asked.header}。{asked.question} {asked.why}"
    return Next(step, reason, recorded=True, stop=True, choices=question_choices(step, asked))


_PLANNING = {"validate": "的规划写齐了，该核对", "commit": "的规划核对过了，等着入库"}


def _planning(point: Checkpoint, planned: Planned, bare: str) -> Next:
    """Return the due step of a volume's planning; no agent works at validate, so it is `recorded`.

    `bare` is the reason while there are no outputs.
    """
    phase = planned.volume_phase
    reason = f"第 {point.volume} 卷{_PLANNING[phase]}" if phase in _PLANNING else bare
    if phase == "outline" and planned.decided:
        reason = _DECIDED
    if phase == "outline" and planned.faulty:
        reason = f"第 {point.volume} 卷的规划还有不对的地方，要改好"
    step = steps.volume_step(point.volume, phase)
    choices = wish_choices(step) if phase == "outline" and planned.wishes else ()
    return Next(step, reason, recorded=phase == "validate", choices=choices)


def _volume_review(point: Checkpoint, reason: str) -> Next:
    """Return the volume's review; no agent works at it, so it is `recorded`."""
    return Next(steps.volume_step(point.volume, "review"), reason, recorded=True)


def _writing(point: Checkpoint, planned: Planned) -> Next:
    if not planned.outline or planned.end is None:
        return _planning(point, planned, f"第 {point.volume} 卷还没有大纲")
    if point.last + 1 > planned.end:
        return _volume_review(point, f"第 {point.volume} 卷的大纲只到第 {planned.end} 章，已经写完")
    return _next_phase(point.last + 1, "draft", f"接着写第 {point.last + 1} 章")


def may_advance(
    point: Checkpoint, step: Step, due: Next, handed_out: str | None, staged: Staged | None
) -> bool:
    """Tell whether a chapter's step may advance: it is the next one, or was before its outputs were there.

    `next` names the following step as soon as a draft or a summary is written, so these advance at the stages
    where they are made. Another step advances when it was handed out last (`handed_out`, a step's name) and
    would be due without its outputs.
    """
    if due.step == step:
        return True
    if staged is None or point.inflight is None or step != steps.chapter_step(point.inflight, step.phase):
        return False
    if handed_out == str(step):
        return next_in_chapter(point, point.inflight, without_outputs(staged, step.phase)).step == step
    if step.phase == "draft":
        return point.stage == "drafting" and not staged.recorded
    if step.phase == "refine" and point.stage == "drafted":  # the author may have refined it himself
        return staged.recorded and staged.changed
    if step.phase == "summarize" and staged.chapter:
        return point.stage == "drafting" or (point.stage == "revising" and staged.verdict is None)
    return False


def may_advance_plan(step: Step, due: Next, handed_out: str | None) -> bool:
    """Tell whether a planning step may advance: it is the next one, comes before it, or was handed out last.

    `next` names the following step as soon as a step's outputs are there, so a step before it in the same
    setup or volume may advance too. None may while the next step waits for the author.
    """
    if due.step is None or due.step == step or handed_out == str(step):
        return due.step is not None
    phases = steps.SETUP_PHASES if step.kind == "setup" else steps.VOLUME_PHASES
    same = (due.step.kind, due.step.number) == (step.kind, step.number)
    return same and phases.index(step.phase) < phases.index(due.step.phase)


def without_outputs(staged: Staged, phase: str) -> Staged:
    """Return the outputs as they were in staging before the agent of this phase wrote."""
    if phase == "draft":
        return staged._replace(chapter=False)
    if phase == "summarize":
        return staged._replace(recorded=False)
    if phase == "judge":
        return staged._replace(verdict=None)
    if phase in ("revise", "polish") and staged.verdict is not None:
        return staged._replace(verdict=staged.verdict._replace(fresh=True))
    return staged
