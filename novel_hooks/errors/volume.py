"""A volume's plan, its review, and a setting or a cast that changes."""

from __future__ import annotations

from novel_hooks.annotations import Mapping
from novel_hooks.errors.base import DONE, FINDINGS, REFUSED, Problem


class VolumeFault(Problem, exit=FINDINGS):
    """A breach of a rule of the volume's plan; the rule supplies the words."""

    message = "{path}：{detail}。"


class VolumeRange(VolumeFault, code="VOLUME_RANGE"):
    """The chapters of the outline are not those that the volume must have."""

    message = "{path} 写的是第 {start} 章到第 {end} 章，{detail}。"
    cases = {
        "other start": "可第 {volume} 卷应从第 {first} 章起\n请把大纲改成从第 {first} 章起连号。",
        "ends early": "可书已写到第 {last} 章\n请把大纲补到第 {last} 章或更后。",
    }


class VolumeOutline(Problem, code="VOLUME_OUTLINE", exit=FINDINGS):
    """A key line of the outline is empty."""

    message = "{path}：第 {chapter} 章（第 {line} 行起）的 {keys} 空着。"
    fix = "请在冒号后面写上内容：`- **{key}**: 内容`；没有伏笔就写「无」。"


class PlanEventTwice(Problem, code="PLAN_EVENT_TWICE", exit=DONE, severity="warning"):
    """Two chapters of the plan are to bring about the same event."""

    message = "{path}：{where}第 {chapter} 章的{what}和第 {before} 章的{alike}：“{text}”。"
    fix = "不影响继续。要是同一件事写了两遍，就把第 {chapter} 章改成它自己的；分两章写的，各写明哪一半。"


class VolumeContract(VolumeFault, code="VOLUME_CONTRACT"):
    """A chapter lacks a contract, a contract lacks a chapter, or its chapter or storyline is another's."""

    cases = {
        "misnamed": "文件名不是章号\n请把文件名写成 {name}.json（至少三位）。",
        "misnamed, taken": "文件名不是章号，{name}.json 也已经有了\n"
        "请打开两份对着看，要留的并进 {name}.json，再把这一份移走；不要用它盖掉那一份。",
        "misnamed, no number": "文件名不是章号\n请把文件名写成 {name}.json 这样（至少三位）。",
        "written": "第 {chapter} 章已经写了，契约不能再改\n请把暂存区里的这一份移走，书里原来的那份不要动。",
        "other chapter": "契约写的是第 {found} 章，应是第 {chapter} 章\n"
        "请把 chapter 改成 {chapter}；整份放错了，就换成它自己那一章、还没有人用的文件名。",
        "other storyline": "契约的故事线是「{own}」，大纲写的是「{line}」\n"
        "请把契约的 storyline_id 或 {outline} 第 {chapter} 章的 Storyline 改成对的那一条。",
        "no objective": "契约里没有一条必达目标（required: true）\n"
        "请在第 {chapter} 章契约的 objectives 里至少写一条 required: true。",
        "no contract": "第 {chapter} 章没有契约\n请照大纲给第 {chapter} 章写一份契约。",
        "no chapter": "大纲里没有第 {chapter} 章\n"
        "请在大纲里补上第 {chapter} 章；不写这一章，就把这份契约移走。",
        "objective twice": "有两条目标都叫「{name}」\n请给其中一条另起 id。",
        "distance": "chapters_since_last 写的是 {count}，这条线上一次是第 {before} 章\n请改成 {wanted}。",
        "closes unknown": "postconditions.closes 里的「{name}」不是谁的约定\n"
        "请改成角色卡里有的编号{guess}，或去掉它。",
        "closes shared": "postconditions.closes 里的「{name}」{people}都有，不知说的是谁的\n"
        "请先给其中一条另起编号。",
        "closes again": "「{rule}」第 {earlier} 章已经到头了\n一条约定只到头一次，请留下一处。",
        "closes late": "「{rule}」第 {end} 章就到头了\n请从 closes 里去掉它。",
        "closes early": "「{rule}」第 {start} 章才起，第 {chapter} 章到不了头\n请改到那以后的章。",
        "name shared": "「{word}」是{titles}共用的，不知说的是谁\n请写显示名。",
        "person": "character_states 里「{first}」和「{word}」是同一个人\n请并成一条，写显示名「{title}」。",
    }


