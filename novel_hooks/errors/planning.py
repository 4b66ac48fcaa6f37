"""Outline and contracts, setting up, and what planners and author tell each other."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, FINDINGS, REFUSED, Problem


class OutlineEmpty(Problem, code="OUTLINE_EMPTY", exit=REFUSED):
    """No chapter heading at all: the volume has no bounds."""

    message = "{path} 里没有一个章标题，无法确定本卷从哪章到哪章。"
    fix = (
        "章标题写作 `### 第 12 章: 章名`。以前写好过的，先从备份取回 {path}；"
        "还没写的，在 /novel:start 的「规划本卷」里补好大纲后再试。"
    )


class OutlineHeadingNear(Problem, code="OUTLINE_HEADING_NEAR", exit=REFUSED):
    """A line is nearly a heading: it is not read as one, and it is reported."""

    message = "{path} 第 {line} 行像是章标题，但{detail}：{text}"
    cases = {
        "near": "写法不对\n请把第 {line} 行改成 `{suggestion}`。",
        "taken": "第 {chapter} 章在第 {first} 行已经有了\n"
        "第 {line} 行是另一章，就改好它的章号；只是章内的小标题，就换个写法，不用「第…章（节、回）」开头。",
        "unread": "读不出章号\n"
        "是一章的话，请把第 {line} 行改成 `### 第 12 章: 章名` 这样的写法，章号从 1 起。",
    }


class OutlineNumbering(Problem, code="OUTLINE_NUMBERING", exit=REFUSED):
    """Chapter numbers are repeated, missing or out of order."""

    message = "{path} 的章号有{detail}：{chapters}。"
    cases = {"repeated": "重复", "missing": "缺少", "misplaced": "放错了位置的"}
    fix = "请改好大纲里的章号和先后，让每章只出现一次、从小到大、中间不断。"


class OutlineChapterMissing(Problem, code="OUTLINE_CHAPTER_MISSING", exit=REFUSED):
    """The chapter has no block in the volume's outline."""

    message = "{path} 里找不到第 {chapter} 章的大纲。"
    fix = "章标题写作 `### 第 {chapter} 章: 章名`。请在 /novel:start 的「规划本卷」里补好大纲后再试。"


class OutlineBeyond(Problem, code="OUTLINE_BEYOND", exit=REFUSED):
    """The chapter lies outside the volume, by the outline's own range."""

    message = "第 {chapter} 章不在第 {volume} 卷的大纲里：这一卷是第 {start}-{end} 章（{path}）。"
    fix = "请写这一卷的章号，或用 `novel outline --volume 卷号` 看别的卷。"


_WRITE_KEY = "请在第 {chapter} 章的大纲里写上 `- **{key}**: 内容`。"


class OutlineKeyMissing(Problem, code="OUTLINE_KEY_MISSING", exit=REFUSED):
    """One of the eight key lines is not there, is mistyped, or has no value."""

    message = "{path} 第 {chapter} 章的大纲{detail}。"
    cases = {
        "absent": "（第 {line} 行起）没有「{key}」这一行\n" + _WRITE_KEY,
        "near": "（第 {line} 行起）没有「{key}」这一行，第 {at} 行像是它，但写法不对：{text}\n"
        "请把第 {at} 行改成 `{suggestion}`。",
        "empty": "空着「{key}」这一行\n" + _WRITE_KEY,
    }


class OutlineKeyTwice(Problem, code="OUTLINE_KEY_TWICE", exit=REFUSED):
    """One of the eight key lines stands more than once in a chapter's block."""

    message = "{path} 第 {chapter} 章的大纲把「{key}」写了不止一次（第 {lines} 行）。"
    fix = "请只留要用的那一行，别的删掉或并进去。"


