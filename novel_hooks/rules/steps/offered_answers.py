"""The answers that the author is offered where `novel` waits for him: label, reason and command of each.

The stops that he asked for have theirs in `break_points`, those of the budget in `rules.settings.budget`.
Source: protocol §2, §8.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.record import Record
from novel_hooks.rules.steps.step_name import Step

if TYPE_CHECKING:
    from novel_hooks.rules.steps.questions import Question

LABEL = 12
"""The most 字 of a choice's label (protocol §8)."""


class Choice(Record):
    """One possible answer of the author, and the command that carries it out.

    `label` has at most LABEL 字, `why` gives more detail; "" when there is none.
    """

    key: str
    label: str
    why: str
    command: str


def review_choices(chapter: int, outcome: str | None) -> tuple[Choice, ...]:
    """Return the author's answers to a chapter at review, the one first that fits the gate's outcome.

    First is the rewrite after `pause_for_user_force_rewrite`, else the revision.
    """
    accept = Choice("accept", "照现在的样子入库", "这一章就这样，你接受", f"novel decide {chapter} accept")
    revise = Choice(
        "revise", "再修订一轮", "可以附上你的意见", f"novel decide {chapter} revise --note 你的意见"
    )
    rewrite = Choice("rewrite", "整章重写", "现稿会存档", f"novel decide {chapter} rewrite")
    if outcome == "pause_for_user_force_rewrite":
        return rewrite, revise, accept
    return revise, accept, rewrite


def failure_choices(failed: str, chapter: int | None) -> tuple[Choice, ...]:
    """Return the author's answers to a step, `failed`, whose agent failed as often as it may."""
    again = Choice("retry", "再试一次", "从这一步重新做起", "novel retry")
    if not failed.endswith(":summarize") or chapter is None:
        return (again,)
    why = "这一章的变化不进故事状态，之后可以重建"
    return again, Choice("skip-delta", "不记状态，接着写", why, f"novel decide {chapter} skip-delta")


def question_choices(step: Step, asked: Question) -> tuple[Choice, ...]:
    """Return the author's answers to a planner's question: its choices, and words of his own."""
    from novel_hooks.rules.steps.questions import OWN, QUESTION

    command = f"novel answer {step} {asked.id}"
    choices = [Choice(key, label, effect, f"{command} {key}") for key, label, effect in asked.choices]
    if asked.kind == QUESTION:
        choices[0] = choices[0]._replace(why=f"推荐，现在就是照它写的。{choices[0].why}")
    return (*choices, Choice(OWN, "都不合适", "说你自己的想法", f"{command} --note 你的意见"))


def wish_choices(step: Step) -> tuple[Choice, ...]:
    """Return the author's answers before a volume is planned; a host that does not ask goes on."""
    from novel_hooks.rules.steps import questions

    asked = questions.volume_wishes(str(step))
    command = f"novel answer {step} {asked.id}"
    first = [Choice(key, label, why, f"{command} {key}") for key, label, why in asked.choices]
    return (
        *first,
        Choice(questions.OWN, "我有想看到的", "说说这一卷想看到什么", f"{command} --note 你的意见"),
    )
