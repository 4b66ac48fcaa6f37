"""Secrets in a judge's words and in plans: what is taken out, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import secrets

PAYOFF = "船灯是乔九的兄长乔三当年换下来的"
SHOWN = "沈渡把船灯挂上桅杆，乔九在舱里数竹筹。"


def cleaned(text: str, shown: str = SHOWN, names: tuple[str, ...] = ()) -> str:
    found = secrets.look_through([{"target": "第三段", "instruction": text}], [PAYOFF], shown, names)
    return str(found.entries[0]["instruction"])


def plan_words(secret: str, plan: str, shown: str = "") -> secrets.Known:
    return secrets.of_plan([secret], [plan], lambda: shown)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("「船灯」这一句太满。他不该想到灯是当年换下来的。", "「船灯」这一句太满。"),
        ("他不该想到灯是当年，换下来的。", secrets.INSTEAD),  # a comma hides nothing
        ("数目对不上：竹筹应是三根。", "数目对不上：竹筹应是三根。"),
        ("删去换下来那半句", "删去换下来那半句"),  # three letters in a row are chance
        ("", ""),
    ],
)
def test_the_sentences_that_tell_a_secret_are_taken_out(told: str, left: str) -> None:
    assert cleaned(told) == left


def test_what_the_packet_shows_is_no_secret() -> None:
    told = "「灯是当年换下来的」这句重复了，删去一处。"
    assert cleaned(told, SHOWN + "他说，灯是当年换下来的。") == told
    assert cleaned(told) != told


def test_a_name_from_a_secret_tells_it_when_the_packet_does_not_have_it() -> None:
    told = "这里露出乔三太早。换一句。"
    assert cleaned(told, names=("乔九", "乔三")) == "换一句。"
    assert cleaned(told, SHOWN + "乔三走了。", names=("乔九", "乔三")) == told


def test_a_target_that_tells_becomes_the_whole_chapter() -> None:
    found = secrets.look_through(
        [{"target": "他猜到灯是当年换下来的那段", "instruction": "收着写。"}], [PAYOFF], SHOWN
    )
    assert found.entries == [{"target": secrets.WHOLE, "instruction": "收着写。"}]
    assert found.removed == ("他猜到灯是当年换下来的那段",)


def test_values_of_any_depth_are_looked_at_and_what_is_no_text_stays() -> None:
    entry = {"detail": ["灯是当年换下来的。", {"x": "照旧"}], "n": 3, "none": None}
    found = secrets.look_through([entry], [PAYOFF], SHOWN)
    assert found.entries == [{"detail": [secrets.INSTEAD, {"x": "照旧"}], "n": 3, "none": None}]
    assert entry["detail"][0] == "灯是当年换下来的。", "the evaluation itself is not changed"


def test_a_plan_loses_its_telling_lines_only() -> None:
    text = f"# 第一卷\n\n问：灯从哪来？\n答：{PAYOFF}。\n\n## 第 1 章\n乔九数筹。\n"
    assert (
        secrets.without_secrets(text, plan_words(PAYOFF, text))
        == "# 第一卷\n\n问：灯从哪来？\n\n## 第 1 章\n乔九数筹。\n"
    )
    plain = "乔九的兄长没有回来。\n"
    assert secrets.without_secrets(plain, plan_words(PAYOFF, plain)) == plain


TEXT = st.text(alphabet="灯船乔九三当年换下来的。，；\n！", max_size=60)


@given(told=TEXT, secret=TEXT, shown=TEXT)
def test_nothing_that_is_left_tells_a_secret(told: str, secret: str, shown: str) -> None:
    known = secrets.look_through([told], [secret], shown)
    again = secrets.look_through(known.entries, [secret], shown)
    assert again.removed == () or known.entries == [secrets.INSTEAD]
    left = secrets.without_secrets(told, plan_words(secret, told, shown))
    assert secrets.telling_sentence(secrets.plan_texts([left]), secret, shown) is None
    assert secrets.look_through([told], [], shown).entries == [told]


def test_a_plan_without_what_tells_a_secret() -> None:
    told = "灯是沈渡亲手灭的。"
    plan = f"灯亮了。{told}{told}他走了。\n"
    known, written = plan_words(told, plan), plan_words(told, plan, told)
    assert secrets.plan_without_secrets(plan, known) == (["灯亮了。他走了。\n"], (told,))
    assert secrets.plan_without_secrets(plan, written) == ([plan], ()), "it has been written already"
    found = secrets.plan_without_secrets({"a": told, "b": ["他走了。", 7]}, known)
    assert found == ([{"a": secrets.INSTEAD, "b": ["他走了。", 7]}], (told,))


def test_a_secret_told_over_two_sentences_takes_both_away() -> None:
    told = "灯芯是人骨。磨成的灰所做。"
    known = plan_words("灯芯是人骨磨成的灰所做", told)
    assert secrets.without_secrets(told, known) == ""
    assert secrets.without_secrets("灯芯是人骨。风停了。", known) == "灯芯是人骨。风停了。"


def test_what_is_shown_is_asked_for_only_where_a_plan_may_tell_a_secret() -> None:
    asked: list[bool] = []

    def shown() -> str:
        asked.append(True)
        return ""

    assert secrets.of_plan([PAYOFF], ["乔九在舱里", "数竹筹。"], shown).words == ()
    assert not asked
    assert secrets.of_plan([PAYOFF], ["乔九。", PAYOFF], shown).words
    assert asked == [True]


def test_a_secret_shorter_than_a_run_counts_whole() -> None:
    found = secrets.look_through(["灯会来了。", "他进了青灯会。"], ["青灯会"], "")
    assert found.entries == ["灯会来了。", secrets.INSTEAD]


def test_a_list_of_places_is_places() -> None:
    found = secrets.look_through([{"target": ["他想到灯是当年换下来的那一段", "第三段"]}], [PAYOFF], SHOWN)
    assert found.entries == [{"target": [secrets.WHOLE, "第三段"]}]