class VolumeChain(Problem, code="VOLUME_CHAIN", exit=FINDINGS):
    """A character changes in one chapter, and the next chapter with him does not state his condition."""

    message = "{path} 没接住「{name}」：第 {before} 章改变了他，第 {chapter} 章他还在场（{where}）。"
    fix = (
        "请在 {path} 的 preconditions.character_states 里写上「{name}」，状态接第 {before} 章的变化；"
        "他不在场，就改掉{where}。"
    )


_EVEN = "请改好 target_chapters 或大纲的 Storyline，使两边一致。"


class VolumeStoryline(VolumeFault, code="VOLUME_STORYLINE"):
    """A storyline is unknown, not active, or one too many."""

    cases = {
        "unknown": "故事线「{line}」没有定义（{where}）\n请改好这个代号{guess}，或在 {storylines} 里定义它。",
        "other volume": "volume 写的是 {found}，应是 {volume}\n请把 volume 改成 {volume}。",
        "too many": "活跃故事线有 {count} 条，一卷至多 {most} 条\n请把次要的几条移到 dormant_storylines。",
        "twice": "{key} 里「{line}」写了两次\n请只留一条。",
        "dormant too": "故事线「{line}」又活跃又休眠\n请从 dormant_storylines 里去掉它，或让它这一卷休眠。",
        "inactive": "{chapters}的故事线「{line}」不在本卷的活跃故事线里\n"
        "请在 {schedule} 的 active_storylines 里加上它，或改{chapters}的 Storyline{guess}。",
        "both inactive": "第 {chapter} 章的故事线「{line}」和契约里的「{own}」都不在本卷的活跃故事线里\n"
        "请写成 {schedule} 的 active_storylines 里的一条。",
        "count": "「{line}」要写 {count} 章，本卷只有 {chapters} 章\n"
        "请把 target_chapters 写成这条线的章号列表。",
        "outside": "「{line}」的 target_chapters 里{chapters}不在本卷里\n请改在{range}之间。",
        "not of outline": "「{line}」的 target_chapters 里有{chapters}，大纲写的是「{other}」\n" + _EVEN,
        "no target": "大纲里{chapters}是「{line}」的，target_chapters 里没有\n" + _EVEN,
        "next": "next_storyline 写的是「{line}」，第 {chapter} 章是「{following}」\n"
        "请把 transition_hint.next_storyline 改成 {following}，或改第 {chapter} 章。",
    }


_WINDOW = "请把 chapter_range 改在{range}之间，前小后大。"
_INVOLVED = "请把它写进 active_storylines，或从 involved_storylines 里去掉。"


class VolumeConvergence(VolumeFault, code="VOLUME_CONVERGENCE"):
    """A convergence lies outside the volume, or has too few storylines or one that is not active."""

    message = "{path} 的 convergence_events 第 {number} 条：{detail}。"
    cases = {
        "turned": "第 {start} 章到第 {end} 章前后颠倒了\n" + _WINDOW,
        "outside": "第 {start} 章到第 {end} 章，超出了本卷（{range}）\n" + _WINDOW,
        "too few": "只有 {count} 条故事线\n请在 involved_storylines 里写上交汇的各条线。",
        "dormant": "要用的「{line}」本卷休眠\n" + _INVOLVED,
        "inactive": "要用的「{line}」本卷没有活跃\n" + _INVOLVED,
    }


_ACTION = "action 请写成 {actions} 之一。"
_ORDER = "请改好 planted_chapter 或 target_resolve_range。"
_AGREE = "请改好 {outline} 第 {chapter} 章的 Foreshadowing 或契约的 foreshadowing_updates，使两边一致。"


