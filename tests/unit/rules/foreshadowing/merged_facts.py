"""Facts that ops are merged into."""

from __future__ import annotations

from typing import Any


def item(name: str = "jade", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "description": "玉佩裂了",
        "scope": "short",
        "status": "planted",
        "planted_chapter": 3,
        "planted_storyline": "main-line",
        "target_resolve_range": [5, 9],
        "last_updated_chapter": 3,
        "history": [{"chapter": 3, "action": "planted", "detail": ""}],
        **changes,
    }
