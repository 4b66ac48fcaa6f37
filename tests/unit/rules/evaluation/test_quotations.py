"""A judge's quotations looked up in the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from builders import make_verdict as whole
from hypothesis import given
from hypothesis import strategies as st
from verdicts import breach, legal_verdict, scores

from novel_hooks import layout
from novel_hooks.rules.evaluation import quotations

TEXT = (
    "# 第 2 章 夜渡\n\n老周把名片夹进黄历，正夹在立冬那页。\n\n"
    "“您带锄头干什么？”他没答，去院里把锄头的楔子敲紧了……敲得很慢，\n邻居家的狗跟着叫了半天。\n"
)


def judged(told: Any, **changes: Any) -> dict[str, Any]:
    """All eight with a quotation that is there; `plot_logic` with this one."""
    listed = scores()
    for entry in listed.values():
        entry["evidence"] = "老周把名片夹进黄历"
    listed["plot_logic"]["evidence"] = told
    return legal_verdict(scores=listed, **changes)


@pytest.mark.parametrize(
    "told",
    [
        "老周把名片夹进黄历，正夹在立冬那页。",
        "老周把名片夹进黄历,正夹在立冬那页.",
        "「您带锄头干什么？」他没答，去院里",
        "“老周把名片夹进黄历”",
        "把锄头的楔子敲紧了……敲得很慢，邻居家的狗",
        "老周把名片……立冬那页",
        "去院里...邻居家的\n狗跟着叫了半天",
        ["老周把名片夹进黄历", "邻居家的狗跟着叫了半天"],
        [],
        "",
        None,
        7,
        ["无", None, {"quote": "x"}],
        "本章没有伏笔任务，无从引起",
        "未涉及别的线，也没有提到",
    ],
)
def test_what_is_there_is_not_told(told: Any) -> None:
    assert quotations.quotation_warnings(judged(told), TEXT) == []


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("老周把欠条夹进黄历", "老周把欠条夹进黄历"),
        (["老周把名片夹进黄历", "他忽然哭了起来"], "他忽然哭了起来"),
        ("立冬那页……老周把名片", "立冬那页……老周把名片"),
        ("老周把名片……立秋那页", "老周把名片……立秋那页"),
        ("老周把名片……页", "老周把名片……页"),
        ("老周把名片夹进黄历，邻居家的狗跟着叫", "邻居家的狗"),
    ],
)
def test_what_is_not_there_is_told(told: Any, shown: str) -> None:
    (line,) = quotations.quotation_warnings(judged(told), TEXT)
    assert "情节逻辑" in line
    assert shown in line


def test_an_ellipsis_leaves_out_no_more_than_a_passage() -> None:
    near, far = (quotations.letters("他站住了" + "走" * n + "天亮了") for n in (200, 201))
    assert quotations.is_in_text("他站住了……天亮了", near)
    assert not quotations.is_in_text("他站住了……天亮了", far)
    assert quotations.is_in_text("他站住了……天亮了", far + near)
    assert not quotations.is_in_text("……", near)


def test_many_are_counted_and_long_ones_cut() -> None:
    (line,) = quotations.quotation_warnings(
        judged([f"第{n}句是编出来的" + "很长" * 40 for n in range(9)]), TEXT
    )
    assert "等 9 句" in line
    assert len(line) < 160


@pytest.mark.parametrize("layer", ["l1", "l2", "l3", "ls"])
@pytest.mark.parametrize("status", ["violation", "VIOLATION", "violation_suspected"])
def test_a_violation_has_to_quote_the_text(layer: str, status: str) -> None:
    bare = breach(layer, rule_id="W-001", contract_id="W-001", objective_id="W-001", status=status)
    told = quotations.quotation_warnings(
        legal_verdict(violation={**bare, "detail": "他违反了规则，人人看得出来"}), TEXT
    )
    assert len(told) == 1
    assert "W-001" in told[0]
    proven = {**bare, "detail": "规则说不许带刀。“去院里把锄头的楔子敲紧了”就是带刀。"}
    assert quotations.quotation_warnings(legal_verdict(violation=proven), TEXT) == []
    assert (
        quotations.quotation_warnings(
            legal_verdict(violation={**bare, "status": "pass", "detail": "本章未涉及"}), TEXT
        )
        == []
    )


def test_a_line_names_the_dimension_and_three_quotations() -> None:
    lost = ["他忽然哭了起来", "月亮\n  掉下来了", "很长的一句是编出来的" * 3, "第四句也没有", "第五句也没有"]
    assert quotations.quotation_warnings(judged(lost[:3]), TEXT) == [
        "评审给「情节逻辑」打分引的话在正文里找不到：「他忽然哭了起来」、「月亮 掉下来了」、"
        "「很长的一句是编出来的很长的一句是编出来的很长的…」。这一项的分请自己掂量。"
    ]
    assert quotations.quotation_warnings(judged(lost), TEXT) == [
        "评审给「情节逻辑」打分引的话在正文里找不到：「他忽然哭了起来」、「月亮 掉下来了」、"
        "「很长的一句是编出来的很长的一句是编出来的很长的…」等 5 句。这一项的分请自己掂量。"
    ]
    exactly = "编" * 24
    assert f"「{exactly}」" in quotations.quotation_warnings(judged(exactly), TEXT)[0]


def test_a_quotation_has_four_letters_at_least() -> None:
    assert quotations.quotation_warnings(judged("编出来，"), TEXT) == []
    assert len(quotations.quotation_warnings(judged("编出来的"), TEXT)) == 1


def test_each_dimension_has_a_line_of_its_own() -> None:
    found = judged("他忽然哭了起来")
    found["scores"]["pacing"]["evidence"] = "月亮掉下来了"
    found["scores"]["character"] = 4
    lines = quotations.quotation_warnings(found, TEXT)
    assert [line.split("「")[1].split("」")[0] for line in lines] == ["情节逻辑", "节奏"]


def test_a_violation_without_a_quotation_is_named_by_its_id() -> None:
    found = legal_verdict(violation=breach("l2", contract_id="C-1"))
    found["contract_verification"]["l1_checks"] = [
        {"status": "violation", "confidence": "low", "detail": "他的锄头是旧的"},
        {"status": "violation", "confidence": "low", "detail": "锄头的楔子敲紧了敲"},
    ]
    assert quotations.quotation_warnings(found, TEXT) == [
        "评审说世界规则 （没有编号） 不符，却没有引出正文里的原句：请自己对一对。",
        "评审说角色契约 C-1 不符，却没有引出正文里的原句：请自己对一对。",
    ]


@pytest.mark.parametrize(
    ("detail", "proven"),
    [
        ("老周把名片夹进黄", True),
        ("老周把名片夹进", True),
        ("老周把名片夹走", False),
        ("这里“夹进”了：不符", True),
        ("夹进：不符", False),
        ("“老周……黄历”不符", True),
        ("说的是老周把名片夹进黄", True),
        ("老周把名片，夹进黄……", True),
        ("老周把名片夹走黄历正夹在", False),
    ],
)
def test_words_of_the_text_prove_a_violation(detail: str, proven: bool) -> None:
    lines = quotations.quotation_warnings(legal_verdict(violation=breach("l1", detail=detail)), TEXT)
    assert lines == (
        [] if proven else ["评审说世界规则 （没有编号） 不符，却没有引出正文里的原句：请自己对一对。"]
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_nonsense_is_passed_over(told: Any, listed: Any) -> None:
    document = judged(told)
    quotations.quotation_warnings(document, TEXT)
    quotations.quotation_warnings({**document, "scores": listed, "contract_verification": listed}, TEXT)


@given(st.integers(0, len(TEXT)), st.integers(8, 60))
def test_any_piece_of_the_text_is_found(start: int, length: int) -> None:
    assert quotations.quotation_warnings(judged(TEXT[start : start + length]), TEXT) == []


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = book(tmp_path)
    found.until("refined")
    return found


def test_the_author_sees_it_and_the_gate_does_not_mind(made: Book) -> None:
    listed = scores(4.5)
    listed["character"]["evidence"] = ["他在灯下哭了一整夜"]
    words = made.words(whole(4.5, scores=listed))
    said = made.novel("judge", "record", "--role", "primary", "--model", "sonnet", "--file", words)
    assert said.exit == 0
    assert any("他在灯下哭了一整夜" in d.message for d in said.diagnostics)
    (line,) = (
        one
        for one in made.json(layout.staged(layout.evaluation(2)))["metadata"]["warnings"]
        if "正文里找不到" in one
    )
    told = made.novel("advance", made.step("judge"))
    assert line not in [d.message for d in told.diagnostics], "told when it was recorded"
    assert told.data["gate"]["decision"] == "pass"
