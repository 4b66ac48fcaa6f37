"""Every refusal of `novel`, one class a stable code, in one file to proof-read.

`message` and `fix` are what the author reads: Chinese, his words, one next action. They are
`str.format` templates filled from the keyword values given when the problem is raised.
Exit codes are those of protocol §8.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
from novel_hooks.record import Record

DONE = 0
FINDINGS = 1
USAGE = 2
REFUSED = 3
BUSY = 4
DAMAGED = 5
BUG = 70


class Diagnostic(Record):
    """One line of protocol §8's `diagnostics`; `path` is project-relative or None."""

    severity: str
    code: str
    message: str
    fix: str
    path: str | None


class Problem(Exception):
    """A thing that is wrong. Raise it, or collect it in a list and raise `Problems`."""

    code = "NOVEL_BUG"
    exit = BUG
    severity = "error"
    message = "写作助手自己出了错：{detail}"
    fix = "请把这条信息连同 `novel status` 的输出反馈给开发者；项目文件没有被改动。"

    def __init__(self, path: str | None = None, **values: object) -> None:
        self.path = path
        self.values = {"path": path, **values}
        super().__init__(self.message.format(**self.values))

    def for_its_agent(self) -> bool:
        """A warning that the agent of the step can mend now, and nobody once the chapter has landed."""
        return False

    def diagnostic(self) -> Diagnostic:
        """As protocol §8 prints it."""
        return Diagnostic(
            self.severity,
            self.code,
            self.message.format(**self.values),
            self.fix.format(**self.values),
            self.path,
        )


_TOLD = 3
"""So many of several problems are told where another message quotes them."""


class Problems(Exception):
    """Several problems, found in one look. The gravest decides the exit code."""

    _GRAVITY = (DAMAGED, BUSY, REFUSED, USAGE, FINDINGS)

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        if not self.problems:
            raise ValueError("Problems needs at least one problem")
        told = [str(p) for p in self.problems[:_TOLD]]
        more = len(self.problems) - len(told)
        super().__init__("；".join([*told, *([f"另有 {more} 处问题"] if more else [])]))

    @property
    def exit(self) -> int:
        exits = {p.exit for p in self.problems if p.severity == "error"}
        return next((code for code in self._GRAVITY if code in exits), BUG)

    def diagnostics(self) -> list[Diagnostic]:
        return [p.diagnostic() for p in self.problems]


def refuse(problems: Sequence[Problem]) -> None:
    """Raise when any of them is an error; warnings alone pass."""
    if any(p.severity == "error" for p in problems):
        raise Problems(problems)


# --- the call itself -------------------------------------------------------------------------


class UsageError(Problem):
    """The command line does not say what it should."""

    code = "CLI_USAGE"
    exit = USAGE
    message = "命令写法有误：{detail}"
    fix = "{how}"


class UnknownCommand(Problem):
    """No such command."""

    code = "CLI_UNKNOWN_COMMAND"
    exit = USAGE
    message = "没有「{name}」这个命令。"
    fix = "{how}"


class UnknownStep(Problem):
    """A step id that protocol §2 does not know."""

    code = "STEP_UNKNOWN"
    exit = USAGE
    message = "看不懂步骤「{text}」：{detail}"
    fix = "步骤写作 chapter:007:draft 这样的形式；运行 `novel next` 可以看到当前该做的步骤。"


class NotAProject(Problem):
    """No `.checkpoint.json` here or above."""

    code = "PROJECT_NOT_FOUND"
    exit = REFUSED
    message = "「{place}」和它的上级文件夹里都没有小说项目。"
    fix = "请进入小说项目文件夹再试，或用 `novel init` 新建一个项目。"


class ProjectLost(Problem):
    """Landed chapters but no checkpoint: never a new book."""

    code = "CHECKPOINT_LOST"
    exit = DAMAGED
    message = "项目里已有 {count} 章正文，却找不到进度文件 {path}。"
    fix = (
        "请从备份里取回 {path}。没有备份的话，在这里新建一个空的 {path}，再运行 `novel doctor --fix`；"
        "不要新建项目，以免覆盖已有章节。"
    )


# --- reading files ---------------------------------------------------------------------------


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
    fix = "请运行 `novel doctor --fix`；它修不了的，再从备份取回 {path}。章节正文没有受影响。"


class LogLineBroken(OwnJsonBroken):
    """A line of a `.jsonl` file that nobody can read; what it told can be told anew."""

    code = "LOG_LINE_BROKEN"
    fix = (
        "请运行 `novel doctor --fix`，读不懂的行会移到 .novel/torn/ 里留存；"
        "再运行 `novel doctor`，有要用 `novel sync` 照正文补记的章，它会一一说出。章节正文没有受影响。"
    )


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


class NotARegularFile(Problem):
    """A link, folder or device where a file should be."""

    code = "FILE_NOT_REGULAR"
    exit = REFUSED
    message = "{path} 不是普通文件（而是{kind}）。"
    fix = "请把 {path} 换成普通文件后再试。"


class SchemaViolation(Problem):
    """A document that does not have the shape it must have."""

    code = "SCHEMA_VIOLATION"
    exit = REFUSED
    message = "{path} 的内容不合要求：{where} {detail}"
    fix = "请改正 {path} 的「{where}」后再试。"


class WriteFailed(Problem):
    """The disk refused a write; nothing was changed."""

    code = "WRITE_FAILED"
    exit = REFUSED
    message = "写不进 {path}：{detail}"
    fix = "请检查磁盘空间和文件夹权限后再试；项目保持原样。"


# --- checkpoint, steps -----------------------------------------------------------------------


class CheckpointInconsistent(Problem):
    """Stage and inflight chapter contradict each other."""

    code = "CHECKPOINT_INCONSISTENT"
    exit = DAMAGED
    message = "进度文件里的两项对不上：{detail}"
    fix = "请运行 `novel retry`，写作助手会把进度恢复到一致的位置。"


class StepNotNext(Problem):
    """Only the next step may be advanced, and only a step in work may fail."""

    code = "STEP_NOT_NEXT"
    exit = REFUSED
    message = "现在轮不到「{step}」，当前该做的是「{next}」。"
    fix = "请运行 `novel next` 查看当前步骤，并按它继续。"


class CheckpointBroken(Problem):
    """A field of the checkpoint is missing or illegal."""

    code = "CHECKPOINT_BROKEN"
    exit = DAMAGED
    message = "进度文件 {path} 的「{field}」不对：{detail}。"
    fix = (
        "请运行 `novel doctor --fix`：书里的文件定得出进度就补好它，定不出会说明怎么改。章节正文没有受影响。"
    )


class CheckpointUnsure(Problem):
    """A checkpoint that cannot be read, and files that do not tell for certain where the book stands."""

    code = "CHECKPOINT_UNSURE"
    exit = DAMAGED
    message = "进度文件 {path} 坏了，照书里的文件也定不准进度：{detail}。"
    fix = (
        "请从备份取回 {path}。没有备份的话，把它的内容整个换成下面这一行（不对的数字照实改），"
        "再运行 `novel doctor`：\n{content}"
    )


# --- outline, contract, schedule -------------------------------------------------------------


class OutlineEmpty(Problem):
    """No chapter heading at all: the volume has no bounds."""

    code = "OUTLINE_EMPTY"
    exit = REFUSED
    message = "{path} 里没有一个章标题，无法确定本卷从哪章到哪章。"
    fix = "章标题写作 `### 第 12 章: 章名`。请在 /novel:start 的「规划本卷」里补好大纲后再试。"


class OutlineHeadingNear(Problem):
    """A line that is nearly a heading: neither taken nor lost in silence."""

    code = "OUTLINE_HEADING_NEAR"
    exit = REFUSED
    message = "{path} 第 {line} 行像是章标题，但写法不对：{text}"
    fix = "请把第 {line} 行改成 `{suggestion}`。"


class OutlineNumbering(Problem):
    """Chapter numbers that repeat, are left out, or stand in another order."""

    code = "OUTLINE_NUMBERING"
    exit = REFUSED
    message = "{path} 的章号有{what}：{chapters}。"
    fix = "请改好大纲里的章号和先后，让每章只出现一次、从小到大、中间不断。"


class OutlineChapterMissing(Problem):
    """The chapter has no block in the volume's outline."""

    code = "OUTLINE_CHAPTER_MISSING"
    exit = REFUSED
    message = "{path} 里找不到第 {chapter} 章的大纲。"
    fix = "章标题写作 `### 第 {chapter} 章: 章名`。请在 /novel:start 的「规划本卷」里补好大纲后再试。"


