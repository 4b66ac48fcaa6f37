"""What is generated is up to date, what is shipped is whole, and what must run everywhere can."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from conftest import CHECKOUT, PORTABLE

import novel_hooks
from novel_hooks.rules.hosting import least_versions
from tools import gen_errors, gen_icon, gen_lock, gen_manifest, mutants

ROOT = Path(CHECKOUT)
SHELL = [ROOT / "bin" / "novel", ROOT / "hooks" / "guard", *sorted((ROOT / "scripts").glob("*.sh"))]
# Spelled so that this file holds no such name itself.
REGISTRY_HOST = re.compile(rb"(?i)(?:pypi|npmjs|python-?hosted|debian)[\w-]*\.(?:org|com|io|net)\b")


def shipped() -> list[Path]:
    """Every file of the checkout that git knows or would take in."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout: what is shipped cannot be told from what lies about")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    paths = (ROOT / os.fsdecode(name) for name in listing.stdout.split(b"\0") if name)
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("pattern", PORTABLE)
def test_what_runs_on_every_python_is_there(pattern: str) -> None:
    assert any((ROOT / "tests").glob(pattern)), "nothing of that name is left"


@pytest.mark.parametrize("layer", mutants.LAYERS)
def test_mutants_meet_code_and_tests_that_are_there(layer: str) -> None:
    code, tests, even = mutants.LAYERS[layer]
    for folder, patterns in (("novel_hooks", code), ("tests", (*tests, *even))):
        for pattern in patterns:
            assert any((ROOT / folder).glob(f"{pattern.rstrip('/*')}*")), pattern


# --- generated ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", gen_manifest.documents())
def test_manifests_are_generated(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == gen_manifest.documents()[path], "run `make manifest`"


def test_manifest_for_both_hosts_is_the_same_and_has_the_version() -> None:
    manifest = (ROOT / "plugin.json").read_bytes()
    assert manifest == (ROOT / ".claude-plugin" / "plugin.json").read_bytes()
    assert json.loads(manifest)["version"] == novel_hooks.__version__


def test_marketplace_offers_the_checkout_itself() -> None:
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_bytes())
    assert [(plugin["name"], plugin["source"]) for plugin in market["plugins"]] == [("novel", "./")]


def test_errors_page_is_generated() -> None:
    assert (ROOT / gen_errors.PAGE).read_text(encoding="utf-8") == gen_errors.page(), "run `make errors`"


def test_icon_is_square_and_as_drawn() -> None:
    data = (ROOT / gen_icon.ICON).read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert width == height
    assert 512 <= width <= 2048
    length = struct.unpack(">I", data[33:37])[0]
    drawn = zlib.decompress(data[41 : 41 + length])
    # The same drawing at an eighth of the size: every eighth pixel is close to it away from edges.
    small = gen_icon.pixels(width // 8)
    near = sum(
        _pixel(small, width // 8, x, y) == _pixel(drawn, width, 8 * x + 4, 8 * y + 4)
        for x, y in _grid(8, width)
    )
    assert near > 0.85 * (width // 8) ** 2, "run `make manifest`"


def _grid(step: int, width: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(width // step) for y in range(width // step)]


def _pixel(rows: bytes, width: int, x: int, y: int) -> bytes:
    start = y * (4 * width + 1) + 1 + 4 * x
    return rows[start : start + 4]


# --- requirements ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", gen_lock.NAMES)
def test_key_names_the_pins(name: str) -> None:
    pins = (ROOT / "requirements" / f"{name}.txt").read_bytes()
    key = (ROOT / "requirements" / f"{name}.key").read_text(encoding="ascii")
    assert key == hashlib.sha256(pins).hexdigest()[:16] + "\n", "run `make lock`"


@pytest.mark.parametrize("name", gen_lock.NAMES)
def test_every_pin_has_a_hash_and_no_address(name: str) -> None:
    pins = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="ascii")
    assert "://" not in pins
    entries = re.split(r"\n(?=[a-z])", pins.strip())
    assert len(entries) > 5
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_tests_run_on_the_pins_that_authors_get() -> None:
    runtime, dev = (
        set(re.findall(r"^[a-z][^\\\n]*", (ROOT / "requirements" / f"{name}.txt").read_text(), re.M))
        for name in ("runtime", "dev")
    )
    names = {pin.split("==")[0] for pin in runtime}
    assert {pin.split(";")[0].strip() for pin in runtime} == {
        pin.split(";")[0].strip() for pin in dev if pin.split("==")[0] in names
    }


def test_project_depends_on_what_is_pinned() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = [
        line for line in (ROOT / "requirements" / "runtime.in").read_text().splitlines() if line[0] != "#"
    ]
    listed = re.search(r"^dependencies = (\[.*\])$", project, re.M)
    assert listed is not None
    assert json.loads(listed.group(1)) == wanted


# --- runs everywhere ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.name)
def test_shell_parses_and_is_executable(path: Path) -> None:
    subprocess.run(["sh", "-n", str(path)], check=True)
    sourced = path.name in ("find-python.sh", "entry.sh")
    assert os.access(path, os.X_OK) != sourced
    assert path.read_bytes().startswith(b"# shellcheck shell=sh" if sourced else b"#!/bin/sh\n")


@pytest.mark.parametrize("folder", ["novel_hooks", "tools"])
def test_code_parses_on_the_oldest_python(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    for path in paths:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=least_versions.PYTHON)


def test_no_file_names_a_registry_host() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {host.group().decode()}"
        for path in shipped()
        if path.suffix != ".png" and (host := REGISTRY_HOST.search(path.read_bytes()))
    ]
    assert found == []


def test_text_files_have_unix_line_ends_and_no_mark() -> None:
    texts = [path for path in shipped() if path.suffix in (".py", ".sh", ".md", ".json", ".toml", ".yaml")]
    assert len(texts) > 40
    for path in texts:
        data = path.read_bytes()
        assert b"\r" not in data, path
        assert not data.startswith(b"\xef\xbb\xbf"), path
