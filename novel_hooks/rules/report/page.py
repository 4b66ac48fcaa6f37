"""The report as one HTML page that needs nothing beside it. Pure.

The page's data stand in a script tag that no browser runs, with every mark escaped that could end it or begin
a comment. The page's own policy (CSP) lets run only what it names by hash, so that no text of a novel can.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json

from novel_hooks.annotations import Any, Mapping

_ESCAPED = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'"
)


def page(frame: str, style: str, script: str, data: Mapping[str, Any]) -> str:
    """Return the page: `frame` with its places filled, `{{title}}`, `{{policy}}`, `{{style}}` and so on."""
    title = f"{data['title'] or '这本书'} · 写作报告"
    policy = _POLICY.format(script=_hash(script), style=_hash(style))
    places = {
        "title": html.escape(title),
        "policy": html.escape(policy, quote=False),
        "style": style,
        "data": data_text(data),
        "script": script,
    }
    head, *parts = frame.split("{{")
    return head + "".join(places[name] + rest for name, _, rest in (one.partition("}}") for one in parts))


def data_text(data: Mapping[str, Any]) -> str:
    """Return the data as JSON that may stand inside a script tag."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPED)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