class OutlineBeyond(Problem):
    """The chapter lies outside the volume, by the outline's own range."""

    code = "OUTLINE_BEYOND"
    exit = REFUSED
    message = "第 {chapter} 章不在第 {volume} 卷的大纲里：这一卷是第 {start}-{end} 章（{path}）。"
    fix = "请写这一卷的章号，或用 `novel outline --volume 卷号` 看别的卷。"


class OutlineKeyMissing(Problem):
    """One of the eight key lines is not there, is mistyped, or has no value."""

    code = "OUTLINE_KEY_MISSING"
    exit = REFUSED
    message = "{path} 第 {chapter} 章的大纲{what}「{key}」这一行{seen}。"
    fix = "{how}"


class OutlineKeyTwice(Problem):
    """One of the eight key lines stands more than once in a chapter's block."""

    code = "OUTLINE_KEY_TWICE"
    exit = REFUSED
    message = "{path} 第 {chapter} 章的大纲把「{key}」写了不止一次（第 {lines} 行）。"
    fix = "请只留要用的那一行，别的删掉或并进去。"


class ContractMismatch(Problem):
    """Contract and outline disagree: better to stop than to write the wrong chapter."""

    code = "CONTRACT_MISMATCH"
    exit = REFUSED
    message = "{path} 与大纲对不上：{detail}"
    fix = "请在 /novel:start 的「规划本卷」里改好本章契约或大纲，使两边一致。"


class CharacterDuplicate(Problem):
    """Two active characters with one display name."""

    code = "CHARACTER_DUPLICATE_NAME"
    exit = REFUSED
    message = "有两个角色都叫「{name}」：{first} 和 {path}。"
    fix = "请给其中一个角色改名，让每个显示名只对应一个角色。"


class CharacterIdWrong(Problem):
    """A character's file that is not named by his id: what a chapter says of him would be dropped."""

    code = "CHARACTER_ID_WRONG"
    exit = REFUSED
    message = "{path} 的文件名和代号对不上：{detail}。"
    fix = "{how}"


class CharacterUnknown(Problem):
    """A name in the contract's preconditions that no active character bears."""

    code = "CHARACTER_UNKNOWN"
    exit = REFUSED
    severity = "warning"
    message = "{path} 提到的角色「{name}」没有档案，已略过。"
    fix = "如果这是新角色，请在 characters/active/ 里为他建档。"


# --- flows -----------------------------------------------------------------------------------


class OwnFileDamaged(Problem):
    """A file that only `novel` writes has a shape that `novel` never gives it."""

    code = "OWN_FILE_DAMAGED"
    exit = DAMAGED
    message = "只由写作助手维护的文件 {path} 被改坏了：{detail}"
    fix = "请运行 `novel doctor --fix`；它修不了的，再从备份取回 {path}。章节正文没有受影响。"


class OutputMissing(Problem):
    """A step's output is not in staging."""

    code = "OUTPUT_MISSING"
    exit = FINDINGS
    message = "还没有{what}：{path}"
    fix = "请让{who}把它写到 {path}。"


class OutputBroken(Problem):
    """A step's output is there but cannot be taken."""

    code = "OUTPUT_BROKEN"
    exit = FINDINGS
    message = "{detail}"
    fix = "请让{who}重写 {path}。"


class ChapterNotDue(Problem):
    """A command names a chapter that is not the one in work."""

    code = "CHAPTER_NOT_DUE"
    exit = REFUSED
    message = "现在不能处理第 {chapter} 章：{detail}"
    fix = "请运行 `novel next` 查看当前该做什么。"


class StepNotConducted(Problem):
    """A step of the planning stages, which `novel` does not conduct."""

    code = "STEP_NOT_CONDUCTED"
    exit = REFUSED
    message = "步骤「{step}」不由写作流水线执行。"
    fix = "请在 /novel:start 里完成它，再运行 `novel next`。"


# --- rules: judge ----------------------------------------------------------------------------


class VerdictUnreadable(Problem):
    """What a judge returned is not one JSON object; the raw text is kept."""

    code = "JUDGE_VERDICT_UNREADABLE"
    exit = FINDINGS
    message = "评审的回复读不懂（第 {line} 行第 {column} 列）：{detail}"
    fix = "请让评审重新评一次，只返回一个 JSON 对象；这次的回复已原样留存。"


class VerdictInvalid(Problem):
    """A verdict that cannot be used for a decision (protocol §1, "Valid means")."""

    code = "JUDGE_VERDICT_INVALID"
    exit = FINDINGS
    message = "评审结果不能用：{where} {detail}"
    fix = "请让评审重新评一次本章。"


class VerdictMissing(Problem):
    """The gate needs a verdict that is not there."""

    code = "JUDGE_VERDICT_MISSING"
    exit = REFUSED
    message = "还缺{roles}的评审结果，不能决定本章去留。"
    fix = "请运行 `novel next`，先补上评审。"


class BandsInvalid(Problem):
    """Gate limits that contradict each other."""

    code = "GATE_BANDS_INVALID"
    exit = REFUSED
    message = "评分分档的设置不对：{detail}"
    fix = "请改成从高到低的四个分数，例如 4.0、3.5、3.0、2.0；修订次数写不小于 0 的整数。"


# --- rules: delta ----------------------------------------------------------------------------


class DeltaMismatch(Problem):
    """A staged delta that does not belong to this chapter or this state."""

    code = "DELTA_MISMATCH"
    exit = FINDINGS
    message = "{path} 与本章对不上：{where} {detail}"
    fix = "请让记录员按本章任务包重写 {path}。"


class StateBroken(Problem):
    """A state that has no usable version: only `novel` writes it."""

    code = "STATE_BROKEN"
    exit = DAMAGED
    message = "{path} 的「{where}」不对，无法在它上面继续记录。"
    fix = "请运行 `novel rebuild state`，按变更记录重建它；章节正文没有受影响。"


class ChangelogBroken(Problem):
    """A change log from which the state cannot be rebuilt."""

    code = "CHANGELOG_BROKEN"
    exit = DAMAGED
    message = "{path} 第 {line} 行接不上：{detail}"
    fix = "请从备份里取回 {path} 后再试；章节正文没有受影响。{how}"


class CrossrefMismatch(Problem):
    """A cross-reference report that contradicts itself or the chapter."""

    code = "CROSSREF_MISMATCH"
    exit = FINDINGS
    message = "串线检测与本章对不上：{where} {detail}"
    fix = "请让记录员按本章任务包重写串线检测。"


class CrossrefUnknownStoryline(CrossrefMismatch):
    """It names a storyline that the volume's schedule does not have."""

    code = "CROSSREF_STORYLINE_UNKNOWN"
    severity = "warning"
    message = "串线检测提到的故事线「{storyline}」不在本卷安排里（{where}）。"
    fix = "请核对故事线名字；如果确实要用这条线，请把它加进本卷的故事线安排。"


# --- rules: foreshadowing --------------------------------------------------------------------


class ForeshadowingBroken(Problem):
    """A foreshadowing file of a shape that cannot be merged into or read."""

    code = "FORESHADOWING_BROKEN"
    exit = REFUSED
    message = "伏笔文件 {path} 不能用：{detail}"
    fix = '请打开 {path}，把它改成 {{"foreshadowing": [ … ]}}，其中每一条都是带 id 的对象，再试一次。'


class ForeshadowingOpDropped(Problem):
    """One foreshadow op that is no fact: dropped, the others stand."""

    code = "FORESHADOWING_OP_DROPPED"
    exit = FINDINGS
    severity = "warning"
    message = "伏笔变更「{name}：{action}」没有记入：{detail}"
    fix = "如果正文里确实写到了这条伏笔，请在 {path} 里补记；否则不用处理。"


class ForeshadowingPlanUnread(Problem):
    """The volume's plan could not be read, so nothing was filled in from it."""

    code = "FORESHADOWING_PLAN_UNREAD"
    exit = FINDINGS
    severity = "warning"
    message = "本卷的伏笔计划不能用（{detail}），这次没有用它补全伏笔资料。"
    fix = '请把伏笔计划改成 {{"foreshadowing": [ … ]}}，其中每一条都是带 id 的对象。'


# --- rules: prose ----------------------------------------------------------------------------


