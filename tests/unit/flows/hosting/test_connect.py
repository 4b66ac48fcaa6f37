"""`novel host codex`: written whole, once; an author's own file is never taken for ours."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from pathlib import Path

import pytest
from builders import Book, book

from novel_hooks import errors, layout
from novel_hooks.flows.hosting import files
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.hosting import project_files
from novel_hooks.store.files import assets

CONFIG, HOOKS = project_files.CONFIG, project_files.HOOKS
ROLE = ".codex/agents/summarizer.toml"


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    return book(tmp_path)


def put(novel: Book, path: str, text: str) -> None:
    place = novel.at(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def test_all_files_and_nothing_else_and_once(novel: Book) -> None:
    before = novel.tree()
    done = novel.ok("host", "codex")
    assert set(done["changed"]) == set(files.wanted())
    assert {path for path in novel.changed(before) if novel.at(path).is_file()} == {
        *files.wanted(),
        layout.CODEX,
    }
    after = novel.tree()
    assert novel.ok("host", "codex")["changed"] == [] and novel.changed(after) == {}
    assert novel.ok("host", "codex", "--check") == {"changed": [], "kept": []}


def test_removed_again_with_its_folders(novel: Book) -> None:
    before = novel.tree()
    novel.ok("host", "codex")
    novel.ok("host", "codex", "--remove")
    assert novel.changed(before) == {}
    assert not novel.at(".codex").exists() and not novel.at(".agents").exists()


def test_what_the_author_changed_stays(novel: Book) -> None:
    novel.ok("host", "codex")
    put(novel, ROLE, "mine")
    put(novel, ".codex/agents/other.toml", "other")
    done = novel.ok("host", "codex", "--remove")
    assert done["kept"] == [ROLE]
    assert sorted(path.name for path in novel.at(".codex/agents").iterdir()) == [
        "other.toml",
        "summarizer.toml",
    ]


@pytest.mark.parametrize("path", [CONFIG, HOOKS, ROLE])
def test_a_foreign_file_stops_it_and_nothing_is_written(novel: Book, path: str) -> None:
    put(novel, path, "mine = 1\n")
    before = novel.tree()
    found = novel.novel("host", "codex")
    assert found.exit == 3 and novel.changed(before) == {}
    (told,) = found.diagnostics
    assert (told.code, told.path) == ("HOST_FILE_FOREIGN", path)
    ours = files.wanted()[path].decode("utf-8")
    assert (ours in told.fix) == (path != ROLE), "the lines to add by hand"


def test_the_authors_own_file_with_our_lines_in_it_is_kept(novel: Book) -> None:
    wanted = files.wanted()
    put(novel, CONFIG, f"model = 'x'\n{wanted[CONFIG].decode()}\n[mine]\n")
    hooks = json.loads(wanted[HOOKS])
    hooks["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "bell"}]})
    put(novel, HOOKS, json.dumps(hooks))
    done = novel.ok("host", "codex")
    assert set(done["kept"]) == {CONFIG, HOOKS}
    assert novel.ok("host", "codex", "--check")["changed"] == []
    novel.ok("host", "codex", "--remove")
    assert novel.at(CONFIG).exists() and novel.at(HOOKS).exists()


@pytest.mark.parametrize(
    "spoilt",
    [
        "[mine]\na = 1\n{ours}",
        "[shell_environment_policy]\ninherit = 'all'\n\n{ours}",
        "a = '''\n{ours}'''\n",
        '{ours}\n[permissions.novel-staging.filesystem]\n"/" = "write"\n',
        "[features]\nmulti_agent_v2 = false\n{ours}",
        "permissions.novel-staging.extends = ':workspace'\n{ours}",
        "{ours}{ours}",
    ],
)
def test_lines_that_do_not_hold_in_the_authors_file_are_not_taken_for_ours(novel: Book, spoilt: str) -> None:
    put(novel, CONFIG, spoilt.replace("{ours}", files.wanted()[CONFIG].decode()))
    before = novel.tree()
    told = novel.refused(3, "HOST_FILE_FOREIGN", "host", "codex")
    assert "第一个方括号行以前" in told.fix and novel.changed(before) == {}


def test_settings_that_are_no_text_hold_nothing(novel: Book) -> None:
    """Codex refuses to start on them."""
    put(novel, CONFIG, "")
    novel.at(CONFIG).write_bytes(files.wanted()[CONFIG] + b"# \xff\n")
    novel.refused(3, "HOST_FILE_FOREIGN", "host", "codex")


def test_the_parts_may_stand_where_they_hold(novel: Book) -> None:
    top, _, tables = files.wanted()[CONFIG].decode().partition("\n\n")
    put(novel, CONFIG, f"model = 'x'\n{top}\n\n[mine]\na = 1\n\n{tables}inherit = 'all'\n\n[other]\nb = 2\n")
    assert CONFIG in novel.ok("host", "codex")["kept"]


def test_a_refusal_makes_no_folder_and_a_killed_run_leaves_no_litter(novel: Book) -> None:
    shutil.rmtree(novel.at(layout.STAGING))
    put(novel, CONFIG, "a = 1\n")
    assert novel.refused(3, "HOST_FILE_FOREIGN", "host", "codex") and not novel.at(layout.STAGING).exists()
    novel.at(CONFIG).unlink()
    left = ".codex/agents/.novel-tmp-999999999-0123456789ab"
    put(novel, left, "half")
    novel.ok("host", "codex")
    assert not novel.at(left).exists()
    put(novel, left, "half")
    novel.ok("host", "codex", "--remove")
    assert not novel.at(".codex").exists()


@pytest.mark.parametrize("name", ["a:b", "a\x7fb", "a\udcffb"])
def test_a_plugin_in_a_folder_that_codex_cannot_name(
    novel: Book, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(assets, "plugin_path", lambda rel: f"/p/{name}/{rel}")
    assert "改个名字" in novel.refused(3, "HOST_PLACE_ODD", "host", "codex").fix


def test_a_plugin_that_was_updated_or_moved_is_told_and_mended(
    novel: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    novel.ok("host", "codex")
    newer = {**files.wanted(), ROLE: b"newer\n"}
    gone = ".codex/agents/world-builder.toml"
    newer.pop(gone)
    monkeypatch.setattr(files, "wanted", lambda: newer)
    novel.at(CONFIG).unlink()
    found = novel.novel("host", "codex", "--check")
    assert found.exit == 1
    assert {one.path for one in found.diagnostics} == {CONFIG, ROLE, gone}
    novel.ok("host", "codex")
    assert novel.at(ROLE).read_bytes() == b"newer\n" and not novel.at(gone).exists()
    assert novel.novel("host", "codex", "--check").exit == 0


def test_a_step_that_is_out_is_not_disturbed(novel: Book) -> None:
    novel.ok("instructions", "chapter:002:draft", "--write-manifest")
    novel.draft()
    for words in (("host", "codex"), ("host", "codex", "--remove")):
        novel.ok(*words)
    novel.ok("advance", "chapter:002:draft")


def test_a_package_without_the_plugin_refuses(novel: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(rel: str) -> str:
        raise errors.AssetMissing(what=rel)

    monkeypatch.setattr(assets, "plugin_path", missing)
    before = novel.tree()
    assert novel.refused(3, "HOST_NO_PLUGIN", "host", "codex") and novel.changed(before) == {}


def test_a_book_that_was_never_set_up(novel: Book) -> None:
    assert novel.ok("host", "codex", "--check")["changed"] == []
    assert novel.ok("host", "codex", "--remove")["changed"] == []


BELL = {"hooks": [{"type": "command", "command": "bell"}]}


def moved(novel: Book, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """The plugin lies elsewhere from now on."""
    now = {path: data.replace(old.encode(), new.encode()) for path, data in files.wanted().items()}
    assert now[HOOKS] != files.wanted()[HOOKS] and now[CONFIG] != files.wanted()[CONFIG]
    monkeypatch.setattr(files, "wanted", lambda: now)


def add_mine(novel: Book) -> None:
    """The author adds a hook and a setting to our files."""
    hooks = json.loads(novel.at(HOOKS).read_text(encoding="utf-8"))
    hooks["hooks"]["Stop"].insert(0, BELL)
    put(novel, HOOKS, json.dumps(hooks, ensure_ascii=False))
    put(novel, CONFIG, "model = 'x'\n" + novel.at(CONFIG).read_text(encoding="utf-8"))


def do_as_told(novel: Book, path: str, told: str) -> None:
    """What an author does who reads it: each line that goes is replaced by what stands for it."""
    text = novel.at(path).read_text(encoding="utf-8")
    if path == HOOKS:
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    for step in re.split(r"\n把下面这些(?:（\d 处）)?：\n", told)[1:]:
        old, new = step.split("\n换成：\n")
        assert old in text, old
        text = text.replace(old, new)
    put(novel, path, text)


def test_after_a_move_the_lines_to_change_in_the_authors_file_are_told(
    novel: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = str(Path(assets.plugin_path("bin/novel")).parent.parent)
    novel.ok("host", "codex")
    add_mine(novel)
    assert set(novel.ok("host", "codex")["kept"]) == {CONFIG, HOOKS}
    moved(novel, monkeypatch, plugin, "/else where")
    check = {one.path: one.fix for one in novel.novel("host", "codex", "--check").diagnostics}
    before = novel.tree()
    refused = {one.path: one.fix for one in novel.novel("host", "codex").diagnostics}
    assert set(refused) == {CONFIG, HOOKS} and novel.changed(before) == {}
    for path, told in refused.items():
        assert told.split("：\n", 1)[1] == check[path].split("：\n", 1)[1]
        assert "bell" not in told and "novel-staging" not in told, "what stays is not told"
        do_as_told(novel, path, told)
    assert set(novel.ok("host", "codex")["kept"]) == {CONFIG, HOOKS}
    assert novel.ok("host", "codex", "--check")["changed"] == []
    assert plugin not in novel.at(HOOKS).read_text(encoding="utf-8")
    assert BELL in json.loads(novel.at(HOOKS).read_text(encoding="utf-8"))["hooks"]["Stop"]


def test_old_lines_beside_the_new_ones_are_told(novel: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard that is gone would refuse every call."""
    plugin = str(Path(assets.plugin_path("bin/novel")).parent.parent)
    novel.ok("host", "codex")
    add_mine(novel)
    hooks = json.loads(novel.at(HOOKS).read_text(encoding="utf-8"))
    moved(novel, monkeypatch, plugin, "/else where")
    for event, entries in json.loads(files.wanted()[HOOKS])["hooks"].items():
        hooks["hooks"][event] += entries
    put(novel, HOOKS, json.dumps(hooks, ensure_ascii=False))
    told = next(one for one in novel.novel("host", "codex").diagnostics if one.path == HOOKS)
    assert "去掉：" in told.fix and "/hooks/guard" in told.fix and "/else where" not in told.fix


