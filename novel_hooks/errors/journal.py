"""Refusals about landings and locks: a journal that waits or is broken, a lock that is busy or lost."""

from __future__ import annotations

from novel_hooks.errors.base import BUSY, DAMAGED, DONE, FINDINGS, REFUSED, Problem


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


class LockUnsupported(Problem, code="LOCK_UNSUPPORTED", exit=REFUSED):
    """The file system has no usable lock for a running command."""

    message = "这个磁盘不支持文件锁，无法保证两条命令不会同时写：{reason}"
    fix = "请把小说项目移到本机磁盘上再试。"


class CommandBusy(Problem, code="LOCK_COMMAND_RUNNING", exit=BUSY):
    """Another writing command runs in this project at this moment."""

    message = "另一条 `novel` 命令正在写这个项目。"
    fix = "请等它结束（通常几秒钟），再运行一次刚才的命令。"


class LockBusy(Problem, code="LOCK_BUSY", exit=BUSY):
    """Another session holds the chapter."""

    message = "{who}正在写{chapter}（从 {since} 开始），这次什么也没有改动。"
    fix = "请等它写完，或在确认它已经不用之后运行 `novel lock clear --force`。"


class LockLost(Problem, code="LOCK_LOST", exit=BUSY):
    """The session's lock was taken away while a command ran."""

    message = "写作锁已经被别的会话接管，这次写入停在半途之前。"
    fix = "请运行 `novel status` 看看现在是谁在写，再决定是否继续。"


class LockPathOdd(Problem, code="LOCK_PATH_ODD", exit=REFUSED):
    """Something that is no folder stands in the lock's place."""

    message = "{path} 应当是写作锁的文件夹，现在却是{kind}。"
    fix = "请把 {path} 移到项目外面，再运行一次刚才的命令。"


class WriteOutsideStaging(Problem, code="WRITE_OUTSIDE_STAGING", exit=REFUSED):
    """A file outside staging changed after a step was handed out."""

    message = "这一步交出去之后，{path} {what}了{rest}；代理只许写暂存区。"
    fix = "是你自己改的：运行 `novel accept-changes` 认下来，再做一次。不是的话：请把 {path} 恢复原样。"


class FenceLost(Problem, code="FENCE_LOST", exit=DAMAGED):
    """The marks that a step was handed out with are gone or unreadable."""

    message = "这一步交出时留下的文件记录 {path} 不见了或读不懂，没法核对暂存区以外有没有被动过。"
    fix = "请自己看一眼书里的文件；没有被动过，就运行 `novel accept-changes`，再做一次。"


class CheckpointSealLost(Problem, code="CHECKPOINT_SEAL_LOST", exit=FINDINGS, severity="warning"):
    """The seal of the checkpoint is cut off or changed. The next landing writes it anew."""

    message = "进度文件的校验记录 {path} 残缺了，看不出进度文件有没有在写作助手之外被改过。"
    fix = "请看一眼 `novel status` 说的进度对不对；对的话不用处理，下次写入时会重新记下。"
