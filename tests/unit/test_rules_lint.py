"""What the lint finds in a text, where it says it is, and what it keeps out. Source: craft notes §2."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules import lint, prose
from novel_hooks.rules.lint import Beside
from novel_hooks.rules.lint_text import Sheet

HEAD = "# 第 7 章 夜渡\n\n"
PLAIN = "老何把缆绳绕了三圈，水声从船底漫上来。"


def report(body: str, **beside: Any) -> dict[str, Any]:
    return lint.report(HEAD + body, Beside(**beside))


def residue(body: str, whitelist: tuple[str, ...] = ()) -> list[tuple[str, int, str]]:
    return [(r["name"], r["line"], r["quote"]) for r in lint.residue(HEAD + body, whitelist)]


def advised(body: str, rule: int, name: str = "", **beside: Any) -> list[dict[str, Any]]:
    return [a for a in report(body, **beside)["advice"] if a["rule"] == rule and name in a["name"]]


# --- residue: what blocks --------------------------------------------------------------------

RESIDUE = [
    (47, "Markdown 标题行", "## 第二场\n\n他走了。", 3),
    (47, "Markdown 标题行", f"{PLAIN}\n\n# 第 8 章 回头\n\n他走了。", 5),
    (47, "Markdown 加粗", "他**真的**走了。", 3),
    (47, "Markdown 加粗", "“我**真的**走了。”", 3),
    (47, "Markdown 星号", f"{PLAIN}\n\n***\n\n他走了。", 5),
    (47, "代码框", "```\n他走了。", 3),
    (47, "反引号", "他叫`老何`。", 3),
    (47, "列表、引用或表格", f"{PLAIN}\n\n- 收灯\n- 过河。", 5),
    (47, "列表、引用或表格", "> 旧账里写着。", 3),
    (47, "列表、引用或表格", "| 灯 | 数 |\n他走了。", 3),
    (47, "分隔线", f"{PLAIN}\n\n---\n\n他走了。", 5),
    (48, "标签", "</thinking>他走了。", 3),
    (48, "标签", '<DATA type="x">他走了。', 3),
    (48, "内部编号", "他想起F-012来。", 3),
    (48, "内部编号", "按OBJ-7-1收了灯。", 3),
    (48, "内部编号", "按C-LD-3他不说谎。", 3),
    (48, "内部编号", "LS-001说得对。", 3),
    (48, "字段名", "这一处plot_logic不稳。", 3),
    (48, "文件路径", "存进staging/chapters里。", 3),
    (48, "文件路径", "见chapter-007的末尾。", 3),
    (48, "文件路径", "写在current-state.json里。", 3),
    (49, "模型自称", "作为一个AI，这段情节不好写。", 3),
    (49, "模型自称", "作为语言模型，写不了。", 3),
    (49, "模型推辞", "抱歉，我无法生成这样的内容。", 3),
    (49, "模型推辞", "我无法为您提供后文。", 3),
    (49, "模型推辞", "我不能续写这个故事。", 3),
    (49, "模型推辞", "I'm sorry, but I can't continue. 他走了。", 3),
    (49, "模型推辞", "As an AI language model, no.", 3),
    (49, "交稿的话", "以下是第七章的正文。", 3),
    (49, "交稿的话", "好的，以下就开始。\n他走了。", 3),
    (49, "交稿的话", f"{PLAIN}\n\n希望你喜欢这一稿！", 5),
    (49, "占位的话", "此处省略一场打斗。", 3),
    (49, "占位的话", "（此处补充过河的描写）他走了。", 3),
    (49, "占位的话", "[待补充]他走了。", 3),
    (49, "占位的话", "TODO他走了。", 3),
    (49, "占位的话", "{{主角名}}走了。", 3),
    (49, "末句没有写完", f"{PLAIN}\n\n他把灯举起来，照见", 5),
    (49, "末句没有写完", "他说：“那盏灯", 3),
    (49, "末句没有写完", "他走了，\n", 3),
    (50, "写作术语", "本章的门开了。", 3),
    (50, "写作术语", "上一章他走了。", 3),
    (50, "写作术语", "细纲里没有这盏灯。", 3),
]
NONE = [
    "他走到 C 座，F-16 从头顶飞过，房号 B-07。",
    "日本章鱼摆在一本章程上，根本章法全无。",
    "天气凉爽点了。这段情节点明了他的来处。",
    "我无法提供不在场的证明。",
    "作为人工智能，她从不打盹。",
    "3 > 2，他算了一遍；a*b 也算了。",
    "他说：“我要走——”",
    "远处有人喊：“谁——”\n",
    "“走？”\n\n他没有答……",
    "他在灯下看完了信。\n\n（完）",
    "他走了。\n\n完",
    "这事不成，-5 度的天。",
    "希望你喜欢这条围巾，他在心里说。\n\n他走了。",
]


@pytest.mark.parametrize(("rule", "name", "body", "line"), RESIDUE)
def test_residue_blocks_with_its_line(rule: int, name: str, body: str, line: int) -> None:
    found = [r for r in report(body)["residue"] if r["name"] == name]
    assert [(r["rule"], r["line"]) for r in found][:1] == [(rule, line)]
    assert found[0]["quote"] and found[0]["quote"] in (HEAD + body).split("\n")[line - 1]


@pytest.mark.parametrize("body", NONE)
def test_what_only_looks_like_residue_does_not_block(body: str) -> None:
    assert residue(body) == []


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
]


@pytest.mark.parametrize("body", APART)
def test_speech_panels_and_letters_are_told_but_do_not_block(body: str) -> None:
    assert residue(body) == []
    assert any(one["kind"] == "复核" for one in report(body)["advice"])


def test_after_a_panel_or_letter_the_narrator_speaks_again() -> None:
    assert residue("【面板】\n力量：5\n本章的门开了。")[0][1] == 5
    assert residue("信上写着：\n\n走。\n\n本章的门开了。")[0][1] == 7


def test_an_author_may_let_a_word_pass() -> None:
    assert residue("他翻到上一章。") != []
    assert residue("他翻到上一章。", ("上一章",)) == []
    ((name, line, quote),) = residue("他翻到上一章，又看本章。", ("上一章",))
    assert (name, line, quote[-3:]) == ("写作术语", 3, "本章。")


def test_the_heading_and_an_empty_body_are_no_residue() -> None:
    assert lint.residue("# 第 7 章 夜渡") == [] == lint.residue("") == lint.residue("\ufeff \n\n")
    assert lint.residue("第七章 夜渡\n他走了。") == []


def test_only_residue_is_residue() -> None:
    worn = "夜色渐浓。\n\n他不禁缓缓抬头，瞳孔微缩，众人哗然。他不知道的是，命运才刚刚开始。"
    found = report(worn)
    assert found["residue"] == []
    assert {one["rule"] for one in found["advice"]} >= {22, 44, 45}


# --- habits: what advises --------------------------------------------------------------------

HABITS = [
    (1, "不禁", "她不禁退了。她忍不住笑。", "城里不禁火。城里不禁酒。"),
    (2, "缓缓", "他缓缓走，微微笑，轻轻放，默默看。", "他缓了一缓。"),
    (3, "一丝", "他有一抹笑。她有一丝寒意。", "一股药味钻出来。一缕线头。"),
    (4, "突然", "门猛地开了。他突然停。灯忽然灭。", "天冷得厉害。"),
    (5, "说不清", "莫名地冷。某种奇怪的情绪。", "某种蘑菇有毒。某种鱼。"),
    (6, "深邃", "深邃的夜。复杂的目光。", "复杂的锁，复杂的账。"),
    (7, "四字语", "山崩石裂，鬼哭神嚎，飞沙走石。", "他走进去，坐了下来，叹了口气。"),
    (8, "命运", "命运、意义、信念。", "要命的雨。"),
    (9, "不是", "那不是怕，而是饿。不是冷。是饿。", "他是不是走了，是我错了。不是你就是他。"),
    (10, "看似", "看似平静，实则发慌。与其说怕。", "看似要下雨。看似没人。"),
    (11, "没有", "没有风，没有人，只有灯。", "没有米，只有糠。"),
    (12, "同一个字", "他走，他停，他看。灯亮，灯暗，灯灭。", "他走，灯亮，他停。他走，灯暗，他看。"),
    (13, "带着", "他笑，带着几分得意。声音不大，却冷。", "他来了，带着两筐梨。声音不大，听不清。"),
    (15, "短句", "走。停。看。听。摸。笑。", "走。停。看。他把灯提起来照了照路。听。摸。笑。"),
    (16, "了一下", "看了一眼，停了一下，喝了一声，叹了口气，哼了声。", "了结一下账目，歇一歇。"),
    (18, "段尾", "他终于明白了。\n\n这意味着完了。", "他终于到了。\n\n这意味着“走”。"),
    (22, "天气", "夜色渐浓，长街无人。", "老何踩着月光回家。"),
    (24, "直说", "她感到不安。她觉得恐惧。心里充满愤怒。", "他感到脚下的板松了。"),
    (25, "五味", "一时百感交集。五味杂陈。", "百感丸卖完了。"),
    (26, "众人", "众人哗然。全场死寂。", "众人散了。全场的灯亮着。"),
    (27, "意识到", "他意识到。她明白。他判断。他推测。", "他知道路。门明白着。"),
    (28, "瞳孔", "她瞳孔微缩。嘴角勾起。", "他嘴角沾着饭粒，眼里进了沙。"),
    (29, "深吸", "他深吸了口气。指节发白。", "指节上有茧，心里有数。"),
    (30, "点头", "他点了点头。她摇头。良久。", "沉默是规矩。头疼。"),
    (31, "目光", "目光落在桌上。视线扫过。目光移向门。", "目光短浅。"),
    (32, "淡淡", "他淡淡地说。她沉声道。", "低声部唱得好。淡淡的茶。"),
    (34, "众所周知", "“众所周知，灯灭了。”\n“也就是说，走。”", "众所周知。也就是说。"),
    (35, "翻译", "言外之意是走。", "这话他听过。"),
    (36, "像", "像铜钱。像刀。仿佛雪。宛如梦。", "好像要下雨。画像歪了。不像话。想像不到。"),
    (37, "潮水", "像潮水。像一头困兽。", "像一碗凉粥，潮水退了。"),
    (38, "才会", "那种等过的人才会有的疲惫。那种久病才有的笑。", "那种米才好吃。"),
    (39, "空气", "空气凝固了。空气中弥漫着灰。气氛骤冷。", "空气不好。"),
    (40, "然而", "然而门没开。因此他走。", "虽然门没开。"),
    (41, "下一秒", "下一秒，灭。\n此刻，亮。\n此刻，暗。\n良久，走。", "下一秒钟表店。\n他此刻，走。"),
    (42, "首先", "首先，要粮；其次，要人。", "第一排坐着他，第二排没人。"),
    (43, "钟点", "三点十七分。四点二分。5点30分。", "三点到了，走了五分钟。"),
    (44, "升华", "真正的考验还在后面。", "他把门闩插上，闩是断的。"),
    (45, "预告", "他不知道的是，井是空的。", "他不知道井是空的。"),
    (50, "读者", "主角走了。", "他是个老读书人。"),
    (51, "半角", "走吧,别等。走！！", "他有 3,000 文，OK."),
    (51, "破折号", "走——停——看。", "走——"),
    (51, "省略号", "走……停……看……", "走……停……"),
    (52, "机制", "他进行了检查，做出了判断。", "他检查了，判断了。"),
    (53, "显然", "他摔了碗。显然，他气。他笑了。可见他懂。", "他显然饿了。他显然渴了。"),
]


@pytest.mark.parametrize(("rule", "name", "bad", "good"), HABITS)
def test_a_habit_over_its_limit_is_told_and_its_like_is_not(
    rule: int, name: str, bad: str, good: str
) -> None:
    (found,) = advised(bad, rule, name)
    assert found["count"] > found["allowed"]
    assert found["places"] and found["advice"]
    assert advised(good, rule, name) == []


@pytest.mark.parametrize(("rule", "name", "bad", "good"), HABITS)
def test_what_a_person_says_is_no_habit_of_the_narrator(rule: int, name: str, bad: str, good: str) -> None:
    if rule not in (34, 51):
        spoken = "\n".join(f"“{line}”" for line in bad.split("\n"))
        assert advised(spoken, rule, name) == []


def test_limits_grow_with_the_length_and_never_fall_below_one() -> None:
    short, long = "她不禁退了。" * 2, "她不禁退了。" * 2 + PLAIN * 110
    assert advised(short, 1)[0]["allowed"] == 1.0
    assert advised(long, 1) == []


def test_four_kinds_over_their_limits_are_grave() -> None:
    assert report(PLAIN)["weight"] == "无"
    assert report("夜色渐浓。")["weight"] == "轻"
    assert report("夜色渐浓。首先，要粮；其次，要人。")["weight"] == "中"
    grave = report("夜色渐浓。首先，要粮；其次，要人。没有风，没有人，只有灯。殊不知，井空。")
    assert (grave["weight"], grave["kinds_over"]) == ("重", ["句式", "段落", "数字清单", "结尾升华"])


def test_speech_over_several_paragraphs_needs_one_closing_quote() -> None:
    assert advised("“灯灭了。\n\n“人走了。”", 51, "引号") == []
    (found,) = advised("“灯灭了。\n\n人走了。", 51, "引号")
    assert found["places"][0]["line"] == 3


def test_even_lengths_are_told_from_forty_sentences_on() -> None:
    even = "\n".join(["老何把缆绳绕了三圈。"] * 40)
    assert {one["rule"] for one in report(even)["advice"]} >= {14, 17}
    assert not {one["rule"] for one in report(even[: len(even) // 2])["advice"]} & {14, 17}


def test_a_long_paragraph_without_speech() -> None:
    assert advised(PLAIN * 11, 21)[0]["places"][0]["line"] == 3
    assert advised(PLAIN * 11 + "“走。”", 21) == []


def test_lengths_are_held_against_the_style_profile() -> None:
    body = "\n\n".join(["老何把灯提起来。", "他没有回头，只听见水声从船底漫上来。"] * 20)
    near: dict[str, Any] = {
        "sentence_length": {"mean": 13},
        "paragraph_chars": 13,
        "dialogue_ratio": [0, 0.4],
    }
    far: dict[str, Any] = {"sentence_length": 40, "paragraph_chars": [60, 90], "dialogue_ratio": 0.6}
    assert [a for a in report(body, profile=near)["advice"] if a["kind"] == "文风"] == []
    names = [a["name"] for a in report(body, profile=far)["advice"] if a["kind"] == "文风"]
    assert names == ["平均句长离文风档案远", "平均段长离文风档案远", "对话的比例离文风档案远"]
    assert report(body, profile=far)["wanted"] == far


def test_a_heading_within_the_text_is_told() -> None:
    (found,) = advised(f"{PLAIN}\n\n第八章 回头\n\n{PLAIN}", 47, "章名")
    assert found["places"] == [{"line": 5, "quote": "第八章 回头"}]
    assert residue(f"{PLAIN}\n\n第八章 回头\n\n{PLAIN}") == []
    assert advised("第八章那本旧账，他没翻。", 47, "章名") == []


# --- words, repeats, copies ------------------------------------------------------------------


def test_blacklist_hits_in_1000_字_with_their_lines() -> None:
    body = "他嘴角动了。“嘴角。”\n\n一股麻绳，一股寒气。嘴角沾着米。"
    found = report(body, words=("嘴角", "一股", "一股寒"), whitelist=("一股麻",))["blacklist"]
    assert found["words"] == [
        {"word": "嘴角", "count": 2, "lines": [3, 5]},
        {"word": "一股寒", "count": 1, "lines": [5]},
    ]
    assert found["count"] == 3
    assert found["per_1000"] == round(3000 / prose.count(body).chars, 1)


def test_sentences_that_begin_alike() -> None:
    body = "".join(f"那盏灯亮了{i}回。" for i in "一二三四五")
    (found,) = report(body)["repeats"]["openings"]
    assert (found["text"], found["count"], found["places"][0]["line"]) == ("那盏", 5, 3)
    assert report(body, names=("那盏灯",))["repeats"]["openings"] == []
    assert report("".join(f"“那盏灯亮了{i}回。”" for i in "一二三四五"))["repeats"]["openings"] == []


def test_a_phrase_said_three_times_whole_and_once() -> None:
    body = "水声从船底漫上来，他笑。\n\n她说完，水声从船底漫上来。\n\n那夜水声从船底漫上来。"
    (found,) = report(body)["repeats"]["phrases"]
    assert (found["text"], found["count"]) == ("水声从船底漫上来", 3)
    assert [place["line"] for place in found["places"]] == [3, 5, 7]
    assert report("水声从船底漫上来。\n水声从船底漫上来。")["repeats"]["phrases"] == []


def test_words_of_earlier_chapters() -> None:
    before = HEAD + "那年他把半袋糙米埋在桥下。"
    found = report("他把半袋，糙米埋在桥下！", earlier=((6, "别的。"), (5, before)))["repeats"]["earlier"]
    assert [(one["text"], one["source"], one["places"][0]["line"]) for one in found] == [
        ("他把半袋糙米埋在桥下", "第 5 章", 3)
    ]
    assert report("“他把半袋糙米埋在桥下。”", earlier=((6, before),))["repeats"]["earlier"] == []


SIXTEEN = "沈渡收起塔上最后一盏灯交给守夜人"


def test_sixteen_characters_of_the_plan() -> None:
    assert len(SIXTEEN) == 16
    plan = (("大纲", f"- **Conflict**: {SIXTEEN}，河窄一分"), ("契约", "别的"))
    (found,) = report(f"他走。\n\n{SIXTEEN[:6]}，{SIXTEEN[6:]}。", plan=plan)["copied"]
    assert (found["text"], found["chars"], found["source"]) == (SIXTEEN, 16, "大纲")
    assert found["places"][0]["line"] == 5
    assert report(f"{SIXTEEN[1:]}。", plan=plan)["copied"] == []
    assert report(f"“{SIXTEEN}。”他起誓。", plan=plan)["copied"] == []
    assert report(f"{SIXTEEN}。", plan=plan, names=("沈渡",), whitelist=("沈渡", "一盏灯"))["copied"] != []
    assert report(f"{SIXTEEN}。", plan=plan, whitelist=(f"{SIXTEEN}。",))["copied"] == []


def test_a_seam_that_repeats_the_last_end() -> None:
    end = "他把灯放在石阶上，蹲下去数台阶上的水印，数到第七个停了手。"
    before = HEAD + "开头。" * 300 + end
    (found,) = report(f"{end}\n\n然后走了。", earlier=((6, before),))["seam"]
    assert found["source"] == "上一章末尾"
    assert found["places"][0]["line"] == 3
    assert report("他把灯放在石阶上，走了。", earlier=((6, before),))["seam"] == []
    assert report(f"{end}", earlier=((6, HEAD + end + "别的话。" * 200),))["seam"] == []


def test_one_word_count_with_han_beside_it() -> None:
    body = "他走了 7 步，OK。"
    found = report(body)
    assert (found["chars"], found["han"]) == tuple(prose.count(HEAD + body)) == (9, 4)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_an_editor(ends: str) -> None:
    text = ends.join(["# 第 7 章", "", "他走了。\u2028仍是这一行。", "\x0b本章。"])
    assert [one["line"] for one in lint.residue(text)] == [4]


def test_a_sheet_keeps_every_offset() -> None:
    text = HEAD + "他说：“走。”【力量：5】\n一股麻。"
    sheet = Sheet(text, ("一股麻",))
    assert {len(sheet.plain), len(sheet.narration), len(sheet.told)} == {len(text)}
    assert sheet.narration.replace("\x01", "").split() == ["他说：", "。"]