class TextEmpty(Problem):
    """A staged text without a body."""

    code = "TEXT_EMPTY"
    exit = FINDINGS
    message = "{path} 里没有{what}内容。"
    fix = "请重新写出{what}，再继续。"


class HeadingWrong(Problem):
    """The chapter's heading carries another number."""

    code = "CHAPTER_HEADING_WRONG"
    exit = FINDINGS
    message = "{path} 的标题写的是第 {found} 章，而现在写的是第 {chapter} 章。"
    fix = "请把首行改成 `# 第 {chapter} 章 章名`。"


class HeadingMissing(Problem):
    """The chapter does not start with its heading."""

    code = "CHAPTER_HEADING_MISSING"
    exit = FINDINGS
    severity = "warning"
    message = "{path} 的首行不是本章标题。"
    fix = "请在首行写上 `# 第 {chapter} 章 章名`。"


class SummaryTooLong(Problem):
    """A summary longer than the craft allows."""

    code = "SUMMARY_TOO_LONG"
    exit = FINDINGS
    severity = "warning"
    message = "摘要有 {count} 字，超过 {limit} 字。"
    fix = "请把 {path} 压到 {limit} 字以内。"


class MemoryTooLong(Problem):
    """A storyline's memory over its limit (protocol §1)."""

    code = "MEMORY_TOO_LONG"
    exit = FINDINGS
    message = "故事线记忆有 {count} 字，超过 {limit} 字。"
    fix = "请把 {path} 压到 {limit} 字以内，先删已了结的事。"


# --- store -----------------------------------------------------------------------------------


class PathOutside(Problem):
    """A path that would lead out of the project."""

    code = "PATH_OUTSIDE"
    exit = REFUSED
    message = "路径「{path}」指到了项目文件夹外面，没有读写它。"
    fix = "请把这个路径改成项目文件夹里的相对路径。"


class NotAFolder(Problem):
    """A file, link or device where a folder should be."""

    code = "FILE_NOT_FOLDER"
    exit = REFUSED
    message = "{path} 应当是文件夹，现在却是{kind}。"
    fix = "请把 {path} 换成真正的文件夹后再试。"


class FileUnreadable(Problem):
    """The operating system does not let us read it."""

    code = "FILE_UNREADABLE"
    exit = REFUSED
    message = "读不了 {path}：{detail}"
    fix = "请检查 {path} 的读取权限后再试。"


class WriteNotSynced(WriteFailed):
    """Written, but the disk did not confirm that it would survive a power cut."""

    code = "WRITE_NOT_SYNCED"
    message = "{path} 已经写好，但磁盘没有确认存稳：{detail}"
    fix = "请检查磁盘，再运行 `novel status` 看看进度。"


class LockUnsupported(Problem):
    """The file system has no usable lock for a running command."""

    code = "LOCK_UNSUPPORTED"
    exit = REFUSED
    message = "这个磁盘不支持文件锁，无法保证两条命令不会同时写：{detail}"
    fix = "请把小说项目移到本机磁盘上再试。"


class DependencyMissing(Problem):
    """A third-party package of ours is not installed."""

    code = "DEPENDENCY_MISSING"
    exit = REFUSED
    message = "写作助手缺少运行所需的组件 {name}。"
    fix = "请重新安装写作助手，或者自行运行 `pip install {name}`。"


class YamlBroken(Problem):
    """A file of settings, or the head of a text, that is not YAML."""

    code = "YAML_BROKEN"
    exit = REFUSED
    message = "{path} 第 {line} 行第 {column} 列读不懂：{detail}"
    fix = "请打开 {path}，改正这一处的格式后再试。"


# --- journal ---------------------------------------------------------------------------------


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


# --- lock ------------------------------------------------------------------------------------


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


class ConfigKeyUnknown(Problem):
    """A key that `novel.yaml` does not have."""

    code = "CONFIG_KEY_UNKNOWN"
    exit = REFUSED
    message = "{path} 里有不认识的设置「{key}」。"
    fix = "{how}请改正或删掉这一行。"


class ConfigValue(Problem):
    """A setting whose value cannot be used."""

    code = "CONFIG_VALUE"
    exit = REFUSED
    message = "{path} 的「{key}」不对：{detail}。"
    fix = "请改正 {path} 的「{key}」后再试。"


class PriceUnmatched(Problem):
    """A price for a model that there is not: nothing will ever be counted by it."""

    code = "PRICE_UNMATCHED"
    exit = DONE
    severity = "warning"
    message = "{path} 的「prices.{model}」对不上任何模型，这个价钱不会用到。"
    fix = "是不是想写「{meant}」？请改正这个名字；不改也不影响写作，只是花费算不出来。"


class RoleNotDue(Problem):
    """A verdict of a judge who was not asked."""

    code = "JUDGE_ROLE_NOT_DUE"
    exit = REFUSED
    message = "第 {chapter} 章现在不等「{role}」的评审：{detail}"
    fix = "请运行 `novel next` 查看当前该做什么。"


class DecisionLanded(Problem):
    """The author decides on a chapter that has landed."""

    code = "DECISION_LANDED"
    exit = REFUSED
    message = "第 {chapter} 章已经入库，不能再用 `novel decide` 决定。"
    fix = (
        "要整章重写：`novel rollback {before}` 退回到它之前（取走的都存档），再写；"
        "只改正文：直接改 {path}，再运行 `novel sync {chapter}`。"
    )


class DecisionNotDue(Problem):
    """The author answers a question that was not asked."""

    code = "DECISION_NOT_DUE"
    exit = REFUSED
    message = "第 {chapter} 章现在没有要你决定的事：{detail}"
    fix = "请运行 `novel next` 查看当前该做什么。"


class NothingToRetry(Problem):
    """`retry` without an error state or a contradiction."""

    code = "RETRY_NOTHING"
    exit = REFUSED
    message = "进度一切正常，没有要重试的步骤。"
    fix = "请运行 `novel next` 继续。"


class GateClosed(Problem):
    """Commit without a pass."""

    code = "GATE_NOT_PASSED"
    exit = REFUSED
    message = "第 {chapter} 章还不能入库：{detail}"
    fix = "请运行 `novel next` 查看当前该做什么。"


class NoEvaluation(Problem):
    """The gate has nothing to decide over."""

    code = "EVALUATION_MISSING"
    exit = FINDINGS
    message = "第 {chapter} 章还没有有效的评审，门控无从判断。"
    fix = "请先完成评审这一步（`novel next`）。"


class ProjectExists(Problem):
    """`init` never overwrites."""

    code = "PROJECT_EXISTS"
    exit = REFUSED
    message = "「{place}」里已经有{what}，没有做任何改动。"
    fix = "请换一个空文件夹，或进入这个项目用 `novel status` 继续。"


class EntitiesUnread(Problem):
    """Lines of the unknown-entities log that nobody can read: new ones are added all the same."""

    code = "ENTITIES_UNREAD"
    exit = DONE
    severity = "warning"
    message = "{path} 有 {count} 行读不懂，没有动它们，别的照常记下。"
    fix = "请运行 `novel doctor --fix`，读不懂的行会移到 .novel/torn/ 里留存。"


class EntitiesUnkept(Problem):
    """The unknown-entities log is no file that can be added to; the chapter lands without it."""

    code = "ENTITIES_UNKEPT"
    exit = DONE
    severity = "warning"
    message = "{path} 写不进去（{detail}），这一章照常入库，只是没有档案的名字没记下：{names}。"
    fix = "请把 {path} 移开，往后的章会重新记；这些名字里会再出现的人，请在 characters/active/ 里为他建档。"


class UnregisteredEntities(Problem):
    """Three or more mentions that nobody registered (seed 000 Step 3.6)."""

    code = "ENTITIES_UNREGISTERED"
    exit = DONE
    severity = "warning"
    message = "已有 {count} 个名字没有档案：{names}。"
    fix = "有空时运行 `novel entities` 看看；会再出现的人，请在 characters/active/ 里为他建档，写手才记得住。"


class ForeshadowingSkipped(Problem):
    """The chapter landed, its foreshadowing did not."""

    code = "FORESHADOWING_SKIPPED"
    exit = DONE
    severity = "warning"
    message = "本章已入库，但伏笔没有合并进 {path}：{detail}"
    fix = "请改好 {path}；下一章入库时会自动补上这一章的伏笔。"


