"""Files as they are read and written, the journal, the locks, and the fence around staging."""

from __future__ import annotations

from novel_hooks.errors.base import BUG, BUSY, DAMAGED, DONE, FINDINGS, REFUSED, Problem

_OWN_FIX = "请运行 `novel doctor --fix`；它修不了的，再从备份取回 {path}。章节正文没有受影响。"


class TextNotUtf8(Problem):
    """A text file that is not UTF-8; refused with the byte offset and what it may be, never guessed."""

    code = "FILE_NOT_UTF8"
    exit = REFUSED
    message = "{path} 不是 UTF-8 编码（第 {offset} 个字节处读不下去）{likely}。"
    fix = "请用编辑器打开 {path}，字都认得了再另存为 UTF-8；打开是乱码，先在编辑器里换一种编码打开。"


class FileNameNotUtf8(Problem):
    """A file whose name is not UTF-8: no packet can name it. `path` is its folder."""

    code = "FILE_NAME_NOT_UTF8"
    exit = REFUSED
    message = "{path} 里有一个文件的名字不是 UTF-8，读不出来：{name}"
    fix = "请在 {path} 里把它改成看得懂的名字，或者移走，再试一次。"


class JsonBroken(Problem):
    """A file of the author or of an agent that is not JSON."""

    code = "JSON_BROKEN"
    exit = REFUSED
    message = "{path} 第 {line} 行第 {column} 列读不懂：{detail}"
    fix = "请打开 {path}，改正这一处的格式后再试。"


class OwnJsonBroken(JsonBroken):
    """A file that only `novel` writes is not JSON."""

    code = "OWN_FILE_BROKEN"
    exit = DAMAGED
    fix = _OWN_FIX


class LogLineBroken(OwnJsonBroken):
    """A line of a `.jsonl` file that nobody can read; what it told can be told anew."""

    code = "LOG_LINE_BROKEN"
    fix = (
        "请运行 `novel doctor --fix`，读不懂的行会移到 .novel/torn/ 里留存；"
        "再运行 `novel doctor`，有要用 `novel sync` 照正文补记的章，它会一一说出。章节正文没有受影响。"
    )


class YamlBroken(Problem):
    """A file of settings, or the head of a text, that is not YAML."""

    code = "YAML_BROKEN"
    exit = REFUSED
    message = "{path} 第 {line} 行第 {column} 列读不懂：{detail}"
    fix = "请打开 {path}，改正这一处的格式后再试。"


class FileMissing(Problem):
    """A file that this step cannot do without."""

    code = "FILE_MISSING"
    exit = REFUSED
    message = "缺少{what}：{path}"
    fix = "{how}"


class FileBlank(Problem):
    """A file that this step cannot do without, and nothing is written in it."""

    code = "FILE_BLANK"
    exit = REFUSED
    message = "{what}是空的：{path}"
    fix = "{how}"


class FileUnreadable(Problem):
    """The operating system does not let us read it."""

    code = "FILE_UNREADABLE"
    exit = REFUSED
    message = "读不了 {path}：{detail}"
    fix = "请检查 {path} 的读取权限后再试。"


class NotARegularFile(Problem):
    """A link, folder or device where a file should be."""

    code = "FILE_NOT_REGULAR"
    exit = REFUSED
    message = "{path} 不是普通文件（而是{kind}）。"
    fix = "请把 {path} 换成普通文件后再试。"


class NotAFolder(Problem):
    """A file, link or device where a folder should be."""

    code = "FILE_NOT_FOLDER"
    exit = REFUSED
    message = "{path} 应当是文件夹，现在却是{kind}。"
    fix = "请把 {path} 换成真正的文件夹后再试。"


class PathOutside(Problem):
    """A path that would lead out of the project."""

    code = "PATH_OUTSIDE"
    exit = REFUSED
    message = "路径「{path}」指到了项目文件夹外面，没有读写它。"
    fix = "请把这个路径改成项目文件夹里的相对路径。"


