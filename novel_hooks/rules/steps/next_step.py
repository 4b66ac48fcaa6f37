"""What comes next: the table of protocol §2, as a pure function of checkpoint and files.

The next chapter comes from the checkpoint only, never from any text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.rules.steps.questions import Question

from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.step_name import Step

PAUSES = ("pause_for_user", "pause_for_user_force_rewrite")


class StagedVerdict(Record):
    """The staged evaluation, as far as `next` must know it.

    `missing` are the judges' roles still to be heard; `fresh` says that it was given over the
    staged text as it is now; `stored` is the gate's decision when it was advanced, `outcome` the
    one that the gate gives now; `by_author`: the stored one is his (`decide`).
    """

    missing: tuple[str, ...]
    fresh: bool
    stored: str | None
    outcome: str | None
    accepted: bool = False
    polished: bool = False
    by_author: bool = False


class Staged(Record):
    """What is found in staging for the chapter in flight; each file passed its step's validation.

    `recorded` = summary, delta, crossref and memory all found. `verdict` is None when there is no
    legal evaluation.
    """

    chapter: bool
    recorded: bool
    verdict: StagedVerdict | None


class Planned(Record):
    """What an idle project holds. `end` is the last chapter of the volume in its outline.

    `setup` is the first setup phase whose output is not found (None: all found); `volume_phase`
    the phase of the volume's planning that is due; `faulty`: what is staged for it does not pass. `asked` is
    the first open question of that phase's planner, `decided`: an answer is still to be carried out. `anew`:
    the volume has a plan with chapters to come.
    """

    outline: bool = False
    end: int | None = None
    setup: str | None = None
    volume_phase: str = "outline"
    faulty: bool = False
    asked: Question | None = None
    decided: bool = False
    replan: bool = False


class Choice(Record):
    """One answer that the author may give: what he reads, and the command that does it."""

    key: str
    label: str
    command: str


class Next(Record):
    """`step` None means that nothing goes on before the author chose."""

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
    """The next step. `staged` is needed at an active stage, `planned` at an idle one."""
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
    """The first row that fits, for the chapter in flight."""
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
    if point.stage in ("drafting", "drafted"):
        return _next_phase(chapter, "refine", "正文与记录齐了，该润色")
    return _after_refine(point, chapter, verdict)


def _revising(chapter: int, verdict: StagedVerdict) -> Next:
    if (verdict.stored or verdict.outcome) == "polish":
        return _next_phase(chapter, "polish", "评审建议再润色一遍")
    return _next_phase(chapter, "revise", "作者要求再修订一轮" if verdict.by_author else "评审要求修订")


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
    return _after_gate(chapter, verdict.outcome)


def _after_gate(chapter: int, outcome: str | None) -> Next:
    if outcome == "pass":
        return _next_phase(chapter, "commit", "门控通过")
    if outcome == "polish":
        return _next_phase(chapter, "polish", "门控：分数接近，再润色一遍")
    if outcome == "revise":
        return _next_phase(chapter, "revise", "门控：需要修订")
    return _review(chapter, outcome)


def _review(chapter: int, outcome: str | None) -> Next:
    reason = (
        "门控：分数过低，建议重写，等作者决定"
        if outcome == "pause_for_user_force_rewrite"
        else "门控：自动修订解决不了，等作者决定"
    )
    choices = review_choices(chapter, outcome)
    return Next(steps.chapter_step(chapter, "review"), reason, stop=True, choices=choices)


def review_choices(chapter: int, outcome: str | None) -> tuple[Choice, ...]:
    """What the gate's outcome suggests stands first; without one nothing is suggested."""
    accept = Choice("accept", "接受本章，照现在的样子入库", f"novel decide {chapter} accept")
    revise = Choice(
        "revise", "再修订一轮（可以附上你的意见）", f"novel decide {chapter} revise --note 你的意见"
    )
    rewrite = Choice("rewrite", "整章重写（现稿会存档）", f"novel decide {chapter} rewrite")
    if outcome == "pause_for_user_force_rewrite":
        return rewrite, revise, accept
    return revise, accept, rewrite


def _next_phase(chapter: int, phase: str, reason: str) -> Next:
    return Next(steps.chapter_step(chapter, phase), reason)