class AssetMissing(Problem):
    """Something that comes with the plugin is not where it should be."""

    code = "ASSET_MISSING"
    exit = BUG
    message = "写作助手的安装不完整，缺少 {what}。"
    fix = "请重新安装写作助手。"


class EvidenceNote(Problem):
    """Something in a verdict that does not block, but that the author should see."""

    code = "EVALUATION_NOTE"
    exit = DONE
    severity = "warning"
    message = "{detail}"
    fix = "不影响继续；如果你觉得评审判错了，可以运行 `novel gate {chapter}` 查看理由。"


# --- schema ----------------------------------------------------------------------------------


class OwnFileInvalid(SchemaViolation):
    """A file that only `novel` writes does not have the shape it must have."""

    code = "OWN_FILE_INVALID"
    exit = DAMAGED
    fix = "请运行 `novel doctor --fix`；它修不了的，再从备份取回 {path}。章节正文没有受影响。"


class DeltaOpDropped(Problem):
    """One operation of a delta that could not be applied; the others were."""

    code = "DELTA_OP_DROPPED"
    exit = DONE
    severity = "warning"
    message = "状态增量里有一条没有采用（{op}）：{reason}"
    fix = "正文和别的记录不受影响。要补上这一条，请运行 `novel sync {chapter}` 重新记录这一章。"


class DeltaOpUseless(Problem):
    """One operation of a staged delta that its landing would drop."""

    code = "DELTA_OP_USELESS"
    exit = FINDINGS
    severity = "warning"
    message = "{path} 的 {where}（{op}）入库时不会采用：{reason}"
    fix = (
        "请让记录员改好这一条；不改，其余的照常入库，这一条就没有了。"
        "入库以后要补，请运行 `novel sync {chapter}` 重新记录这一章。"
    )

    def for_its_agent(self) -> bool:
        return True


class RebuildAdvised(Problem):
    """Three or more chapters landed without their delta."""

    code = "STATE_REBUILD_ADVISED"
    exit = DONE
    severity = "warning"
    message = "已有 {count} 章跳过了状态增量，故事状态可能落后于正文。"
    fix = "请运行 `novel doctor` 看是哪几章，再用 `novel sync 章号` 逐章补记。"


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


# --- flows: judging --------------------------------------------------------------------------


class EvaluationUnusable(Problem):
    """An evaluation that is broken, of another text, or without the second judge's verdict."""

    code = "EVALUATION_UNUSABLE"
    exit = FINDINGS
    message = "第 {chapter} 章的评审还不能用：{detail}"
    fix = "请让评审重新评一次本章，再用 `novel judge record` 记下它的回复。"


# --- audit -----------------------------------------------------------------------------------


class AuditLinesSkipped(Problem):
    """Lines of the audit log that are no JSON: cut off by a power failure, or edited."""

    code = "AUDIT_LINES_SKIPPED"
    exit = DONE
    severity = "warning"
    message = "{path} 里有 {count} 行读不懂（最早的是第 {first} 行），已跳过。"
    fix = "不影响写作，其余各行照常可看；把读不懂的行删去，就不再提醒。"


class ChapterLength(Problem):
    """A chapter outside the length that `novel.yaml` wants."""

    code = "CHAPTER_LENGTH"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章有 {chars} 字，想要的是 {least} 到 {most} 字，{off}。"
    fix = "{how}不改也能继续。作者要的就是这样的篇幅，请改 novel.yaml 里的 chapter_chars。"

    def for_its_agent(self) -> bool:
        return bool(self.values.get("stub"))


class ChapterUnchanged(Problem):
    """A revision or a second polish that left the judged text as it was, byte for byte."""

    code = "CHAPTER_UNCHANGED"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章这一遍{what}一个字也没有改，{path} 还是评审看过的那一稿。"
    fix = "请{who}照必改的意见再做一遍，或者自己动手改 {path}；不改也能继续，{then}。"

    def for_its_agent(self) -> bool:
        return True


class ChapterRetouched(Problem):
    """A refiner changed more of the text than he may; a polished text is not judged again."""

    code = "CHAPTER_RETOUCHED"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章这一遍润色动了约 {share}% 的字，说好的是不超过 {most}%。"
    fix = "不影响继续。请对照润色前的稿子 {before} 看一眼，要紧的地方有没有被改掉。"


class WriteOutsideStaging(Problem):
    """A file outside staging changed after a step was handed out."""

    code = "WRITE_OUTSIDE_STAGING"
    exit = REFUSED
    message = "这一步交出去之后，{path} {what}了{rest}；代理只许写暂存区。"
    fix = "是你自己改的：运行 `novel accept-changes` 认下来，再做一次。不是的话：请把 {path} 恢复原样。"


# --- going back ------------------------------------------------------------------------------


class RollbackUnwritten(Problem):
    """A rollback to a chapter of a book in which none was written."""

    code = "ROLLBACK_UNWRITTEN"
    exit = REFUSED
    message = "这本书还没有写好的章，没有可以退回去的地方。"
    fix = "请运行 `novel next` 看下一步；想丢开正在写的第一章，运行 `novel rollback 0`。"


class RollbackBeyond(Problem):
    """A rollback to a chapter that was not written yet."""

    code = "ROLLBACK_BEYOND"
    exit = REFUSED
    message = "全书只写到第 {last} 章，没有第 {chapter} 章之后可以回去。"
    fix = "请运行 `novel rollback N`，N 从 0 到 {last}：第 N 章之后的会取走存档。"


class ConfirmationNeeded(Problem):
    """Something that only the author may decide, and nobody to ask."""

    code = "CONFIRMATION_NEEDED"
    exit = REFUSED
    message = "这一步要你先确认：{what}"
    fix = "确认要做的话，请运行 `{command}`。"


class ChangedWhileAsked(Problem):
    """The book moved on between the question and the answer."""

    code = "CHANGED_WHILE_ASKED"
    exit = REFUSED
    message = "在你确认的时候，这本书又有了变化，这次什么也没有改动。"
    fix = "请再运行一次刚才的命令，看过新的清单再确认。"


class LogBehindState(Problem):
    """The change log does not reach the state, so no earlier state can be rebuilt from it."""

    code = "LOG_BEHIND_STATE"
    exit = DAMAGED
    message = "{path} 只记到故事状态的第 {told} 版，现在的状态却是第 {version} 版，推不出更早的状态。"
    fix = "请从备份取回 {path}，再运行一次刚才的命令；没有备份时运行 `novel doctor`，它会说怎样补记。"


class LogBeyond(Problem):
    """The change log's last line is of a chapter behind the checkpoint: the next one would not follow it."""

    code = "LOG_BEYOND_CHECKPOINT"
    exit = DAMAGED
    message = "{path} 已经记到第 {chapter} 章，进度却只到第 {last} 章，接不下去。"
    fix = "请运行 `novel doctor`，它会列出第 {chapter} 章还有哪些文件、怎样处理。"


class LandedBroken(Problem):
    """A landed record that is not as `novel` wrote it."""

    code = "LANDED_RECORD_BROKEN"
    exit = DAMAGED
    message = "第 {chapter} 章的入库记录 {path} 被改坏了：{detail}。"
    fix = (
        "请运行 `novel doctor --fix`，它会把这份记录移到一边，正文不受影响；"
        "以后退回到第 {chapter} 章之前，会告诉你哪些故事线记忆和伏笔没有底稿可以还原。"
    )


class LandedOdd(Problem):
    """Something else in the place of a landed record."""

    code = "LANDED_RECORD_ODD"
    exit = DAMAGED
    message = "第 {chapter} 章的入库记录 {path} 不是普通文件（而是{kind}）。"
    fix = "请把 {path} 移到书的文件夹外面，再运行刚才的命令；这一章就当作没有入库记录，正文不受影响。"


class MemoryKept(Problem):
    """A storyline's memory of which a chapter left no earlier text."""

    code = "ROLLBACK_MEMORY_KEPT"
    exit = DONE
    severity = "warning"
    message = "第 {chapters} 章入库时没有留下旧的故事线记忆，{path} 里它们写的内容收不回来，照原样留着。"
    fix = "请打开 {path}，删去讲到这些章的话，再往下写。"


class ForeshadowingKept(Problem):
    """Foreshadowing of a later chapter that no record can take back."""

    code = "ROLLBACK_FORESHADOWING_KEPT"
    exit = DONE
    severity = "warning"
    message = "伏笔 {names} 里还有已取走的章留下的记录，没有底稿可以还原，照原样留着。"
    fix = "请打开 {path}，改好这几条伏笔，再往下写。"


