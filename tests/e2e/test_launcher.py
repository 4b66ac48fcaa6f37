"""bin/novel finds itself and its Python from anywhere, and says in one line what is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import launching
import pytest
from launching import KEY, bare_path, copy_tree, fake_command, fake_venv, start


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_tree(tmp_path)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """What a plain shell of an author has: no setting of ours."""
    home = tmp_path / "家 home"
    home.mkdir()
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C"}


def data_venv(env: dict[str, str]) -> Path:
    return Path(env["HOME"], ".local", "share", "novel", f"venv-{KEY}")


def told(run: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert run.stderr == ""
    assert run.returncode == 7, run.stdout
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def refused(run: subprocess.CompletedProcess[str]) -> str:
    """The one line of a refusal."""
    assert run.returncode == 3
    assert run.stdout == ""
    lines = run.stderr.splitlines()
    assert len(lines) == 1, run.stderr
    assert lines[0].startswith("novel：")
    return lines[0]


# --- where it is ----------------------------------------------------------------------------------


def test_arguments_stdin_and_exit_code_pass_through(root: Path, env: dict[str, str]) -> None:
    fake_venv(root / ".venv")
    arguments = ["next", "--json", "两 个词", "", "-c", "*"]
    found = told(start([str(root / "bin" / "novel"), *arguments], env, stdin="裁决"))
    assert found["arguments"] == arguments
    assert found["stdin"] == "裁决"
    assert found["python"] == str(root / ".venv" / "bin" / "python")
    assert (found["utf8"], found["site"]) == (1, False)
    assert os.path.samefile(found["path0"], root)


def test_found_through_links_and_relative_paths(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_venv(root / ".venv")
    links = tmp_path / "链接 dir"
    links.mkdir()
    (links / "novel").symlink_to(root / "bin" / "novel")
    (links / "again").symlink_to("novel")
    (links / "up").symlink_to(os.path.join("..", root.name, "bin", "novel"))
    (tmp_path / "tree").symlink_to(root)
    starts = [
        ([str(links / "novel")], tmp_path),
        ([str(links / "again")], tmp_path),
        (["./again"], links),
        (["./up"], links),
        ([str(tmp_path / "tree" / "bin" / "novel")], links),
        (["bin/novel"], root),
        (["./novel"], root / "bin"),
        (["sh", "novel"], root / "bin"),
        (["../bin/novel"], root / "scripts"),
    ]
    for command, cwd in starts:
        found = told(start(command, {**env, "CDPATH": str(tmp_path)}, cwd))
        assert os.path.samefile(found["path0"], root), command
        assert found["cwd"] == str(cwd)


def test_found_on_path(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_venv(root / ".venv")
    found = told(start(["sh", "-c", "novel status"], {**env, "PATH": f"{root}/bin:{env['PATH']}"}, tmp_path))
    assert found["arguments"] == ["status"]


def test_files_of_the_author_do_not_shadow_modules(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_venv(root / ".venv")
    for name in ("json.py", "novel_hooks.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit(99)\n")
    told(start([str(root / "bin" / "novel")], {**env, "PYTHONPATH": str(tmp_path)}, tmp_path))


# --- which Python ---------------------------------------------------------------------------------


def test_order_of_choice(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    novel = [str(root / "bin" / "novel")]
    shared = fake_venv(data_venv(env))
    assert told(start(novel, env))["python"] == str(shared / "bin" / "python")
    own = fake_venv(root / ".venv")
    assert told(start(novel, env))["python"] == str(own / "bin" / "python")
    given = fake_venv(tmp_path / "given") / "bin" / "python"
    assert told(start(novel, {**env, "NOVEL_PYTHON": str(given)}))["python"] == str(given)


@pytest.mark.parametrize("setting", ["NOVEL_DATA", "XDG_DATA_HOME"])
def test_data_folder_can_be_set(root: Path, env: dict[str, str], tmp_path: Path, setting: str) -> None:
    place = tmp_path / "数据 data"
    folder = place if setting == "NOVEL_DATA" else place / "novel"
    venv = fake_venv(folder / f"venv-{KEY}")
    run = start([str(root / "bin" / "novel")], {"PATH": env["PATH"], setting: str(place)})
    assert told(run)["python"] == str(venv / "bin" / "python")


def test_relative_xdg_is_ignored(root: Path, env: dict[str, str]) -> None:
    venv = fake_venv(data_venv(env))
    run = start([str(root / "bin" / "novel")], {**env, "XDG_DATA_HOME": "here"})
    assert told(run)["python"] == str(venv / "bin" / "python")


@pytest.mark.parametrize("flaw", ["no mark", "other key", "empty mark", "no python"])
def test_unfinished_checkout_venv_is_passed_over(root: Path, env: dict[str, str], flaw: str) -> None:
    own = fake_venv(root / ".venv", key={"other key": "0" * 16, "empty mark": ""}.get(flaw, KEY))
    if flaw == "no mark":
        (own / "novel-key").unlink()
    if flaw == "no python":
        (own / "bin" / "python").unlink()
        (own / "bin" / "python").symlink_to("/nowhere/python3")
    shared = fake_venv(data_venv(env))
    assert told(start([str(root / "bin" / "novel")], env))["python"] == str(shared / "bin" / "python")


def test_usual_way_starts_nothing_but_python(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """With a PATH of no programs at all it still works."""
    fake_venv(data_venv(env))
    (tmp_path / "empty").mkdir()
    command = ["/bin/sh", str(root / "bin" / "novel"), "next"]
    told(start(command, {**env, "PATH": str(tmp_path / "empty")}, tmp_path))


# --- what is missing ------------------------------------------------------------------------------


def test_no_python(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    line = refused(start([str(root / "bin" / "novel")], {**env, "PATH": bare_path(tmp_path)}))
    assert "没有找到 Python" in line
    assert "3.9" in line
    assert os.listdir(env["HOME"]) == []


def test_python_too_old(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_command(tmp_path / "old", "python3", "printf 'old 3.8'\n")
    line = refused(
        start([str(root / "bin" / "novel")], {**env, "PATH": bare_path(tmp_path, tmp_path / "old")})
    )
    assert "3.8" in line
    assert "太旧" in line
    assert os.listdir(env["HOME"]) == []


def old_python() -> str | None:
    """A Python 3.8 itself, not a shim: a shim needs its owner's PATH and HOME to answer."""
    versions = Path(os.path.expanduser("~/.pyenv/versions"))
    for place in (shutil.which("python3.8"), *sorted(map(str, versions.glob("3.8.*/bin/python3.8")))):
        if place is None:
            continue
        asked = [place, "-I", "-c", "import os, sys; print(os.path.realpath(sys.executable))"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return said.stdout.strip()
    return None


OLD_PYTHON = old_python()


@pytest.mark.skipif(OLD_PYTHON is None, reason="no Python 3.8 on this machine")
def test_really_old_python(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    old = str(OLD_PYTHON)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "python3").symlink_to(old)
    path = bare_path(tmp_path, tmp_path / "old")
    assert "3.8" in refused(start([str(root / "bin" / "novel")], {**env, "PATH": path}))
    assert "太旧" in refused(start([str(root / "bin" / "novel")], {**env, "NOVEL_PYTHON": old}))


def test_store_stub(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    stub = tmp_path / "Microsoft" / "WindowsApps"
    fake_command(
        stub, "python3", "echo 'Python was not found; run without arguments to install' >&2\nexit 49\n"
    )
    line = refused(start([str(root / "bin" / "novel")], {**env, "PATH": bare_path(tmp_path, stub)}))
    assert "空壳" in line


def test_python_without_venv(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    """Debian without python3-venv: `import ensurepip` fails."""
    real = os.path.realpath(sys.executable)
    block = "import sys; sys.modules['ensurepip'] = None; exec(sys.argv[1])"
    fake_command(tmp_path / "bare", "python3", f'[ "$3" = -c ] && exec "{real}" -c "{block}" "$4"\nexit 1\n')
    fake_command(tmp_path / "bare", "apt-get", "exit 0\n")
    line = refused(
        start([str(root / "bin" / "novel")], {**env, "PATH": bare_path(tmp_path, tmp_path / "bare")})
    )
    assert "sudo apt install python3-venv" in line
    assert os.listdir(env["HOME"]) == []


def test_shim_that_does_not_work_is_passed_over(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_command(tmp_path / "shims", "python3.13", "echo 'python3.13: command not found' >&2\nexit 127\n")
    line = refused(
        start([str(root / "bin" / "novel")], {**env, "PATH": bare_path(tmp_path, tmp_path / "shims")})
    )
    assert "没有找到 Python" in line


def test_given_python_is_not_there(root: Path, env: dict[str, str]) -> None:
    line = refused(start([str(root / "bin" / "novel")], {**env, "NOVEL_PYTHON": "/nowhere/python3"}))
    assert "NOVEL_PYTHON" in line


def test_no_home(root: Path, env: dict[str, str]) -> None:
    assert "HOME" in refused(start([str(root / "bin" / "novel")], {"PATH": env["PATH"]}))


def test_relative_data_folder(root: Path, env: dict[str, str]) -> None:
    assert "NOVEL_DATA" in refused(start([str(root / "bin" / "novel")], {**env, "NOVEL_DATA": "here"}))


def test_incomplete_plugin(root: Path, env: dict[str, str]) -> None:
    (root / "requirements" / "runtime.key").unlink()
    assert "重新安装" in refused(start([str(root / "bin" / "novel")], env))


@pytest.mark.parametrize("parent", ["file", "read-only"])
def test_data_folder_cannot_be_made(root: Path, env: dict[str, str], tmp_path: Path, parent: str) -> None:
    place = tmp_path / "place"
    if parent == "file":
        place.write_text("not a folder")
    elif os.geteuid() != 0:
        place.mkdir(mode=0o555)
    elif sys.platform == "linux":
        place.symlink_to("/proc")  # not even root makes a folder there
    else:
        pytest.skip("root may write everywhere")
    path = os.pathsep.join([os.path.join(sys.base_prefix, "bin"), env["PATH"]])
    run = start([str(root / "bin" / "novel")], {**env, "PATH": path, "NOVEL_DATA": str(place / "data")})
    assert "权限" in refused(run)
    assert sorted(os.listdir(tmp_path)) == sorted(["place", root.name, "家 home"])


def test_script_entry_points_pass_arguments_and_map_exits(root: Path, env: dict[str, str]) -> None:
    """The fake package leaves with 7, which no script may; what it says goes through."""
    fake_venv(root / ".venv")
    for name, arguments in {
        "query-foreshadow": ["3"],
        "extract-outline-block": ["3"],
        "commit-chapter": ["3"],
        "validate-schema": ["一 个.json", "chapter-delta"],
        "gate-decision": ["3"],
    }.items():
        run = start([str(root / "scripts" / f"{name}.sh"), *arguments], env, root.parent)
        assert run.returncode == 2
        assert json.loads(run.stdout)["arguments"] == ["script", name, *arguments]


@pytest.mark.parametrize("code", [0, 1, 2])
def test_script_exits_that_callers_know(root: Path, env: dict[str, str], code: int) -> None:
    fake_venv(root / ".venv")
    main = root / "novel_hooks" / "cli" / "main.py"
    main.write_text(launching.FAKE_MAIN.replace("sys.exit(7)", f"sys.exit({code})"), encoding="utf-8")
    assert start([str(root / "scripts" / "gate-decision.sh"), "1"], env).returncode == code


def test_script_without_python_is_broken(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    run = start([str(root / "scripts" / "gate-decision.sh"), "1"], {**env, "PATH": bare_path(tmp_path)})
    assert run.returncode == 2
    assert "没有找到 Python" in run.stderr


# --- a machine whose /dev/null cannot be written to -------------------------------------------------


@pytest.fixture
def sealed(root: Path) -> Path:
    """The launcher with another place for /dev/null, one that nobody can write to, root included."""
    for place in (root / "bin" / "novel", *(root / "scripts").glob("*.sh")):
        text = place.read_text("utf-8").replace("/dev/null ]", "/nowhere/null ]")
        place.write_text(text.replace(">/dev/null", ">/nowhere/null"), "utf-8")
    return root


def test_an_environment_that_is_there_is_used_without_dev_null(sealed: Path, env: dict[str, str]) -> None:
    fake_venv(sealed / ".venv")
    assert told(start([str(sealed / "bin" / "novel"), "next"], env))["arguments"] == ["next"]
    python = str(sealed / ".venv" / "bin" / "python")
    assert told(start([str(sealed / "bin" / "novel"), "next"], {**env, "NOVEL_PYTHON": python}))


def test_what_cannot_be_built_without_dev_null_is_told_as_it_is(sealed: Path, env: dict[str, str]) -> None:
    said = refused(start([str(sealed / "bin" / "novel"), "next"], env))
    assert "null" in said and "不完整" not in said
    (sealed / "requirements" / "runtime.key").unlink()
    assert "不完整" in refused(start([str(sealed / "bin" / "novel"), "next"], env))