def _after_failure(point: Checkpoint) -> Next:
    failed = str(point.error.get("step") or "")
    cause = str(point.error.get("reason") or "原因没有记下")
    choices = [Choice("retry", "再试一次", "novel retry")]
    if failed.endswith(":summarize") and point.inflight is not None:
        choices.append(
            Choice(
                "skip-delta",
                "跳过本章的状态增量，继续写（之后可以重建状态）",
                f"novel decide {point.inflight} skip-delta",
            )
        )
    what = f"「{steps.label(failed)}」连续失败" if failed else "上一步连续失败"
    return Next(None, f"{what}：{cause}", stop=True, choices=tuple(choices))


def _between_chapters(point: Checkpoint, planned: Planned) -> Next:
    if planned.asked is not None:
        return _question(steps.parse(planned.asked.step), planned.asked)
    if point.state in ("INIT", "QUICK_START"):
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
    """The planner's outputs are there, and the author has to decide something first."""
    from novel_hooks.rules.steps.questions import OWN, QUESTION

    command = f"novel answer {step} {asked.id}"
    choices = [
        Choice(key, f"{label}：{effect}" if effect else label, f"{command} {key}")
        for key, label, effect in asked.choices
    ]
    if asked.kind == QUESTION:
        choices[0] = choices[0]._replace(label=f"{choices[0].label}（推荐，现在就是照它写的）")
    choices.append(Choice(OWN, "都不合适，说你自己的想法", f"{command} --note 你的意见"))
    where = f"第 {asked.number} 件，共 {asked.total} 件"
    reason = f"有事要你定（{where}）：{asked.header}。{asked.question} {asked.why}"
    return Next(step, reason, recorded=True, stop=True, choices=tuple(choices))


_PLANNING = {"validate": "的规划写齐了，该核对", "commit": "的规划核对过了，等着入库"}


def _planning(point: Checkpoint, planned: Planned, bare: str) -> Next:
    """outline, validate (nobody works: `recorded`), commit."""
    phase = planned.volume_phase
    reason = f"第 {point.volume} 卷{_PLANNING[phase]}" if phase in _PLANNING else bare
    if phase == "outline" and planned.decided:
        reason = _DECIDED
    if phase == "outline" and planned.faulty:
        reason = f"第 {point.volume} 卷的规划还有不对的地方，要改好"
    return Next(steps.volume_step(point.volume, phase), reason, recorded=phase == "validate")


def _volume_review(point: Checkpoint, reason: str) -> Next:
    """The review is counted, nobody works: `recorded`."""
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
    """May `advance step` go ahead? It is the next one, or was until its outputs were found.

    A draft and a summary are found as soon as they are written, and `next` then names the
    following step; so they are taken at the stages where they are made. Elsewhere the step that
    was handed out last (`handed_out`) is taken, when it would be due without its outputs.
    """
    if due.step == step:
        return True
    if staged is None or point.inflight is None or step != steps.chapter_step(point.inflight, step.phase):
        return False
    if handed_out == str(step):
        return next_in_chapter(point, point.inflight, without_outputs(staged, step.phase)).step == step
    if step.phase == "draft":
        return point.stage == "drafting" and not staged.recorded
    if step.phase == "summarize" and staged.chapter:
        return point.stage == "drafting" or (point.stage == "revising" and staged.verdict is None)
    return False


def may_advance_plan(step: Step, due: Next, handed_out: str | None) -> bool:
    """May `advance` go ahead with a planning step that is open? It is the next one, or was: found already.

    `next` names the following step as soon as a step's outputs are found; a step that was handed out last
    is taken whatever `next` says.
    """
    if due.step is None or due.step == step or handed_out == str(step):
        return due.step is not None
    phases = steps.SETUP_PHASES if step.kind == "setup" else steps.VOLUME_PHASES
    same = (due.step.kind, due.step.number) == (step.kind, step.number)
    return same and phases.index(step.phase) < phases.index(due.step.phase)


def without_outputs(staged: Staged, phase: str) -> Staged:
    """What was found before the step's agent wrote."""
    if phase == "draft":
        return staged._replace(chapter=False)
    if phase == "summarize":
        return staged._replace(recorded=False)
    if phase == "judge":
        return staged._replace(verdict=None)
    if phase in ("revise", "polish") and staged.verdict is not None:
        return staged._replace(verdict=staged.verdict._replace(fresh=True))
    return staged