class ArchiveUnknown(Problem):
    """No archive, or several, of that name."""

    code = "ARCHIVE_UNKNOWN"
    exit = REFUSED
    message = "{detail}。"
    fix = "{how}"


class ArchiveBroken(Problem):
    """An archive whose files are not what was put into it."""

    code = "ARCHIVE_BROKEN"
    exit = DAMAGED
    message = "存档 {name} 不完整：{detail}。这次什么也没有改动。"
    fix = "请从备份取回 .novel/archive/{name}；其中别的文件可以自己打开、抄回。"


class RestoreBaseDiffers(Problem):
    """What the archive stands on is not there any more."""

    code = "RESTORE_BASE_DIFFERS"
    exit = REFUSED
    message = "存档 {name} 要接在第 {chapter} 章之后，{detail}，接不上。"
    fix = "{how}打开 .novel/archive/{name}，自己抄回要的内容。"


class ArchiveSkipped(Problem):
    """A folder among the archives that cannot be read as one."""

    code = "ARCHIVE_SKIPPED"
    exit = DONE
    severity = "warning"
    message = "存档 {name} 读不懂，没有列出：{detail}"
    fix = "不影响写作；要用它的话，请从备份取回 .novel/archive/{name}。"


# --- doctor ----------------------------------------------------------------------------------


class LandedMissing(Problem):
    """Landed chapters of which the text or a record is gone."""

    code = "LANDED_FILE_MISSING"
    exit = DAMAGED
    message = "第 {chapters} 章已经入库，却找不到{what}（{path}）。"
    fix = "请从备份取回 {path}。{how}"


class LandedGone(Problem):
    """A landed file is gone that the packet would have held."""

    code = "LANDED_FILE_GONE"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章的{what} {path} 不见了，这一步的任务包里没有它。"
    fix = "请从备份取回 {path}；没有备份时，等手头的章写完，运行 `novel sync {chapter}` 照正文重新做一份。"


class LandedTextGone(Problem):
    """A landed chapter's text is not there, so nothing can be recorded of it."""

    code = "LANDED_TEXT_GONE"
    exit = DAMAGED
    message = "第 {chapters} 章已经入库，正文却不见了（{path}）。"
    fix = (
        "请从备份取回 {path}，原样放回就好；没有备份，看看 .novel/archive/ 里以前回退的存档有没有它。"
        "都没有，只能运行 `novel rollback {before}`，退回到第 {chapter} 章之前重写，后面的章会存档。"
    )


class LandedBlank(Problem):
    """A landed text in which nothing is written any more."""

    code = "LANDED_TEXT_BLANK"
    exit = DAMAGED
    message = "第 {chapter} 章已经入库，{what}却是空的：{path}"
    fix = "请从备份取回 {path}。{how}"


class MemoryOfNow(Problem):
    """A landed chapter is looked at anew, and nothing tells what its storyline remembered before it."""

    code = "MEMORY_OF_NOW"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章入库时没有留下记录，这里的故事线记忆 {path} 是现在的，里面有它之后的事。"
    fix = "请记得它不是写第 {chapter} 章时的样子；照正文补记这一章不受影响。"


class StagedLeftOut(Problem):
    """A file of an agent's that a packet can do without is broken."""

    code = "STAGED_LEFT_OUT"
    exit = DONE
    severity = "warning"
    message = "这一步的任务包里没有 {path}：{detail}"
    fix = "请改好 {path}，或者删掉它，再交一次任务包。"


class MemoryGone(Problem):
    """A storyline's memory is gone, though a chapter of it has landed."""

    code = "MEMORY_GONE"
    exit = DONE
    severity = "warning"
    message = "故事线 {storyline} 写到过第 {chapter} 章，它的记忆 {path} 却不见了。"
    fix = "请从备份取回 {path}；没有备份时，等手头的章写完，运行 `novel sync {chapter}` 照正文重新做一份。"


class CardsMissing(Problem):
    """People whom the state knows, without a card."""

    code = "CHARACTER_CARDS_MISSING"
    exit = FINDINGS
    severity = "warning"
    message = "故事状态里有 {count} 个人物在 {path} 里没有档案：{slugs}。"
    fix = "档案丢了的，从备份取回 {path}；本来就没建的，在那里补一份，文件名用上面的编号。"


class ThreadsGone(Problem):
    """The facts of foreshadowing are gone, though the change log tells of some."""

    code = "FORESHADOWING_GONE"
    exit = FINDINGS
    severity = "warning"
    message = "{log} 里有 {count} 条伏笔，{path} 却不见了。"
    fix = "请从备份取回 {path}；没有备份时运行 `novel doctor --fix`，会照变更记录重新记一份。"


class ChapterBeyond(Problem):
    """Files of a chapter behind the checkpoint: a landing of another layout was cut off, or a mix-up."""

    code = "CHAPTER_BEYOND_CHECKPOINT"
    exit = DAMAGED
    message = (
        "进度只到第 {last} 章，却已经有第 {chapter} 章的{there}{missing}。"
        "像是别的版本或别的工具入库到一半就中断了，写作助手没有替你猜。"
    )
    fix = "请先把整个项目复制一份留底，再从备份取回 {checkpoint}，或把第 {chapter} 章的这些文件移到项目外面。"


class LandedEdited(Problem):
    """A landed file that is not what landed any more: the author's right, not a fault."""

    code = "LANDED_FILE_EDITED"
    exit = DONE
    severity = "info"
    message = "第 {chapter} 章入库之后，{path} 被改过。"
    fix = "只改了几个字就不用管；情节变了的话，请运行 `novel sync {chapter}` 补记摘要和状态。"


class CheckpointEdited(Problem):
    """The checkpoint is not as `novel` wrote it last."""

    code = "CHECKPOINT_EDITED"
    exit = FINDINGS
    severity = "warning"
    message = "进度文件 {path} 在写作助手之外被改过。"
    fix = "不是你自己改的话，请从备份取回 {path}。"


class ChaptersUnlogged(Problem):
    """Landed chapters of which the change log knows nothing: the state cannot be rebuilt."""

    code = "CHANGELOG_CHAPTERS_MISSING"
    exit = DAMAGED
    message = "{path} 里没有第 {chapters} 章的记录，照它重建会丢掉这些章的变化。"
    fix = "请从备份取回 {path}；故事状态和章节正文没有被改动。{how}"


class StateDiffers(Problem):
    """The state is not what the change log makes of it."""

    code = "STATE_DIFFERS"
    exit = DAMAGED
    message = "故事状态 {path} 和变更记录对不上：{detail}。"
    fix = "请运行 `novel rebuild state`，按变更记录重建；原来的那份会留存。"


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
    """What a killed command left behind; of no use to anybody."""

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


class NoProjectHere(Problem):
    """Doctor outside a project looks at the installation only."""

    code = "PROJECT_NOT_HERE"
    exit = DONE
    severity = "info"
    message = "「{place}」和它的上级文件夹里没有小说项目，这次只查了安装。"
    fix = "要查一本书，请进入它的文件夹再试。"


class BundleExists(Problem):
    """A report is never written over a file."""

    code = "BUNDLE_EXISTS"
    exit = REFUSED
    message = "「{place}」已经存在，没有覆盖它。"
    fix = "请换一个文件名再试。"


# --- sync ------------------------------------------------------------------------------------


class SyncNotIdle(Problem):
    """A landed chapter is recorded anew only while no chapter is in work."""

    code = "SYNC_NOT_IDLE"
    exit = REFUSED
    message = "现在不能重新记录第 {chapter} 章：{detail}。"
    fix = "{how}"


class SyncNotLanded(Problem):
    """Only a chapter that has landed can be recorded anew."""

    code = "SYNC_NOT_LANDED"
    exit = REFUSED
    message = "第 {chapter} 章还没有入库（已入库到第 {last} 章），谈不上重新记录。"
    fix = "请运行 `novel sync` 看看哪些章入库后改过。"


class SyncOpen(Problem):
    """Another chapter is being recorded anew."""

    code = "SYNC_OPEN"
    exit = REFUSED
    message = "第 {open} 章正在按手改重新记录，还没做完。"
    fix = "请先做完它（`novel next`），或用 `novel sync --cancel` 放弃它。"


