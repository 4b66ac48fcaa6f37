"""Calls of commands by name: the table of commands, and the border where a refusal becomes an answer.

Exit codes (protocol §8): 0 done, 1 findings, 2 usage, 3 refused, 4 busy, 5 damaged, 70 a bug of `novel`. Only
the called command's module is imported.
"""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from novel_hooks import __version__, errors
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.cli.answer import Answer
from novel_hooks.errors import DONE, Problem
from novel_hooks.pattern import Pattern

if TYPE_CHECKING:
    from types import ModuleType

    from novel_hooks.cli.context import Context
    from novel_hooks.store.files.project import Project

COMMANDS: Mapping[str, tuple[str, str, str]] = {
    "status": ("pages.status", "看进度：写到哪、评分如何、下一步做什么", ""),
    "next": ("steps.next", "看下一步", ""),
    "instructions": ("steps.instructions", "取一个步骤的任务包", "chapter:012:draft"),
    "context": ("pages.context", "看一个代理会拿到哪些资料，各多少字", "写手"),
    "validate": ("steps.validate", "检查一个步骤的产物", "chapter:012:draft"),
    "advance": ("steps.advance", "推进一个步骤", "chapter:012:draft"),
    "judge": ("steps.judge", "记下评审的意见", "record --role primary --file 评审.txt"),
    "gate": ("pages.gate", "看门控的裁定和理由", "12"),
    "decide": ("decisions.decide", "回答待你决定的事", "12 接受"),
    "note": ("decisions.note", "给一章留话：要写成什么样，写到时交给写手", "12 '结尾下一场雨'"),
    "answer": ("decisions.answer", "回答设定和规划里等你定的事", "setup:world 1 2"),
    "fail": ("steps.fail", "报告一个步骤失败", "chapter:012:draft --reason 没交稿"),
    "retry": ("steps.retry", "从出错状态恢复", ""),
    "commit": ("steps.commit", "把一章正式入库", "--chapter 12"),
    "sync": ("book.sync", "入库后手改过的章：看有哪些、重新记录", ""),
    "rollback": ("book.rollback", "退回到某一章之后，取走的全部存档", "12"),
    "restore": ("book.restore", "取回存档的内容，或把备份取回成一本书", "1"),
    "changed": ("decisions.changed", "看设定改了什么、牵动哪些还没写的章", ""),
    "replan": ("decisions.replan", "重排本卷还没写的章", ""),
    "rename": ("decisions.rename", "给人物、地点、物品改名", "阿七 沈渡"),
    "character": ("decisions.character", "为一个人建档：写名字和几样要紧的，不用写 JSON", "add 唐婆"),
    "retire": ("decisions.retire", "让一个角色退场", "沈渡"),
    "lock": ("steps.lock", "写作锁：查看、取得、归还、清除", "status"),
    "config": ("decisions.config", "看和改这本书的设置", ""),
    "lint": ("pages.lint", "查一章的文字：残留、套话、重复", "12"),
    "outline": ("pages.outline", "看本卷大纲：列表、一章、检查、改正标题", ""),
    "find": ("lookup.find", "找一个名字或一个词：哪一章、哪一句写过，谁知道、谁有", "铜灯"),
    "who": ("lookup.who", "查一个人：档案、现状、欠的债、最近在哪一章、牵着哪些伏笔", "沈渡"),
    "read": ("lookup.read", "读一章或几章正文", "12"),
    "diff": ("lookup.diff", "看一章改了什么：初稿到润色、修订前后、手改前后", "12"),
    "foreshadow": ("pages.foreshadow", "查伏笔：一章的、全部、一条的来龙去脉、超期的", "list"),
    "review": ("pages.review", "回顾一卷：计划的和写成的对照", "1"),
    "report": ("pages.report", "全书报告：一张网页，图表、伏笔、人物、花费；先看哪几样", "--open"),
    "entities": ("lookup.entities", "看正文里还没有档案的名字", ""),
    "log": ("pages.log", "看用时、词元、评分：一章的，或全书的", ""),
    "accept-changes": ("decisions.accept_changes", "暂存区以外的改动是你自己做的：认下来", ""),
    "audit": ("pages.audit", "看写入记录：放行了什么、拦下了什么", ""),
    "rebuild": ("book.rebuild", "按变更记录重建故事状态", "state"),
    "doctor": ("book.doctor", "体检：查出哪里不对，--fix 修好能修的", ""),
    "guide": ("pages.guide", "读写作方法、文风指南、评分量表", ""),
    "init": ("book.init", "新建一个小说项目", "我的新书"),
    "import": ("book.importing", "交来现成的笔记、设定集", "笔记.md"),
    "adopt": ("book.adopt", "把写了一半的书搬进来：TXT、Markdown、EPUB、Word", "旧稿.txt"),
    "export": ("book.export", "导出成书：TXT、Markdown、EPUB、Word", "epub"),
    "backup": ("book.backup", "备份：整本书收成一个带日期的文件，核对过", ""),
    "host": ("book.host", "把这本书接到 Codex 上写，或断开", "codex"),
    "demo": ("book.demo", "用自带的示例小说演示一遍", "练手"),
}
"""Name → (module, what it does, what an example types behind the name)."""
FOR_CLAUDE = (
    "instructions",
    "validate",
    "advance",
    "judge",
    "fail",
    "commit",
    "lock",
    "guide",
)
"""What Claude runs for the author; he may, but need not. The others are for him."""
_KNOWN = {**COMMANDS, "script": ("script", "供脚本调用", "")}
"""Beside them, what only scripts call."""
_PLAIN = ("next", "status", "instructions")
"""Everyday commands whose usual calls need no parser: loading it takes half of an interpreter's start."""
WITH_VALUE = ("--project", "--owner")
"""Options of every command that take a value."""


