"""Landed chapters: their records and logs, going back, hand edits, recording anew."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, FINDINGS, REFUSED, Problem


class LandedMissing(Problem, code="LANDED_FILE_MISSING", exit=DAMAGED):
    """Landed chapters lack their text or a record."""

    message = "第 {chapters} 章已经入库，却找不到{what}（{path}）。"
    fix = "请从备份取回 {path}。{how}"


_DONE_ANEW = (
    "请从备份取回 {path}；{found}没有备份，就运行 `novel sync {chapter}` 照正文重新做一份"
    "（有章写到一半时，先写完它）。"
)


class LandedLost(Problem, code="LANDED_FILE_GONE", exit=REFUSED, severity="warning"):
    """A landed file that the packet would hold is gone."""

    covers = ("LANDED_FILE_MISSING", "LANDED_TEXT_BLANK")  # the first lost one is named, so all are
    message = "第 {chapter} 章的{what} {path} {lost}，这一步的任务包里没有它。"
    fix = _DONE_ANEW


class LandedTextLost(Problem, code="LANDED_TEXT_GONE", exit=DAMAGED):
    """The text of a landed chapter is gone, so it cannot be recorded."""

    told_once = True
    message = "第 {chapters} 章已经入库，正文却不见了（{path}）。"
    fix = "请从备份取回 {path}，原样放回就好；{found}{how}"


class LandedBlank(Problem, code="LANDED_TEXT_BLANK", exit=DAMAGED):
    """A landed text or record is blank now."""

    covers = ("OWN_FILE_BROKEN", "JSON_BLANK")
    message = "第 {chapter} 章已经入库，{what}却是空的：{path}"
    fix = "请等网盘同步完；还是空的，从备份取回 {path}。{how}"


class ChapterTwice(Problem, code="CHAPTER_TWICE", exit=REFUSED):
    """Several files have the number of one landed chapter, and nothing shows which is its text."""

    message = "第 {chapter} 章有 {count} 个文件，不知道哪一个才是正文：{names}"
    fix = "请打开 chapters/ 里的这几个看看，留下要的那一个，别的移到书的文件夹外面。"


class MemoryOfNow(Problem, code="MEMORY_OF_NOW", exit=DONE, severity="warning"):
    """The storyline's memory before a landed chapter is unknown, so its step gets the present memory."""

    message = "第 {chapter} 章入库时没有留下记录，这里的故事线记忆 {path} 是现在的，里面有它之后的事。"
    fix = "请记得它不是写第 {chapter} 章时的样子；照正文补记这一章不受影响。"


class StagedLeftOut(Problem, code="STAGED_LEFT_OUT", exit=DONE, severity="warning"):
    """A staged file that a packet does not need is broken."""

    message = "这一步的任务包里没有 {path}：{reason}"
    fix = "请改好 {path}，或者把它移到书的文件夹外面，再交一次任务包。"


class MemoryLost(Problem, code="MEMORY_GONE", exit=REFUSED, severity="warning"):
    """A storyline's memory is gone, though a chapter of it has landed."""

    message = "故事线「{storyline}」写到过第 {chapter} 章，它的记忆 {path} 却{lost}。"
    fix = _DONE_ANEW


class ThreadsLost(Problem, code="FORESHADOWING_GONE", exit=REFUSED, severity="warning"):
    """The facts of foreshadowing are gone, though the change log has some."""

    message = "{log} 里有 {count} 条伏笔，{path} 却不见了。"
    fix = "请从备份取回 {path}；没有备份时运行 `novel doctor --fix`，会照变更记录重新记一份。"


class CardsMissing(Problem, code="CHARACTER_CARDS_MISSING", exit=FINDINGS, severity="warning"):
    """The state has people without a card."""

    message = "故事状态里有 {count} 个人物在 {path} 里没有档案：{slugs}。"
    fix = "档案丢了的，从备份取回 {path}；本来就没建的，在那里补一份，文件名用上面的编号。"


class LandedBroken(Problem, code="LANDED_RECORD_BROKEN", exit=DAMAGED):
    """A landed record is not as `novel` wrote it."""

    message = "第 {chapter} 章的入库记录 {path} 被改坏了：{detail}。"
    cases = {"unreadable": "读不懂（{cause}）", "changed": "和入库时写下的不一样了", "field": "{fault}"}
    fix = (
        "请运行 `novel doctor --fix`，它会把这份记录移到一边，正文不受影响；"
        "以后退回到第 {chapter} 章之前，会告诉你哪些故事线记忆和伏笔没有底稿可以还原。"
    )


