"""A volume's storylines: which are at work, where they meet. Source: protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.volume import Plan

from novel_hooks import layout
from novel_hooks.errors import Problem, VolumeConvergence, VolumeStoryline
from novel_hooks.rules import contract as contracts

MOST = 4
"""Active storylines of one volume."""


def active(plan: Plan) -> Iterator[Problem]:
    """At most four active, each known to the book, and every chapter on one of them."""
    if plan.schedule is None:
        return
    path, schedule = layout.staged(layout.schedule(plan.volume)), contracts.schedule(plan.schedule)
    if plan.schedule.get("volume") not in (None, plan.volume):
        detail = f"volume 写的是 {plan.schedule['volume']}，应是 {plan.volume}"
        yield VolumeStoryline(path, detail=detail, how=f"请把 volume 改成 {plan.volume}。")
    if len(schedule.active) > MOST:
        detail = f"活跃故事线有 {len(schedule.active)} 条，一卷至多 {MOST} 条"
        yield VolumeStoryline(path, detail=detail, how="请把次要的几条移到 dormant_storylines。")
    yield from _unknown(plan, path, schedule)
    for chapter in plan.chapters:
        line = plan.storyline(chapter)
        if line and line not in schedule.active:
            detail = f"第 {chapter} 章的故事线「{line}」不在本卷的活跃故事线里"
            how = f"请在 {path} 的 active_storylines 里加上它，或改第 {chapter} 章的 Storyline。"
            yield VolumeStoryline(plan.outline.path, detail=detail, how=how)


def _unknown(plan: Plan, path: str, schedule: contracts.Schedule) -> Iterator[Problem]:
    """Storylines that `storylines/storylines.json` does not have."""
    meeting = [line for _, involved in schedule.convergences for line in involved]
    for line in dict.fromkeys([*schedule.active, *schedule.dormant, *meeting]):
        if plan.lines is not None and line not in plan.lines:
            how = f"请在 {layout.staged(layout.STORYLINES)} 里定义它，或改好这个代号。"
            yield VolumeStoryline(path, detail=f"故事线「{line}」没有定义", how=how)


def convergences(plan: Plan) -> Iterator[Problem]:
    """Storylines meet inside the volume, and from its beginning towards its end."""
    if plan.schedule is None or not plan.outline.headings:
        return
    path, first, last = layout.staged(layout.schedule(plan.volume)), plan.outline.start, plan.outline.end
    for number, ((start, end), _) in enumerate(contracts.schedule(plan.schedule).convergences, 1):
        if start > end:
            detail = "前后颠倒了"
        elif start < first or end > last:
            detail = f"，超出了本卷（第 {first} 章到第 {last} 章）"
        else:
            continue
        told = {"start": start, "end": end, "first": first, "last": last}
        yield VolumeConvergence(path, number=number, detail=detail, **told)
