"""Examples of drafts that several tests of the checks spoil."""

from __future__ import annotations

from volumedraft import (
    Draft,
)


def rule_unknown(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002", "W-404"]
