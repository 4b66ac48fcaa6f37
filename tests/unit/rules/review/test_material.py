"""A part of the material that could not be read takes its own parts of the review away, and no other."""

from __future__ import annotations

import pytest
from reviewing import EMPTY, material

from novel_hooks.rules.review import volume_review
from novel_hooks.rules.review.material import Material

LOST = {
    "chars": {"chars"},
    "rows": {"scores"},
    "contracts": {"objectives"},
    "log": {"storylines", "convergences", "continuity"},
    "places": set(),
    "plan": {"threads", "bridges"},
    "facts": {"threads", "bridges"},
    "schedule": {"convergences"},
    "storylines": {"bridges"},
    "people": {"bridges"},
    "strangers": {"unknown_entities"},
}


def unread(**changes: object) -> set[str]:
    return {name for name, part in volume_review.document(material(**changes)).items() if part is None}


@pytest.mark.parametrize("field", LOST)
def test_what_was_not_read_is_missing_from_the_review(field: str) -> None:
    assert unread() == set()
    assert unread(**{field: None}) == LOST[field]


def test_with_nothing_read_the_review_still_has_its_frame() -> None:
    found = volume_review.document(material(**dict.fromkeys(LOST)))
    assert {name for name, part in found.items() if part is None} == set().union(*LOST.values())
    assert (found["volume"], found["first_chapter"], found["last_chapter"], found["written"]) == (2, 7, 12, 4)


def test_no_field_may_be_forgotten() -> None:
    for name in Material._fields:
        with pytest.raises(TypeError, match=name):
            Material(**{key: value for key, value in EMPTY.items() if key != name})
