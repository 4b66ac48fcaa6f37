"""Long text, shown by the reader's pager (`PAGER`, else `less`)."""

from __future__ import annotations

import os

from novel_hooks.annotations import Mapping


def show(text: str, environ: Mapping[str, str]) -> bool:
    """Show the text page by page; return False when it fits on the screen, or there is no pager."""
    import shlex
    import shutil
    import subprocess

    try:
        rows = os.get_terminal_size(1).lines
    except OSError:
        return False
    if text.count("\n") < rows - 1:
        return False
    words = shlex.split(environ.get("PAGER") or "less")
    if not words or shutil.which(words[0]) is None:
        return False
    env = {**environ, "LESSCHARSET": "utf-8", "LESS": environ.get("LESS") or "FRX"}
    return subprocess.run(words, input=text.encode("utf-8"), env=env, check=False).returncode == 0
