"""The plugin's data: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import novel_hooks
from novel_hooks import errors
from novel_hooks.store.files import assets

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = Path(novel_hooks.__file__).parent


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as a wheel installs it, with nothing beside it."""
    package = tmp_path / "site-packages" / "novel_hooks"
    (package / "plugin/skills").mkdir(parents=True)
    (package / "plugin/skills/a.md").write_bytes(b"inside")
    (package / "templates/deep/__pycache__").mkdir(parents=True)
    for name in ("b.md", "a.md", "deep/c.md", "deep/__pycache__/x.pyc"):
        (package / "templates" / name).write_bytes(b"")
    monkeypatch.setattr(assets, "_PACKAGE", str(package))
    return package


def test_in_a_checkout_a_file_of_the_plugin_lies_beside_the_package() -> None:
    assert Path(assets.plugin_path("skills")) == PACKAGE.parent / "skills"


def test_in_a_wheel_it_lies_inside_and_what_lies_beside_comes_first(wheel: Path) -> None:
    assert assets.plugin_path("skills/a.md") == str(wheel / "plugin" / "skills" / "a.md")
    (wheel.parent / "skills").mkdir()
    (wheel.parent / "skills/a.md").write_bytes(b"beside")
    assert assets.load(assets.plugin_path("skills/a.md")) == b"beside"


def test_data_of_the_package_lies_in_it(wheel: Path) -> None:
    assert assets.package_path("templates/deep") == str(wheel / "templates" / "deep")
    assert assets.list_files("templates") == ["a.md", "b.md", "deep/c.md"]


@pytest.mark.parametrize("find", [assets.plugin_path, assets.package_path, assets.list_files])
def test_what_is_missing_is_named(wheel: Path, find: Callable[[str], object]) -> None:
    with pytest.raises(errors.AssetMissing, match="skills/none") as caught:
        find("skills/none")
    assert caught.value.values["what"] == "skills/none"


def test_the_real_package_is_whole() -> None:
    names = assets.list_files("schemas")
    assert names == sorted(names) and "common.schema.json" in names
    assert all(os.path.isfile(assets.package_path(f"schemas/{name}")) for name in names)
