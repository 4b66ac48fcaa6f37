"""What every command keeps: Chinese help, one document with --json, exit codes, clear usage errors."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, OWNER, Book, book, make_verdict
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import COMMANDS
from novel_hooks.cli.main import run
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HAN = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(
    r"usage|options|optional|positional|arguments|show this|required|choose|default", re.IGNORECASE
)

Said = tuple[int, str, str]


@pytest.fixture
def say(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Said]:
    """One call as the console script does it: exit code, stdout and stderr, which must be UTF-8."""

    def called(*argv: str, owner: str = OWNER) -> Said:
        code = run(list(argv), {"NOVEL_OWNER": owner})
        out, err = capsysbinary.readouterr()
        return code, out.decode("utf-8"), err.decode("utf-8")

    return called


def document(out: str, command: str) -> dict[str, Any]:
    """The one document on stdout, held against the envelope's schema."""
    found: dict[str, Any] = json.loads(out)
    assert schema.problems("envelope", found, "envelope") == []
    assert found["command"] == command
    assert found["ok"] is not any(d["severity"] == "error" for d in found["diagnostics"])
    for told in found["diagnostics"]:
        assert HAN.search(told["message"])
        assert HAN.search(told["fix"]) or told["severity"] == "info"
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_chinese(say: Callable[..., Said], command: str) -> None:
    for flag in ("--help", "-h"):
        code, out, err = say(command, flag)
        assert (code, err) == (0, "")
        assert out.startswith(f"用法：novel {command}") and "选项" in out
        assert not ENGLISH.search(out) and "--owner" not in out
        assert f"例：novel {command}" in out
        told = re.findall(r"^  -.*(?:\n {4,}.*)*", out, re.MULTILINE)
        assert told and all(HAN.search(option) for option in told)
    code, out, _ = say(command, "--help", "--json")
    assert code == 0 and "用法" in document(out, command)["data"]["help"]


@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",), ("help",), ("帮助",)])
def test_the_front_page_has_fifteen_commands_at_most(say: Callable[..., Said], argv: tuple[str, ...]) -> None:
    code, out, _ = say(*argv)
    daily = re.findall(r"^  novel ([a-z]+).*[\u4e00-\u9fff]", out, re.MULTILINE)
    assert code == 0 and 10 <= len(daily) <= 15 and set(daily) <= set(COMMANDS)
    assert "--owner" not in out and "novel help --all" in out


@pytest.mark.parametrize("argv", [("help", "--all"), ("--help", "--all")])
def test_one_step_further_is_every_command(say: Callable[..., Said], argv: tuple[str, ...]) -> None:
    code, out, _ = say(*argv)
    assert code == 0
    assert all(re.search(rf"^  {name} .*[\u4e00-\u9fff]", out, re.MULTILINE) for name in COMMANDS)
    told = document(say(*argv, "--json")[1], "help" if argv[0] == "help" else "novel")
    assert told["data"]["commands"] == list(COMMANDS)


def calls(made: Book) -> list[tuple[int, tuple[str, ...]]]:
    """(exit, a call of it) for every command, on a book whose chapter 2 is refined and judged by one."""
    good, bad = made.words(make_verdict(4.5)), str(made.root.parent / "bad.txt")
    made.root.parent.joinpath("bad.txt").write_text("说不清", "utf-8")
    return [*_read(), *_judged(good, bad), *_landed()]


def _read() -> list[tuple[int, tuple[str, ...]]]:
    return [
        (0, ("status",)),
        (0, ("next",)),
        (0, ("outline",)),
        (0, ("outline", "--chapter", "2")),
        (3, ("outline", "--chapter", "99")),
        (0, ("outline", "--check")),
        (0, ("outline", "--fix", "--yes")),
        (0, ("find", "沈渡")),
        (0, ("find", "没有这个词", "--exact", "--all")),
        (2, ("find", " ")),
        (0, ("who", "沈渡")),
        (3, ("who", "无名氏")),
        (0, ("foreshadow", "query", "2")),
        (0, ("foreshadow", "list", "--status", "open")),
        (0, ("foreshadow", "show", "clue-001")),
        (3, ("foreshadow", "show", "nothing")),
        (0, ("foreshadow", "drop", "clue-001", "--reason", "不写了")),
        (0, ("foreshadow", "revive", "clue-001")),
        (3, ("foreshadow", "drop", "nothing")),
        (0, ("foreshadow", "overdue")),
        (0, ("entities",)),
        (0, ("review",)),
        (3, ("review", "2")),
        (0, ("changed",)),
        (0, ("changed", "--note")),
        (2, ("changed", "--done", "nothing")),
        (3, ("replan",)),
        (3, ("retire", "bai-sui")),
        (3, ("retire", "nobody")),
        (3, ("rename", "沈渡", "沈舟")),
        (3, ("rename", "无此人", "沈舟")),
        (0, ("lock", "status")),
        (0, ("lock", "acquire")),
        (0, ("lock", "clear")),
        (0, ("lock", "release")),
        (0, ("audit",)),
    ]


