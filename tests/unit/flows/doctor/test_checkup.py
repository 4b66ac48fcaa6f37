"""`novel doctor`: a sound book is sound, every fault is named, `--fix` mends what has one right answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book, process
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import __version__, errors, layout
from novel_hooks.cli.call import call
from novel_hooks.flows.doctor import checkup, installation
from novel_hooks.store.files import assets
from novel_hooks.store.formats import jsonio, logtail
from novel_hooks.store.journal import journal, recovery

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}
DEAD = 2**30


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 1 by another tool, 2 and 3 by the real commands; 4 comes next."""
    found = book(tmp_path, volume_size=12)
    for number in (2, 3):
        found.chapter = number
        land(found)
    found.chapter = 4
    return found


def land(made: Book, **delta: Any) -> Any:
    made.stage("judged")
    made.draft()
    made.records(**(delta or {"ops": [{**PLANT, "value": "planted" if made.chapter == 2 else "advanced"}]}))
    made.evaluation()
    return made.ok("commit", "--chapter", str(made.chapter))


def doctor(made: Book, *argv: str) -> tuple[int, dict[str, errors.Diagnostic]]:
    """The exit and the findings by code."""
    found = made.novel("doctor", *argv)
    return found.exit, {d.code: d for d in found.diagnostics}


# --- sound -----------------------------------------------------------------------------------


def test_a_book_as_commits_leave_it_is_sound_and_untouched(made: Book) -> None:
    before = made.tree()
    found = made.novel("doctor")
    assert (found.exit, found.diagnostics) == (0, ())
    assert found.data["sound"] is True and len(found.data["checked"]) > 15
    assert made.changed(before) == {}


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "judged"])
def test_sound_in_the_middle_of_a_chapter(made: Book, stage: str) -> None:
    made.until(stage)
    exit, found = doctor(made)
    assert exit == 0
    assert set(found) == {"LOCK_HELD"}


def test_a_book_of_another_tool_is_sound(tmp_path: Path) -> None:
    assert doctor(book(tmp_path, chapters=13, volume_size=6)) == (0, {})


def test_what_earlier_versions_kept_is_no_fault(made: Book) -> None:
    made.write(f"{layout.SNAPSHOTS}/chapter-050.json", {"lines": 50})
    assert doctor(made) == (0, {})


def installed(place: Path, version: str, head: str) -> Path:
    """What `pipx install` leaves: an environment with the package, and the script that a shell finds."""
    package = place / "venv" / "lib" / "python3.11" / "site-packages" / "novel_hooks"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'"""Novel."""\n\n__version__ = "{version}"\n')
    script = place / "venv" / "bin" / "novel"
    script.parent.mkdir()
    body = "import sys\nfrom novel_hooks.cli.main import entry\nsys.exit(entry())\n"
    script.write_text(head.format(python=place / "venv" / "bin" / "python") + body, encoding="utf-8")
    script.chmod(0o755)
    (place / "bin").mkdir()
    (place / "bin" / "novel").symlink_to(script)
    return place / "bin"


@pytest.mark.parametrize("head", ["#!{python}\n", "#!/bin/sh\n'''exec' '{python}' \"$0\" \"$@\"\n' '''\n"])
def test_an_installed_copy_of_this_version_is_as_good(tmp_path: Path, head: str) -> None:
    assert codes({"PATH": str(installed(tmp_path / "我的 书", __version__, head))}) == set()
    assert codes({"PATH": str(installed(tmp_path / "old", "0.0.1", head))}) == {"PATH_OTHER_NOVEL"}


