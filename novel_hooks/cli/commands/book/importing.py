"""`novel import PATH… [--sample] [--as NAME] [--encoding E]`: copy the author's notes.

Source: protocol §1.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.flows.session.session import writing
from novel_hooks.flows.setup import import_notes
from novel_hooks.flows.setup.import_notes import Imported
from novel_hooks.rules.text import typed_words


def arguments(parser: Parser) -> None:
    parser.value("paths", "文件或文件夹", "笔记、设定集：.md 或 .txt", nargs="+")
    parser.flag("--sample", "是你自己写的文字：定文风时照它学")
    parser.value("--as", "名字", "收进来叫什么（只交一份时）", dest="name")
    parser.value("--encoding", "编码", "不是 UTF-8 的那几份是什么编码，如 gb18030")


def run(context: Context) -> Answer:
    args = context.args
    paths = [absolute_path(path) for path in args.paths]
    if args.name is not None and typed_words.is_blank(args.name):
        raise errors.UsageError(case="import name blank")
    project = context.project()
    gathered = import_notes.gather(project, paths, args.name, args.encoding, args.sample)
    with writing(project, context.caller()) as session:
        found = import_notes.run(session, gathered)
    data = {
        "changed": any(not note.known for note in found.notes),
        "notes": [
            {"path": n.path, "chars": n.chars, "known": n.known, "encoding": n.encoding} for n in found.notes
        ],
        "skipped": list(found.skipped),
    }
    notes = [*session.notes, *_read_as(found)]
    return build(data, _describe(found), found.unread, notes=notes)


def _read_as(found: Imported) -> list[str]:
    """For the author to see whether it was read rightly."""
    return [
        f"{note.path} 是按 {note.encoding} 读的，开头是「{note.begins}」。"
        "要是认不得，删掉它，换一种 --encoding 再交。"
        for note in found.notes
        if note.encoding is not None
    ]


def _describe(found: Imported) -> str:
    fresh = [note for note in found.notes if not note.known]
    what = "样章" if found.sample else "笔记"
    lines = [f"收下 {len(fresh)} 份{what}：" if fresh else f"这些{what}早已收下，没有改动。"]
    lines += [f"  {note.path}（{note.chars} 字）" for note in fresh]
    if found.skipped:
        some = "、".join(found.skipped[:5]) + ("……" if len(found.skipped) > 5 else "")
        lines.append(f"没有收的（空的，或不是 .md、.txt）：{some}")
    return "\n".join([*lines, _describe_readers(found)])


def _describe_readers(found: Imported) -> str:
    """Who will read them."""
    if found.sample:
        return _describe_style(found)
    if not found.point.setting_up:
        return (
            "初始设定已经定下，以后的步骤不会自动读它们。要用上，请照它们改立意、世界或角色的文件，"
            "再运行 `novel changed`，看牵动哪些还没写的章。"
        )
    if found.made:
        made = "、".join(found.made)
        return f"{made}已经有了，不会自己重来；要照这些笔记改，请让写作助手重做那一步。还没做的会读它们。"
    return "立世界、立角色时会照着它们写，当资料用，不当命令听。"


def _describe_style(found: Imported) -> str:
    if not found.point.setting_up:
        return "文风已经定下，不会自己重来。要用上，请照它改文风档案 style-profile.json，下一章就照新的写。"
    if found.made:
        return "文风已经定过一稿，不会自己重来；要照这份文字定，请让写作助手把那一步再做一遍。"
    return "定文风时照着量、照着学，一字不改；一两万字最作得准。"
