"""Sentences of prose: where they end, what of a long one is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.recall import sentences

PROSE = st.text(alphabet='灯河沈渡。！？，、“”「」…"() \n', max_size=60)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("他走了。她没走。", ["他走了。", "她没走。"]),
        ("真的？！他不信。", ["真的？！", "他不信。"]),
        ("“你来了。坐吧。”老周说。他把灯放下。", ["“你来了。坐吧。”老周说。", "他把灯放下。"]),
        ("“走吧。”“好。”", ["“走吧。”", "“好。”"]),
        ("他问：“谁？”没人答。", ["他问：“谁？”没人答。"]),
        ("「走。」他说。「别看。」", ["「走。」他说。", "「别看。」"]),
        ('"走。" 他说。"好。"', ['"走。" 他说。', '"好。"']),
        ("他……没有回头。", ["他……没有回头。"]),
        ("（他想走。）她不知道。", ["（他想走。）她不知道。"]),
        ("“没有关上的话。他走了。", ["“没有关上的话。他走了。"]),
        ("没有打开的话。”他走了。", ["没有打开的话。”他走了。"]),
        ("没有句号", ["没有句号"]),
        ("  \u3000 ", []),
    ],
)
def test_a_line_is_split_where_its_sentences_end(line: str, parts: list[str]) -> None:
    assert sentences.split(line) == parts


def test_lines_are_numbered_as_in_the_file() -> None:
    text = "# 第 1 章 灯\n\n沈渡来了。灯灭了。\n\n没有人。\n灯又亮了。\n"
    found = [(one.line, one.text) for one in sentences.sentences(text, ["灯"])]
    assert found == [(1, "# 第 1 章 灯"), (3, "灯灭了。"), (6, "灯又亮了。")]
    assert [one.text for one in sentences.sentences("沈渡来了。灯灭了。")] == ["沈渡来了。", "灯灭了。"]


@given(PROSE)
def test_nothing_of_a_text_is_lost(text: str) -> None:
    kept = "".join(one.text for one in sentences.sentences(text))
    assert "".join(kept.split()) == "".join(text.split())


def test_a_long_sentence_is_cut_around_the_word() -> None:
    long = "一二三，" * 20 + "铜灯在此，" + "四五六，" * 20
    shown = sentences.excerpt(long, ["铜灯"], 30)
    assert shown.startswith("……") and shown.endswith("……") and "铜灯在此" in shown
    assert shown.strip("…") in long and len(shown.strip("…")) <= 30
    assert sentences.excerpt("铜灯在此。", ["铜灯"], 30) == "铜灯在此。"
    assert sentences.excerpt("铜灯在此，" + "四五六，" * 9, ["铜灯"], 12) == "铜灯在此，四五六，……"
    assert sentences.excerpt("四五六，" * 9 + "铜灯在此。", ["铜灯"], 12) == "……四五六，铜灯在此。"


def test_a_long_clause_is_cut_to_a_window() -> None:
    shown = sentences.excerpt("啊" * 60 + "铜灯" + "吧" * 60, ["铜灯"], 20)
    assert shown == "……" + "啊" * 9 + "铜灯" + "吧" * 9 + "……"


@given(PROSE, st.integers(5, 20))
def test_an_excerpt_is_a_piece_of_the_sentence(text: str, most: int) -> None:
    for one in sentences.sentences(text, ["灯"]):
        shown = sentences.excerpt(one.text, ["灯"], most)
        if shown != one.text:
            bare = shown[2 * shown.startswith("……") :]
            bare = bare[: len(bare) - 2] if bare.endswith("……") and bare not in one.text else bare
            assert bare in one.text and "灯" in shown and len(shown) <= most + 4


def test_the_longest_word_is_marked() -> None:
    assert sentences.marked("阿沈说沈渡，沈渡口", ["沈渡", "沈渡口"]) == "阿沈说【沈渡】，【沈渡口】"


def test_a_sentence_of_the_most_characters_is_shown_whole() -> None:
    line = "长" * (sentences.MOST - 1) + "。"
    assert sentences.excerpt(line, ["灯"]) == line
    assert len(sentences.excerpt("长" + line, ["灯"])) == sentences.MOST + len(sentences.CUT)
