"""The checkpoint, the steps and what each must leave, names without a record, the gate's and the author's
decisions."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, FINDINGS, REFUSED, USAGE, Problem


class UnknownStep(Problem, code="STEP_UNKNOWN", exit=USAGE):
    """A step id that protocol §2 does not know."""

    message = "看不懂步骤「{text}」：{detail}"
    fix = "步骤写作 chapter:007:draft 这样的形式；运行 `novel next` 可以看到当前该做的步骤。"
    cases = {
        "kind": "开头应是 chapter、setup、volume 或 sync",
        "parts": "段数不对",
        "number": "编号应是从 1 起的整数",
        "phase": "最后一段应是 {phases} 之一",
    }


class CheckpointInconsistent(Problem, code="CHECKPOINT_INCONSISTENT", exit=DAMAGED):
    """Stage and inflight chapter contradict each other."""

    message = "进度文件里的两项对不上：{detail}"
    cases = {
        "idle": "流水线空闲（pipeline_stage={stage}），却有进行中的章（inflight_chapter={inflight}）",
        "no chapter": "流水线进行到一半（pipeline_stage={stage}），却没有进行中的章（inflight_chapter 为空）",
        "not the next": "已完成到第 {last} 章（last_completed_chapter={last}），"
        "进行中的却是第 {inflight} 章（inflight_chapter={inflight}）",
        "not writing": "流水线进行到一半（pipeline_stage={stage}），"
        "全书状态却不在写作中（orchestrator_state={state}）",
    }
    fix = "请运行 `novel retry`，写作助手会把进度恢复到一致的位置。"


class CheckpointBroken(Problem, code="CHECKPOINT_BROKEN", exit=DAMAGED):
    """A field of the checkpoint is missing or illegal."""

    message = "进度文件 {path} 的「{field}」不对：{detail}。"
    cases = {
        "no object": "应是一个对象",
        "no list": "应是一个列表",
        "no number": "应是 {fitting} 或更大的整数",
        "no chapter": "应是空或从 1 起的整数",
        "unknown state": "应是 {fitting} 之一",
        "unknown stage": "应是空、{fitting} 或 committed",
    }
    fix = (
        "请运行 `novel doctor --fix`：书里的文件定得出进度就补好它，定不出会说明怎么改。章节正文没有受影响。"
    )


class CheckpointUnsure(Problem, code="CHECKPOINT_UNSURE", exit=DAMAGED):
    """The checkpoint cannot be read, and the files do not show for certain how far the book is."""

    message = "进度文件 {path} 坏了，照书里的文件也定不准进度：{doubts}。"
    fix = (
        "请先把现在的 {path} 复制一份留底，再从备份取回。没有备份的话，"
        "留底之后把它的内容整个换成下面这一行（不对的数字照实改），"
        "再运行 `novel doctor`：\n{content}"
    )


class CheckpointBehind(Problem, code="CHECKPOINT_BEHIND", exit=DAMAGED):
    """The checkpoint is older than the book: the next chapter has a file already."""

    message = "进度文件写着刚完成第 {last} 章，可是 {file} 已经在了：进度文件多半是旧的。"
    fix = (
        "请先把现在的 {path} 复制一份留底，再从备份取回新的；确实想从第 {last} 章重来，"
        "用 `novel rollback {last}`，后面的会先存档。"
    )


class StepNotNext(Problem, code="STEP_NOT_NEXT", exit=REFUSED):
    """Only the next step may be advanced, and only a step in work may fail."""

    message = "现在轮不到「{step}」，当前该做的是「{next}」。"
    fix = "请运行 `novel next` 查看当前步骤，并按它继续。"


class StepNotConducted(Problem, code="STEP_NOT_CONDUCTED", exit=REFUSED):
    """A planning step that `novel` does not conduct."""

    message = "步骤「{step}」不由写作流水线执行。"
    fix = "请在 /novel:start 里完成它，再运行 `novel next`。"


class OutputMissing(Problem, code="OUTPUT_MISSING", exit=FINDINGS):
    """A step's output is not in staging."""

    message = "还没有{what}：{path}"
    fix = "请让{who}把它写到 {path}。"


class OutputBroken(Problem, code="OUTPUT_BROKEN", exit=FINDINGS):
    """A step's output is there but cannot be used."""

    message = "{cause}"
    fix = "请让{who}重写 {path}。"


class OutputMended(Problem, code="OUTPUT_MENDED", exit=DONE, severity="warning"):
    """A slip of form in an agent's file, mended when the step advanced; nobody has to do anything."""

    message = "{path} {detail}，已经替他改好。"
    fix = "不用做什么；{how}。"
    cases = {
        "words around": "的 JSON 外面包着代码框或别的话，或者多写了逗号\n内容一个字没有变",
        "fence": "整份包着代码框\n内容一个字没有变",
        "label cut": "里「{label}」太长\n整句移到了这一项的说明里",
        "header cut": "里的题头「{label}」太长\n后半截去掉了，问的话没有动",
        "unseen": "里有 {count} 个看不见的字符（零宽空格一类）\n去掉了，看得见的字一个没有变",
        "scene breaks": "有 {count} 处分隔线\n别的一个字没有变",
        "role": "里故事线的分量 volume_role 写的是「{found}」，不认得\n这一条线的分量先空着，不影响写作",
        "risk": "里串线的风险写的是「{found}」，不认得\n先按「有一点」记下，卷末回顾会提到这一章",
    }


