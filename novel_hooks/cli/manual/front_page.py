"""The front page: the daily commands, in groups; with `--all` every command."""

from __future__ import annotations

from novel_hooks.annotations import Collection, Mapping
from novel_hooks.cli.manual import table

DAILY: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("看", ("status", "read", "outline", "report", "log")),
    ("查", ("find", "who", "foreshadow", "diff", "lint")),
    ("改", ("note", "sync", "rollback")),
    ("带走", ("export", "backup")),
)
"""The groups of the daily commands; at most fifteen commands in all."""
EXAMPLES: Mapping[str, str] = {
    "read": "novel read 12",
    "outline": "novel outline",
    "report": "novel report --open",
    "find": "novel find 铜灯",
    "who": "novel who 沈渡",
    "foreshadow": "novel foreshadow list",
    "diff": "novel diff 12",
    "lint": "novel lint 12",
    "note": "novel note 12 '结尾下一场雨'",
    "rollback": "novel rollback 12",
    "export": "novel export epub",
    "context": "novel context 写手",
    "gate": "novel gate 12",
    "decide": "novel decide 12 接受",
    "answer": "novel answer setup:world 1 2",
    "restore": "novel restore 1",
    "rename": "novel rename 阿七 沈渡",
    "character": "novel character add 唐婆",
    "retire": "novel retire 沈渡",
    "review": "novel review 1",
    "rebuild": "novel rebuild state",
    "init": "novel init 我的新书",
    "import": "novel import 笔记.md",
    "adopt": "novel adopt 旧稿.txt",
    "host": "novel host codex",
    "demo": "novel demo 练手",
    "instructions": "novel instructions chapter:012:draft",
    "validate": "novel validate chapter:012:draft",
    "advance": "novel advance chapter:012:draft",
    "judge": "novel judge record --role primary --file 评审.txt",
    "fail": "novel fail chapter:012:draft --reason 没交稿",
    "commit": "novel commit --chapter 12",
    "lock": "novel lock status",
}
"""How a command is called, where its bare name is no example."""


def example(name: str) -> str:
    """Return a call of the command as an author might type it."""
    return EXAMPLES.get(name, f"novel {name}")


def daily(commands: Mapping[str, tuple[str, str]], columns: int) -> str:
    """Return the page of the daily commands; `commands` are name → (module, summary)."""
    page = [
        "novel：网文作者的写作助手",
        "写章节在 Claude Code 里：/novel:continue；开书、规划：/novel:start。",
    ]
    for title, names in DAILY:
        rows = [(example(name), commands[name][1]) for name in names if name in commands]
        page += ["", title, *table.two_columns(rows, columns)]
    more = [
        "",
        "novel help 命令    看一个命令怎么用",
        "novel help --all   其余的命令（人物退场、改名、体检……）",
        "命令说中文也行：novel 进度，novel 找 铜灯。",
    ]
    return "\n".join([*page, *more])


def whole(commands: Mapping[str, tuple[str, str]], for_host: Collection[str], columns: int) -> str:
    """Return the page of all commands; those of `for_host` are marked as the host's."""
    mine = [(name, told[1]) for name, told in commands.items() if name not in for_host]
    crews = [(name, told[1]) for name, told in commands.items() if name in for_host]
    return "\n".join(
        [
            "用法：novel 命令 [选项]",
            "",
            "你用的命令：",
            *table.two_columns(mine, columns),
            "",
            "Claude 替你用的命令（一般不用你敲）：",
            *table.two_columns(crews, columns),
            "",
            "novel help 命令 看一个命令怎么用。",
        ]
    )
