"""Writes the plugin's manifests from the code, so that the version stands in one place only.

`.claude-plugin/plugin.json` is what Claude Code reads; `plugin.json` at the root is the same document for
other hosts; `.claude-plugin/marketplace.json` lets a checkout be installed as a marketplace.
"""

from __future__ import annotations

import json
import os

from novel_hooks import __version__

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AUTHOR = {"name": "novel authors"}
DESCRIPTION = (
    "中文网文写作助手：写手、记录员、润色师、评审各司其职，进度、校验与入库由代码保证。"
    "A writing crew for Chinese web novels: agents write and judge; code decides, checks and commits."
)
KEYWORDS = ["novel", "web-novel", "fiction", "writing", "chinese", "中文", "网文", "小说", "写作"]


def plugin() -> dict[str, object]:
    """Return the plugin's manifest.

    It names no network host: only the first run's `pip` connects to its source.
    """
    return {
        "name": "novel",
        "version": __version__,
        "description": DESCRIPTION,
        "author": AUTHOR,
        "license": "MIT",
        "keywords": KEYWORDS,
        "network": {"hosts": []},
    }


def marketplace() -> dict[str, object]:
    """Return the manifest of a marketplace of this one plugin, whose source is the checkout itself."""
    return {
        "name": "novel",
        "description": "中文网文写作助手 / a writing crew for Chinese web novels",
        "owner": AUTHOR,
        "plugins": [{"name": "novel", "source": "./", "description": DESCRIPTION, "license": "MIT"}],
    }


def documents() -> dict[str, str]:
    """Return path in the checkout → content."""
    manifest = _dump(plugin())
    return {
        ".claude-plugin/plugin.json": manifest,
        "plugin.json": manifest,
        ".claude-plugin/marketplace.json": _dump(marketplace()),
    }


def _dump(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    for path, content in documents().items():
        with open(os.path.join(CHECKOUT, path), "w", encoding="utf-8", newline="\n") as handle:
            handle.write(content)
        print(f"written: {path}")


if __name__ == "__main__":
    main()
