"""Other skills and agents of our names: the name in the file counts, as it does in Codex."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book

from novel_hooks.flows.hosting import twins
from novel_hooks.store.files.project import Project

SKILL = "---\nname: {}\ndescription: x\n---\n\n甲\n"


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    place = tmp_path / "书"
    place.mkdir()
    made = book(place)
    made.ok("host", "codex")
    return made


def put(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def found(novel: Book, home: object = "/nowhere") -> list[str]:
    problems = twins.problems(Project(str(novel.root)), {"HOME": str(home)})
    return [one.diagnostic().message for one in problems]


@pytest.mark.parametrize("name", ["novel-start", "'novel-start'", '"novel-start"  '])
def test_a_copy_beside_ours(novel: Book, name: str) -> None:
    put(novel.at(".agents/skills/novel-start.bak/SKILL.md"), SKILL.format(name))
    (told,) = found(novel)
    assert ".agents/skills/novel-start.bak：" in told and "哪一份也不用" in told


def test_above_the_book_in_its_repository(novel: Book, tmp_path: Path) -> None:
    put(tmp_path / ".agents/skills/a/SKILL.md", SKILL.format("novel-start"))
    assert found(novel) == []
    (tmp_path / ".git").mkdir()
    assert len(found(novel)) == 1


def test_the_users_own(novel: Book, tmp_path: Path) -> None:
    put(tmp_path / "home/.codex/skills/a/b/SKILL.md", SKILL.format("novel-status"))
    put(tmp_path / "home/.agents/skills/novel-start/SKILL.md", SKILL.format("other"))
    (tmp_path / "home/.agents/skills/round").symlink_to(tmp_path / "home/.agents/skills")
    (told,) = found(novel, tmp_path / "home")
    assert "/a/b：" in told


def test_an_agent_of_the_book(novel: Book) -> None:
    put(novel.at(".codex/agents/mine.toml"), 'name = "mine"\n')
    put(novel.at(".codex/agents/chapter-writer.bak.toml"), 'name = "chapter-writer"\n')
    (told,) = found(novel)
    assert "chapter-writer.bak.toml：" in told and "只用一份" in told
    assert [one.code for one in novel.novel("host", "codex", "--check").diagnostics] == ["HOST_NAME_TWICE"]
