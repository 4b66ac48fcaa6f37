"""Paths that the guard refuses, and the reason it gives."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from guarding import make_project

from novel_hooks import roles
from novel_hooks.hook.guard import target
from novel_hooks.hook.guard.reasons import Refusal

WRITER = roles.ROLES["chapter-writer"].writes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def rule(root: Path, raw: object, cwd: str | None = None) -> str:
    """The rule that refuses `raw`, or `allow`."""
    try:
        target.check(target.absolute(raw, cwd), str(root), WRITER)
    except Refusal as no:
        return no.rule
    return "allow"


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (None, "path-missing"),
        (5, "path-missing"),
        ([], "path-missing"),
        ("", "path-missing"),
        ("a\nb", "path-odd"),
        ("a\0b", "path-odd"),
        ("a\x7fb", "path-odd"),
        ("a\x85b", "path-odd"),
        ("a\u2028b", "path-odd"),
        ("a\udc80b", "path-odd"),
        ("\ufeffa", "path-odd"),
        # The client trims before it writes, and then expands the home folder.
        (" ~/x", "path-odd"),
        ("\u00a0/x", "path-odd"),
        ("{P}/staging/x ", "path-odd"),
        ("~/x", "path-home"),
        ("~root/x", "path-home"),
        ("x", "path-relative"),
        ("/" + "x/" * 3000 + "x", "path-long"),
        ("{P}/staging/", "path-folder"),
        ("{P}/staging/x/..", "path-folder"),
        ("{P}/staging/x/.", "path-folder"),
        ("{P}/staging", "path-folder"),
        ("{P}/staging/chapters", "path-folder"),
        ("{P}/staging/" + "x" * 256, "path-long"),
        ("{P}/staging/" + "河" * 86, "path-long"),
        ("{P}/staging/" + "河" * 85, "allow"),
        ("{P}/staging/x.", "path-odd"),
        ("{P}/staging/x /y", "path-odd"),
        ("{P}/staging/a\\b", "path-odd"),
        ("{P}/staging/a\u200bb", "path-odd"),
        ("{P}/staging/new/deep/x.md", "allow"),
        ("{P}/staging/.checkpoint.json", "own-checkpoint"),
        ("{P}/staging/new/.Checkpoint.JSON/x", "own-checkpoint"),
        ("{P}/staging/evaluations", "own-evaluations"),
        ("{P}/staging/evaluations/a/b", "own-evaluations"),
        ("{P}/staging/x/../evaluations/b", "own-evaluations"),
        ("{P}/staging/manifests/guides/x.md", "own-manifests"),
        ("{P}/staging/evaluations2/x", "allow"),
        ("{P}/chapters/x.md", "outside-staging"),
        ("{P}/staging2/x.md", "outside-staging"),
        ("{P}/\u017ftaging/x.md", "outside-staging"),
        ("{P}/novel.yaml", "outside-staging"),
        ("{P}/.claude/settings.json", "outside-staging"),
        ("{P}/chapters/staging/x.md", "outside-staging"),
    ],
)
def test_refused_by_its_text(root: Path, raw: object, wanted: str) -> None:
    given = raw.replace("{P}", str(root)) if isinstance(raw, str) else raw
    assert rule(root, given) == wanted


def test_a_relative_path_needs_a_whole_folder_to_start_from(root: Path) -> None:
    assert rule(root, "staging/x", str(root)) == "allow"
    assert rule(root, "../staging/x", f"{root}/chapters") == "allow"
    assert rule(root, "staging/x", "book") == "path-relative"
    assert rule(root, "staging/x", f"{root}\n") == "path-relative"


def test_refused_by_what_is_there(root: Path, tmp_path: Path) -> None:
    staging = root / "staging"
    (tmp_path / "aside").write_text("x", encoding="ascii")
    (staging / "to-file").symlink_to(tmp_path / "aside")
    (staging / "to-nothing").symlink_to(tmp_path / "nothing")
    (staging / "to-folder").symlink_to(staging / "chapters")
    (staging / "plain").write_text("x", encoding="ascii")
    os.link(tmp_path / "aside", staging / "twin")
    os.mkfifo(staging / "pipe")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(staging / "s"))
    server.close()
    found = {
        name: rule(root, f"{staging}/{name}") for name in (*os.listdir(staging), "to-folder/x", "plain/x")
    }
    assert found == {
        "chapters": "path-folder",
        "evaluations": "own-evaluations",
        "manifests": "own-manifests",
        "to-file": "link",
        "to-nothing": "link",
        "to-folder": "link",
        "to-folder/x": "link",
        "plain": "allow",
        "plain/x": "not-a-folder",
        "twin": "hard-link",
        "pipe": "not-a-file",
        "s": "not-a-file",
    }


def test_a_way_around_through_a_link_is_refused(root: Path, tmp_path: Path) -> None:
    """By its text it ends in staging, by the disk elsewhere."""
    (tmp_path / "far" / "away").mkdir(parents=True)
    (root / "door").symlink_to(tmp_path / "far" / "away")
    assert rule(root, f"{root}/door/../staging/x") == "detour"
    assert rule(root, f"{root}/chapters/../staging/x") == "allow"


def test_the_project_itself_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert rule(tmp_path / "alias", f"{tmp_path}/alias/staging/x") == "allow"


def test_two_slashes_at_the_start_are_one(root: Path) -> None:
    assert target.lexical(f"//{str(root)[1:]}/staging/x") == f"{root}/staging/x"


# --- names on a disk that ignores case, which the tests' own need not do ------------------------------


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """`lstat` as on a disk that takes `Staging` for `staging`."""
    real = os.lstat
    monkeypatch.setattr(os, "lstat", lambda place: real(os.fspath(place).lower()))


@pytest.mark.usefixtures("blind")
def test_names_are_compared_as_the_disk_does(root: Path) -> None:
    assert rule(root, f"{root}/Staging/chapters/x.md") == "allow"
    assert rule(root, f"{root}/Staging/EVALUATIONS/x.md") == "own-evaluations"
    assert rule(root, f"{root}/Chapters/x.md") == "outside-staging"


def test_where_the_disk_tells_them_apart_so_does_the_guard(root: Path) -> None:
    (root / "Staging").mkdir()
    if os.path.samefile(root / "Staging", root / "staging"):
        pytest.skip("this disk ignores case")
    assert rule(root, f"{root}/Staging/x.md") == "outside-staging"
    assert rule(root, f"{root}/staging/Evaluations/x.md") == "allow"


def test_in_doubt_a_twin_of_a_reserved_name_is_refused(root: Path) -> None:
    (root / "staging" / "evaluations").rmdir()
    assert rule(root, f"{root}/staging/Evaluations/x.md") == "own-evaluations"
    (root / "staging" / "chapters").rmdir()
    for folder in ("manifests", ""):
        (root / "staging" / folder).rmdir()
    assert rule(root, f"{root}/Staging/x.md") == "outside-staging"
    assert rule(root, f"{root}/staging/x.md") == "allow"


def test_nobody_writes_without_a_folder_of_his_own(root: Path) -> None:
    with pytest.raises(Refusal):
        target.check(f"{root}/staging/x", str(root), roles.ROLES["quality-judge"].writes)
