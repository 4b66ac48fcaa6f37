"""Slips of form that code mends without a guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import roles
from novel_hooks.flows.chapter import mending

if TYPE_CHECKING:
    from pathlib import Path

PATH = "staging/state/chapter-002-delta.json"
DOCUMENT: dict[str, Any] = {"chapter": 2, "ops": ["第一", {"a": "}"}]}
TEXT = json.dumps(DOCUMENT, ensure_ascii=False)


@pytest.mark.parametrize(
    "written",
    [
        f"```json\n{TEXT}\n```",
        f"~~~\n{TEXT}\n~~~\n",
        f"这是增量：\n{TEXT}\n写好了。",
        f"<think>先想想</think>{TEXT}",
        TEXT[:-1] + ",}",
    ],
)
def test_the_one_object_is_taken_out_of_its_words(written: str) -> None:
    found = mending.mend("delta", PATH, written.encode())
    assert found is not None and json.loads(found.data) == DOCUMENT
    assert [slip.code for slip in found.slips] == ["OUTPUT_MENDED"]


@pytest.mark.parametrize(
    "written",
    [
        TEXT,
        "\ufeff" + TEXT,
        TEXT[:-2],
        f"{TEXT}\n" + '{"chapter": 3, "ops": []}',
        "没有对象",
        f"[{TEXT}]",
        "[1",
        b"\xff\xfe",
        '{"a": 1, "a": 2}',
    ],
)
def test_what_needs_no_mending_or_a_guess_stays_as_it_is(written: str | bytes) -> None:
    data = written.encode() if isinstance(written, str) else written
    assert mending.mend("delta", PATH, data) is None


def test_only_agents_files_in_staging_are_mended() -> None:
    data = f"```json\n{TEXT}\n```".encode()
    assert mending.mend("world_rules", "world/rules.json", data) is None
    assert mending.mend("evaluation", "staging/evaluations/chapter-002-eval.json", data) is None


def test_a_fenced_delta_is_taken_and_told_once(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records()
    delta = made.record("delta")
    made.write(made.staged("delta"), f"```json\n{json.dumps(delta, ensure_ascii=False)}\n```\n")
    assert made.next()["phase"] == "refine"
    seen = made.novel("validate", made.step("summarize"))
    assert seen.data["ok"] and "OUTPUT_MENDED" not in [d.code for d in seen.diagnostics]
    told = made.novel("advance", made.step("summarize"))
    assert [d.code for d in told.diagnostics].count("OUTPUT_MENDED") == 1
    assert made.json(made.staged("delta")) == delta
    assert "OUTPUT_MENDED" not in [d.code for d in made.novel("validate", made.step("summarize")).diagnostics]


def shape_and_names(made: Book) -> None:
    op = {"op": "set", "path": "characters.shen-duu.location", "value": "渡口"}
    lost = {"op": "remove", "path": "items.nowhere"}
    delta = {**made.record("delta"), "chapter": 9, "ops": [op, lost], "unknown_entities": "乔九"}
    made.write(made.staged("delta"), delta)


def test_faults_of_form_and_of_content_are_told_together(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records()
    shape_and_names(made)
    found = made.novel("validate", made.step("summarize"))
    told = " ".join(d.message for d in found.diagnostics)
    assert found.exit == 1
    assert "unknown_entities" in told and "chapter 应是 2，写成了 9" in told
    assert "shen-duu" in told and "第 2 条变更" in " ".join(d.fix for d in found.diagnostics)


@pytest.mark.parametrize(("own", "between"), [("", "\n\n\n"), ("＊＊＊", "\n\n＊＊＊\n\n")])
def test_a_line_between_scenes_becomes_the_books_own(tmp_path: Path, own: str, between: str) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    if own:
        made.write("novel.yaml", f'scene_break: "{own}"\n')
    words = f"# 第 2 章 夜渡\n\n第1稿。{'水声' * 20}。\n\n---\n\n他上了岸。\n"
    made.draft(words)
    seen = made.novel("validate", made.step("draft"))
    assert seen.data["ok"] and "OUTPUT_MENDED" not in [d.code for d in seen.diagnostics]
    told = made.novel("advance", made.step("draft"))
    assert [d.code for d in told.diagnostics].count("OUTPUT_MENDED") == 1
    text = made.at(made.staged("chapter")).read_text("utf-8")
    assert text == words.replace("\n\n---\n\n", between)
    made.records()
    made.advance("summarize")
    again = made.novel("advance", made.step("refine"))
    assert "OUTPUT_MENDED" not in [d.code for d in again.diagnostics]
    assert made.novel("lint", "2").data["residue"] == []


def test_a_polish_with_a_line_between_scenes_lands_as_judged(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged", 3.7)
    made.ok("instructions", made.step("polish"), "--write-manifest")
    made.draft(f"# 第 2 章 夜渡\n\n第2稿。{'水声' * 20}。\n\n* * *\n\n他上了岸。\n")
    assert "OUTPUT_MENDED" in [d.code for d in made.novel("advance", made.step("polish")).diagnostics]
    assert made.next()["phase"] == "commit"
    made.ok("commit", "--chapter", "2")
    assert "* * *" not in made.at("chapters/chapter-002.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("risk", "becomes"), [("medium", "low"), (" High ", "high"), ("无", "low"), ("none", None), (3, None)]
)
def test_an_unknown_risk_of_a_leak_is_low_and_told(risk: object, becomes: str | None) -> None:
    document = {"storyline_id": "river", "cross_references": [], "leak_risk": risk}
    found = mending.mend("crossref", PATH, json.dumps(document).encode())
    if becomes is None:
        assert found is None, "what is right stays, and what is no word is no slip"
        return
    assert found is not None and json.loads(found.data) == {**document, "leak_risk": becomes}
    (slip,) = found.slips
    assert f"「{risk}」" in str(slip) and slip.severity == "warning"


def test_an_unknown_role_of_a_storyline_goes_and_is_told() -> None:
    line = {"storyline_id": "river", "volume_role": "主线", "target_chapters": [1]}
    known = {"storyline_id": "sea", "volume_role": "seasoning"}
    document = {"volume": 1, "active_storylines": [line, known, "tower"], "dormant_storylines": "无"}
    found = mending.mend("schedule", "staging/volumes/vol-01/s.json", json.dumps(document).encode())
    assert found is not None
    left = {key: value for key, value in line.items() if key != "volume_role"}
    assert json.loads(found.data) == {**document, "active_storylines": [left, known, "tower"]}
    (slip,) = found.slips
    assert "「主线」" in str(slip) and slip.severity == "warning"
    document["active_storylines"] = [known, {**line, "volume_role": 3}]
    assert mending.mend("schedule", "staging/volumes/vol-01/s.json", json.dumps(document).encode()) is None


PROSE = "# 第 2 章 夜渡\n\n他上了岸。\n"


@pytest.mark.parametrize("around", ["```\n%s```", "```markdown\n%s\n```\n", "\ufeff\n~~~md\r\n\r\n%s~~~\n\n"])
def test_a_fence_around_a_whole_text_is_taken_off(around: str) -> None:
    found = mending.mend_text("staging/chapters/chapter-002.md", (around % PROSE).encode())
    assert found is not None and found.data.decode().rstrip("\n") == PROSE.rstrip("\n")
    assert [slip.code for slip in found.slips] == ["OUTPUT_MENDED"]


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        f"{PROSE}```",
        f"```\n{PROSE}",
        f"```python\n{PROSE}```",
        f"```\n{PROSE}```\n他走了。\n```",
        "```",
        "",
    ],
)
def test_a_fence_around_a_part_is_none(text: str) -> None:
    assert mending.mend_text("staging/chapters/chapter-002.md", text.encode()) is None
    assert mending.mend_text("chapters/chapter-002.md", f"```\n{PROSE}```".encode()) is None


def test_texts_in_fences_are_taken_and_land_without_them(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    text = made.draft()
    made.write(made.staged("chapter"), f"```markdown\n{text}```\n")
    told = made.novel("advance", made.step("draft"))
    assert [d.code for d in told.diagnostics].count("OUTPUT_MENDED") == 1
    assert made.at(made.staged("chapter")).read_text("utf-8") == text
    made.records()
    summary = made.at(made.staged("summary")).read_text("utf-8")
    made.write(made.staged("summary"), f"```\n{summary}\n```\n")
    made.advance("summarize")
    assert made.at(made.staged("summary")).read_text("utf-8").strip() == summary.strip()
    assert made.next()["phase"] == "refine"


OUTPUTS = [
    (output.key, output.pattern)
    for table in (roles.CHAPTER_OUTPUTS, roles.SETUP_OUTPUTS, roles.VOLUME_OUTPUTS)
    for outputs in table.values()
    for output in outputs
    if output.schema and output.key != "evaluation"
]


@pytest.mark.parametrize(("key", "path"), OUTPUTS)
@pytest.mark.parametrize(
    "around", ["```json\n%s\n```", "写好了：\n\n```JSON\n%s\n```\n", "\ufeff~~~\r\n%s\r\n~~~", "%s\n```"]
)
def test_every_agents_every_json_file_is_taken_out_of_a_fence(key: str, path: str, around: str) -> None:
    found = mending.mend(key, path, (around % TEXT).encode())
    assert found is not None and json.loads(found.data) == DOCUMENT, (key, path)


@pytest.mark.parametrize(("key", "path"), OUTPUTS)
@pytest.mark.parametrize(
    "guess",
    [
        TEXT.replace('"', "“"),
        TEXT.replace('":', '"：'),
        TEXT.replace('"', "'"),
        TEXT[:-1],
        TEXT.replace("第一", '第"一"'),
        f"[{TEXT}]",
        TEXT.replace("2", "2 // 第二章", 1),
    ],
)
def test_what_would_be_a_guess_is_left_to_its_agent(key: str, path: str, guess: str) -> None:
    assert mending.mend(key, path, guess.encode()) is None


def test_a_record_with_an_unknown_risk_is_taken(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records()
    made.write(made.staged("crossref"), {**made.json(made.staged("crossref")), "leak_risk": "medium"})
    found = made.novel("advance", made.step("summarize"))
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["OUTPUT_MENDED"])
    assert made.json(made.staged("crossref"))["leak_risk"] == "low"


def test_what_was_cut_is_not_said_to_be_unchanged() -> None:
    choice = {"label": "先去渡口问船家再去县衙递状", "effect": "慢一天"}
    asked = {"questions": [{"id": "q", "header": "往哪儿去最好呢", "choices": [choice]}]}
    found = mending.mend("questions", "staging/questions/x.json", json.dumps(asked).encode())
    assert found is not None
    said = [(str(slip), slip.diagnostic().fix) for slip in found.slips]
    assert [("题头" in told, "去掉了" in fix) for told, fix in said] == [(True, True), (False, False)]
    assert not any("一个字没有变" in fix for _, fix in said)
    (fence,) = mending.mend("delta", PATH, f"```\n{TEXT}\n```".encode()).slips  # type: ignore[union-attr]
    assert "一个字没有变" in fence.diagnostic().fix


def test_no_character_that_nobody_sees_lands(tmp_path: Path) -> None:
    """Text, summary, memory and records: mended as their steps advance, and said once."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    body = made.draft()
    made.write(made.staged("chapter"), body.replace("稿", "\u200b稿\u202e"))
    before = made.at(made.staged("chapter")).read_bytes()
    assert made.novel("validate", made.step("draft")).exit == 0
    assert made.at(made.staged("chapter")).read_bytes() == before
    codes = [d.code for d in made.novel("advance", made.step("draft")).diagnostics]
    assert codes.count("OUTPUT_MENDED") == 1
    assert made.at(made.staged("chapter")).read_text("utf-8") == body
    made.records()
    for key in ("summary", "memory", "delta"):
        place = made.at(made.staged(key))
        place.write_text(place.read_text("utf-8").replace("渡", "渡\u2060"), "utf-8")
    made.advance("summarize")
    for key in ("summary", "memory", "delta"):
        assert "\u2060" not in made.at(made.staged(key)).read_text("utf-8"), key


