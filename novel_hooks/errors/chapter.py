"""Refusals about the files that agents hand in for a chapter: text, verdict, changes of the state,
foreshadowing, names."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, FINDINGS, REFUSED, Problem


class TextEmpty(Problem, code="TEXT_EMPTY", exit=FINDINGS):
    """A staged text without a body."""

    message = "{path} 里没有{what}内容。"
    fix = "请重新写出{what}，再继续。"


class HeadingWrong(Problem, code="CHAPTER_HEADING_WRONG", exit=FINDINGS):
    """The chapter's heading carries another number."""

    of_form = True
    message = "{path} 的标题写的是第 {found} 章，而现在写的是第 {chapter} 章。"
    fix = "请把首行改成 `# 第 {chapter} 章 章名`。"


class HeadingMissing(Problem, code="CHAPTER_HEADING_MISSING", exit=FINDINGS, severity="warning"):
    """The chapter does not start with its heading."""

    message = "{path} 的首行不是本章标题。"
    fix = "请在首行写上 `# 第 {chapter} 章 章名`。"


class SummaryTooLong(Problem, code="SUMMARY_TOO_LONG", exit=FINDINGS, severity="warning"):
    """A summary longer than the craft allows."""

    message = "摘要有 {count} 字，超过 {limit} 字。"
    fix = "请把 {path} 压到 {limit} 字以内。"


class MemoryTooLong(Problem, code="MEMORY_TOO_LONG", exit=FINDINGS):
    """A storyline's memory over its limit (protocol §1)."""

    of_form = True
    message = "故事线记忆有 {count} 字，超过 {limit} 字。"
    fix = "请把 {path} 压到 {limit} 字以内，先删已了结的事。"


class ChapterRepeated(Problem, code="CHAPTER_REPEATED", exit=FINDINGS):
    """A chapter repeats an earlier one word for word, whole or in a long passage."""

    agent_mends = True
    message = "第 {chapter} 章{what}和第 {earlier} 章一字不差（{path} 第 {line} 行起：“{quote}”）。"
    fix = (
        "请让{who}对照 {book}，把这一段换成这一章自己的事；"
        "故事里确实要原样再现的，把那段原文加进 ai-blacklist.json 的 whitelist。"
    )


class ChapterTitle(Problem, code="CHAPTER_TITLE", exit=DONE, severity="warning"):
    """A chapter's title is an earlier chapter's, or is not the outline's."""

    message = "{path} 的标题「{title}」{detail}。"
    cases = {
        "twice": "第 {earlier} 章已经用过\n不影响继续。想分开，就给第 {chapter} 章另起一个标题。",
        "other": "和大纲里的「{planned}」不一样\n"
        "不影响继续。要照大纲，就改正文第一行；要这个，就改大纲的标题。",
    }


class ChapterLength(Problem, code="CHAPTER_LENGTH", exit=DONE, severity="warning"):
    """A chapter outside the length that `novel.yaml` wants."""

    agent_mends = "stub"
    message = "第 {chapter} 章有 {chars} 字，想要的是 {least} 到 {most} 字，{detail}。"
    cases = {
        "short": "还差 {off} 字\n请写手把一句话带过的场面写足，不添空话；",
        "long": "多了 {off} 字\n请写手删掉不推动故事的话；",
        "short, later": "还差 {off} 字\n",
        "long, later": "多了 {off} 字\n",
    }
    fix = "{how}不改也能继续。作者要的就是这样的篇幅，请改 novel.yaml 里的 chapter_chars。"


class ChapterUnchanged(Problem, code="CHAPTER_UNCHANGED", exit=DONE, severity="warning"):
    """A revision or a second polish that left the judged text as it was, byte for byte."""

    agent_mends = True
    message = "第 {chapter} 章这一遍{what}一个字也没有改，{path} 还是评审看过的那一稿。"
    fix = "请{who}照必改的意见再做一遍，或者自己动手改 {path}；不改也能继续，{then}。"


class ChapterRetouched(Problem, code="CHAPTER_RETOUCHED", exit=DONE, severity="warning"):
    """A refiner changed more of the text than allowed; nobody judges a polished text again."""

    message = "第 {chapter} 章这一遍润色动了约 {share}% 的字，说好的是不超过 {most}%。"
    fix = "不影响继续。请对照润色前的稿子 {before} 看一眼，要紧的地方有没有被改掉。"


