"""The quick look into canonical facts gives the very tasks that reading all of them gives."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from novel_hooks.rules.foreshadowing import fast_check
from novel_hooks.store.formats import jsonio

awkward = st.sampled_from(
    [
        '"',
        "\\",
        '"status": "resolved"',
        '\n      "id": "a"',
        "\n    },\n    {",
        "玉",
        "}",
        "a|b",
        "(",
        " ",
        "é",
    ]
)
ids = st.one_of(st.sampled_from(["a", "b", "ab", "jade", "玉"]), awkward)
windows = st.one_of(
    st.sampled_from([None, "", [], [3]]), st.lists(st.integers(1, 12), min_size=2, max_size=2)
)
items = st.fixed_dictionaries(
    {"id": ids, "status": st.sampled_from([None, "", "planted", "advanced", "resolved"])},
    optional={
        "description": awkward,
        "scope": st.sampled_from([None, "", "short", "medium", "long"]),
        "target_resolve_range": windows,
        "planted_chapter": st.sampled_from([None, 3]),
        "zz": st.one_of(awkward, st.fixed_dictionaries({"id": ids, "status": st.just("resolved")})),
        "history": st.lists(
            st.fixed_dictionaries(
                {"chapter": st.integers(1, 12), "action": st.just("advanced"), "status": st.just("resolved")},
                optional={"id": ids, "scope": st.just("short"), "target_resolve_range": windows},
            ),
            max_size=3,
        ),
    },
)
facts = st.lists(items, min_size=1, max_size=8, unique_by=lambda item: item["id"])
plans = st.lists(items, max_size=4, unique_by=lambda item: item["id"])


def valid(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the schema lets through: a window is two numbers in either order, or nothing."""
    return [
        item
        if item.get("target_resolve_range") in (None, "") or len(item["target_resolve_range"]) == 2
        else {**item, "target_resolve_range": None}
        for item in listed
    ]


@given(facts, plans, st.integers(1, 14))
def test_what_is_split_tells_what_reading_tells(
    listed: list[dict[str, Any]], plan: list[dict[str, Any]], chapter: int
) -> None:
    held = valid(listed)
    document = {"foreshadowing": held}
    assert fast_check.splittable(document)
    found = fast_check.unresolved(jsonio.dump(document), [one["id"] for one in plan])
    assert foreshadowing_facts.tasks(found, plan, chapter) == foreshadowing_facts.tasks(held, plan, chapter)
    assert all(one in held for one in found)


@given(facts)
def test_what_cannot_be_split_is_said(listed: list[dict[str, Any]]) -> None:
    held = valid(listed)
    assert not fast_check.splittable({"foreshadowing": [*held, held[0]]})
    assert not fast_check.splittable({"foreshadowing": held, "note": 1})
    assert not fast_check.splittable({"foreshadowing": []})