def test_another_checkout_of_this_version_is_as_good(tmp_path: Path) -> None:
    for version, told in ((__version__, set()), ("0.0.1", {"PATH_OTHER_NOVEL"})):
        root = tmp_path / version
        for folder in ("bin", "novel_hooks"):
            (root / folder).mkdir(parents=True)
        (root / "novel_hooks" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        (root / "bin" / "novel").write_text("#!/bin/sh\n")
        (root / "bin" / "novel").chmod(0o755)
        assert codes({"PATH": str(root / "bin")}) == told


def test_a_new_project_is_sound(tmp_path: Path) -> None:
    root = tmp_path / "new"
    assert call("init", [str(root)], {"NOVEL_OWNER": "x"}).exit == 0
    assert doctor(Book(root, 1)) == (0, {})


def test_the_page_has_the_faults_first_and_what_passed_in_one_line(made: Book) -> None:
    sound = made.novel("doctor")
    assert (sound.text, sound.after.count("\n")) == ("没有发现问题。", 0)
    assert f"{len(sound.data['checked'])} 项" in sound.after
    made.write(layout.STATE, {**made.json(layout.STATE), "characters": {}})
    found = made.novel("doctor")
    assert found.text == "有 1 处要看："
    assert "故事状态" in sound.after and "故事状态" not in found.after
    assert found.after.startswith(f"查过没有问题的 {len(found.data['checked']) - 1} 项：安装、")
    page = process("doctor", cwd=made.root, env={"PATH": os.defpath})
    assert page.stdout.decode().splitlines() == [found.text, found.after]


def test_a_card_that_is_not_named_by_its_id_is_told_with_what_to_rename(made: Book) -> None:
    name = sorted(n for n in made.names(layout.CHARACTERS) if n.endswith(".json"))[0]
    card = made.json(f"{layout.CHARACTERS}/{name}")
    made.write(f"{layout.CHARACTERS}/Lu_Ren.json", {**card, "id": "lu-ren", "display_name": "路人"})
    told = [d for d in made.novel("doctor").diagnostics if d.code == "CHARACTER_ID_WRONG"]
    assert [d.path for d in told] == [f"{layout.CHARACTERS}/Lu_Ren.json"] and "lu-ren.json" in told[0].fix


def test_fix_on_a_sound_book_changes_nothing(made: Book) -> None:
    before = made.tree()
    found = made.novel("doctor", "--fix")
    assert (found.exit, found.data["repaired"]) == (0, [])
    assert made.changed(before) == {}


# --- what is found ---------------------------------------------------------------------------


def edit(path: str, **changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        made.write(path, {**made.json(path), **changes})

    return change


def put(path: str, content: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        made.write(path, content)

    return change


def drop(path: str) -> Callable[[Book], None]:
    return lambda made: made.drop(path)


def line(at: int, **changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        lines = made.lines(layout.CHANGELOG)
        lines[at - 1].update(changes)
        made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in lines))

    return change


def reorder(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in [*lines, lines[0]]))


def thread(**changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        document = made.json(layout.FORESHADOWING)
        document["foreshadowing"][-1].update(changes)
        made.write(layout.FORESHADOWING, document)

    return change


def twin(made: Book) -> None:
    document = made.json(layout.FORESHADOWING)
    document["foreshadowing"].append(document["foreshadowing"][0])
    made.write(layout.FORESHADOWING, document)


def link(path: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        place = made.at(path)
        if place.is_dir():
            shutil.rmtree(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(made.root.parent)

    return change


def cast_twin(made: Book) -> None:
    names = [n for n in made.names(layout.CHARACTERS) if n.endswith(".json")]
    first, second = (made.json(f"{layout.CHARACTERS}/{n}") for n in names[:2])
    made.write(f"{layout.CHARACTERS}/{names[1]}", {**second, "display_name": first["display_name"]})


def outline(old: str, new: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        text = made.at(layout.outline(1)).read_text("utf-8")
        assert old in text
        made.write(layout.outline(1), text.replace(old, new, 1))

    return change


def gone(path: str) -> Callable[[Book], None]:
    return lambda made: shutil.rmtree(made.at(path))


def held_by(owner: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        assert made.novel("lock", "acquire", owner=owner).exit == 0

    return change


def dead_lock(made: Book) -> None:
    held_by(OTHER)(made)
    old = "2020-01-01T00:00:00Z"
    made.write(layout.LOCK_INFO, {**made.json(layout.LOCK_INFO), "started": old, "renewed": old})


def keyless(made: Book) -> None:
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text.replace("**POV**", "**Pov**"))


def os_lock_folder(made: Book) -> None:
    made.drop(layout.OS_LOCK)
    made.at(layout.OS_LOCK).mkdir()


def folder_file(made: Book) -> None:
    gone("staging/state")(made)
    made.write("staging/state", b"")


ENTITY = {
    "ts": "2026-01-01T00:00:00Z",
    "chapter": 9,
    "mention": "甲",
    "context": "",
    "suggested_type": "item",
}
CASES: dict[str, tuple[Callable[[Book], None], str, int]] = {
    "checkpoint that contradicts itself": (
        edit(layout.CHECKPOINT, inflight_chapter=9),
        "CHECKPOINT_INCONSISTENT",
        5,
    ),
    "illegal checkpoint": (edit(layout.CHECKPOINT, orchestrator_state="SLEEPING"), "CHECKPOINT_BROKEN", 5),
    "checkpoint written by another": (edit(layout.CHECKPOINT, mine=1), "CHECKPOINT_EDITED", 1),
    "chapter lost": (drop(layout.chapter(2)), "LANDED_FILE_MISSING", 5),
    "summary lost": (drop(layout.summary(2)), "LANDED_FILE_MISSING", 5),
    "log lost": (drop(layout.chapter_log(1)), "LANDED_FILE_MISSING", 5),
    "chapter ahead": (put(layout.chapter(4), "# 第 4 章 夜\n"), "CHAPTER_BEYOND_CHECKPOINT", 5),
    "checkpoint behind": (edit(layout.CHECKPOINT, last_completed_chapter=2), "CHAPTER_BEYOND_CHECKPOINT", 5),
    "hand edit": (put(layout.chapter(2), "# 第 2 章 夜\n\n改了。\n"), "LANDED_FILE_EDITED", 0),
    "evaluation no json": (put(layout.evaluation(2), b"{"), "OWN_FILE_BROKEN", 5),
    "evaluation of another chapter": (edit(layout.evaluation(1), chapter=7), "OWN_FILE_DAMAGED", 5),
    "evaluation edited to nonsense": (edit(layout.evaluation(2), scores=3), "OWN_FILE_DAMAGED", 5),
    "landed record broken": (put(layout.landed_record(2), b"[]"), "LANDED_RECORD_BROKEN", 5),
    "state edited": (edit(layout.STATE, world_state={"time_marker": "冬"}), "STATE_DIFFERS", 5),
    "state lost": (drop(layout.STATE), "STATE_DIFFERS", 5),
    "state no json": (put(layout.STATE, b"{"), "STATE_DIFFERS", 5),
    "versions that do not join": (line(2, base_state_version=5), "CHANGELOG_BROKEN", 5),
    "op that cannot be applied": (
        line(2, ops=[{"op": "remove", "path": "items.x.y", "value": 1}]),
        "CHANGELOG_BROKEN",
        5,
    ),
    "chapter twice in the log": (reorder, "CHANGELOG_BROKEN", 5),
    "log lost whole": (drop(layout.CHANGELOG), "CHANGELOG_CHAPTERS_MISSING", 5),
    "log line of no shape": (line(2, ops=[{"path": "x"}]), "OWN_FILE_DAMAGED", 5),
    "foreshadowing no json": (put(layout.FORESHADOWING, b"{"), "JSON_BROKEN", 1),
    "illegal status": (thread(status="open"), "SCHEMA_VIOLATION", 1),
    "illegal range": (thread(target_resolve_range=[9, 3]), "SCHEMA_VIOLATION", 1),
    "history ahead of the book": (
        thread(history=[{"chapter": 40, "action": "planted", "detail": ""}]),
        "FORESHADOWING_ODD",
        1,
    ),
    "two items of one id": (twin, "FORESHADOWING_ODD", 1),
    "history the log does not have": (thread(history=[]), "FORESHADOWING_DISAGREES", 1),
    "waiting foreshadowing": (put(layout.FORESHADOW_BACKLOG, [3]), "FORESHADOWING_WAITING", 1),
    "entity of a chapter ahead": (
        put(layout.UNKNOWN_ENTITIES, jsonio.dump_line(ENTITY)),
        "OWN_FILE_DAMAGED",
        5,
    ),
    "entity line of no shape": (put(layout.UNKNOWN_ENTITIES, b"{}\n"), "OWN_FILE_DAMAGED", 5),
    "audit line no json": (put(layout.AUDIT, b"{\n"), "AUDIT_LINES_SKIPPED", 1),
    "contract of no shape": (put(layout.contract(1, 5), {"chapter": 5}), "SCHEMA_VIOLATION", 1),
    "old contract no json": (put(layout.contract(1, 1), b"{"), "JSON_BROKEN", 1),
    "contract of another storyline": (
        edit(layout.contract(1, 5), storyline_id="nobody"),
        "CONTRACT_MISMATCH",
        1,
    ),
    "schedule": (put(layout.schedule(1), {"volume": "一"}), "SCHEMA_VIOLATION", 1),
    "plan": (put(layout.foreshadowing_plan(1), {"foreshadowing": 3}), "SCHEMA_VIOLATION", 1),
    "rules": (put(layout.WORLD_RULES, {"rules": 3}), "SCHEMA_VIOLATION", 1),
    "style": (put(layout.STYLE_PROFILE, b"["), "JSON_BROKEN", 1),
    "blacklist": (put(layout.BLACKLIST, {"words": 3}), "SCHEMA_VIOLATION", 1),
    "spec": (put(layout.STORYLINE_SPEC, {"rules": 3}), "SCHEMA_VIOLATION", 1),
    "storylines": (put(layout.STORYLINES, {"storylines": 3}), "SCHEMA_VIOLATION", 1),
    "settings": (put(layout.CONFIG, "titel: 河\n"), "CONFIG_KEY_UNKNOWN", 1),
    "brief not UTF-8": (put(layout.BRIEF, "立意".encode("gbk")), "FILE_NOT_UTF8", 1),
    "brief lost": (drop(layout.BRIEF), "FILE_MISSING", 1),
    "two characters of one name": (cast_twin, "CHARACTER_DUPLICATE_NAME", 1),
    "character": (put(layout.character_card("nobody"), {"id": 3}), "SCHEMA_VIOLATION", 1),
    "heading that is nearly one": (outline("### 第 6 章", "### 第六章"), "OUTLINE_HEADING_NEAR", 1),
    "heading twice": (outline("### 第 6 章", "### 第 7 章"), "OUTLINE_NUMBERING", 1),
    "key line lost": (keyless, "OUTLINE_KEY_MISSING", 1),
    "link in staging": (link("staging/chapters/chapter-004.md"), "FILE_NOT_REGULAR", 1),
    "staging a link": (link("staging"), "FILE_NOT_FOLDER", 1),
    "lock of another": (held_by(OTHER), "LOCK_HELD", 0),
    "lock of nobody": (dead_lock, "LOCK_LEFT_BEHIND", 1),
    "lock a file": (put(layout.LOCK_DIR, "x"), "LOCK_PATH_ODD", 1),
    "os lock a folder": (os_lock_folder, "OWN_PLACE_ODD", 5),
    "journal broken": (put(f"{layout.JOURNAL}/manifest.json", b"{}"), "JOURNAL_BROKEN", 5),
    "half a journal": (put(f"{layout.JOURNAL}.new-0123456789abcdef/0000", b"x"), "LITTER_LEFT", 1),
    "temporary file": (put(f".novel-tmp-{DEAD}-0123456789ab", b"x"), "LITTER_LEFT", 1),
    "another tool's folder": (put(".novel/transaction/log", b"x"), "OWN_FOLDER_STRANGER", 1),
    "another tool's checkpoint": (put(".checkpoint.json.tmp", b"{}"), "OWN_FOLDER_STRANGER", 1),
    "folder lost": (gone("staging/state"), "FOLDER_MISSING", 1),
    "folder a file": (folder_file, "FILE_NOT_FOLDER", 1),
}


@pytest.mark.parametrize("name", CASES)
def test_named(made: Book, name: str) -> None:
    """With its code and exit, place and fix in Chinese; and looking changes nothing."""
    wrong, code, expected = CASES[name]
    wrong(made)
    before = made.tree()
    exit, found = doctor(made)
    assert code in found, found
    assert exit == expected, found
    assert found[code].path
    assert re.search(r"[\u4e00-\u9fff]", found[code].message) and found[code].fix
    assert made.changed(before) == {}


@pytest.mark.parametrize("chapter", [1, 3])
@pytest.mark.parametrize("place", [layout.chapter, layout.summary])
@pytest.mark.parametrize(
    ("data", "code"), [(b"", "LANDED_TEXT_BLANK"), ("雾大，渡口没有人。".encode("gb18030"), "FILE_NOT_UTF8")]
)
def test_a_landed_text_that_cannot_be_read_is_a_fault(
    made: Book, place: Callable[[int], str], chapter: int, data: bytes, code: str
) -> None:
    """Whoever landed it, and whether or not there is a record of it."""
    made.write(place(chapter), data)
    exit, found = doctor(made)
    assert set(found) == {code} and exit == (5 if code == "LANDED_TEXT_BLANK" else 1)
    assert (found[code].severity, found[code].path) == ("error", place(chapter))


def test_a_line_end_of_windows_is_no_edit(made: Book) -> None:
    text = made.at(layout.chapter(2)).read_bytes()
    made.write(layout.chapter(2), b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert doctor(made) == (0, {})


def test_a_memory_that_a_later_chapter_replaced_is_no_edit(made: Book) -> None:
    made.chapter = 4
    land(made, ops=[PLANT])
    made.chapter = 5
    land(made, ops=[PLANT])
    assert doctor(made) == (0, {})


def test_foreshadowing_resolved_by_hand_is_the_authors_right(made: Book) -> None:
    """The state tells what the chapters did, and is rebuilt to the same bytes."""
    thread(status="resolved")(made)
    land(made, ops=[{**PLANT, "path": "other-rope"}])
    assert "STATE_DIFFERS" not in doctor(made)[1]
    before = made.at(layout.STATE).read_bytes()
    assert {"bell-rope", "other-rope"} <= set(json.loads(before)["active_foreshadowing"])
    made.novel("doctor", "--fix")
    assert made.at(layout.STATE).read_bytes() == before


def test_a_state_of_an_older_layout_that_went_by_hand_edits_is_told_and_mended(made: Book) -> None:
    """Commits once left out of the state what the author had closed by hand; the log never knew."""
    thread(status="resolved")(made)
    state = made.json(layout.STATE)
    told = made.at(layout.STATE).read_bytes()
    made.write(layout.STATE, {**state, "active_foreshadowing": []})
    land(made, ops=[{**PLANT, "path": "other-rope"}])
    assert "active_foreshadowing" in doctor(made)[1]["STATE_DIFFERS"].message
    made.ok("rebuild", "state")
    assert "STATE_DIFFERS" not in doctor(made)[1]
    made.ok("rollback", "3", "--yes")
    assert made.at(layout.STATE).read_bytes() == told


def test_a_landing_of_another_layout_is_told_piece_by_piece(made: Book) -> None:
    put(layout.chapter(4), "# 第 4 章 夜\n")(made)
    put(layout.summary(4), "摘要\n")(made)
    told = doctor(made)[1]["CHAPTER_BEYOND_CHECKPOINT"]
    assert "正文、摘要，还缺评审、串线检测、写作日志、变更记录、故事状态" in told.message
    assert layout.CHECKPOINT in told.fix


def test_skipped_deltas_are_listed_and_lead_somewhere(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    stub = {**lines[-1], "base_state_version": 3, "ops": [], "skipped": True, "reason": "读不懂"}
    more = [{**stub, "chapter": number} for number in (4, 5, 6)]
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in [*lines, *more]))
    found = doctor(made)[1]
    assert "4-6" in found["STATE_DELTAS_SKIPPED"].message
    assert "novel sync 4" in found["STATE_DELTAS_SKIPPED"].fix
    assert "STATE_REBUILD_ADVISED" not in found, "its advice is `novel doctor`"


# --- the place and the installation ----------------------------------------------------------


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(made: Book) -> None:
    made.at("chapters").chmod(0o500)
    try:
        assert doctor(made)[1]["PLACE_NOT_WRITABLE"].path == "chapters"
    finally:
        made.at("chapters").chmod(0o700)


def test_rights_and_space_are_asked_of_the_system(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    from novel_hooks.store.files import surroundings

    monkeypatch.setattr(surroundings, "is_writable", lambda project, rel: rel != "chapters")
    monkeypatch.setattr(surroundings, "free_megabytes", lambda project: 7)
    monkeypatch.setattr(surroundings, "lock_fault", lambda project, rel: "系统报错 ENOLCK")
    exit, found = doctor(made)
    assert exit == 1
    assert found["PLACE_NOT_WRITABLE"].path == "chapters"
    assert "7 MB" in found["DISK_LOW"].message
    assert "ENOLCK" in found["LOCK_UNSUPPORTED"].message


def codes(environ: dict[str, str]) -> set[str]:
    return {problem.code for problem in installation.problems(environ)}


def test_the_novel_that_a_shell_would_start(tmp_path: Path) -> None:
    other = tmp_path / "novel"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    ours = os.path.join(CHECKOUT, "bin")
    assert codes({"PATH": f"{tmp_path}{os.pathsep}{ours}"}) == {"PATH_OTHER_NOVEL"}
    assert codes({"PATH": f"{ours}{os.pathsep}{tmp_path}"}) == set()
    assert codes({"PATH": ""}) == codes({}) == set()
    other.unlink()
    other.symlink_to(os.path.join(ours, "novel"))
    assert codes({"PATH": str(tmp_path)}) == set()


def test_an_old_interpreter_and_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "LEAST_PYTHON", (9, 0))
    monkeypatch.setattr(installation, "PACKAGES", ("jsonschema", "no_such_package_of_ours"))
    assert codes({}) == {"INTERPRETER_OLD", "DEPENDENCY_MISSING"}


def test_a_plugin_that_lacks_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin's files are looked up beside a package that lies elsewhere."""
    for name in installation.PLUGIN_FILES:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.join(CHECKOUT, name), place)
    for name in ("schemas", "templates"):
        (tmp_path / "package" / name).mkdir(parents=True)
    monkeypatch.setattr(assets, "_PACKAGE", str(tmp_path / "package"))
    assert codes({}) == set()
    (tmp_path / "hooks" / "hooks.json").unlink()
    (tmp_path / "hooks" / "guard").chmod(0o644)
    assert codes({}) == {"ASSET_MISSING", "PLUGIN_NOT_EXECUTABLE"}


def test_outside_a_project_the_installation_is_looked_at(tmp_path: Path) -> None:
    found = call("doctor", ["--fix", "--project", str(tmp_path)], {})
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["PROJECT_NOT_HERE"])
    assert found.data["checked"] == ["安装"]


def test_a_lost_checkpoint_is_a_finding(made: Book) -> None:
    made.drop(layout.CHECKPOINT)
    before = made.tree()
    exit, found = doctor(made, "--fix")
    assert (exit, set(found)) == (5, {"CHECKPOINT_LOST"})
    assert made.changed(before) == {}


# --- --fix -----------------------------------------------------------------------------------


def fixed(made: Book, exit: int = 0) -> list[str]:
    found = made.novel("doctor", "--fix")
    assert found.exit == exit, found.diagnostics
    repaired: list[str] = found.data["repaired"]
    return repaired


def test_the_state_is_rebuilt_and_the_old_one_kept(made: Book) -> None:
    right = made.at(layout.STATE).read_bytes()
    wrong = b'{"state_version": 3}'
    made.write(layout.STATE, wrong)
    (said,) = fixed(made)
    assert "重建" in said and "0001-rebuild" in said
    assert made.at(layout.STATE).read_bytes() == right
    assert made.at(layout.archived("0001-rebuild", layout.STATE)).read_bytes() == wrong


def test_the_state_is_left_alone_while_the_log_is_not_sound(made: Book) -> None:
    made.write(layout.STATE, b"{")
    line(2, base_state_version=5)(made)
    before = made.tree()
    assert fixed(made, exit=5) == []
    assert made.changed(before) == {}


def test_a_whole_last_line_gets_its_line_end(made: Book) -> None:
    right = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, right[:-1])
    assert doctor(made)[1]["LOG_TAIL_OPEN"].path == layout.CHANGELOG
    assert len(fixed(made)) == 1
    assert made.at(layout.CHANGELOG).read_bytes() == right


def test_a_line_of_unknown_names_of_no_shape_is_moved_out(made: Book) -> None:
    """Doctor says `--fix` of it, so that has to help."""
    sound = jsonio.dump_line({**ENTITY, "chapter": 1})
    made.write(layout.UNKNOWN_ENTITIES, b'{"chapter": "x"}\n' + sound)
    assert doctor(made)[1]["OWN_FILE_DAMAGED"].path == layout.UNKNOWN_ENTITIES
    (said,) = fixed(made)
    assert "第 1 行" in said and made.at(layout.UNKNOWN_ENTITIES).read_bytes() == sound
    assert made.at(f"{layout.TORN}/{made.names(layout.TORN)[0]}").read_bytes() == b'{"chapter": "x"}\n'


def test_half_a_line_is_moved_out_byte_for_byte(made: Book) -> None:
    whole = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, whole + b'{"chapter": 4, "op\xe6')
    state = made.at(layout.STATE).read_bytes()
    assert doctor(made)[0] == 5
    assert len(fixed(made)) == 1
    assert made.at(layout.CHANGELOG).read_bytes() == whole
    assert made.at(".novel/torn/0001-changelog.jsonl").read_bytes() == b'{"chapter": 4, "op\xe6'
    assert made.at(layout.STATE).read_bytes() == state


def test_when_the_torn_line_was_a_landed_chapters_the_state_stays(made: Book) -> None:
    """The log then lacks that chapter: rebuilding would take its changes away."""
    whole = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, whole[:-9])
    state = made.at(layout.STATE).read_bytes()
    assert len(fixed(made, exit=5)) == 1
    assert made.at(layout.STATE).read_bytes() == state
    assert "CHANGELOG_CHAPTERS_MISSING" in doctor(made)[1]
    torn = made.at(".novel/torn/0001-changelog.jsonl").read_bytes()
    assert made.at(layout.CHANGELOG).read_bytes() + torn == whole[:-9]


