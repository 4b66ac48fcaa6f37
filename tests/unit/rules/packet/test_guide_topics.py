"""Topics of the guides: found by name or title, suggested when a word is near."""

from __future__ import annotations

import os

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.packet import guide_topics

TOPICS = [
    ("method", "method.md", "写作方法", "场景、开头与章末、信息、兑现、对话、伏笔、换线"),
    ("style-guide", "style-guide.md", "文风指南", "十一类机器味的样子、量和改法"),
    ("quality-rubric", "quality-rubric.md", "评分量表", "八个维度各格的样子，怎样引证、怎样打准"),
]


@pytest.mark.parametrize(("name", "file", "title", "about"), TOPICS)
def test_a_topic_is_found_by_its_name_or_title(name: str, file: str, title: str, about: str) -> None:
    path = f"skills/novel-writing/references/{file}"
    assert os.path.isfile(os.path.join(CHECKOUT, path))
    for word in (name, title, name.upper(), f" {title}\u3000", f"\t{name}\n"):
        assert guide_topics.find_topic(word) == (name, path, title, about)


def test_there_are_three_topics() -> None:
    assert [topic.name for topic in guide_topics.TOPICS] == [name for name, *_ in TOPICS]


@pytest.mark.parametrize("word", ["", "methods", "写作", "style guide", "场景"])
def test_another_word_has_no_topic(word: str) -> None:
    assert guide_topics.find_topic(word) is None


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("metod", "method"),
        ("style-guid", "style-guide"),
        ("quality-rubrik", "quality-rubric"),
        ("写作方发", "写作方法"),
    ],
)
def test_a_word_that_is_near_has_a_suggestion(word: str, near: str) -> None:
    assert guide_topics.suggestion_text(word) == f"是不是想看「{near}」？"


def test_a_word_that_is_near_nothing_has_no_suggestion() -> None:
    assert guide_topics.suggestion_text("天气") == ""
