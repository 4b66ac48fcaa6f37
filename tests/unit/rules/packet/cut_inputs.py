"""Inputs of a packet that are offered for cutting."""

from __future__ import annotations

from typing import Any

from builders import Book

from novel_hooks import layout
from novel_hooks.rules.packet import cuts, packet, size_limit


def people(made: Book, count: int) -> None:
    duty = {"id": "C-1", "type": "belief", "rule": "他不在夜里过桥" * 12, "valid_from_chapter": 1}
    for number in range(count):
        slug = f"guest-{number:03d}"
        card = {"id": slug, "display_name": f"客{number:03d}", "contracts": [{**duty, "id": f"C-{slug}-1"}]}
        made.write(layout.character_card(slug), card)
        made.write(layout.character_profile(slug), f"# 客{number:03d}\n\n{'在河边长大。' * 50}\n")


def rules(made: Book, count: int) -> None:
    found = made.json(layout.WORLD_RULES)
    plain = {"category": "river", "exceptions": [], "introduced_chapter": 1}
    more = [
        {
            **plain,
            "id": f"W-{n:03d}",
            "rule": "灯灭之后不得回头" * 2,
            "constraint_type": ("hard", "soft")[n % 2],
        }
        for n in range(100, 100 + count)
    ]
    made.write(layout.WORLD_RULES, {**found, "rules": [*found["rules"], *more]})


def offered(agent: str, *inputs: packet.Input, chapter: int = 5, plan: str = "") -> list[size_limit.Offer]:
    return cuts.offers(agent, chapter, inputs, plan)


def cut_to(agent: str, one: packet.Input, chars: int, **more: Any) -> packet.Input | None:
    found = size_limit.fit([one], size_limit.size(one) - chars, lambda: offered(agent, one, **more))
    return found.inputs[0] if found.inputs else None


def left(offer: size_limit.Offer, count: int) -> Any:
    found = offer.without(count)
    return None if found is None else found.value if found.text is None else found.text
