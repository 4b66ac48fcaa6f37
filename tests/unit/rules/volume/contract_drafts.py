"""Examples of drafts that several tests of the checks spoil."""

from __future__ import annotations

from typing import TYPE_CHECKING

from volumedraft import (
    Draft,
)

if TYPE_CHECKING:
    pass


def rule_unknown(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002", "W-404"]