class SyncNotOpen(Problem):
    """A step of a chapter that is not being recorded anew."""

    code = "SYNC_NOT_OPEN"
    exit = REFUSED
    message = "第 {chapter} 章没有在重新记录。"
    fix = "要按手改过的正文重新记录，请运行 `novel sync {chapter}`。"


class SyncTextChanged(Problem):
    """The text is not the one that is being recorded."""

    code = "SYNC_TEXT_CHANGED"
    exit = REFUSED
    message = "第 {chapter} 章的正文在重新记录期间又改过，手头的记录说的不是现在这份。"
    fix = "是作者改的，就运行 `novel sync {chapter}` 按现在的正文重来；不是，请先取回原来的正文。"


class SyncLogLine(Problem):
    """The change log must hold exactly one line of the chapter."""

    code = "SYNC_LOG_LINE"
    exit = DAMAGED
    message = "状态变更日志里第 {chapter} 章有 {count} 行，应该正好一行，状态没法按新的记录重算。"
    fix = "请从备份取回 {path}，再运行一次刚才的命令。"


class SyncNoRecord(Problem):
    """A chapter that landed without a record of what landed."""

    code = "SYNC_NO_RECORD"
    exit = REFUSED
    message = "第 {chapter} 章没有留下入库记录，比不出改没改过。"
    fix = "改过正文的话，请运行 `novel sync {chapter}` 重新记录这一章。"


class HandEdits(Problem):
    """Landed files that the author changed since, and that are not recorded anew."""

    code = "SYNC_HAND_EDITS"
    exit = DONE
    severity = "info"
    message = "入库后手改过、还没有重新记录的：第 {chapters} 章。"
    fix = "不急；得空时运行 `novel sync` 看看改了什么、要不要重记。"


class SyncLaterDropped(Problem):
    """A later chapter's op that does not apply any more."""

    code = "SYNC_LATER_DROPPED"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章的一处状态变更接不上了，先放在一边：{op}（{reason}）"
    fix = "请看看第 {chapter} 章还说不说得通；改了正文就运行 `novel sync {chapter}`。"


class SyncLaterTouched(Problem):
    """Later chapters that may tell what is no longer so."""

    code = "SYNC_LATER_TOUCHED"
    exit = DONE
    severity = "info"
    message = "后面可能要跟着看一眼的章：第 {chapters} 章（同一条故事线，或写到同样的人和物）。"
    fix = "得空时翻一翻；改了哪一章，就对哪一章运行 `novel sync`。"


class SyncThreadKept(Problem):
    """Foreshadowing whose earlier shape is not known for sure."""

    code = "SYNC_THREAD_KEPT"
    exit = DONE
    severity = "warning"
    message = "伏笔 {names} 在别处改过，或没有底稿，第 {chapter} 章原来记的收不回来，只添上了新的。"
    fix = "请打开 {path}，看看这几条还对不对。"


class SyncStateDiffers(Problem):
    """The state was not what the change log says."""

    code = "SYNC_STATE_DIFFERS"
    exit = DONE
    severity = "warning"
    message = "{path} 与变更日志对不上（多半是手改过），已按日志重算。"
    fix = "原来的那份留在 {kept}，要用里面的内容可以自己抄出来。"


class CharactersUnregistered(Problem):
    """A delta speaks of characters that have no card; it was applied all the same (protocol §4)."""

    code = "DELTA_UNREGISTERED"
    exit = DONE
    severity = "warning"
    message = "状态里记下了没有档案的角色：{slugs}。"
    fix = "会再出场的，请在 characters/active/ 里为他建档；代号写错了，下一章的记录员会有机会改正。"


class CheckpointBehind(Problem):
    """The checkpoint is older than the book: the next chapter's file is already there."""

    code = "CHECKPOINT_BEHIND"
    exit = DAMAGED
    message = "进度文件写着刚完成第 {last} 章，可是 {file} 已经在了：进度文件多半是旧的。"
    fix = "请从备份取回新的 {path}；确实想从第 {last} 章重来，用 `novel rollback {last}`，后面的会先存档。"


class JudgedTextChanged(Problem):
    """The staged text is not the one that the judge was handed."""

    code = "JUDGED_TEXT_CHANGED"
    exit = FINDINGS
    message = "第 {chapter} 章的正文在交给评审之后改过，这份意见评的不是现在的稿子。"
    fix = "请重新取一次评审的任务包（`novel next`），让评审看现在的稿子。"


class FenceLost(Problem):
    """The marks that a step was handed out with are gone or unreadable."""

    code = "FENCE_LOST"
    exit = DAMAGED
    message = "这一步交出时留下的文件记录 {path} 不见了或读不懂，没法核对暂存区以外有没有被动过。"
    fix = "请自己看一眼书里的文件；没有被动过，就运行 `novel accept-changes`，再做一次。"


class CheckpointSealLost(Problem):
    """What the checkpoint was known by is cut off or changed. The next landing writes it anew."""

    code = "CHECKPOINT_SEAL_LOST"
    exit = FINDINGS
    severity = "warning"
    message = "进度文件的校验记录 {path} 残缺了，看不出进度文件有没有在写作助手之外被改过。"
    fix = "请看一眼 `novel status` 说的进度对不对；对的话不用处理，下次写入时会重新记下。"


# --- planning --------------------------------------------------------------------------------


class PlanningNotDue(Problem):
    """A step of setting up or of planning a volume, in a state that does not allow it."""

    code = "PLANNING_NOT_DUE"
    exit = REFUSED
    message = "现在不能{what}：{detail}。"
    fix = "{how}"


class BriefBlank(Problem):
    """The brief is the template still: nothing can be built on it."""

    code = "BRIEF_BLANK"
    exit = REFUSED
    message = "立意简报 {path} 还是空白的模板。"
    fix = "请先在 {path} 里写下「一句话」和「主角」两栏（用 /novel:start 也行），其余可以慢慢补，再试一次。"


class BriefOpen(Problem):
    """Places of the brief that the author has not filled in yet."""

    code = "BRIEF_OPEN"
    severity = "warning"
    exit = FINDINGS
    message = "立意简报 {path} 里还有 {count} 处待填。"
    fix = "请在 {path} 里把「〔待填〕」换成你的打算；还没想好的可以先空着。"


class CastEmpty(Problem):
    """No character has a card."""

    code = "CAST_EMPTY"
    exit = REFUSED
    message = "{path} 里还没有一个角色档案，这一卷排不了人。"
    fix = "请先立角色：在 /novel:start 里完成「角色」，或自己在 {path} 里放一份角色档案，再试一次。"


class StagedPlanUnread(Problem):
    """An earlier draft of a plan in staging cannot be read; it is written anew."""

    code = "STAGED_PLAN_UNREAD"
    severity = "warning"
    exit = FINDINGS
    message = "暂存区里的上一稿 {path} 用不了：{detail}"
    fix = "请让{who}把它整份重写。"


class SampleMissing(Problem):
    """No text of the author to measure."""

    code = "SAMPLE_MISSING"
    severity = "warning"
    exit = FINDINGS
    message = "{path} 里没有你的样章，文风只能照立意来定，数字沿用现有的文风档案。"
    fix = "有自己写的文字（一两万字最好），请先用 `novel import 文件 --sample` 交来；没有，就这样定。"


class SampleShort(Problem):
    """Too few sentences for numbers to mean anything."""

    code = "SAMPLE_SHORT"
    severity = "warning"
    exit = FINDINGS
    message = "样章只有 {sentences} 句，量出来的数字只能参考。"
    fix = "再用 `novel import 文件 --sample` 交几段自己写的文字，放进 {path}，四十句以上才作得准。"


class SampleLeftOut(Problem):
    """More sample text than is measured."""

    code = "SAMPLE_LEFT_OUT"
    severity = "warning"
    exit = FINDINGS
    message = "样章太多，只量了前 {limit} 字左右；没有量的：{files}。"
    fix = "想让它们也算进来，就从 {path} 里拿掉一些别的。"


# --- the outline, looked at closely ----------------------------------------------------------


class OutlineHeadingTaken(Problem):
    """A line that is nearly a heading, of a chapter that has one already."""

    code = "OUTLINE_HEADING_TAKEN"
    exit = REFUSED
    message = "{path} 第 {line} 行像是章标题，但第 {chapter} 章在第 {first} 行已经有了：{text}"
    fix = "第 {line} 行是另一章，就改好它的章号；只是章内的小标题，就换个写法，不用「第…章（节、回）」开头。"


