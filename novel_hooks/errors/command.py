"""Refusals of the call itself, of the project's folder, of settings, and of unknown names."""

from __future__ import annotations

from novel_hooks.errors.base import DAMAGED, DONE, REFUSED, USAGE, Problem


class UsageError(Problem, code="CLI_USAGE", exit=USAGE):
    """The command line is not understood."""

    message = "命令写法有误：{detail}"
    cases = {
        "parser": "{reason}\n运行 `{prog} --help` 查看写法。",
        "not text": "{option} 里有不是 UTF-8 的字\n请检查终端的编码，把这句话重新输入一遍。",
        "value missing": "{option} 后面要有一个值\n运行 `novel --help` 查看写法。",
        "two folders": "写了两个文件夹：「{named}」，还有 --project 的「{project}」\n请只写一个。",
        "demo no folder": "「{place}」不是文件夹\n请换一个文件夹的名字。",
        "demo here": "示例要放进一个自己的文件夹，不能是你正待着的这一个\n请运行 `novel demo demo-novel`。",
        "init is file": "「{place}」是文件，不是文件夹\n请换一个文件夹的名字。",
        "init name long": "「{name}……」作文件夹的名字太长\n请换一个短些的名字。",
        "init link dead": "「{place}」是断掉的链接\n请写链接指着的那个文件夹，或换一个名字。",
        "init home": "「{place}」里放着别的一切，不能当作一本书\n请给新书单独起一个文件夹。",
        "init two lines": "{option} 要写成一行看得见的字，不能有换行和控制字符\n请把它重新写成一行。",
        "template no folder": "--template 后面的「{place}」不是文件夹\n请检查路径。",
        "project no folder": "「{place}」不是文件夹\n请检查 --project 后面的路径。",
        "folder gone": "当前文件夹已经不在了\n请换到小说项目的文件夹再试。",
        "find blank": "要找的词是空的\n例如 `novel find 铜灯`。",
        "who blank": "名字是空的\n例如 `novel who 沈渡`。",
        "import name blank": "--as 后面没有名字\n请写上收进来叫什么，如 --as 盐路；或去掉 --as。",
        "import name many": "--as 只能给一份文件起名\n请一次只交一份，或去掉 --as。",
        "import encoding": "不认识编码「{encoding}」\n可以写：{known}；UTF-8 不用写。",
        "export option": "{option} 只用在 {known}\n请换一种格式，或去掉 {option}。",
        "rollback": "要写一个章号，或者只写 --list\n例如 `novel rollback 12`。",
        "restore folder": "取回存档不用写文件夹\n取回备份请写 .zip 文件：`novel restore 备份.zip 文件夹`。",
        "sync cancel": "--cancel 单独使用\n请只写 `novel sync --cancel`。",
        "sync accept": "--accept 前面要写章号\n请写成 `novel sync 3 --accept` 这样。",
        "sync backlog": "--backlog 单独使用\n请只写 `novel sync --backlog`，或 `novel sync --backlog 10`。",
        "sync yes": "--yes 只和重新记录一章一起用\n请写成 `novel sync 3 --yes` 这样。",
        "config unset": "--unset 后面只写设置的名字\n请写成 `novel config --unset gate.pass`。",
        "decide note": "「{said}」不带意见\n只有{noted}可以写 --note。",
        "note blank": "没有写要留的话\n例如 `novel note 12 '这一章要下雨'`。",
        "retire threads": "--keep-threads 要和 --settle 一起写\n"
        "请写 `novel retire 名字 --settle --keep-threads`。",
        "note remove": "--remove 后面只写编号\n请写成 `novel note --remove 3` 这样。",
        "answer choice": "没有写选哪一个\n在编号后面写上选法，或用 --note 写你自己的意见。",
        "agent chapter": "{title}不按章工作\n请写 `{command}`。",
        "agent volume": "{title}不按卷工作\n请写 `{command}`。",
        "foreshadow lacks": "缺少{needs}\n写作 `novel foreshadow {action} {needs}`。",
        "foreshadow word": "{action} 后面不用写 {what}\n写作 `novel foreshadow {action}`。",
        "drop only": "--reason 只和 drop 一起用\n例如 `novel foreshadow drop 灯草 --reason 这条线不写了`。",
        "list only": "--status 和 --scope 只和 list 一起用\n例如 `novel foreshadow list --status 未收`。",
        "foreshadow chapter": "{reason}\n例如 `novel foreshadow query 12`。",
        "diff versions": "一次只比两稿\n例如 `novel diff {chapter} 1 3`；加 --list 列出留下了哪几稿。",
        "no version": "第 {chapter} 章只留下 1 到 {last} 稿，没有第 {number} 稿\n"
        "`novel diff {chapter} --list` 列出留下了哪几稿。",
        "diff html": "「{place}」不是网页的名字\n请写一个 .html 结尾的名字，如 --html 对比.html。",
        "lint chapter": "没有说查哪一章\n写明章号，如 `novel lint 7`，或用 --file 写明一个文件。",
        "lint size": "{place} 超过 4 MB，不像一章\n请检查 --file 后面的路径。",
        "judge size": "{place} 超过 4 MB，不像一份评审\n请检查 --file 后面的路径。",
        "judge chapter": "没有进行中的章\n请用 --chapter 写明章号。",
        "judge stdin": "没有标准输入可读\n请用 --file 写明评审原文在哪个文件。",
        "outline yes": "--yes 要和 --fix 一起用\n--chapter、--check、--fix 里选一个。",
        "outline two": "一次只做一件事\n--chapter、--check、--fix 里选一个。",
        "script words": "要一个章号\n例如 12。",
        "script chapter": "{reason}\n例如 12。",
        "script schema": "要一个文件和一个格式名\n例如 FILE chapter-contract。",
        "script format": "没有叫「{name}」的格式\n可用的有：{known}。",
        "no reason": "没有写失败的原因\n请用一句话写上，如 `novel fail chapter:007:draft --reason 没交稿`。",
        "instructions step": "没有写步骤\n运行 `novel next` 可以看到当前该做的步骤。",
        "instructions replay": "--replay 只要一个文件\n步骤和别的选项都写在那个任务包里了。",
        "lock step": "--step 只能和 acquire 一起用\n请写成 `novel lock acquire --step`。",
        "lock run": "--run 只能和 acquire 一起用\n请写成 `novel lock acquire --run 3`。",
        "lock phases": "--step 后面的「{phases}」看不懂\n可以写的有 {known}，几个之间用逗号隔开。",
    }