def _judged(good: str, bad: str) -> list[tuple[int, tuple[str, ...]]]:
    """`good` and `bad` are files with a judge's words."""
    return [
        (0, ("instructions", "chapter:2:judge")),
        (0, ("instructions", "chapter:2:draft", "--embed", "--write-manifest")),
        (1, ("judge", "record", "--role", "primary", "--file", bad)),
        (3, ("judge", "record", "--role", "secondary", "--file", good)),
        (1, ("validate", "chapter:2:judge")),
        (1, ("gate", "2")),
        (0, ("judge", "record", "--role", "primary", "--file", good)),
        (0, ("gate", "2")),
        (0, ("validate", "chapter:2:draft")),
        (3, ("commit", "--chapter", "2")),
        (3, ("retry",)),
        (3, ("decide", "2", "accept")),
        (0, ("fail", "chapter:2:judge", "--reason", "超时")),
        (0, ("advance", "chapter:2:judge")),
    ]


def _landed() -> list[tuple[int, tuple[str, ...]]]:
    return [
        (0, ("commit", "--chapter", "2", "--dry-run")),
        (0, ("commit", "--chapter", "2")),
        (0, ("commit", "--chapter", "2")),
        (3, ("replan",)),
        (0, ("replan", "--yes")),
        (0, ("replan", "--cancel")),
        (3, ("retire", "bai-sui")),
        (0, ("retire", "bai-sui", "--yes")),
        (3, ("rename", "何铁", "何锡")),
        (0, ("rename", "何铁", "何锡", "--yes")),
        (0, ("rollback", "--list")),
        (0, ("restore", "1", "--yes")),
        (0, ("changed",)),
        (3, ("init",)),
        (2, ("next", "--nonsense")),
    ]


ASKED = ("replan", "retire", "rename", "rollback", "restore")
"""Who cannot be asked is shown what would be done."""


@pytest.mark.parametrize("as_json", [True, False])
def test_one_document_or_one_text(say: Callable[..., Said], tmp_path: Path, as_json: bool) -> None:
    made = book(tmp_path)
    made.stage("refined")
    made.draft()
    made.records()
    for exit, argv in calls(made):
        flags = ("--project", str(made.root), *(["--json"] if as_json else []))
        code, out, err = say(*argv, *flags)
        assert code == exit, (argv, out, err)
        if as_json:
            found = document(out, argv[0])
            assert found["ok"] is (code == 0) and err == ""
            if argv[0] == "next" and found["data"]:
                assert schema.problems("next", found["data"], "next") == []
            if argv[0] == "instructions" and "--write-manifest" not in argv:
                assert schema.problems("packet", found["data"], "packet") == []
        else:
            assert HAN.search(out if code == 0 else err), argv
            assert not re.search(r"Traceback|Error\b|\bNone\b|\bTrue\b|\{'", out + err), argv
            if code > 1:
                assert "→" in err and (out == "" or argv[0] in ASKED), argv


WRONG = [
    (("nxt",), "novel next"),
    (("续写",), "/novel:continue"),
    (("--nonsense",), "novel --help"),
    (("next", "--nonsense"), "--nonsense"),
    (("next", "多的"), "多的"),
    (("advance",), "步骤"),
    (("advance", "chapter:2:fly"), "fly"),
    (("advance", "第二章"), "第二章"),
    (("validate", "chapter:0:draft"), "从 1 起"),
    (("commit",), "--chapter"),
    (("commit", "--chapter"), "--chapter"),
    (("commit", "--chapter", "一百五"), "一百五"),
    (("commit", "--chapter", "-1"), "--chapter"),
    (("commit", "--chapter", "0"), "从 1 起"),
    (("commit", "--chapter", "1" * 20), "从 1 起"),
    (("judge", "record"), "--role"),
    (("judge", "record", "--role", "third"), "third"),
    (("judge", "--role", "primary"), "record"),
    (("decide", "2"), "决定"),
    (("decide", "2", "perhaps"), "perhaps"),
    (("decide", "2", "accept", "--note", "好"), "--note"),
    (("fail", "chapter:2:draft"), "--reason"),
    (("lock", "steal"), "steal"),
    (("foreshadow", "query"), "章号"),
    (("foreshadow", "show"), "伏笔"),
    (("foreshadow", "drop"), "伏笔"),
    (("foreshadow", "list", "--reason", "不写了"), "--reason"),
    (("outline", "--volume", "0"), "卷号"),
    (("--project",), "--project"),
    (("--owner",), "--owner"),
    (("gate", "x"), "x"),
]


@pytest.mark.parametrize(("argv", "said"), WRONG, ids=str)
def test_a_call_that_cannot_be_understood(
    say: Callable[..., Said], tmp_path: Path, argv: tuple[str, ...], said: str
) -> None:
    made = book(tmp_path)
    before = made.tree()
    os.chdir(made.root)
    code, out, err = say(*argv)
    assert (code, out) == (2, "")
    assert said in err and "→" in err and HAN.search(err)
    assert not ENGLISH.search(re.sub(r"`[^`]*`|--\w+", "", err))
    found = document(say(*argv, "--json")[1], argv[0] if not argv[0].startswith("-") else "novel")
    assert found["ok"] is False and found["data"] is None and len(found["diagnostics"]) == 1
    assert made.changed(before) == {}