def call(name: str | None, rest: Sequence[str], environ: Mapping[str, str]) -> Answer:
    """Run one command and return its answer, refusals included. Raises nothing but KeyboardInterrupt."""
    try:
        return _call(name, rest, environ)
    except Problem as error:
        return _refusal(error)
    except Exception as error:  # the boundary: a bug of ours is told as one, never as a stack
        refused = _as_problem(error)
        if refused is not None:
            return Answer(None, "", (refused.diagnostic(),), refused.exit)
        if environ.get("NOVEL_DEBUG"):
            raise
        bug = errors.Bug(detail=f"{type(error).__name__}: {error}")
        return Answer(None, "", (bug.diagnostic(),), bug.exit)


def _refusal(error: Problem) -> Answer:
    return Answer(None, "", tuple(p.diagnostic() for p in error.problems), error.exit)


def _with_titles(found: Answer, context: Context) -> Answer:
    """Return the answer with the name before every quoted id, as far as the book can be read."""
    if not any("「" in one.message + one.fix for one in found.diagnostics):
        return found
    from novel_hooks.rules.outline import author_view

    if not any(author_view.quotes_id(one.message + one.fix) for one in found.diagnostics):
        return found
    from novel_hooks.flows.review import shown_names

    try:
        names = shown_names.read(context.book())
    except (Problem, OSError):  # what stops the reading is told by the command itself
        return found
    return found._replace(diagnostics=tuple(shown_names.with_titles(one, names) for one in found.diagnostics))


def _with_file_names(found: Answer, context: Context) -> Answer:
    """Return the answer with the name of a chapter's file as the author sees it in his folder.

    `data` and the paths of diagnostics name a chapter by its plain path.
    """
    told = (found.text, found.after, *(one.message + one.fix for one in found.diagnostics))
    if not any("chapters/chapter-" in each for each in told):
        return found
    try:
        project = context.seen()
        if not project.titled():
            return found
        return found._replace(
            text=_with_places(found.text, project),
            after=_with_places(found.after, project),
            diagnostics=tuple(
                one._replace(message=_with_places(one.message, project), fix=_with_places(one.fix, project))
                for one in found.diagnostics
            ),
        )
    except (Problem, OSError):  # what stops the reading is told by the command itself
        return found


_LANDED = Pattern(r"(?<![\w/.-])chapters/chapter-[0-9]+\.md(?![\w.])")


def _with_places(text: str, project: Project) -> str:
    return _LANDED.sub(lambda found: project.place(found[0]), text)


def _as_problem(error: Exception) -> Problem | None:
    """What the system would not let us do to a place, or cut short, told as that; else None."""
    if isinstance(error, (EOFError, ValueError)) and "marshal data" in str(error):
        from novel_hooks.store.host import environment

        environment.drop_bytecode()
        return errors.BytecodeTorn()
    if not isinstance(error, OSError) or isinstance(error, FileNotFoundError):
        return None
    if not isinstance(error.filename, str):
        return None
    from novel_hooks import root
    from novel_hooks.errors import FileUnreadable
    from novel_hooks.store.files.oserror import system_reason

    place = os.path.abspath(error.filename)
    project = root.find_root(os.path.dirname(place))
    path = place if project is None else os.path.relpath(place, project).replace(os.sep, "/")
    return FileUnreadable(path, reason=system_reason(error))


