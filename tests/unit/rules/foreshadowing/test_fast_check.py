"""The fast check of foreshadowing, and the reader of the unresolved threads."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.foreshadowing import fast_check
from novel_hooks.store.formats import jsonio

ITEM = {
    "id": "jade",
    "description": "玉佩裂了",
    "scope": "short",
    "status": "planted",
    "planted_chapter": 3,
    "planted_storyline": "main-line",
    "target_resolve_range": [5, 9],
    "last_updated_chapter": 3,
    "history": [{"chapter": 3, "action": "planted", "detail": ""}],
}


def fits(**changes: Any) -> bool:
    return fast_check.fits_schema({"foreshadowing": [ITEM, {**ITEM, **changes}]})


@pytest.mark.parametrize(
    ("document", "good"),
    [
        ({"foreshadowing": []}, True),
        ({"foreshadowing": [ITEM]}, True),
        ({"volume": 1, "foreshadowing": [ITEM]}, True),
        ({"note": "x", "foreshadowing": [{"id": "a"}]}, True),
        ({"volume": 0, "foreshadowing": []}, False),
        ({"volume": True, "foreshadowing": []}, False),
        ({"volume": "1", "foreshadowing": []}, False),
        ({"volume": None, "foreshadowing": []}, False),
        ({"foreshadowing": {}}, False),
        ({"foreshadowing": None}, False),
        ({"items": []}, False),
        ({"foreshadowing": [ITEM, "x"]}, False),
        ({"foreshadowing": [[], ITEM]}, False),
        ([ITEM], False),
        (None, False),
        ("x", False),
    ],
)
def test_which_documents_pass(document: Any, good: bool) -> None:
    assert fast_check.fits_schema(document) is good


GOOD: list[tuple[str, Any]] = [
    ("id", "玉"),
    ("description", None),
    ("description", ""),
    ("planted_storyline", None),
    ("scope", "medium"),
    ("scope", "long"),
    ("scope", None),
    ("scope", ""),
    ("status", "advanced"),
    ("status", "resolved"),
    ("status", None),
    ("status", ""),
    ("planted_chapter", 1),
    ("planted_chapter", None),
    ("last_updated_chapter", 1),
    ("last_updated_chapter", None),
    ("target_resolve_range", None),
    ("target_resolve_range", [1, 1]),
    ("history", None),
    ("history", []),
    ("history", [{"chapter": 1, "action": "resolved"}, {"chapter": 9, "action": "advanced", "detail": None}]),
    ("note", {"any": [True]}),
]
ODD: list[tuple[str, Any]] = [
    *(("id", value) for value in ("", " ", None, 7)),
    *(("description", value) for value in (7, True, [])),
    *(("planted_storyline", value) for value in (7, {})),
    *(("scope", value) for value in ("wide", 7, True, [])),
    *(("status", value) for value in ("planned", "x", 7, {})),
    *(("planted_chapter", value) for value in (0, -1, "3", 3.0, True)),
    *(("last_updated_chapter", value) for value in (0, "", 1.0, False)),
    *(
        ("target_resolve_range", value)
        for value in (
            "",
            [],
            [5],
            [1, 2, 3],
            [9, 5],
            [0, 5],
            ["5", "9"],
            [5, True],
            [True, 5],
            [1.0, 2],
            (5, 9),
        )
    ),
    *(("history", value) for value in ("", {}, "x", [None], ["x"], [[]])),
    *(
        ("history", [{"chapter": 1, "action": "planted", "detail": "", **change}])
        for change in (
            {"chapter": 0},
            {"chapter": True},
            {"chapter": "1"},
            {"chapter": None},
            {"action": "planned"},
            {"action": None},
            {"action": ["planted"]},
            {"detail": 7},
        )
    ),
]


@pytest.mark.parametrize(("key", "value"), GOOD, ids=range(len(GOOD)))
def test_a_field_of_the_usual_shape_passes(key: str, value: Any) -> None:
    assert fits(**{key: value}) is True


@pytest.mark.parametrize(("key", "value"), ODD, ids=range(len(ODD)))
def test_a_field_of_another_shape_is_left_to_the_schema(key: str, value: Any) -> None:
    assert fits(**{key: value}) is False


@pytest.mark.parametrize("missing", [key for key in ITEM if key != "id"])
def test_any_field_but_the_id_may_be_missing(missing: str) -> None:
    item = {key: value for key, value in ITEM.items() if key != missing}
    assert fast_check.fits_schema({"foreshadowing": [item]}) is True
    assert fast_check.fits_schema({"foreshadowing": [{"scope": "short"}]}) is False


@pytest.mark.parametrize(
    ("document", "good"),
    [
        ({"foreshadowing": [{"id": "a"}]}, True),
        ({"foreshadowing": [{"id": "a"}, {"id": "b"}]}, True),
        ({"foreshadowing": [{"id": "a"}, {"id": "a"}]}, False),
        ({"foreshadowing": []}, False),
        ({"foreshadowing": [{"id": "a"}], "volume": 1}, False),
    ],
)
def test_which_documents_can_be_split(document: Any, good: bool) -> None:
    assert fast_check.splittable(document) is good


OPEN, DONE = {**ITEM, "id": "open"}, {**ITEM, "id": "done", "status": "resolved"}
LIKE = {
    **ITEM,
    "id": 'a"\n      "status": "resolved"',
    "history": [{"chapter": 3, "action": "resolved", "status": "resolved", "id": "done"}],
    "note": {"status": "resolved", "id": "done"},
}
LAST = {"id": "玉", "status": "resolved"}
ALL = [OPEN, DONE, LIKE, {"status": "resolved", "id": "done-too"}, LAST]


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        ([], ["open", LIKE["id"]]),
        (["done"], ["open", "done", LIKE["id"]]),
        (["done", "open", "nobody"], ["open", "done", LIKE["id"]]),
        (["done-too", "玉"], ["open", LIKE["id"], "done-too", "玉"]),
        (["don", "one"], ["open", LIKE["id"]]),
    ],
)
def test_resolved_threads_are_read_only_by_name(names: list[str], ids: list[str]) -> None:
    document = {"foreshadowing": ALL}
    assert fast_check.splittable(document)
    found = fast_check.unresolved(jsonio.dump(document), names)
    assert found == [item for item in ALL if item["id"] in ids]


def test_with_all_threads_resolved_there_is_none() -> None:
    data = jsonio.dump({"foreshadowing": [DONE, LAST]})
    assert fast_check.unresolved(data, []) == []
    assert fast_check.unresolved(data, ["玉"]) == [LAST]


def test_an_id_of_half_a_surrogate_pair_is_looked_for() -> None:
    data = jsonio.dump({"foreshadowing": [OPEN]})
    assert fast_check.unresolved(data, ["\ud800"]) == [OPEN]