class OutlineHeadingUnread(Problem):
    """A heading line whose chapter number nobody can read."""

    code = "OUTLINE_HEADING_UNREAD"
    exit = REFUSED
    message = "{path} 第 {line} 行像是章标题，但读不出章号：{text}"
    fix = "是一章的话，请把第 {line} 行改成 `### 第 12 章: 章名` 这样的写法，章号从 1 起。"


class OutlineRawMarks(Problem):
    """A BOM or line ends of another system: read all the same."""

    code = "OUTLINE_RAW_MARKS"
    exit = DONE
    severity = "info"
    message = "{path} {what}；读得懂，不影响写作。"
    fix = "想统一的话，运行 `novel outline --volume {volume} --fix`。"


class OutlineUnfixable(Problem):
    """What a program must not write for the author."""

    code = "OUTLINE_UNFIXABLE"
    exit = FINDINGS
    severity = "warning"
    message = "还有 {count} 处要你自己改，写作助手不替你编章号和内容。"
    fix = "请运行 `novel outline --volume {volume} --check`，照每一条说的改。"


# --- break points and settings ---------------------------------------------------------------


class BreakPoint(Problem):
    """A step was made, and the author wants to see it before it is taken."""

    code = "BREAK_POINT"
    exit = REFUSED
    message = "{what}。"
    fix = "请运行 `novel next`，看过之后从它列出的几条里选一条。"


class BreakPointUnseen(Problem):
    """A step that writes over a text is to be taken at a break point, and nobody is known to have done it."""

    code = "BREAK_POINT_UNSEEN"
    exit = REFUSED
    message = "{what}。"
    fix = "请运行 `novel next`，从它列出的几条里选一条：照现在的样子往下走、再做一遍、先停在这里。"


class ConfigNoSuch(Problem):
    """A setting was asked for that there is not."""

    code = "CONFIG_NO_SUCH"
    exit = USAGE
    message = "没有「{key}」这项设置。"
    fix = "{how}`novel config` 列出全部。"


class ConfigRefused(Problem):
    """A value that was asked for and cannot be used; nothing has changed."""

    code = "CONFIG_REFUSED"
    exit = REFUSED
    message = "「{key}」不能改成「{value}」：{detail}。"
    fix = "设置没有改动。请换一个值；`novel config {key}` 看它的说明。"


class ConfigMap(Problem):
    """A name that holds several settings is not set as one."""

    code = "CONFIG_MAP"
    exit = REFUSED
    message = "「{key}」下面有好几项，要一项一项改。"
    fix = "请写到具体的一项，如 `novel config {example} 值`。"


class ConfigUneditable(Problem):
    """`novel.yaml` is written in a way that cannot be changed without touching the rest."""

    code = "CONFIG_UNEDITABLE"
    exit = REFUSED
    message = "{path} 第 {line} 行的写法太特别，程序改「{key}」会碰到别处，所以没有动它。"
    fix = "请自己打开 {path} 改这一项，再运行 `novel config` 看看对不对。"


class ConfigComment(Problem):
    """A comment stands inside the value that was to be changed, and would be lost."""

    code = "CONFIG_COMMENT"
    exit = REFUSED
    message = "{path} 第 {line} 行「#」后面的说明写在值的中间，程序改「{key}」会弄丢它，所以没有动。"
    fix = "请打开 {path}，把这句说明挪到「{key}」上面单独一行，再试一次；也可以自己改好这一项。"


# --- logs and guides -------------------------------------------------------------------------


class ChapterLogUnread(Problem):
    """The log of one chapter cannot be read, wholly or in part; the others are."""

    code = "CHAPTER_LOG_UNREAD"
    exit = DAMAGED
    severity = "warning"
    message = "第 {chapter} 章的工作记录 {path} 读不全：{detail}。"
    fix = (
        "正文、评分和进度不受影响，只是这一章的用时和花费看不到；有备份就把这个文件恢复过来，没有就不用管它。"
    )


class ChapterUnworked(Problem):
    """The log of a chapter was asked for that has not been begun."""

    code = "CHAPTER_UNWORKED"
    exit = REFUSED
    message = "第 {chapter} 章还没有动笔，没有记录可看。"
    fix = "`novel log` 列出写过的各章。"


class GuideUnknown(Problem):
    """A guide was asked for that there is not."""

    code = "GUIDE_UNKNOWN"
    exit = USAGE
    message = "没有「{name}」这份指南。"
    fix = "{how}`novel guide` 列出全部。"


class ForeshadowingUnknown(Problem):
    """No thread of that id, neither told nor planned."""

    code = "FORESHADOWING_UNKNOWN"
    exit = REFUSED
    message = "没有编号为「{name}」的伏笔。"
    fix = "{how}"


class ForeshadowingTwice(Problem):
    """Several facts of one id: which of them is meant, nobody knows."""

    code = "FORESHADOWING_TWICE"
    exit = DONE
    severity = "warning"
    message = "伏笔「{name}」在 {path} 里有不止一条，只认第一条。"
    fix = "请打开 {path}，并成一条，或给另一条换个编号。"


# --- names and storylines that a step's outputs speak of --------------------------------------


class EntityNowhere(Problem):
    """Somebody or something that neither a record nor the text knows."""

    code = "ENTITY_NOWHERE"
    exit = DONE
    severity = "warning"
    message = "{path} 的 {where} 提到「{name}」，可是{detail}"
    fix = (
        "写错了，就请记录员改正 {path}；确实有它，请把正文里的叫法记进 unknown_entities。"
        "入库以后要改，请运行 `novel sync 章号`。"
    )

    def for_its_agent(self) -> bool:
        """An id of his own making; of a thing that the text does not speak of, only when it is a slip."""
        return bool(self.values.get("slip"))


class ForeshadowNowhere(Problem):
    """A foreshadow op on a thread that neither the facts nor any plan know: its landing begins one."""

    code = "FORESHADOW_NOWHERE"
    exit = DONE
    severity = "warning"
    message = "{path} 的 {where} 说到伏笔「{name}」，可是{detail}"
    fix = (
        "写错了，就请记录员改成伏笔任务里的代号；确实是新的伏笔，不用改。"
        "入库以后要改，请运行 `novel sync 章号`。"
    )

    def for_its_agent(self) -> bool:
        return bool(self.values.get("slip"))


class StorylineUnscheduled(Problem):
    """A storyline that the chapter's contract names is not at work in its volume."""

    code = "STORYLINE_UNSCHEDULED"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章的{what}「{storyline}」{detail}（{path} 的 {where}）。"
    fix = "要用这条线，请在 {schedule} 的 active_storylines 里加上它；写错了，请改 {path} 和本章大纲。"


class ChapterResidue(Problem):
    """Marks, codes, refusals or placeholders of a machine in a chapter, or its last sentence cut short."""

    code = "CHAPTER_RESIDUE"
    exit = FINDINGS
    message = "{path} 第 {line} 行有残留（{what}）：「{quote}」"
    fix = "请{how}"


class LintWithout(Problem):
    """A file that the lint would compare with cannot be read."""

    code = "LINT_WITHOUT"
    exit = DONE
    severity = "warning"
    message = "这次没有对照 {path}：{detail}"
    fix = "请先修好 {path}，再查一遍。"


class PacketCut(Problem):
    """Material that an agent is not given, because all of it would be too much."""

    code = "PACKET_CUT"
    exit = DONE
    severity = "warning"
    message = "资料超过 {limit} 字，没有给全：{what}。"
    fix = "不必停下；想多给，请运行 `novel config packet_chars.{agent} {more}`。"


class PacketOver(Problem):
    """Only what is never cut is left, and it is still too much."""

    code = "PACKET_OVER"
    exit = DONE
    severity = "warning"
    message = "能省的都省了，资料仍比 {limit} 字多出 {over} 字。"
    fix = "请精简立意简报、文风档案、硬规则、本章契约或本卷计划；或在 novel.yaml 的 packet_chars 里调高上限。"


class PacketUnreadable(Problem):
    """A file that is asked to be replayed and is no packet."""

    code = "PACKET_UNREADABLE"
    exit = REFUSED
    message = "{place} 不是任务包：{detail}"
    fix = "请给出 `novel instructions 步骤 --write-manifest` 写下的那个文件，它在 staging/manifests/ 里。"


class AgentUnknown(Problem):
    """A name that is none of the agents."""

    code = "AGENT_UNKNOWN"
    exit = USAGE
    message = "没有「{name}」这个代理。"
    fix = "{how}可以写的有：{known}。"


