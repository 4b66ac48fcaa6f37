"""The clients that the tests drive: pinned in tools/client.json, installed by npm into `.tools/`.

Usage: python -m tools.clients        (`make clients`; quick when they are there)
Exit:  0 there, or not to be had and not required; 1 not to be had although NOVEL_REQUIRE_CLIENTS=1.

A folder under `.tools/CLIENT/` that bears a version's name is whole: npm works in a temporary one beside it,
which takes that name only after the client in it has told its version.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
REQUIRE = "NOVEL_REQUIRE_CLIENTS"
CLAUDE, CODEX = "claude-code", "codex"
TITLES = {CLAUDE: "Claude Code", CODEX: "Codex"}
# The native binary lies in a package of its own, named for the platform; npm takes only what fits.
_BINARIES = {
    CLAUDE: "node_modules/*/claude-code-*/claude*",
    CODEX: "node_modules/@openai/codex-*/vendor/*/bin/codex*",
}
_MINUTES_10 = 600
_TEMPORARY = "tmp-"


class Pin(NamedTuple):
    """An npm package and the one version of it that the tests are written for."""

    package: str
    version: str


class NotInstalled(Exception):
    """The client is not there; the message says why in one line."""


def pin(client: str = CLAUDE, root: Path = ROOT) -> Pin:
    found = json.loads((root / "tools" / "client.json").read_text(encoding="utf-8"))[client]
    return Pin(found["package"], found["version"])


def versions_folder(client: str = CLAUDE, root: Path = ROOT) -> Path:
    """Return the folder that holds one folder for each version."""
    return root / ".tools" / client


def binary(client: str = CLAUDE, root: Path = ROOT) -> Path | None:
    """Return the path of the pinned client, ready to run; None when it is not installed."""
    return _binary_in(client, versions_folder(client, root) / pin(client, root).version)


def install(client: str = CLAUDE, root: Path = ROOT) -> Path:
    """Install the pinned client when it is not there yet; return its path. Raises NotInstalled."""
    there = binary(client, root)
    if there is not None:
        return there
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not on PATH")
    wanted = pin(client, root)
    versions = versions_folder(client, root)
    versions.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=versions))
    try:
        _fetch(npm, client, wanted, place)
        _publish(client, place, versions / wanted.version)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    _drop_other_versions(versions, wanted.version)
    found = binary(client, root)
    assert found is not None, "it told its version a moment ago"
    return found


def _binary_in(client: str, place: Path) -> Path | None:
    found = [path for path in sorted(place.glob(_BINARIES[client])) if path.is_file()]
    return found[0] if found else None


def _fetch(npm: str, client: str, wanted: Pin, place: Path) -> None:
    """No install script is needed, so none is run."""
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    _run([npm, "install", "--prefix", str(place), *options, f"{wanted.package}@{wanted.version}"], place)
    found = _binary_in(client, place)
    if found is None:
        raise NotInstalled(f"npm brought no client of {wanted.version} for this system")
    told = _run([str(found), "--version"], place)
    if wanted.version not in told.split():
        raise NotInstalled(f"the client says that it is {told.strip()!r}, not {wanted.version}")


def _run(command: list[str], home: Path) -> str:
    config = {"CLAUDE_CONFIG_DIR": str(home / "config"), "CODEX_HOME": str(home / "codex")}
    env = {**os.environ, "DISABLE_AUTOUPDATER": "1", **config}
    try:
        done = subprocess.run(
            command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_MINUTES_10
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise NotInstalled(f"{os.path.basename(command[0])}: {wrong}") from wrong
    if done.returncode != 0:
        told = " ".join((done.stderr or done.stdout).split())[-400:]
        raise NotInstalled(f"{os.path.basename(command[0])} failed: {told}")
    return done.stdout


def _publish(client: str, place: Path, final: Path) -> None:
    try:
        place.rename(final)
    except OSError:
        if _binary_in(client, final) is None:  # else another run was quicker, and its folder is as good
            raise


def _drop_other_versions(versions: Path, wanted: str) -> None:
    """A version is some 400 MB. Temporary folders may be another run's and stay; `make clean` takes them."""
    for place in versions.iterdir():
        if place.name != wanted and not place.name.startswith(_TEMPORARY):
            shutil.rmtree(place, ignore_errors=True)


def main(root: Path = ROOT) -> int:
    required = os.environ.get(REQUIRE) == "1"
    code = 0
    for client, title in TITLES.items():
        try:
            install(client, root)
        except NotInstalled as why:
            outcome = "required here" if required else "the tests with it will be skipped"
            sys.stderr.write(f"{title} {pin(client, root).version}: {why}; {outcome}.\n")
            code = 1 if required else 0
    return code


if __name__ == "__main__":
    sys.exit(main())