def _call(name: str | None, rest: Sequence[str], environ: Mapping[str, str]) -> Answer:
    if name is None:
        return _front_page(rest)
    if name not in _KNOWN:
        from novel_hooks.cli.manual import aliases

        if aliases.is_version(name):
            return _front_page(["--version"])
        if aliases.is_help(name):
            return _help(rest, environ)
        setting = aliases.setting_of(name, bool(_typed_words(rest)), COMMANDS)
        rest = rest if setting is None else [setting, *rest]
        name = aliases.command_of(name, COMMANDS) if setting is None else "config"
    module = _module(name)
    from novel_hooks.cli.context import Context

    plain = plain_arguments(name, rest)
    if plain is not None:
        return _run(name, module, Context(plain, environ))
    from novel_hooks.cli.arguments import Help, Parser, refuse_garbled

    parser = Parser(name, *_KNOWN[name][1:])
    if hasattr(module, "arguments"):  # a command without words and options of its own has none
        module.arguments(parser)
    try:
        args = parser.parse_args(list(rest))
    except Help as asked:
        return Answer({"help": str(asked)}, str(asked))
    refuse_garbled(args, parser)
    return _run(name, module, Context(args, environ))


def plain_arguments(name: str, rest: Sequence[str]) -> Any:
    """Return the arguments of a plain call without loading argparse; None when the call needs argparse."""
    if name not in _PLAIN:
        return None
    words = [word for word in rest if word != "--json"]
    own = _hand_out_arguments(words) if name == "instructions" else None if words else {}
    return None if own is None else SimpleNamespace(project=None, json="--json" in rest, owner=None, **own)


def _hand_out_arguments(words: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of `instructions STEP [--write-manifest]`; None for any other call."""
    steps = [word for word in words if word != "--write-manifest"]
    if len(steps) != 1 or steps[0].startswith("-") or not steps[0].isascii():
        return None
    return {"step": steps[0], "embed": False, "write_manifest": len(words) > 1, "replay": None}


def _run(name: str, module: ModuleType, context: Context) -> Answer:
    try:
        found = module.run(context)
    except Problem as error:
        found = _refusal(error)
    if not isinstance(found, Answer):
        raise TypeError(f"command {name} gave no answer")
    return _with_titles(_with_file_names(found, context), context)


def _module(name: str) -> ModuleType:
    if name not in _KNOWN:
        raise _unknown_command(name)
    found: ModuleType = __import__(f"novel_hooks.cli.commands.{_KNOWN[name][0]}", fromlist=["run"])
    return found


def _unknown_command(name: str) -> errors.UnknownCommand:
    """Return the refusal, with what the name may stand for: a guess never changes the book."""
    from novel_hooks.cli.manual import aliases

    meant = aliases.pointed_at(name)
    if meant is not None and meant in COMMANDS:
        does = COMMANDS[meant][1]
        return errors.UnknownCommand(None, "changes", name=name, meant=meant, does=does)
    if meant is not None:
        return errors.UnknownCommand(None, "in a session", name=name, meant=meant)
    near = aliases.guess(name, COMMANDS)
    case = "near" if near in COMMANDS else "unlike"
    return errors.UnknownCommand(None, case, name=name, meant=near)


def _help(rest: Sequence[str], environ: Mapping[str, str]) -> Answer:
    """`novel help [COMMAND] [--all]`; the command may be named in any way."""
    from novel_hooks.cli.manual import aliases

    words = _typed_words(rest)
    if not words:
        return _front_page(["--all"] if "--all" in rest else [])
    asked = aliases.command_of(words[0], COMMANDS)
    meant = aliases.pointed_at(asked) if asked not in COMMANDS else asked
    return _call(meant if meant in COMMANDS else asked, ["--help"], environ)


def _typed_words(rest: Sequence[str]) -> list[str]:
    """Return what is typed beside the options that every command has."""
    pairs = zip(rest, ("", *rest))
    return [word for word, before in pairs if not word.startswith("-") and before not in WITH_VALUE]


def _front_page(rest: Sequence[str]) -> Answer:
    if "--version" in rest:
        return Answer({"version": __version__}, f"novel {__version__}")
    strangers = [a for a in rest if a not in ("-h", "--help", "--json", "--all")]
    if strangers and strangers[0] not in WITH_VALUE:
        raise errors.UnknownCommand(None, "unlike", name=strangers[0])
    if len(strangers) == 1:
        raise errors.UsageError(case="value missing", option=strangers[0])
    from novel_hooks.cli.manual import front_page
    from novel_hooks.cli.screen import width

    columns = width.screen_width(sys.stdout, os.environ) or width.USUAL
    shown = front_page.daily(COMMANDS, columns)
    if "--all" in rest:
        shown = front_page.whole(COMMANDS, FOR_CLAUDE, columns)
    return Answer({"commands": list(COMMANDS)}, shown, exit=DONE)