class LandedOdd(Problem, code="LANDED_RECORD_ODD", exit=DAMAGED):
    """Something that is no file has the place of a landed record."""

    message = "第 {chapter} 章的入库记录 {path} 不是普通文件（而是{kind}）。"
    fix = "请把 {path} 移到书的文件夹外面，再运行刚才的命令；这一章就当作没有入库记录，正文不受影响。"


_LOG_BACK = {
    "some lines": "先把现在的 {path} 复制一份留底，再从备份取回",
    "no line": "从备份取回 {path}，原样放回去",
}
"""A log that is gone, or in which nothing stands, cannot be copied first."""


class LogBehindState(Problem, code="LOG_BEHIND_STATE", exit=DAMAGED):
    """The change log ends before the state, so no earlier state can be rebuilt from it."""

    message = "{path} 只记到故事状态的第 {told} 版，现在的状态却是第 {version} 版，推不出更早的状态。"
    fix = "请{how}，然后再运行一次刚才的命令；没有备份时运行 `novel doctor`，它会说怎样补记。"
    cases = _LOG_BACK


class LogBeyond(Problem, code="LOG_BEYOND_CHECKPOINT", exit=DAMAGED):
    """The change log's last line is of a chapter after the checkpoint's last one.

    The next line would not follow it.
    """

    message = "{path} 已经记到第 {chapter} 章，进度却只到第 {last} 章，接不下去。"
    fix = "请运行 `novel doctor`，它会列出第 {chapter} 章还有哪些文件、怎样处理。"


class ChaptersUnlogged(Problem, code="CHANGELOG_CHAPTERS_MISSING", exit=DAMAGED):
    """The change log has no line for some landed chapters, so the state cannot be rebuilt."""

    message = "{path} 里没有第 {chapters} 章的记录，照它重建会丢掉这些章的变化。"
    fix = "请{how}；故事状态和章节正文没有被改动。{anew}"
    cases = _LOG_BACK


class StateDiffers(Problem, code="STATE_DIFFERS", exit=DAMAGED):
    """The state differs from the state that the change log makes."""

    message = "故事状态 {path} 和变更记录对不上：{detail}。"
    fix = "请运行 `novel rebuild state`，按变更记录重建；原来的那份会留存。"
    cases = {
        "gone": "状态文件不见了",
        "unreadable": "读不懂（{fault}）",
        "places": "{places}",
        "log without state": "变更记录写到第 {told} 版，状态文件不见了",
        "log ahead": "变更记录写到第 {told} 版，状态是第 {version} 版",
    }


class RollbackBeyond(Problem, code="ROLLBACK_BEYOND", exit=REFUSED):
    """The author asks for a rollback to a chapter that is not written yet."""

    message = "{detail}。"
    cases = {
        "beyond": "全书只写到第 {last} 章，没有第 {chapter} 章之后可以回去\n"
        "要退到哪一章，就写它的章号，最大是 {last}，0 是一章未写：那一章以后的会取走存档，先给你看一遍。",
        "unwritten": "这本书还没有写好的章，没有可以退回去的地方\n"
        "请运行 `novel next` 看下一步；想丢开正在写的第一章，运行 `novel rollback 0`。",
    }


class MemoryKept(Problem, code="ROLLBACK_MEMORY_KEPT", exit=DONE, severity="warning"):
    """A storyline's memory stays, because a chapter left no earlier text of it."""

    message = "第 {chapters} 章入库时没有留下旧的故事线记忆，{path} 里它们写的内容收不回来，照原样留着。"
    fix = "请打开 {path}，删去讲到这些章的话，再往下写。"


class ContractNotEnded(Problem, code="CONTRACT_NOT_ENDED", exit=DONE, severity="warning"):
    """A chapter ends a character's contract that cannot be found; the chapter lands all the same."""

    message = "照计划，有一条角色的约定到这一章为止，可是{detail}，没有改动任何人的档案。"
    fix = (
        "请看 {path} 里到头的约定（closes）「{name}」说的是谁的哪一条，"
        "再打开那个人在 characters/active/ 里的档案，给这一条写上到哪一章为止（valid_until）：{chapter}。"
    )
    cases = {"unknown": "没有谁的档案里有它", "shared": "不止一个人的档案里有它"}


