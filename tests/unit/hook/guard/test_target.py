"""Paths that the guard refuses, and the reason it gives."""

from __future__ import annotations

import ntpath
import os
import socket
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from guarding import make_project

from novel_hooks import roles
from novel_hooks.hook.guard import target
from novel_hooks.hook.guard.reasons import REASONS, Refusal

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


# --- limits and single parts --------------------------------------------------------------------------


def refusal(root: Path, raw: object, writes: tuple[str, ...] = WRITER) -> Refusal | None:
    try:
        target.check(target.absolute(raw, None), str(root), writes)
    except Refusal as no:
        return no
    return None


@pytest.mark.parametrize(
    ("raw", "wanted"), [("/a/", "path-folder"), ("/a/.", "path-folder"), ("/a/..", "path-folder")]
)
def test_a_folders_path_is_refused_before_its_place_is_known(raw: str, wanted: str) -> None:
    with pytest.raises(Refusal) as no:
        target.absolute(raw, None)
    assert no.value.rule == wanted


def test_a_path_has_4096_bytes_at_most() -> None:
    longest = "/" + "河" * 1365
    assert len(longest.encode()) == 4096
    assert target.absolute(longest, None) == longest
    for raw, cwd in ((longest + "a", None), (longest[1:] + "a", "/")):
        with pytest.raises(Refusal) as no:
            target.absolute(raw, cwd)
        assert no.value.rule == "path-long"


@pytest.mark.parametrize("folder", ["staging/chapters", "staging/chapters/deep"])
def test_a_role_may_have_a_part_of_staging_for_its_own(root: Path, folder: str) -> None:
    def found(path: str) -> str:
        no = refusal(root, f"{root}/{path}", (folder,))
        return "allow" if no is None else no.rule

    assert found(f"{folder}/x.md") == found(f"{folder}/deeper/x.md") == "allow"
    for outside in (folder, "staging/x.md", "staging/state/x.md", "staging/chapters-2/x.md", "x"):
        assert found(outside) == "outside-staging", outside


def test_several_folders_each_count(root: Path) -> None:
    writes = ("staging/chapters", "staging/state")
    assert refusal(root, f"{root}/staging/state/x.md", writes) is None
    assert refusal(root, f"{root}/staging/chapters/x.md", writes) is None


@pytest.mark.parametrize("part", ["x.", "x ", ".", " "])
def test_a_name_that_ends_in_a_dot_or_blank(root: Path, part: str) -> None:
    no = refusal(root, f"{root}/staging/{part}/x.md")
    assert (no.rule if no else "allow") == ("allow" if part == "." else "path-odd")


@pytest.mark.parametrize("part", ["X", "aX", "X.md"])
def test_a_name_may_end_in_any_letter(root: Path, part: str) -> None:
    assert refusal(root, f"{root}/staging/{part}") is None


def test_the_sentence_names_the_part_that_is_in_the_way(root: Path, tmp_path: Path) -> None:
    (root / "staging" / "deep").mkdir()
    (root / "staging" / "deep" / "link").symlink_to(tmp_path)
    no = refusal(root, f"{root}/staging/deep/link/more/x.md")
    assert no is not None
    assert (no.rule, str(no)) == ("link", "link")
    assert no.reason == REASONS["link"].replace("{part}", "staging/deep/link")


def test_what_cannot_be_seen_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.lstat

    def lstat(place: str) -> os.stat_result:
        if os.fspath(place).endswith("/hidden"):
            raise PermissionError(13, "no")
        return real(place)

    monkeypatch.setattr(os, "lstat", lstat)
    no = refusal(root, f"{root}/staging/chapters/hidden/x.md")
    assert no is not None
    assert (no.rule, no.reason) == (
        "unreadable",
        REASONS["unreadable"].replace("{part}", "staging/chapters/hidden"),
    )


def test_a_junction_of_windows_is_a_link() -> None:
    def found(mode: int, tag: int | None, last: bool, links: int = 1) -> str | None:
        more = {} if tag is None else {"st_reparse_tag": tag}
        made: Any = SimpleNamespace(st_mode=mode, st_nlink=links, **more)
        return target._obstacle(made, last)

    for last in (False, True):
        assert found(stat.S_IFDIR, 0xA0000003, last) == "link"
        assert found(stat.S_IFREG, 0xA0000003, last) == "link"
        assert found(stat.S_IFLNK, None, last) == "link"
    assert found(stat.S_IFDIR, 0, False) is found(stat.S_IFDIR, None, False) is None
    assert found(stat.S_IFDIR, None, True) == "path-folder"
    assert found(stat.S_IFREG, None, False, 2) == "not-a-folder"
    assert (found(stat.S_IFREG, None, True), found(stat.S_IFREG, None, True, 2)) == (None, "hard-link")


# --- as on Windows, whose rules for paths Python has everywhere -------------------------------------------


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    like = SimpleNamespace(name="nt", path=ntpath, sep="\\", fsencode=lambda text: text.encode("utf-8"))
    monkeypatch.setattr(target, "os", like)


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    "raw",
    [
        "\\\\?\\C:\\book\\staging\\x",
        "\\\\.\\C:\\book\\staging\\x",
        "//?/C:/book/staging/x",
        "//./C:/book/staging/x",
        "/c/book/staging/x",
        "\\book\\staging\\x",
        "C:book\\staging\\x",
        "C:x",
        *(f"C:\\book\\staging\\a{mark}b" for mark in '<>:"|?*'),
        "staging\\x:stream",
        *(f"C:\\book\\staging\\{name}" for name in ("con", "NUL", "Prn.md", "aux .txt", "nul/x")),
        "staging/aux/x.md",
    ],
)
def test_a_path_that_windows_reads_in_another_way(raw: str) -> None:
    with pytest.raises(Refusal) as no:
        target.absolute(raw, "C:\\book")
    assert no.value.rule == "path-odd"


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("C:\\book\\staging\\x.md", "C:\\book\\staging\\x.md"),
        ("C:/book/staging/x.md", "C:/book/staging/x.md"),
        ("staging\\章\\console.md", "C:\\book\\staging\\章\\console.md"),
        ("staging/X.md", "C:\\book\\staging/X.md"),
        ("staging/nul-1/a.con", "C:\\book\\staging/nul-1/a.con"),
        ("\\\\server\\share\\staging\\x", "\\\\server\\share\\staging\\x"),
    ],
)
def test_a_plain_path_of_windows(raw: str, path: str) -> None:
    assert target.absolute(raw, "C:\\book") == path


def test_elsewhere_such_names_are_plain(root: Path) -> None:
    assert refusal(root, f"{root}/staging/nul/a:b?.md") is None