NEEDS_PROJECT: list[tuple[str, ...]] = [
    ("status",),
    ("next",),
    ("instructions", "chapter:2:draft"),
    ("validate", "chapter:2:draft"),
    ("advance", "chapter:2:draft"),
    ("gate", "2"),
    ("decide", "2", "accept"),
    ("fail", "chapter:2:draft", "--reason", "x"),
    ("retry",),
    ("commit", "--chapter", "2"),
    ("lock", "status"),
    ("lock", "acquire"),
    ("outline",),
    ("foreshadow", "query", "2"),
    ("foreshadow", "list"),
    ("find", "沈渡"),
    ("who", "沈渡"),
    ("entities",),
]


@pytest.mark.parametrize("argv", NEEDS_PROJECT, ids=str)
def test_a_folder_that_is_no_project(say: Callable[..., Said], tmp_path: Path, argv: tuple[str, ...]) -> None:
    (tmp_path / "chapters").write_text("一个叫 chapters 的文件", "utf-8")
    code, out, err = say(*argv, "--project", str(tmp_path))
    assert code == 3 and ("novel init" in out if argv == ("status",) else out == "")
    assert str(tmp_path) in err and "novel init" in err
    assert os.listdir(tmp_path) == ["chapters"]
    code, _, err = say(*argv, "--project", str(tmp_path / "nowhere"))
    assert code == 2 and "nowhere" in err


def test_options_may_stand_before_the_command(say: Callable[..., Said], tmp_path: Path) -> None:
    made = book(tmp_path)
    code, out, _ = say("--project", str(made.root), "--json", "next")
    assert (code, document(out, "next")["data"]["step"]) == (0, "chapter:002:draft")
    assert say(f"--project={made.root}", "next")[0] == 0


def test_who_is_busy_is_told(say: Callable[..., Said], tmp_path: Path) -> None:
    made = book(tmp_path)
    made.novel("lock", "acquire", owner=OTHER)
    for argv in (
        ("advance", "chapter:2:draft"),
        ("commit", "--chapter", "2"),
        ("fail", "chapter:2:draft", "--reason", "x"),
        ("retry",),
        ("lock", "acquire"),
        ("lock", "release"),
        ("lock", "clear"),
    ):
        code, _, err = say(*argv, "--project", str(made.root))
        assert code == 4 and "第 2 章" in err
    for argv in (("next",), ("status",), ("lock", "status"), ("outline",)):
        assert say(*argv, "--project", str(made.root))[0] == 0
    assert say("lock", "clear", "--force", "--project", str(made.root))[0] == 0


def test_init_makes_a_book_and_never_a_second_one(say: Callable[..., Said], tmp_path: Path) -> None:
    place = tmp_path / "新 书"
    code, out, _ = say("init", str(place), "--title", "灯 #1: 归", "--genre", "志怪", "--json")
    assert code == 0 and layout.CHECKPOINT in document(out, "init")["data"]["files"]
    made = Book(place, 1)
    assert made.next()["step"].startswith("setup:")
    assert made.novel("status").exit == 0
    for path, name in ((layout.CHECKPOINT, "checkpoint"), (layout.BLACKLIST, "ai-blacklist")):
        assert schema.problems(name, made.json(path), path) == []
    assert "灯 #1: 归" in made.at(layout.CONFIG).read_text("utf-8")
    assert all(made.at(folder).is_dir() for folder in layout.PROJECT_DIRS)
    before = made.tree()
    assert say("init", str(place))[0] == 3
    assert say("init", str(place / "volumes"))[0] == 3
    assert made.changed(before) == {}


def test_init_keeps_what_is_there(say: Callable[..., Said], tmp_path: Path) -> None:
    place = tmp_path / "book"
    place.mkdir()
    (place / "brief.md").write_text("我的立意\n", "utf-8")
    assert say("init", str(place))[0] == 0
    assert (place / "brief.md").read_text("utf-8") == "我的立意\n"
    for taken in (tmp_path / "file", tmp_path / "old"):
        if taken.name == "old":
            (taken / "chapters").mkdir(parents=True)
            taken = taken / "chapters" / "chapter-001.md"
        taken.write_text("别的东西", "utf-8")
    assert say("init", str(tmp_path / "file"))[0] == 2
    assert say("init", str(tmp_path / "old"))[0] == 5
    assert os.listdir(tmp_path / "old") == ["chapters"]


def test_a_bug_of_ours_is_told_as_one(
    say: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path)
    monkeypatch.setattr("novel_hooks.flows.briefing.due_step.view", lambda _book: 1 // 0)
    code, out, err = say("next", "--project", str(made.root))
    assert (code, out) == (70, "")
    assert "Traceback" not in err and HAN.search(err)
