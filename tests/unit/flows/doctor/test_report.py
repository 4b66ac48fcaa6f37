"""A bug report tells nothing of the author's: names, paths and reasons are numbers, or nothing at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.doctor import report as bug_report
from novel_hooks.flows.doctor.report_mask import Mask, word
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (layout.CHECKPOINT, layout.CHECKPOINT),
        (layout.chapter(7), layout.chapter(7)),
        (layout.evaluation(12), layout.evaluation(12)),
        ("chapters/chapter-007-我的.md", "chapters/~1.md"),
        ("research/李家的秘密.txt", "research/~1.txt"),
        ("characters/active/li-si.json", "characters/active/~1.json"),
        ("storylines/secret-line/memory.md", "storylines/~1/memory.md"),
        ("/home/wang/novel/x.md", "~"),
        ("C:\\Users\\wang\\x.md", "~"),
        ("\\\\server\\wang", "~"),
        (None, None),
        (3, None),
    ],
)
def test_of_a_path_only_what_the_layout_spells_is_shown(path: object, shown: str | None) -> None:
    assert Mask().path(path) == shown


def test_the_same_name_is_the_same_number_all_over() -> None:
    mask = Mask()
    assert mask.path("a甲/b乙/a甲") == "~1/~2/~1"
    assert mask.path("b乙/c丙.json") == "~2/~3.json"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("chapter:007:draft", "chapter:007:draft"),
        ("写初稿", "?"),
        ("a b", "?"),
        ("x" * 61, "?"),
        (3, "?"),
        (None, None),
    ],
)
def test_of_words_only_short_plain_ones(value: object, shown: str | None) -> None:
    assert word(value) == shown


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 2)


def report(made: Book) -> dict[str, Any]:
    return bug_report.book_parts(Project(str(made.root)), Caller(owner({}, OWNER), 0.0), Mask())


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        ("chapter-writer", "chapter-writer"),
        ("novel:chapter-writer", "chapter-writer"),
        ("我的代理", None),
        ("my-own-agent", None),
        (3, None),
    ],
)
def test_an_agent_is_named_when_he_is_one_of_ours(made: Book, agent: object, shown: str | None) -> None:
    line = {
        "ts": "t",
        "event": "e",
        "decision": "deny",
        "agent_type": agent,
        "reason": "写了李四",
        "path": "李四.md",
    }
    made.write(layout.AUDIT, json.dumps(line, ensure_ascii=False) + "\n")
    (told,) = report(made)["audit"]
    assert told["agent"] == shown and "李四" not in str(told)


def test_the_checkpoint_is_told_by_its_own_words(made: Book) -> None:
    made.point(
        orchestrator_state="李四",
        pipeline_stage=[],
        last_step="chapter:002:李四",
        mine="李四",
        pending_actions=[1],
    )
    found = report(made)["checkpoint"]
    assert (found["orchestrator_state"], found["pipeline_stage"], found["last_step"]) == ("?", "?", "?")
    assert (found["other_keys"] > 0, found["pending_actions"], found["in_error"]) == (True, 1, False)
    assert "李四" not in str(found)


def test_what_cannot_be_read_is_its_code(made: Book) -> None:
    made.write(layout.STATE, "{")
    assert report(made)["state"] == {"unreadable": ["OWN_FILE_BROKEN"]}


def test_nothing_of_the_story_is_in_it(made: Book) -> None:
    text = json.dumps(report(made), ensure_ascii=False)
    for secret in ("沈渡", "shen-du", "tower-line", "夜渡", str(made.root)):
        assert secret not in text
