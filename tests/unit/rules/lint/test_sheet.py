"""A chapter as the lint reads it: speech, panels and letters apart, every offset and line kept."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint import report as lint_report
from novel_hooks.rules.lint import sheet as sheets
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.samples import HEAD, PLAIN, advised, expand, report, residue

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
    assert [one["line"] for one in lint_report.blocking_residue(text)] == [4]


def test_a_sheet_keeps_every_offset() -> None:
    text = HEAD + "他说：“走。”【力量：5】\n一股麻。"
    sheet = Sheet(text, ("一股麻",))
    assert {len(sheet.plain), len(sheet.narration), len(sheet.story)} == {len(text)}
    assert sheet.narration.replace("\x01", "").split() == ["他说：", "。"]


def parts(body: str) -> list[str]:
    """The pieces of the body that are apart from the narration."""
    sheet = Sheet(HEAD + body)
    return [sheet.text[start:end] for start, end in sheet.spans]


def hidden(lines: list[str], gap: str = "\n\n") -> list[int]:
    """Which of the lines are apart as a whole."""
    sheet = Sheet(HEAD + gap.join(lines))
    return [at for at, line in enumerate(sheet.lines) if (line.start, line.end) in sheet.spans]


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
    assert {a + b for a, b in sheets._QUOTES.items()} == set(QUOTES)


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


SYSTEMS = [
    "⟨|　| ⟩⟨叮！|叮!|叮，|叮,|叮。|叮咚|[|［|〔|※⟩任务完成。",
    "⟨<|＜|〈⟩⟨系统|任务|提示|公告|面板|警告|世界⟩>任务完成。",
    "系统⟨|提示|公告|消息|通知⟩⟨：|:⟩任务完成。",
]


@pytest.mark.parametrize("template", SYSTEMS)
def test_a_line_of_the_system_is_apart(template: str) -> None:
    assert [text for text in expand(template) if parts(f"{text}\n\n他走。") != [text]] == []


@pytest.mark.parametrize("text", ["叮当响。", "系统完成。", "他（系统）走。", "<灯>亮了。", "系统面板：走。"])
def test_a_line_that_is_like_it_is_narration(text: str) -> None:
    assert parts(text) == []


ROWS = [
    "⟨|　| ⟩⟨-|*|+|>|•|·|＞|1.|12、|3．⟩灯。",
    "⟨一、|二）|三)|四、|五、|六、|七、|八、|九、|十、|（一）|(十一)|[|［|【⟩灯。",
    "⟨|　⟩力量⟨：|:⟩⟨| |　⟩五",
]


@pytest.mark.parametrize("template", ROWS)
def test_rows_behind_a_panel_belong_to_it(template: str) -> None:
    assert [text for text in expand(template) if hidden(["【面板】", text, "他走。"])[:2] != [0, 1]] == []
    assert hidden(["【面板】", "|灯", "他走。"]) == [0, 1]


@pytest.mark.parametrize(
    "text", ["他走。", "123.灯。", "力量：五点。走", "他说，力量：五", "力 量：五", "力量：" + "五" * 25]
)
def test_a_line_that_is_no_row_ends_a_panel(text: str) -> None:
    assert hidden(["【面板】", text]) == [0]


def test_a_panel_of_several_lines() -> None:
    assert hidden(["【面板", "他走。", "【火】【水】", "停。】", "力量：5", "他走。"]) == [0, 1, 2, 3, 4]
    assert parts("【面板】他走。\n力量：5") == ["【面板】"]
    assert parts("【面板】他【走】") == ["【面板】", "【走】"]
    assert parts("看【面板\n他走。\n】") == ["【面板"]


@pytest.mark.parametrize(("between", "joined"), [(38, True), (39, False)])
def test_a_panel_has_forty_lines_at_most(between: int, joined: bool) -> None:
    found = hidden(["【面板", *["停。"] * between, "】", "他走。"])
    assert found == (list(range(between + 2)) if joined else [0])


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


SAID = [
    "他⟨说|道|问|答|喊|叫|骂|念|想|嚷|吼⟩⟨：|:⟩走，",
    "他⟨写下|敲下|打出|一句|那句|这句|一句话⟩，⟨：|:⟩走，",
    "他念《",
    "⟨——|－－|　——⟩走，",
]


@pytest.mark.parametrize("template", SAID)
def test_a_word_behind_a_colon_a_dash_or_in_a_title_is_spoken(template: str) -> None:
    for text in expand(template):
        sheet = Sheet(f"{HEAD}{PLAIN}\n\n{text}上一章。\n{PLAIN}")
        place = sheet.text.index("上一章")
        assert (sheet.apart(place), sheet.spoken(place)) == (False, True), text


@pytest.mark.parametrize(
    "text", ["他说。", "他：", "《灯》", "——走——\n", "他说：\n", "-", "说", "写下。句话："]
)
def test_another_word_is_not_spoken(text: str) -> None:
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n{text}上一章。")
    assert sheet.spoken(sheet.text.index("上一章")) is False


@pytest.mark.parametrize("dash", ["——", "－－", "——  "])
def test_a_line_between_dashes_is_an_aside(dash: str) -> None:
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n——上一章{dash}\n\n走。")
    assert sheet.spoken(sheet.text.index("上一章")) is False


def test_a_speaker_is_looked_for_two_hundred_characters_before() -> None:
    for count, found in ((198, True), (199, False)):
        text = f"{HEAD}说：{'走' * count}上一章"
        assert Sheet(text).spoken(text.index("上一章")) is found


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
        assert sheets.is_signature(text), text
        assert hidden(["信上写着：", "灯已灭。", "归来。", text, "他走。"]) == [1, 2, 3], text


@pytest.mark.parametrize("template", NAMES)
def test_a_name_alone_closes_a_letter_too(template: str) -> None:
    for text in expand(template):
        assert not sheets.is_signature(text), text
        assert hidden(["信上写着：", "灯已灭。", "归来。", text, "他走。"]) == [1, 2, 3], text
        assert hidden(["信上写着：", "灯已灭。", text, "十月初九", "九年正月", "他走。"]) == [1, 2, 3, 4], (
            text
        )


@pytest.mark.parametrize("template", NO_SIGNATURES)
def test_another_line_is_no_signature(template: str) -> None:
    assert [text for text in expand(template) if sheets.is_signature(text)] == []


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


def test_line_ends_stand_for_marks_and_hidden_words() -> None:
    assert sheets.with_line_breaks("走，停\x01。", "，") == "走\n停\n。"
    assert list(sheets.line_spans("头\n 走 \n\n停", 1)) == [(3, 4), (7, 8)]
