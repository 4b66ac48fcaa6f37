"""What is called plain passes the schema, whatever is in it; the usual is plain."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.foreshadowing.fast_check import fits_schema
from novel_hooks.store.schema import schema

anything = st.sampled_from(
    [
        None,
        "",
        " ",
        "short",
        "planted",
        "resolved",
        0,
        1,
        -3,
        2.0,
        1.5,
        True,
        [],
        {},
        [1, 2],
        [2, 1],
        [True, 2],
        "灯",
    ]
)
entries = st.fixed_dictionaries(
    {}, optional={"chapter": anything, "action": anything, "detail": anything, "more": anything}
)
usual = st.fixed_dictionaries(
    {"id": st.just("clue"), "status": st.sampled_from(["planted", "advanced", "resolved"])},
    optional={
        "scope": st.just("long"),
        "target_resolve_range": st.sampled_from([None, [2, 9]]),
        "note": anything,
    },
)
fields = ("id", "description", "scope", "status", "planted_chapter", "planted_storyline")
fields += ("target_resolve_range", "last_updated_chapter", "other")
odd = st.builds(
    lambda item, key, value: {**item, key: value},
    usual,
    st.sampled_from([*fields, "history"]),
    st.one_of(anything, st.lists(st.one_of(entries, anything), max_size=2)),
)
documents = st.one_of(
    anything,
    st.fixed_dictionaries(
        {"foreshadowing": st.one_of(anything, st.lists(st.one_of(usual, odd), max_size=3))},
        optional={"volume": anything, "items": anything},
    ),
)


@given(documents)
def test_what_is_plain_passes_the_schema(document: Any) -> None:
    if fits_schema(document):
        assert schema.problems("foreshadowing", document, "x") == []
        assert schema.problems("foreshadowing-plan", document, "x") == []


@given(st.lists(usual, max_size=5))
def test_the_usual_is_plain(items: list[dict[str, Any]]) -> None:
    assert fits_schema({"foreshadowing": items}) and fits_schema({"volume": 3, "foreshadowing": items})
