"""Every test runs in its own folder, with its own HOME, and fails when it writes anywhere else.

Writes of this process are seen by an audit hook. A child process is kept in by its environment: HOME,
TMPDIR and the working directory all lie below the test's own folder.
"""

from __future__ import annotations

import fnmatch
import functools
import gc
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHECKOUT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TESTS = os.path.join(CHECKOUT, "tests")
# What tools keep for themselves in the checkout, and the goldens that `make golden` rewrites.
CACHES = ("__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache")
GOLDEN = os.path.join(TESTS, "golden")
FOREIGN = (
    "CLAUDE",
    "CODEX",
    "GIT_",
    "NOVEL_",
    "PYTHON",
    "XDG_",
)
# What runs on the oldest Python too: what touches the system or must load without `site`, and every command
# once.
# Globs below `tests`; `*` stands for folders too.
PORTABLE = (
    "unit/kernel/test_layout.py",
    "unit/kernel/test_write_fence.py",
    "unit/hook/*",
    "unit/store/*",
    "property/test_guard_paths.py",
    "property/test_journal_property.py",
    "e2e/test_cli_contract.py",
    "e2e/test_modules_load.py",
)
# A disk in memory, where there is one: what is killed is judged the same, and a sync costs nothing.
MEMORY = "/dev/shm"
ROOM = 2 << 30
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Under `make mutants` only the process that was forked for a mutant runs it.
MUTANTS = "MUTANT_UNDER_TEST" in os.environ
_PROCESS_EVENTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system")
_PATHS_OF_EVENT = {
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.utime": 1,
    "os.rename": 2,
    "os.link": 2,
    "os.symlink": 2,
}