class SchemaViolation(Problem):
    """A document that does not have the shape it must have."""

    code = "SCHEMA_VIOLATION"
    exit = REFUSED
    message = "{path} 的内容不合要求：{where} {detail}"
    fix = "请改正 {path} 的「{where}」后再试。"


class OwnFileInvalid(SchemaViolation):
    """A file that only `novel` writes does not have the shape it must have."""

    code = "OWN_FILE_INVALID"
    exit = DAMAGED
    fix = _OWN_FIX


class OwnFileDamaged(Problem):
    """A file that only `novel` writes has a shape that `novel` never gives it."""

    code = "OWN_FILE_DAMAGED"
    exit = DAMAGED
    message = "只由写作助手维护的文件 {path} 被改坏了：{detail}"
    fix = _OWN_FIX


class WriteFailed(Problem):
    """The disk refused a write; nothing was changed."""

    code = "WRITE_FAILED"
    exit = REFUSED
    message = "写不进 {path}：{detail}"
    fix = "请检查磁盘空间和文件夹权限后再试；项目保持原样。"


class WriteNotSynced(WriteFailed):
    """Written, but the disk did not confirm that it would survive a power cut."""

    code = "WRITE_NOT_SYNCED"
    message = "{path} 已经写好，但磁盘没有确认存稳：{detail}"
    fix = "请检查磁盘，再运行 `novel status` 看看进度。"


class DependencyMissing(Problem):
    """A third-party package of ours is not installed."""

    code = "DEPENDENCY_MISSING"
    exit = REFUSED
    message = "写作助手缺少运行所需的组件 {name}。"
    fix = "请重新安装写作助手，或者自行运行 `pip install {name}`。"


class AssetMissing(Problem):
    """Something that comes with the plugin is not where it should be."""

    code = "ASSET_MISSING"
    exit = BUG
    message = "写作助手的安装不完整，缺少 {what}。"
    fix = "请重新安装写作助手。"


class FileChangedMeanwhile(Problem):
    """A file changed between the look and the commit point; nothing was written."""

    code = "FILE_CHANGED_MEANWHILE"
    exit = REFUSED
    message = "{path} 在写入之前被别的程序改动了，这次什么也没有写。"
    fix = "请关掉正在编辑 {path} 的程序，再运行一次刚才的命令。"


class LogTailBroken(Problem):
    """The last line of a `.jsonl` file is cut off."""

    code = "LOG_TAIL_BROKEN"
    exit = DAMAGED
    message = "{path} 的最后一行不完整，没有往后面接着写。"
    fix = "请运行 `novel doctor --fix`，残缺的那一行会移到 .novel/torn/ 里留存。"


class JournalPending(Problem):
    """Past the commit point, not yet through: the next writing command finishes it."""

    code = "JOURNAL_PENDING"
    exit = REFUSED
    message = "「{label}」的内容已经存妥，但还没有全部写到位：{detail}"
    fix = "请检查磁盘空间和文件夹权限，再做一遍刚才的命令，会先把它补完；内容不会丢。"


class JournalConflict(Problem):
    """A destination is neither as it was nor as it should become."""

    code = "JOURNAL_CONFLICT"
    exit = DAMAGED
    message = "要补完「{label}」时，发现 {path} 在中断之后被改动过，为免覆盖，什么也没有写。"
    fix = "请把 {path} 改名或移到项目外面留作备份，再做一遍刚才的命令。"


class JournalTargetShort(Problem):
    """A file that was to be appended to has lost what it held."""

    code = "JOURNAL_TARGET_SHORT"
    exit = DAMAGED
    message = "{path} 比中断之前短了，丢了一部分内容，没有往后面接着写。"
    fix = "请从备份取回 {path}，再做一遍刚才的命令。"


class JournalBroken(Problem):
    """The journal itself cannot be trusted."""

    code = "JOURNAL_BROKEN"
    exit = DAMAGED
    message = "提交日志 {path} 已损坏：{detail}。没有按它写任何内容。"
    fix = "请把 .novel/journal 移到项目外面留作备份，再运行 `novel status` 核对进度。"


