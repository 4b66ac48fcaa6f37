"""Doctor on Codex: each fault, and the one thing to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import Book, book

from novel_hooks import errors
from novel_hooks.flows.hosting import checkup
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import codex_client


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.ok("host", "codex")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "codex").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "codex").chmod(0o755)
    return made


def codes(novel: Book, path: str | None = None) -> list[str]:
    where = str(novel.root.parent / "bin") if path is None else path
    environ = {"PATH": where, "HOME": os.environ["HOME"]}
    return [one.code for one in checkup.problems(Project(str(novel.root)), environ)]


def client(
    monkeypatch: pytest.MonkeyPatch,
    version: tuple[int, ...] | None = (0, 171, 0),
    trust: list[str] | None = None,
    faults: tuple[str, ...] = (),
    confined: bool = True,
) -> None:
    monkeypatch.setattr(codex_client, "version", lambda _codex: version)
    told = None if trust is None else codex_client.Report(trust, faults)
    monkeypatch.setattr(codex_client, "trust", lambda _codex, _root: told)
    monkeypatch.setattr(codex_client, "is_confined", lambda _codex, _root, _profile: confined)


def test_all_is_well(novel: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    client(monkeypatch, trust=["trusted"])
    assert codes(novel) == []


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"version": None}, ["HOST_UNSEEN"]),
        ({}, ["HOST_UNSEEN"]),
        ({"trust": [], "faults": ("config.toml: junk",)}, ["HOST_UNREAD"]),
        ({"version": (0, 170, 9)}, ["HOST_OLD"]),
        ({"version": (0, 172, 0), "trust": ["trusted"]}, ["HOST_UNSEEN"]),
        ({"trust": []}, ["HOST_UNTRUSTED"]),
        ({"trust": ["trusted", "modified"]}, ["HOST_UNTRUSTED"]),
        ({"trust": ["trusted"], "confined": False}, ["HOST_UNCONFINED"]),
    ],
)
def test_each_fault(
    novel: Book, given: dict[str, object], found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client(monkeypatch, **given)  # type: ignore[arg-type]
    assert codes(novel) == found


def test_no_codex_here(novel: Book) -> None:
    assert codes(novel, "/nowhere") == ["HOST_UNSEEN"]


def test_files_that_are_out_of_date(novel: Book) -> None:
    novel.at(".codex/hooks.json").unlink()
    assert codes(novel, "/nowhere") == ["HOST_FILE_STALE", "HOST_UNSEEN"]


def test_another_copy_judges_no_files(novel: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(rel: str) -> str:
        raise errors.AssetMissing(what=rel)

    novel.at(".codex/hooks.json").unlink()
    monkeypatch.setattr(assets, "plugin_path", missing)
    assert codes(novel, "/nowhere") == ["HOST_UNSEEN"]


def test_a_book_without_codex(tmp_path: Path) -> None:
    assert codes(book(tmp_path)) == []