class ChapterResidue(Problem, code="CHAPTER_RESIDUE", exit=FINDINGS):
    """Marks, codes, refusals or placeholders of a machine in a chapter, or its last sentence cut short."""

    message = "{path} 第 {line} 行有残留（{what}）：「{quote}」"
    fix = "请{who}{how}"
    cases = {
        "cut short": "把末句写完；本来就停在这里的，末尾加上句号或省略号。",
        "quotation": "去掉行首的 >：信、条子、告示自成一段就行，前后各空一行。",
        "table": "把这张表改成成句的话，一行一行写，去掉竖线。",
        "list": "去掉行首的记号，写成平常的段落；真要逐条列，行首写「一、」「二、」。",
        "other": "改掉这一处；故事里确实要这样写的，把原词加进 ai-blacklist.json 的 whitelist。",
    }


class NameMisspelt(Problem, code="NAME_MISSPELT", exit=FINDINGS):
    """A known name with one wrong character, a like-sounding or like-looking one, in a chapter."""

    message = "{path} 第 {line} 行把「{name}」写成了「{written}」：「{quote}」"
    fix = "请{who}改成「{name}」；确实是另一个名字，就把「{written}」加进 ai-blacklist.json 的 whitelist。"


class LintWithout(Problem, code="LINT_WITHOUT", exit=DONE, severity="warning"):
    """A file that the lint compares the chapter with cannot be read."""

    message = "这次没有对照 {path}：{reason}"
    fix = "请先修好 {path}，再查一遍。"


class VerdictUnreadable(Problem, code="JUDGE_VERDICT_UNREADABLE", exit=FINDINGS):
    """A judge's reply that is not one JSON object; the raw text is kept."""

    of_form = True
    message = "评审的回复读不懂（第 {line} 行第 {column} 列）：{fault}"
    fix = "请让评审重新评一次，只返回一个 JSON 对象；这次的回复已原样留存。"


class VerdictInvalid(Problem, code="JUDGE_VERDICT_INVALID", exit=FINDINGS):
    """A verdict that cannot be used for a decision (protocol §1, "Valid means")."""

    message = "评审结果不能用：{where} {detail}"
    fix = "请让评审重新评一次本章。"
    cases = {
        "no object": "应是一个对象",
        "overall": "应是 0 到 5 之间的数",
        "no checks": "缺少四组核对结果",
        "no list": "应是一个列表（没有核对项就写空列表）",
        "unknown word": "应是 {known} 之一",
        "no scores": "应是各项评分的对照表",
        "score": "的分数应是 1 到 5 之间的数",
    }


class VerdictMissing(Problem, code="JUDGE_VERDICT_MISSING", exit=REFUSED):
    """The gate needs a verdict that nobody has recorded."""

    message = "还缺{roles}的评审结果，不能决定本章去留。"
    fix = "请运行 `novel next`，先补上评审。"


class EvaluationUnusable(Problem, code="EVALUATION_UNUSABLE", exit=FINDINGS):
    """An evaluation that is broken, of another text, or without the second judge's verdict."""

    message = "第 {chapter} 章的评审还不能用：{detail}"
    fix = "请让评审评一次现在的正文（差哪一位就请哪一位），再用 `novel judge record` 记下它的回复。"
    cases = {"other text": "它评的不是现在这份正文", "judge missing": "还差{judge}的意见"}


class EvidenceNote(Problem, code="EVALUATION_NOTE", exit=DONE, severity="warning"):
    """A verdict has an oddity that the author should see; it blocks nothing."""

    message = "{note}"
    fix = "不影响继续；如果你觉得评审判错了，可以运行 `novel gate {chapter}` 查看理由。"


class JudgedTextChanged(Problem, code="JUDGED_TEXT_CHANGED", exit=FINDINGS):
    """The staged text is not the one that the judge was handed."""

    message = "第 {chapter} 章的正文在交给评审之后改过，这份意见评的不是现在的稿子。"
    fix = "请重新取一次评审的任务包（`novel next`），让评审看现在的稿子。"


class DeltaMismatch(Problem, code="DELTA_MISMATCH", exit=FINDINGS):
    """A staged delta that does not belong to this chapter or this state."""

    message = "{path} 与本章对不上：{where} {detail}"
    fix = "请让记录员按本章任务包重写 {path}。"
    cases = {
        "no object": "应是一个对象",
        "no reason": "没有写明跳过的原因",
        "other chapter": "应是 {wanted}，写成了 {found}",
        "other version": "应是当前状态的版本 {wanted}，写成了 {found}",
        "other storyline": "应是本章所属的 {wanted}，写成了 {found}",
        "no list": "应是一个列表",
        "no boolean": "应是 true 或 false",
        "changes": "写了没有变化，ops 里却有变化",
        "empty": "没有写：ops 是空的；本章确实没有变化时，写 true",
    }


