"""Which novel a call belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest
from guarding import decide, event, make_project, rule

from novel_hooks import root


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def test_the_folder_may_be_missing_above_or_below(book: Path) -> None:
    for cwd in (None, "", "/", str(book.parent), f"{book}/..", str(book), f"{book}/staging/chapters"):
        assert rule(event(book, cwd=cwd)) == "staging", cwd


def test_a_folder_that_has_nothing_to_do_with_it(book: Path, tmp_path: Path) -> None:
    for name in ("elsewhere", "boo", "book2"):
        (tmp_path / name).mkdir()
        assert rule(event(book, cwd=str(tmp_path / name))) == "other-project"


def test_another_novel(book: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    verdict = decide(event(other, cwd=str(book)))
    assert verdict is not None
    assert (verdict.rule, verdict.project, verdict.path) == (
        "other-project",
        str(book),
        f"{other}/staging/chapters/chapter-001.md",
    )


def test_one_project_by_two_names(book: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(book)
    (tmp_path / "desk").symlink_to(book / "staging")
    assert rule(event(book, cwd=str(tmp_path / "alias"))) == "staging"
    assert rule(event(tmp_path / "alias", cwd=str(book))) == "staging"
    assert rule(event(book, cwd=str(tmp_path / "desk"))) == "staging"


def test_no_novel_at_all(tmp_path: Path) -> None:
    given = event(tmp_path)
    verdict = decide(given)
    assert verdict is not None
    assert (verdict.rule, verdict.project) == ("no-project", None)
    assert rule({**given, "agent_type": "chapter-writer"}) == "silent"
    assert rule({**given, "agent_type": "chapter-writer", "tool_name": "Bash"}) == "silent"


def test_another_programs_checkpoint_makes_no_novel_of_its_folder(tmp_path: Path) -> None:
    """Its agent may be called as ours: with a bare name it is nobody's affair. Ours are still judged."""
    place = tmp_path / "trainer"
    place.mkdir()
    (place / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(place, agent_type="summarizer", tool_input={"file_path": f"{place}/out.md"})
    for call in (bare, {**bare, "tool_name": "Bash", "tool_input": {"command": "ls"}}):
        assert rule(call) == "silent"
        assert rule({**call, "agent_type": "novel:summarizer"}) != "silent"
    assert [entry.name for entry in place.iterdir()] == [".checkpoint.json"]


@pytest.mark.parametrize(
    "said",
    [
        "{}",
        "",
        "{",
        '{"step": 5',
        "[]",
        "7",
        '{"orchestrator_state": null}',
        '{"step": 5, "current_volume": 1}',
    ],
)
def test_a_checkpoint_that_may_be_ours_is_ours(tmp_path: Path, said: str) -> None:
    place = tmp_path / "book"
    place.mkdir()
    (place / ".checkpoint.json").write_text(said, encoding="ascii")
    bare = event(place, agent_type="summarizer", tool_input={"file_path": f"{place}/out.md"})
    assert rule(bare) == "outside-staging"


@pytest.mark.parametrize("sign", [".novel", "staging", "chapters"])
def test_a_folder_with_a_sign_of_a_novel_is_one(tmp_path: Path, sign: str) -> None:
    (tmp_path / sign).mkdir()
    (tmp_path / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(tmp_path, agent_type="summarizer", tool_input={"file_path": f"{tmp_path}/out.md"})
    assert rule(bare) == "outside-staging"


def test_another_programs_folder_inside_a_novel_or_beside_it(book: Path, tmp_path: Path) -> None:
    """No way round the guard."""
    inner, beside = book / "tools", tmp_path / "beside"
    for folder in (inner, beside):
        folder.mkdir()
        (folder / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(book, agent_type="summarizer")
    for cwd in (inner, book):
        assert (
            rule({**bare, "cwd": str(cwd), "tool_input": {"file_path": f"{inner}/x.md"}}) == "outside-staging"
        )
    assert rule({**bare, "cwd": str(beside)}) == "other-project"
    assert rule({**bare, "tool_input": {"file_path": f"{beside}/x.md"}}) == "outside-project"
    assert not (beside / "logs").exists() and not (inner / "logs").exists()


def test_a_bare_name_is_ours_by_the_target_or_by_the_folder(book: Path, tmp_path: Path) -> None:
    bare = event(book, agent_type="chapter-writer", tool_input={"file_path": f"{book}/x"})
    assert rule({**bare, "cwd": str(tmp_path)}) == "outside-staging"
    shell = event(book, agent_type="chapter-writer", tool_name="Bash")
    assert rule(shell) == "tool-shell"
    assert rule({**shell, "cwd": str(tmp_path)}) == "silent"


def test_the_clients_project_folder_stands_in_for_a_missing_one(book: Path) -> None:
    shell = event(None, agent_type="chapter-writer", tool_name="Bash")
    assert rule(shell) == "silent"
    assert rule(shell, CLAUDE_PROJECT_DIR=str(book)) == "tool-shell"


def test_outside_every_project(book: Path) -> None:
    verdict = decide(event(book, tool_input={"file_path": "/etc/x"}))
    assert verdict is not None
    assert (verdict.rule, verdict.project, verdict.path) == ("outside-project", str(book), "/etc/x")


def test_a_checkpoint_in_staging_makes_no_project(book: Path) -> None:
    """Else an agent could make one there and call its own folder the root."""
    fake = book / "staging" / "fake"
    (fake / "staging").mkdir(parents=True)
    (fake / ".checkpoint.json").write_text("{}", encoding="ascii")
    assert root.find_root(str(fake)) == str(book)
    verdict = decide(event(book, cwd=str(fake), tool_input={"file_path": f"{fake}/staging/x"}))
    assert verdict is not None
    assert (verdict.rule, verdict.path) == ("staging", "staging/fake/staging/x")
    (book / "Staging").mkdir()
    (book / "Staging" / ".checkpoint.json").write_text("{}", encoding="ascii")
    assert root.find_root(str(book / "Staging")) == str(book)


def test_a_project_may_lie_in_a_folder_called_staging(tmp_path: Path) -> None:
    book = make_project(tmp_path / "staging" / "book")
    assert rule(event(book)) == "staging"
    assert rule(event(book, tool_input={"file_path": f"{tmp_path}/staging/x"})) == "outside-project"


@pytest.mark.parametrize("cwd", ["book", "./book", "/a\0b"])
def test_a_folder_that_is_no_whole_path_leads_to_no_project(
    book: Path, cwd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book.parent)
    shell = event(None, cwd=cwd, tool_name="Bash", agent_type="chapter-writer")
    assert rule(shell) == "silent"
    assert rule({**shell, "agent_type": "novel:chapter-writer"}) == "no-project"