# No deadline, no check of speed: a test is not wrong because the machine was busy. CI draws the same
# examples every time, so that what passed for a change passes again. `many` is for `make test-exhaustive`.
BUSY: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("here", max_examples=25, **BUSY)
settings.register_profile("ci", max_examples=25, derandomize=True, **BUSY)
settings.register_profile("many", max_examples=300, **BUSY)
settings.register_profile("fast", derandomize=bool(os.environ.get("CI")), max_examples=10, **BUSY)
# Whether an example fails is all that a mutant asks: none is made small, none is remembered.
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def examples(many: int) -> int:
    """Of `many`, which a property wants of its own, the share that the profile has of a hundred."""
    return max(1, many * settings().max_examples // 100)


def pytest_configure(config: pytest.Config) -> None:
    """The tests' folders in memory, unless `--basetemp` says where, or there is no room."""
    if hasattr(config, "workerinput") or config.option.basetemp or not _roomy():
        return
    folder = tempfile.mkdtemp(prefix="novel-tests-", dir=os.environ.get("NOVEL_TESTS_IN", MEMORY))
    config.option.basetemp = os.path.join(folder, "t")
    # Hundreds of thousands of files: `rm` takes a third of what Python would.
    config.add_cleanup(lambda: subprocess.run(["rm", "-rf", "--", folder], check=False))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect with Python's collector of cycles at rest; afterwards it passes over what was collected.

    Else it would go through twenty thousand tests again and again, for nothing: they stay to the end. Then it
    works as seldom as in `bin/novel`.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(100_000)
        gc.enable()


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes and what cannot be printed by their digits under `make mutants`, where no id is escaped."""
    if MUTANTS and isinstance(val, str) and not val.isprintable():
        val = val.encode("utf-8", "surrogatepass")
    return f"bytes-{val.hex()[:40]}" if MUTANTS and isinstance(val, bytes) else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Under `make test-portable` the other files are not even read: that would take longer than the tests."""
    wanted = str(config.option.markexpr).startswith("portable and ")
    return True if wanted and collection_path.suffix == ".py" and not _portable(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _portable(item.path):
            item.add_marker("portable")


def _portable(path: Path) -> bool:
    place = os.path.relpath(path, TESTS).replace(os.sep, "/")
    return any(fnmatch.fnmatch(place, pattern) for pattern in PORTABLE)


def _roomy() -> bool:
    try:
        return os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    except OSError:
        return False


class WriteFence:
    """Collects the paths written outside the allowed folders while it is up."""

    def __init__(self) -> None:
        self.allowed: tuple[str, ...] = ()  # folders, each with a slash at its end
        self.up = False
        self.strays: list[str] = []

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.up:
            return
        if MUTANTS and event in _PROCESS_EVENTS:
            pytest.skip("starts a process, which would run the code unchanged")
        if event == "open":
            path, _mode, flags = arguments
            if not (isinstance(flags, int) and flags & _WRITE_FLAGS):
                return
            self._note(event, path)
        elif event in _PATHS_OF_EVENT:
            # A symlink's first path is only text; what is made is the second.
            first = 1 if event == "os.symlink" else 0
            for path in arguments[first : _PATHS_OF_EVENT[event]]:
                self._note(event, path)

    def _note(self, event: str, path: object) -> None:
        if not isinstance(path, (str, bytes)):
            return
        self.up = False
        try:
            place = os.path.abspath(os.fsdecode(path))
            if not (place.startswith(self.allowed) or self._may_write(place)):
                self.strays.append(f"{event} {place}")
        finally:
            self.up = True

    def _may_write(self, place: str) -> bool:
        if place.startswith(("/dev/", "/proc/")) and not place.startswith(MEMORY + os.sep):
            return True
        if any(cache in place.split(os.sep) for cache in CACHES):
            return True
        return any(place + os.sep == root for root in self.allowed)


_worlds = itertools.count()
_fence = WriteFence()
sys.addaudithook(_fence.hear)


@pytest.fixture(autouse=True)
def no_write_outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fails the test that changed a file outside pytest's own folder."""
    base = str(tmp_path_factory.getbasetemp())
    golden = (GOLDEN,) if os.environ.get("NOVEL_GOLDEN") == "write" else ()
    _fence.allowed = tuple(root + os.sep for root in (base, _real(base), *golden))
    _fence.strays.clear()
    _fence.up = True
    yield
    _fence.up = False
    assert not _fence.strays, "written outside the test's folder:\n" + "\n".join(sorted(set(_fence.strays)))


@functools.cache
def _real(base: str) -> str:
    return os.path.realpath(base)


@functools.cache
def _plain_path(path: str) -> str:
    """PATH without the folders whose commands depend on the machine: another `novel`, shims."""
    folders = [folder for folder in path.split(os.pathsep) if folder and os.path.basename(folder) != "shims"]
    return os.pathsep.join(f for f in folders if not os.path.lexists(os.path.join(f, "novel")))


@pytest.fixture(autouse=True)
def own_world(no_write_outside: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A HOME, TMPDIR, PATH and working directory of the test's own; nothing of the developer's session.

    `bin/novel` runs on the interpreter that runs the tests. What is set here every test sets anew.
    """
    base = os.path.join(str(tmp_path_factory.getbasetemp()), f"own-world-{next(_worlds)}")
    os.mkdir(base)
    for folder in ("home", "tmp", "cwd"):
        os.mkdir(f"{base}/{folder}")
    for name in [name for name in os.environ if name.startswith(FOREIGN) and name != "NOVEL_GOLDEN"]:
        del os.environ[name]
    os.environ.update(
        HOME=f"{base}/home",
        TMPDIR=f"{base}/tmp",
        PATH=_plain_path(os.environ.get("PATH", os.defpath)),
        NOVEL_PYTHON=sys.executable,
        PYTHONDONTWRITEBYTECODE="1",
    )
    os.chdir(f"{base}/cwd")
    yield
    os.chdir(CHECKOUT)


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own, which costs four times as much, for twenty thousand tests."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    place: Path = tmp_path_factory.getbasetemp() / f"{name}{next(_worlds)}"
    place.mkdir()
    return place
