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


def daily(commands: Mapping[str, tuple[str, str, str]], columns: int) -> str:
    """Return the page of the daily commands; `commands` is the table of `cli.call`."""
    page = [
        "novel：网文作者的写作助手",
        "写章节在 Claude Code 里：/novel:continue；开书、规划：/novel:start。",
    ]
    for title, names in DAILY:
        rows = [(f"novel {name} {commands[name][2]}".rstrip(), commands[name][1]) for name in names]
        page += ["", title, *table.two_columns(rows, columns)]
    more = [
        "",
        "novel help 命令    看一个命令怎么用",
        "novel help --all   其余的命令（人物退场、改名、体检……）",
        "命令说中文也行：novel 进度，novel 找 铜灯。",
    ]
    return "\n".join([*page, *more])


def whole(commands: Mapping[str, tuple[str, str, str]], for_host: Collection[str], columns: int) -> str:
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
