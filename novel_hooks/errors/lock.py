"""Refusals about locks and about writes outside staging: busy, lost, changed files, a broken seal."""

from __future__ import annotations

from novel_hooks.errors.base import BUSY, DAMAGED, FINDINGS, REFUSED, Problem


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
