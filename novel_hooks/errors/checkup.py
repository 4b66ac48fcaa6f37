"""Refusals and findings of `novel doctor` and its report."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, FINDINGS, REFUSED, Problem


class ChapterBeyond(Problem, code="CHAPTER_BEYOND_CHECKPOINT", exit=DAMAGED):
    """Files of a chapter after the checkpoint's last one.

    A landing of another layout was cut off, or files were mixed up.
    """

    message = (
        "进度只到第 {last} 章，却已经有第 {chapter} 章的{there}{missing}。"
        "像是别的版本或别的工具入库到一半就中断了，写作助手没有替你猜。"
    )
    fix = "请先把整个项目复制一份留底，再从备份取回 {checkpoint}，或把第 {chapter} 章的这些文件移到项目外面。"


class CheckpointEdited(Problem, code="CHECKPOINT_EDITED", exit=FINDINGS, severity="warning"):
    """The checkpoint is not as `novel` wrote it last."""

    message = "进度文件 {path} 在写作助手之外被改过。"
    fix = "不是你自己改的话，请先把现在的 {path} 复制一份留底，再从备份取回。"


class DeltasSkipped(Problem, code="STATE_DELTAS_SKIPPED", exit=DONE, severity="info"):
    """The author let these chapters land without their delta."""

    message = "第 {chapters} 章入库时跳过了状态增量，故事状态里没有它们的变化。"
    fix = "想补记的话，请运行 `novel sync {first}`，从最早的一章补起。"


class LogTailOpen(Problem, code="LOG_TAIL_OPEN", exit=FINDINGS, severity="warning"):
    """The last line of a `.jsonl` file is whole, but its line end is missing."""

    message = "{path} 的最后一行没有换行，内容是完整的。"
    fix = "请运行 `novel doctor --fix` 补上。"


class ThreadOdd(Problem, code="FORESHADOWING_ODD", exit=FINDINGS):
    """A piece of foreshadowing that contradicts itself or the book."""

    message = "伏笔「{name}」{detail}。"
    fix = "请打开 {path}，找到 id 是「{name}」的一条，{how}。"
    cases = {
        "twice": "出现了两次，编号应各不相同\n"
        "就是列表里的第 {one} 条和第 {other} 条：删去其中一条，或给第 {other} 条换一个 id",
        "ahead": "记着第 {chapter} 章的事，而全书只写到第 {last} 章\n{changes}",
        "same entry": "的历史（history）里同一章的同一件事记了两次\n删去其中的{places}",
        "resolved": "在历史里已经收回，状态却是 {status}\n"
        "把状态（status）改成 resolved（已收回）；想接着用这条伏笔，请另写一条，换一个 id",
    }


class ThreadsUntold(Problem, code="FORESHADOWING_DISAGREES", exit=FINDINGS, severity="warning"):
    """The change log has foreshadowing that the facts lack."""

    message = "变更记录里第 {chapters} 章动过伏笔「{name}」，{path} 里却没有记着。"
    fix = "如果不是你自己删改的，请打开 {path}，{how}，往它的历史（history）补上 {entries}。"
    cases = {"known": "在 id 是「{name}」的一条里", "unknown": "添一条 id 是「{name}」的伏笔"}


class ThreadsWaiting(Problem, code="FORESHADOWING_WAITING", exit=FINDINGS, severity="warning"):
    """Foreshadowing that could not be merged when its chapter landed."""

    message = "第 {chapters} 章的伏笔还没有合并进 {path}。"
    fix = "请运行 `novel doctor --fix` 补上；下一章入库时也会自动补。"


class LockLeft(Problem, code="LOCK_LEFT_BEHIND", exit=FINDINGS, severity="warning"):
    """A session lock that nobody uses."""

    message = "留着一把没人用的写作锁：{reason}。"
    fix = "请运行 `novel doctor --fix` 清除它。"


class LockHeld(Problem, code="LOCK_HELD", exit=DONE, severity="info"):
    """Another command is writing, so the checked files may change meanwhile."""

    message = "写作锁{reason}。"
    cases = {
        "alive": "不用处理；它写完会自己归还。",
        "unseen": "看不出它还在不在写；{patience}没有动静就自动失效。"
        "确定没人在写，可以运行 `novel lock clear --force`。",
    }


class LockInFuture(Problem, code="LOCK_IN_FUTURE", exit=FINDINGS, severity="warning"):
    """All dates of a lock lie in the future, and its process cannot be seen.

    So its age does not show that it is stale.
    """

    message = "写作锁上记的时间是{since}，判断不出它还有没有人用。"
    fix = "请先看看别的窗口、别的电脑是不是在写这本书；都没有，就运行 `novel lock clear --force`。"


class BookUnchecked(Problem, code="BOOK_UNCHECKED", exit=FINDINGS, severity="warning"):
    """A landing is pending, so the book is between two states and is not checked."""

    message = "{detail}，书的内容这次没有查。"
    cases = {
        "writing": "另一条命令正在写「{label}」\n请等那条命令结束，再运行 `novel doctor`。",
        "cut off": "上一次「{label}」还没有写完\n请运行 `novel doctor --fix`，会先把它补完。",
    }


class LitterLeft(Problem, code="LITTER_LEFT", exit=FINDINGS, severity="warning"):
    """Litter of a killed command, without use to anybody."""

    message = "{path} 是中断的命令留下的，已经没有用处。"
    fix = "请运行 `novel doctor --fix` 清理。"


_OWN_DOING = "是你自己删掉不要的，运行 `novel accept-changes` 认下，往后不再问。"


class LostFile(Problem, code="LOST_FILE", exit=REFUSED):
    """A file of setting or plans was in the book once, and is absent or blank now."""

    message = "{what} {path} 以前在书里，{detail}{more}。"
    cases = {
        "nowhere": "现在不见了\n请先从备份取回 {path}，原样放回去，再接着写。" + _OWN_DOING,
        "outline": "现在不见了\n请先从备份取回 {path}，原样放回去，再接着写。没有备份，"
        "就照同一卷 chapter-contracts/ 里各章的契约，把已写的和没写的章重新列成大纲，放回这里。",
        "contract": "现在不见了\n请先从备份取回 {path}，原样放回去；{found}没有备份也能接着写，"
        "只是以后要重新记录这几章，得先照大纲补一份。",
        "empty": "现在是空的\n像是同步到一半：请等网盘同步完；还是空的，从备份取回 {path}。" + _OWN_DOING,
        "in the cloud": "现在还在网盘里，没有下载到这台电脑（这里只有 {place}）\n"
        "请在文件管理器里让网盘把它下载下来，等下好了再接着写；下不来，从备份取回 {path}。",
        "elsewhere": "现在不在原处，{place} 像是它\n"
        "请先从备份取回 {path}；没有备份，打开 {place} 看过确实是它，再移回 {path}"
        "（那里现在没有文件，不会盖掉什么）。" + _OWN_DOING,
    }


_APART = "看完把副本移到书的文件夹外面，不要用它盖掉 {original}。"


class StrayCopy(Problem, code="STRAY_COPY", exit=FINDINGS, severity="warning"):
    """A copy that a sync client, an editor, git or a person made of a file of the book."""

    message = "{path} 像是一份副本，写作助手不读它：{detail}。"
    cases = {
        "same": "和 {original} 一字不差\n不影响写作；看着碍眼，把这份副本移到书的文件夹外面。",
        "newer": "和 {original} 不一样，副本改得更晚\n"
        "请打开两份对着看，要留副本里的话，就一段段抄进 {original}；" + _APART,
        "older": "和 {original} 不一样，{original} 改得更晚\n"
        "请打开两份对着看，副本里还有要的话，就一段段抄进 {original}；" + _APART,
        "own newer": "和 {original} 不一样，副本改得更晚\n"
        "不用抄，{original} 由写作助手自己写，不要动它；担心它不对，运行 `novel doctor`。"
        "副本移到书的文件夹外面留着就好。",
        "own older": "和 {original} 不一样，{original} 改得更晚\n"
        "不用管它；看着碍眼，把这份副本移到书的文件夹外面。",
        "folder": "一整个文件夹，{original} 也在\n"
        "请打开两边对着看，副本里还有要的文件，就一份份对照着抄；" + _APART,
        "alone": "本来的 {original} 不在\n"
        "{original} 要是丢了，请先从备份取回；没有备份，打开副本看过确实是它，再改名为 {original}"
        "（现在没有这个文件，不会盖掉什么）。",
        "both": "同一个人的档案 {original} 也在，又在场又退了场\n"
        "请打开两份对着看：他已经退场，就把 {original} 移到书的文件夹外面留着；"
        "还在场，就把 {path} 移到外面。",
        "no original": "书里没有叫这个名字的东西\n"
        "里面有要的内容，请先抄到该在的文件里，再把它移到书的文件夹外面。",
    }


class StrangerInOwn(Problem, code="OWN_FOLDER_STRANGER", exit=FINDINGS, severity="warning"):
    """A place of `novel`'s own holds a file that this version does not know.

    It is named, and nothing is guessed.
    """

    message = "{path} 不是这一版写作助手的东西，像是别的版本或别的工具留下的；没有读它，也没有动它。"
    fix = "如果那个工具曾中断过，请先用它把事做完；不再用它的话，请把 {path} 移到项目外面。"


class OwnPlaceOdd(Problem, code="OWN_PLACE_ODD", exit=DAMAGED):
    """A file, link or folder has the place of something of `novel`'s own that is of another kind."""

    message = "{path} 是写作助手自己的地方，应当是{wanted}，现在却是{kind}；用到它的命令会变慢或被拒绝。"
    fix = "请把它移到书的文件夹外面；原来的{wanted}要是在别处，就原样放回 {path}，没有的话需要时会重新建。"