# --- a volume's plan, and the landing of a plan ----------------------------------------------


class VolumeRange(Problem):
    """The outline's chapters are not those that the volume must have."""

    code = "VOLUME_RANGE"
    exit = FINDINGS
    message = "{path} 写的是第 {start} 章到第 {end} 章，{detail}。"
    fix = "{how}"


class VolumeContract(Problem):
    """A chapter without a contract, a contract without a chapter, or one of another chapter."""

    code = "VOLUME_CONTRACT"
    exit = FINDINGS
    message = "{path}：{detail}。"
    fix = "{how}"


class VolumeChain(Problem):
    """Somebody changed in one chapter and is there in the next, which does not say how he comes in."""

    code = "VOLUME_CHAIN"
    exit = FINDINGS
    message = "{path} 没接住「{name}」：第 {before} 章改变了他，第 {chapter} 章他还在场（{where}）。"
    fix = (
        "请在 {path} 的 preconditions.character_states 里写上「{name}」，状态接第 {before} 章的变化；"
        "他不在场，就改掉{where}。"
    )


class VolumeCast(Problem):
    """A chapter is told through somebody, or changes him, and does not say how he comes in."""

    code = "VOLUME_CAST"
    exit = DONE
    severity = "warning"
    message = "{path} 没写「{name}」开场时的状态：第 {chapter} 章他在场（{where}）。"
    fix = "请在 preconditions.character_states 里写上「{name}」，在哪儿、拿着什么、知道什么。"


class VolumeOutline(Problem):
    """A key line of the outline that says nothing."""

    code = "VOLUME_OUTLINE"
    exit = FINDINGS
    message = "{path}：{detail}。"
    fix = "{how}"


class VolumeStoryline(Problem):
    """A storyline that is not known, not active, or one too many."""

    code = "VOLUME_STORYLINE"
    exit = FINDINGS
    message = "{path}：{detail}。"
    fix = "{how}"


class VolumeConvergence(Problem):
    """Storylines that meet outside the volume, too few of them, or one that is not at work in it."""

    code = "VOLUME_CONVERGENCE"
    exit = FINDINGS
    message = "{path} 的 convergence_events 第 {number} 条：{detail}。"
    fix = "{how}"


class VolumeForeshadowing(Problem):
    """A thread that does not fit the volume, the facts, or what contracts and outline do with it."""

    code = "VOLUME_FORESHADOWING"
    exit = FINDINGS
    message = "{path}：{detail}。"
    fix = "{how}"


class VolumeCharacter(Problem):
    """Somebody appears in the volume and has no card."""

    code = "VOLUME_CHARACTER"
    exit = FINDINGS
    message = "「{name}」没有档案，却出现在 {where}。"
    fix = (
        "写错了名字就改过来{near}；新角色请先立档：写 staging/characters/active/代号.json，"
        "display_name 是「{name}」{things}。"
    )


class VolumeRetired(Problem):
    """Somebody appears in the volume who has left the book."""

    code = "VOLUME_RETIRED"
    exit = FINDINGS
    message = "「{name}」已经退场了，却出现在 {where}。"
    fix = "请把他从那里去掉；要请他回来，用 `novel rollback --list` 找到存档，再 `novel restore 编号`。"


class VolumeWorldRule(Problem):
    """A contract leans on a world rule that does not exist, or not yet."""

    code = "VOLUME_WORLD_RULE"
    exit = FINDINGS
    message = "{path} 的 required_world_rules 里有「{name}」，{detail}。"
    fix = "{how}"


class PlanBroken(Problem):
    """A planning step's output is there but cannot be taken."""

    code = "PLAN_BROKEN"
    exit = FINDINGS
    message = "{detail}"
    fix = "{how}"


class PlanOdd(Problem):
    """A planning step's output departs from what its packet asks for; it can be used as it is."""

    code = "PLAN_ODD"
    severity = "warning"
    exit = FINDINGS
    message = "{path}：{detail}"
    fix = "{how}"


class ReviewUnread(Problem):
    """A part of a volume that the review could not look at."""

    code = "REVIEW_UNREAD"
    exit = DONE
    severity = "warning"
    message = "卷末回顾里少了一部分：{detail}。"
    fix = "改好或找回这个文件，再看一遍回顾；就这样翻过去，这一部分会空着。"


class ReviewNotYet(Problem):
    """A volume is to be looked back on that has not begun."""

    code = "REVIEW_NOT_YET"
    exit = REFUSED
    message = "第 {volume} 卷还没有开始写，没有可以回顾的。"
    fix = "{how}"


class CharacterNotActive(Problem):
    """Somebody is to leave the book who is not in it."""

    code = "CHARACTER_NOT_ACTIVE"
    exit = REFUSED
    message = "{path} 里没有「{name}」这个角色。"
    fix = "{how}"


class RetireNotNow(Problem):
    """The cast is to change while a step is out."""

    code = "RETIRE_NOT_NOW"
    exit = REFUSED
    message = "现在不能让角色退场：{detail}。"
    fix = "先做完这一步（`novel next` 会说怎么做），再来一次。"


class RetireNeeded(Problem):
    """Something that is not yet told needs the character."""

    code = "RETIRE_NEEDED"
    exit = REFUSED
    message = "「{name}」还不能退场：{detail}。"
    fix = "{how}"


class ActionUnknown(Problem):
    """No pending action has that id."""

    code = "ACTION_UNKNOWN"
    exit = USAGE
    message = "没有编号是「{name}」的待办。"
    fix = "现有的编号：{known}。"


class PendingTouched(Problem):
    """The chapter that comes next leans on a setting that was changed after it was planned."""

    code = "PENDING_TOUCHED"
    exit = DONE
    severity = "warning"
    message = "第 {chapter} 章的契约排在设定改动之前：{what}。"
    fix = (
        "请核对 {path}；改动牵动的各章都核对好了，运行 `novel changed --done {ids}`；"
        "要重排后面各章，用 `novel replan`。"
    )


class TemplateUnusable(Problem):
    """A folder of templates has nothing that a new project could begin with, or something broken."""

    code = "TEMPLATE_UNUSABLE"
    exit = REFUSED
    message = "模板文件夹「{place}」不能用：{detail}"
    fix = "请改好它，或去掉 --template 用自带的模板。"


class SettingLeft(Problem):
    """The author named a title or genre for a new book, and his own `novel.yaml` was there already."""

    code = "SETTING_LEFT"
    exit = DONE
    severity = "warning"
    message = "{path} 早就在了，没有动它，「{key}」也就没有写成「{value}」。"
    fix = "要改，运行 `novel config {key} '{value}'`。"


class ReplanNotNow(Problem):
    """The rest of a volume is to be planned anew, and that cannot begin here."""

    code = "REPLAN_NOT_NOW"
    exit = REFUSED
    message = "现在不能重排本卷：{detail}。"
    fix = "{how}"


class QuestionUnknown(Problem):
    """The step asks the author no such thing."""

    code = "QUESTION_UNKNOWN"
    exit = USAGE
    message = "「{step}」没有编号是「{name}」的问题。"
    fix = "现在等你答的：{open}；运行 `novel next` 看问的是什么。"


class AnswerUnknown(Problem):
    """A choice that the question does not have."""

    code = "ANSWER_UNKNOWN"
    exit = USAGE
    message = "「{name}」没有「{choice}」这个选法。"
    fix = "可选的是：{known}；都不合适，用 --note 写你自己的意见。"


class NoteRefused(Problem):
    """A file that the author hands in as a note, and that is none."""

    code = "NOTE_REFUSED"
    exit = REFUSED
    message = "「{place}」收不进来：{detail}。"
    fix = "{how}"


class NoteTaken(Problem):
    """There is another note of that name."""

    code = "NOTE_TAKEN"
    exit = REFUSED
    message = "{path} 已经在了，和「{place}」内容不同，没有动它。"
    fix = "给新的另起名字：在 `novel import` 后面加 --as；要换掉旧的，先把旧的移走。"


class PlanKept(Problem):
    """A landed file gave way to a new one; its old text is kept."""

    code = "PLAN_KEPT"
    exit = DONE
    severity = "warning"
    message = "{path} 换成了新的一份，原来那份收在 {kept}。"
    fix = "原来那份里有要留的，从 {kept} 抄回 {path} 即可。"