class UnknownCommand(Problem, code="CLI_UNKNOWN_COMMAND", exit=USAGE):
    """No such command."""

    message = "没有「{name}」这个命令。"
    cases = {
        "changes": "{does}，用 `novel {meant}`。它会改动这本书，所以要照这个名字敲；"
        "写法见 `novel {meant} --help`。",
        "in a session": "这件事请在 Claude Code 里输入 `{meant}`。",
        "near": "你是不是想用 `novel {meant}`？运行 `novel --help` 查看有哪些命令。",
        "unlike": "运行 `novel --help` 查看有哪些命令。",
    }


class NotAProject(Problem, code="PROJECT_NOT_FOUND", exit=REFUSED):
    """No `.checkpoint.json` here or above."""

    message = "「{place}」和它的上级文件夹里都没有小说项目。"
    fix = "请进入小说项目文件夹再试，或用 `novel init` 新建一个项目。"


class InitInterrupted(NotAProject, code="INIT_INTERRUPTED"):
    """An `init` was killed after its commit point; the next `init` finishes it."""

    message = "「{place}」里的小说项目新建到一半断了。"
    fix = "请在这个文件夹里再运行一次 `novel init`，它会接着建完；你自己的文件一个不动。"


class ProjectLost(Problem, code="CHECKPOINT_LOST", exit=DAMAGED):
    """Landed chapters without a checkpoint. Such a folder is never taken for a new book."""

    message = "项目里已有 {count} 章正文，却找不到进度文件 {path}。"
    fix = (
        "请从备份里取回 {path}。没有备份的话，在这里新建一个空的 {path}，再运行 `novel doctor --fix`；"
        "不要新建项目，以免覆盖已有章节。"
    )


class NoProjectHere(Problem, code="PROJECT_NOT_HERE", exit=DONE, severity="info"):
    """Doctor runs outside a project, so it checks the installation only."""

    message = "「{place}」和它的上级文件夹里没有小说项目，这次只查了安装。"
    fix = "要查一本书，请进入它的文件夹再试。"


class ProjectExists(Problem, code="PROJECT_EXISTS", exit=REFUSED):
    """`init` never overwrites."""

    message = "「{place}」里已经有{what}，没有做任何改动。"
    fix = "请换一个空文件夹，或进入这个项目用 `novel status` 继续。"


