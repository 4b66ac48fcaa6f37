"""`novel lint`, residue at a step, and the facts in the packets of refiner and judge."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book, process
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from copying import copied

from novel_hooks import layout
from novel_hooks.cli import answer
from unit.flows.checks.linted_phase import STAGES, at_phase

if TYPE_CHECKING:
    from pathlib import Path

RESIDUE = "# 第 2 章 夜渡\n\n他走了。\n\n**收灯**，伏笔 F-012。\n"


def kept(made: Book) -> dict[str, str]:
    return {k: v for k, v in made.tree().items() if not k.startswith(".novel")}


# --- at a step -------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", STAGES)
def test_residue_stops_the_step_that_wrote_it(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    made.draft(RESIDUE)
    before = kept(made)
    for command in ("validate", "advance"):
        found = made.novel(command, made.step(phase))
        errors = [d for d in found.diagnostics if d.severity == "error"]
        assert found.exit == 1
        assert [d.code for d in errors] == ["CHAPTER_RESIDUE"] * 2
        assert [d.path for d in errors] == [made.staged("chapter")] * 2
        assert "第 5 行有残留（Markdown 加粗）" in errors[0].message
        assert "F-012" in errors[1].message
        who = "润色师" if phase in ("refine", "polish") else "写手"
        assert errors[0].fix.startswith(f"请让{who}改掉")
    assert kept(made) == before


def test_a_sentence_cut_short_is_to_be_finished_not_let_pass(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.draft("# 第 2 章 夜渡\n\n他把灯提起来。\n\n水漫过来，他往\n")
    (told,) = [
        d for d in made.novel("validate", made.step("draft")).diagnostics if d.code == "CHAPTER_RESIDUE"
    ]
    assert "末句没有写完" in told.message
    assert told.fix.startswith("请让写手把末句写完") and "whitelist" not in told.fix


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("> 见字如面。", "去掉行首的 >："),
        ("| 灯 | 数 |", "把这张表改成成句的话"),
        ("- 收灯", "去掉行首的记号"),
    ],
)
def test_a_mark_before_a_line_is_to_be_taken_off(tmp_path: Path, line: str, how: str) -> None:
    made = at_phase(tmp_path, "draft")
    made.draft(f"# 第 2 章 夜渡\n\n他把灯提起来。\n\n{line}\n\n他走了。\n")
    (told,) = [
        d for d in made.novel("validate", made.step("draft")).diagnostics if d.code == "CHAPTER_RESIDUE"
    ]
    assert told.fix.startswith(f"请让写手{how}") and "whitelist" not in told.fix


@pytest.mark.parametrize("phase", STAGES)
def test_the_same_step_is_done_again_after_residue(tmp_path: Path, phase: str) -> None:
    """The text stays found, so that the step stays the next one and may be handed out again."""
    made = at_phase(tmp_path, phase)
    made.draft(RESIDUE)
    assert made.ok("instructions", made.step(phase))["phase"] == phase


def test_a_refiner_that_left_residue_is_asked_once_more(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafted")
    made.ok("instructions", made.step("refine"))
    made.draft(RESIDUE)
    assert made.novel("advance", made.step("refine")).exit == 1
    assert made.next()["phase"] == "refine"
    assert made.ok("fail", made.step("refine"), "--reason", "有残留")["answer"] == "retry"
    made.ok("instructions", made.step("refine"))
    made.draft()
    assert made.advance("refine")["pipeline_stage"] == "refined"


def test_residue_is_told_all_at_once_but_not_without_end(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.draft("# 第 2 章 夜渡\n\n" + "见 F-012。\n" * 50)
    found = made.novel("validate", made.step("draft"))
    told = [d for d in found.diagnostics if d.code == "CHAPTER_RESIDUE"]
    assert len(told) == 50
    shown = answer.diagnostic_lines(told)
    assert len(shown) == 6 and "另有 45 处同样的问题（第 8、9、" in shown[-1]


def test_what_the_author_lets_pass_stops_nothing(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.draft(RESIDUE)
    blacklist = made.json(layout.BLACKLIST)
    made.write(layout.BLACKLIST, {**blacklist, "whitelist": ["F-012", "**收灯**"]})
    assert made.novel("validate", made.step("draft")).exit == 0


def test_other_steps_do_not_look_for_residue(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    made.stage("drafting")
    made.draft(RESIDUE)
    assert made.novel("validate", made.step("summarize")).exit == 0


def test_advice_stops_nothing(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.draft("# 第 2 章 夜渡\n\n夜色渐浓。他不禁缓缓抬头，众人哗然。命运才刚刚开始。\n")
    assert made.novel("validate", made.step("draft")).exit == 0


# --- the command -----------------------------------------------------------------------------


def test_the_staged_chapter_comes_before_the_landed_one(tmp_path: Path) -> None:
    made = book(tmp_path)
    landed = made.ok("lint", "1")
    assert (landed["path"], landed["staged"], landed["residue"]) == (layout.chapter(1), False, [])
    made.write(layout.staged(layout.chapter(1)), RESIDUE)
    found = made.novel("lint", "1")
    assert (found.exit, found.data["staged"]) == (1, True)
    assert [d.code for d in found.diagnostics] == ["CHAPTER_RESIDUE"] * 2
    made.refused(3, "FILE_MISSING", "lint", "9")
    made.refused(2, "CLI_USAGE", "lint")


def test_the_share_of_speech_and_the_range_of_the_profile_have_one_unit(tmp_path: Path) -> None:
    made = book(tmp_path)
    profile = made.json(layout.STYLE_PROFILE)
    made.write(layout.STYLE_PROFILE, {**profile, "dialogue_ratio": [0.18, 0.4]})
    assert "（文风档案：18% 到 40%）" in made.novel("lint", "1").text


def test_lint_changes_nothing(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft()
    before = made.tree()
    made.ok("lint", "2")
    assert made.changed(before) == {}


def test_the_page_says_what_blocks_first(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft("# 第 2 章 夜渡\n\n夜色渐浓，他走了。\n\n见 F-012。\n")
    page = made.novel("lint", "2").text
    lines = page.split("\n")
    assert lines[0].startswith("第 2 章（暂存的正文）：") and "字（只数汉字" in lines[0]
    assert lines[2] == "必须先改的残留："
    assert lines[3] == "  第 5 行　内部编号：见 F-012。"
    assert page.index("必须先改") < page.index("值得看一眼") < page.index("数字：")
    assert "  第 3 行　夜色渐浓" in page
    made.draft("# 第 2 章 夜渡\n\n他走了。\n")
    assert "没有必须先改的残留。" in made.novel("lint", "2").text


def test_what_a_chapter_is_compared_with(tmp_path: Path) -> None:
    made = book(tmp_path, 5, volume_size=8)
    made.draft(
        "# 第 6 章 夜渡\n\n沈渡要过河守塔人不放灯过不去就误了船期。\n\n他没有回头。对岸的灯灭了一盏。\n"
    )
    made.write(layout.BLACKLIST, {"words": ["对岸", {"word": "灯"}, "船期"], "whitelist": ["船期"]})
    found = made.ok("lint", "6")
    assert found["compared"] == {"chapters": [5, 4, 3], "plan": ["大纲", "契约"]}
    assert [(c["source"], c["places"][0]["line"]) for c in found["copied"]] == [("大纲", 3)]
    assert {one["source"] for one in found["repeats"]["earlier"]} == {"第 5 章", "第 4 章", "第 3 章"}
    assert {w["word"]: w["count"] for w in found["blacklist"]["words"]} == {"灯": 2, "对岸": 1}


def test_a_chapter_of_an_earlier_volume_has_that_volumes_plan(tmp_path: Path) -> None:
    made = book(tmp_path, 5, volume_size=2)
    assert made.ok("lint", "2")["compared"] == {"chapters": [1], "plan": ["大纲", "契约"]}


def test_a_file_that_cannot_be_read_is_said_and_left_out(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft()
    made.write(layout.BLACKLIST, "{")
    made.write(layout.STYLE_PROFILE, b"\xff")
    found = made.novel("lint", "2")
    assert found.exit == 0
    assert sorted((d.code, d.severity, d.path) for d in found.diagnostics) == [
        ("LINT_WITHOUT", "warning", layout.BLACKLIST),
        ("LINT_WITHOUT", "warning", layout.STYLE_PROFILE),
    ]


@pytest.mark.parametrize("odd", [[], "x", {"words": "x"}, {"words": [1, None], "whitelist": 3}, None, 7])
def test_odd_settings_make_no_fault_of_ours(tmp_path: Path, odd: Any) -> None:
    made = book(tmp_path)
    made.draft()
    for path in (layout.BLACKLIST, layout.STYLE_PROFILE, layout.contract(1, 2)):
        made.write(path, json.dumps(odd))
    assert made.novel("lint", "2").exit == 0


def test_any_file_inside_a_project_and_without_one(tmp_path: Path) -> None:
    made = book(tmp_path)
    place = tmp_path / "稿.md"
    place.write_bytes("\ufeff他走了。\r\n\r\n陈词1，本章完。\r\n".encode())
    found = made.novel("lint", "--file", str(place))
    assert (found.exit, found.data["chapter"], found.data["path"]) == (1, None, str(place))
    assert [(r["name"], r["line"]) for r in found.data["residue"]] == [("写作术语", 3)]
    assert found.data["blacklist"]["count"] == 1
    assert found.data["compared"] == {"chapters": [], "plan": []}
    assert made.novel("lint", "2", "--file", str(place)).data["compared"]["chapters"] == [1]
    alone = process("lint", "--file", str(place), "--json", cwd=tmp_path)
    assert alone.returncode == 1
    assert json.loads(alone.stdout)["data"]["blacklist"]["count"] == 0
    assert process("lint", "2", "--file", str(place), cwd=tmp_path).returncode == 3
    made.refused(3, "FILE_MISSING", "lint", "--file", str(tmp_path / "无.md"))
    made.refused(3, "FILE_NOT_UTF8", "lint", "--file", str(bad(tmp_path)))


def bad(tmp_path: Path) -> Path:
    place = tmp_path / "bad.md"
    place.write_bytes(b"\xff\xfe")
    return place


def test_the_same_bytes_whatever_surrounds_it(tmp_path: Path) -> None:
    made = book(tmp_path / "one", 5, volume_size=8)
    made.draft("# 第 6 章 夜渡\n\n" + "他不禁缓缓抬头，众人哗然。水声从船底漫上来。他没有回头。\n\n" * 9)
    other = copied(made, tmp_path / "二 号")
    runs = [
        process("lint", "6", "--json", cwd=root, env={"NOVEL_OWNER": OWNER, "PYTHONHASHSEED": seed, **more})
        for root, seed, more in (
            (made.root, "0", {"TZ": "UTC", "LC_ALL": "C"}),
            (other.root, "7", {"TZ": "Asia/Shanghai", "LC_ALL": "zh_CN.UTF-8"}),
        )
    ]
    assert runs[0].returncode == 0 and runs[0].stdout == runs[1].stdout


def test_lint_loads_neither_jsonschema_nor_yaml(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft()
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1));"
        "from novel_hooks.cli.main import run; import os;"
        "sys.argv[1:] = ['lint', '2']; code = run(sys.argv[1:], os.environ);"
        "sys.exit(code or any(n.split('.')[0] in ('jsonschema', 'ruamel') for n in sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, CHECKOUT], cwd=made.root, capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
