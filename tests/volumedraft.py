"""A volume's plan in memory, whole as it is, for tests that change one part of it and ask the rules."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from novel_hooks import layout
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.volume import checks
from novel_hooks.rules.volume.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Spoil = Callable[["Draft"], None]
    Fault = tuple[Spoil, str, str]
    Rules = list[tuple[str, list[tuple[Spoil, str]], list[Spoil]]]
    """A row of docs/volume-rules.md: code, examples that fail with what is said, examples that pass."""

PEOPLE = {"lin": "林渡", "su": "苏禾", "he": "何铁"}
OUTLINE = layout.staged(layout.outline(2))
KEYS = {
    "Location": "渡口",
    "Conflict": "过不去",
    "Arc": "过河",
    "StateChanges": "船破了",
    "TransitionHint": "",
}
THREADS = {4: "埋 bell（门上）", 5: "推 bell", 6: "收 bell；埋 coin"}
DONE = {
    4: [{"id": "bell", "action": "planted"}],
    5: [{"id": "bell", "action": "advanced"}],
    6: [{"id": "bell", "action": "resolved"}, {"id": "coin", "action": "planted"}],
}
FILES = (
    OUTLINE,
    layout.STORYLINES,
    *map(layout.staged, (layout.schedule(2), layout.foreshadowing_plan(2))),
    *map(layout.character_card, PEOPLE),
)
SEVERAL = ("key_line_missing", "heading_misspelt", "contracts_exchanged")
"""Of these more than one thing is wrong."""


class Draft:
    """Volume 2, chapters 4 to 6, on two lines; every part may be changed before it becomes a plan."""

    def __init__(self) -> None:
        self.first, self.last = 4, 3
        self.storylines = {4: "river", 5: "tower", 6: "river"}
        self.titles = {n: f"### 第 {n} 章: 第{n}夜" for n in (4, 5, 6)}
        self.keys: dict[int, dict[str, str]] = {4: {}, 5: {}, 6: {}}
        self.contracts: dict[int, dict[str, Any]] = {n: self._contract(n) for n in (4, 5, 6)}
        self.before: dict[str, Any] | None = self._contract(3)
        self.schedule: dict[str, Any] = {
            "volume": 2,
            "active_storylines": [{"storyline_id": "river", "target_chapters": [4, 6]}, "tower"],
            "dormant_storylines": ["sea"],
            "convergence_events": [{"chapter_range": [5, 6], "involved_storylines": ["river", "tower"]}],
        }
        self.lines = ("river", "tower", "sea")
        self.threads: list[dict[str, Any]] = [
            self.thread("bell", scope="short", planted_chapter=4, target_resolve_range=[5, 6]),
            self.thread("coin", scope="long", planted_chapter=6, target_resolve_range=[20, 30]),
        ]
        self.facts: list[dict[str, Any]] = [{"id": "rope", "status": "advanced", "planted_chapter": 1}]
        self.people = dict(PEOPLE)
        self.aliases: dict[str, list[str]] = {"he": ["铁匠", "老何"]}
        self.held: dict[str, list[dict[str, Any]]] = {}
        self.secrets: dict[str, str] = {}
        self.told: dict[str, int] = {}
        self.retired: dict[str, str] = {}
        self.rules: dict[str, int | None] = {"W-001": None, "W-002": 6}
        self.stated_volume: object = 2
        self.book: dict[str, dict[str, Any]] = {"river": {"pov_characters": ["林渡", "老何"]}}
        self.relations: dict[str, Any] = {"relationships": [{"from": "river", "to": "tower"}]}

    def thread(self, name: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "description": "门上", "planted_storyline": "river", "status": "planted", **more}

    def _contract(self, number: int) -> dict[str, Any]:
        return {
            "chapter": number,
            "storyline_id": {5: "tower"}.get(number, "river"),
            "objectives": [{"id": f"O-{number}", "required": True, "description": "过河", "target": "苏禾"}],
            "preconditions": {
                "character_states": {"林渡": {"at": "船上"}, "苏禾": {"at": "岸上"}},
                "required_world_rules": ["W-001"],
            },
            "postconditions": {
                "state_changes": {"林渡": {"at": "塔下"}},
                "foreshadowing_updates": copy.deepcopy(DONE.get(number, [])),
            },
        }

    def text(self) -> str:
        told = "# 卷二\n\n"
        for number, title in self.titles.items():
            keys = {"Storyline": self.storylines.get(number, "river"), "POV": "林渡", **KEYS}
            keys["Foreshadowing"] = THREADS.get(number, "无")
            keys.update(self.keys.get(number, {}))
            told += f"{title}\n" + "".join(f"- **{key}**: {value}\n" for key, value in keys.items()) + "\n"
        return told

    def plan(self) -> Plan:
        text = self.text()
        read = {n: contracts.parse(d, path(n)) for n, d in self.contracts.items()}
        cards: dict[str, dict[str, Any]] = {
            s: {
                "display_name": n,
                "aliases": self.aliases.get(s, []),
                "contracts": self.held.get(s, []),
                "secret": self.secrets.get(s),
                "secret_out": self.told.get(s),
            }
            for s, n in self.people.items()
        }
        return Plan(
            volume=2,
            first=self.first,
            last=self.last,
            outline=outlines.parse(text, OUTLINE),
            data=text.encode(),
            files=tuple(sorted(self.contracts)),
            contracts=read,
            before=None if self.before is None else contracts.parse(self.before, layout.contract(1, 3)),
            schedule=self.schedule,
            lines=self.lines,
            threads=self.threads,
            facts=self.facts,
            people=[casts.character(slug, card) for slug, card in sorted(cards.items())],
            rules=self.rules,
            retired=[casts.character(slug, {"display_name": name}) for slug, name in self.retired.items()],
            things=frozenset({"boat", "渡船"}),
            stated_volume=self.stated_volume,
            storylines={
                "storylines": [{"id": n, **self.book.get(n, {})} for n in self.lines],
                **self.relations,
            },
        )

    def found(self) -> list[tuple[str, str]]:
        return [(p.code, f"{p} {p.diagnostic().fix}") for p in checks.problems(self.plan())]


def path(chapter: int) -> str:
    return layout.staged(layout.contract(2, chapter))


def told(problems: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """(code, file, values of the message and the fix) of each problem."""
    return [
        (
            p.code,
            p.path,
            {k: v for k, v in p.values.items() if f"{{{k}}}" in p.message + p.fix and k != "path"},
        )
        for p in problems
    ]


def states(draft: Draft, chapter: int) -> dict[str, Any]:
    found: dict[str, Any] = draft.contracts[chapter]["preconditions"]["character_states"]
    return found


def ends(draft: Draft, chapter: int) -> dict[str, Any]:
    found: dict[str, Any] = draft.contracts[chapter]["postconditions"]
    return found


def goal(draft: Draft, chapter: int) -> dict[str, Any]:
    found: dict[str, Any] = draft.contracts[chapter]["objectives"][0]
    return found


def he_changes(draft: Draft, word: str = "何铁") -> None:
    """In chapter 4, where he is on board from the start."""
    states(draft, 4)["何铁"] = {"at": "船尾"}
    ends(draft, 4)["state_changes"][word] = {"at": "水里"}


def tell(draft: Draft, chapter: int, *updates: tuple[str, str]) -> None:
    """What the chapter does with threads, in its contract and its outline."""
    marks = {"planted": "埋", "advanced": "推", "resolved": "收"}
    ends(draft, chapter)["foreshadowing_updates"] = [{"id": n, "action": a} for n, a in updates]
    draft.keys[chapter]["Foreshadowing"] = "；".join(f"{marks[a]} {n}" for n, a in updates)


def event(d: Draft) -> dict[str, Any]:
    found: dict[str, Any] = d.schedule["convergence_events"][0]
    return found


def faults(rules: Rules) -> list[Fault]:
    """The examples that fail, each with its code and a part of its message."""
    return [(spoil, code, said) for code, fails, _ in rules for spoil, said in fails]


def edges(rules: Rules) -> list[Spoil]:
    """The examples that pass, each once."""
    return list(dict.fromkeys(edge for _, _, passes in rules for edge in passes))


def names(listed: Sequence[Fault]) -> list[str]:
    return [spoil.__name__ for spoil, _, _ in listed]


def check_fault(spoil: Spoil, code: str, said: str) -> None:
    """The spoilt draft has that one problem, with the file, and no value left out of its words."""
    draft = Draft()
    spoil(draft)
    found = draft.found()
    assert any(c == code and said in message for c, message in found), found
    assert len(found) == 1 or spoil.__name__ in SEVERAL, found
    assert not any("None" in message or "null" in message for _, message in found), found
    assert {p.path for p in checks.problems(draft.plan())} <= {
        *FILES,
        *map(path, draft.plan().files),
        path(5),
    }


def check_edge(edge: Spoil) -> None:
    draft = Draft()
    edge(draft)
    assert draft.found() == []