class OutlineRawMarks(Problem, code="OUTLINE_RAW_MARKS", exit=DONE, severity="info"):
    """The outline has a BOM or line ends of another system; it is read all the same."""

    message = "{path} {detail}；读得懂，不影响写作。"
    cases = {"bom": "开头有看不见的 BOM 标记", "returns": "从第 {line} 行起有 {count} 处 Windows 换行（CR）"}
    fix = "想统一的话，运行 `novel outline --volume {volume} --fix`。"


class OutlineUnfixable(Problem, code="OUTLINE_UNFIXABLE", exit=FINDINGS, severity="warning"):
    """The fault is in a text that only the author may write."""

    message = "还有 {count} 处要你自己改，写作助手不替你编章号和内容。"
    fix = "请运行 `novel outline --volume {volume} --check`，照每一条说的改。"


class ContractMismatch(Problem, code="CONTRACT_MISMATCH", exit=REFUSED):
    """Contract and outline disagree, so the step stops before the wrong chapter is written."""

    message = "{path} 与大纲对不上：{detail}"
    fix = "请在 /novel:start 的「规划本卷」里改好本章契约或大纲，使两边一致。"
    cases = {
        "other chapter": "契约写的是第 {found} 章，应是第 {chapter} 章",
        "other storyline": "契约的故事线是「{own}」，大纲写的是「{line}」",
        "no objective": "契约里没有一条必达目标（required: true）",
    }


class CharacterDuplicate(Problem, code="CHARACTER_DUPLICATE_NAME", exit=REFUSED):
    """Two active characters with one display name."""

    message = "有两个角色都叫「{name}」：{first} 和 {path}。"
    fix = "请给其中一个角色改名，让每个显示名只对应一个角色。"


class CharacterIdWrong(Problem, code="CHARACTER_ID_WRONG", exit=REFUSED):
    """A character's file does not have his id as its name, so changes of his state would be dropped."""

    message = "{path} 的文件名和代号对不上：{detail}。"
    cases = {
        "no id": "文件名「{slug}」不能当代号，代号只用小写英文字母、数字和连字符\n"
        "请把这个文件改名为 {name}.json，同名的 .md 也改成 {name}.md，里面的 id 也写这个代号；"
        "那个名字要是已经有文件在用，就另起一个，不要盖掉它。",
        "other id": "文件名是「{slug}」，里面的 id 却是「{id}」\n"
        "请把 id 改成 {slug}；也可以把文件（和同名的 .md）换成 id 的名字，那个名字还没有人用才行。",
        "taken": "文件名是「{slug}」，可 {name}.json 已经有了\n"
        "像是一份副本：请打开两份对着看，要留的并进 {name}.json，"
        "再把这一份（和同名的 .md）移到书的文件夹外面；"
        "不要用它盖掉 {name}.json。真是另一个人，就另起一个代号，文件名和里面的 id 都写它。",
    }


class CharacterUnknown(Problem, code="CHARACTER_UNKNOWN", exit=REFUSED, severity="warning"):
    """The contract's preconditions name somebody who is no active character."""

    message = "{path} 提到的角色「{name}」没有档案，已略过。"
    fix = "如果这是新角色，请用 `novel character add 名字` 为他建档。"


_NEXT = "当前该做的是「{due}」；请运行 `novel next`，照它说的做。"


class PlanningNotDue(Problem, code="PLANNING_NOT_DUE", exit=REFUSED):
    """The book's state does not allow this step of the setup or of a volume's plan."""

    message = "现在不能{what}：{detail}。"
    cases = {
        "other step": "{reason}\n" + _NEXT,
        "step failed": "上一步失败了，要先由你决定怎么办\n" + _NEXT,
        "set up": "这本书的初始设定已经定下了\n"
        + "要改设定，直接编辑 brief.md、world/、characters/、style-profile.json 里的文件即可。"
        + _NEXT,
        "setting up": "初始设定还没有做完\n" + _NEXT,
        "review due": "这一卷写完了，还没有做卷末回顾\n" + _NEXT,
        "other volume": "现在规划的是第 {volume} 卷\n" + "请改为{meant}。" + _NEXT,
        "writing": "第 {volume} 卷正在写\n" + _NEXT,
        "by commit": "「{step}」要入库，不是推进\n请运行 `{command}`。",
        "no outline before": "第 {before} 卷还没有大纲，第 {volume} 卷从哪一章写起现在说不准\n"
        "请先看第 {before} 卷，或者不写 --volume。",
    }


