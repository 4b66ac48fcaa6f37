"""A volume's plan, its review, and a setting or a cast that changes."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, FINDINGS, REFUSED, USAGE, Problem


class VolumeFault(Problem, exit=FINDINGS):
    """A breach of a rule of the volume's plan; the rule has the words for it."""

    message = "{path}：{detail}。"
    fix = "{how}"


class VolumeRange(VolumeFault, code="VOLUME_RANGE"):
    """The outline's chapters are not those that the volume must have."""

    message = "{path} 写的是第 {start} 章到第 {end} 章，{detail}。"


class VolumeOutline(Problem, code="VOLUME_OUTLINE", exit=FINDINGS):
    """A key line of the outline that says nothing."""

    message = "{path}：第 {chapter} 章（第 {line} 行起）的 {keys} 空着。"
    fix = "请在冒号后面写上内容：`- **{key}**: 内容`；没有伏笔就写「无」。"


class VolumeContract(VolumeFault, code="VOLUME_CONTRACT"):
    """A chapter without a contract, a contract without a chapter, or one of another chapter."""


class VolumeChain(Problem, code="VOLUME_CHAIN", exit=FINDINGS):
    """Somebody changed in one chapter and is there in the next, which does not say how he comes in."""

    message = "{path} 没接住「{name}」：第 {before} 章改变了他，第 {chapter} 章他还在场（{where}）。"
    fix = (
        "请在 {path} 的 preconditions.character_states 里写上「{name}」，状态接第 {before} 章的变化；"
        "他不在场，就改掉{where}。"
    )


class VolumeStoryline(VolumeFault, code="VOLUME_STORYLINE"):
    """A storyline that is not known, not active, or one too many."""


class VolumeConvergence(VolumeFault, code="VOLUME_CONVERGENCE"):
    """Storylines that meet outside the volume, too few of them, or one that is not at work in it."""

    message = "{path} 的 convergence_events 第 {number} 条：{detail}。"


class VolumeForeshadowing(VolumeFault, code="VOLUME_FORESHADOWING"):
    """A thread that does not fit the volume, the facts, or what contracts and outline do with it."""


class VolumeCast(Problem, code="VOLUME_CAST", exit=DONE, severity="warning"):
    """A chapter is told through somebody, or changes him, and does not say how he comes in."""

    message = "{path} 没写「{name}」开场时的状态：第 {chapter} 章他在场（{where}）。"
    fix = "请在 preconditions.character_states 里写上「{name}」，在哪儿、拿着什么、知道什么。"


class VolumeCharacter(Problem, code="VOLUME_CHARACTER", exit=FINDINGS):
    """Somebody appears in the volume and has no card."""

    message = "「{name}」没有档案，却出现在 {where}。"
    fix = (
        "写错了名字就改过来{near}；新角色请先立档：写 staging/characters/active/代号.json，"
        "display_name 是「{name}」{things}。"
    )


class VolumeRetired(Problem, code="VOLUME_RETIRED", exit=FINDINGS):
    """Somebody appears in the volume who has left the book."""

    message = "「{name}」已经退场了，却出现在 {where}。"
    fix = "请把他从那里去掉；要请他回来，用 `novel rollback --list` 找到存档，再 `novel restore 编号`。"


class VolumeWorldRule(VolumeFault, code="VOLUME_WORLD_RULE"):
    """A contract leans on a world rule that does not exist, or not yet."""

    message = "{path} 的 required_world_rules 里有「{name}」，{detail}。"


class ReviewNotYet(Problem, code="REVIEW_NOT_YET", exit=REFUSED):
    """A volume is to be looked back on that has not begun."""

    message = "第 {volume} 卷还没有开始写，没有可以回顾的。"
    fix = "{how}"


class ReviewUnread(Problem, code="REVIEW_UNREAD", exit=DONE, severity="warning"):
    """A part of a volume that the review could not look at."""

    message = "卷末回顾里少了一部分：{detail}。"
    fix = "改好或找回这个文件，再看一遍回顾；就这样翻过去，这一部分会空着。"


