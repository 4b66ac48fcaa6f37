"""docs/user/menu.md tells every menu there is, as `rules.steps.menu` makes it, and the skill's other
questions."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.settings import budget
from novel_hooks.rules.settings.budget import Passing
from novel_hooks.rules.steps import break_points, menu, next_step, offered_answers, questions, resync_steps
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.next_step import Next, Planned
from novel_hooks.rules.steps.questions import Question

if TYPE_CHECKING:
    from novel_hooks.rules.steps.menu import MenuEntry

ROOT = Path(CHECKOUT)
PAGE = (ROOT / "docs/user/menu.md").read_text(encoding="utf-8")
SKILL = (ROOT / "skills/start/SKILL.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    (part,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, flags=re.M | re.S)
    lines = [line for line in part.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def due(step: str) -> Next:
    return Next(steps.parse(step), "为什么")


def paused(outcome: str) -> tuple[MenuEntry, ...]:
    found = Next(
        steps.chapter_step(12, "review"), "等", stop=True, choices=offered_answers.review_choices(12, outcome)
    )
    return menu.entries(found)


def failed(step: str) -> tuple[MenuEntry, ...]:
    point = checkpoints.initial(1, "ERROR_RETRY").moved("", error={"step": step, "reason": "空的"})
    flying = 12 if step.startswith("chapter") else None
    point = point.moved("", inflight_chapter=flying, pipeline_stage="drafting" if flying else None)
    return menu.entries(next_step.next_step(point, None, None))


def asked(document: dict[str, object]) -> tuple[MenuEntry, ...]:
    found: tuple[Question, ...] = questions.parse_questions(document, "setup:world")
    return menu.entries(
        next_step.next_step(checkpoints.initial(), None, Planned(setup="world", asked=found[0]))
    )


CHOICES = [{"label": "过桥的人", "effect": "人人都恨"}, {"label": "镇上", "effect": "只有镇长恨"}]
QUESTION = {"id": "a", "header": "谁付", "question": "谁付？", "why": "要紧。", "choices": CHOICES}
CONFLICT = {"id": "b", "files": ["brief.md"], "what": "两座桥", "why": "一座"}
MADE = Next(steps.parse("chapter:012:draft"), "", stop=True, choices=break_points.break_choices(12))
PAUSED_BY = {
    scope: MADE._replace(choices=budget.choices(Passing(scope, "tokens", 1, None, 1), 2))
    for scope in (budget.CHAPTER, budget.RUN)
}
BLIND = budget.Uncounted(budget.RUN, "tokens", 2, 9)
RETOLD = resync_steps.OpenSync(3, "summarize", "0" * 64)
SITUATIONS: dict[str, tuple[MenuEntry, ...]] = {
    "这个文件夹里还没有书": menu.NO_PROJECT,
    "正在做初始设定": menu.entries(due("setup:world")),
    "同上，已经搬进来了一些章": menu.entries(due("setup:world"), written=True),
    "该规划第 1 卷": menu.entries(due("volume:01:outline")),
    "该规划第 2 卷": menu.entries(due("volume:02:outline"), written=True),
    "同上，有了故事线，搬进来的章还没有补记": menu.entries(
        due("volume:02:outline"), backlog=True, written=True
    ),
    "正在重排第 2 卷没写的章": menu.entries(due("volume:02:outline"), replanning=True, written=True),
    "可以写第 1 章，或写到一半": menu.entries(due("chapter:001:refine")),
    "可以写以后的一章，或写到一半": menu.entries(due("chapter:012:refine"), written=True),
    "同上，还有入库后手改过的章": menu.entries(due("chapter:012:draft"), edited=True, written=True),
    "同上，改过的设定还牵动着没写的章": menu.entries(due("chapter:012:draft"), touched=True, written=True),
    "同上，搬进来的章还没有补记": menu.entries(due("chapter:012:draft"), backlog=True, written=True),
    "正在重新记录第 3 章": menu.entries(due("sync:003:judge")),
    "正在补记搬进来的第 3 章": menu.entries(
        due("sync:003:summarize"), recording=RETOLD._replace(left=30).what
    ),
    "第 2 卷写完了": menu.entries(due("volume:02:review")),
    "一章修订完还是不过关": paused("pause_for_user"),
    "一章分数太低": paused("pause_for_user_force_rewrite"),
    "你要看的一步做好了": menu.entries(MADE),
    "下一步会超过一章的预算": menu.entries(PAUSED_BY[budget.CHAPTER]),
    "下一步会超过一趟的预算": menu.entries(PAUSED_BY[budget.RUN]),
    "定了预算，花了多少却没有一步记下": menu.entries(MADE._replace(choices=budget.uncounted_choices(BLIND))),
    "一步连着两次没做成": failed("setup:world"),
    "记摘要连着两次没做成": failed("chapter:012:summarize"),
    "记录期间，正文又改过": menu.entries(resync_steps.next_sync_step(RETOLD, True, False, None)),
    "设定或规划里有事要你定": asked({"questions": [QUESTION]}),
    "你给的材料互相矛盾": asked({"conflicts": [CONFLICT]}),
}


def test_every_situation_is_a_row_and_no_other() -> None:
    assert [row[0] for row in rows("现在做什么")] == list(SITUATIONS)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_row_has_the_menu_as_it_is(situation: str) -> None:
    (told,) = [row[1] for row in rows("现在做什么") if row[0] == situation]
    assert told.split(" ／ ") == [entry.label for entry in SITUATIONS[situation]]


def test_no_other_label_can_come() -> None:
    """Over every step and state: what is offered stands on the page, numbers aside."""
    page = {re.sub(r"\d+", "N", label) for _, told in rows("现在做什么") for label in told.split(" ／ ")}
    every = [
        *(f"setup:{phase}" for phase in steps.SETUP_PHASES),
        *(f"volume:07:{phase}" for phase in steps.VOLUME_PHASES),
        *(f"chapter:007:{phase}" for phase in steps.CHAPTER_PHASES if phase != "review"),
        *(f"sync:007:{phase}" for phase in ("summarize", "judge", "commit")),
    ]
    for step, edited, anew, touched in itertools.product(every, *[(False, True)] * 3):
        anew = anew and step.startswith("volume:")
        for entry in menu.entries(due(step), edited=edited, replanning=anew, touched=touched):
            assert re.sub(r"\d+", "N", entry.label) in page, (step, entry)


def test_the_other_questions_are_the_skills() -> None:
    told = [row[1] for row in rows("做的时候还会问")]
    asked_in_words = {question for question in told if question.endswith("？")}
    assert {"可以定下来吗？", "可以翻过这一卷吗？", "改好了吗？"} <= asked_in_words
    for question in asked_in_words:
        assert question in SKILL, question
    by_the_skill = set(re.findall(r"“([^“”]*？)”", SKILL)) - {"现在做什么？"}
    assert by_the_skill == asked_in_words, "and every question of the skill is on the page"


ASKED_FOR = (
    "config ",
    "retire ",
    "rename ",
    "foreshadow drop ",
    "accept-changes ",
    "rollback",
    "restore",
    "replan",
)
"""What the skill runs, and the client asks the author about each time."""


def test_the_skill_may_run_what_the_menu_and_its_own_text_name_and_no_more() -> None:
    """Without a question; what takes something out of the book, and the author's word, the client asks."""
    rules = set(re.findall(r"Bash\(novel ([^)]*) \*\)", SKILL))
    offered = [entry.do for entries in SITUATIONS.values() for entry in entries if entry.kind != "skill"]
    named = [told for told in re.findall(r"`(novel [a-z][^`\n]*)`", SKILL) if len(told.split()) > 2]
    lines = [line[len("novel ") :] for line in (*(do for do in offered if do), *named)]
    lines = [line for line in lines if not line.startswith(ASKED_FOR)]
    assert [line for line in lines if not any(f"{line} ".startswith(f"{rule} ") for rule in rules)] == []
    assert (
        not {
            "rollback",
            "restore",
            "replan",
            "retire",
            "rename",
            "config",
            "lock clear",
            "judge",
            "accept-changes",
        }
        & rules
    )
    spare = {rule for rule in rules if not any(f"{line} ".startswith(f"{rule} ") for line in lines)}
    assert spare == set()
