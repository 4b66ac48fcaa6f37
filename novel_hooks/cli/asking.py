"""Asking the author before something big, and never a script."""

from __future__ import annotations

import sys

from novel_hooks.cli.context import Context
from novel_hooks.errors import ConfirmationNeeded

_YES = ("y", "yes", "是", "好", "确认")


def can_ask(context: Context) -> bool:
    """Is somebody at a terminal, and not waiting for a document?"""
    return not context.args.json and sys.stdin.isatty() and sys.stderr.isatty()


def agrees(shown: str) -> bool:
    """Show the text on stderr and wait for a word; the end of input means no."""
    sys.stderr.write(f"{shown}\n确认请输入 yes，不做就直接回车：")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in _YES


def refuse(what: str, command: str) -> ConfirmationNeeded:
    """The refusal for who cannot be asked; `command` is how to say yes."""
    return ConfirmationNeeded(what=what, command=command)