class BookLeft(Problem, code="BOOK_LEFT", exit=REFUSED):
    """`init` finds files of an earlier book that the new one would take for its own."""

    message = "{path} 是以前一本书留下的，新书不能接着它写；没有做任何改动。"
    fix = "请把 {path} 移到别处留作备份，再运行一次 `novel init`；或换一个空文件夹。"


class InitJournalBroken(Problem, code="INIT_JOURNAL_BROKEN", exit=DAMAGED):
    """`init` finds a broken journal and no book: nothing can land while that journal is there."""

    message = "「{place}」里留着一份用不了的提交日志 {path}：{reason}。没有做任何改动。"
    fix = "请把 {path} 移到别处留作备份，再运行一次 `novel init`；或换一个空文件夹。"


class EntitiesUnread(Problem, code="ENTITIES_UNREAD", exit=DONE, severity="warning"):
    """Lines of the unknown-entities log cannot be read; new lines are added all the same."""

    message = "{path} 有 {count} 行读不懂，没有动它们，别的照常记下。"
    fix = "请运行 `novel doctor --fix`，读不懂的行会移到 .novel/torn/ 里留存。"


class EntitiesUnkept(Problem, code="ENTITIES_UNKEPT", exit=DONE, severity="warning"):
    """The unknown-entities log is no file that can be added to; the chapter lands without it."""

    message = "{path} 写不进去（{reason}），这一章照常入库，只是没有档案的名字没记下：{names}。"
    fix = (
        "请把 {path} 移到书的文件夹外面留着，往后的章会重新记；"
        "这些名字里会再出现的人，请用 `novel character add 名字` 为他建档。"
    )


class TemplateUnusable(Problem, code="TEMPLATE_UNUSABLE", exit=REFUSED):
    """A folder of templates holds nothing usable for a new project, or a broken file."""

    message = "模板文件夹「{place}」不能用：{detail}"
    cases = {"broken": "{cause}", "empty": "里面没有 {names} 里的任何一个。"}
    fix = "请改好它，或去掉 --template 用自带的模板。"


class SettingLeft(Problem, code="SETTING_LEFT", exit=DONE, severity="warning"):
    """The author gave a title or genre for a new book that has a `novel.yaml` of his own already."""

    message = "{path} 早就在了，没有动它，「{key}」也就没有写成「{value}」。"
    fix = "要改，运行 `novel config {key} '{value}'`。"


class ConfirmationNeeded(Problem, code="CONFIRMATION_NEEDED", exit=REFUSED):
    """A change that only the author may decide, when nobody can be asked."""

    message = "{what}，这一步要你点头。"
    fix = "确认要做的话，请运行 `{command}`。"


class ChangedWhileAsked(Problem, code="CHANGED_WHILE_ASKED", exit=REFUSED):
    """The book changed between the question and the answer."""

    message = "在你确认的时候，这本书又有了变化，这次什么也没有改动。"
    fix = "请再运行一次刚才的命令，看过新的清单再确认。"


class ConfigKeyUnknown(Problem, code="CONFIG_KEY_UNKNOWN", exit=REFUSED):
    """A key that `novel.yaml` does not have."""

    message = "{path} 里有不认识的设置「{key}」。"
    fix = "{guess}请改正或删掉这一行。"


