"""What `novel` itself wrote into an evaluation. Source: protocol §1 (evaluation)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def metadata(document: Mapping[str, Any]) -> Mapping[str, Any]:
    found = document.get("metadata")
    return found if isinstance(found, dict) else {}


def accepted(document: Mapping[str, Any]) -> bool:
    """Did the author take the text over the gate's decision?"""
    return bool(gate_of(document).get("accepted"))


def gate_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    found = metadata(document).get("gate")
    return found if isinstance(found, dict) else {}
