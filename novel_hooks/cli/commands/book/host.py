"""`novel host codex [--check | --remove]`: the book's files for Codex. Source: ADR 0019.

Exit: 0 done; 1 `--check` has findings; 3 the author has a file of the same name, and nothing has changed.
"""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS
from novel_hooks.flows.hosting import connect, files, twins

_NEXT = (
    "接下来，在这个文件夹里打开 codex：",
    "  1. 它问信不信任这个文件夹（Trust this folder?），选信任（Trust and continue）；",
    "  2. 它接着问写作助手的几条钩子（Hooks need review），选全部信任（Trust all and continue）；"
    "没有问，就输入 /hooks，按 t；",
    "  3. 输入 $novel-start 或 $novel-continue。",
    "在这本书里，Codex 只能写 staging/，你自己用它改别的文件也一样；"
    "想放开一次，启动时加 -c 'default_permissions=\":workspace\"'，那一次不能写章。",
    "写作助手更新以后，再运行一次 `novel host codex`。",
)


def arguments(parser: Parser) -> None:
    parser.value("host", "主程序", "codex", choices=("codex",))
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--check", action="store_true", help="只看哪些文件旧了、改过或不见了")
    one.add_argument("--remove", action="store_true", help="断开：取走没有改过的那些文件")


def run(context: Context) -> Answer:
    if context.args.check:
        return _check(context)
    with context.writing() as session:
        done = connect.disconnect(session) if context.args.remove else connect.connect(session)
    data = {"changed": list(done.changed), "kept": list(done.kept)}
    text = _removed_text(done) if context.args.remove else _connected_text(done)
    more = done.left if context.args.remove else tuple(twins.problems(context.project(), context.environ))
    return build(data, text, more, notes=session.notes)


def _check(context: Context) -> Answer:
    project = context.project()
    cut = connect.cut_off(project)
    if cut is not None:
        return build({"changed": [], "kept": []}, cut, (), FINDINGS)
    if not connect.begun(project):
        return build({"changed": [], "kept": []}, "这本书还没有接上 Codex；要接，运行 `novel host codex`。")
    found = [*connect.stale(files.differences(project)), *twins.problems(project, context.environ)]
    paths = [one.path for one in found if one.path]
    text = "有几处要看：" if found else "这本书接着 Codex，各个文件都是新的。"
    return build({"changed": paths, "kept": []}, text, found, FINDINGS if found else DONE)


def _connected_text(done: connect.Done) -> str:
    head = "已接上 Codex，写好了：" if done.changed else "早已接上 Codex，没有要改的。"
    kept = [f"  {path}（你自己的，里面已经有要的那一段）" for path in done.kept]
    return "\n".join([head, *(f"  {path}" for path in done.changed), *kept, *_NEXT])


def _removed_text(done: connect.Done) -> str:
    head = "已断开 Codex，取走了：" if done.changed else "没有要取走的文件。"
    kept = [f"  {path}（你改过，留着没动）" for path in done.kept]
    return "\n".join([head, *(f"  {path}" for path in done.changed), *kept])