class NotDue(Problem, exit=REFUSED):
    """A requested step that is not the next one."""

    fix = "请运行 `novel next` 查看当前该做什么。"
    cases = {
        "other step": "当前该做的是「{due}」",
        "other step, why": "当前该做的是「{due}」（{reason}）",
        "no step": "当前该做的是{reason}",
        "not in work": "这一章不在进行中",
        "other chapter": "进行中的是第 {inflight} 章",
        "no chapter": "没有进行中的章",
        "by commit": "入库要用 `novel commit`，不是推进",
        "by decide": "这一步要作者用 `novel decide` 回答",
        "unwritten before": "第 {inflight} 章还没有写完，后面的章会给什么现在说不准",
        "volume over": "第 {volume} 卷写完了，这一章要等下一卷规划好",
        "verdict recorded": "评审意见已经记下，该推进了",
        "other judge": "该记的是 {wanted}",
        "delta not broken": "只有状态增量写不成时才能跳过它",
        "delta written": "本章的状态增量已经写好，不用跳过",
    }


class ChapterNotDue(NotDue, code="CHAPTER_NOT_DUE"):
    """A command names a chapter that is not the one in work."""

    message = "现在不能处理第 {chapter} 章：{detail}"


class RoleNotDue(NotDue, code="JUDGE_ROLE_NOT_DUE"):
    """A verdict came from a judge who was not asked."""

    message = "第 {chapter} 章现在不等「{role}」的评审：{detail}"


class DecisionLanded(Problem, code="DECISION_LANDED", exit=REFUSED):
    """The author decides on a chapter that has landed."""

    message = "第 {chapter} 章已经入库，不能再用 `novel decide` 决定。"
    fix = (
        "要整章重写：`novel rollback {before}` 退回到它之前（取走的都存档），再写；"
        "只改正文：直接改 {path}，再运行 `novel sync {chapter}`。"
    )


class DecisionNotDue(NotDue, code="DECISION_NOT_DUE"):
    """The author's answer belongs to a question that was not asked."""

    message = "第 {chapter} 章现在没有要你决定的事：{detail}"


class DecisionUnclear(Problem, code="DECISION_UNCLEAR", exit=REFUSED):
    """A bare yes may mean several answers, or none."""

    cases = {
        "choices": "看不出答应的是哪一条\n请照这里的一条敲：{choices}。",
        "none": "现在没有要你决定的事\n请运行 `novel next`，看下一步。",
    }


class NothingToRetry(Problem, code="RETRY_NOTHING", exit=REFUSED):
    """`retry` finds neither an error state nor a contradiction."""

    message = "进度一切正常，没有要重试的步骤。"
    fix = "请运行 `novel next` 继续。"


class GateClosed(NotDue, code="GATE_NOT_PASSED"):
    """A commit of a chapter that the gate has not passed."""

    message = "第 {chapter} 章还不能入库：{detail}"


class NoEvaluation(Problem, code="EVALUATION_MISSING", exit=FINDINGS):
    """The gate has no evaluation to decide over."""

    message = "第 {chapter} 章还没有有效的评审，门控无从判断。"
    fix = "请先完成评审这一步（`novel next`）。"


class AdoptedNotJudged(NoEvaluation, code="EVALUATION_ADOPTED", exit=FINDINGS):
    """An adopted chapter has no verdict, and needs none."""

    message = "第 {chapter} 章是搬进来的，没有评审。"
    fix = "不用做什么；正文用 `novel read {chapter}` 看，补记没有用 `novel log {chapter}` 看。"


class BudgetReached(Problem, code="BUDGET_REACHED", exit=REFUSED):
    """The step would pass the author's budget, so no agent is sent before he has agreed."""

    message = "{reason}。"
    fix = "请运行 `novel next`，从它列出的几条里选一条。"


class BudgetUncounted(Problem, code="BUDGET_UNCOUNTED", exit=DONE, severity="warning"):
    """Steps of the chapter in work that the budget can only estimate."""

    message = "手头这一章有 {count} 步没有记下词元数，预算照这样的步骤以往花的估。"
    fix = "不要紧就接着写；一步都没有记下、估不出来的话，会停下来问你。"


class BudgetUnpriced(Problem, code="BUDGET_UNPRICED", exit=DONE, severity="warning"):
    """A budget of money meets a model without a price: it stops as soon as such a model is used."""

    message = "{path} 里定了钱的预算，{models} 却没有价钱（prices）：花费算不出来，用到就会停下来问你。"
    fix = (
        "请写上一百万词元的价钱：`novel config prices.{model}.input 输入价`、"
        "`novel config prices.{model}.output 输出价`；或者改用词元的预算：`novel config 一趟词元 500万`。"
    )


