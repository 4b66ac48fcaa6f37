"""`bin/novel` as a real process: any locale, any folder name, links, a long book, files of other tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import BIN, OWNER, Book, book, make_verdict, process

from novel_hooks import layout
from tools import bookmaker

if TYPE_CHECKING:
    from pathlib import Path

ANSI = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"}
GBK = {"LC_ALL": "zh_CN.GBK", "LANG": "zh_CN.GBK", "PYTHONIOENCODING": "gbk"}


def answer(run: subprocess.CompletedProcess[bytes], exit: int = 0) -> dict[str, Any]:
    """The one document on stdout, UTF-8 whatever the locale."""
    assert run.returncode == exit, run.stderr.decode("utf-8")
    found: dict[str, Any] = json.loads(run.stdout.decode("utf-8"))
    assert run.stdout.endswith(b"\n") and not run.stdout.startswith(b"\xef\xbb\xbf")
    return found


def whole_chapter(made: Book, cwd: Path | str, env: dict[str, str]) -> None:
    """Chapter 2 from the lock to the commit, each command a process of its own."""

    def novel(*argv: str, stdin: bytes = b"", exit: int = 0) -> Any:
        return answer(process(*argv, "--json", cwd=cwd, env=env, stdin=stdin), exit)["data"]

    assert novel("lock", "acquire") == {"chapter": 2, "begun": True, "stop_after": []}
    for phase in ("draft", "summarize", "refine"):
        assert novel("next")["step"] == f"chapter:002:{phase}"
        packet = novel("instructions", f"chapter:002:{phase}", "--embed", "--write-manifest")
        assert made.json(packet["manifest"])["step"] == packet["step"]
        if phase == "summarize":
            made.records()
        else:
            made.draft("# 第二章 一九八一\n" + "\n1981年的第三章，他抄下第12章。\n" * 3)
        novel("validate", packet["step"])
        assert novel("advance", packet["step"])["changed"] is True
    said = json.dumps(make_verdict(4.5), ensure_ascii=False).encode()
    novel("judge", "record", "--role", "primary", "--model", "sonnet", stdin=b"\xef\xbb\xbf" + said)
    assert novel("advance", "chapter:002:judge")["gate"]["decision"] == "pass"
    assert novel("commit", "--chapter", "2")["paths"]
    assert novel("next")["step"] == "chapter:003:draft"
    assert novel("status")["progress"]["last_completed_chapter"] == 2


@pytest.mark.parametrize("env", [ANSI, GBK], ids=["C", "GBK"])
def test_a_chapter_in_a_locale_that_knows_no_chinese(tmp_path: Path, env: dict[str, str]) -> None:
    made = book(tmp_path, name="我的 小说「一」")
    whole_chapter(made, made.root, env)


def test_text_is_utf8_too(tmp_path: Path) -> None:
    made = book(tmp_path)
    for argv in (("status",), ("next",), ("outline",), ("--help",), ("next", "--help")):
        run = process(*argv, cwd=made.root, env=ANSI)
        assert run.returncode == 0 and any("\u4e00" <= c <= "\u9fff" for c in run.stdout.decode("utf-8"))
    run = process("commit", "--chapter", "3", cwd=made.root, env=ANSI)
    assert (run.returncode, run.stdout) == (3, b"") and "第 3 章" in run.stderr.decode("utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    place = os.fsencode(tmp_path) + b"/\xd0\xc2\xca\xe9"
    os.mkdir(place)
    found = answer(process("next", "--json", "--project", os.fsdecode(place), cwd=tmp_path), 3)
    assert found["diagnostics"][0]["code"] == "PROJECT_NOT_FOUND"


def test_words_that_are_no_utf8_are_refused_not_written(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    before = made.tree()
    garbled = os.fsdecode("超时".encode("gbk"))
    found = answer(process("fail", "chapter:2:summarize", "--reason", garbled, "--json", cwd=made.root), 2)
    assert "UTF-8" in found["diagnostics"][0]["message"]
    assert made.changed(before) == {}


def test_closed_streams(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    for command, code in (('"$0" next >&-', 0), ('"$0" judge record --role primary <&-', 2)):
        run = subprocess.run(
            ["sh", "-c", command, BIN], cwd=made.root, env=env, capture_output=True, check=False
        )
        assert run.returncode == code, run.stderr
        assert b"Traceback" not in run.stderr


def test_from_below_from_elsewhere_and_through_a_link(tmp_path: Path) -> None:
    made = book(tmp_path, name="书 一")
    link = tmp_path / "快捷 方式"
    link.symlink_to(made.root)
    step = "chapter:002:draft"
    here = [
        (made.at("volumes/vol-01"), ()),
        (made.at("staging/chapters"), ()),
        (tmp_path, ("--project", "书 一")),
        (tmp_path, ("--project", str(link))),
        (tmp_path, ("--project", "书 一/characters/active")),
        (link, ()),
        (link / "staging", ()),
    ]
    for cwd, more in here:
        assert answer(process("next", "--json", *more, cwd=cwd))["data"]["step"] == step, (cwd, more)


def test_the_whole_chapter_through_a_link(tmp_path: Path) -> None:
    made = book(tmp_path, name="real")
    link = tmp_path / "link"
    link.symlink_to(made.root)
    whole_chapter(made, link, {})
    assert link.is_symlink() and made.at(layout.chapter(2)).is_file()


def test_a_project_in_staging_is_none(tmp_path: Path) -> None:
    """An agent writes there: it must not be able to make itself a book."""
    made = book(tmp_path)
    made.write("staging/trap/.checkpoint.json", {"last_completed_chapter": 0})
    assert (
        answer(process("next", "--json", cwd=made.at("staging/trap")))["data"]["step"] == "chapter:002:draft"
    )


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f'cd "{gone}" && rmdir "{gone}" && exec "$0" next'
    run = subprocess.run(["sh", "-c", command, BIN], capture_output=True, check=False, cwd=tmp_path)
    assert run.returncode in (2, 3)
    assert "Traceback" not in run.stderr.decode("utf-8") and run.stdout == b""


def test_two_at_once_one_is_told_to_wait_and_nothing_is_torn(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation(4.5)
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    both = [
        subprocess.Popen(
            [BIN, "commit", "--chapter", "2", "--json"], cwd=made.root, env=env, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    codes = [(one.communicate()[0], one.returncode)[1] for one in both]
    assert 0 in codes and set(codes) <= {0, 4}
    assert made.point()["last_completed_chapter"] == 2
    assert [line["chapter"] for line in made.lines(layout.CHANGELOG)] == [1, 2]


def test_a_reader_that_leaves_early(tmp_path: Path) -> None:
    made = book(tmp_path)
    run = subprocess.run(
        ["sh", "-c", '"$0" outline | true', BIN], cwd=made.root, capture_output=True, check=False
    )
    assert b"Traceback" not in run.stderr and b"Exception" not in run.stderr


@pytest.fixture(scope="module")
def long_book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    root = tmp_path_factory.mktemp("long") / "book"
    bookmaker.make_book(str(root), 1002, volume_size=400, chapter_chars=60)
    made = Book(root, 1003)
    text = "# 第1002章 第1002趟船\n\n1981年，第三章里写着第九百九十九回。\n"
    made.write(layout.chapter(1002), text)
    return made


def test_a_book_of_1002_chapters_goes_on(long_book: Book) -> None:
    made = long_book
    step = answer(process("next", "--json", cwd=made.root))["data"]
    assert (step["step"], step["volume"]) == ("chapter:1003:draft", 3)
    packet = made.ok("instructions", "chapter:1003:draft")
    recent = [i["path"] for i in packet["inputs"] if i["key"] == "recent_3_summaries"]
    assert recent == [f"summaries/chapter-{n}-summary.md" for n in (1002, 1001, 1000)]
    made.until("judged")
    assert made.next()["step"] == "chapter:1003:commit"
    landed = made.ok("commit", "--chapter", "1003")
    assert landed["paths"][0] == "chapters/chapter-1003.md"
    assert made.json(layout.STATE)["state_version"] == 1003
    assert answer(process("next", "--json", cwd=made.root))["data"]["step"] == "chapter:1004:draft"
    status = process("status", cwd=made.root).stdout.decode("utf-8")
    assert "已完成到第 1003 章" in status
    assert [line.split()[1] for line in status.splitlines() if line.startswith("  第")] == [
        "999",
        "1000",
        "1001",
        "1002",
        "1003",
    ]


def test_every_name_of_three_digits_or_more_is_one_chapter(long_book: Book) -> None:
    names = long_book.names("chapters")
    numbers = sorted(n for n in map(layout.chapter_number, names) if n)
    assert numbers == list(range(1, len(names) + 1))