def test_a_control_character_is_a_fault_of_form(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.draft(f"# 第 2 章 夜渡\n\n水\0声。{'水声' * 20}。\n")
    told = made.refused(1, "OUTPUT_BROKEN", "advance", made.step("draft"))
    assert "第 3 行" in told.message and "U+0000" in told.message
    made.draft()
    made.advance("draft")
    made.records()
    data = made.at(made.staged("delta")).read_bytes()
    made.write(made.staged("delta"), data.replace("渡口".encode(), b"\\u0007"))
    assert "U+0007" in made.refused(1, "OUTPUT_BROKEN", "advance", made.step("summarize")).message


def test_a_plans_documents_and_texts_are_mended_alike_and_landed_ones_never() -> None:
    written = '{"display_\u200bname": ["沈\ufeff渡", "\\u2060"]}'.encode()
    found = mending.mend("character_cards", "staging/characters/active/shen-du.json", written)
    assert found is not None and json.loads(found.data) == {"display_name": ["沈渡", ""]}
    assert [slip.values["count"] for slip in found.slips] == [3]
    outline = "### 第 1 章: 渡\u200b口\n".encode()
    text = mending.mend_text("staging/volumes/vol-01/outline.md", outline)
    assert text is not None and text.data.decode() == "### 第 1 章: 渡口\n"
    assert mending.mend_text("volumes/vol-01/outline.md", outline) is None
