"""`novel guide`: the skills' extra texts, whole, from anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks.cli.call import call
from novel_hooks.rules.packet.guide_topics import TOPICS


def test_every_text_beside_a_skill_is_a_topic() -> None:
    there = {
        path.relative_to(CHECKOUT).as_posix() for path in Path(CHECKOUT, "skills").glob("*/references/*")
    }
    assert {topic.path for topic in TOPICS} == there
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)


@pytest.mark.parametrize("topic", TOPICS, ids=[topic.name for topic in TOPICS])
def test_a_topic_is_printed_whole(topic: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name or title, outside every project."""
    monkeypatch.chdir(tmp_path)
    name, path, title, _ = topic  # type: ignore[misc]
    whole = Path(CHECKOUT, path).read_text(encoding="utf-8")
    for word in (name, title, f" {name.upper()} "):
        found = call("guide", [word], {})
        assert (found.exit, found.text, found.data["text"]) == (0, whole, whole)
    assert whole.startswith(f"# {title}\n")


def test_the_list_names_every_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = call("guide", [], {})
    assert [told["topic"] for told in found.data["topics"]] == [topic.name for topic in TOPICS]
    assert all(topic.name in found.text and topic.title in found.text for topic in TOPICS)


def test_an_unknown_topic_is_told_the_nearest() -> None:
    found = call("guide", ["stile-guide"], {})
    assert (found.exit, found.diagnostics[0].code) == (2, "NAME_UNKNOWN")
    assert "「style-guide」" in found.diagnostics[0].fix
    assert call("guide", ["天气"], {}).diagnostics[0].fix == "`novel guide` 列出全部。"
