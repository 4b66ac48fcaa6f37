"""The comparison of two versions as one HTML page: offline, no script, light and dark, wide and narrow."""

from __future__ import annotations

from html import escape

from novel_hooks.annotations import Sequence
from novel_hooks.rules.review.difference import GONE, NEW, Piece

_TAGS = {GONE: "del", NEW: "ins"}
_PAGE = """<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 38em; margin: 2em auto; padding: 0 1em; font: 1.05em/1.9 serif; }}
body {{ background: Canvas; color: CanvasText; }}
h1 {{ font-size: 1.2em; }}
p {{ margin: .6em 0; white-space: pre-wrap; overflow-wrap: anywhere; }}
ins {{ text-decoration: none; background: light-dark(#cfeecb, #1f4d25); }}
del {{ background: light-dark(#f6cfcb, #5a2421); }}
</style>
<h1>{title}</h1>
<p>{amount}</p>
<hr>
{body}
</html>
"""


def html(title: str, amount: str, pieces: Sequence[Piece]) -> str:
    """Return the page: the whole text, removed parts as `<del>` and added ones as `<ins>`."""
    body = "".join(_marked(piece.kind, piece.text) for piece in pieces)
    return _PAGE.format(title=escape(title), amount=escape(amount), body=f"<p>{body}</p>")


def _marked(kind: str, text: str) -> str:
    """Return one piece; a mark ends at a line break and begins again behind it."""
    tag = _TAGS.get(kind)
    lines = [escape(line, quote=False) for line in text.split("\n")]
    return "\n".join(f"<{tag}>{line}</{tag}>" if tag and line else line for line in lines)
