"""The phrases of agents and skills that are replaced for another host. All other words stay. Pure.

A phrase that a text no longer has is an error: the text was changed, and nobody has checked it for the other
host.
"""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.record import Record


class Swap(Record):
    """One phrase, and the words that stand for it in the other host."""

    old: str
    new: str


READING = (
    "读文件用 shell，一次命令只读一段：先 `wc -c '路径'` 看多长，"
    "再 `tail -c +1 '路径' 2>/dev/null | head -c 30000`，"
    "接着 `tail -c +29991 '路径' 2>/dev/null | head -c 30000`，起点每次加 29990，"
    "读到末尾为止（一行可以很长，不按行读）。"
    "输出里有 truncated，就是没有给全，把 30000 改小再读。任务包和它点名的每一份资料都这样读完。"
)
WRITING = (
    "写文件只用 apply_patch，路径照任务包：整份写用 `*** Add File:`（原有的会被换掉），"
    "改几处用 `*** Update File:`。别的命令不跑，`novel` 不归你敲。"
)
_HANDED = "## 拿到任务\n"
_READ_FIRST = Swap("先 Read 任务里给的任务包", "先读任务里给的任务包")


def _opening(*ways: str) -> Swap:
    return Swap(_HANDED, "## 怎么读，怎么写\n\n" + "".join(ways) + f"\n\n{_HANDED}")


_PLANNERS = ("world-builder", "character-weaver", "plot-architect", "style-analyzer")
_WRITER = (_opening(READING, WRITING),)
AGENTS: dict[str, Sequence[Swap]] = {
    "chapter-writer": (
        *_WRITER,
        Swap("先 Read 它", "先读它"),
        Swap("用 Edit 在现稿上一处一处改", "用 `*** Update File:` 在现稿上一处一处改"),
    ),
    "summarizer": (*_WRITER, _READ_FIRST),
    "style-refiner": (
        *_WRITER,
        _READ_FIRST,
        Swap("用 Edit 一处一处改原文件", "用 `*** Update File:` 一处一处改原文件"),
        Swap("残留标记遍布全章时才用 Write", "残留标记遍布全章时才用 `*** Add File:`"),
    ),
    "quality-judge": (_opening(READING, "你不写文件，别的命令也不跑。"), _READ_FIRST),
    **dict.fromkeys(_PLANNERS, (*_WRITER, _READ_FIRST)),
}
"""By agent, what stands in other words in Codex."""

_HOW = "`sandbox_permissions` 写 `require_escalated`，`justification` 写一句为什么"
_COMMANDS = Swap(
    "那样会停下来问作者要权限。",
    "那样会落进沙箱，写不成。`novel` 就写 `novel`，不加引号和路径；`max_output_tokens` 写 16000。",
)
_ACCEPT = Swap("这一条要他自己点“允许”，敲之前告诉他", f"这一条{_HOW}，客户端会请他点头，敲之前告诉他")
_CREW = (
    Swap(
        "叫一个代理，一次只叫一个，等它做完：\n\n"
        "- `subagent_type` 用任务包的 `subagent`，`model` 用任务包的 `model`，`run_in_background: false`；\n"
        "- `prompt` 只有两行：",
        "用 `spawn_agent` 派一个子代理（sub-agent），一次只派一个，等它做完：\n\n"
        "- 先 `list_agents`，有上回没做完的，用 `interrupt_agent` 叫停；\n"
        "- `agent_type` 用任务包的 `agent`，`fork_turns` 写 `none`，`task_name` 把 STEP 的冒号换成下划线，"
        "再派一次就在后面加 `_2`、`_3`；任务包 `codex` 里的 `model`、`effort`，写进 `model`、"
        "`reasoning_effort`，是 null 的不写；\n"
        "- 派了就 `wait_agent`，`timeout_ms` 写 3600000，等到它的 FINAL_ANSWER 才算做完："
        "到了时间、收到半路的话，都接着等；\n"
        "- `message` 只有两行：",
    ),
    Swap("`prompt` 加第三行", "`message` 加第三行"),
)
_NOT_FOUND = Swap(
    "写作助手没有装好，请重装插件后再试，停。",
    "写作助手没有接好，请作者在终端里再敲一次 novel host codex，停。",
)
_TYPED = "他这句话里 `$novel-{name}` 后面的部分，没写 `$novel-{name}` 就是整句话"
SKILLS: dict[str, Sequence[Swap]] = {
    "continue": (
        Swap("作者要的章数：`$ARGUMENTS`", f"作者要的章数：{_TYPED.format(name='continue')}。"),
        _COMMANDS,
        _ACCEPT,
        _NOT_FOUND._replace(old="告诉作者写作助手没有装好，请重装插件后再试，停。"),
        *_CREW,
        Swap(
            "没有这句就写“评审没有记下”",
            "没有这句就写“评审没有记下，请在 Codex 里输入 /hooks，把写作助手的几条都设成信任”",
        ),
        Swap(
            "；告诉他直接回话也行，只是接下来的命令会一条条要他点头。停下等他答。",
            "；直接回话也行。停下等他答。",
        ),
    ),
    "start": (
        Swap("作者写的：`$ARGUMENTS`", f"作者写的：{_TYPED.format(name='start')}。"),
        Swap("`$ARGUMENTS` 是一句话想法的", "他写的是一句话想法的"),
        Swap(
            "要问他，用 AskUserQuestion；除了书名和题材、立意一节里的几个空（一起问），一次一问。"
            "选项下面客户端自带一行“Type something.”（工具说明里叫 Other），他写在那里的就是他的原话。"
            "别把话说完停下来等：那样他答了以后，每条命令都要他点一次“允许”。"
            "没有这个工具，才把选项一条条列出来等他。",
            "要问他，把选项一条条列出来，停下等他答；除了书名和题材、立意一节里的几个空（一起问），一次一问。"
            "他不照选项写的，就是“其他”，是他的原话。他答了，照你问的那一处接着做。",
        ),
        Swap("“Type something.”", "“其他”"),
        Swap("‘Type something.’", "‘其他’"),
        _COMMANDS,
        _ACCEPT,
        _NOT_FOUND,
        Swap("再用 AskUserQuestion 问“现在做什么？”", "再问“现在做什么？”"),
        Swap("请他在 Claude Code 里打开那个文件夹", "请他在终端里进那个文件夹，敲 novel host codex"),
        *_CREW,
        Swap("用 AskUserQuestion 问“可以定下来吗？”", "问“可以定下来吗？”"),
        Swap("用 AskUserQuestion 问：`choices`", "问他：`choices`"),
        Swap("一节用一次 AskUserQuestion，", "一节问一次，"),
        Swap("客户端会请他点“允许”", f"这一条{_HOW}，客户端会请他点头"),
    ),
    "status": (Swap("作者写的：`$ARGUMENTS`", f"作者写的：{_TYPED.format(name='status')}。"), _NOT_FOUND),
}
"""By skill, what stands in other words in Codex."""


def swap(text: str, swaps: Sequence[Swap]) -> str:
    """Return `text` with every phrase replaced wherever it stands. Raises ValueError for one that is gone."""
    for one in swaps:
        if one.old not in text:
            raise ValueError(f"not in the text any more: {one.old}")
        text = text.replace(one.old, one.new)
    return text
