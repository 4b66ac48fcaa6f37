"""`novel backup [WHERE]`: write the whole book to one dated file and check it. The book does not change."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.flows.backup import write
from novel_hooks.flows.backup.write import BackedUp
from novel_hooks.rules.text import excerpt

_SHOWN = 8


def arguments(parser: Parser) -> None:
    parser.value("to", "去处", "文件夹，或还没有的 .zip 文件；默认放在书的文件夹旁边", nargs="?")


def run(context: Context) -> Answer:
    where = context.args.to
    found = write.run(context.project(), context.caller(), absolute_path(where) if where else None)
    problems = list(found.notes)
    if found.left:
        shown = excerpt.first_of(found.left, _SHOWN)
        problems.append(errors.BackupLeft(None, count=len(found.left), paths=shown))
    data = {
        "place": found.place,
        "chapter": found.chapter,
        "files": found.files,
        "bytes": found.size,
        "left": list(found.left),
    }
    return build(data, _describe(found, beside=where is None), problems)


def _describe(found: BackedUp, beside: bool) -> str:
    lines = [
        f"《{found.title}》备份好了，写到第 {found.chapter} 章：{found.place}",
        f"共 {found.files} 个文件，{found.size / 1e6:.1f} MB，都读回来核对过。",
        "换一台电脑接着写：`novel restore 这个文件 新文件夹`。",
    ]
    lines += ["这一份和书在同一块硬盘上，最好再拷到 U 盘或网盘。"] if beside else []
    return "\n".join(lines)
