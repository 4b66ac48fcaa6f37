"""Refusals about files as they are read and written, about landings that were cut off, and about locks."""

from __future__ import annotations

from novel_hooks.errors.base import BUG, BUSY, DAMAGED, DONE, FINDINGS, REFUSED, Problem

_OWN_FIX = (
    "请{first}先把现在的 {path} 复制一份留底，再从备份取回；没有备份，把它移到书外留着，"
    "再运行 `novel doctor`，它会说还缺什么。"
    "章节正文没有受影响。"
)
_MEND_FIRST = "运行 `novel doctor --fix`；它修不了的，"


class OwnFile(Problem):
    """A fault of a file that only `novel` writes.

    The fix begins with the repair. `doctor` leaves that part out when the repair does not help (`tell_rest`).
    """

    def __init__(self, path: str | None = None, case: str | None = None, **values: object) -> None:
        super().__init__(path, case, **{"first": _MEND_FIRST, **values})

    def tell_rest(self) -> None:
        """Change the fix to its rest, for a fault that the repair does not mend."""
        self.values["first"] = ""


class TextNotUtf8(Problem, code="FILE_NOT_UTF8", exit=REFUSED):
    """A text file is not UTF-8. The refusal gives the byte offset and possible encodings; it guesses none."""

    of_form = True
    message = "{path} 不是 UTF-8 编码（第 {offset} 个字节处读不下去）{likely}。"
    fix = "请用编辑器打开 {path}，字都认得了再另存为 UTF-8；打开是乱码，先在编辑器里换一种编码打开。"


class TextHollow(TextNotUtf8, code="FILE_HOLLOW", exit=REFUSED):
    """A text file has a row of zero bytes: a half-synced file, or one not written out at a power cut."""

    message = "{path} 第 {offset} 个字节起是空的字节，不是文字：像是没有同步完，或者断电时没写完。"
    fix = "请等网盘同步完；还是这样，从备份取回 {path}，再试一次。"


class TextControl(Problem, code="FILE_CONTROL_CHARACTER", exit=FINDINGS):
    """A staged text has a NUL or another control character in the place of an unknown mark."""

    of_form = True
    message = "{path} 第 {line} 行里有一个不是文字的控制字符（{sign}），那里原来是什么看不出来。"
    fix = "请照这一行的意思把那里补好，去掉这个字符。"


class GitConflict(Problem, code="GIT_CONFLICT", exit=REFUSED):
    """A text holds two versions that git could not merge, and nobody has chosen one."""

    of_form = True
    message = "{path} 第 {line} 行起是 git 合并没解决的冲突（{mark}），两个版本混在一起。"
    fix = (
        "请先把 {path} 复制一份留底，再打开它，对着看冲突记号隔开的两份，留下要的，"
        "删去 `<<<<<<<`、`=======`、`>>>>>>>` 这几行记号，再试一次。"
    )


class OwnGitConflict(GitConflict, code="OWN_GIT_CONFLICT", exit=DAMAGED):
    """A file that only `novel` writes holds two versions that git could not merge.

    Its halves do not fit each other.
    """

    fix = (
        "这份文件由写作助手自己写，两边不能拼着留。请先把 {path} 复制一份留底，"
        "再从 git 里整份取回其中一边（或从备份取回），然后运行 `novel doctor`。"
    )


class FileNameNotUtf8(Problem, code="FILE_NAME_NOT_UTF8", exit=REFUSED):
    """The name of a file is not UTF-8, so no packet can name it. `path` is its folder."""

    message = "{path} 里有一个文件的名字不是 UTF-8，读不出来：{name}"
    fix = "请在 {path} 里给它改一个看得懂、又没有别的文件在用的名字，或者把它移到书的文件夹外面，再试一次。"


class JsonBroken(Problem, code="JSON_BROKEN", exit=REFUSED):
    """A file of the author or of an agent that is not JSON."""

    of_form = True
    message = "{path} 第 {line} 行第 {column} 列读不懂：{fault}"
    fix = "请打开 {path}，改正这一处的格式后再试。"