class DeltaOpDropped(Problem, code="DELTA_OP_DROPPED", exit=DONE, severity="warning"):
    """One operation of a delta that could not be applied; the others were."""

    message = "状态增量里有一条没有采用（{op}）：{reason}"
    fix = "正文和别的记录不受影响。要补上这一条，请运行 `novel sync {chapter}` 重新记录这一章。"


class DeltaOpUseless(Problem, code="DELTA_OP_USELESS", exit=FINDINGS, severity="warning"):
    """One operation of a staged delta would be dropped at the landing."""

    agent_mends = True
    message = "这一章的记录里有一条入库时不会采用（{op}）：{reason}"
    fix = (
        "请让记录员改好 {path} 的 {where}；不改，其余的照常入库，这一条就没有了。"
        "入库以后要补，请运行 `novel sync {chapter}` 重新记录这一章。"
    )


class ForeshadowingUnrecorded(Problem, code="FORESHADOWING_UNRECORDED", exit=DONE, severity="warning"):
    """A thread that the chapter's contract or outline moves, and the delta does not."""

    agent_mends = True
    message = "本章的契约和大纲要{action}伏笔「{signal}」，这一章的记录里没有这一条。"
    fix = (
        "请记录员对着正文看一遍：真的写到了，在 {path} 里补上 foreshadow，path 写 {name}，value 写 {value}；"
        "没写到的不补。入库以后要补，请运行 `novel sync {chapter}` 重新记录这一章。"
    )


class FixHeldBack(Problem, code="FIX_HELD_BACK", exit=DONE, severity="warning"):
    """A judge's words told a secret that the chapter must not tell yet; the writer gets them without it."""

    message = "评审的意见里有说破了后文才揭开的事，那几句没有交给改稿的人；原话看 `novel gate {chapter}`。"
    fix = "没有交给他的是：{words}。不用做什么；他改出来的稿子若还缺这一处，到时候由你补一句。"


class PlanHeldBack(Problem, code="PLAN_HELD_BACK", exit=DONE, severity="warning"):
    """Contract, outline, cards or state told a secret that is not due; the writer gets them without it."""

    message = "第 {chapter} 章的{places}写了后文才揭开的事，那几句没有交给写手。"
    fix = (
        "没有交给他的是：{words}。这一章就要说破：伏笔在契约的伏笔（foreshadowing_updates）里写 "
        "resolved（收回），人的秘密在状态变化（state_changes）里给他写上 secret；"
        "早就说破了，在他的档案里写上说破的章（secret_out）。"
    )


class StateBroken(Problem, code="STATE_BROKEN", exit=DAMAGED):
    """The state has no usable version. Only `novel` writes the state."""

    message = "{path} 的「{where}」不对，无法在它上面继续记录。"
    fix = "请运行 `novel rebuild state`，按变更记录重建它；章节正文没有受影响。"


class ChangelogBroken(Problem, code="CHANGELOG_BROKEN", exit=DAMAGED):
    """A change log from which the state cannot be rebuilt."""

    message = "{path} 第 {line} 行接不上：{detail}"
    fix = "请先把现在的 {path} 复制一份留底，再从备份里取回，然后再试；章节正文没有受影响。{anew}"
    cases = {
        "no chapter": "没有写是哪一章",
        "no version": "缺少章号或状态版本",
        "no list": "缺少章号或变更列表",
        "twice": "第 {chapter} 章记了两次",
        "behind": "第 {chapter} 章排在第 {before} 章后面",
        "misplaced": "第 {chapter} 章排在了更晚的章后面",
        "versions": "版本应是 {version} → {next}，写的是 {base} → {after}",
        "not joined": "版本应从 {version} 接起，写的是 {base}",
        "not applied": "记为已生效的变更无法生效：{reason}",
    }
    again = (
        "没有备份时，运行 `novel sync {0}` 照正文重新记一遍，正文不动；"
        "或者 `novel rollback {1}`，退回这一章之前。"
    )

    def __init__(
        self, path: str | None = None, case: str | None = None, redo: int | None = None, **values: object
    ) -> None:
        """`redo` is the line's chapter where it can be recorded anew or rolled back."""
        anew = self.again.format(redo, redo - 1) if redo else ""
        super().__init__(path, case, **{"anew": anew, **values})


class CrossrefMismatch(Problem, code="CROSSREF_MISMATCH", exit=FINDINGS):
    """A cross-reference report that contradicts itself or the chapter."""

    message = "串线检测与本章对不上：{where} {detail}"
    fix = "请让记录员按本章任务包重写串线检测。"
    cases = {
        "no object": "应是一个对象",
        "no list": "应是一个列表",
        "other storyline": "应是本章的「{wanted}」，写成了「{storyline}」",
        "unknown risk": "应是 {known} 之一",
        "no leak told": "风险为 high 时要写明泄漏了什么",
        "no source": "没有写来自哪条故事线",
    }


