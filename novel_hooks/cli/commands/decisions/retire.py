"""`novel retire ID [--yes]`: a character leaves the book, when nothing needs him any more.

Exit 0 also when he has left already or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from novel_hooks.cli.arguments import Parser
    from novel_hooks.flows.rollback.retire import Preview

from novel_hooks import layout
from novel_hooks.cli import answer, asking
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.rollback import retire
from novel_hooks.flows.session.session import writing


def arguments(parser: Parser) -> None:
    parser.add_argument("who", metavar="角色", help="代号或名字")
    parser.add_argument("--yes", action="store_true", help="不再询问，直接退场")


def run(context: Context) -> Answer:
    return asking.ask_first(
        context,
        lambda book: retire.preview(book, context.args.who),
        _offer,
        lambda shown: _execute(context, shown),
    )


def _offer(shown: Preview) -> Offer:
    told = f"{_headline(shown)}。以后可以用 `novel restore` 请回来。" if shown.paths else None
    yes = f"novel retire {shown.slug} --yes"
    return Offer(_document(shown, None), told, _headline(shown), yes, _unchanged(shown))


def _execute(context: Context, shown: Preview | None) -> Answer:
    with writing(context.project(), context.caller()) as session:
        found = retire.run(session, context.args.who, shown)
    done = answer.build(_document(found.preview, found.archive), _describe(found.preview, found.archive))
    return answer.with_notes(done, session.notes)


def _document(shown: Preview, archive: str | None) -> dict[str, Any]:
    return {
        "id": shown.slug,
        "name": shown.name,
        "changed": archive is not None,
        "archive": archive,
        "paths": list(shown.paths),
    }


def _headline(shown: Preview) -> str:
    return f"「{shown.name}」退场，他的档案移到 {layout.RETIRED}/，以后的章节不再用他"


def _describe(shown: Preview, archive: str | None) -> str:
    if archive is None:
        return _unchanged(shown)
    number = archive.partition("-")[0]
    return f"「{shown.name}」已退场，档案在 {layout.RETIRED}/。想请回来，运行 `novel restore {number}`。"


def _unchanged(shown: Preview) -> str:
    return f"「{shown.name}」早已退场，没有改动。"