class ConfigValue(Problem, code="CONFIG_VALUE", exit=REFUSED):
    """A setting whose value cannot be used."""

    message = "{path} 的「{key}」不对：{detail}。"
    fix = "请改正 {path} 的「{key}」后再试。"
    cases = {
        "file": "应是「键: 值」的形式",
        "text": "应是文字，像数字的要用引号括起来",
        "lines": "应写成 pass、polish、revise、pause 四条线",
        "number": "应是数字",
        "price": "应是 0 或更大的数",
        "versions": "应是章数，如 100",
        "backup": "应是章数，如 10；0 是不提醒",
        "name": "应是 number（章号）或 title（章名）",
        "whole": "应是 {least} 到 {most} 的整数",
        "length": "应是最少、最多两个整数，都在 1 到 {most} 之间，如 [2500, 3800]",
        "daily": "应是一天的字数，1 到 {most} 之间的整数，如 4000",
        "scene break": "应是一行不超过 {most} 字的记号，用引号括起来，如 '＊＊＊'、'---'、'◇◇◇'；"
        "不写字，不用标点，免得和正文混在一起",
        "stops": "应是 every（每一步），或 {known} 里的几个，如 [draft, judge]",
        "steps": "应一步一行，如 revise: {example}",
        "model": "应是模型的名字，如 sonnet、opus、haiku",
        "misspelt model": "没有「{found}」这个模型，是不是想写「{meant}」",
        "effort": "要写得一模一样，是不是想写「{meant}」",
        "codex model": "应是 Codex 里一个模型的名字，或 {known} 之一",
        "prices": "应一个模型一行，如 sonnet: {{input: 3, output: 15}}",
        "priced model": "冒号前面应是模型的名字",
        "prices of one": "应写成 {{input: 输入价, output: 输出价}}",
        "agents": "应写成「代理: 字数」，如 {{chapter-writer: 30000}}（写手）",
        "budget": "应一项一行，如 chapter_tokens: 300000",
        "tokens": "应是 1 到 {most} 的整数，如 500万；不限就去掉这一项",
        "money": "应是大于 0 的数，如 20；不限就去掉这一项",
    }


class PriceUnmatched(Problem, code="PRICE_UNMATCHED", exit=DONE, severity="warning"):
    """A price is for a model that does not exist, so no work will be counted by it."""

    message = "{path} 的「prices.{model}」对不上任何模型，这个价钱不会用到。"
    fix = "是不是想写「{meant}」？请改正这个名字；不改也不影响写作，只是花费算不出来。"


class ConfigNoSuch(Problem, code="CONFIG_NO_SUCH", exit=USAGE):
    """The author asked for a setting that does not exist."""

    message = "没有「{key}」这项设置。"
    fix = "{guess}`novel config` 列出全部。"


class ConfigRefused(Problem, code="CONFIG_REFUSED", exit=REFUSED):
    """The value for a setting cannot be used; nothing has changed."""

    message = "「{key}」不能改成「{value}」：{detail}。"
    cases = {
        "two lines": "要写成一行看得见的字，不能有换行和控制字符",
        "no model": "没有这个模型，可以写的有 {known}；别的软件用的模型名，请直接写进 {path}",
        "near a model": "没有这个模型，可以写的有 {known}；是不是想写「{near}」",
        "fault": "{cause}",
    }
    fix = "设置没有改动。请换一个值；`novel config {key}` 看它的说明。"


class ConfigMap(Problem, code="CONFIG_MAP", exit=REFUSED):
    """A name of several settings cannot be set as one."""

    message = "「{key}」下面有好几项，要一项一项改。"
    fix = "请写到具体的一项，如 `novel config {example} 值`。"


class ConfigUneditable(Problem, code="CONFIG_UNEDITABLE", exit=REFUSED):
    """`novel.yaml` is written in a form in which one value cannot be changed alone."""

    message = "{path} 第 {line} 行的写法太特别，程序改「{key}」会碰到别处，所以没有动它。"
    fix = "请自己打开 {path} 改这一项，再运行 `novel config` 看看对不对。"


class ConfigComment(Problem, code="CONFIG_COMMENT", exit=REFUSED):
    """A comment stands inside the value that was to be changed, and would be lost."""

    message = "{path} 第 {line} 行「#」后面的说明写在值的中间，程序改「{key}」会弄丢它，所以没有动。"
    fix = "请打开 {path}，把这句说明挪到「{key}」上面单独一行，再试一次；也可以自己改好这一项。"


class BandsInvalid(Problem, code="GATE_BANDS_INVALID", exit=REFUSED):
    """Gate limits that contradict each other."""

    message = "评分分档的设置不对：{detail}"
    cases = {
        "no map": "应是几个分数的对照表",
        "no number": "「{key}」写成了「{found}」，应是一个数",
        "revisions": "修订次数写成了「{found}」",
        "order": "{below} 比{above} 高；四条线要从高到低，都在 0 到 5 之间",
    }
    fix = "请改成从高到低的四个分数，例如 4.0、3.5、3.0、2.0；修订次数写不小于 0 的整数。"


