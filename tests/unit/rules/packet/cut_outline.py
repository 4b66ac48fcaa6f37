"""An outline that is cut."""

from __future__ import annotations

from typing import Any

from builders import fast_disk as fast_disk

from novel_hooks.rules.packet import packet, size_limit
from unit.rules.packet.cut_inputs import offered

OUTLINE = "# 卷\n\n卷首语。\n\n" + "".join(f"### 第 {n} 章: 名\n{'甲' * 50}\n" for n in range(1, 11))


# the pieces of each key ---------------------------------------------------------------------------


def offer_of(agent: str, *inputs: packet.Input, turn: int = 0, **more: Any) -> size_limit.Offer:
    return offered(agent, *inputs, **more)[turn]
