"""Refusals about a landing: a journal that waits, conflicts or is broken, a command that is still writing."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, REFUSED, Problem


class JournalPending(Problem, code="JOURNAL_PENDING", exit=REFUSED):
    """Past the commit point, not yet through: the next writing command finishes it."""

    message = "「{label}」的内容已经存妥，但还没有全部写到位：{detail}"
    cases = {"cut off": "上次的写入中断了"}
    fix = "请检查磁盘空间和文件夹权限，再做一遍刚才的命令，会先把它补完；内容不会丢。"


class JournalConflict(Problem, code="JOURNAL_CONFLICT", exit=DAMAGED):
    """A destination is neither as it was nor as it should become."""

    message = "要补完「{label}」时，发现 {path} 在中断之后被改动过，为免覆盖，什么也没有写。"
    fix = "请把 {path} 移到项目外面留作备份，再做一遍刚才的命令。"


class JournalTargetShort(Problem, code="JOURNAL_TARGET_SHORT", exit=DAMAGED):
    """A file that was to be appended to has lost what it held."""

    message = "{path} 比中断之前短了，丢了一部分内容，没有往后面接着写。"
    fix = "请先把现在的 {path} 复制一份留底，再从备份取回，然后再做一遍刚才的命令。"


class JournalBroken(Problem, code="JOURNAL_BROKEN", exit=DAMAGED):
    """The journal itself cannot be trusted."""

    message = "提交日志 {path} 已损坏：{detail}。没有按它写任何内容。"
    fix = "请把 .novel/journal 移到项目外面留作备份，再运行 `novel status` 核对进度。"
    cases = {
        "no folder": "它不是文件夹",
        "no manifest": "里面没有 {name}",
        "other format": "看不懂它的格式，可能是别的版本写的",
        "content missing": "缺少必要的内容",
        "file twice": "同一个文件写了两次",
        "entry odd": "有一项看不懂",
        "entry outside": "有一项指到了不该写的地方",
        "entry incomplete": "{name} 的记录不完整",
        "blob incomplete": "{name} 的新内容不完整",
    }


class JournalWaits(Problem, code="JOURNAL_WAITS", exit=DONE, severity="warning"):
    """A read-only command meets a landing that is not through."""

    message = "上一次「{label}」还没有写完。"
    fix = "这里看到的是写完以后的样子；下一条会写文件的命令（如 `novel retry` 或继续写作）会先把它补完。"


class CommandWriting(Problem, code="COMMAND_WRITING", exit=DONE, severity="info"):
    """A read-only command meets a landing that another command, which lives, is about to finish."""

    message = "另一条命令正在写：{label}。"
    fix = "不用处理；这里看到的是它写完以后的样子。"


class RollbackUnwritten(Problem, code="ROLLBACK_UNWRITTEN", exit=REFUSED):
    """A rollback to a chapter of a book in which none was written."""

    message = "这本书还没有写好的章，没有可以退回去的地方。"
    fix = "请运行 `novel next` 看下一步；想丢开正在写的第一章，运行 `novel rollback 0`。"
