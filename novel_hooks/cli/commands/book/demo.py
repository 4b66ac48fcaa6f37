"""`novel demo [FOLDER]`: write three chapters of the bundled sample with a recorded crew."""

from __future__ import annotations

import os
from shlex import quote as quoted

from novel_hooks import errors, layout
from novel_hooks import root as roots
from novel_hooks.cli import page, recorded
from novel_hooks.cli.answer import Answer, build, say
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.conduct import Conductor, Stopped
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project

_OWNER = "novel-demo"
_FOLDER = "demo-novel"


def arguments(parser: Parser) -> None:
    parser.value("folder", "文件夹", "默认 demo-novel；写在 --project 后面也行", nargs="?")


def run(context: Context) -> Answer:
    root = _demo_folder(context)
    try:
        return _play(context, root)
    except KeyboardInterrupt:
        return build(
            None,
            f"已中断；进度没有丢，再运行一次就接着写：`{_own_name(context)} demo {quoted(root)}`。",
            exit=130,
        )


def _demo_folder(context: Context) -> str:
    """Absolute, by either name. Raises UsageError for two; ProjectExists where nobody named one in a book."""
    named, project = context.args.folder, context.args.project
    if named and project and absolute_path(named) != absolute_path(project):
        raise errors.UsageError(case="two folders", named=named, project=project)
    above = None if named or project else roots.find_root(absolute_path("."))
    if above is not None:
        raise errors.ProjectExists(None, place=above, what="一本书")
    return absolute_path(named or project or _FOLDER)


def _play(context: Context, root: str) -> Answer:
    wanted = recorded.chapters()[-1]
    quiet = bool(context.args.json)
    fresh = _prepare(root)
    conductor = Conductor(
        root,
        {**context.environ, "NOVEL_OWNER": _OWNER, "NOVEL_OWNER_PID": str(os.getpid())},
        say if not quiet else _silent,
    )
    before = conductor.command("status")["progress"]["last_completed_chapter"]
    if before < wanted:
        for line in _opening(root, fresh, wanted):
            conductor.say(line)
    try:
        conductor.run(wanted)
    except Stopped as stopped:
        return stopped.answer
    finally:
        conductor.release()
    return _closing(conductor, root, _own_name(context), already=before >= wanted)


def _prepare(root: str) -> bool:
    """True when the sample was put there now. Raises ProjectExists for anything but the sample."""
    if os.path.lexists(os.path.join(root, layout.CHECKPOINT)):
        if not _is_sample(root):
            raise errors.ProjectExists(layout.CHECKPOINT, place=root, what="别的小说项目")
        return False
    if os.path.lexists(root) and (os.path.islink(root) or not os.path.isdir(root)):
        raise errors.UsageError(case="demo no folder", place=root)
    if os.path.isdir(root) and os.listdir(root):
        raise errors.ProjectExists(None, place=root, what="别的文件")
    if os.path.isdir(root) and os.path.samefile(root, os.curdir):  # it would be renamed away below the shell
        raise errors.UsageError(case="demo here")
    try:
        recorded.unpack(root)
    except errors.ProjectExists:  # another demo was quicker: go on with its project
        if not _is_sample(root):
            raise
        return False
    return True


def _is_sample(root: str) -> bool:
    """The sample's brief is the mark of a demo project."""
    return Project(root).read(layout.BRIEF) == assets.load(assets.package_path("sample/project/brief.md"))


def _opening(root: str, fresh: bool, wanted: int) -> tuple[str, ...]:
    return (
        f"示例小说已放到 {root}" if fresh else f"接着上次的示例小说：{root}",
        f"下面写前 {wanted} 章。每一步都走真正的命令；写手、记录员、润色师、评审的活，"
        "由一班「录好的人马」交出事先录下的稿子，这里没有调用任何模型。",
        "",
    )


def _own_name(context: Context) -> str:
    """What to type here for `novel`: that name where it leads to us, else the way to our own file."""
    from novel_hooks.flows.doctor import installation

    if installation.first_on_path(context.environ)[1] or not installation.is_plugin():
        return "novel"
    return quoted(_short(assets.plugin_path("bin/novel")))


def _short(path: str) -> str:
    """Seen from here where it lies below, else absolute."""
    below = os.path.relpath(path)
    return path if below.startswith("..") else below


def _closing(conductor: Conductor, root: str, own: str, already: bool) -> Answer:
    data = conductor.command("status")
    landed = [
        layout.chapter(n) for n in recorded.chapters() if n <= data["progress"]["last_completed_chapter"]
    ]
    there = [path for path in landed if os.path.lexists(os.path.join(root, path))]
    gone = "、".join(path for path in landed if path not in there)
    text = "\n".join(
        [
            *(["示例已经写好，没有改动。", ""] if already and not gone else []),
            page.describe(data),
            "",
            *(["写好的章节在这里：", *(f"  {os.path.join(root, path)}" for path in there)] if there else []),
            *([f"写好过、现在不见了：{gone}"] if gone else []),
            f"接着看这本书：`{own} status --project {quoted(_short(root))}`。",
            f"接着往下写：在 Claude Code 里打开 {root}，输入 /novel:continue。",
            f"想重来一遍：换一个文件夹，再运行一次 `{own} demo 文件夹`。",
        ]
    )
    return build({"root": root, "already": already, **data}, text)


def _silent(line: str) -> None:
    """`--json`: one document on stdout and nothing else."""
