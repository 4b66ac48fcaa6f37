"""The disk of a project, the commands on PATH, a file for the author: looked at, not changed."""

from __future__ import annotations

import errno
import fcntl
import os
import types
from pathlib import Path

import pytest

from novel_hooks import __version__, errors
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    (tmp_path / "book/brief.md").write_bytes(b"")
    return Project(str(tmp_path / "book"))


class TestDisk:
    def test_what_this_user_may_still_write(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []

        def statvfs(place: str) -> types.SimpleNamespace:
            asked.append(place)
            return types.SimpleNamespace(f_bavail=3 * 256 + 255, f_frsize=4096, f_bfree=10**9, f_bsize=10**9)

        monkeypatch.setattr(os, "statvfs", statvfs)
        assert surroundings.free_megabytes(project) == 3
        assert asked == [project.root]

    def test_it_may_be_unknown(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        assert surroundings.free_megabytes(Project(project.root + "-none")) is None
        monkeypatch.delattr(os, "statvfs")
        assert surroundings.free_megabytes(project) is None

    @pytest.mark.parametrize(("rel", "mode"), [("brief.md", os.W_OK), ("", os.W_OK | os.X_OK)])
    def test_may_be_written(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, rel: str, mode: int
    ) -> None:
        assert surroundings.is_writable(project, rel)
        assert not surroundings.is_writable(project, "none.md")
        asked: list[tuple[str, int]] = []

        def refuse(place: str, how: int) -> bool:
            asked.append((place, how))
            return False

        monkeypatch.setattr(os, "access", refuse)
        assert not surroundings.is_writable(project, rel)
        assert asked == [(project.absolute(rel), mode)]

    def test_a_disk_with_locks_has_no_fault(self, project: Project) -> None:
        assert surroundings.lock_fault(project, "brief.md") is None
        assert surroundings.lock_fault(project, "none.md") is None

    def test_a_look_disturbs_no_lock_and_keeps_none(self, project: Project) -> None:
        with open(project.absolute("brief.md"), "rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            assert surroundings.lock_fault(project, "brief.md") is None
            fcntl.flock(handle, fcntl.LOCK_UN)
            assert surroundings.lock_fault(project, "brief.md") is None
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    @pytest.mark.parametrize(
        ("number", "fault"),
        [
            (errno.ENOLCK, "系统报错 ENOLCK"),
            (errno.ENOSYS, "系统报错 ENOSYS"),
            (errno.ENOTSUP, "系统报错"),
            (errno.EAGAIN, None),
        ],
    )
    def test_a_disk_without_locks_is_told(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, number: int, fault: str | None
    ) -> None:
        asked: list[int] = []

        def refuse(_handle: int, how: int) -> None:
            asked.append(how)
            raise OSError(number, "refused")

        monkeypatch.setattr(fcntl, "flock", refuse)
        found = surroundings.lock_fault(project, "brief.md")
        assert found is None if fault is None else found is not None and found.startswith(fault)
        assert asked == [fcntl.LOCK_SH | fcntl.LOCK_NB]

    def test_no_look_through_a_link(self, project: Project) -> None:
        Path(project.absolute("link.md")).symlink_to("brief.md")
        with pytest.raises(errors.NotARegularFile):
            surroundings.lock_fault(project, "link.md")

    def test_a_link_that_came_after_the_look_is_not_opened(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_handle: int, _how: int) -> None:
            raise OSError(errno.ENOLCK, "refused")

        Path(project.absolute("link.md")).symlink_to("brief.md")
        monkeypatch.setattr(Project, "destination", Project.absolute)
        monkeypatch.setattr(fcntl, "flock", refuse)
        assert surroundings.lock_fault(project, "brief.md") is not None
        assert surroundings.lock_fault(project, "link.md") is None


class TestCommands:
    def _command(self, folder: Path, name: str = "novel", mode: int = 0o755) -> str:
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / name
        place.write_text("#!/bin/sh\n", encoding="utf-8")
        place.chmod(mode)
        return str(place)

    def _package(self, folder: Path, version: str) -> None:
        (folder / "novel_hooks").mkdir(parents=True)
        text = f'"""x"""\n__version__ = "{version}"\n'
        (folder / "novel_hooks/__init__.py").write_text(text, encoding="utf-8")

    def _script(self, folder: Path, text: str) -> str:
        folder.mkdir(exist_ok=True)
        (folder / "novel").write_text(text, encoding="utf-8")
        return str(folder / "novel")

    def test_the_first_that_a_shell_would_run(self, tmp_path: Path) -> None:
        first, second = (self._command(tmp_path / name) for name in ("one", "two"))
        (tmp_path / "none").mkdir()
        (tmp_path / "folder/novel").mkdir(parents=True)
        self._command(tmp_path / "plain", mode=0o644)
        path = os.pathsep.join(str(tmp_path / n) for n in ("none", "folder", "plain", "one", "two"))
        assert surroundings.find_command("novel", {"PATH": path}) == first
        assert surroundings.find_command("other", {"PATH": path}) is None
        assert surroundings.find_command("novel", {"PATH": str(tmp_path / "two")}) == second

    def test_an_empty_entry_is_not_the_working_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._command(tmp_path)
        monkeypatch.chdir(tmp_path)
        for path in ("", os.pathsep, f"{os.pathsep}{tmp_path / 'none'}"):
            assert surroundings.find_command("novel", {"PATH": path}) is None
        assert surroundings.find_command("novel", {}) is None

    def test_the_launcher_of_a_checkout(self, tmp_path: Path) -> None:
        script = self._command(tmp_path / "checkout" / "bin")
        assert surroundings.version_behind(script) is None
        self._package(tmp_path / "checkout", "7.8.9")
        (tmp_path / "elsewhere").symlink_to(script)
        assert surroundings.version_behind(script) == "7.8.9"
        assert surroundings.version_behind(str(tmp_path / "elsewhere")) == "7.8.9"

    def test_this_checkout_has_this_version(self) -> None:
        checkout = Path(surroundings.__file__).parents[3]
        assert surroundings.version_behind(str(checkout / "bin" / "novel")) == __version__

    @pytest.mark.parametrize("lib", ["lib", "lib64"])
    @pytest.mark.parametrize(
        "text",
        [
            "#!{python}\nfrom novel_hooks.cli import main\n",
            "#!/bin/sh\n'''exec' '{python}' \"$0\" \"$@\"\n' '''\nimport novel_hooks\n",
        ],
    )
    def test_an_installed_script(self, tmp_path: Path, text: str, lib: str) -> None:
        env = tmp_path / "an [odd] env"
        self._package(env / lib / "python3.11" / "site-packages", "4.5.6")
        script = self._script(tmp_path / "bin", text.replace("{python}", str(env / "bin" / "python3.11")))
        assert surroundings.version_behind(script) == "4.5.6"

    @pytest.mark.parametrize("text", ["#!/bin/sh\necho novel\n", "from novel_hooks import x\n", ""])
    def test_another_program_has_none(self, tmp_path: Path, text: str) -> None:
        assert surroundings.version_behind(self._script(tmp_path / "bin", text)) is None

    def test_a_script_of_another_program_is_not_searched(self, tmp_path: Path) -> None:
        self._package(tmp_path / "env/lib/python3.11/site-packages", "4.5.6")
        script = self._script(tmp_path / "bin", f"#!{tmp_path}/env/bin/python\nimport other\n")
        assert surroundings.version_behind(script) is None

    @pytest.mark.parametrize("content", [b"\xff\xfe", b"version = 1", None])
    def test_a_package_without_version_has_none(self, tmp_path: Path, content: bytes | None) -> None:
        script = self._command(tmp_path / "checkout" / "bin")
        package = tmp_path / "checkout" / "novel_hooks"
        package.mkdir()
        if content is not None:
            (package / "__init__.py").write_bytes(content)
        assert surroundings.version_behind(script) is None
        assert surroundings.version_behind(str(tmp_path / "none")) is None

    def test_a_program_in_another_encoding_is_no_fault(self, tmp_path: Path) -> None:
        script = self._command(tmp_path / "bin")
        Path(script).write_bytes(b"\x7fELF\xff\xfe" * 3000)
        assert surroundings.version_behind(script) is None


class TestAuthorFile:
    def test_it_is_new_and_private(self, tmp_path: Path) -> None:
        place = tmp_path / "bundle.zip"
        surroundings.create_author_file(str(place), b"\r\n\0bytes")
        assert place.read_bytes() == b"\r\n\0bytes"
        assert place.stat().st_mode & 0o777 == 0o600

    def test_one_that_is_there_is_never_written_over(self, tmp_path: Path) -> None:
        place = tmp_path / "bundle.zip"
        place.write_bytes(b"the author's")
        (tmp_path / "link.zip").symlink_to("elsewhere.zip")
        for there in (place, tmp_path / "link.zip"):
            with pytest.raises(errors.BundleExists) as caught:
                surroundings.create_author_file(str(there), b"x")
            assert caught.value.values["place"] == str(there)
        assert place.read_bytes() == b"the author's"
        assert not (tmp_path / "elsewhere.zip").exists()

    def test_a_refusal_is_told(self, tmp_path: Path) -> None:
        place = str(tmp_path / "none" / "bundle.zip")
        with pytest.raises(errors.WriteFailed, match="移走了") as caught:
            surroundings.create_author_file(place, b"x")
        assert caught.value.path == place

    def test_a_full_disk_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Full:
            def __enter__(self) -> Full:
                return self

            def __exit__(self, *_: object) -> None:
                raise OSError(errno.ENOSPC, "No space left on device")

            def write(self, _data: bytes) -> None:
                pass

        def fdopen(handle: int, mode: str) -> Full:
            assert mode == "wb"
            os.close(handle)
            return Full()

        monkeypatch.setattr(os, "fdopen", fdopen)
        place = str(tmp_path / "bundle.zip")
        with pytest.raises(errors.WriteFailed, match="磁盘空间不够") as caught:
            surroundings.create_author_file(place, b"x")
        assert caught.value.path == place
