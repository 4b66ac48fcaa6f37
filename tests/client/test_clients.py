"""`make clients`: once, whole or not at all, and honest where npm is missing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tools import clients

if TYPE_CHECKING:
    from pathlib import Path

VERSION = "7.8.9"
# Brings what the real one brings, and counts its calls. `--prefix` is its second argument.
NPM = f"""#!/bin/sh
echo "$*" >>"$NPM_LOG"
case $* in
    *claude*) there="$3/node_modules/@vendor/claude-code-linux-x64" name=claude ;;
    *) there="$3/node_modules/@openai/codex-linux-x64/vendor/musl/bin" name=codex ;;
esac
mkdir -p "$there" && printf '#!/bin/sh\\necho "%s (a client)"\\n' "${{SAYS:-{VERSION}}}" >"$there/$name"
chmod +x "$there/$name"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an awkward name; a fake npm is on PATH."""
    root = tmp_path / "小说 工具 (新)"
    (root / "tools").mkdir(parents=True)
    pin_at(root, VERSION)
    (tmp_path / "bin").mkdir()
    npm = tmp_path / "bin" / "npm"
    npm.write_text(NPM)
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("NPM_LOG", str(tmp_path / "npm.log"))
    return root


def pin_at(root: Path, version: str) -> None:
    pins = {name: {"package": f"@vendor/{name}", "version": version} for name in clients.TITLES}
    (root / "tools" / "client.json").write_text(json.dumps(pins))


def calls(root: Path) -> list[str]:
    return (root.parent / "npm.log").read_text(encoding="utf-8").splitlines()


def test_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [clients.binary(name, root) for name in clients.TITLES] == [None, None]
    assert clients.main(root) == 0
    for name in clients.TITLES:
        found = clients.binary(name, root)
        assert found is not None and found.is_relative_to(clients.versions_folder(name, root) / VERSION)
        assert os.listdir(clients.versions_folder(name, root)) == [VERSION]
    assert clients.main(root) == 0
    assert [call.split()[-1] for call in calls(root)] == [
        f"@vendor/{name}@{VERSION}" for name in clients.TITLES
    ]
    assert capsys.readouterr() == ("", "")


def test_a_new_pin_takes_the_place_of_the_old(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clients.install(clients.CODEX, root)
    monkeypatch.setenv("SAYS", "8.0.0")
    pin_at(root, "8.0.0")
    assert clients.binary(clients.CODEX, root) is None
    clients.install(clients.CODEX, root)
    assert os.listdir(clients.versions_folder(clients.CODEX, root)) == ["8.0.0"]


def test_another_version_than_the_pinned_one_is_not_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAYS", "7.8.90")
    assert clients.main(root) == 0
    assert "7.8.90" in capsys.readouterr().err
    assert os.listdir(clients.versions_folder(clients.CLAUDE, root)) == []
    assert clients.binary(clients.CLAUDE, root) is None


@pytest.mark.parametrize(("required", "code"), [("1", 1), ("", 0)])
def test_npm_fails(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], required: str, code: int
) -> None:
    monkeypatch.setenv(clients.REQUIRE, required)
    (root.parent / "bin" / "npm").write_text("#!/bin/sh\necho no such tarball >&2\nexit 1\n")
    assert clients.main(root) == code
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" 7")[0] for line in lines] == ["Claude Code", "Codex"]
    assert all("no such tarball" in line and ("required" in line) == (code == 1) for line in lines)
    assert os.listdir(clients.versions_folder(clients.CLAUDE, root)) == []


@pytest.mark.parametrize(("required", "code"), [("1", 1), ("", 0)])
def test_without_npm(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], required: str, code: int
) -> None:
    monkeypatch.setenv("PATH", str(root))
    monkeypatch.setenv(clients.REQUIRE, required)
    assert clients.main(root) == code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and all("npm is not on PATH" in line for line in lines)
    assert not clients.versions_folder(clients.CLAUDE, root).exists()


def test_the_pin_stands_in_one_place() -> None:
    folders = [clients.ROOT / name for name in (".ci", "tools", "tests", "scripts")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    for name in clients.TITLES:
        version = clients.pin(name).version.encode()
        found = [path.name for path in files if path.suffix != ".pyc" and version in path.read_bytes()]
        assert set(found) - {"test_codex_client.py"} == {"client.json"}