_NEXT = "运行 `novel next` 看现在该做什么。"


class ReplanNotNow(Problem, code="REPLAN_NOT_NOW", exit=REFUSED):
    """The rest of a volume is to be planned anew, and that cannot begin here."""

    message = "现在不能重排本卷：{detail}。"
    fix = "{how}"
    cases = {
        "not writing": ("现在不在写作中", _NEXT),
        "not planning": ("第 {volume} 卷没有可以接着写的规划", _NEXT),
        "nothing left": ("第 {volume} 卷没有还没写的章", _NEXT),
        "recording": ("正在重新记录一章", _NEXT),
        "chapter begun": (
            "第 {chapter} 章正写到一半",
            "请先写完这一章；不要这一稿了，运行 `novel rollback {before}` 退回去（都存着），再来一次。",
        ),
        "draft staged": ("第 {chapter} 章已有一稿在暂存区", "请先写完这一章，或把 {path} 移走。"),
        "step out": (
            "「{label}」已经交给代理去做",
            "请等它做完；不做了，运行 `novel fail {step} --reason 重排`，再来一次。",
        ),
    }


class CharacterNotActive(Problem, code="CHARACTER_NOT_ACTIVE", exit=REFUSED):
    """Somebody is to leave the book who is not in it."""

    message = "{path} 里没有「{name}」这个角色。"
    fix = "{how}"


class RetireNotNow(Problem, code="RETIRE_NOT_NOW", exit=REFUSED):
    """The cast is to change while a step is out."""

    message = "现在不能让角色退场：{detail}。"
    fix = "先做完这一步（`novel next` 会说怎么做），再来一次。"
    cases = {"chapter begun": "第 {chapter} 章正写到一半", "step out": "「{label}」正在做"}


class RetireNeeded(Problem, code="RETIRE_NEEDED", exit=REFUSED):
    """Something that is not yet told needs the character."""

    message = "「{name}」还不能退场：{detail}。"
    fix = "{how}"


class RenameUnknown(Problem, code="RENAME_UNKNOWN", exit=REFUSED):
    """A name is to be replaced that nobody and nothing in the book bears."""

    message = "书里没有记着「{name}」这个名字。"
    fix = "{guess}请写角色的名字或别名，或者已经有记录的地方、物件的名字。"


class RenameTaken(Problem, code="RENAME_TAKEN", exit=REFUSED):
    """The new name is another's."""

    message = "「{name}」已经是书里别的人、地方或物件的名字。"
    fix = "请换一个没有用过的名字。"


class RenameOdd(Problem, code="RENAME_ODD", exit=REFUSED):
    """The new name cannot be one."""

    message = "「{name}」不能当新名字。"
    fix = "新名字要和旧的不同，最多 {most} 个字，里面不能有空格、点、引号和括号。"


class RenameNotNow(Problem, code="RENAME_NOT_NOW", exit=REFUSED):
    """A name is to be replaced while something is in work."""

    message = "现在不能改名：{detail}。"
    fix = "先做完这一步（`novel next` 会说怎么做），再来一次。"
    cases = {
        "chapter begun": "第 {chapter} 章正写到一半",
        "step out": "「{label}」正在做",
        "recording": "有一章正在重新记录",
        "plan staged": "有没入库的设定或规划",
    }


class ActionUnknown(Problem, code="ACTION_UNKNOWN", exit=USAGE):
    """No pending action has that id."""

    message = "没有编号是「{name}」的待办。"
    fix = "现有的编号：{known}。"


class PendingTouched(Problem, code="PENDING_TOUCHED", exit=DONE, severity="warning"):
    """The chapter that comes next leans on a setting that was changed after it was planned."""

    message = "第 {chapter} 章的契约排在设定改动之前：{what}。"
    fix = (
        "请核对 {path}；改动牵动的各章都核对好了，运行 `novel changed --done {ids}`；"
        "要重排后面各章，用 `novel replan`。"
    )