class BriefBlank(Problem, code="BRIEF_BLANK", exit=REFUSED):
    """The brief is still the template, so nothing can be built on it."""

    message = "立意 {path} 还是空白的模板。"
    fix = "请先在 {path} 里写下「一句话」和「主角」两栏（用 /novel:start 也行），其余可以慢慢补，再试一次。"


class BriefOpen(Problem, code="BRIEF_OPEN", exit=FINDINGS, severity="warning"):
    """The author has not filled in some places of the brief."""

    message = "立意 {path} 里还有 {count} 处待填。"
    fix = "请在 {path} 里把「〔待填〕」换成你的打算；还没想好的可以先空着。"


class CastEmpty(Problem, code="CAST_EMPTY", exit=REFUSED):
    """No character has a card."""

    message = "{path} 里还没有一个角色档案，这一卷排不了人。"
    fix = "请先立角色：在 /novel:start 里完成「角色」，或自己在 {path} 里放一份角色档案，再试一次。"


class StagedPlanUnread(Problem, code="STAGED_PLAN_UNREAD", exit=FINDINGS, severity="warning"):
    """An earlier draft of a plan in staging cannot be read; the step writes it anew."""

    message = "暂存区里的上一稿 {path} 用不了：{reason}"
    fix = "请让{who}把它整份重写。"


class SampleMissing(Problem, code="SAMPLE_MISSING", exit=FINDINGS, severity="warning"):
    """The author has given no text of his to measure."""

    message = "{path} 里没有你的样章，文风只能照立意来定，数字沿用现有的文风档案。"
    fix = "有自己写的文字（一两万字最好），请先用 `novel import 文件 --sample` 交来；没有，就这样定。"


class SampleShort(Problem, code="SAMPLE_SHORT", exit=FINDINGS, severity="warning"):
    """The samples have too few sentences for numbers."""

    message = "样章只有 {sentences} 句，量出来的数字只能参考。"
    fix = "再用 `novel import 文件 --sample` 交几段自己写的文字，放进 {path}，四十句以上才作得准。"


class SampleLeftOut(Problem, code="SAMPLE_LEFT_OUT", exit=FINDINGS, severity="warning"):
    """The samples are longer than the part that is measured."""

    message = "样章太多，只量了前 {limit} 字左右；没有量的：{files}。"
    fix = "想让它们也算进来，就从 {path} 里拿掉一些别的。"


_BORROWED = "{path}：「{alias}」是{person}的别名，又是另一个人的显示名，写到它只认得那一个\n"


class PlanBroken(Problem, code="PLAN_BROKEN", exit=FINDINGS):
    """A planning step's output is there but cannot be used."""

    cases = {
        "finding": "{cause}\n{advice}",
        "empty": "{path} 是空的\n请让{who}写好它。",
        "template": "{path} 还是空白的模板\n请让{who}照样章写好它。",
        "reused": "{path} 里「{name}」作者已经答过，现在问的是另一句\n问过的事删掉；要问别的，另起一个 id。",
        "retired": "{path} 的角色已经退场了\n"
        "新角色请换一个代号；请他回来用 `novel rollback --list` 找存档，再 `novel restore 编号`。",
        "no quotation": "{path} 的 {where}（{found}）不是样章里的原文\n请从样章里原样摘，一字不改。",
        "other number": "{path} 的 {where} 写的是 {found}，样章里量出来的是 {counted}\n"
        "请照抄量出来的数。作者想要别的数，先问他，他定了再写；入库以后他也可以改 {profile}。",
        "file name": "{path} 的文件名不能当代号\n"
        "请把文件名改成小写英文、数字、连字符（如 lin-shen），别和已有的重名。",
        "other id": "{path} 里的 id 是「{id}」，与文件名不同\n"
        "请把 id 改成「{slug}」，或给文件换一个还没有人用的名字。",
        "id twice": "{path} 里有两条都叫「{name}」\n请给其中一条另起编号。",
        "contract twice": "{path} 的契约「{name}」和{bearer}的一条同号\n请给它另起编号。",
        "secret": "{path} 的{field}写出了「{name}」的秘密：「{words}」\n"
        "写手看得到这一栏：请改成旁人看得见的样子，那件事只留在 secret 里。",
        "alias taken": _BORROWED + "请从{person}的 aliases 里删去它；他冒用这个名字的，写进他的小传。",
        "name taken": _BORROWED + "请给新角色另起一个显示名。",
    }


