"""Other names of the commands: Chinese, and the common English ones. Pure.

The other name of a command that only reads, or that changes no text of the book, runs the command. The other
name of a command that changes the book only names that command, and the author types it himself.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Mapping

RUNS: Mapping[str, str] = {
    "status": "状态 进度 看进度 写到哪了 到哪了 概况 概览 今天 目标 每日目标 今日目标 日更目标 "
    "goal info progress stat state overview",
    "next": "下一步 接下来 todo",
    "context": "资料 任务包",
    "gate": "门控 评审 评分 打分 分数 score scores",
    "outline": "大纲 卷纲 目录 章节 chapters toc ls list",
    "find": "找 查 查找 搜 搜索 搜一下 前文 谁知道 谁拿着 秘密 search grep where",
    "who": "人物 角色 谁 查人 档案 characters people person",
    "read": "读 看 阅读 看书 正文 原文 打开 open cat view show print",
    "diff": "对比 比较 差别 改了什么 compare changes versions",
    "foreshadow": "伏笔 线索 foreshadowing threads hooks",
    "review": "回顾 卷末回顾 复盘 retrospective",
    "report": "报告 全书报告 统计 字数 图表 stats statistics wc words",
    "entities": "名字 新名字 没档案的 names",
    "log": "记录 历史 用时 花费 多少钱 词元 流水 logs history cost tokens time",
    "audit": "写入记录 拦截",
    "guide": "指南 写作方法 文风指南 guides tips",
    "lint": "查文字 检查 毛病 文字检查 套话 check proofread spell",
    "doctor": "体检 诊断 检修 看病 health diagnose fsck",
    "changed": "设定改动 改了设定 牵动",
    "config": "设置 配置 选项 参数 settings setting set options preferences configure",
    "export": "导出 成书 出书 电子书 txt epub word docx markdown publish",
    "backup": "备份 存一份 save bak",
}
"""Command → the names that run it. `export` and `backup` write a file beside the book, and nothing in it."""

POINTS: Mapping[str, str] = {
    "rollback": "删 删除 删章 delete rm 回退 退回 退回去 回到 回滚 撤销 后悔 撤回 undo revert reset back",
    "restore": "取回 恢复 还原 找回 存档 recover redo unarchive",
    "replan": "重排 重新规划 重新排",
    "rename": "改名 换名 更名 重命名 mv",
    "character": "建档 立档 加人物 加角色 添人物 新人物 add-character add",
    "retire": "退场 下场 删人物 remove-character",
    "decide": "决定 选 接受 修订 重写 accept revise rewrite",
    "answer": "回答 答",
    "note": "留话 嘱咐 交代 便签 批注 备注 提醒 notes comment memo remind",
    "sync": "同步 手改 改 修改 编辑 重新记录 resync update edit",
    "retry": "重试 再试 再来一次 again",
    "rebuild": "重建",
    "accept-changes": "认下 是我改的",
    "init": "新建 新书 开书 建书 new create",
    "import": "导入 交笔记 笔记",
    "adopt": "搬书 搬进来 搬家 move-in migrate",
    "host": "接到Codex codex",
    "demo": "示例 演示 样书 sample example",
    "lock": "锁 写作锁 unlock 解锁",
    "commit": "入库 提交",
}
"""Command → the names that only tell of it."""

SKILLS: Mapping[str, str] = {
    "/novel:continue": "写 续写 接着写 继续 写下一章 写一章 下一章 continue resume write draft go run",
    "/novel:start": "开始 设定 规划 开头 start begin",
}
"""What a host is asked for, not `novel` → the names of it."""
HELP = "help 帮助 求助 说明 命令 用法 怎么用 ? ？ man commands h usage"
VERSION = "version 版本 v"


def command_of(name: str, commands: Iterable[str]) -> str:
    """Return the command that the typed name runs; the name itself when it runs none.

    Upper and lower case are the same. The `/novel:` that a host puts before its skills is left out.
    """
    bare = _bare(name)
    if bare in commands:
        return bare
    return _key_of(RUNS, bare) or name


GOAL = "目标 每日目标 今日目标 日更目标 goal"
"""Names of the daily goal: alone they show the progress, with a number they set it."""


def setting_of(name: str, with_value: bool, commands: Iterable[str]) -> str | None:
    """Return the setting that the typed name means, when no command has that name; else None."""
    from novel_hooks.rules.text import typed_words

    bare = _bare(name)
    if bare in GOAL.split():
        return "daily_chars" if with_value else None
    if command_of(name, commands) in commands or pointed_at(name) is not None:
        return None
    key = typed_words.setting_key(bare)
    return key if key in typed_words.SETTINGS else None


def pointed_at(name: str) -> str | None:
    """Return the command or skill that the typed name means and does not run, because it changes the book."""
    bare = _bare(name)
    return _key_of(POINTS, bare) or _key_of(SKILLS, bare)


def is_help(name: str) -> bool:
    """Tell whether the word asks for help."""
    return _bare(name) in HELP.split()


def is_version(name: str) -> bool:
    """Tell whether the word asks for the version."""
    return _bare(name) in VERSION.split()


def guess(name: str, commands: Iterable[str]) -> str | None:
    """Return the command that a misspelt name may mean; None when that command changes the book."""
    from novel_hooks.rules.text import typed_words

    known = {word: key for table in (RUNS, POINTS, SKILLS) for key in table for word in table[key].split()}
    near = typed_words.nearest(_bare(name), [*commands, *known])
    meant = known.get(near or "", near)
    return meant if meant in RUNS else None


def _bare(name: str) -> str:
    from unicodedata import normalize

    return normalize("NFKC", name).strip().lower().removeprefix("/novel:").replace("_", "-")


def _key_of(table: Mapping[str, str], name: str) -> str | None:
    return next((key for key, words in table.items() if name in words.lower().split()), None)
