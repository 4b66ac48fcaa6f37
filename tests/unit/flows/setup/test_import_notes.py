"""`novel import`: the author's notes in `research/`, normalised, never over another file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from hypothesis import given
from hypothesis import strategies as st
from planbook import RESEARCH

from novel_hooks import errors, layout
from novel_hooks.errors import JournalPending
from novel_hooks.flows.setup import import_notes
from novel_hooks.rules.planning import imported_notes
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import encodings
from novel_hooks.store.journal import recovery
from novel_hooks.store.lock import oslock
from unit.flows.setup.imported import TEXT, note, refusal
from unit.flows.setup.imported import made as made

if TYPE_CHECKING:
    from pathlib import Path


def test_a_note_is_read_by_those_who_make_the_world_and_its_people(made: Book, tmp_path: Path) -> None:
    before = made.tree()
    found = made.ok("import", note(tmp_path))
    assert found["notes"] == [{"path": "research/盐路.md", "chars": 14, "known": False, "encoding": None}]
    assert set(made.changed(before)) - {layout.KNOWN_FILES} == {"research/盐路.md"}
    for step in ("setup:world", "setup:characters"):
        inputs = made.ok("instructions", step)["inputs"]
        assert ("research/盐路.md", "research") in [(one.get("path"), one["type"]) for one in inputs]


@pytest.mark.parametrize(
    ("data", "more"),
    [
        (TEXT, ()),
        (b"\xef\xbb\xbf" + TEXT.encode(), ()),
        (TEXT.replace("\n", "\r\n"), ()),
        (TEXT.replace("\n", "\r"), ()),
        (TEXT + "\x1a", ()),
        (TEXT.encode("gb18030"), ("--encoding", "gb18030")),
        (TEXT.encode("gbk"), ("--encoding", "GBK")),
        (TEXT.encode("utf-16"), ("--encoding", "utf-16")),
        (TEXT, ("--encoding", "gb18030")),
    ],
)
def test_whatever_it_was_it_is_utf8_with_plain_line_ends(
    made: Book, tmp_path: Path, data: bytes | str, more: tuple[str, ...]
) -> None:
    made.ok("import", note(tmp_path, "盐路.TXT", data), *more)
    assert made.at("research/盐路.md").read_bytes() == TEXT.encode("utf-8")


def test_said_twice_is_as_good_as_once(made: Book, tmp_path: Path) -> None:
    made.ok("import", note(tmp_path))
    before = made.tree()
    found = made.ok("import", note(tmp_path))
    assert (found["changed"], found["notes"][0]["known"]) == (False, True)
    assert made.changed(before) == {}


def test_a_name_that_is_taken_is_said_and_another_can_be_given(made: Book, tmp_path: Path) -> None:
    path = note(tmp_path, RESEARCH.rpartition("/")[2], "别的话\n")
    found = made.refused(3, "NOTE_TAKEN", "import", path)
    assert found.path == RESEARCH and "--as" in found.fix
    assert made.ok("import", path, "--as", "绳桥二")["notes"][0]["path"] == "research/绳桥二.md"
    made.write("research/Salt.md", "一")
    made.refused(3, "NOTE_TAKEN", "import", note(tmp_path, "salt.txt", "二"))


def test_a_folder_with_all_that_is_below(made: Book, tmp_path: Path) -> None:
    note(tmp_path, "设定集.md")
    note(tmp_path, "人物/岑四.txt", "岑四怕水。\n")
    note(tmp_path, ".隐藏.md", "不要。\n")
    note(tmp_path, "地图.png", b"\x89PNG\x00")
    found = made.ok("import", str(tmp_path / "手边"))
    assert [one["path"] for one in found["notes"]] == ["research/人物-岑四.md", "research/设定集.md"]
    assert found["skipped"] == ["地图.png"]


def test_what_cannot_be_taken_is_told_all_at_once_and_nothing_is_taken(made: Book, tmp_path: Path) -> None:
    good = note(tmp_path)
    wrong = [
        note(tmp_path, "空.md", " \n"),
        note(tmp_path, "旧.txt", TEXT.encode("gb18030")),
        note(tmp_path, "图.md", b"a\x00b"),
        note(tmp_path, "稿.docx", b"PK"),
        note(tmp_path, "大.md", "字" * imported_notes.MOST_BYTES),
        str(tmp_path / "没有.md"),
        str(tmp_path / "链.md"),
    ]
    os.symlink(good, wrong[-1])
    os.mkfifo(tmp_path / "管.md")
    before = made.tree()
    found = made.novel("import", good, *wrong, str(tmp_path / "管.md"))
    assert found.exit == 3 and made.changed(before) == {}
    told = "\n".join(f"{d.message} {d.fix}" for d in found.diagnostics)
    assert len(found.diagnostics) == 8
    for words in (
        "是空的",
        "--encoding gb18030",
        "另存为纯文本",
        "不是 .md",
        "MB",
        "没有这个",
        "链接",
        "特殊文件",
    ):
        assert words in told, words


FULL = "# 鹽路\n\n從鹽倉到渡口，走三天，一路沒有燈。\n"


def test_another_encoding_is_never_guessed(made: Book, tmp_path: Path) -> None:
    for data, words in (
        (TEXT.encode("gb18030"), "gb18030（读作「# 盐路」）"),
        (FULL.encode("big5"), "可能是 big5（读作「# 鹽路」）"),
        (TEXT.encode("utf-16-be"), "可能是 utf-16-be（读作「# 盐路」）"),
        ("甲乙丙丁".encode("utf-16-le"), "utf-16-le（读作「甲乙丙丁」）"),
    ):
        assert words in refusal(made, note(tmp_path, data=data))
    assert "另存为 UTF-8" in refusal(made, note(tmp_path, data=b"\xff\xff\xff"))
    path = note(tmp_path, data=b"\xff\xff\xff")
    assert "第 0 个字节" in refusal(made, path, "--encoding", "gb18030")
    made.refused(2, "CLI_USAGE", "import", path, "--encoding", "klingon")


def test_what_is_said_wrongly_is_not_taken(made: Book, tmp_path: Path) -> None:
    path = note(tmp_path, data=FULL.encode("big5"))
    for said in ("gb18030", "utf-16", "utf-16-le"):
        assert "big5（读作「# 鹽路」）" in refusal(made, path, "--encoding", said), said
    assert "记号" in refusal(made, note(tmp_path, data=TEXT.encode("utf-16-be")), "--encoding", "utf-16")


def test_how_it_was_read_is_shown(made: Book, tmp_path: Path) -> None:
    found = made.novel("import", note(tmp_path, data=FULL.encode("big5")), "--encoding", "big5")
    assert found.exit == 0 and found.data["notes"][0]["encoding"] == "big5"
    (told,) = found.diagnostics
    assert told.severity == "info" and "按 big5 读的，开头是「# 鹽路」" in told.message
    assert made.at("research/盐路.md").read_text("utf-8") == FULL


@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
@pytest.mark.parametrize("more", [(), ("--encoding", "gb18030")])
def test_a_mark_at_the_beginning_is_no_guess(
    made: Book, tmp_path: Path, name: str, more: tuple[str, ...]
) -> None:
    found = made.ok("import", note(tmp_path, data=TEXT.replace("\n", "\r\n").encode(name)), *more)
    assert found["notes"][0]["encoding"] == name
    assert made.at("research/盐路.md").read_bytes() == TEXT.encode("utf-8")


def test_plain_letters_in_utf16_are_read_as_said(made: Book, tmp_path: Path) -> None:
    path = note(tmp_path, data="salt road\n".encode("utf-16-le"))
    made.ok("import", path, "--encoding", "utf-16-le")
    assert made.at("research/盐路.md").read_text("utf-8") == "salt road\n"


def test_places_that_hold_no_notes(made: Book, tmp_path: Path) -> None:
    assert "这本书就在" in refusal(made, str(made.root))
    assert "这本书就在" in refusal(made, str(tmp_path))
    assert "已经在 research/ 里" in refusal(made, str(made.at(layout.RESEARCH)))
    (tmp_path / "空").mkdir()
    assert "里面没有 .md" in refusal(made, str(tmp_path / "空"))
    os.symlink(tmp_path / "空", tmp_path / "连")
    assert "链接" in refusal(made, str(tmp_path / "连"))
    note(tmp_path, "a-b.md", "一")
    note(tmp_path, "a/b.md", "二")
    assert "都要叫「a-b.md」" in refusal(made, str(tmp_path / "手边"))
    made.refused(2, "CLI_USAGE", "import", str(tmp_path / "手边"), "--as", "c")
    path = note(tmp_path)
    for name in ("a/b", "..", "字" * 100, "a:b", "a\nb"):
        assert "--as" in refusal(made, path, "--as", name), name


def test_a_step_that_is_out_is_not_troubled(made: Book, tmp_path: Path) -> None:
    made.ok("instructions", "setup:world")
    made.ok("import", note(tmp_path))
    made.ok("advance", "setup:world")


@pytest.mark.parametrize(
    ("point", "drop", "words"),
    [
        ({}, (), "世界规则、角色已经有了"),
        ({}, (layout.WORLD, "characters"), "立世界、立角色时会照着它们写"),
        ({"orchestrator_state": "WRITING", "current_volume": 1}, (), "novel changed"),
    ],
)
def test_who_will_read_it_is_told(
    made: Book, tmp_path: Path, point: dict[str, object], drop: tuple[str, ...], words: str
) -> None:
    import shutil

    for folder in drop:
        shutil.rmtree(made.at(folder))
    made.point(**point)
    assert words in made.novel("import", note(tmp_path)).text


@given(st.binary(max_size=60), st.sampled_from([None, *encodings.ENCODINGS]))
def test_any_bytes_are_text_or_refused(data: bytes, encoding: str | None) -> None:
    try:
        found = imported_notes.clean_text(import_notes._decode(data, encoding)[0])
    except imported_notes.Refused as why:
        assert errors.NoteRefused(None, why.case, place="笔记", **why.values).diagnostic().fix
        return
    assert found.strip() and "\r" not in found and "\0" not in found
    assert imported_notes.clean_text(import_notes._decode(found.encode("utf-8"), None)[0]) == found


def test_an_empty_file_in_a_folder_keeps_nothing_out(made: Book, tmp_path: Path) -> None:
    note(tmp_path)
    note(tmp_path, "空.md", " \n")
    found = made.novel("import", str(tmp_path / "手边"))
    assert (found.exit, found.data["skipped"]) == (0, ["空.md"])
    assert [one["path"] for one in found.data["notes"]] == ["research/盐路.md"]
    assert "没有收的（空的，或不是 .md、.txt）：空.md" in found.text


def test_a_folder_of_empty_files_is_refused(made: Book, tmp_path: Path) -> None:
    note(tmp_path, "空.md", " \n")
    assert "都是空的" in refusal(made, str(tmp_path / "手边"))


def test_a_folder_that_is_none_of_notes_is_told_once_before_any_lock(made: Book, tmp_path: Path) -> None:
    folder = tmp_path / "手边" / "深"
    folder.mkdir(parents=True)
    for number in range(imported_notes.MOST_SEEN):
        (folder / f"{number}.md").symlink_to("nowhere")
    before = everything(made)
    found = made.refused(3, "NOTE_REFUSED", "import", str(tmp_path / "手边"))
    assert str(imported_notes.MOST_SEEN) in found.message and str(tmp_path / "手边") in found.message
    assert len(made.novel("import", str(tmp_path / "手边")).diagnostics) == 1
    assert everything(made) == before


def everything(made: Book) -> set[str]:
    return {str(path) for path in made.root.rglob("*")}


def test_the_folder_is_walked_while_no_lock_is_held(
    made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(tmp_path)
    real = import_notes.Gathered._below

    def below(*args: Any) -> Any:
        with oslock.running(Project(str(made.root))):
            pass
        return real(*args)

    monkeypatch.setattr(import_notes.Gathered, "_below", below)
    made.ok("import", str(tmp_path / "手边"))


def test_what_is_no_file_is_passed_over_in_a_folder(made: Book, tmp_path: Path) -> None:
    note(tmp_path)
    os.mkfifo(tmp_path / "手边" / "管.md")
    assert made.ok("import", str(tmp_path / "手边"))["skipped"] == ["管.md"]


def test_too_much_at_once(made: Book, tmp_path: Path) -> None:
    for number in range(1 + imported_notes.MOST_TOTAL // imported_notes.MOST_BYTES):
        note(tmp_path, f"{number}.md", b"a" * imported_notes.MOST_BYTES)
    assert "20 MB" in refusal(made, str(tmp_path / "手边"))


def test_a_name_of_nothing(made: Book, tmp_path: Path) -> None:
    for name in ("", " ", "\u200b"):
        assert "--as" in made.refused(2, "CLI_USAGE", "import", note(tmp_path), "--as", name).message


def test_a_pasted_text_whose_landing_was_cut_off(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write(layout.PASTED, TEXT)

    def die(*_: object) -> None:
        raise JournalPending(layout.JOURNAL, label="试", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert made.novel("import", str(made.at(layout.PASTED)), "--as", "盐路").exit == 3
    found = made.ok("import", str(made.at(layout.PASTED)), "--as", "盐路")
    assert [one["path"] for one in found["notes"]] == ["research/盐路.md"]
    assert not made.at(layout.PASTED).exists()


def test_an_argument_is_called_what_the_usage_line_calls_it(made: Book) -> None:
    assert "文件或文件夹" in made.refused(2, "CLI_USAGE", "import", "\udcff.md").message
    assert "--as" in made.refused(2, "CLI_USAGE", "import", "a.md", "--as", "\udcff").message


def test_a_document_in_a_folder_is_told_and_the_notes_are_taken(made: Book, tmp_path: Path) -> None:
    notes = tmp_path / "笔记"
    (notes / "旧稿").mkdir(parents=True)
    (notes / "一.md").write_text("渡口有灯。\n", "utf-8")
    (notes / "旧稿" / "人物.DOCX").write_bytes(b"PK\x03\x04")
    (notes / "图.png").write_bytes(b"\x89PNG")
    found = made.novel("import", str(notes))
    assert found.exit == 0
    (told,) = [one for one in found.diagnostics if one.code == "NOTE_NOT_READ"]
    assert "人物.DOCX" in told.message and ".txt" in told.fix


COPIES = ("盐路 (1).md", "盐路 - 副本.md", "盐路 的副本.md", "盐路 2.md", "盐路-DESKTOP-K3J2.md")
COPIES += ("盐路 (某某的冲突副本 2024-05-01).md", "copy of 盐路.md", "盐路（2）.md")


@pytest.mark.parametrize("name", COPIES)
def test_a_note_that_would_never_be_read_is_not_taken(made: Book, tmp_path: Path, name: str) -> None:
    """Beside the first it would pass for a copy; with a name of its own it is a note."""
    made.ok("import", note(tmp_path / "a"))
    other = note(tmp_path / "b", name, "另一份笔记，讲盐价。\n")
    said = refusal(made, other)
    assert "像是「盐路.md」的副本" in said and "--as" in said
    made.ok("import", other, "--as", "盐价")
    assert {"盐价.md", "盐路.md"} <= set(made.names("research")) and name not in made.names("research")


def test_copies_within_a_folder_are_told_and_nothing_is_taken(made: Book, tmp_path: Path) -> None:
    for name in ("盐路.md", "盐路 (1).md", "地下城副本.md"):
        note(tmp_path / "d", name)
    said = refusal(made, str(tmp_path / "d" / "手边"))
    assert "盐路 (1).md" in said and "地下城副本.md」收不进来" not in said
    (tmp_path / "d" / "手边" / "盐路 (1).md").unlink()
    made.ok("import", str(tmp_path / "d" / "手边"))
    assert {"地下城副本.md", "盐路.md"} <= set(made.names("research"))


def test_a_note_beside_which_an_older_one_passes_for_a_copy_is_told_by_next(
    made: Book, tmp_path: Path
) -> None:
    made.ok("import", note(tmp_path / "a", "人物 2.md"))
    made.ok("import", note(tmp_path / "b", "人物.md"))
    told = [d.path for d in made.novel("next").diagnostics if d.code == "STRAY_COPY"]
    assert told == ["research/人物 2.md"]