class JournalWaits(Problem):
    """A read-only command meets a landing that is not through."""

    code = "JOURNAL_WAITS"
    exit = DONE
    severity = "warning"
    message = "上一次「{label}」还没有写完。"
    fix = "这里看到的是写完以后的样子；下一条会写文件的命令（如 `novel retry` 或继续写作）会先把它补完。"


class CommandWriting(Problem):
    """A read-only command meets a landing that another command, which lives, is about to finish."""

    code = "COMMAND_WRITING"
    exit = DONE
    severity = "info"
    message = "另一条命令正在写：{label}。"
    fix = "不用处理；这里看到的是它写完以后的样子。"


class LockUnsupported(Problem):
    """The file system has no usable lock for a running command."""

    code = "LOCK_UNSUPPORTED"
    exit = REFUSED
    message = "这个磁盘不支持文件锁，无法保证两条命令不会同时写：{detail}"
    fix = "请把小说项目移到本机磁盘上再试。"


class CommandBusy(Problem):
    """Another writing command runs in this project at this moment."""

    code = "LOCK_COMMAND_RUNNING"
    exit = BUSY
    message = "另一条 `novel` 命令正在写这个项目。"
    fix = "请等它结束（通常几秒钟），再运行一次刚才的命令。"


class LockBusy(Problem):
    """Another session holds the chapter."""

    code = "LOCK_BUSY"
    exit = BUSY
    message = "{who}正在写{chapter}（从 {since} 开始），这次什么也没有改动。"
    fix = "请等它写完，或在确认它已经不用之后运行 `novel lock clear --force`。"


class LockLost(Problem):
    """The session's lock was taken away while a command ran."""

    code = "LOCK_LOST"
    exit = BUSY
    message = "写作锁已经被别的会话接管，这次写入停在半途之前。"
    fix = "请运行 `novel status` 看看现在是谁在写，再决定是否继续。"


class LockPathOdd(Problem):
    """Something that is no folder stands in the lock's place."""

    code = "LOCK_PATH_ODD"
    exit = REFUSED
    message = "{path} 应当是写作锁的文件夹，现在却是{kind}。"
    fix = "请把 {path} 移到项目外面，再运行一次刚才的命令。"


class WriteOutsideStaging(Problem):
    """A file outside staging changed after a step was handed out."""

    code = "WRITE_OUTSIDE_STAGING"
    exit = REFUSED
    message = "这一步交出去之后，{path} {what}了{rest}；代理只许写暂存区。"
    fix = "是你自己改的：运行 `novel accept-changes` 认下来，再做一次。不是的话：请把 {path} 恢复原样。"


class RollbackUnwritten(Problem):
    """A rollback to a chapter of a book in which none was written."""

    code = "ROLLBACK_UNWRITTEN"
    exit = REFUSED
    message = "这本书还没有写好的章，没有可以退回去的地方。"
    fix = "请运行 `novel next` 看下一步；想丢开正在写的第一章，运行 `novel rollback 0`。"


class FenceLost(Problem):
    """The marks that a step was handed out with are gone or unreadable."""

    code = "FENCE_LOST"
    exit = DAMAGED
    message = "这一步交出时留下的文件记录 {path} 不见了或读不懂，没法核对暂存区以外有没有被动过。"
    fix = "请自己看一眼书里的文件；没有被动过，就运行 `novel accept-changes`，再做一次。"


class CheckpointSealLost(Problem):
    """The seal of the checkpoint is cut off or changed. The next landing writes it anew."""

    code = "CHECKPOINT_SEAL_LOST"
    exit = FINDINGS
    severity = "warning"
    message = "进度文件的校验记录 {path} 残缺了，看不出进度文件有没有在写作助手之外被改过。"
    fix = "请看一眼 `novel status` 说的进度对不对；对的话不用处理，下次写入时会重新记下。"