@pytest.mark.parametrize("own", [False, True])
def test_what_is_left_of_ours_is_told_when_it_is_taken_away(novel: Book, own: bool) -> None:
    """In a file of ours that he added to, and in one that was his from the start."""
    if own:
        for path in (CONFIG, HOOKS):
            put(novel, path, files.wanted()[path].decode("utf-8"))
    else:
        novel.ok("host", "codex")
    add_mine(novel)
    novel.ok("host", "codex")
    found = novel.novel("host", "codex", "--remove")
    assert found.exit == 0 and set(found.data["kept"]) == {CONFIG, HOOKS}
    told = {one.path: one.fix for one in found.diagnostics}
    assert "/hooks/guard" in told[HOOKS] and "bell" not in told[HOOKS]
    assert "[permissions.novel-staging]" in told[CONFIG] and "model = 'x'" not in told[CONFIG]


def test_a_second_line_of_a_key_of_ours_does_not_hold(novel: Book) -> None:
    ours = files.wanted()[CONFIG].decode("utf-8")
    put(novel, CONFIG, f"{ours}set = {{ PATH = '/bin' }}\n")
    assert novel.refused(3, "HOST_FILE_FOREIGN", "host", "codex").path == CONFIG


@pytest.mark.parametrize("words", [(), ("--remove",)])
def test_a_command_that_was_killed_in_between_is_told_and_gone_on_with(
    novel: Book, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    count = len(files.wanted())
    if words:
        novel.ok("host", "codex")
    calls = itertools.count()

    def die(_session: Session) -> None:
        if next(calls) == 5:  # once before the landing, then before each file
            raise errors.JournalPending(layout.JOURNAL, label="", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(Session, "guard", die)
        assert novel.novel("host", "codex", *words).exit != 0
    before = novel.tree()
    there = sum(novel.at(path).exists() for path in files.wanted())
    assert 0 < there < count
    told = novel.novel("host", "codex", "--check")
    assert told.exit == 1 and f"{count} 个文件里现在有 {there} 个" in told.text
    assert f"`novel host codex{' --remove' * bool(words)}`" in told.text and novel.changed(before) == {}
    novel.ok("host", "codex", *words)
    assert novel.novel("host", "codex", "--check").exit == 0
    assert novel.at(ROLE).exists() == (not words)


def test_files_that_nobody_has_recorded_are_told(novel: Book) -> None:
    """A copy of a book without `.novel/`; an author's own settings alone are none of ours."""
    put(novel, CONFIG, "a = 1\n")
    assert novel.novel("host", "codex", "--check").exit == 0
    novel.at(CONFIG).unlink()
    novel.ok("host", "codex")
    novel.at(layout.CODEX).unlink()
    found = novel.novel("host", "codex", "--check")
    assert found.exit == 1 and [one.path for one in found.diagnostics] == [layout.CODEX]
    novel.ok("host", "codex")
    assert novel.novel("host", "codex", "--check").exit == 0