class ContractEndUnclear(Problem, code="CONTRACT_END_UNCLEAR", exit=DONE, severity="warning"):
    """A planned chapter ends a character's contract that cannot be found.

    It is reported before the chapter is written.
    """

    message = "照 {path}，「{name}」这条约定到这一章为止，可是{detail}，入库时不会有哪条约定到头。"
    fix = "请把 {path} 里到头的约定（closes）「{name}」改成档案里那一条的编号，或去掉它。"
    cases = ContractNotEnded.cases


class ContractEndKept(Problem, code="ROLLBACK_CONTRACT_KEPT", exit=DONE, severity="warning"):
    """A contract's end stays, because its card was changed by the author since or is gone."""

    message = "取走的章曾让 {path} 里的{detail}，这份档案后来改过或移走了，没有替你改回去。"
    cases = {
        "contract": "一条约定到头\n"
        "请看看那一条（{name}）：它还管着，就改到哪一章为止（valid_until）；不管了，不用动。",
        "secret": "秘密说破\n请看看说破的章（secret_out）：秘密还没说破，就去掉它；已经说破了，不用动。",
    }


class ForeshadowingKept(Problem, code="ROLLBACK_FORESHADOWING_KEPT", exit=DONE, severity="warning"):
    """Foreshadowing of a later chapter stays, because no record can take it back."""

    message = "伏笔{names}里还有已取走的章留下的记录，没有底稿可以还原，照原样留着。"
    fix = "请打开 {path}，改好这几条伏笔，再往下写。"


class ArchiveUnknown(Problem, code="ARCHIVE_UNKNOWN", exit=REFUSED):
    """No archive has that name, or several begin with it."""

    message = "{detail}。"
    cases = {
        "many": "不止一个存档以「{name}」开头（{names}）\n{existing}",
        "no number": "没有 {number} 号存档\n{existing}",
        "no name": "没有叫「{name}」的存档\n{existing}",
        "of another": "「{name}」不是写作助手存下的，取不回\n要用它，请打开 {place} 自己看。",
        "of a rebuild": "「{name}」是重建时换下的旧故事状态，不用取回\n"
        "想看旧的，打开 {place} 里的文件；别抄回书里，现在的状态是照变更记录重建的。",
    }


class RestoreRenameLate(Problem, code="RESTORE_RENAME_LATE", exit=REFUSED):
    """The author undoes a rename, and files that it changed were written since."""

    message = "改名以后，其中 {count} 个文件又变了，不能照原样取回。"
    fix = "想改回原来的名字，运行 `novel rename 新名 旧名`。"


class RestoreRenamed(Problem, code="RESTORE_RENAMED", exit=REFUSED):
    """An archive holds a name that was replaced in the whole book since."""

    message = "存档 {name} 是「{old}」改名「{new}」以前留下的，直接取回，书里会新旧两个名字混着。"
    fix = (
        "请依次运行 `novel rename {back}`、`novel restore {number}`、`novel rename {again}`："
        "先改回旧名，取回，再改成新名。"
    )


class ArchiveBroken(Problem, code="ARCHIVE_BROKEN", exit=DAMAGED):
    """The files of an archive are not as they were archived."""

    message = "存档 {name} 不完整：{detail}。这次什么也没有改动。"
    fix = "请从备份取回 .novel/archive/{name}；其中别的文件可以自己打开，对照着抄。"
    cases = {
        "no manifest": "没有清单 manifest.json",
        "other version": "它是别的版本写的",
        "content missing": "清单缺了内容",
        "entry odd": "清单里有一项看不懂",
        "entry outside": "清单里有一项指到了不该写的地方",
        "file changed": "{file} 和存进去的时候不一样了",
    }


class RestoreBaseDiffers(Problem, code="RESTORE_BASE_DIFFERS", exit=REFUSED):
    """The archive rests on chapters that the book does not have any more."""

    message = "存档 {name} 要接在第 {chapter} 章之后，{detail}，接不上。"
    fix = "{first}打开 .novel/archive/{name}，把要的内容对照着抄进书里。"
    cases = {"too short": "现在只写到第 {last} 章", "changed": "而那一章以前的内容后来换过了"}


class ArchiveSkipped(Problem, code="ARCHIVE_SKIPPED", exit=DONE, severity="warning"):
    """A folder among the archives that cannot be read as one."""

    message = "存档 {name} 读不懂，没有列出：{reason}"
    fix = "不影响写作；要用它的话，请从备份取回 .novel/archive/{name}。"


