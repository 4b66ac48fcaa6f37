"""The command line: `novel COMMAND [--project DIR] [--json] [--help] …`."""

from __future__ import annotations

import os
import sys

from novel_hooks import layout, root
from novel_hooks.annotations import Callable, Mapping, Sequence
from novel_hooks.cli import answer as answers
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.call import WITH_VALUE, call
from novel_hooks.store.host import owner

_TRIED = "NOVEL_ENVIRONMENT_TRIED"
"""Set in the surroundings of a command that began again in a new environment: once is enough."""


def entry() -> None:
    """Run the console script and end the process at once.

    All output is written by then. The usual end of an interpreter would take a tenth of an everyday command's
    time, and there is nothing left for it to do.
    """
    os._exit(run(sys.argv[1:], os.environ, _begin_again))


def _begin_again(argv: Sequence[str]) -> None:
    """Give up an environment that does not work, and start the launcher, which builds it anew.

    Nothing has been done yet: a command needs its packages before it writes. Returns when that would not
    help: the environment is none of ours, the words on stdin are read, or it has been tried just now.
    """
    from novel_hooks import errors
    from novel_hooks.store.files import assets
    from novel_hooks.store.host import environment

    if not environment.disown() or "-" in argv or os.name == "nt" or os.environ.get(_TRIED):
        return
    try:
        launcher = assets.plugin_path("bin/novel")
    except errors.AssetMissing:
        return
    os.execve("/bin/sh", ["sh", launcher, *argv], {**os.environ, _TRIED: "1"})


def run(
    argv: Sequence[str],
    environ: Mapping[str, str],
    begin_again: Callable[[Sequence[str]], None] = lambda argv: None,
) -> int:
    """Run one command, print its answer and return the exit code.

    `begin_again` is called when a package of ours does not load; it may not return.
    """
    as_json = "--json" in argv
    name, rest = split(argv)
    try:
        found = call(name, rest, environ)
    except KeyboardInterrupt:
        found = answers.build(None, "已中断；进度没有丢，运行 `novel next` 可以继续。", exit=130)
    if any(told.code == "DEPENDENCY_MISSING" for told in found.diagnostics):
        begin_again(argv)
    found = _in_words_of_host(found, environ)
    try:
        answers.show(name or "novel", found, as_json)
    except BrokenPipeError:
        answers.give_up(sys.stdout)
    except OSError as wrong:
        answers.give_up(sys.stdout)
        return answers.report_unwritten(wrong)
    return found.exit


def split(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """Split a command line into the command's name and its arguments; options may stand before the name."""
    index = 0
    while index < len(argv) and argv[index].startswith("-"):
        index += 2 if argv[index] in WITH_VALUE else 1
    if index >= len(argv):
        return None, list(argv)
    return argv[index], [*argv[:index], *argv[index + 1 :]]


def _in_words_of_host(found: Answer, environ: Mapping[str, str]) -> Answer:
    """Return the answer as it is true where the author reads it: in Codex, or in a book set up for it.

    A script's own document stays.
    """
    host = owner.nearest_host(environ)
    if host == owner.CLAUDE or (host is None and not _is_for_codex()):
        return found
    from novel_hooks.rules.hosting import words

    told = [
        one._replace(message=words.in_codex(one.message), fix=words.in_codex(one.fix))
        for one in found.diagnostics
    ]
    return found._replace(
        data=words.all_in_codex(found.data),
        text=words.in_codex(found.text),
        after=words.in_codex(found.after),
        diagnostics=tuple(told),
    )


def _is_for_codex() -> bool:
    """Is the book here one of which `novel host codex` was told?"""
    try:
        found = root.find_root(os.getcwd())
    except OSError:
        return False
    return found is not None and os.path.lexists(os.path.join(found, *layout.CODEX.split("/")))