class JsonBlank(JsonBroken, code="JSON_BLANK"):
    """A JSON file of the book is empty: it cannot be repaired, only restored."""

    message = "{path} 是空的：像是没有同步完，或者断电时没写完。"
    fix = (
        "请等网盘同步完；还是空的，从备份取回 {path}。"
        "没有备份，把它移到书外留着，再运行 `novel doctor`，它会说还缺什么。"
    )


class OwnJsonBroken(OwnFile, JsonBroken, code="OWN_FILE_BROKEN", exit=DAMAGED):
    """A file that only `novel` writes is not JSON."""

    fix = _OWN_FIX


class LogLineBroken(OwnJsonBroken, code="LOG_LINE_BROKEN"):
    """A line of a `.jsonl` file cannot be read; its content can be recorded anew."""

    fix = (
        "请运行 `novel doctor --fix`，读不懂的行会移到 .novel/torn/ 里留存；"
        "再运行 `novel doctor`，有要用 `novel sync` 照正文补记的章，它会一一说出。章节正文没有受影响。"
    )


class YamlBroken(JsonBroken, code="YAML_BROKEN"):
    """A file of settings, or the head of a text, that is not YAML."""


class FileMissing(Problem, code="FILE_MISSING", exit=REFUSED):
    """A file that this step needs is missing."""

    message = "缺少{what}：{path}"
    cases = {
        "setting": "丢了的请从备份取回；没写过的，请在 /novel:start 里补好它后再试。",
        "plan": "丢了的请从备份取回；没写过的，请在 /novel:start 的「规划本卷」里补好它后再试。",
        "contract": "契约由情节架构师在规划本卷时写：丢了的从备份取回；"
        "没写过的，请在 /novel:start 的「规划本卷」里补好。",
        "restraint": "它丢了的话，从备份取回 {path}；没有它也能写，只是少了这份约束。",
        "chapter": "请检查章号；还没写的章没有可查的。",
        "typed": "请检查路径。",
        "option": "请检查 {option} 后面的路径。",
        "from here": "请检查 {option} 后面的路径，它从你敲命令的这个文件夹算起。",
        "in the book": "请检查 {option} 后面的路径，它从你敲命令的这个文件夹算起；"
        "书里的那一份，请写成 {option} {inside}。",
    }


class FileBlank(Problem, code="FILE_BLANK", exit=REFUSED):
    """A file that this step needs holds no text."""

    message = "{what}是空的：{path}"
    fix = FileMissing.cases["setting"]


class FileUnreadable(Problem, code="FILE_UNREADABLE", exit=REFUSED):
    """The operating system refuses to let `novel` read a file."""

    message = "读不了 {path}：{reason}"
    fix = "请检查 {path} 的读取权限后再试。"


class NotARegularFile(Problem, code="FILE_NOT_REGULAR", exit=REFUSED):
    """A link, folder or device where a file should be."""

    message = "{path} 不是普通文件（而是{kind}）。"
    fix = "请把这个{kind}移到书的文件夹外面留着；{path} 原来的文件要是还在别处，就放回这里，再试一次。"


class NotAFolder(Problem, code="FILE_NOT_FOLDER", exit=REFUSED):
    """A file, link or device where a folder should be."""

    message = "{path} 应当是文件夹，现在却是{kind}。"
    fix = "请把这个{kind}移到书的文件夹外面留着；原来的文件夹要是还在别处，就放回 {path}，再试一次。"


class PathOutside(Problem, code="PATH_OUTSIDE", exit=REFUSED):
    """A path leads out of the project."""

    message = "路径「{path}」指到了项目文件夹外面，没有读写它。"
    fix = "请把这个路径改成项目文件夹里的相对路径。"


class SchemaViolation(Problem, code="SCHEMA_VIOLATION", exit=REFUSED):
    """A document that does not have the shape it must have."""

    of_form = True
    message = "{path} 的内容不合要求：{where} {fault}"
    fix = "请改正 {path} 的「{where}」后再试。"


class OwnFileInvalid(OwnFile, SchemaViolation, code="OWN_FILE_INVALID", exit=DAMAGED):
    """A file that only `novel` writes does not have the shape it must have."""

    fix = _OWN_FIX


