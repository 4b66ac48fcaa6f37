"""Advice on a setting's name that is none, and on a value that cannot be."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.settings import messages
from novel_hooks.rules.settings.settings import GATE_KEYS, KEYS, SECTIONS

LIST = "`novel config` 列出全部。"


def advice(key: str) -> str:
    """The advice on a name, without the sentence that each refusal ends with."""
    refused = messages.unknown_setting(key)
    assert (refused.code, refused.exit, refused.values["key"]) == ("CONFIG_NO_SUCH", 2, key)
    assert refused.diagnostic().fix == refused.values["guess"] + LIST
    return str(refused.values["guess"])


@pytest.mark.parametrize(
    ("key", "meant", "word"),
    [
        ("gate.pas", "gate.pass", "门控.通过线"),
        ("titel", "title", "书名"),
        ("stop_afer", "stop_after", "做完停下"),
        ("stop", "stop_after", "做完停下"),
        ("models.jugde", "models.judge", "模型.评审"),
        ("prices.sonnet.inputs", "prices.sonnet.input", "价钱.sonnet.输入"),
        ("prices.sonnet.cached_read", "prices.sonnet.cache_read", "价钱.sonnet.读缓存"),
        ("prices.claude-4.5.outputs", "prices.claude-4.5.output", "价钱.claude-4.5.输出"),
        ("prices.inputs", "prices.sonnet.input", "价钱.sonnet.输入"),
        ("pass", "gate.pass", "门控.通过线"),
        ("通过", "gate.pass", "门控.通过线"),
        ("draft", "models.draft", "模型.写初稿"),
        ("model.draft", "models.draft", "模型.写初稿"),
        ("gat.pause", "gate.pause", "门控.停笔线"),
        ("prise", "prices", "价钱"),
        ("packet_chars.writer", "packet_chars.chapter-writer", "资料字数.写手"),
        ("packet_chars.记录", "packet_chars.summarizer", "资料字数.记录员"),
    ],
)
def test_a_name_near_another_is_taken_for_a_slip_of_it(key: str, meant: str, word: str) -> None:
    shown = word if word in advice(key) else word.rpartition(".")[2]
    assert advice(key) == f"是不是想写「{meant}」（{shown}）？"


def test_a_name_without_a_chinese_word_is_shown_once() -> None:
    assert messages._meant_text("zzz") == "是不是想写「zzz」？"
    assert messages._meant_text("title") == "是不是想写「title」（书名）？"


@pytest.mark.parametrize(
    ("key", "place", "there"),
    [
        ("temperature", "", KEYS),
        ("author", "", KEYS),
        ("zzz.pass", "", KEYS),
        ("gate.zzz", "「gate」下面", GATE_KEYS),
        ("models.commit", "「models」下面", SECTIONS["models"]),
        ("packet_chars.x", "「packet_chars」下面", SECTIONS["packet_chars"]),
        ("prices.sonnet.zzz", "「prices.sonnet」下面", ("input", "output", "cache_write", "cache_read")),
        ("prices.zzz", "「prices.sonnet」下面", ("input", "output", "cache_write", "cache_read")),
    ],
)
def test_a_name_like_no_other_lists_what_may_be_written(key: str, place: str, there: tuple[str, ...]) -> None:
    how = advice(key)
    assert how.startswith(f"{place}可以写的有：") and how.endswith("。")
    listed = how.removeprefix(f"{place}可以写的有：")
    assert [one.split("（")[0] for one in listed.rstrip("。").split("、")] == list(there)


def test_the_list_has_the_authors_words() -> None:
    assert (
        advice("gate.zzz")
        == "「gate」下面可以写的有：pass（通过线）、polish（润色线）、revise（修订线）、pause（停笔线）。"
    )
    assert "input（输入）、output（输出）、cache_write（写缓存）、cache_read（读缓存）" in advice(
        "prices.a.zzz"
    )


@pytest.mark.parametrize(
    ("key", "model"), [("prices.录制.input", "录制"), ("prices.-x.output", "-x"), ("prices.a b.input", "a b")]
)
def test_a_name_that_no_model_can_have_is_refused_as_that(key: str, model: str) -> None:
    assert advice(key).startswith(f"中间的「{model}」不能是模型的名字：只能用英文字母、数字和 . _ : / @ -")


@given(st.text("abcdefghijklmnopqrstuvwxyz_-.", max_size=12))
def test_no_name_is_offered_that_is_not_near(key: str) -> None:
    how = advice(key)
    if "是不是想写" in how:
        near = how.split("「")[1].split("」")[0]
        leaf, typed = near.rpartition(".")[2], key.rpartition(".")[2] or key
        alike = max(
            SequenceMatcher(None, one, other).ratio() for one in (leaf, near) for other in (typed, key)
        )
        parts = near.replace("_", "-").replace(".", "-").split("-")
        assert alike >= 0.6 or leaf.startswith(typed) or typed in parts, (key, near)


def test_each_key_without_a_place_is_a_problem() -> None:
    found = messages.unknown_keys({"pas": 4, "polish": 3, 7: 1}, GATE_KEYS, "gate.")
    assert [(one.code, one.values["key"]) for one in found] == [
        ("CONFIG_KEY_UNKNOWN", "gate.pas"),
        ("CONFIG_KEY_UNKNOWN", "gate.7"),
    ]
    assert found[0].diagnostic().path == "novel.yaml"
    assert str(found[0].values["guess"]).startswith("是不是想写「gate.pass」")
    assert str(found[1].values["guess"]).startswith("「gate」下面可以写的有：pass（通过线）")
    assert messages.unknown_keys({"polish": 3}, GATE_KEYS, "gate.") == []


def test_of_the_whole_file_a_name_inside_a_section_is_not_meant() -> None:
    (found,) = messages.unknown_keys({"polish": 3}, KEYS)
    assert found.values["key"] == "polish"
    assert str(found.values["guess"]).startswith("可以写的有：title（书名）、genre（题材）")


def test_a_value_that_cannot_be_is_one_problem() -> None:
    (found,) = messages.wrong("gate.pass", "number")
    assert (found.code, found.exit) == ("CONFIG_VALUE", 3)
    assert (found.values["key"], found.values["detail"]) == ("gate.pass", "应是数字")
    assert found.diagnostic().path == "novel.yaml"


@pytest.mark.parametrize(
    ("gate", "key", "bounds"),
    [
        ({}, "gate.pass", "要在 3.5（润色线） 到 5 之间"),
        ({}, "gate.polish", "要在 3（修订线） 到 4（通过线） 之间"),
        ({}, "gate.revise", "要在 2（停笔线） 到 3.5（润色线） 之间"),
        ({}, "gate.pause", "要在 0 到 3（修订线） 之间"),
        ({"polish": 3.25, "pass": "x"}, "gate.pass", "要在 3.25（润色线） 到 5 之间"),
        ({"pass": 4.5, "revise": 1}, "gate.polish", "要在 1（修订线） 到 4.5（通过线） 之间"),
        ({"revise": 4}, "gate.polish", "要在 4（修订线） 到 4（通过线） 之间"),
        ({"polish": 5}, "gate.pass", "要在 5（润色线） 到 5 之间"),
        ({"revise": 0}, "gate.pause", "要在 0 到 0（修订线） 之间"),
        ({"revise": 4.5}, "gate.polish", None),
        ({"polish": 5.5}, "gate.pass", None),
        ({"revise": -1}, "gate.pause", None),
        ({"pause": -1}, "gate.revise", None),
        ({"pass": 6}, "gate.polish", None),
        ({"polish": "x"}, "gate.pass", None),
        ({"revise": "x"}, "gate.pause", None),
        ({}, "gate.zzz", None),
        ({}, "gate", None),
        (None, "gate.pass", None),
        ([], "gate.pass", None),
    ],
)
def test_a_line_of_the_gate_lies_between_its_neighbours(gate: Any, key: str, bounds: str | None) -> None:
    found = messages.gate_line_bounds(gate, key)
    assert (found.replace("门控.", "") if found else found) == bounds
