"""Text inside XML: escaped, and free of what no XML can hold. Pure."""

from __future__ import annotations

from novel_hooks.pattern import Pattern

_FORBIDDEN = Pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def forbidden_mark(text: str) -> str | None:
    """Return the first character that no XML can hold, as `U+000B`; None without one."""
    found = _FORBIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else None


def escape(text: str) -> str:
    """Return the text for an element or a quoted attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