class OwnFileDamaged(OwnFile, code="OWN_FILE_DAMAGED", exit=DAMAGED):
    """A file that only `novel` writes has a shape that `novel` never gives it."""

    message = "只由写作助手维护的文件 {path} 被改坏了：{detail}"
    fix = _OWN_FIX
    cases = {
        "no object": "应是一个对象",
        "no stages": "应是一个带 stages 列表的对象",
        "unlike": "不是本工具写的样子",
        "line ends": "里面有不该有的换行符",
        "last line": "最后一行缺少章号或状态版本",
        "incomplete": "里面的内容不全",
        "line": "第 {line} 行 {fault}",
        "other chapter": "写的是第 {chapter} 章",
        "chapters ahead": "记着第 {chapters} 章，而全书只写到第 {last} 章",
        "text gone": "第 {chapter} 章已入库，正文却不见了",
    }


class WriteFailed(Problem, code="WRITE_FAILED", exit=REFUSED):
    """The disk refused a write; nothing was changed. `store.files.oserror` has the reasons (a full disk)."""

    message = "写不进 {path}：{reason}"
    fix = "请检查磁盘空间和文件夹权限后再试；项目保持原样。"


class WriteNotSynced(WriteFailed, code="WRITE_NOT_SYNCED"):
    """A file was written, but the disk did not confirm that it would survive a power cut."""

    message = "{path} 已经写好，但磁盘没有确认存稳：{reason}"
    fix = "请检查磁盘，再运行 `novel status` 看看进度。"


class LayoutNewer(Problem, code="LAYOUT_NEWER", exit=REFUSED):
    """A file of `novel`'s own has the layout of a later version.

    It is sound, and this version must not change it.
    """

    message = "{path} 是更新的写作助手写的（格式 {found}，这一版只认到 {known}），没有坏，也不能用这一版改。"
    fix = "请把写作助手升级到写它的那一版再继续；这一版不会改动它。"


class DependencyMissing(Problem, code="DEPENDENCY_MISSING", exit=REFUSED):
    """A package that `novel` needs is missing, or does not load."""

    message = "写作助手缺少运行所需的组件 {name}。"
    cases = {
        "built": "请再运行一次刚才的命令：会先把运行环境重新建好，约半分钟，要联网。",
        "given": "NOVEL_PYTHON 指向的 Python 里没有它。请取消这个设置，再运行一次刚才的命令。",
        "pip": "请重新安装写作助手，或者自行运行 `pip install {name}`。",
    }

    def __init__(self, path: str | None = None, case: str = "pip", **values: object) -> None:
        super().__init__(path, case, **values)


class BytecodeTorn(Problem, code="BYTECODE_TORN", exit=REFUSED):
    """A full disk cut a compiled Python module short: it is removed, and Python makes it anew."""

    message = "磁盘满的时候，写作助手自己的一份缓存只写了半截。"
    fix = "缓存已经清掉，写好的一个字没有丢。请先腾出一些磁盘空间，再运行一次刚才的命令。"


class AssetMissing(Problem, code="ASSET_MISSING", exit=BUG):
    """A file of the plugin is not in its place."""

    message = "写作助手的安装不完整，缺少 {what}。"
    fix = "请重新安装写作助手。"


class FileChangedMeanwhile(Problem, code="FILE_CHANGED_MEANWHILE", exit=REFUSED):
    """A file changed between the plan and the commit point; nothing was written."""

    message = "{path} 在写入之前被别的程序改动了，这次什么也没有写。"
    fix = "请关掉正在编辑 {path} 的程序，再运行一次刚才的命令。"


class LogTailBroken(Problem, code="LOG_TAIL_BROKEN", exit=DAMAGED):
    """The last line of a `.jsonl` file is cut off."""

    message = "{path} 的最后一行不完整，没有往后面接着写。"
    fix = "请运行 `novel doctor --fix`，残缺的那一行会移到 .novel/torn/ 里留存。"


class JournalPending(Problem, code="JOURNAL_PENDING", exit=REFUSED):
    """A landing passed its commit point and is not finished: the next writing command finishes it."""

    message = "「{label}」的内容已经存妥，但还没有全部写到位：{detail}"
    cases = {"cut off": "上次的写入中断了"}
    fix = "请检查磁盘空间和文件夹权限，再做一遍刚才的命令，会先把它补完；内容不会丢。"


