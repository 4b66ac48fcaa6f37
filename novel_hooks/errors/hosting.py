"""Refusals about another host: its files in the book, its boundary, its sub-agents."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, FINDINGS, REFUSED, Problem


class HostFileForeign(Problem, code="HOST_FILE_FOREIGN", exit=REFUSED):
    """`novel host codex`: a file of the author's own has the name of one of ours."""

    message = "{path} {detail}，没有动它；这次什么也没有改动。"
    cases = {
        "mixed": "里有你自己写的东西，也有写作助手的几行旧的\n"
        "请照下面改 {path}，再运行一次 `novel host codex`：{lines}",
        "add": "早就在了，不是写作助手写的\n"
        "请把下面 hooks 里的各项加进 {path} 的 hooks 里，那里已有同名的一项，就加进它的方括号；"
        "再运行一次 `novel host codex`：{lines}",
        "config": "早就在了，不是写作助手写的\n"
        "请把下面这些加进 {path}：方括号以前的几行放在文件最前面、第一个方括号行以前，"
        "其余的放在文件末尾；那里已有同名的段，就合成一段。再运行一次 `novel host codex`：{lines}",
        "move": "早就在了，不是写作助手写的\n"
        "请把它移到书的文件夹外面（只改名，Codex 照样会读），再运行一次 `novel host codex`。",
    }


class HostNoPlugin(Problem, code="HOST_NO_PLUGIN", exit=REFUSED):
    """A package installed by pip has no agents and hooks from which the files are made."""

    message = "用 pipx 或 pip 装的这份 novel 没有带代理和钩子，接不了 Codex，什么也没有改动。"
    fix = "请进入插件的文件夹，运行 `bin/novel host codex --project 书的文件夹`。"


class HostPlaceOdd(Problem, code="HOST_PLACE_ODD", exit=REFUSED):
    """The plugin's folder has a name that Codex's settings, or PATH, cannot hold."""

    message = "写作助手所在的文件夹 {place} 的名字里有冒号或打不出来的字，Codex 找不到它，什么也没有改动。"
    fix = "请把那个文件夹改个名字，再运行一次 `novel host codex`。"


class HostFileStale(Problem, code="HOST_FILE_STALE", exit=FINDINGS, severity="warning"):
    """A file that `novel host codex` wrote is not what it would write now."""

    message = "{path} {detail}。"
    cases = {
        "missing": "不见了\n请运行 `novel host codex` 补上，再在 Codex 里输入 /hooks 看一眼。",
        "outdated": "是旧的：写作助手更新过，或换了地方\n"
        "请运行 `novel host codex` 换成新的，再在 Codex 里输入 /hooks 重新信任。",
        "mixed": "里有你自己写的东西，写作助手的几行是旧的\n请照下面改，再运行 `novel host codex`：{lines}",
        "left": "里有你自己写的东西，留着没动，写作助手的几行也还在\n请照下面改：{lines}",
        "changed": "被改过，和写作助手写的不一样\n"
        "请恢复原样；要用写作助手的，就把它移到书的文件夹外面，再运行 `novel host codex`。",
    }


class HostNameTwice(Problem, code="HOST_NAME_TWICE", exit=FINDINGS, severity="warning"):
    """Another skill or agent in reach has one of our names: Codex then takes neither, or the other one."""

    message = "另有一份同名的{detail}。"
    cases = {
        "skill": "技能 {place}：两份都在，Codex 哪一份也不用\n"
        "请把它移到别处，或改掉它的 SKILL.md 里 name 那一行（只改文件夹的名字没有用）。",
        "agent": "代理 {place}：两份都在，Codex 只用一份\n"
        "请把它移到书的文件夹外面，或改掉它里面 name 那一行（只改文件名没有用）。",
    }


class SubAgentRefused(Problem, code="HOST_SUB_AGENT", exit=REFUSED):
    """A sub-agent's command that would change the book."""

    message = "这条命令是派出去的代理敲的，写作助手不听它的，什么也没有改动。"
    fix = "代理只写任务包点名的文件；推进和入库由前台来敲。"


class BoundaryOff(Problem, code="HOST_BOUNDARY_OFF", exit=REFUSED):
    """Codex runs without the profile that keeps agents in staging."""

    message = "Codex 的写入边界没有开（现在是「{profile}」），代理能写到暂存区以外，所以没有开工。"
    fix = (
        "请在书的文件夹里打开 Codex，信任这个文件夹，不带 -s 和 --dangerously 这类选项；"
        "还没接好的话，先在终端里运行 `novel host codex`；Codex 太旧的，先升级。"
    )


class HostUnseen(Problem, code="HOST_UNSEEN", exit=DONE, severity="info"):
    """Doctor cannot fully check Codex: it is not on PATH, silent, or newer than the tried versions."""

    message = "这本书接着 Codex，{detail}。"
    cases = {
        "absent": "这台电脑上却找不到 codex 命令，信任和写入边界没有查\n装好 Codex 后再体检一次。",
        "silent": "这台电脑上的 codex 却没有回答，信任和写入边界没有查\n"
        "请打开一次 codex，看它说什么；能用了再体检一次。",
        "newer": "这里的 Codex 是 {version}，比试过的 {least} 新\n照常能用；哪里不对，先看写入边界那一条。",
    }


class HostOld(Problem, code="HOST_OLD", exit=FINDINGS, severity="warning"):
    """Codex is older than the oldest tried version."""

    message = "这里的 Codex 是 {version}，太旧：写入边界和派代理的办法可能对不上。"
    fix = "请升级到 {least} 或更新的版本。"


class HostUnread(Problem, code="HOST_UNREAD", exit=FINDINGS, severity="warning"):
    """Codex cannot read a settings file, so it does not start or leaves that file out."""

    message = "Codex 读不了一份设置，它说：{reason}"
    fix = (
        "请照它说的地方改好那个文件；它在书里、又改不好的，就把它移到书的文件夹外面，"
        "再运行 `novel host codex`。"
    )


class HostUntrusted(Problem, code="HOST_UNTRUSTED", exit=FINDINGS, severity="warning"):
    """Codex leaves out files that the author has not told it to trust, and does not report that."""

    message = "Codex 还没有信任{detail}。"
    cases = {
        "folder": "这本书的文件夹，写入边界和代理都不会起作用\n请在这个文件夹里打开 codex，问到时选信任。",
        "hooks": "写作助手的钩子，评审的意见记不下来\n"
        "请在这个文件夹里打开 codex，输入 /hooks，按 t，把写作助手的几条都设成信任。",
    }


class HostUnconfined(Problem, code="HOST_UNCONFINED", exit=FINDINGS):
    """A trial showed that the sandbox does not do what its profile says."""

    message = "试了一下 Codex 的写入边界，它没有管住：暂存区写不进，或者别处写得进。"
    fix = (
        "请先运行 `novel host codex`；还不行，就是这台电脑不让用沙箱（Linux 要允许用户命名空间），"
        "先用 Claude Code 写。"
    )
