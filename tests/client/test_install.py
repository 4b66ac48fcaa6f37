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


@pytest.mark.exhaustive
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
    """The client's own estimate, which both READMEs pass on."""
    host = Host(claude, tmp_path / "host")
    host.install(plugin_copy(tmp_path / "plugin"))
    told = host.tell("plugin", "details", "novel").stdout
    found = re.search(r"Always-on:\s+~(\d+) tok", told)
    assert found, told
    for page, words in (("README.md", r"会话里约占 (\d+) 词元"), ("README.en.md", r"about (\d+) tokens")):
        promised = re.search(words, Path(CHECKOUT, page).read_text(encoding="utf-8"))
        assert promised and abs(int(found.group(1)) - int(promised.group(1))) < 20, page


def test_the_line_for_a_free_answer_has_the_clients_words(claude: Path) -> None:
    """The skill and the pages send the author to the line below the choices; the client writes its name."""
    told = {
        path: Path(CHECKOUT, path).read_text("utf-8")
        for path in ("skills/start/SKILL.md", "docs/user/menu.md")
    }
    assert all("“Type something.”" in text and "“其他”" not in text for text in told.values())
    with claude.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:
        assert program.find(b'"Type something."') >= 0


def shown_failures() -> list[str]:
    """What the page says the client says, as patterns; … is anything."""
    page = Path(CHECKOUT, "docs/user/trouble.md").read_text("utf-8")
    rows = re.findall(r"^\| (.*?) \| ", page.split("## 写作助手说的")[0], re.M)
    told = [told for row in rows for told in re.findall(r"`([^`]+)`", row) if " " in told]
    return [re.escape(one).replace("…", ".*") for one in told if not one.startswith("claude ")]


def moved_about(host: Host, plugin: Path, elsewhere: Path) -> str:
    """All that the client says to an author who installs too early, then moves the folder; it ends well."""
    said = []

    def tell(*words: str, ok: bool) -> str:
        done = host.tell("plugin", *words)
        assert (done.returncode == 0) is ok, (words, done.stdout, done.stderr)
        said.append(done.stdout + done.stderr)
        return said[-1]

    tell("marketplace", "add", str(plugin / "docs"), ok=False)
    tell("install", "novel@novel", ok=False)
    host.install(plugin)
    plugin.rename(elsewhere)
    tell("list", ok=True)
    for words in (("update", "novel@novel"), ("marketplace", "update", "novel"), ("details", "novel")):
        tell(*words, ok=False)
    tell("install", "novel@novel", ok=False)
    tell("marketplace", "add", str(elsewhere), ok=True)
    tell("install", "novel@novel", ok=True)
    assert f"Read from: {elsewhere}" in tell("list", ok=True)
    for ok in (True, False):
        tell("uninstall", "novel@novel", ok=ok)
        tell("marketplace", "remove", "novel", ok=ok)
    return "".join(said)


@pytest.mark.exhaustive
def test_what_the_client_says_of_a_moved_folder_is_on_the_page(claude: Path, tmp_path: Path) -> None:
    """And the page's advice, the same two commands in the folder's new place, is right."""
    host = Host(claude, tmp_path / "host")
    said = moved_about(host, plugin_copy(tmp_path / "小说"), tmp_path / "新家")
    shown = shown_failures()
    assert len(shown) >= 9 and [one for one in shown if not re.search(one, said)] == []
    failures = [line for line in said.splitlines() if "✘" in line or "not found" in line]
    assert [
        line for line in failures if not any(re.search(one, line) for one in [*shown, "failed to load$"])
    ] == []


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
