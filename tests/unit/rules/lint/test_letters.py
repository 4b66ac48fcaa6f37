"""Letters and notices on a sheet: the lines that announce, sign and end one."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint import letters
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.hidden_lines import hidden, parts
from unit.rules.lint.samples import HEAD, expand

SHOWN = [
    "⟨信|笺|纸条|字条|便条|便签|笔记|告示|布告|公告|通告|通知|启事|短信|邮件|弹幕|评论|帖子|回帖|群里|短信任务⟩",
    "⟨聊天记录|日记|遗书|遗嘱|碑|木牌|招牌|牌匾|黑板|榜|契|诉状|诏|圣旨|檄文|名单|清单|账本|屏幕|行字|个字⟩",
    "⟨写着|刻着|印着|贴着|列着|记着|题着|写道|题道|显示|弹出|念道|念着|念出|读道|唱道|唱着|唱起⟩",
    "⟨低声唱|轻声唱|诗云|诗曰|词曰⟩",
]


@pytest.mark.parametrize("template", SHOWN)
def test_a_line_that_announces_a_letter_makes_one(template: str) -> None:
    announced = [f"他看{text}{end}" for text in expand(template) for end in ("：", ":", "： ", "，末了：")]
    assert [line for line in announced if hidden([line, "灯已灭。", "他走。"]) != [1]] == []
    assert [line for line in announced if not Sheet(f"{HEAD}{line}上一章。").spoken(len(HEAD + line))] == []


@pytest.mark.parametrize(
    "line",
    [
        "他有信心：",
        "他信任她：",
        "他信念如此：",
        "他说：",
        "信来了。他走：",
        "他读信",
        "信" + "走" * 13 + "：",
    ],
)
def test_another_line_makes_no_letter(line: str) -> None:
    assert hidden([line, "灯已灭。", "他走。"]) == []


SIGNATURES = [
    "⟨——|—|－|－－|--⟩⟨| |　⟩江南老客",
    "林冲⟨敬上|顿首|拜上|拜别|谨启|谨上|叩首|叩上|再拜|百拜|亲笔|手书|手启|绝笔|敬启|留字⟩",
    "建安五年十⟨月初九日|月初九夜|月初九晨|月⟩",
    "⟨元|正|一|二|三|四|五|六|七|八|九|十|冬|腊|10|十二⟩月⟨|初|廿⟩⟨九|一|二|三|四|五|六|七|八|十|廿|10⟩⟨|日|号|夜⟩",
]


NAMES = ["⟨闵守中|老何|欧阳明日|江南 闵守中|江南　闵守中|闵·守⟩", "闵守中⟨ 字|　书| 留| 笔| 上⟩"]


NO_SIGNATURES = [
    "⟨——|—⟩江南⟨。|！|？|，|：|“|”|「|」⟩客",
    "林冲敬上⟨了|。⟩",
    "林冲⟨。|！|？|，|：|“|”|「|」⟩敬上",
    "十月⟨|风|初九风⟩",
    "十⟨|日⟩",
    "五年⟨。|！|？|，|：|“|”|「|」⟩月",
    "江南老客",
]


@pytest.mark.parametrize("template", SIGNATURES)
def test_a_signature_closes_a_letter(template: str) -> None:
    for text in expand(template):
        assert letters.is_signature(text), text
        assert hidden(["信上写着：", "灯已灭。", "归来。", text, "他走。"]) == [1, 2, 3], text


@pytest.mark.parametrize("template", NAMES)
def test_a_name_alone_closes_a_letter_too(template: str) -> None:
    for text in expand(template):
        assert not letters.is_signature(text), text
        assert hidden(["信上写着：", "灯已灭。", "归来。", text, "他走。"]) == [1, 2, 3], text
        assert hidden(["信上写着：", "灯已灭。", text, "十月初九", "九年正月", "他走。"]) == [1, 2, 3, 4], (
            text
        )


@pytest.mark.parametrize("template", NO_SIGNATURES)
def test_another_line_is_no_signature(template: str) -> None:
    assert [text for text in expand(template) if letters.is_signature(text)] == []


@pytest.mark.parametrize(
    "line", ["他走了", "她走了", "它走了", "我走了", "你走了", "闵", "闵守中了不走", "闵守中。", "Min"]
)
def test_a_pronoun_or_another_word_is_no_name(line: str) -> None:
    assert hidden(["信上写着：", "灯已灭。", "归来。", line]) == [1]


def test_a_letter_without_a_signature_is_one_paragraph() -> None:
    assert hidden(["信上写着：", "灯灭了。", "油尽了。", "他走了。"]) == [1]
    assert hidden(["信上写着：", "灯灭了。", "油尽了。"], "\n") == [1, 2]
    assert parts("信上写着：\n灯灭了。\n油尽了。\n\n归来。") == ["灯灭了。", "油尽了。"]
    assert parts("信上写着：\n灯灭了。\n油尽了。\n\n- 灯") == ["灯灭了。", "油尽了。"]
    assert hidden(["信上写着：", "灯灭了。", "- 灯", "- 油", "归来。"]) == [1, 2, 3]
    assert hidden(["信上写着：", "灯灭了。", "【灯】走。", "归来。"]) == [1, 2]
    assert hidden(["他走了。", "信上写着："]) == []
    assert hidden(["信上写着：", "“灯灭了。”他念。", "闵守中"]) == []
    assert hidden(["信上写着：", "　“灯灭了。”他念。", "闵守中"]) == []
    assert hidden(["信上写着：", "灯灭了。", "闵守中", "十月初九"]) == [1, 2, 3]


@pytest.mark.parametrize(
    "word", ["你", "您", "汝", "兄台", "阁下", "吾儿", "吾徒", "吾弟", "吾妹", "吾兄", "吾妻"]
)
def test_a_line_to_the_reader_is_still_the_letter(word: str) -> None:
    assert hidden(["信上写着：", "灯灭了。", f"愿{word}归来。", "归来。", f"愿{word}归来。"]) == [1, 2]
    assert hidden(["信上写着：", "灯灭了。", f"他看{word}。"]) == [1]
    assert hidden(["信上写着：", "灯灭了。", f"　她看{word}。"]) == [1]


@pytest.mark.parametrize("begins", ["他走", "她走", "它走", "　他走", "“走”", "「走」", "『走』"])
def test_the_narrator_or_a_speaker_ends_the_search_for_a_signature(begins: str) -> None:
    assert hidden(["信上写着：", "灯灭了。", f"{begins}了。", "——江南老客"]) == [1]


@pytest.mark.parametrize("greeting", ["阿姐：", "阿姐:", "阿姐： ", "姐" * 15 + "："])
def test_a_letter_that_greets_is_signed_by_a_short_line(greeting: str) -> None:
    assert hidden(["信上写着：", greeting, "灯灭了。", "他走了。", "阿弟", "归来。"]) == [1, 2, 3, 4]
    assert hidden(["信上写着：", greeting, "灯灭了。", "归来。", "- 灯", "你归来。"]) == [1, 2]
    assert hidden(["信上写着：", greeting, "灯灭了。", "- 灯", "你归来。", "归来。"]) == [1, 2, 3, 4]
    assert hidden(["信上写着：", greeting, "- 灯", "归来。"]) == [1, 2]
    assert hidden(["信上写着：", greeting]) == [1]


@pytest.mark.parametrize(
    "line", ["走" * 17, "阿，弟", "阿。弟", "阿！弟", "阿？弟", "阿…弟", "阿：弟", "阿弟”", "- 阿弟"]
)
def test_a_long_line_or_one_with_marks_signs_no_letter_that_greets(line: str) -> None:
    assert hidden(["信上写着：", "阿姐：", "灯灭了。", "归来。", line, "归来。"])[:3] == [1, 2]


@pytest.mark.parametrize(("between", "found"), [(28, True), (29, False)])
def test_a_bare_name_signs_within_thirty_lines(between: int, found: bool) -> None:
    lines = ["信上写着：", "灯灭了。", *["归来。"] * between, "闵守中", "归来。"]
    assert hidden(lines) == (list(range(1, between + 3)) if found else [1])


@pytest.mark.parametrize(("between", "found"), [(29, True), (198, True), (199, False)])
@pytest.mark.parametrize("signature", [["林冲 敬上"], ["闵守中", "十月初九"]])
def test_a_signature_beyond_doubt_signs_within_two_hundred_lines(
    signature: list[str], between: int, found: bool
) -> None:
    rest = between - len(signature) + 1
    lines = ["信上写着：", "灯灭了。", *["归来。"] * rest, *signature, "归来。"]
    assert hidden(lines) == (list(range(1, between + 3)) if found else [1])


def test_a_long_letter_ends_where_somebody_speaks() -> None:
    for line in ("“走。”", "「走。」", "『走。』"):
        assert hidden(["信上写着：", "灯灭了。", *["归来。"] * 40, line, "林冲 敬上"])[:2] == [1, 42]
    lines = ["信上写着：", "灯灭了。", *["他走。"] * 40, "林冲 敬上", "归来。"]
    assert hidden(lines) == list(range(1, 43))
    assert hidden(["信上写着：", "灯灭了。", *["归来。"] * 40, "十月初九", "归来。"]) == [1]


def test_two_letters_one_after_the_other() -> None:
    lines = ["信上写着：", "灯灭了。", "他走。", "碑上刻着：", "归来。", "他走。"]
    assert hidden(lines) == [1, 4]
    assert hidden(["信上写着：", "碑上刻着：", "归来。", "他走。"]) == [1, 2]
