"""`novel init`: make a new project. It never overwrites a file."""

from __future__ import annotations

import os

from novel_hooks import errors, layout, root
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.cli import answer, asking
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.flows.book.templates import TEMPLATES
from novel_hooks.flows.setup import init
from novel_hooks.rules.text import excerpt
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from argparse import Namespace

    from novel_hooks.cli.arguments import Parser

_SHOWN = 8
_LONGEST = 255
"""Bytes of a name, on every disk that we know."""


def arguments(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="文件夹", help="新项目放在哪里（默认是当前文件夹）")
    parser.add_argument("--yes", action="store_true", help="当前文件夹里有别的东西也不再询问")
    parser.add_argument("--title", metavar="书名")
    parser.add_argument("--genre", metavar="题材")
    parser.add_argument("--template", metavar="文件夹", help="你自己的模板，文件名与自带的相同")


def _folder_contents(place: str) -> list[str]:
    """What a folder that nobody named holds; [] when there is nothing to ask the author about."""
    project = Project(place)
    if root.find_root(place) is not None or init.is_interrupted(project):
        return []
    return [n for n in project.names("") if not n.startswith(".") and not init.is_bare(project, n)]


def _new_names() -> list[str]:
    return sorted({path.split("/")[0] for path in (*layout.PROJECT_DIRS, *TEMPLATES)})


def _describe_place(place: str, there: list[str]) -> str:
    some = excerpt.first_of(there, _SHOWN)
    return (
        f"「{place}」里已有别的东西：{some}。\n"
        f"会在这里建好：{'、'.join(_new_names())}，和进度文件 {layout.CHECKPOINT}；已有的文件一个不动。"
    )


def _command_with_yes(args: Namespace) -> str:
    """The command as it was said, with the author's yes."""
    from shlex import quote

    told = (("--title", args.title), ("--genre", args.genre), ("--template", args.template))
    return " ".join(["novel init --yes", *(f"{name} {quote(said)}" for name, said in told if said)])


def run(context: Context) -> Answer:
    args = context.args
    place = absolute_path(args.folder or args.project or "")
    long = [name for name in place.split(os.sep) if len(os.fsencode(name)) > _LONGEST]
    if long:
        raise errors.UsageError(case="init name long", name=long[0][:12])
    if os.path.islink(place) and not os.path.exists(place):
        raise errors.UsageError(case="init link dead", place=place)
    if os.path.lexists(place) and not os.path.isdir(place):
        raise errors.UsageError(case="init is file", place=place)
    if place in (os.path.dirname(place), os.path.expanduser("~")):
        raise errors.UsageError(case="init home", place=place)
    there = _folder_contents(place) if not (args.folder or args.project or args.yes) else []
    if there:
        shown = _describe_place(place, there)
        agreed = asking.agrees(context, shown)
        if agreed is None:
            what = f"在「{place}」里新建小说项目，那里已有别的东西，一个也不会动"
            data = {"root": place, "files": _new_names(), "there": there}
            return asking.refusal(data, shown, what, _command_with_yes(args))
        if not agreed:
            return answer.build(None, "没有改动。")
    found = init.run(place, context.caller(), args.title, args.genre, _template(args.template))
    lines = [f"新项目已建好：{found.root}", *(f"  {path}" for path in found.files)]
    lines.append("接下来：/novel:start 会从立意问起；也可以先自己照模板填好 brief.md。")
    lines.append("自己的旧文放进 research/samples/，定文风时会量它；别的笔记放进 research/。")
    return answer.build({"root": found.root, "files": list(found.files)}, "\n".join(lines), found.left)


def _template(told: str | None) -> str | None:
    """Absolute. Raises UsageError when there is no such folder."""
    place = None if told is None else absolute_path(told)
    if place is not None and not os.path.isdir(place):
        raise errors.UsageError(case="template no folder", place=told)
    return place
