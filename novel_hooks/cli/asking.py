"""Asking the author before something big, and never a script."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
import sys

from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context
from novel_hooks.errors import ConfirmationNeeded

_YES = ("y", "yes", "是", "好", "确认")


def can_ask(context: Context) -> bool:
    """Is somebody at a terminal, and not waiting for a document?"""
    return not context.args.json and sys.stdin.isatty() and sys.stderr.isatty()


def agrees(shown: str) -> bool:
    """Show the text on stderr and wait for a word; the end of input means no."""
    sys.stderr.write(f"{answer.harmless(shown)}\n确认请输入 yes，不做就直接回车：")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in _YES


def refused(data: Any, shown: str, what: str, command: str) -> Answer:
    """The refusal for who cannot be asked: all that the author would have seen, and how to say yes."""
    needed = ConfirmationNeeded(what=what, command=command)
    return answer.of(data, shown, [needed], needed.exit)