class LandedEdited(Problem, code="LANDED_FILE_EDITED", exit=DONE, severity="info"):
    """A landed file was changed by hand: this is the author's right and no fault."""

    message = "第 {chapter} 章入库之后，{path} 被改过。"
    fix = "只改了几个字就不用管；情节变了的话，请运行 `novel sync {chapter}` 重新记录。"


class SyncNotIdle(Problem, code="SYNC_NOT_IDLE", exit=REFUSED):
    """The author asks to record a landed chapter anew while a chapter is in work."""

    message = "现在不能重新记录第 {chapter} 章：{detail}。"
    cases = {
        "step failed": "有步骤连续失败，等你决定\n请先运行 `novel retry`。",
        "chapter begun": "第 {inflight} 章还在写\n请先写完第 {inflight} 章；手改的内容不会丢。",
        "log broken": "第 {inflight} 章还在写\n"
        "故事记录断在了前面，这一章现在入不了库。请先运行 `novel rollback {last}`，"
        "把写到一半的稿子原样取走存档，记完再从存档里抄回来。",
    }


class SyncNotLanded(Problem, code="SYNC_NOT_LANDED", exit=REFUSED):
    """The author asks to record a chapter anew that has not landed."""

    message = "第 {chapter} 章还没有入库（已入库到第 {last} 章），谈不上重新记录。"
    fix = "请运行 `novel sync` 看看哪些章入库后改过。"


class SyncOpen(Problem, code="SYNC_OPEN", exit=REFUSED):
    """Another chapter is being recorded anew."""

    message = "第 {open} 章正在记录，还没做完。"
    fix = "请先做完它（`novel next`），或用 `novel sync --cancel` 放弃它。"


class SyncNotOpen(Problem, code="SYNC_NOT_OPEN", exit=REFUSED):
    """The step's chapter is not being recorded anew."""

    message = "第 {chapter} 章没有在记录。"
    fix = "要按手改过的正文重新记录，请运行 `novel sync {chapter}`。"


class SyncTextChanged(Problem, code="SYNC_TEXT_CHANGED", exit=REFUSED):
    """The chapter's text changed after its recording began."""

    message = "第 {chapter} 章的正文在记录期间又改过，手头的记录说的不是现在这份。"
    fix = "是作者改的，就运行 `novel sync {chapter}` 按现在的正文重来；不是，请先取回原来的正文。"


class SyncLogLine(Problem, code="SYNC_LOG_LINE", exit=DAMAGED):
    """The change log has no line of the chapter, or several."""

    message = "状态变更日志里第 {chapter} 章有 {count} 行，应该正好一行，状态没法按新的记录重算。"
    fix = "请{how}，然后再运行一次刚才的命令。"
    cases = _LOG_BACK


class SyncNoRecord(Problem, code="SYNC_NO_RECORD", exit=REFUSED):
    """The chapter landed without a landed record."""

    message = "第 {chapter} 章没有留下入库记录，比不出改没改过。"
    fix = "改过正文的话，请运行 `novel sync {chapter}` 重新记录这一章。"


class SyncLaterDropped(Problem, code="SYNC_LATER_DROPPED", exit=DONE, severity="warning"):
    """An operation of a later chapter does not apply any more."""

    message = "第 {chapter} 章的一处状态变更接不上了，先放在一边：{op}（{reason}）"
    fix = "请看看第 {chapter} 章还说不说得通；改了正文就运行 `novel sync {chapter}`。"


class SyncLaterTouched(Problem, code="SYNC_LATER_TOUCHED", exit=DONE, severity="info"):
    """Later chapters may repeat facts that have changed."""

    message = "后面可能要跟着看一眼的章：第 {chapters} 章（同一条故事线，或写到同样的人和物）。"
    fix = "得空时翻一翻；改了哪一章，就对哪一章运行 `novel sync`。"


class SyncThreadKept(Problem, code="SYNC_THREAD_KEPT", exit=DONE, severity="warning"):
    """A thread stays as it is, because its earlier shape is not certain."""

    message = "伏笔{names}在别处改过，或没有底稿，第 {chapter} 章原来记的收不回来，只添上了新的。"
    fix = "请打开 {path}，看看这几条还对不对。"


class SyncStateDiffers(Problem, code="SYNC_STATE_DIFFERS", exit=DONE, severity="warning"):
    """The state differed from the change log before the sync."""

    message = "{path} 与变更日志对不上（多半是手改过），已按日志重算。"
    fix = "原来的那份留在 {kept}，要用里面的内容可以自己抄出来。"
