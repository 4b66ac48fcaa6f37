"""What the author hears of a verdict."""

from __future__ import annotations

from typing import Any

from verdicts import legal_verdict, scores

from novel_hooks.rules.evaluation import author_lines
from novel_hooks.rules.evaluation.document import Verdict, compose

FACT = {"target": "数账", "instruction": "改对。", "kind": "fact"}
STORY = {"target": "结尾", "instruction": "补一个选择", "kind": "story"}
WORDS = {"target": "末句", "instruction": "短些", "kind": "text"}


def evaluated(gate: dict[str, Any] | None = None, text: str | None = "正文", **fields: Any) -> dict[str, Any]:
    found = {"primary": Verdict(None, legal_verdict(4.1, **fields))}
    return compose(found, text_sha256=None, gate=gate or {}, text=text)


def test_two_lines_facts_first() -> None:
    found = evaluated(strengths=["水声\n好", "灯好。"], required_fixes=[WORDS, STORY, FACT])
    assert author_lines.landing_lines(found) == [
        "写得好：水声 好；灯好。",
        "还可以改：（写错的事实）数账：改对；结尾：补一个选择；末句：短些。",
    ]


def test_a_polish_has_mended_the_words() -> None:
    found = evaluated({"polished": True}, required_fixes=[WORDS, STORY])
    assert author_lines.landing_lines(found)[1] == "还可以改：结尾：补一个选择。"


def test_nothing_to_say_is_said() -> None:
    assert author_lines.landing_lines(evaluated()) == ["写得好：评审没有写。", author_lines.NOTHING_LEFT]
    assert author_lines.landing_lines({}) == []


def test_long_lists_are_cut() -> None:
    found = evaluated(strengths=[f"{n}{'好' * 100}" for n in range(5)])
    (good, _) = author_lines.landing_lines(found)
    assert good.endswith("… 等 5 处。") and len(good) < 240


def test_a_line_of_seventy_characters_is_whole() -> None:
    found = evaluated(strengths=["好" * 70, "好" * 71])
    assert author_lines.landing_lines(found)[0] == f"写得好：{'好' * 70}；{'好' * 69}…。"


def test_an_older_evaluation_tells_its_fixes_too() -> None:
    found = evaluated(text=None, required_fixes=["删掉独白"])
    assert author_lines.landing_lines(found)[1] == "还可以改：全章：删掉独白。"


def test_all_that_the_judges_said() -> None:
    found = evaluated(
        {"reasons": ["评分 4.1"]}, scores=scores(4.0), issues=["慢"], strengths="水声", required_fixes=[FACT]
    )
    told = author_lines.whole_verdict(found)
    assert (told["reasons"], told["issues"], told["strengths"]) == (["评分 4.1"], ["慢"], ["水声"])
    assert told["fixes"] == [FACT]
    assert told["scores"][0] == {
        "judge": "primary",
        "title": "情节逻辑",
        "score": 4.0,
        "reason": "plot_logic 的理由",
    }
    assert author_lines.kind_word(FACT) == "事实写错了"
    empty = {"reasons": [], "strengths": [], "issues": [], "fixes": [], "scores": []}
    assert author_lines.whole_verdict({}) == empty