class BreakPoint(Problem, code="BREAK_POINT", exit=REFUSED):
    """A step was made that the author wants to see before it is taken, or nobody is known to have made it."""

    message = "{what}。"
    cases = {
        "made": "请运行 `novel next`，看过之后从它列出的几条里选一条。",
        "unseen": "请运行 `novel next`，从它列出的几条里选一条：照现在的样子往下走、再做一遍、先停在这里。",
    }


class EntityAlike(Problem, code="ENTITY_ALIKE", exit=DONE, severity="warning"):
    """New names of things may be other names of known ones; asked when they first appear, and never again."""

    agent_mends = "contained"
    """Names that only begin alike are not worth a second run."""
    message = "{path} 新记的{pairs}，名字很像，是不是同一个？"
    fix = "是同一个，请记录员写已经记过的名字，再用 add 给它添一个别名（aliases）；不是，照旧。"


class EntityUnrecorded(Problem, code="ENTITY_NOWHERE", exit=DONE, severity="warning"):
    """Somebody or something that neither a record nor the text knows."""

    agent_mends = "slip"
    """An id of his own making; of a thing that the text does not speak of, only when it is a slip."""
    message = "这一章的记录提到「{name}」，可是{detail}{guess}"
    cases = {
        "mention": "没有档案，故事状态里没有，正文里也没有。",
        "character": "没有这个角色的档案，故事状态里也没有",
        "begun": "故事状态里没有这个{kind}，正文里也找不到，这一条会新建它",
        "dropped": "故事状态里没有这个{kind}，正文里也找不到，这一条会被略过",
    }
    fix = (
        "写错了，就请记录员改正 {path} 的 {where}；确实有它，请他把正文里的叫法记成新名字。"
        "入库以后要改，请运行 `novel sync 章号`。"
    )


class ForeshadowUnrecorded(Problem, code="FORESHADOW_NOWHERE", exit=DONE, severity="warning"):
    """A foreshadow op on a thread that neither the facts nor any plan know: its landing begins one."""

    agent_mends = "slip"
    message = "这一章的记录说到伏笔「{name}」，可是伏笔记录和各卷的伏笔计划里都没有这条伏笔，{detail}{guess}"
    cases = {
        "planted": "这一条会新建它",
        "unplanted": "它还没有埋下，这一条会新建它",
        "dropped": "这一条会被略过",
    }
    fix = (
        "写错了，就请记录员把 {path} 的 {where} 改成伏笔任务里的代号；确实是新的伏笔，不用改。"
        "入库以后要改，请运行 `novel sync 章号`。"
    )


class UnregisteredEntities(Problem, code="ENTITIES_UNREGISTERED", exit=DONE, severity="warning"):
    """People without a card who come up in their second chapter, from the third such one on."""

    message = "{names}又出场了，还没有档案；这样的人现在有 {count} 个。"
    fix = (
        "往后还要用的，请用 `novel character add 名字` 为他建档，写手才记得住；只是路过的不用管。"
        "全部名字见 `novel entities`。"
    )


class EntityKindUnknown(Problem, code="ENTITY_KIND_UNKNOWN", exit=DONE, severity="warning"):
    """A new name of a kind that is none: the kind only advises, so the name is noted without it."""

    message = "新记下的{names}没说清是人、是物、是地方还是势力，这一项先空着，名字照常记下。"
    fix = "不用改；下回记录员写 character、item、location、faction 之一就好。"


class CharactersUnregistered(Problem, code="DELTA_UNREGISTERED", exit=DONE, severity="warning"):
    """A delta names characters without a card; it was applied all the same (protocol §4)."""

    message = "状态里记下了没有档案的角色：{names}。"
    fix = "会再出场的，请用 `novel character add 名字` 为他建档；代号写错了，下一章的记录员会有机会改正。"


class TextSinceJudged(Problem, code="TEXT_SINCE_JUDGED", exit=DONE, severity="warning"):
    """The text was changed between its verdict and the polish; it is not recorded anew."""

    message = "第 {chapter} 章的正文在评审之后改过，摘要和状态说的还是改之前的，评审也没有看过。"
    fix = "只改了几个字就不用管；情节变了的话，等这一章入库，运行 `novel sync {chapter}` 照正文重新记一遍。"


class RecordsChanged(Problem, code="RECORDS_CHANGED", exit=DONE, severity="warning"):
    """Records of a chapter that are not as the summarizer left them."""

    message = "{paths} 在记录员交来以后改过，{detail}。"
    fix = "是你改的就不用管；不是，{how}"
    cases = {
        "waiting": "入库的会是现在这样\n"
        "就把它移到书的文件夹外面，记录员会照正文把第 {chapter} 章重新记一遍。",
        "landed": "入库的是改过的\n请运行 `novel sync {chapter}`，照正文把第 {chapter} 章重新记一遍。",
    }

    def as_landed(self) -> RecordsChanged:
        """Return the same problem of a landed chapter.

        Its staged files are gone, so it names the records by title.
        """
        chapter, what = self.values["chapter"], self.values["what"]
        return RecordsChanged(None, "landed", paths=f"第 {chapter} 章的{what}", chapter=chapter)
