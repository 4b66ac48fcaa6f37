"""The plugin as a user gets it: installed from a marketplace, in an awkward folder, validated."""

from __future__ import annotations

import mmap
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

from client.harness import Host
from client.plugins import plugin_copy
from client.scenario import do, say, spawn, write

if TYPE_CHECKING:
    from builders import Book

pytestmark = pytest.mark.client

WRITER = "novel:chapter-writer"
AWKWARD = "小说 插件 (新) 'x'"


def guarded(host: Host, novel: Book, plugin: Path) -> None:
    """One session: the agent's legal write lands unasked, its illegal one does not; `plugin` saw to it."""
    draft, landed = novel.at("staging/chapters/chapter-002.md"), novel.at("chapters/chapter-002.md")
    scenario = {
        "main": [do(spawn(WRITER, "写第 2 章")), say("完了")],
        WRITER: [do(write(draft)), do(write(landed)), say("交了")],
    }
    done = host.run(novel.root, "开始", scenario)
    written, refused = done.outcomes(WRITER)
    assert not written.failed and draft.exists(), written
    assert refused.failed and novel.lines("logs/audit.jsonl")[-1]["reason"] in refused.text, refused
    assert not landed.exists()
    assert f'Hooks: PreToolUse:Write ["{plugin}/hooks/guard"]' in done.log


def test_a_folder_with_spaces_and_chinese(claude: Path, tmp_path: Path, novel: Book) -> None:
    plugin = plugin_copy(tmp_path / AWKWARD)
    guarded(Host(claude, tmp_path / "host", plugin), novel, plugin)


def test_installed_from_the_folder(claude: Path, tmp_path: Path, novel: Book) -> None:
    host = Host(claude, tmp_path / "host")
    guarded(host, novel, host.install(plugin_copy(tmp_path / AWKWARD)))


def test_installed_from_a_repository(claude: Path, tmp_path: Path, novel: Book) -> None:
    """What runs then is the client's own copy."""
    host = Host(claude, tmp_path / "host")
    installed = host.install_from_git(plugin_copy(tmp_path / AWKWARD))
    assert host.home in installed.parents
    guarded(host, novel, installed)


def test_a_session_that_does_not_use_it_hardly_pays(claude: Path, tmp_path: Path) -> None:
    """The client's own estimate, which the README passes on."""
    host = Host(claude, tmp_path / "host")
    host.install(plugin_copy(tmp_path / "plugin"))
    told = host.tell("plugin", "details", "novel").stdout
    found = re.search(r"Always-on:\s+~(\d+) tok", told)
    promised = re.search(r"about (\d+) tokens", Path(CHECKOUT, "README.md").read_text(encoding="utf-8"))
    assert found and promised, told
    assert abs(int(found.group(1)) - int(promised.group(1))) < 20


def test_the_line_for_a_free_answer_has_the_clients_words(claude: Path) -> None:
    """The skill and the pages send the author to the line below the choices by what the client writes there."""
    told = {
        path: Path(CHECKOUT, path).read_text("utf-8")
        for path in ("skills/start/SKILL.md", "docs/user/menu.md")
    }
    assert all("“Type something.”" in text and "“其他”" not in text for text in told.values())
    with claude.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:
        assert program.find(b'"Type something."') >= 0


def test_the_ecosystems_own_linter_finds_nothing(claude: Path, tmp_path: Path) -> None:
    host = Host(claude, tmp_path / "host")
    done = host.tell("plugin", "validate", CHECKOUT, "--strict", "--profile", "directory")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "found nothing to report" in done.stdout


def test_the_linter_would_find_something(claude: Path, tmp_path: Path) -> None:
    broken = plugin_copy(tmp_path / "broken")
    (broken / "README.md").unlink()
    done = Host(claude, tmp_path / "host").tell(
        "plugin", "validate", str(broken), "--strict", "--profile", "directory"
    )
    assert done.returncode != 0