class JournalConflict(Problem, code="JOURNAL_CONFLICT", exit=DAMAGED):
    """A destination has neither its old nor its new content."""

    message = "要补完「{label}」时，发现 {path} 在中断之后被改动过，为免覆盖，什么也没有写。"
    fix = "请把 {path} 移到项目外面留作备份，再做一遍刚才的命令。"


class JournalTargetShort(Problem, code="JOURNAL_TARGET_SHORT", exit=DAMAGED):
    """A file that a landing appends to is shorter than before."""

    message = "{path} 比中断之前短了，丢了一部分内容，没有往后面接着写。"
    fix = "请先把现在的 {path} 复制一份留底，再从备份取回，然后再做一遍刚才的命令。"


class JournalBroken(Problem, code="JOURNAL_BROKEN", exit=DAMAGED):
    """The journal itself is damaged."""

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
    """A read-only command meets a pending landing."""

    message = "上一次「{label}」还没有写完。"
    fix = "这里看到的是写完以后的样子；下一条会写文件的命令（如 `novel retry` 或继续写作）会先把它补完。"


class CommandWriting(Problem, code="COMMAND_WRITING", exit=DONE, severity="info"):
    """A read-only command meets a landing that another running command is about to finish."""

    message = "另一条命令正在写：{label}。"
    fix = "不用处理；这里看到的是它写完以后的样子。"


class LockUnsupported(Problem, code="LOCK_UNSUPPORTED", exit=REFUSED):
    """The file system has no locks for a running command."""

    message = "这个磁盘不支持文件锁，无法保证两条命令不会同时写：{reason}"
    fix = "请把小说项目移到本机磁盘上再试。"


class CommandBusy(Problem, code="LOCK_COMMAND_RUNNING", exit=BUSY):
    """Another writing command is running in this project."""

    message = "另一条 `novel` 命令正在写这个项目。"
    fix = "请等它结束（通常几秒钟），再运行一次刚才的命令。"


class LockBusy(Problem, code="LOCK_BUSY", exit=BUSY):
    """Another session holds the chapter."""

    message = "{who}正在写{chapter}（从 {since} 开始），这次什么也没有改动。"
    fix = "请等它写完，或在确认它已经不用之后运行 `novel lock clear --force`。"


class LockLost(Problem, code="LOCK_LOST", exit=BUSY):
    """Another session took the session's lock away while a command was running."""

    message = "写作锁已经被别的会话接管，这次写入停在半途之前。"
    fix = "请运行 `novel status` 看看现在是谁在写，再决定是否继续。"


class LockPathOdd(Problem, code="LOCK_PATH_ODD", exit=REFUSED):
    """The lock's place holds something that is no folder."""

    message = "{path} 应当是写作锁的文件夹，现在却是{kind}。"
    fix = "请把 {path} 移到项目外面，再运行一次刚才的命令。"


class WriteOutsideStaging(Problem, code="WRITE_OUTSIDE_STAGING", exit=REFUSED):
    """A file outside staging changed after a step was handed out."""

    message = "这一步交出去之后，{path} {what}了{rest}；代理只许写暂存区。"
    fix = "是你自己改的：运行 `novel accept-changes` 认下来，再做一次。不是的话：请把 {path} 恢复原样。"


class FenceLost(Problem, code="FENCE_LOST", exit=DAMAGED):
    """The marks of the hand-out are gone or unreadable."""

    message = "这一步交出时留下的文件记录 {path} 不见了或读不懂，没法核对暂存区以外有没有被动过。"
    fix = "请自己看一眼书里的文件；没有被动过，就运行 `novel accept-changes`，再做一次。"


class CheckpointSealLost(Problem, code="CHECKPOINT_SEAL_LOST", exit=FINDINGS, severity="warning"):
    """The seal of the checkpoint is cut off or changed; the next landing writes it anew."""

    message = "进度文件的校验记录 {path} 残缺了，看不出进度文件有没有在写作助手之外被改过。"
    fix = "请看一眼 `novel status` 说的进度对不对；对的话不用处理，下次写入时会重新记下。"