class PlanAgainstState(Problem, code="PLAN_AGAINST_STATE", exit=DONE, severity="warning"):
    """A chapter's contract contradicts the state about its people."""

    message = "第 {chapter} 章的契约和故事状态对不上：{detail}。"
    fix = (
        "不影响继续，写手照已经写进书里的写。契约写旧了，改 {path} 里这个人的 character_states；"
        "状态记错了，`novel sync {last}` 把第 {last} 章重新记录。"
    )


class PlanOdd(Problem, code="PLAN_ODD", exit=FINDINGS, severity="warning"):
    """A planning step's output departs from its packet; it can be used as it is."""

    message = "{path}：{detail}"
    cases = {
        "ids": "规则编号{names}不是 W-001 这样的\n照样能用；要整齐，趁还没有别处引用，改成 W-001 起的编号。",
        "sample line": "还留着模板的样句「{line}」\n它不是这本书的事，代理却会当真：请删掉这一行。",
        "file name": "文件名不是小写英文、数字、连字符\n照样能读；要整齐，改成 salt-town.md 这样的名字。",
        "name field": "{fault}\n这样写程序认不出来；请改成说的那样。",
        "staged field": "{fault}\n这一项不会记进故事状态；请改成说的那样，入库时就带进去。",
        "landed field": "{fault}\n这样写程序认不出来，往后重排设定时带不进故事状态；请改成说的那样。",
        "of now": "「{rules}」说的是眼下的境界或手里的东西，会随故事变，不是约定\n"
        "请写进这张卡的 level 或 inventory，入库时带进故事状态，各章接着改；约定留给不许写错的事。",
        "near secret": "{field}里的「{words}」和他的 secret 像是同一件事\n"
        "写手看得到这一栏：是同一件事，只留在 secret 里。",
        "open ends": "这些约定写着到一件事为止，本卷没有一章让它到头：{contracts}\n"
        "本卷哪一章写到那件事，就在定下来以前说一声是哪一章，架构师会把括号里的编号写进那一章的 closes；"
        "本卷写不到，不用动。",
        "contracts": "有 {count} 条契约，一个角色该有 {least} 到 {most} 条\n"
        "照样能用；要补要减，让角色设计师再改一遍，或入库以后自己改这份档案。",
    }


class PlanKept(Problem, code="PLAN_KEPT", exit=DONE, severity="warning"):
    """A new file replaced a landed one, whose old text is kept."""

    message = "{path} 换成了新的一份，原来那份收在 {kept}。"
    fix = "原来那份里有要留的，打开 {kept}，把那几段抄进 {path}；别拿整份盖回去。"


class NoteNotRead(Problem, code="NOTE_NOT_READ", exit=DONE, severity="warning"):
    """A folder of notes holds a document that only another program can read."""

    message = "「{place}」是 {ending} 文档，读不了里面的字，没有收。"
    fix = "请在原来的软件里打开它，另存为纯文本（.txt，UTF-8），再用 `novel import` 交来。"