class OwnFolderLost(Problem, code="OWN_FOLDER_LOST", exit=FINDINGS, severity="warning"):
    """`.novel/` was deleted or emptied after `novel` wrote the checkpoint."""

    message = (
        "{path} 被删掉或清空过，里面的东西没有了：退回时取走的存档、换下来的旧稿、每章的入库记录。"
        "以前的退回不能再取回，已入库的章手改过没有也看不出来。"
    )
    fix = "有备份的话，请把整个 {path} 取回来；没有的话，书本身不受影响，可以接着写。"


class LandedUnrecorded(Problem, code="LANDED_RECORD_NONE", exit=DONE, severity="info"):
    """Landed chapters lack their landed record, between chapters that have one."""

    message = (
        "第 {chapters} 章没有入库记录（{path}）：入库后手改过没有，看不出来；"
        "退回到它们之前时，故事线记忆和伏笔没有底稿可以还原。"
    )
    fix = "有备份的话请取回 {path}；没有也可以接着写，改过正文的章运行 `novel sync 章号` 重新记录。"


class LandedRecordLost(LandedUnrecorded, code="LANDED_RECORD_LOST", exit=FINDINGS, severity="warning"):
    """The newest chapter was landed by `novel` itself, and its landed record is gone."""


class FolderMissing(Problem, code="FOLDER_MISSING", exit=FINDINGS, severity="warning"):
    """A folder of the project is missing."""

    message = "缺少文件夹 {path}。"
    fix = "请运行 `novel doctor --fix` 补上。"


