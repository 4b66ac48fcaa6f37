"""Refusals and findings of `novel doctor` and its report."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, FINDINGS, REFUSED, Problem


class ChapterBeyond(Problem):
    """Files of a chapter behind the checkpoint: a landing of another layout was cut off, or a mix-up."""

    code = "CHAPTER_BEYOND_CHECKPOINT"
    exit = DAMAGED
    message = (
        "进度只到第 {last} 章，却已经有第 {chapter} 章的{there}{missing}。"
        "像是别的版本或别的工具入库到一半就中断了，写作助手没有替你猜。"
    )
    fix = "请先把整个项目复制一份留底，再从备份取回 {checkpoint}，或把第 {chapter} 章的这些文件移到项目外面。"


class CheckpointEdited(Problem):
    """The checkpoint is not as `novel` wrote it last."""

    code = "CHECKPOINT_EDITED"
    exit = FINDINGS
    severity = "warning"
    message = "进度文件 {path} 在写作助手之外被改过。"
    fix = "不是你自己改的话，请从备份取回 {path}。"


class DeltasSkipped(Problem):
    """Chapters whose delta the author let go."""

    code = "STATE_DELTAS_SKIPPED"
    exit = DONE
    severity = "info"
    message = "第 {chapters} 章入库时跳过了状态增量，故事状态里没有它们的变化。"
    fix = "想补记的话，请运行 `novel sync {first}`，从最早的一章补起。"


class LogTailOpen(Problem):
    """The last line of a `.jsonl` is whole, but its line end is missing."""

    code = "LOG_TAIL_OPEN"
    exit = FINDINGS
    severity = "warning"
    message = "{path} 的最后一行没有换行，内容是完整的。"
    fix = "请运行 `novel doctor --fix` 补上。"


class ThreadOdd(Problem):
    """A piece of foreshadowing that contradicts itself or the book."""

    code = "FORESHADOWING_ODD"
    exit = FINDINGS
    message = "伏笔「{name}」{detail}。"
    fix = "请打开 {path}，找到 id 是「{name}」的一条，{how}。"


class ThreadsUntold(Problem):
    """The change log tells of foreshadowing that the facts do not have."""

    code = "FORESHADOWING_DISAGREES"
    exit = FINDINGS
    severity = "warning"
    message = "变更记录里第 {chapters} 章动过伏笔「{name}」，{path} 里却没有记着。"
    fix = "如果不是你自己删改的，请打开 {path}，{how}。"


class ThreadsWaiting(Problem):
    """Foreshadowing that could not be merged when its chapter landed."""

    code = "FORESHADOWING_WAITING"
    exit = FINDINGS
    severity = "warning"
    message = "第 {chapters} 章的伏笔还没有合并进 {path}。"
    fix = "请运行 `novel doctor --fix` 补上；下一章入库时也会自动补。"


class LockLeft(Problem):
    """A session lock that nobody uses."""

    code = "LOCK_LEFT_BEHIND"
    exit = FINDINGS
    severity = "warning"
    message = "留着一把没人用的写作锁：{reason}。"
    fix = "请运行 `novel doctor --fix` 清除它。"


class LockHeld(Problem):
    """Somebody writes: told, because what is looked at may change."""

    code = "LOCK_HELD"
    exit = DONE
    severity = "info"
    message = "写作锁{reason}。"
    fix = "{how}"


class LockInFuture(Problem):
    """A lock all of whose dates lie ahead, of a process nobody here can see: no age proves it dead."""

    code = "LOCK_IN_FUTURE"
    exit = FINDINGS
    severity = "warning"
    message = "写作锁上记的时间是{since}，判断不出它还有没有人用。"
    fix = "请先看看别的窗口、别的电脑是不是在写这本书；都没有，就运行 `novel lock clear --force`。"


class BookUnchecked(Problem):
    """A landing is not through, so the book is between two states: it is not judged."""

    code = "BOOK_UNCHECKED"
    exit = FINDINGS
    severity = "warning"
    message = "{what}，书的内容这次没有查。"
    fix = "{how}"


class LitterLeft(Problem):
    """The litter of a killed command; of no use to anybody."""

    code = "LITTER_LEFT"
    exit = FINDINGS
    severity = "warning"
    message = "{path} 是中断的命令留下的，已经没有用处。"
    fix = "请运行 `novel doctor --fix` 清理。"


class StrangerInOwn(Problem):
    """Something in `novel`'s places that this version does not know: named, never guessed at."""

    code = "OWN_FOLDER_STRANGER"
    exit = FINDINGS
    severity = "warning"
    message = "{path} 不是这一版写作助手的东西，像是别的版本或别的工具留下的；没有读它，也没有动它。"
    fix = "如果那个工具曾中断过，请先用它把事做完；不再用它的话，请把 {path} 移到项目外面。"


