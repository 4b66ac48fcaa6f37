"""Agents and skills as files of Codex."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks import roles
from novel_hooks.rules.hosting import texts

if sys.version_info >= (3, 11):
    import tomllib


def read(path: str) -> str:
    return Path(CHECKOUT, path).read_text(encoding="utf-8")


def test_front_matter() -> None:
    head, body = texts.front_matter("---\nname: a\ndescription: 甲: 乙\n---\n\n# 题\n\n---\n")
    assert (head, body) == ({"name": "a", "description": "甲: 乙"}, "# 题\n\n---\n")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is of Python 3.11")
@pytest.mark.parametrize("name", roles.ROLES)
def test_a_role_names_no_model_and_no_sandbox(name: str) -> None:
    found = tomllib.loads(texts.role_file(read(f"agents/{name}.md")))
    assert set(found) == {"name", "description", "developer_instructions"}
    assert found["name"] == name and found["description"].endswith("任务是一份任务包的路径。")
    assert found["developer_instructions"].startswith("你是")


def test_a_text_with_quotes_of_toml_is_an_error() -> None:
    source = read("agents/summarizer.md")
    with pytest.raises(ValueError, match="quotes"):
        texts.role_file(source + "'''\n")


def test_a_skill_has_the_two_keys_that_codex_needs() -> None:
    head, body = texts.front_matter(texts.skill_file(read("skills/continue/SKILL.md")))
    assert set(head) == {"name", "description"} and head["name"] == "novel-continue"
    assert head["description"].startswith("续写：")
    assert "作者输入 $novel-continue [章数]" in head["description"]
    assert body.startswith("# 续写\n")


def test_what_a_skill_runs_without_a_question() -> None:
    found = texts.allowed_commands(read("skills/continue/SKILL.md"))
    assert ("lock", "acquire") in found and ("next",) in found
    assert not {("accept-changes",), ("retire",), ("lock", "clear")} & set(found)
    assert texts.allowed_commands("---\nname: a\n---\n") == []
