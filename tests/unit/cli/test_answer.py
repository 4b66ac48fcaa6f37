"""How many equal findings a person is told one by one; a document of `--json` has them all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import book, process

from novel_hooks import errors, layout
from novel_hooks.cli import answer
from novel_hooks.errors import Diagnostic, Problem, Problems

if TYPE_CHECKING:
    from pathlib import Path


def faults(count: int, path: str = "a.json", code: str = "X") -> list[Diagnostic]:
    return [Diagnostic("error", code, f"第 {n} 行不对", "改掉", path) for n in range(1, count + 1)]


@pytest.mark.parametrize("count", [0, 1, 5, 6])
def test_a_few_are_all_told(count: int) -> None:
    assert answer.diagnostic_lines(faults(count)) == [answer.describe(one) for one in faults(count)]


def test_twelve_equal_faults_of_one_file_are_five_and_a_number() -> None:
    shown = answer.diagnostic_lines(faults(12))
    assert shown[:5] == [answer.describe(one) for one in faults(5)]
    assert shown[5:] == [
        "错误：另有 7 处同样的问题（第 6、7、8、9、10、11、12 行）。\n"
        "  → 先改上面的，再查一遍；--json 列出全部。"
    ]


def test_other_files_and_other_kinds_are_counted_for_themselves_and_keep_their_order() -> None:
    every = [*faults(5), *faults(5, "b.json"), *faults(5, code="Y")]
    assert answer.diagnostic_lines(every) == [answer.describe(one) for one in every]
    mixed = [*faults(7), *faults(1, "b.json"), *faults(1)]
    shown = answer.diagnostic_lines(mixed)
    assert len(shown) == 7 and "另有 3 处" in shown[5] and shown[6] == answer.describe(mixed[7])


def test_lines_are_named_where_all_say_them_and_not_without_end() -> None:
    bare = [one._replace(message="不对") for one in faults(9)]
    assert "另有 4 处同样的问题。" in answer.diagnostic_lines(bare)[-1]
    assert (
        "第 6、7" in answer.diagnostic_lines(faults(200))[-1]
        and "35…" in answer.diagnostic_lines(faults(200))[-1]
    )


@pytest.mark.parametrize(
    "asked",
    [
        errors.ConfirmationNeeded(what="退回到第 2 章", command="novel rollback 2 --yes"),
        errors.BreakPoint(None, "made", what="第 2 章的初稿写好了"),
        errors.BreakPoint(None, "unseen", what="第 2 章的正文没有动过"),
    ],
)
def test_a_question_is_no_error_to_the_author_and_one_in_the_document(asked: Problem) -> None:
    shown = answer.build({}, "", [asked], asked.exit)
    assert answer.diagnostic_lines(shown.diagnostics)[0].startswith("请确认：")
    document = answer.envelope("x", shown)
    assert (document["ok"], document["diagnostics"][0]["severity"]) == (False, "error")


def test_several_problems_quoted_in_another_message_stay_a_sentence() -> None:
    told = str(Problems([Problem(detail=str(n)) for n in range(5000)]))
    assert told.endswith("；另有 4997 处问题") and len(told) < 200
    assert len(Problems([Problem(detail=str(n)) for n in range(9)]).problems) == 9


def test_a_real_file_with_many_faults(tmp_path: Path) -> None:
    """On the terminal a page, in the document every one."""
    made = book(tmp_path)
    made.write(layout.FORESHADOWING, {"foreshadowing": [{"id": f"t{n}", "scope": "x"} for n in range(40)]})
    page = process("foreshadow", "list", cwd=made.root)
    assert page.returncode == errors.REFUSED and 5 <= page.stderr.decode().count("→") <= 7
    document = json.loads(process("foreshadow", "list", "--json", cwd=made.root).stdout)
    assert len(document["diagnostics"]) >= 40


def test_what_steers_a_terminal_is_seen_in_text_and_unchanged_in_the_document(tmp_path: Path) -> None:
    made = book(tmp_path)
    name = "灯\u202e\x1b[31m\x07\u2066\x9b"
    item = {"id": "a", "description": name, "scope": "short", "status": "planted", "planted_chapter": 1}
    made.write(layout.FORESHADOWING, {"foreshadowing": [item]})
    told = process("foreshadow", "list", cwd=made.root).stdout.decode()
    assert "灯\\u202e\\x1b[31m\\x07\\u2066\\x9b" in told and not set("\u202e\x1b\x07\u2066\x9b") & set(told)
    found = process("foreshadow", "list", "--json", cwd=made.root)
    assert json.loads(found.stdout)["data"]["items"][0]["description"] == name
    assert answer.visible("一\t二\n\u3000三👩\u200d🚀") == "一\t二\n\u3000三👩\u200d🚀"
