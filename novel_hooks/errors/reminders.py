"""Reminders of everyday pages: nothing is wrong, and nothing refused. Few, for they are loaded often."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, Problem


class BackupDue(Problem, code="BACKUP_DUE", exit=DONE, severity="info"):
    """Many chapters have landed since the last backup."""

    fix = (
        "运行 `novel backup`，最好写到 U 盘或网盘：`novel backup 文件夹`。"
        "不用提醒的话，`novel config 备份提醒 0`。"
    )
    cases = {
        "never": "已经写了 {count} 章，还没有备份过。",
        "since": "上次备份到第 {until} 章，又写了 {count} 章。",
    }


class HandEdits(Problem, code="SYNC_HAND_EDITS", exit=DONE, severity="info"):
    """Landed files that the author changed since, and that are not recorded anew."""

    message = "入库后手改过、还没有重新记录的：第 {chapters} 章。"
    fix = "不急；得空时运行 `novel sync` 看看改了什么、要不要重记。"


class BacklogWaits(Problem, code="BACKLOG_WAITS", exit=DONE, severity="warning"):
    """Of the last chapters that moved in some are not recorded: who writes on does not know of them."""

    message = "搬进来的最后 {needed} 章里还有 {count} 章没有补记，往下排、往下写的代理不知道里面的事。"
    fix = "请运行 `novel sync --backlog`，再在 Claude Code 里输入 /novel:continue；随时可以停，停了再来。"


class RebuildAdvised(Problem, code="STATE_REBUILD_ADVISED", exit=DONE, severity="warning"):
    """Three or more chapters landed without their delta."""

    message = "已有 {count} 章跳过了状态增量，故事状态可能落后于正文。"
    fix = "请运行 `novel doctor` 看是哪几章，再用 `novel sync 章号` 逐章补记。"
