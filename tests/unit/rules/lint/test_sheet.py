"""A chapter as the lint reads it: speech, panels and letters apart, every offset and line kept."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint import lines
from novel_hooks.rules.lint.residue.residue import blocking_residue
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.hidden_lines import hidden, parts
from unit.rules.lint.samples import HEAD, PLAIN, advised, report, residue

APART = [
    "“上一章你看了没有？”他问。",
    "「作为AI，我无法生成答案。」机器说。",
    "『细纲』他念。\n\n他走了。",
    '"此处省略三百字。"他念。',
    "【本章奖励：user_id 一枚】\n\n他走了。",
    "【属性面板\n力量：5\n- 技能：plot_logic\n】\n他走了。",
    "【面板】\nstr_power：5\n他走了。",
    "叮！本章任务完成。\n他走了。",
    "墙上贴着告示：\n\n本章盖讫，此处省略姓名。\n\n他走了。",
    "信上写着：\n阿姐：\n此处省略三百字。\n阿弟\n\n他收起信。",
    "‘TODO’几个字母贴在冰箱上。",
    "'作为AI，我不能写。'机器说。",
    "“他说‘上一章’写坏了。”",
    "“清单是这样的：\n\n- 米三斗\n- 盐半斤\n\n都买齐。”他说。",
    "「清单——\n* 米\n* 盐」\n\n他走了。",
    "【任务列表】\n- 收灯\n- 过河\n\n他走了。",
    "系统：本章任务完成。\n他走了。",
    "他的笔记本上写着：\n\nTODO：买菜、修灯\n\n他合上本子。",
    "招牌上刻着：\n\n细纲印务\n\n他推门进去。",
    "微信群里：\n老何：到哪了\n阿姐：下一章呢\n\n他收起手机。",
    "直播间弹幕：\n> 楼上别走\n- 1\n他笑了。",
    "“我无法继续生成后文了。”老编辑学着机器说。",
    "“I'm sorry, but I can't continue.”洋人说。",
    "“XXX先生，请进。”",
    "信上写道：\n\n灯已灭三盏。\n\n你上一章写到桥断，我看了。\n\n他把信折好。",
    "信上写道：\n\n灯已灭三盏。\n\n上一章写到桥断。\n\n——江南老客\n\n他把信折好。",
    "手机屏幕上显示：\n\n**未接来电**\n\n他走了。",
    f"信上写着：\n\n阿姐：\n\n{PLAIN}\n\n- 灯\n- 油\n\n上一章你写到桥断。\n\n——江南老客\n\n他走了。",
    "信上写着：\n\n" + f"{PLAIN}\n\n" * 60 + "上一章写到桥断。\n\n闵守中 敬上\n\n他走了。",
    "信上写着：\n\n阿姐：\n\n- 灯\n- 油\n\n你上一章写到桥断。\n\n他走了。",
    "【面板\n" + "- 技能：plot_logic\n" * 30 + "】\n他走了。",
    "【面板\n姓名：老何\n技能：【火球】【水盾】\n- user_id：7\n】\n他走了。",
    "纸条上写着：上一章是假的。\n他走了。",
    "屏幕上跳出一行字：作为AI，我无法生成这段内容。\n他走了。",
    "他在笔记本上写下：TODO，买菜。\n他走了。",
    "他说：上一章呢？\n他走了。",
    "——上一章呢？\n\n——没写。\n\n他走了。",
    "〖本章任务完成。〗\n他走了。",
    "＂上一章＂他念。〝细纲〞他说。﹁上一章﹂她念。",
    "<系统>本章任务完成。\n他走了。",
    "※ 本章任务完成。\n他走了。",
    "他翻开《细纲》，是一本薄书。",
]


@pytest.mark.parametrize("body", APART)
def test_speech_panels_and_letters_are_reported_but_do_not_block(body: str) -> None:
    assert residue(body) == []
    assert any(one["kind"] == "复核" for one in report(body)["advice"])


def test_the_narrator_speaks_again_after_a_letter_without_a_signature() -> None:
    assert residue("信上写道：\n\n灯已灭三盏。\n\n他走了。\n\n上一章你写到桥断。")[0][1] == 9


def test_a_mark_of_another_speech_ends_what_was_left_open() -> None:
    """A long speech opens each paragraph anew; a quote that is never closed hides its own line alone."""
    assert residue("“灯灭了。\n\n“人走了。”\n\n本章的门开了。")[0][1] == 7
    assert residue("“灯灭了。\n\n本章的门开了。\n\n“走。”")[0][1] == 5
    assert residue("“灯灭了。\n\n- 走\n\n灭了。”本章的门开了。")[0][1] == 7
    assert advised("“灯灭了。\n\n- 走\n\n灭了。”他说。", 51, "引号") == []


def test_a_date_over_a_scene_far_away_closes_no_letter() -> None:
    scene = f"{PLAIN}\n\n" * 40
    body = f"信上写着：\n\n灯已灭。\n\n{scene}本章的门开了。\n\n{scene}十月初九\n\n{PLAIN}"
    assert [found[0] for found in residue(body)] == ["写作术语"]
    assert residue(body.replace("十月初九", "闵守中\n\n十月初九")) == []


def test_a_panel_that_is_never_closed_hides_its_own_line_alone() -> None:
    body = f"【面板\n\n本章的门开了。\n\n{PLAIN}\n\n【姓名：老何】\n\n他走了。"
    assert residue(body)[0][1] == 5


def test_an_apostrophe_is_no_quote() -> None:
    assert residue("他说don't，本章的门开了。I'm也行。") != []
    assert advised("“I’m here.”他说。it's，don't，‘走’。", 51, "引号") == []


def test_after_a_panel_or_letter_the_narrator_speaks_again() -> None:
    assert residue("【面板】\n力量：5\n本章的门开了。")[0][1] == 5
    assert residue("信上写着：\n\n走。\n\n本章的门开了。")[0][1] == 7


def test_speech_over_several_paragraphs_needs_one_closing_quote() -> None:
    assert advised("“灯灭了。\n\n“人走了。”", 51, "引号") == []
    (found,) = advised("“灯灭了。\n\n人走了。", 51, "引号")
    assert found["places"][0]["line"] == 3


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_an_editor(ends: str) -> None:
    text = ends.join(["# 第 7 章", "", "他走了。\u2028仍是这一行。", "\x0b本章。"])
    assert [one["line"] for one in blocking_residue(text)] == [4]


def test_a_sheet_keeps_every_offset() -> None:
    text = HEAD + "他说：“走。”【力量：5】\n一股麻。"
    sheet = Sheet(text, ("一股麻",))
    assert {len(sheet.plain), len(sheet.narration), len(sheet.story)} == {len(text)}
    assert sheet.narration.replace("\x01", "").split() == ["他说：", "。"]


QUOTES = ("“”", "「」", "『』", "【】", "‘’", '""', "''", "〖〗", "﹁﹂", "﹃﹄", "〝〞", "＂＂", "«»")


@pytest.mark.parametrize("pair", QUOTES)
def test_quoted_words_are_apart(pair: str) -> None:
    opens, closes = pair
    assert parts(f"他说{opens}走{closes}了，{opens}停{closes}。") == [
        f"{opens}走{closes}",
        f"{opens}停{closes}",
    ]
    assert Sheet(f"{HEAD}他说{opens}走{closes}了。").unpaired == []
    assert Sheet(f"{HEAD}{opens}").unpaired == ([] if opens == "'" else [3])


def test_marks_of_speech_are_those_written_out_here() -> None:
    assert {a + b for a, b in lines.QUOTES.items()} == set(QUOTES)


def test_a_quote_within_a_quote_is_part_of_it() -> None:
    assert parts("“他说‘走’，「停」。”他念。") == ["“他说‘走’，「停」。”"]
    assert parts("“他说‘走。”他念。") == ["“他说‘走。”他念。"]


@pytest.mark.parametrize("mark", ["”", "」", "』", "】", "〗", "﹂", "﹄", "〞", "»"])
def test_a_mark_that_closes_nothing_does_not_pair(mark: str) -> None:
    assert (parts(f"他走{mark}了。"), Sheet(f"{HEAD}他走{mark}了。").unpaired) == ([], [3])


@pytest.mark.parametrize("text", ["他’走。", "it's，rock 'n roll。", "he said don't.", "’90。"])
def test_an_apostrophe_needs_no_partner(text: str) -> None:
    assert (parts(text), Sheet(HEAD + text).unpaired) == ([], [])


def test_a_straight_quote_counts_only_outside_a_word() -> None:
    assert parts("他念'走'，don't停。") == ["'走'"]
    assert parts("他念'go'，停。") == ["'go'"]
    assert parts("他念 '走'，rock 'n 停。") == []


@pytest.mark.parametrize("pair", QUOTES)
def test_speech_left_open_goes_on_in_the_next_lines_for_three_marks(pair: str) -> None:
    opens, closes = pair
    found = parts(f"他说{opens}走。\n\n- 停。{closes}他走。")
    if opens in "“「『":
        assert found == [f"{opens}走。", f"- 停。{closes}"]
        assert Sheet(f"{HEAD}他说{opens}走。\n\n- 停。{closes}他走。").unpaired == []
    else:
        assert f"- 停。{closes}" not in found


@pytest.mark.parametrize(("between", "joined"), [(0, True), (11, True), (12, False)])
def test_speech_goes_on_for_twelve_lines(between: int, joined: bool) -> None:
    found = hidden(["“走。", *["停。"] * between, "灯。”"])
    assert (found == list(range(between + 2))) is joined
    assert (len(found) == 1) is not joined


def test_speech_that_another_opens_or_that_an_apostrophe_breaks() -> None:
    assert parts("“走。\n\n停，「灯」。”") == ["“走。", "「灯」"]
    assert parts("“走。\n\n停’了。”他。") == ["“走。", "停’了。”"]
    assert parts("“走。\n\n停。”他说“灯。\n\n尽。”") == ["“走。", "停。”", "“灯。", "尽。”"]
    assert Sheet(f"{HEAD}“走。\n\n停。\n\n“灯。”").unpaired == [3]
    assert Sheet(f"{HEAD}“走。\n\n“灯。”").unpaired == []


def test_lines_and_quotes_are_those_of_the_text() -> None:
    sheet = Sheet("# 第 7 章\n\n他走。\n\n  她也走了，没有回头。\n")
    assert [tuple(line) for line in sheet.lines] == [
        (3, 9, 12, "他走。"),
        (5, 14, 26, "  她也走了，没有回头。"),
    ]
    assert [sheet.line(place) for place in (0, 7, 8, 9, 12, 13, 14, 26, 27)] == [1, 1, 2, 3, 3, 4, 5, 5, 6]
    assert sheet.quote(16, 17) == "她也走了，没有"
    assert sheet.quote(16, 17, around=1) == "她也"
    assert sheet.quote(25, 26, around=3) == "有回头。"
    assert sheet.quote(16, 26, most=4) == "她也"
    assert sheet.quote(9, 9) == "他走。"
    assert Sheet("走" * 80).quote(0, 70) == "走" * 30
    assert Sheet("他走。" * 20).quote(30, 31) == "他走。他走。他走。他走。他"


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("# 第 7 章\n他走。", 8),
        ("# 章\n他走。", 4),
        ("第七章 夜渡\n他走。", 7),
        ("\ufeff\n 第七章 夜渡\n他走。", 10),
        ("他走。\n第七章", 0),
        ("\u200b\n\n 他走。", 4),
        ("# 第 7 章", 7),
        ("", 0),
    ],
)
def test_the_body_begins_behind_the_heading(text: str, body: int) -> None:
    sheet = Sheet(text)
    assert sheet.body == body
    assert sheet.plain[:body].strip("\n\x01") == ""


def test_allowed_words_are_hidden_the_longest_first() -> None:
    sheet = Sheet("# 灯\n灯芯灯“灯芯”油", ("灯", "灯芯", "", " "))
    assert sheet.plain == "\x01\x01\x01\n\x01\x01\x01“\x01\x01”油"
    assert sheet.narration == "\x01\x01\x01\n\x01\x01\x01\x01\x01\x01\x01油"
    assert sheet.story == "\x01\x01\x01\n灯芯灯\x01\x01\x01\x01油"
    assert Sheet("走。", ("走\n停",)).plain == "走。"
    assert Sheet("走\n停。", ("走\n停",)).plain == "\x01\n\x01。"
