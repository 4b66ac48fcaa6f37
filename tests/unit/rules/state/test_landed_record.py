"""A landed record: what is read of it, and the first field that is not as it is written."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from novel_hooks import layout
from novel_hooks.errors import LandedBroken
from novel_hooks.rules.state import landed_record

HASH = "0123456789abcdef" * 4
MEMORY = "storylines/main-line/memory.md"
OWN = (layout.chapter(7), layout.summary(7), layout.evaluation(7), layout.crossref(7))
ITEM = {"id": "bell", "status": "planted"}


def document(**changes: Any) -> dict[str, Any]:
    made = {
        "chapter": 7,
        "storyline_id": "main-line",
        "sha256": {**dict.fromkeys(OWN, HASH), MEMORY: HASH},
        "before": {MEMORY: "旧的", layout.FORESHADOWING: {"bell": ITEM, "coin": None}},
        "created": [layout.FORESHADOWING],
        "waiting": [3, 5],
        "note": "作者的",
        **changes,
    }
    return {key: value for key, value in made.items() if value != "left out"}


def test_a_record_field_by_field() -> None:
    whole = document()
    before = copy.deepcopy(whole)
    assert landed_record.read(whole, 7) == landed_record.LandedRecord(
        chapter=7,
        sha256={**dict.fromkeys(OWN, HASH), MEMORY: HASH},
        memories={MEMORY: "旧的"},
        threads={"bell": ITEM, "coin": None},
        created=(layout.FORESHADOWING,),
        waiting=[3, 5],
        document=before,
    )
    assert whole == before


def test_a_record_of_an_older_version_has_less() -> None:
    record = landed_record.read(document(before={MEMORY: None}, created="left out", waiting="left out"), 7)
    assert (record.memories, record.threads, record.created, record.waiting) == ({MEMORY: None}, {}, (), None)


@pytest.mark.parametrize(
    "changes",
    [
        {"created": []},
        {"waiting": []},
        {"waiting": [1]},
        {"sha256": dict.fromkeys(OWN, HASH)},
        {"sha256": dict.fromkeys([*OWN, "storylines/side-line/memory.md"], HASH)},
        {"before": {MEMORY: "", "storylines/side-line/memory.md": None}},
        {"before": {MEMORY: None, layout.FORESHADOWING: {}}},
    ],
    ids=str,
)
def test_what_may_be_in_a_record(changes: dict[str, Any]) -> None:
    assert landed_record.read(document(**changes), 7).chapter == 7


def hashes(**changes: Any) -> dict[str, Any]:
    return {"sha256": {**dict.fromkeys(OWN, HASH), **changes}}


def without(path: str) -> dict[str, Any]:
    return {"sha256": {one: HASH for one in OWN if one != path}}


def before(**changes: Any) -> dict[str, Any]:
    return {"before": {MEMORY: None, **changes}}


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"chapter": 8}, "chapter 应是 7"),
        ({"chapter": "7"}, "chapter 应是 7"),
        ({"chapter": "left out"}, "chapter 应是 7"),
        ({"storyline_id": "left out"}, "storyline_id 应是故事线的编号"),
        ({"storyline_id": 3}, "storyline_id 应是故事线的编号"),
        ({"storyline_id": "Main line"}, "storyline_id 应是故事线的编号"),
        ({"sha256": "left out"}, "sha256 应是一个对象"),
        ({"sha256": []}, "sha256 应是一个对象"),
        *((without(path), f"sha256 里缺了 {path}") for path in OWN),
        ({"sha256": {}}, f"sha256 里缺了 {OWN[0]}"),
        (hashes(**{layout.chapter(8): HASH}), f"sha256 里的 {layout.chapter(8)} 不是这一章的文件"),
        (hashes(**{"storylines/memory.md": HASH}), "sha256 里的 storylines/memory.md 不是"),
        (hashes(**{"storylines/a/b/memory.md": HASH}), "sha256 里的 storylines/a/b/memory.md 不是"),
        (hashes(**{"storylines/A/memory.md": HASH}), "sha256 里的 storylines/A/memory.md 不是"),
        (hashes(**{"storylines/a/notes.md": HASH}), "sha256 里的 storylines/a/notes.md 不是"),
        (hashes(**{OWN[1]: HASH[:-1]}), f"sha256 里 {OWN[1]} 的值不是校验值"),
        (hashes(**{OWN[1]: HASH + "0"}), f"sha256 里 {OWN[1]} 的值不是校验值"),
        (hashes(**{OWN[1]: HASH[:-1] + "F"}), f"sha256 里 {OWN[1]} 的值不是校验值"),
        (hashes(**{OWN[1]: HASH[:-1] + "X"}), f"sha256 里 {OWN[1]} 的值不是校验值"),
        (hashes(**{OWN[1]: None}), f"sha256 里 {OWN[1]} 的值不是校验值"),
        ({"before": "left out"}, "before 应是一个对象"),
        ({"before": [MEMORY]}, "before 应是一个对象"),
        ({"before": {}}, f"before 里缺了 {MEMORY}"),
        ({"before": {"storylines/side-line/memory.md": None}}, f"before 里缺了 {MEMORY}"),
        (before(**{layout.STATE: ""}), f"before 里的 {layout.STATE} 不是故事线记忆"),
        ({"before": {MEMORY: 3}}, f"before 里 {MEMORY} 应是文字"),
        (before(**{layout.FORESHADOWING: None}), f"before 里 {layout.FORESHADOWING} 应是一个对象"),
        (before(**{layout.FORESHADOWING: {"bell": {"id": "coin"}}}), "before 里的伏笔「bell」应是"),
        (before(**{layout.FORESHADOWING: {"coin": None, "bell": []}}), "before 里的伏笔「bell」应是"),
        ({"created": None}, f"created 里只能有 {layout.FORESHADOWING}"),
        ({"created": [layout.FORESHADOWING, layout.STATE]}, f"created 里只能有 {layout.FORESHADOWING}"),
        ({"waiting": None}, "waiting 应是章号的列表"),
        ({"waiting": [1, 0]}, "waiting 应是章号的列表"),
        ({"waiting": ["1"]}, "waiting 应是章号的列表"),
        # of several the first, in this order
        ({"chapter": 8, "sha256": None, "before": None}, "chapter 应是 7"),
        ({"storyline_id": None, "sha256": None}, "storyline_id 应是故事线的编号"),
        ({"sha256": None, "before": None}, "sha256 应是一个对象"),
        ({"before": None, "created": None}, "before 应是一个对象"),
        ({"created": None, "waiting": None}, f"created 里只能有 {layout.FORESHADOWING}"),
    ],
    ids=str,
)
def test_the_first_field_that_is_not_as_it_is_written(changes: dict[str, Any], detail: str) -> None:
    with pytest.raises(LandedBroken) as refused:
        landed_record.read(document(**changes), 7)
    assert refused.value.values["detail"].startswith(detail)
    assert refused.value.values["chapter"] == 7
    assert refused.value.path == layout.landed_record(7)


@pytest.mark.parametrize("odd", [None, [], "{}"])
def test_a_record_is_an_object(odd: object) -> None:
    with pytest.raises(LandedBroken) as refused:
        landed_record.read(odd, 7)
    assert refused.value.values["detail"] == "整份内容应是一个对象"


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        (MEMORY, True),
        ("storylines/a/memory.md", True),
        ("storylines/a/memory.txt", False),
        ("Storylines/a/memory.md", False),
        ("storylines/A/memory.md", False),
        ("storylines/memory.md", False),
        ("storylines/a/b/memory.md", False),
        ("", False),
    ],
)
def test_the_path_of_a_memory(path: str, is_one: bool) -> None:
    assert bool(landed_record.is_memory(path)) is is_one


@pytest.mark.parametrize(
    ("ended", "legal"),
    [
        ([], True),
        ([{"character": "cen-si", "contract": "C-1"}, {"character": "cen-si", "secret": True}], True),
        ({}, False),
        (["cen-si"], False),
        ([{"character": "cen-si"}], False),
        ([{"character": "cen-si", "secret": False}], False),
        ([{"character": "岑四", "contract": "C-1"}], False),
        ([{"character": 4, "contract": "C-1"}], False),
    ],
)
def test_contracts_and_secrets_that_ended(ended: Any, legal: bool) -> None:
    if legal:
        assert landed_record.read(document(ended=ended), 7).document["ended"] == ended
        return
    with pytest.raises(LandedBroken):
        landed_record.read(document(ended=ended), 7)