class NameUnknown(Problem, code="NAME_UNKNOWN", exit=USAGE):
    """The author named something that does not exist."""

    message = "{detail}。"
    cases = {
        "guide": "没有「{name}」这份指南\n{guess}`novel guide` 列出全部。",
        "agent": "没有「{name}」这个代理\n{guess}可以写的有：{known}。",
        "change": "没有「{name}」这一件改动\n等着处理的：{known}；运行 `novel changed` 看是哪几件，写序号。",
        "question": "「{step}」没有编号是「{name}」的问题\n"
        "现在等你答的：{known}；运行 `novel next` 看问的是什么。",
        "choice": "「{name}」没有「{choice}」这个选法\n"
        "可选的是：{known}；都不合适，用 --note 写你自己的意见。",
        "note": "没有编号是 {name} 的话\n现有的编号：{known}；`novel note` 列出全部。",
        "stranger": "「{name}」不在还没有档案的名字里\n{guess}运行 `novel entities --all` 看有哪些。",
    }


class ChapterLogUnread(Problem, code="CHAPTER_LOG_UNREAD", exit=DAMAGED, severity="warning"):
    """The log of one chapter cannot be read, wholly or in part; the others are."""

    message = "第 {chapter} 章的工作记录 {path} 读不全：{detail}。"
    cases = {
        "broken": "{cause}",
        "no object": "里面应是一个对象",
        "steps": "有几步的记录不成样子，没有算进来",
    }
    fix = (
        "正文、评分和进度不受影响，只是这一章的用时和花费看不到；有备份就把这个文件恢复过来，没有就不用管它。"
    )


class ChapterUnworked(Problem, code="CHAPTER_UNWORKED", exit=REFUSED):
    """The author asked for the log of a chapter that has not begun."""

    message = "第 {chapter} 章还没有动笔，没有记录可看。"
    fix = "`novel log` 列出写过的各章。"


class ChapterUnwritten(Problem, code="CHAPTER_UNWRITTEN", exit=REFUSED):
    """The author asked for the text of a chapter that is not written yet."""

    message = "第 {chapter} 章还没有写，没有正文可看。"
    fix = "`novel outline` 列出这一卷写到了哪里。"


class AuditLinesSkipped(Problem, code="AUDIT_LINES_SKIPPED", exit=DONE, severity="warning"):
    """Lines of the audit log that are no JSON: cut off by a power failure, or edited."""

    message = "{path} 里有 {count} 行读不懂（最早的是第 {first} 行），已跳过。"
    fix = "不影响写作，其余各行照常可看；把读不懂的行删去，就不再提醒。"


class PacketCut(Problem, code="PACKET_CUT", exit=DONE, severity="warning"):
    """An agent does not get some material, because a packet with all of it would be too large."""

    message = "资料超过 {limit} 字，没有给全：{what}。"
    fix = "不必停下；想多给，请运行 `novel config packet_chars.{agent} {more}`。"


class PacketOver(Problem, code="PACKET_OVER", exit=DONE, severity="warning"):
    """A packet is too large although everything that may be cut is cut."""

    message = "能省的都省了，资料仍比 {limit} 字多出 {over} 字。"
    fix = "请精简立意、文风档案、硬规则、本章契约或本卷计划；或在 novel.yaml 的 packet_chars 里调高上限。"


class PacketUnreadable(Problem, code="PACKET_UNREADABLE", exit=REFUSED):
    """A file that should be replayed is no packet."""

    message = "{place} 不是任务包：{detail}"
    fix = "请给出 `novel instructions 步骤 --write-manifest` 写下的那个文件，它在 staging/manifests/ 里。"
    cases = {
        "other kind": "里面没有 kind: {kind}",
        "other version": "是另一个版本的写作助手写下的",
        "incomplete": "step 或 inputs 不完整",
    }


class PersonUnknown(Problem, code="PERSON_UNKNOWN", exit=REFUSED):
    """No character has the name that the author asked for."""

    message = "没有叫「{name}」的角色{detail}。"
    cases = {
        "nobody": "\n有档案的人：{people}。只想知道哪里写到过，用 `novel find {name}`。",
        "a thing": "，它是别的东西的名字\n看哪里写到过它，用 `novel find {name}`。",
        "noted": "：正文里有这个名字，还没有档案\n"
        "看哪里写到过，用 `novel find {name}`；会再出现的人，请用 `novel character add {name}` 为他建档。",
    }


class PersonUnclear(Problem, code="PERSON_UNCLEAR", exit=REFUSED):
    """Several characters have the name that the author asked for, or one like it."""

    message = "「{name}」可能是这几个人里的一个：{people}。"
    fix = "请写明是谁，例如 `novel {command} {first}`。"
