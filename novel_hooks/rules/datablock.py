"""`<DATA>` blocks: a file's text, marked as material and never as instructions.

Source: seed 000 Step 2.0, seed 003.
"""

from __future__ import annotations

import re

from novel_hooks.pattern import Pattern

_CLOSING = Pattern(r"<(?=[\s\u200b-\u200f\ufeff]*/[\s\u200b-\u200f\ufeff]*data)", re.IGNORECASE)
_OPENING = Pattern(r"<(?=[\s\u200b-\u200f\ufeff]*data[\s>])", re.IGNORECASE)


def wrap(kind: str, source: str, text: str) -> str:
    """The text as one block. A block's tag inside the text is neutralised, nothing else is changed."""
    inner = _OPENING.sub("&lt;", _CLOSING.sub("&lt;", text))
    return f'<DATA type="{_attribute(kind)}" source="{_attribute(source)}" readonly="true">\n{inner}\n</DATA>'


def _attribute(value: str) -> str:
    quoted = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(c if c.isprintable() else f"&#{ord(c)};" for c in quoted)