def test_foreshadowing_that_had_to_wait_is_caught_up(made: Book) -> None:
    right = made.at(layout.FORESHADOWING).read_bytes()
    made.write(layout.FORESHADOWING, b"{")
    land(made, ops=[{**PLANT, "path": "new-rope"}])
    assert fixed(made, exit=1) == []
    made.write(layout.FORESHADOWING, right)
    assert doctor(made)[1]["FORESHADOWING_WAITING"].severity == "warning"
    (said,) = fixed(made)
    assert "第 4 章" in said
    assert "new-rope" in [item["id"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]]
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()


def test_a_dead_lock_folders_and_leftovers(made: Book) -> None:
    dead_lock(made)
    for name in ("half a journal", "temporary file", "folder lost"):
        CASES[name][0](made)
    said = "\n".join(fixed(made))
    for word in ("写作锁", "journal.new-", ".novel-tmp-", "staging/state"):
        assert word in said
    assert not made.at(layout.LOCK_DIR).exists()
    assert fixed(made) == []


def test_a_live_lock_of_another_is_left_alone(made: Book) -> None:
    held_by(OTHER)(made)
    made.write(layout.STATE, b"{")
    made.refused(4, "LOCK_BUSY", "doctor", "--fix")


def interrupted(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit whose command died right after the commit point."""
    made.stage("judged")
    made.draft()
    made.records(ops=[PLANT])
    made.evaluation()

    def die(*_: object) -> None:
        raise errors.JournalPending(layout.JOURNAL, label="入库", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert made.novel("commit", "--chapter", "4").exit == 3
    place = f"{layout.JOURNAL}/manifest.json"
    plan = made.json(place)
    made.write(place, jsonio.dump({**plan, "pid": DEAD}))


def test_a_landing_that_is_not_through_is_told_then_finished(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(made, monkeypatch)
    before = made.tree()
    exit, found = doctor(made)
    assert exit == 1
    assert "第 4 章入库" in found["BOOK_UNCHECKED"].message and "--fix" in found["BOOK_UNCHECKED"].fix
    assert made.changed(before) == {}
    assert any("补完" in said for said in fixed(made))
    assert made.point()["last_completed_chapter"] == 4
    assert made.at(layout.chapter(4)).exists()


def test_a_landing_whose_command_lives_is_waited_for(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(made, monkeypatch)
    monkeypatch.setattr(journal, "is_owner_alive", lambda plan: True)
    assert "等那条命令结束" in doctor(made)[1]["BOOK_UNCHECKED"].fix


def test_a_conflict_of_the_journal_is_a_finding_with_fix_too(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(made, monkeypatch)
    made.write(layout.chapter(4), "别的东西")
    before = made.tree()
    assert doctor(made)[1]["JOURNAL_CONFLICT"].path == layout.chapter(4)
    exit, found = doctor(made, "--fix")
    assert (exit, set(found)) == (5, {"JOURNAL_CONFLICT"})
    assert made.changed(before) == {}


def test_a_repair_in_the_middle_of_a_chapter_is_no_breach_of_the_fence(made: Book) -> None:
    made.ok("lock", "acquire")
    made.write(layout.CHANGELOG, made.at(layout.CHANGELOG).read_bytes()[:-1])
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    assert len(fixed(made)) == 1
    assert made.advance("draft")["pipeline_stage"] == "drafting"


def test_what_others_changed_is_still_found_after_a_repair(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.write(layout.BRIEF, "# 改过的立意\n")
    made.write(layout.STATE, b"{")
    made.draft()
    assert len(fixed(made)) == 1
    found = made.novel("advance", made.step("draft"))
    assert (found.exit, found.diagnostics[0].path) == (3, layout.BRIEF)


# --- pure rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "rest"),
    [
        (b"", "whole", b""),
        (b"{}\n", "whole", b""),
        (b"{}\n{}", "open", b"{}"),
        (b'{}\n{"a"', "cut", b'{"a"'),
        (b"{}\n\0\0", "cut", b"\0\0"),
        (b"{}\n\xe6\x88", "cut", b"\xe6\x88"),
    ],
)
def test_tails(data: bytes, kind: str, rest: bytes) -> None:
    assert logtail.log_tail(data, layout.CHANGELOG)[::2] == (kind, rest)


# --- the report ------------------------------------------------------------------------------


def words_of(made: Book) -> set[str]:
    """Every run of two Han characters or more, and every slug, in the book's own files."""
    found: set[str] = set()
    for place in made.root.rglob("*"):
        if place.is_file() and not str(place).endswith(".lock"):
            found |= set(re.findall(r"[\u4e00-\u9fff]{2,}", place.read_text("utf-8", "replace")))
    return found


def test_the_report_has_nothing_of_the_author(made: Book, tmp_path: Path) -> None:
    made.write("research/主角的秘密.md", "# 主角的秘密\n")
    made.write(layout.STATE, {**made.json(layout.STATE), "world_state": {"暗号": "灯灭三次"}})
    audit = {"ts": "2026-01-01T00:00:00Z", "event": "PreToolUse", "tool_name": "Write", "decision": "deny"}
    audit.update(rule="outside", reason="想写主角的秘密", agent_type="novel:chapter-writer", session_id="s-1")
    audit["path"] = "research/主角的秘密.md"
    made.write(layout.AUDIT, jsonio.dump_line(audit))
    made.point(error={"reason": "主角的秘密"}, 备注="沈渡")
    place = tmp_path / "report.json"
    exit, found = doctor(made, "--bundle", str(place))
    text = place.read_text("utf-8")
    report = json.loads(text)
    assert exit == 5 and {f["code"] for f in report["findings"]} == set(found)
    assert not re.search(r"[\u4e00-\u9fff]", text)
    assert len(words_of(made)) > 20
    for secret in ("shen-du", "qiao-jiu", "bell-rope", "tower-line", "s-1", str(tmp_path), os.sep + "root"):
        assert secret not in text, secret
    assert report["checkpoint"]["last_completed_chapter"] == 3
    assert report["changelog"]["lines"] == 3
    assert report["audit"][0]["agent"] == "chapter-writer"
    sizes = {entry["path"]: entry.get("size") for entry in report["files"]}
    assert sizes[layout.chapter(2)] == made.at(layout.chapter(2)).stat().st_size


def test_the_report_of_a_wreck(made: Book, tmp_path: Path) -> None:
    for path in (layout.CHECKPOINT, layout.STATE, layout.CHANGELOG):
        made.write(path, b"{")
    place = tmp_path / "report.json"
    assert doctor(made, "--bundle", str(place))[0] == 5
    report = json.loads(place.read_text("utf-8"))
    assert report["state"] == {"unreadable": ["OWN_FILE_BROKEN"]}


def test_the_report_is_never_written_over_a_file(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "report.json"
    place.write_text("mine")
    found = made.novel("doctor", "--bundle", str(place))
    assert (found.exit, found.diagnostics[0].code) == (3, "BUNDLE_EXISTS")
    assert place.read_text() == "mine"
    nowhere = made.novel("doctor", "--bundle", str(tmp_path / "no" / "report.json"))
    assert nowhere.diagnostics[0].code == "WRITE_FAILED"


# --- as a process ----------------------------------------------------------------------------


def test_the_command_itself(made: Book) -> None:
    done = process("doctor", "--json", cwd=made.root)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["data"]["sound"] is True


@pytest.mark.slow
def test_two_thousand_chapters_in_five_seconds_of_work(tmp_path: Path) -> None:
    """Counted in processor time of this process, which other work on the machine does not lengthen."""
    long = book(tmp_path, chapters=2000, volume_size=50)
    begun = time.process_time()
    assert long.novel("doctor").exit == 0
    assert time.process_time() - begun < 5


def test_checkups_exit_is_that_of_the_gravest() -> None:
    info, warning = errors.LockHeld(None, reason=""), errors.FolderMissing("x")
    assert checkup.Checkup((), (info,)).exit == 0
    assert checkup.Checkup((), (info, warning)).exit == 1
    assert checkup.Checkup((), (warning, errors.StateDiffers("x", detail=""))).exit == 5


OWN_PLACES = sorted(
    {v for v in vars(layout).values() if isinstance(v, str) and v.startswith(f"{layout.OWN}/")}
    | {layout.attempts(4), layout.landed_record(4), layout.work_log(4)}
)


def in_the_way(made: Book, path: str, kind: str) -> None:
    place = made.at(path)
    if place.is_dir():
        shutil.move(place, made.root.parent / "elsewhere")
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        place.symlink_to(made.root.parent / "elsewhere")
    elif kind == "folder":
        place.mkdir()
    else:
        place.write_bytes(b"x")


@pytest.mark.parametrize("kind", ["link", "folder", "file"])
@pytest.mark.parametrize("path", OWN_PLACES)
def test_each_place_of_our_own_is_looked_at(made: Book, path: str, kind: str) -> None:
    """Whatever `layout` spells below `.novel/`: a new name there cannot be forgotten."""
    wanted = "folder" if path in layout.OWN_FOLDERS or path == layout.attempts(4) else "file"
    if kind == wanted:
        return
    (made.root.parent / "elsewhere").mkdir()
    in_the_way(made, path, kind)
    _, found = doctor(made)
    told = [d for d in found.values() if d.path == path]
    assert told and all(path in d.fix for d in told), found
    shutil.rmtree(made.at(path)) if kind == "folder" else made.at(path).unlink()
    assert not [d for d in doctor(made)[1].values() if d.path == path and d.code != "LANDED_RECORD_LOST"]


def test_a_link_deep_in_an_archive_is_named(made: Book) -> None:
    place = made.at(f"{layout.ARCHIVE}/0001-rebuild/state/current-state.json")
    place.parent.mkdir(parents=True)
    place.symlink_to("/nowhere")
    assert doctor(made)[1]["OWN_PLACE_ODD"].path == place.relative_to(made.root).as_posix()


@pytest.mark.parametrize("kind", ["link", "file"])
@pytest.mark.parametrize(
    "folder", ["state", "logs", "chapters", "staging", "evaluations", "characters", ".novel"]
)
def test_a_folder_that_is_none_is_told_as_itself(made: Book, folder: str, kind: str) -> None:
    """By every command, once, and nothing else is advised: replacing it is all that helps."""
    made.chapter = 4
    made.until("judged")
    (made.root.parent / "elsewhere").rmdir() if (made.root.parent / "elsewhere").exists() else None
    in_the_way(made, folder, kind)
    for argv in (("commit", "--chapter", "4"), ("doctor",)):
        found = [d for d in made.novel(*argv).diagnostics if d.severity == "error"]
        assert [(d.code, d.path) for d in found][:1] == [("FILE_NOT_FOLDER", folder)], argv
        assert not {"STATE_DIFFERS", "JOURNAL_BROKEN", "OWN_FILE_DAMAGED"} & {d.code for d in found}
    made.at(folder).unlink()
    shutil.move(made.root.parent / "elsewhere", made.at(folder))
    made.ok("commit", "--chapter", "4")


def test_what_a_living_command_uses_is_no_litter(made: Book) -> None:
    """Of a dead one it is, whoever holds the lock."""
    held_by(OTHER)(made)
    made.write(f"{layout.JOURNAL}.done-0123456789abcdef/0000", b"x")
    assert set(doctor(made)[1]) == {"LOCK_HELD"}
    made.ok("lock", "clear", "--force")
    assert set(doctor(made)[1]) == {"LITTER_LEFT"}