class OwnPlaceOdd(Problem):
    """A file, link or folder where `novel` keeps something of another kind of its own."""

    code = "OWN_PLACE_ODD"
    exit = DAMAGED
    message = "{path} 是写作助手自己的地方，应当是{wanted}，现在却是{kind}；用到它的命令会被拒绝。"
    fix = "请把它移到书的文件夹外面；原来的{wanted}要是在别处，就原样放回 {path}，没有的话需要时会重新建。"


class OwnFolderLost(Problem):
    """`.novel/` was deleted or emptied since `novel` wrote the checkpoint."""

    code = "OWN_FOLDER_LOST"
    exit = FINDINGS
    severity = "warning"
    message = (
        "{path} 被删掉或清空过，里面的东西没有了：退回时取走的存档、换下来的旧稿、每章的入库记录。"
        "以前的退回不能再取回，已入库的章手改过没有也看不出来。"
    )
    fix = "有备份的话，请把整个 {path} 取回来；没有的话，书本身不受影响，可以接着写。"


class LandedUnrecorded(Problem):
    """Landed chapters without a record of their landing, between such that have one."""

    code = "LANDED_RECORD_NONE"
    exit = DONE
    severity = "info"
    message = (
        "第 {chapters} 章没有入库记录（{path}）：入库后手改过没有，看不出来；"
        "退回到它们之前时，故事线记忆和伏笔没有底稿可以还原。"
    )
    fix = "有备份的话请取回 {path}；没有也可以接着写，改过正文的章运行 `novel sync 章号` 重新记录。"


class LandedRecordLost(LandedUnrecorded):
    """The newest chapter landed by `novel` itself, and its record is gone."""

    code = "LANDED_RECORD_LOST"
    exit = FINDINGS
    severity = "warning"


class FolderMissing(Problem):
    """A folder that a project has."""

    code = "FOLDER_MISSING"
    exit = FINDINGS
    severity = "warning"
    message = "缺少文件夹 {path}。"
    fix = "请运行 `novel doctor --fix` 补上。"


class NotWritable(Problem):
    """A place of the project that cannot be written to."""

    code = "PLACE_NOT_WRITABLE"
    exit = FINDINGS
    message = "{path} 不让写入。"
    fix = "请检查 {path} 的权限，让自己能写入。"


class DiskLow(Problem):
    """Little space is left."""

    code = "DISK_LOW"
    exit = FINDINGS
    severity = "warning"
    message = "项目所在的磁盘只剩 {free} MB。"
    fix = "请腾出一些空间；空间不够时写作助手会拒绝入库，不会写坏文件。"


class InterpreterOld(Problem):
    """Python older than what `novel` is made for."""

    code = "INTERPRETER_OLD"
    exit = FINDINGS
    message = "写作助手运行在 Python {found} 上，需要 {wanted} 或更新的版本。"
    fix = "请安装 Python {wanted} 或更新的版本。"


class OtherNovelFirst(Problem):
    """The shell would start another `novel` than this one."""

    code = "PATH_OTHER_NOVEL"
    exit = FINDINGS
    severity = "warning"
    message = "在命令行里敲 novel，运行的是 {where}，不是这一份写作助手（{ours}）。"
    fix = "请卸载不用的那一份，或把这一份的位置放到 PATH 的前面。"


class GuardNotExecutable(Problem):
    """A file of the plugin that the system would not run."""

    code = "PLUGIN_NOT_EXECUTABLE"
    exit = FINDINGS
    message = "插件里的 {what} 没有执行权限，写入边界可能不起作用。"
    fix = "请重新安装写作助手。"


class BundleExists(Problem):
    """A report is never written over a file."""

    code = "BUNDLE_EXISTS"
    exit = REFUSED
    message = "「{place}」已经存在，没有覆盖它。"
    fix = "请换一个文件名再试。"
