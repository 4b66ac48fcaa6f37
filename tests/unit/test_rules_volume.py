"""Each rule of a volume's plan, with an example that passes and one that does not."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.rules import cast as casts
from novel_hooks.rules import contract as contracts
from novel_hooks.rules import outline as outlines
from novel_hooks.rules import volume, volume_chain
from novel_hooks.rules.volume import Plan
from novel_hooks.store import assets

if TYPE_CHECKING:
    from collections.abc import Callable

PEOPLE = {"lin": "林渡", "su": "苏禾", "he": "何铁"}
OUTLINE = layout.staged(layout.outline(2))


class Draft:
    """Volume 2, chapters 4 to 6, on two lines; every part may be changed before it becomes a plan."""

    def __init__(self) -> None:
        self.first, self.last = 4, 3
        self.storylines = {4: "river", 5: "tower", 6: "river"}
        self.pov = dict.fromkeys((4, 5, 6), "林渡")
        self.titles = {n: f"### 第 {n} 章: 第{n}夜" for n in (4, 5, 6)}
        self.contracts: dict[int, dict[str, Any]] = {n: self._contract(n) for n in (4, 5, 6)}
        self.before: dict[str, Any] | None = self._contract(3)
        self.schedule: dict[str, Any] = {
            "volume": 2,
            "active_storylines": [{"storyline_id": "river"}, "tower"],
            "dormant_storylines": ["sea"],
            "convergence_events": [{"chapter_range": [5, 6], "involved_storylines": ["river", "tower"]}],
        }
        self.lines = ("river", "tower", "sea")
        self.threads: list[dict[str, Any]] = [
            {"id": "bell", "scope": "short", "planted_chapter": 4, "target_resolve_range": [5, 6]},
            {"id": "coin", "scope": "long", "planted_chapter": 6, "target_resolve_range": [20, 30]},
        ]
        self.facts = ("rope",)
        self.people = dict(PEOPLE)
        self.rules = ("W-001", "W-002")

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
                "foreshadowing_updates": [{"id": "bell", "action": "advanced"}],
            },
        }

    def plan(self) -> Plan:
        keys = ("Location", "Conflict", "Arc", "Foreshadowing", "StateChanges", "TransitionHint")
        text = "# 卷二\n\n"
        for number, title in self.titles.items():
            text += f"{title}\n- **Storyline**: {self.storylines.get(number, 'river')}\n"
            text += (
                f"- **POV**: {self.pov.get(number, '林渡')}\n"
                + "".join(f"- **{k}**: 有\n" for k in keys)
                + "\n"
            )
        read = {n: contracts.read(d, path(n)) for n, d in self.contracts.items()}
        return Plan(
            volume=2,
            first=self.first,
            last=self.last,
            outline=outlines.read(text, OUTLINE),
            data=text.encode(),
            files=tuple(sorted(self.contracts)),
            contracts=read,
            before=None if self.before is None else contracts.read(self.before, layout.contract(1, 3)),
            schedule=self.schedule,
            lines=self.lines,
            threads=self.threads,
            facts=self.facts,
            people=[casts.character(s, {"display_name": name}) for s, name in sorted(self.people.items())],
            rules=self.rules,
        )

    def found(self) -> list[tuple[str, str]]:
        return [(p.code, str(p)) for p in volume.problems(self.plan())]


def path(chapter: int) -> str:
    return layout.staged(layout.contract(2, chapter))


def test_the_draft_passes() -> None:
    assert Draft().found() == []


def states(draft: Draft, chapter: int) -> dict[str, Any]:
    found: dict[str, Any] = draft.contracts[chapter]["preconditions"]["character_states"]
    return found


def ends(draft: Draft, chapter: int) -> dict[str, Any]:
    found: dict[str, Any] = draft.contracts[chapter]["postconditions"]
    return found


def _late_start(d: Draft) -> None:
    d.first = 3


def _too_short(d: Draft) -> None:
    d.last = 8


def _gap(d: Draft) -> None:
    d.titles[6] = "### 第 7 章: 跳号"
    d.contracts[7] = {**d.contracts.pop(6), "chapter": 7}
    d.schedule["convergence_events"] = []
    d.threads = []
    d.facts = ("bell",)


def _twice(d: Draft) -> None:
    d.titles[60] = "### 第 6 章: 又一遍"


def _near(d: Draft) -> None:
    d.titles[60] = "## 第七章 近似"


def _no_key(d: Draft) -> None:
    d.titles[4] = "### 第 4 章: 缺行\n\n### 附记"


def _no_contract(d: Draft) -> None:
    del d.contracts[5]


def _stray_contract(d: Draft) -> None:
    d.contracts[9] = {**copy.deepcopy(d.contracts[6]), "chapter": 9}


def _wrong_chapter(d: Draft) -> None:
    d.contracts[5]["chapter"] = 6


def _wrong_line(d: Draft) -> None:
    d.contracts[5]["storyline_id"] = "river"


def _no_required(d: Draft) -> None:
    d.contracts[5]["objectives"][0]["required"] = False


def _chain_objective(d: Draft) -> None:
    ends(d, 4)["state_changes"]["苏禾"] = {}
    del states(d, 5)["苏禾"]


def _chain_pov(d: Draft) -> None:
    d.pov[5] = "林渡、何铁"
    ends(d, 4)["state_changes"] = {"何铁": {}}


def _chain_change(d: Draft) -> None:
    ends(d, 4)["state_changes"] = [{"character": "何铁", "to": "醒了"}]
    ends(d, 5)["state_changes"] = ["何铁：醒→走"]


def _chain_before(d: Draft) -> None:
    assert d.before is not None
    d.before["postconditions"]["state_changes"] = {"苏禾": {}}
    del states(d, 4)["苏禾"]


def _five_lines(d: Draft) -> None:
    d.lines = ("river", "tower", "sea", "a", "b", "c")
    d.schedule["active_storylines"] = ["river", "tower", "a", "b", "c"]


def _unknown_line(d: Draft) -> None:
    d.lines = ("river", "tower")


def _inactive(d: Draft) -> None:
    d.schedule["active_storylines"] = ["river"]


def _other_volume(d: Draft) -> None:
    d.schedule["volume"] = 1


def _meets_outside(d: Draft) -> None:
    d.schedule["convergence_events"][0]["chapter_range"] = [6, 7]


def _meets_backwards(d: Draft) -> None:
    d.schedule["convergence_events"][0]["chapter_range"] = [6, 5]


def _thread_twice(d: Draft) -> None:
    d.threads.append(dict(d.threads[0]))


def _thread_elsewhere(d: Draft) -> None:
    d.threads[1]["planted_chapter"] = 9


def _thread_unbounded(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = None


def _thread_backwards(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = [30, 20]


def _thread_before_it(d: Draft) -> None:
    d.threads[0].update(planted_chapter=6, target_resolve_range=[4, 5])


def _thread_short(d: Draft) -> None:
    d.threads[0]["target_resolve_range"] = [5, 9]


def _thread_unknown(d: Draft) -> None:
    ends(d, 6)["foreshadowing_updates"] = [{"id": "ghost"}, "bell"]


def _thread_unknown_map(d: Draft) -> None:
    ends(d, 6)["foreshadowing_updates"] = {"ghost": "planted", "rope": "advanced"}


def _stranger(d: Draft) -> None:
    states(d, 6)["生人"] = {}


def _namesakes(d: Draft) -> None:
    d.people["he"] = "苏禾"


def _no_rule(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002", "W-404"]


FAULTS: list[tuple[Callable[[Draft], None], str, str]] = [
    (_late_start, "VOLUME_RANGE", "应从第 3 章起"),
    (_too_short, "VOLUME_RANGE", "已写到第 8 章"),
    (_gap, "OUTLINE_NUMBERING", "缺少：6"),
    (_twice, "OUTLINE_NUMBERING", "重复：6"),
    (_near, "OUTLINE_HEADING_NEAR", "第七章"),
    (_no_key, "OUTLINE_KEY_MISSING", "Storyline"),
    (_no_contract, "VOLUME_CONTRACT", "第 5 章没有契约"),
    (_stray_contract, "VOLUME_CONTRACT", "大纲里没有第 9 章"),
    (_wrong_chapter, "VOLUME_CONTRACT", "应是第 5 章"),
    (_wrong_line, "VOLUME_CONTRACT", "大纲写的是 tower"),
    (_no_required, "VOLUME_CONTRACT", "必达目标"),
    (_chain_objective, "VOLUME_CHAIN", "目标 O-5"),
    (_chain_pov, "VOLUME_CHAIN", "「何铁」"),
    (_chain_change, "VOLUME_CHAIN", "state_changes"),
    (_chain_before, "VOLUME_CHAIN", "第 3 章改变了他"),
    (_five_lines, "VOLUME_STORYLINE", "有 5 条"),
    (_unknown_line, "VOLUME_STORYLINE", "「sea」没有定义"),
    (_inactive, "VOLUME_STORYLINE", "第 5 章的故事线「tower」"),
    (_other_volume, "VOLUME_STORYLINE", "应是 2"),
    (_meets_outside, "VOLUME_CONVERGENCE", "超出了本卷"),
    (_meets_backwards, "VOLUME_CONVERGENCE", "颠倒"),
    (_thread_twice, "VOLUME_FORESHADOWING", "写了两次"),
    (_thread_elsewhere, "VOLUME_FORESHADOWING", "第 9 章埋"),
    (_thread_unbounded, "VOLUME_FORESHADOWING", "回收范围"),
    (_thread_backwards, "VOLUME_FORESHADOWING", "回收范围"),
    (_thread_before_it, "VOLUME_FORESHADOWING", "就要收完"),
    (_thread_short, "VOLUME_FORESHADOWING", "short"),
    (_thread_unknown, "VOLUME_FORESHADOWING", "「ghost」没有人立过"),
    (_thread_unknown_map, "VOLUME_FORESHADOWING", "「ghost」没有人立过"),
    (_stranger, "VOLUME_CHARACTER", "「生人」没有档案"),
    (_namesakes, "CHARACTER_DUPLICATE_NAME", "苏禾"),
    (_no_rule, "VOLUME_WORLD_RULE", "W-404"),
]
ALONE = [fault for fault in FAULTS if fault[0] not in (_gap, _no_key, _near)]


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=[f[0].__name__ for f in FAULTS])
def test_a_fault_is_found(spoil: Callable[[Draft], None], code: str, said: str) -> None:
    draft = Draft()
    spoil(draft)
    found = draft.found()
    assert any(c == code and said in message for c, message in found), found


@pytest.mark.parametrize(("spoil", "code", "said"), ALONE, ids=[f[0].__name__ for f in ALONE])
def test_and_no_other_rule_speaks(spoil: Callable[[Draft], None], code: str, said: str) -> None:
    draft = Draft()
    spoil(draft)
    assert {c for c, _ in draft.found()} == {code}


@given(st.sets(st.sampled_from(range(len(ALONE))), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_one_fault_hides_no_other(chosen: set[int]) -> None:
    """Faults in parts that do not touch each other are all told at once."""
    apart = {_late_start, _no_required, _stranger, _no_rule, _thread_twice, _other_volume, _meets_outside}
    draft = Draft()
    wanted = [ALONE[n] for n in sorted(chosen) if ALONE[n][0] in apart]
    for spoil, _, _ in wanted:
        spoil(draft)
    found = draft.found()
    for _, code, said in wanted:
        assert any(c == code and said in message for c, message in found)


def _from_the_next(d: Draft) -> None:
    """The volume begins where the one before ended, and the book is not behind its plan."""
    d.first, d.last = 4, 6


def _no_title(d: Draft) -> None:
    d.titles[5] = "### 第 5 章"


def _other_title(d: Draft) -> None:
    d.titles[5] = "### 第 5 章：风里 第二夜"


def _more_objectives(d: Draft) -> None:
    d.contracts[5]["objectives"].append({"id": "O-x", "required": False, "description": "听水"})


def _linked(d: Draft) -> None:
    ends(d, 4)["state_changes"] = {"林渡": {}, "何铁": {}}
    d.pov[5] = "林渡、何铁"
    states(d, 5)["何铁"] = {"at": "塔下"}


def _four_lines(d: Draft) -> None:
    d.lines = ("river", "tower", "sea", "a", "b")
    d.schedule["active_storylines"] = ["river", "tower", "a", "b"]


def _no_number(d: Draft) -> None:
    del d.schedule["volume"]


def _meets_all_along(d: Draft) -> None:
    d.schedule["convergence_events"][0]["chapter_range"] = [4, 6]


def _meets_in_one(d: Draft) -> None:
    d.schedule["convergence_events"][0]["chapter_range"] = [5, 5]


def _short_to_the_end(d: Draft) -> None:
    d.threads[0].update(planted_chapter=4, target_resolve_range=[4, 6])


def _planted_last(d: Draft) -> None:
    d.threads[1]["planted_chapter"] = 6


def _speaks_of_a_fact(d: Draft) -> None:
    ends(d, 6)["foreshadowing_updates"] = {"rope": "advanced", "coin": "planted"}


def _new_with_a_card(d: Draft) -> None:
    d.people["new"] = "生人"
    states(d, 6)["生人"] = {}


def _no_rules_needed(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = []


def _another_rule(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002"]


PASSES: dict[str, list[Callable[[Draft], None]]] = {
    "VOLUME_RANGE": [_from_the_next],
    "OUTLINE_HEADING_NEAR": [_no_title, _other_title],
    "VOLUME_CONTRACT": [_more_objectives],
    "VOLUME_CHAIN": [_linked],
    "VOLUME_STORYLINE": [_four_lines, _no_number],
    "VOLUME_CONVERGENCE": [_meets_all_along, _meets_in_one],
    "VOLUME_FORESHADOWING": [_short_to_the_end, _planted_last, _speaks_of_a_fact],
    "VOLUME_CHARACTER": [_new_with_a_card],
    "VOLUME_WORLD_RULE": [_no_rules_needed, _another_rule],
}
"""At the edge of each rule, and still right."""
EDGES = [(code, edge) for code, edges in PASSES.items() for edge in edges]


@pytest.mark.parametrize(("code", "edge"), EDGES, ids=[f"{code}{edge.__name__}" for code, edge in EDGES])
def test_what_a_rule_lets_pass(code: str, edge: Callable[[Draft], None]) -> None:
    draft = Draft()
    edge(draft)
    assert draft.found() == []


def test_every_rule_has_an_example_on_both_sides() -> None:
    fails = {code for _, code, _ in FAULTS}
    assert {code for code in fails if code.startswith("VOLUME_")} <= {*PASSES, "VOLUME_RETIRED"}
    assert set(PASSES) <= fails


def test_who_has_left_the_book_is_told_as_that() -> None:
    draft = Draft()
    del draft.people["su"]
    found = volume.problems(draft.plan()._replace(gone=("苏禾",)))
    assert {p.code for p in found} == {"VOLUME_RETIRED"}


def test_who_is_gone_needs_no_link() -> None:
    """Somebody who changed and is not in the next chapter, and one who is there and did not change."""
    draft = Draft()
    ends(draft, 4)["state_changes"]["何铁"] = {}
    draft.contracts[5]["objectives"][0]["target"] = "何铁的灯"
    assert draft.found() == []
    draft.before = None
    draft.pov[4] = "何铁"
    assert draft.found() == []


def test_a_place_that_changes_is_nobody() -> None:
    contract = contracts.read(
        Draft().contracts[4] | {"postconditions": {"state_changes": {"塔": {}}}}, path(4)
    )
    assert volume_chain.changed(contract, list(PEOPLE.values())) == set()


def test_what_could_not_be_read_is_not_looked_at() -> None:
    plan = (
        Draft().plan()._replace(schedule=None, lines=None, threads=None, facts=None, people=None, rules=None)
    )
    assert volume.problems(plan) == []


def test_without_a_heading_one_thing_is_said() -> None:
    draft = Draft()
    draft.titles, draft.contracts = {}, {}
    assert [c for c, _ in draft.found()] == ["OUTLINE_EMPTY"]


def test_a_thread_already_told_needs_no_range_and_may_be_older() -> None:
    draft = Draft()
    draft.threads.append(
        {"id": "rope", "planted_chapter": 1, "scope": "medium", "target_resolve_range": None}
    )
    assert draft.found() == []


def test_the_samples_own_volume_passes() -> None:
    def document(rel: str) -> Any:
        return json.loads(assets.read(assets.package_path(f"sample/project/{rel}")))

    data = assets.read(assets.package_path(f"sample/project/{layout.outline(1)}"))
    outline = outlines.read(data.decode(), OUTLINE)
    numbers = range(outline.start, outline.end + 1)
    cards = [
        "bo-sanxing",
        "deng-hua",
        "lin-po",
        "lu-dun",
        "miao-he",
        "min-shouzhong",
        "sang-dingxing",
        "sang-zhun",
        "tong-qizheng",
        "xu-er",
        "xun-jiusuo",
    ]
    plan = Plan(
        volume=1,
        first=1,
        last=0,
        outline=outline,
        data=data,
        files=tuple(numbers),
        contracts={
            n: contracts.read(document(layout.contract(1, n)), layout.contract(1, n)) for n in numbers
        },
        before=None,
        schedule=document(layout.schedule(1)),
        lines=tuple(line["id"] for line in document(layout.STORYLINES)["storylines"]),
        threads=document(layout.plan(1))["foreshadowing"],
        facts=(),
        people=[casts.character(slug, document(layout.character_card(slug))) for slug in cards],
        rules=tuple(rule["id"] for rule in document(layout.WORLD_RULES)["rules"]),
    )
    assert volume.problems(plan) == []
