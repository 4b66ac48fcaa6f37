"""Every file of protocol §1 that a command reads, broken in every way: named, with a fix, nothing changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path

HAN = re.compile(r"[\u4e00-\u9fff]")
FAULTS = ("json", "utf8", "folder", "link", "empty")
DRAFT = ("instructions", "chapter:005:draft")
JUDGE = ("instructions", "chapter:005:judge")
COMMIT = ("commit", "--chapter", "5")
LINE = bookparts.storyline_id(5)


def at(tmp_path: Path, stage: str) -> Book:
    """Chapter 5, no key chapter, with everything staged that its stage has."""
    made = book(tmp_path, 4, volume_size=8)
    made.stage(stage)
    if stage == "drafting":
        return made
    made.draft()
    entity = {"mention": "独眼渔夫", "context": "岸上", "suggested_type": "character"}
    plant = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳"}
    made.records(ops=[plant], unknown_entities=[entity])
    if stage == "judged":
        made.evaluation(4.5)
    return made


def spoil(made: Book, path: str, fault: str) -> None:
    place = made.at(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        place.unlink()
    if fault == "json":
        made.write(path, '{"第一行": 1,\n "第二行": ')
    elif fault == "utf8":
        made.write(path, '{"name": "中文"}'.encode("gbk"))
    elif fault == "folder":
        place.mkdir()
    elif fault == "link":
        elsewhere = made.root.parent / "elsewhere"
        elsewhere.write_text("{}", "utf-8")
        place.symlink_to(elsewhere)
    else:
        made.write(path, b"")


def refuses(made: Book, exit: int, path: str, *argv: str) -> str:
    """One clear message that names the file and says what to do; the whole project stays as it was."""
    before = made.tree()
    found = made.novel(*argv)
    assert found.exit == exit, (argv, found)
    (told,) = [d for d in found.diagnostics if d.severity == ("error" if exit else "warning")]
    assert path in (told.path, told.message) or path in told.message
    assert HAN.search(told.message) and HAN.search(told.fix)
    assert not re.search(r"Error|Exception|Traceback|None", told.message + told.fix)
    assert made.changed(before) == {}
    return told.message


AUTHOR_JSON = [
    (layout.STYLE_PROFILE, "drafting", DRAFT),
    (layout.BLACKLIST, "drafting", DRAFT),
    (layout.WORLD_RULES, "drafting", DRAFT),
    (layout.character_card("shen-du"), "drafting", DRAFT),
    (layout.contract(1, 5), "drafting", DRAFT),
    (layout.schedule(1), "drafting", DRAFT),
    (layout.foreshadowing_plan(1), "drafting", DRAFT),
    (layout.FORESHADOWING, "drafting", DRAFT),
    (layout.STORYLINE_SPEC, "refined", JUDGE),
    (layout.STYLE_PROFILE, "refined", JUDGE),
    (layout.contract(1, 5), "drafted", ("next",)),
    (layout.schedule(1), "judged", ("next",)),
    (layout.schedule(1), "judged", COMMIT),
    (layout.character_card("shen-du"), "judged", COMMIT),
    (layout.FORESHADOWING, "drafting", ("foreshadow", "query", "5")),
    (layout.foreshadowing_plan(1), "drafting", ("foreshadow", "query", "5")),
    (layout.FORESHADOWING, "drafting", ("status",)),
]


@pytest.mark.parametrize(("path", "stage", "argv"), AUTHOR_JSON, ids=str)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_json_file_of_the_author(
    tmp_path: Path, path: str, stage: str, argv: tuple[str, ...], fault: str
) -> None:
    made = at(tmp_path, stage)
    spoil(made, path, fault)
    message = refuses(made, 3, path, *argv)
    if fault == "json":
        assert "第 2 行" in message
    if fault == "utf8":
        assert "第 10 个字节" in message


AUTHOR_TEXT = [
    (layout.BRIEF, "drafting", DRAFT),
    (layout.outline(1), "drafting", DRAFT),
    (layout.outline(1), "drafting", ("outline",)),
    (layout.outline(1), "judged", ("next",)),
    (layout.CONFIG, "drafting", DRAFT),
    (layout.memory(LINE), "drafting", DRAFT),
    (layout.summary(4), "drafting", DRAFT),
    (layout.character_profile("shen-du"), "refined", JUDGE),
]


@pytest.mark.parametrize(("path", "stage", "argv"), AUTHOR_TEXT, ids=str)
@pytest.mark.parametrize("fault", ["utf8", "folder", "link"])
def test_a_text_of_the_author(
    tmp_path: Path, path: str, stage: str, argv: tuple[str, ...], fault: str
) -> None:
    made = at(tmp_path, stage)
    spoil(made, path, fault)
    refuses(made, 3, path, *argv)


def test_settings_that_are_no_settings(tmp_path: Path) -> None:
    made = at(tmp_path, "drafting")
    for text, said in (
        ("gate: [", "第 1 行"),
        ("- a\n", "键"),
        ("gaet:\n  pass: 4\n", "gaet"),
        ("gate:\n  pass: 高\n", "gate.pass"),
        ("max_revisions: 99\n", "max_revisions"),
        ("chapter_chars: 2000\n", "chapter_chars"),
    ):
        made.write(layout.CONFIG, text)
        assert said in refuses(made, 3, layout.CONFIG, *DRAFT)
    made.write(layout.CONFIG, "")
    made.ok(*DRAFT)


@pytest.mark.parametrize(
    ("path", "stage", "argv"),
    [
        (layout.CHECKPOINT, "drafting", ("next",)),
        (layout.CHECKPOINT, "drafting", ("status",)),
        (layout.CHECKPOINT, "drafting", DRAFT),
        (layout.CHECKPOINT, "judged", COMMIT),
        (layout.CHECKPOINT, "drafting", ("lock", "acquire")),
        (layout.CHECKPOINT, "drafting", ("retry",)),
        (layout.STATE, "drafted", ("next",)),
        (layout.STATE, "drafting", DRAFT),
        (layout.STATE, "judged", COMMIT),
        (layout.FORESHADOW_BACKLOG, "judged", COMMIT),
        (layout.work_log(5), "judged", COMMIT),
        (layout.work_log(5), "drafted", ("advance", "chapter:005:refine")),
        (layout.evaluation(4), "drafting", ("status",)),
        (layout.evaluation(4), "drafting", ("gate", "4")),
    ],
    ids=str,
)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_only_novel_writes(
    tmp_path: Path, path: str, stage: str, argv: tuple[str, ...], fault: str
) -> None:
    made = at(tmp_path, stage)
    spoil(made, path, fault)
    # A file of 0 bytes counts as lost: the page warns of it, as of every other lost one.
    lost = fault == "empty" and path == layout.evaluation(4) and argv == ("status",)
    refuses(made, 0 if lost else 5, path, *argv)


STEPS = {
    "chapter": ("drafting", "draft"),
    "hints": ("drafting", "draft"),
    "summary": ("drafting", "summarize"),
    "delta": ("drafting", "summarize"),
    "crossref": ("drafting", "summarize"),
    "memory": ("drafting", "summarize"),
    "evaluation": ("refined", "judge"),
}


@pytest.mark.parametrize("key", STEPS)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", ["validate", "advance"])
def test_a_file_that_an_agent_made(tmp_path: Path, key: str, fault: str, command: str) -> None:
    stage, phase = STEPS[key]
    made = at(tmp_path, "judged")
    made.stage(stage)
    if phase == "draft":
        made.drop(made.staged("memory"))
    if fault == "json" and key in ("chapter", "summary", "memory"):
        made.write(
            made.staged(key), {"chapter": "# 第 9 章\n\n正文", "summary": "# 摘要\n"}.get(key, "字" * 501)
        )
    else:
        spoil(made, made.staged(key), fault)
    refuses(made, 1, made.staged(key), command, made.step(phase))


@pytest.mark.parametrize("folder", ["staging", "staging/chapters", "chapters", "state", "characters/active"])
@pytest.mark.parametrize("how", ["file", "link"])
def test_something_else_in_a_folders_place(tmp_path: Path, folder: str, how: str) -> None:
    made = at(tmp_path, "judged")
    aside = made.root.parent / "aside"
    made.at(folder).rename(aside)
    if how == "file":
        made.write(folder, "不是文件夹")
    else:
        made.at(folder).symlink_to(aside)
    before = made.tree()
    found = made.novel(*COMMIT)
    assert found.exit in (3, 5)
    assert any(folder in d.message for d in found.diagnostics)
    assert made.changed(before) == {}


def test_caches_that_are_broken_are_caches(tmp_path: Path) -> None:
    made = at(tmp_path, "drafted")
    for path in (layout.VALIDITY, layout.HANDOUT):
        made.write(path, b"\xff{")
    assert made.advance("refine")["changed"] is True
    made.write(layout.LOCK_INFO, b"{")
    assert made.novel("lock", "status").exit == 0


def test_a_lost_checkpoint_is_never_a_new_book(tmp_path: Path) -> None:
    made = at(tmp_path, "drafting")
    made.drop(layout.CHECKPOINT)
    for argv in (("next",), ("status",), DRAFT, COMMIT, ("lock", "acquire"), ("retry",)):
        refuses(made, 5, layout.CHECKPOINT, *argv)
    assert made.novel("init", str(made.root)).exit == 5
    below = Book(made.at("volumes/vol-01"), 5)
    assert below.novel("next").exit == 5


BOM = "\ufeff"
WINDOWS = [
    layout.CHECKPOINT,
    layout.BRIEF,
    layout.CONFIG,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
    layout.WORLD_RULES,
    layout.character_card("shen-du"),
    layout.character_profile("shen-du"),
    layout.outline(1),
    layout.contract(1, 5),
    layout.schedule(1),
    layout.foreshadowing_plan(1),
    layout.STORYLINE_SPEC,
    layout.memory(LINE),
    layout.summary(4),
    layout.STATE,
    layout.CHANGELOG,
    layout.FORESHADOWING,
    layout.evaluation(4),
]


def windows(made: Book, path: str) -> None:
    text = made.at(path).read_text("utf-8").removeprefix(BOM) if made.at(path).exists() else None
    if text is not None:
        made.write(path, (BOM + text.replace("\r\n", "\n").replace("\n", "\r\n")).encode("utf-8"))


def test_a_whole_chapter_from_files_as_an_editor_on_windows_saves_them(tmp_path: Path) -> None:
    made = book(tmp_path, 4, volume_size=8)
    made.write(layout.CONFIG, "title: 书\ngate:\n  pass: 4.2\nchapter_chars: [30, 60]\n")
    for path in WINDOWS:
        windows(made, path)
    made.ok("lock", "acquire")
    for phase in ("draft", "summarize", "refine"):
        assert made.next()["phase"] == phase
        packet = made.ok("instructions", made.step(phase), "--embed")
        assert not any("\r" in i.get("text", "") or BOM in i.get("text", "") for i in packet["inputs"])
        if phase == "draft":
            made.draft()
        elif phase == "summarize":
            made.records()
        for key in ("chapter", "summary", "delta", "crossref", "memory"):
            windows(made, made.staged(key))
        made.advance(phase)
    said = made.at(made.words(bookparts.verdict(4.1)))
    said.write_bytes((BOM + said.read_text("utf-8").replace("\n", "\r\n")).encode("utf-8"))
    made.ok("judge", "record", "--role", "primary", "--file", str(said))
    assert made.advance("judge")["gate"]["decision"] == "polish"
    made.advance("polish")
    made.ok("commit", "--chapter", "5")
    assert made.next()["step"] == "chapter:006:draft"
    assert made.novel("status").diagnostics == ()
    for path in (layout.chapter(5), layout.CHECKPOINT, layout.STATE, layout.memory(LINE)):
        data = made.at(path).read_bytes()
        assert b"\r" not in data and not data.startswith(BOM.encode())
    assert [
        line["chapter"] for line in map(_stripped, made.at(layout.CHANGELOG).read_bytes().splitlines())
    ] == [
        1,
        2,
        3,
        4,
        5,
    ]


def _stripped(line: bytes) -> dict[str, int]:
    import json

    found: dict[str, int] = json.loads(line.decode("utf-8-sig"))
    return found