class VolumeForeshadowing(VolumeFault, code="VOLUME_FORESHADOWING"):
    """A thread contradicts the volume, the facts, the contracts or the outline."""

    cases = {
        "other volume": "volume 写的是 {found}，应是 {volume}\n请把 volume 改成 {volume}。",
        "twice": "伏笔「{name}」写了两次\n请把两条并成一条，或给其中一条另起编号。",
        "id": "伏笔「{name}」的编号写法不对\n"
        "编号只用小写英文字母、数字、连字符，如 double-seal；契约和大纲里的也一起改。",
        "no description": "伏笔「{name}」没有 description\n请写上埋的是什么、怎么收。",
        "no signal": "伏笔「{name}」有 payoff，没有 signal\n"
        "请写上读者此刻看得见的那一半；谜底只给你和评审看，没有 signal，写手手里就什么都没有。",
        "no scope": "伏笔「{name}」没有 scope\n请写成 {scopes} 之一。",
        "unplanted": "伏笔「{name}」还没埋，status 却是 {status}\n请把 status 改成 planted。",
        "no chapter": "伏笔「{name}」没有 planted_chapter\n请写上在哪一章埋，{range}之间。",
        "outside": "伏笔「{name}」要在第 {planted} 章埋，不在本卷里\n请把 planted_chapter 改在{range}之间。",
        "planted late": "伏笔「{name}」要在第 {planted} 章埋，那一章已经写完，没有埋\n"
        "请改到第 {next} 章以后埋；其实埋过了，就用 `novel sync {planted}` 补记。",
        "other planting": "伏笔「{name}」是第 {was} 章埋的，planted_chapter 却是 {planted}\n"
        "请把 planted_chapter 改成 {was}。",
        "status ahead": "伏笔「{name}」已有的记录是 {known}，status 却是 {status}\n请照 {facts} 里的写。",
        "no range": "伏笔「{name}」没有可用的回收范围\n"
        "请把 target_resolve_range 写成 [起, 止] 两个章号，前小后大。",
        "over first": "伏笔「{name}」第 {planted} 章才埋，第 {end} 章就要收完\n" + _ORDER,
        "open first": "伏笔「{name}」第 {planted} 章才埋，第 {start} 章就可以收\n" + _ORDER,
        "range over": "伏笔「{name}」到第 {end} 章就该收完，书已写到第 {last} 章\n"
        "请把 target_resolve_range 改到后面去。",
        "range outside": "伏笔「{name}」是短线（short），却要到第 {end} 章才收完，出了本卷\n"
        "请把 target_resolve_range 的止章改在{range}之间，或把 scope 改成 medium、long。",
        "unknown": "伏笔「{name}」没有人立过（{where}）\n请改好编号{guess}，或在 {plan} 里立这一条。",
        "dropped": "伏笔「{name}」作者已经放下，第 {chapter} 章还要动它\n"
        "请从这份契约和大纲里去掉它；要接着用，作者得先运行 `novel foreshadow revive`。",
        "payoff early": "第 {chapter} 章写出了伏笔「{name}」的谜底，还没到收它的那一章\n"
        "请改成写手此刻看得见的样子；这一章就收的，在 foreshadowing_updates 里写 resolved。",
        "action twice": "foreshadowing_updates 里「{name}」的 {action} 写了两次\n请只留一条。",
        "no id": "foreshadowing_updates 第 {number} 条没有 id\n请写上伏笔的编号。",
        "no action": "伏笔「{name}」没有写 action\n" + _ACTION,
        "unknown action": "伏笔「{name}」的 action「{action}」不认识\n" + _ACTION,
        "planted again": "伏笔「{name}」第 {was} 章已经埋过，第 {chapter} 章又埋\n"
        "请把 action 改成 advanced 或 resolved。",
        "earlier": "伏笔「{name}」前面已经埋过，第 {chapter} 章又埋\n请把 action 改成 advanced 或 resolved。",
        "planted twice": "伏笔「{name}」在{chapters}各埋了一次\n请只留一次 planted，后面的改成 advanced。",
        "planned for another": "伏笔「{name}」计划在第 {meant} 章埋，契约却在第 {planted} 章埋\n"
        "请改好 planted_chapter，或第 {planted} 章契约的 foreshadowing_updates。",
        "not in contract": "伏笔「{name}」计划在第 {meant} 章埋，那一章的契约没有写\n"
        "请在契约的 foreshadowing_updates 里写上它，action 是 planted；或改 planted_chapter。",
        "before planting": "伏笔「{name}」第 {meant} 章才埋，第 {chapter} 章就{action}\n请改好两处的先后。",
        "other storyline": "伏笔「{name}」写的是在「{line}」线埋，第 {meant} 章却是「{own}」线\n"
        "请改好 planted_storyline 或 planted_chapter。",
        "resolved": "伏笔「{name}」已经收了，第 {chapter} 章还要动它\n请从这份契约里去掉它，或另立一条。",
        "after": "伏笔「{name}」第 {resolved} 章收了，{chapters}还要动它\n请改好先后，收只写一次，放在最后。",
        "out of range": "伏笔「{name}」第 {resolved} 章收，计划的回收范围却是第 {start} 章到第 {end} 章\n"
        "请改好 target_resolve_range，或第 {resolved} 章契约的 foreshadowing_updates。",
        "unresolved": "伏笔「{name}」该在第 {start} 章到第 {end} 章收，没有一份契约收它\n"
        "请在这几章里一份契约的 foreshadowing_updates 里写上它，action 是 resolved；"
        "或改 target_resolve_range。",
        "outline only": "伏笔「{name}」第 {chapter} 章的大纲里有，契约的 foreshadowing_updates 里没有\n"
        + _AGREE,
        "contract only": "伏笔「{name}」第 {chapter} 章的契约里有，大纲的 Foreshadowing 里没有\n" + _AGREE,
        "other action": "伏笔「{name}」第 {chapter} 章的大纲写的是{done}，契约写的是{wanted}\n" + _AGREE,
    }

    def name_threads(self, titles: Mapping[str, str]) -> None:
        """Put each thread's description before its id; `titles` are descriptions by id."""
        told = str(self.values["detail"])
        for name, title in titles.items():
            told = told.replace(f"「{name}」", f"「{title}」（{name}）")
        self.values["detail"] = told
        self.args = (self.message.format(**self.values),)


