"""The first run builds the environment once, whole or not at all.

The wheel it installs is made here, so that no network is needed; only one test fetches the real ones.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import CHECKOUT
from launching import (
    KEY,
    WHEEL,
    copy_tree,
    fake_command,
    fake_venv,
    offline,
    quick_pythons,
    require_local_wheel,
    start,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_tree(tmp_path)


@pytest.fixture
def env(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """With a Python that has its environments at hand."""
    return offline(tmp_path, quick_pythons(tmp_path_factory.getbasetemp()))


@pytest.fixture
def real(tmp_path: Path) -> dict[str, str]:
    """With the tests' own Python, which builds each environment."""
    return offline(tmp_path)


def data_folder(env: dict[str, str]) -> Path:
    return Path(env["HOME"], ".local", "share", "novel")


def novel(root: Path) -> list[str]:
    return [str(root / "bin" / "novel"), "next"]


def nothing_left(env: dict[str, str]) -> bool:
    folder = data_folder(env)
    return not folder.exists()


def test_first_run_builds_and_the_next_is_quiet(root: Path, real: dict[str, str], tmp_path: Path) -> None:
    """Behind a shim stands the interpreter itself: a shim would cost every run its own start."""
    require_local_wheel(root, tmp_path / "wheels")
    interpreter = os.path.realpath(sys.executable)
    fake_command(tmp_path / "shims", "python3.14", f'exec "{interpreter}" "$@"\n')
    path = f"{tmp_path / 'shims'}{os.pathsep}{real['PATH']}"
    # Settings that would send the packages elsewhere, and a PYTHONPATH that must not count.
    hostile = {"PIP_TARGET": str(tmp_path / "elsewhere"), "PIP_USER": "1", "PYTHONPATH": str(tmp_path)}
    first = start(novel(root), {**real, **hostile, "PATH": path}, stdin="裁决")
    assert first.returncode == 7, first.stderr
    assert "准备" in first.stderr
    told = json.loads(first.stdout)
    assert told["stdin"] == "裁决"
    venv = data_folder(real) / f"venv-{KEY}"
    assert told["python"] == str(venv / "bin" / "python")
    assert os.path.realpath(told["python"]) == interpreter
    assert "shims" not in (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    assert os.listdir(data_folder(real)) == [venv.name]
    assert not (tmp_path / "elsewhere").exists()
    probe = [str(venv / "bin" / "python"), "-I", "-c", f"import {WHEEL}; print({WHEEL}.__file__)"]
    assert start(probe, real).stdout.startswith(str(venv))
    second = start(novel(root), real)
    assert (second.returncode, second.stderr) == (7, "")


@pytest.mark.slow
def test_two_first_runs_at_once(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    runs = [
        subprocess.Popen(
            novel(root), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    answers = [run.communicate(timeout=100) for run in runs]
    assert [run.returncode for run in runs] == [7, 7], answers
    assert os.listdir(data_folder(env)) == [f"venv-{KEY}"]
    assert start(novel(root), env).stderr == ""


@pytest.mark.slow
def test_broken_environment_is_replaced(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """Its interpreter went with a system update."""
    require_local_wheel(root, tmp_path / "wheels")
    broken = fake_venv(data_folder(env) / f"venv-{KEY}")
    (broken / "bin" / "python").unlink()
    (broken / "bin" / "python").symlink_to("/nowhere/python3")
    run = start(novel(root), env)
    assert run.returncode == 7, run.stderr
    assert os.listdir(data_folder(env)) == [f"venv-{KEY}"]


@pytest.mark.slow
def test_environment_of_another_run_stays(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """Publishing over one that came first throws the own one away."""
    require_local_wheel(root, tmp_path / "wheels")
    other = fake_venv(data_folder(env) / f"venv-{KEY}")
    (other / "theirs").touch()
    build = ["sh", str(root / "scripts" / "build-venv.sh"), str(root), str(other)]
    run = start(build, env)
    assert run.returncode == 0, run.stderr
    assert (other / "theirs").exists()
    assert os.listdir(data_folder(env)) == [other.name]


@pytest.mark.slow
def test_no_network(root: Path, env: dict[str, str]) -> None:
    """The index is a closed port of this machine."""
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        env.pop(name)
    env.update(PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="1")
    run = start(novel(root), env)
    assert run.returncode == 3
    assert run.stdout == ""
    assert "连不上网" in run.stderr.splitlines()[-1]
    assert nothing_left(env)


@pytest.mark.slow
def test_source_without_the_files(root: Path, env: dict[str, str]) -> None:
    run = start(novel(root), env)
    assert run.returncode == 3
    assert "下载源" in run.stderr.splitlines()[-1]
    assert nothing_left(env)


@pytest.mark.slow
def test_file_that_was_tampered_with(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    wheel = next((tmp_path / "wheels").iterdir())
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    run = start(novel(root), env)
    assert run.returncode == 3
    assert "与登记的不符" in run.stderr.splitlines()[-1]
    assert nothing_left(env)


def test_disk_full(root: Path, real: dict[str, str], tmp_path: Path) -> None:
    """A python whose venv module meets a full disk, after it answered what it was asked."""
    python = os.path.realpath(sys.executable)
    script = f"""\
case "$*" in
    *"-m venv"*) echo "OSError: [Errno 28] No space left on device" >&2; exit 1 ;;
    *) "{python}" "$@" | sed "s|ok .*|ok $0|" ;;
esac
"""
    fake_command(tmp_path / "full", "python3.14", script)
    (tmp_path / "full" / "sed").symlink_to("/bin/sed")
    run = start(novel(root), {**real, "PATH": f"{tmp_path / 'full'}{os.pathsep}{real['PATH']}"})
    assert run.returncode == 3
    assert "磁盘满" in run.stderr.splitlines()[-1]
    assert nothing_left(real)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_stopped_in_the_middle(
    root: Path, real: dict[str, str], tmp_path: Path, stop: signal.Signals
) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    interpreter = os.path.realpath(sys.executable)
    # On a busy machine a quick build would end before it is stopped.
    lingers = f'case "$*" in *venv*) sleep 20 ;; esac\nexec "{interpreter}" "$@"\n'
    fake_command(tmp_path / "shims", "python3.14", lingers)
    run = subprocess.Popen(
        novel(root),
        env={**real, "PATH": f"{tmp_path / 'shims'}{os.pathsep}{real['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL),  # `nohup make test` ignores one of them
    )
    folder = data_folder(real)
    until = time.monotonic() + 30
    while not (folder.exists() and os.listdir(folder)) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(run.pid, stop)
    run.communicate(timeout=60)
    assert run.returncode != 0
    until = time.monotonic() + 30
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert nothing_left(real)


@pytest.mark.slow
def test_remains_of_a_killed_run_go_after_a_day(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    old, fresh = (data_folder(env) / f"venv-{KEY}.tmp-{name}" for name in ("old", "fresh"))
    for folder in (old, fresh):
        (folder / "venv").mkdir(parents=True)
    yesterday = time.time() - 3 * 86400
    os.utime(old, (yesterday, yesterday))
    assert start(novel(root), env).returncode == 7
    assert sorted(os.listdir(data_folder(env))) == [f"venv-{KEY}", fresh.name]


@pytest.mark.slow
def test_remains_of_a_run_that_died_here_go_at_once(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """Those of a run that goes on, and of another computer that shares the folder, stay."""
    require_local_wheel(root, tmp_path / "wheels")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    host, folder = os.uname().nodename, data_folder(env)
    dead, alive, elsewhere = (
        folder / f"venv-{KEY}.tmp-{where}.{pid}.abcdef"
        for where, pid in ((host, gone.pid), (host, os.getpid()), (f"not-{host}", gone.pid))
    )
    for left in (dead, alive, elsewhere):
        (left / "venv").mkdir(parents=True)
    assert start(novel(root), env).returncode == 7
    assert sorted(os.listdir(folder)) == sorted([f"venv-{KEY}", alive.name, elsewhere.name])


@pytest.mark.slow
def test_the_real_requirements(root: Path, real: dict[str, str], tmp_path: Path) -> None:
    """From the network, with hashes: both libraries are there for a Python without site."""
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_CONFIG_FILE"):
        real.pop(name)
    run = start(novel(root), {**real, "PATH": f"{real['PATH']}{os.pathsep}{os.environ['PATH']}"})
    assert run.returncode == 7, run.stderr
    python = json.loads(run.stdout)["python"]
    code = "import site; site.main(); import jsonschema, ruamel.yaml, sys; print(jsonschema.__file__)"
    found = start([python, "-I", "-S", "-X", "utf8", "-c", code], real, tmp_path)
    assert found.stdout.startswith(str(data_folder(real))), found.stderr


def another_python(venv: Path) -> Path:
    """Looks finished, and was built for a Python that its link leads to no more."""
    fake_venv(venv)
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.8.1\n", encoding="ascii")
    return venv


@pytest.mark.slow
def test_environment_of_another_python_is_built_anew(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """A distribution's upgrade moved the link to the next version: the packages are of the old one."""
    require_local_wheel(root, tmp_path / "wheels")
    venv = another_python(data_folder(env) / f"venv-{KEY}")
    run = start(novel(root), env, stdin="裁决")
    assert run.returncode == 7, run.stderr
    told = json.loads(run.stdout)
    assert (told["stdin"], told["arguments"]) == ("裁决", ["next"])
    assert "version = 3.8.1" not in (venv / "pyvenv.cfg").read_text("utf-8")
    assert os.listdir(data_folder(env)) == [venv.name]
    assert start(novel(root), env).stderr == ""


def test_environment_of_another_python_is_told_where_none_can_be_built(
    root: Path, env: dict[str, str], tmp_path: Path
) -> None:
    own, shared = root / ".venv", data_folder(env) / f"venv-{KEY}"
    for venv in (own, shared):
        another_python(venv)
    run = start(novel(root), env)
    assert (run.returncode, run.stdout) == (3, "")
    assert "下载源" in run.stderr.splitlines()[-1]
    assert not (own / "novel-key").exists() and not (shared / "novel-key").exists()


def test_given_environment_is_left_alone(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    venv = fake_venv(tmp_path / "given", key="of another")
    run = start(novel(root), {**env, "NOVEL_PYTHON": str(venv / "bin" / "python")})
    assert run.returncode == 7, run.stderr


def test_an_interpreter_of_no_bytes_is_none(root: Path, env: dict[str, str]) -> None:
    """A shell takes an empty file for an empty script: every command would succeed, and do nothing."""
    python = fake_venv(data_folder(env) / f"venv-{KEY}") / "bin" / "python"
    python.unlink()
    python.touch(0o755)
    run = start(novel(root), env)
    assert (run.returncode, run.stdout) == (3, "")
    assert "下载源" in run.stderr.splitlines()[-1]


@pytest.mark.parametrize("left", ["nothing", "half"])
def test_packages_that_do_not_load_are_built_anew(env: dict[str, str], tmp_path: Path, left: str) -> None:
    """After a cleaner of old files, say: the command that needs them gives it up and begins again."""
    shared = data_folder(env) / f"venv-{KEY}"
    fake_venv(shared)
    if left == "half":
        version = "python{}.{}".format(*sys.version_info[:2])
        packages = shared / "lib" / version / "site-packages"
        for name in ("jsonschema", "ruamel/yaml"):
            (packages / name).mkdir(parents=True)
            (packages / name / "__init__.py").write_text("from .gone import everything\n")
        (shared / "pyvenv.cfg").write_text(f"home = {sys.base_prefix}/bin\n")
    checkout = copy_tree(tmp_path / "real")
    shutil.rmtree(checkout / "novel_hooks")
    (checkout / "novel_hooks").symlink_to(os.path.join(CHECKOUT, "novel_hooks"))
    run = start([str(checkout / "bin" / "novel"), "doctor"], env, tmp_path)
    assert (run.returncode, run.stdout) == (3, ""), run.stderr
    assert "下载源" in run.stderr.splitlines()[-1]  # so it was tried
    assert not (shared / "novel-key").exists()


def test_an_interpreter_without_its_library_is_built_anew(
    root: Path, env: dict[str, str], tmp_path: Path
) -> None:
    """It would die in the loader of the system, where nobody can say a word."""
    shared = fake_venv(data_folder(env) / f"venv-{KEY}")
    library = tmp_path / "共享 库" / "libpython3.so"
    (shared / "novel-needs").write_text(f"{library}\n", encoding="utf-8")
    run = start(novel(root), env)
    assert (run.returncode, run.stdout) == (3, "")
    assert "下载源" in run.stderr.splitlines()[-1]
    library.parent.mkdir()
    library.touch()
    assert start(novel(root), env).returncode == 7


BROKEN = {
    "cut": b"\x7fELF\x02\x01\x01" + b"\0" * 57,
    "of another machine": b"\xcf\xfa\xed\xfe" + b"\0" * 60,
    "loader fails": b"#!/bin/sh\necho 'error while loading shared libraries: libpython3.so' >&2\nexit 127\n",
    "killed": b"#!/bin/sh\nkill -9 $$\n",
    "text": b"<html>404</html>\n",
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_interpreter_that_was_spoilt_is_built_anew(root: Path, env: dict[str, str], what: str) -> None:
    shared = fake_venv(data_folder(env) / f"venv-{KEY}")
    python = shared / "bin" / "python"
    python.unlink()
    python.write_bytes(BROKEN[what])
    python.chmod(0o755)
    later = os.stat(shared / "novel-key").st_mtime + 60
    os.utime(python, (later, later))
    run = start(novel(root), env)
    assert (run.returncode, run.stdout) == (3, ""), run.stderr
    assert "下载源" in run.stderr.splitlines()[-1]


def test_an_environment_of_an_earlier_version_starts_once_and_is_known_then(
    root: Path, env: dict[str, str]
) -> None:
    """It did not note the library that its interpreter needs: gone, only the system's loader would say so."""
    shared = fake_venv(data_folder(env) / f"venv-{KEY}")
    python, needs = shared / "bin" / "python", shared / "novel-needs"
    assert start(novel(root), env).returncode == 7 and needs.is_file()
    needs.unlink()
    python.unlink()
    python.write_bytes(BROKEN["loader fails"])
    python.chmod(0o755)
    os.utime(python, (1, 1))
    run = start(novel(root), env)
    assert (run.returncode, run.stdout) == (3, ""), run.stderr
    assert "下载源" in run.stderr.splitlines()[-1]


def test_an_interpreter_that_changed_and_works_is_asked_once(root: Path, env: dict[str, str]) -> None:
    shared = fake_venv(data_folder(env) / f"venv-{KEY}")
    key = shared / "novel-key"
    os.utime(key, (1, 1))
    assert start(novel(root), env).returncode == 7
    asked = os.stat(key).st_mtime
    assert asked > 1
    assert start(novel(root), env).returncode == 7
    assert os.stat(key).st_mtime == asked