class NotWritable(Problem, code="PLACE_NOT_WRITABLE", exit=FINDINGS):
    """A place of the project that cannot be written to."""

    message = "{path} 不让写入。"
    fix = "请检查 {path} 的权限，让自己能写入。"


class DiskLow(Problem, code="DISK_LOW", exit=FINDINGS, severity="warning"):
    """Little space is left."""

    message = "项目所在的磁盘只剩 {free} MB。"
    fix = "请腾出一些空间；空间不够时写作助手会拒绝入库，不会写坏文件。"


class InterpreterOld(Problem, code="INTERPRETER_OLD", exit=FINDINGS):
    """Python is older than the oldest version that `novel` supports."""

    message = "写作助手运行在 Python {found} 上，需要 {wanted} 或更新的版本。"
    fix = "请安装 Python {wanted} 或更新的版本。"


class OtherNovelFirst(Problem, code="PATH_OTHER_NOVEL", exit=FINDINGS, severity="warning"):
    """The shell would start another `novel` than this one."""

    message = "在命令行里敲 novel，运行的是 {where}，不是这一份写作助手（{ours}）。"
    fix = "请卸载不用的那一份，或把这一份的位置放到 PATH 的前面。"


class GuardNotExecutable(Problem, code="PLUGIN_NOT_EXECUTABLE", exit=FINDINGS):
    """A file of the plugin that the system would not run."""

    message = "插件里的 {what} 没有执行权限，写入边界可能不起作用。"
    fix = "请重新安装写作助手。"


class BundleExists(Problem, code="BUNDLE_EXISTS", exit=REFUSED):
    """A file has the report's name; a report is never written over a file."""

    message = "「{place}」已经存在，没有覆盖它。"
    fix = "请换一个文件名再试。"