class VolumeSecret(VolumeFault, code="VOLUME_SECRET"):
    """Outline or contract of a chapter tell a character's secret before the chapter in which it comes out."""

    message = "{path}：第 {chapter} 章写出了「{name}」的秘密：「{words}」。"
    fix = (
        "请改成写手此刻看得见的样子；这一章就说破的，在第 {chapter} 章契约的 state_changes 里给「{name}」"
        "写上 secret（怎样说破的）；前几卷已经说破的，在他的档案里写上 secret_out（哪一章）。"
    )


class VolumeCast(VolumeFault, code="VOLUME_CAST", exit=DONE, severity="warning"):
    """A chapter does not state the condition of its narrator or of a changed character, or what he hides."""

    cases = {
        "entrance": "没写「{name}」开场时的状态，第 {chapter} 章他在场（{where}）\n"
        "请在 preconditions.character_states 里写上「{name}」，在哪儿、拿着什么、知道什么。",
        "secret": "{chapters}从「{name}」心里写，他的秘密没有交给写手\n"
        "他自己知道、这一章又靠它转的，在那一章的 preconditions.character_states 里给「{name}」"
        "写上 secret（怎样瞒着），写手就拿得到；不靠它转的不用管。",
        "stranger": "{chapters}的目标都冲着「{name}」，没有他的档案\n"
        "是反复出场的人，请先立档（写 {card}）；不是人，不用管。",
    }


class VolumeCharacter(Problem, code="VOLUME_CHARACTER", exit=FINDINGS):
    """A person appears in the volume and has no card."""

    message = "「{name}」没有档案，却出现在 {where}。"
    fix = "写错了名字就改过来{near}；新角色请先立档：写 {card}，display_name 是「{name}」{things}。"


class VolumeRetired(Problem, code="VOLUME_RETIRED", exit=FINDINGS):
    """A person appears in the volume who has left the book."""

    message = "「{name}」已经退场了，却出现在 {where}。"
    fix = "请把他从那里去掉；要请他回来，用 `novel rollback --list` 找到存档，再 `novel restore 编号`。"


class VolumeWorldRule(VolumeFault, code="VOLUME_WORLD_RULE"):
    """A contract requires a world rule that does not exist, or is introduced later."""

    message = "{path} 的 required_world_rules 里有「{name}」，{detail}。"
    cases = {
        "early": "要到第 {since} 章才引入，{chapters}就用上了\n"
        "请从{chapters}的契约里去掉它，或把 {rules} 里它的 introduced_chapter 提前。",
        "unknown": "{rules} 没有这一条{also}\n请改成 {rules} 里有的编号{guess}，或去掉它。",
    }


class ReviewNotYet(Problem, code="REVIEW_NOT_YET", exit=REFUSED):
    """The author asks for the review of a volume that has not begun."""

    message = "第 {volume} 卷还没有开始写，没有可以回顾的。"
    cases = {
        "none": "请运行 `novel next` 查看当前该做什么。",
        "later": "现在是第 {now} 卷；运行 `novel review` 看这一卷。",
    }