class PageNotRead(Problem, code="PAGE_NOT_READ", exit=FINDINGS, severity="warning"):
    """A file among the author's notes, samples or pages of the world is of a kind that nobody reads."""

    message = "{path} 没有人读：{detail}。{more}"
    cases = {
        "document": "是 {ending} 文档，读不了里面的字\n"
        "请在原来的软件里打开它，另存为纯文本（.txt，UTF-8），放在书的文件夹外面，"
        "再用 `novel import`{sample} 交来。",
        "text": "{folder}/ 里只读直接放着的 {known}\n"
        "请把它移到书的文件夹外面，再用 `novel import`{sample} 交来，会收成读得到的名字。",
        "no words": "不是文字\n用得着它的话，把里面的内容写成 {known} 放进 {folder}/；只是留着看的，不用管。",
    }


class CharacterNotActive(Problem, code="CHARACTER_NOT_ACTIVE", exit=REFUSED):
    """The author retires a character who is not in the book."""

    message = "{path} 里没有「{name}」这个角色。"
    cases = {
        "near": "是不是「{near}」？",
        "others": "请写他的代号或名字；现有的是 {people}，档案在 {path}/ 里。",
        "nobody": "请写他的代号或名字；现在一个也没有，档案在 {path}/ 里。",
    }


class BookAtWork(Problem, code="BOOK_AT_WORK", exit=REFUSED):
    """The cast or a name is to change while something is in work."""

    message = "现在不能{what}：{detail}。"
    fix = "先做完这一步（`novel next` 会说怎么做），再来一次。"
    cases = {
        "chapter begun": "第 {chapter} 章正写到一半",
        "step out": "「{label}」正在做",
        "recording": "有一章正在记录",
        "plan staged": "有没入库的设定或规划",
        "setup": "初始设定还没有入库",
    }


class RetireNeeded(Problem, code="RETIRE_NEEDED", exit=REFUSED):
    """Something unfinished still needs the character."""

    message = "「{name}」还不能退场：{detail}。"
    cases = {
        "thread": "伏笔「{title}」还没收，说的是他\n"
        "先写到收了它的那一章；不收了，就运行 `novel foreshadow drop {id}`；"
        "只是提到他，就打开 {path}，改掉这一条里对他的说法。",
        "storyline": "故事线「{line}」由他来讲，还没有完结\n"
        "请打开 {path}，把这条线由谁来讲（pov_characters）里的他换成别人；"
        "线讲完了，就把它的现状（status）写成 完结。",
        "relationship": "故事线「{one}」与「{other}」靠他连着\n"
        "请打开 {path}，在故事线的关系（relationships）里连着这两条线的那一段，"
        "把共有的人（shared_characters）里的他换成别人；讲完了的线，把它的现状（status）写成 完结。",
        "convergence": "第 {start} 章到第 {end} 章的交汇要用他\n"
        "请打开 {path}，改掉这次交汇里怎样碰上（trigger）、碰上以后（aftermath）对他的说法，或等它写完。",
        "chapter": "第 {chapter} 章还要他出场（{where}）\n"
        "先写完第 {chapter} 章；不要他出场，就改大纲里的这一章和 {path}。",
        "staged card": "暂存区里还有他的档案，入库时他又会出场\n先把 {path} 移到书的文件夹外面。",
    }


class RetireOffer(Problem, code="RETIRE_OFFER", exit=REFUSED, severity="info"):
    """Everything that still needs the character can be settled in the same landing."""

    message = "这些可以一起了结：{settled}。"
    fix = "都这样办、让「{name}」退场，运行 `novel retire {name} --settle`，它先给你看一遍，点头才动。"


class SettingUnnoted(Problem, code="SETTING_UNNOTED", exit=DONE, severity="warning"):
    """A setting that planned chapters need was changed, and their plans have not been checked since."""

    message = "排好第 {chapters} 章以后，设定改过：{what}。"
    fix = (
        "运行 `novel changed` 看改了什么、牵动哪几章。计划照旧合用，运行 `novel changed --note` 记下；"
        "不合用了，用 `novel replan` 重排。"
    )
