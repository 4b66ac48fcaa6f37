"""The steps of a sync: a landed chapter that the author changed by hand is recorded anew.

Source: protocol §2 (`sync:CCC:PHASE`, only at an idle stage, no gate, no revision). The checkpoint stores an
open sync under `sync`, as `{chapter, stage, text_sha256}`.
"""

from __future__ import annotations

from novel_hooks.record import Record
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.next_step import Next, StagedVerdict
from novel_hooks.rules.steps.offered_answers import Choice
from novel_hooks.rules.steps.step_name import SYNC_PHASES, Step

KEY = "sync"
_AFTER = {"summarize": "judge", "judge": "commit"}
_AFTER_OF_BACKLOG = {"summarize": "commit"}


class OpenSync(Record):
    """A sync that has begun and not landed. `stage` is the phase that is due.

    `text_sha256` is the hash of the chapter's text (UTF-8, LF, no BOM) that is being recorded. `left` is None
    for a hand edit. For an adopted chapter, which is recorded for the first time and without a judge, it is
    the number of chapters still to be recorded in this run, this one included.
    """

    chapter: int
    stage: str
    text_sha256: str
    left: int | None = None

    @property
    def what(self) -> str:
        """The work in the author's words: 补记 the first time, else 重新记录."""
        return "重新记录" if self.left is None else "补记"

    def document(self) -> dict[str, object]:
        """Return the sync as the checkpoint stores it; `open_sync` reads it back."""
        told: dict[str, object] = {
            "chapter": self.chapter,
            "stage": self.stage,
            "text_sha256": self.text_sha256,
        }
        return told if self.left is None else {**told, "left": self.left}

    def advanced(self, phase: str) -> OpenSync:
        """Return the sync once this phase, `summarize` or `judge`, is done."""
        return self._replace(stage=(_AFTER if self.left is None else _AFTER_OF_BACKLOG)[phase])


def open_sync(point: Checkpoint) -> OpenSync | None:
    """Return the sync that is open at an idle stage, else None; one of a chapter not landed is ignored."""
    found = point.document.get(KEY)
    if point.active or not isinstance(found, dict):
        return None
    chapter, stage, sha256 = found.get("chapter"), found.get("stage"), found.get("text_sha256")
    whole = isinstance(chapter, int) and not isinstance(chapter, bool) and 1 <= chapter <= point.last
    if not whole or stage not in SYNC_PHASES or not isinstance(sha256, str):
        return None
    left = found.get("left")
    left = left if isinstance(left, int) and not isinstance(left, bool) and left > 0 else None
    return OpenSync(int(chapter or 0), str(stage), sha256, left)


def sync_step(chapter: int, phase: str) -> Step:
    """Return the step of a phase of this chapter's sync."""
    return Step("sync", chapter, phase)


def next_sync_step(sync: OpenSync, changed: bool, recorded: bool, verdict: StagedVerdict | None) -> Next:
    """Return the next step of an open sync.

    `changed`: the chapter's text is no longer the one that the sync began with, so its author answers first.
    `recorded`: the summarizer's four files are in staging. `verdict` is the staged evaluation.
    """
    chapter = sync.chapter
    if changed:
        return Next(
            sync_step(chapter, "summarize"),
            f"第 {chapter} 章的正文在记录期间又改过，等你确认",
            stop=True,
            choices=(
                Choice("restart", "按现在的正文重记", "正文是我改的", f"novel sync {chapter}"),
                Choice("cancel", "不记了", "放弃这次记录", "novel sync --cancel"),
            ),
        )
    if sync.stage == "summarize" or not recorded:
        reason = f"第 {chapter} 章按现在的正文重记摘要与状态"
        if sync.left is not None:
            reason = f"第 {chapter} 章是搬进来的，补记摘要与状态；这一趟还有 {sync.left} 章"
        return Next(sync_step(chapter, "summarize"), reason, recorded=recorded)
    if sync.left is not None:
        return Next(sync_step(chapter, "commit"), f"第 {chapter} 章的记录齐了，可以入库")
    missing = ("primary",) if verdict is None or not verdict.fresh else verdict.missing
    if missing:
        reason = "关键章还差另一位评审的意见" if missing[0] == "secondary" else "改过的正文还没有评审"
        return Next(sync_step(chapter, "judge"), reason, role=missing[0])
    if sync.stage == "judge":
        return Next(sync_step(chapter, "judge"), "评审意见已记下，可以推进", recorded=True)
    return Next(sync_step(chapter, "commit"), f"第 {chapter} 章的新记录齐了，可以入库")