class ReviewUnread(Problem, code="REVIEW_UNREAD", exit=DONE, severity="warning"):
    """The review could not read a part of the volume."""

    message = "卷末回顾里少了一部分：{reason}。"
    fix = "改好或找回这个文件，再看一遍回顾；就这样翻过去，这一部分会空着。"


_NEXT = "运行 `novel next` 看现在该做什么。"


class ReplanNotNow(Problem, code="REPLAN_NOT_NOW", exit=REFUSED):
    """The rest of the volume cannot be planned anew now."""

    message = "现在不能重排本卷：{detail}。"
    cases = {
        "not writing": "现在不在写作中\n" + _NEXT,
        "not planning": "第 {volume} 卷没有可以接着写的规划\n" + _NEXT,
        "nothing left": "第 {volume} 卷没有还没写的章\n" + _NEXT,
        "recording": "正在记录一章\n" + _NEXT,
        "chapter begun": "第 {chapter} 章正写到一半\n"
        "请先写完这一章；不要这一稿了，运行 `novel rollback {before}` 退回去（都存着），再来一次。",
        "draft staged": "第 {chapter} 章已有一稿在暂存区\n"
        "请先写完这一章，或把 {path} 移到书的文件夹外面留着。",
        "step out": "「{label}」已经交给代理去做\n"
        "请等它做完；不做了，运行 `novel fail {step} --reason 重排`，再来一次。",
        "retired": "照原来的规划，第 {chapter} 章要「{name}」出场，他已经退场了\n"
        "请接着重排（`novel next`）；要照原来的写，先用 `novel restore {name}` 请他回来。",
    }


class RenameUnknown(Problem, code="RENAME_UNKNOWN", exit=REFUSED):
    """Nothing in the book has the name that is to be replaced."""

    message = "书里没有记着「{name}」这个名字。"
    fix = "{guess}请写角色的名字或别名，或者地点、物品的名字：有记录的，或世界设定和分卷规划里写到的。"


class RenameShared(Problem, code="RENAME_SHARED", exit=REFUSED):
    """Several people have the name, and no place shows which of them it means."""

    message = "「{name}」是{people}共有的名字，程序分不出哪一处说的是谁，什么也没有改。"
    fix = "请打开 {paths}，自己改其中一人的名字或别名；别处要改的，`novel find {name} --exact` 列得出来。"


class CharacterTaken(Problem, code="CHARACTER_TAKEN", exit=REFUSED):
    """A new character's name, alias or id is in use."""

    message = "「{name}」已经有了：{detail}。"
    cases = {
        "active": "是{owner}的名字或别名，档案在 {path}\n"
        "是同一个人，就不用建档；另有其人，请换一个分得清的名字。",
        "retired": "是退场的{owner}\n"
        "想请回来，运行 `novel rollback --list` 找到他的存档，再用 `novel restore` 取回。",
        "thing": "是书里的地点、物品或势力\n请换一个分得清的名字。",
        "id": "这个代号已经有人用\n请换一个代号，或去掉 --id。",
        "not an id": "代号只能用小写字母、数字和连字符\n请写成 tang-po 这样，或去掉 --id。",
        "blank": "名字是空的\n请写上名字，如 `novel character add 唐婆`。",
    }


class RenameTaken(Problem, code="RENAME_TAKEN", exit=REFUSED):
    """The new name is in use."""

    message = "「{name}」已经是书里别的人、地点或物品的名字。"
    fix = "请换一个没有用过的名字。"


class RenameOdd(Problem, code="RENAME_ODD", exit=REFUSED):
    """The new name cannot be a name."""

    message = "「{name}」不能当新名字。"
    fix = (
        "新名字要和旧的不同，两个字到 {most} 个字（一个字的，程序在正文里认不准，改了就改不回来），"
        "用汉字或带大写的字母，里面不能有空格、标点和看不见的记号。"
    )


class PendingTouched(Problem, code="PENDING_TOUCHED", exit=DONE, severity="warning"):
    """The next chapter needs a setting that was changed after it was planned."""

    message = "第 {chapter} 章的契约排在设定改动之前：{what}。"
    fix = (
        "请核对 {path}；改动牵动的各章都核对好了，运行 `novel changed --done {ids}`；"
        "要重排后面各章，用 `novel replan`。"
    )