class CrossrefUnknownStoryline(CrossrefMismatch, code="CROSSREF_STORYLINE_UNKNOWN", severity="warning"):
    """A cross-reference report names a storyline that the volume's schedule does not have."""

    message = "串线检测提到的故事线「{storyline}」不在本卷安排里（{where}）。"
    fix = "请核对故事线名字；如果确实要用这条线，请把它加进本卷的故事线日程。"


class StorylineUnscheduled(Problem, code="STORYLINE_UNSCHEDULED", exit=DONE, severity="warning"):
    """The storyline of a chapter's contract is not active in its volume."""

    message = "第 {chapter} 章的{what}「{storyline}」{detail}（{path} 的 {where}）。"
    cases = {"dormant": "在本卷安排里还在休眠", "absent": "不在本卷安排里"}
    fix = "要用这条线，请在 {schedule} 的 active_storylines 里加上它；写错了，请改 {path} 和本章大纲。"


class ForeshadowingBroken(Problem, code="FORESHADOWING_BROKEN", exit=REFUSED):
    """A foreshadowing file of a shape that cannot be merged into or read."""

    message = "伏笔文件 {path} 不能用：{detail}"
    cases = {"no list": "里面没有伏笔列表", "no id": "第 {number} 条没有 id"}
    fix = '请打开 {path}，把它改成 {{"foreshadowing": [ … ]}}，其中每一条都是带 id 的对象，再试一次。'


class ForeshadowingOpDropped(Problem, code="FORESHADOWING_OP_DROPPED", exit=FINDINGS, severity="warning"):
    """One foreshadow operation is no valid fact: it is dropped, and the others count."""

    message = "伏笔「{name}」的变更（{action}）没有记入：{reason}"
    fix = "如果正文里确实写到了这条伏笔，请在 {path} 里补记；否则不用处理。"


class ForeshadowingPlanUnread(Problem, code="FORESHADOWING_PLAN_UNREAD", exit=FINDINGS, severity="warning"):
    """The volume's plan could not be read, so nothing was filled in from it."""

    message = "本卷的伏笔计划不能用（{reason}），这次没有用它补全伏笔资料。"
    fix = '请把伏笔计划改成 {{"foreshadowing": [ … ]}}，其中每一条都是带 id 的对象。'


class ForeshadowingSkipped(Problem, code="FORESHADOWING_SKIPPED", exit=DONE, severity="warning"):
    """The chapter landed, its foreshadowing did not."""

    message = "本章已入库，但伏笔没有合并进 {path}：{reason}"
    fix = "请改好 {path}；下一章入库时会自动补上这一章的伏笔。"


class ForeshadowingUnknown(Problem, code="FORESHADOWING_UNKNOWN", exit=REFUSED):
    """No thread has that id, neither in the facts nor in a plan."""

    message = "没有找到伏笔「{name}」：编号里没有，描述里也没有。"
    fix = "{guess}运行 `novel foreshadow list` 看有哪些伏笔。"


class ForeshadowingSeveral(Problem, code="FORESHADOWING_SEVERAL", exit=REFUSED):
    """The words fit several threads."""

    message = "「{name}」说的可能是 {count} 条伏笔：{listed}。"
    fix = "请写要的那一条的编号，或再多写几个字。"


class ForeshadowingClosed(Problem, code="FORESHADOWING_CLOSED", exit=REFUSED):
    """The author gives up a thread that is resolved already."""

    message = "伏笔「{name}」已经收了，不用放下。"
    fix = "正文里其实没有收的，先用 `novel sync 章号` 改记录。"


class ForeshadowingStillUsed(Problem, code="FORESHADOWING_STILL_USED", exit=DONE, severity="warning"):
    """The author gave up a thread that contracts of unwritten chapters still move."""

    message = "第 {chapters} 章的契约还写着要动伏笔「{name}」。"
    fix = "写到那里之前，请从契约和大纲里去掉它；要重排后面各章，用 `novel replan`。"


class ForeshadowingTwice(Problem, code="FORESHADOWING_TWICE", exit=DONE, severity="warning"):
    """Several facts have one id, so that nobody knows which of them is meant."""

    message = "伏笔「{name}」在 {path} 里有不止一条，只认第一条。"
    fix = "请打开 {path}，并成一条，或给另一条换个编号。"
