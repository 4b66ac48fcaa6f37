"""`novel status`: show the book's progress and next step on one page. Reads only."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli import page
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, Problems
from novel_hooks.flows.briefing import status
from novel_hooks.rules.steps import menu


def run(context: Context) -> Answer:
    try:
        book = context.book()
    except errors.NotAProject as nowhere:
        data = {"menu": [entry._asdict() for entry in menu.NO_PROJECT]}
        told = build(data, "", [nowhere], nowhere.exit)
        return told._replace(after="\n".join(page.menu_lines(data)))
    found = status.run(book, context.caller())
    grave = [p for p in found.problems if p.severity == "error"]
    code = Problems(grave).exit if grave else DONE
    first = {**found.data, "menu": None} if grave else found.data  # what he can do stands below the errors
    told = build(found.data, page.describe(first), found.problems, code)
    return told._replace(after="\n".join(page.menu_lines(found.data))) if grave else told
