"""Placeholders: every word of every pattern, and what a narrator writes in brackets."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint.residue import placeholders
from unit.rules.lint.samples import blocked, matches, unblocked, unfound

NAME = "占位的话"
MARKS = ("TODO", "FIXME", "TBD", "XXX", "xxx", "PLACEHOLDER")
OPENS = "（|(|[|［|〔|〖|{|｛|<|＜|〈"
CLOSES = "）|)|】|]|］|〕|〗|}|｝|>|＞|〉"
BLOCKING = [
    *(f"他看{opens}{mark}一场⟨）|)|】|]⟩。" for opens in "（([" for mark in MARKS),
    "他看（⟨XXXX|xxxx⟩）。",
    *(
        f"他看{opens}⟨待补|待续写|待填|待完善|以下省略|以上省略|中间省略⟩一场⟨）|)|】|]⟩。"
        for opens in "（(["
    ),
    *(f"他看{opens}⟨主角|角色|人物⟩⟨姓名|名字|名称|名|的姓名|A|7⟩⟨）|)|】|]|}}|>⟩。" for opens in "（([{<"),
    "他看{⟨主角|角色|姓名|人名|地名⟩⟨}|>⟩。",
    "他看<⟨主角|角色|姓名|人名|地名⟩⟨}|>⟩。",
    "他看〔⟨待补|待续写|待填|待完善|以下省略|以上省略|中间省略⟩一下〕。",
    "此处省略一场打斗。",
    "⟨（|(⟩⟨|中|下|后⟩略⟨）|)⟩他走。",
    "占位符。",
    "⟨此处|这里⟩写占位符。",
    "⟨TODO|FIXME|TBD|XXX|XXXX|xxx|xxxx|PLACEHOLDER|Placeholder|placeholder⟩：一场打斗。",
    "他走⟨。|！|？⟩⟨| ⟩TODO：一场打斗。",
    "⟨“走”|「走」⟩TODO：一场打斗。",
    "他看{{⟨名|⟩}}。",
    f"他看⟨{OPENS}⟩此处描写⟨{CLOSES}⟩。",
    "（⟨此处|这里|该处|本段|这段|该段⟩一场占位）他走。",
    "（这里一场⟨补|补充|插入|描写|展开|续写|添加|填|填充|占位|略|略去⟩⟨|。| ⟩）他走。",
    "（这里⟨补|补充|插入|添加|展开|续写|填|填充⟩一⟨段|场|幕|句|些⟩桥上的事）他走。",
    "（这里补桥上的⟨描写|情节|场景|对话|内容|细节|打斗|心理|环境|战斗|剧情|段落|过程|原文|下文⟩若干）他走。",
    "（这里⟨补|补充|插入|添加|展开|续写|填|填充⟩桥上的情节若干）他走。",
    "（这里一场待⟨补|写|填|续|展开|添加|完善⟩一下）他走。",
    "（这里，一场省略）他走。",
    "（待⟨补|续写|填|完善|扩写|写|添加|插入|修改⟩一下）他走。",
    "（占位⟨|符|：|:|。| ⟩）他走。",
    "（⟨以下|以上|中间⟩省略）他走。",
    "（插入⟨|桥上的情节⟩）他走。",
    "（⟨上接|承接|下接|接⟩⟨第三章|上文|下文|上章|上一章|下章|下一章⟩）他走。",
    f"他看⟨{OPENS.replace('{|', '').replace('<|', '')}⟩打斗待补⟨{CLOSES}⟩。",
    "（打斗待⟨补|补充|补全|补写|续写|扩写|填|填写|填充|完善|添加|插入⟩⟨|。| ⟩）他走。",
    "（打斗⟨字数|篇幅⟩不⟨足|够⟩）他走。",
    *(
        f"他走{opens}{words}）他走。"
        for opens in "（("
        for words in ("该处略去", "本段略去", "中间省略", "插入")
    ),
    "（未完待续⟨）|)⟩",
    "(未完待续)",
]
PANELS = [
    *(f"他看【{mark}一场】。" for mark in MARKS),
    "他看【⟨待补|待续写|待填|待完善|以下省略|以上省略|中间省略⟩一场】。",
    "他看【⟨主角|角色|人物⟩名】。",
    "他看【⟨此处略去|这里略去|该处略去|本段略去|待补|以下省略|中间省略|插入|占位|上接第三章|承接上文|下接下文|接上文⟩】。",
    "他看【打斗⟨待补|字数不足|篇幅不足⟩】。",
    "他看⟨【|[|［|〔|〖⟩未完待续】。",
]
MAYBE = [
    "此处省略⟨一万字|约一万字|大概一万字|3000字|两百字|n字|几百字⟩。",
    "此处省略⟨一|二|三|四|五|六|七|八|九|十|百|千|万|亿|两|几|数|零|〇|3|,|，|N|Ｎ|n⟩字。",
    "TODO⟨列表| 列表|清单|事项|应用|软件|文件|注释|标签|栏|里|上|的|和|是|还|有|三|四|几|这|那|级|届|型|-⟩。",
    "TODO⟨先生|女士|小姐|公司|号⟩。",
    "（这里待⟨在|人⟩）他走。（待填的井）他走。",
    "（等待着的人散了。）他走。",
    "（此处描写的是他的家乡。）他走。",
]


@pytest.mark.parametrize("template", BLOCKING)
def test_every_word_of_a_placeholder_blocks(template: str) -> None:
    assert unblocked(template, NAME) == []


@pytest.mark.parametrize("template", PANELS)
def test_a_placeholder_in_a_panel_blocks_too(template: str) -> None:
    """No character says such words: they are the machine's wherever they are."""
    assert unblocked(template, NAME) == []


@pytest.mark.parametrize("template", MAYBE)
def test_what_only_looks_like_a_placeholder_does_not_block(template: str) -> None:
    assert blocked(template) == []


@pytest.mark.parametrize("said", ["此处省略一场打斗。", "占位符。", "（略）", "TODO：一场打斗。", "{{名}}"])
def test_a_character_may_say_a_placeholder_without_brackets(said: str) -> None:
    assert unfound(f"“{said}”他念。", NAME) == blocked(f"“{said}”他念。") == []


def test_at_the_chapters_end_more_to_come_is_the_books_own_word() -> None:
    assert unblocked("（未完待续）", NAME, after="") == ["（未完待续）"]
    assert unblocked("【未完待续】", NAME, after="") == []


@pytest.mark.parametrize("opens", "（(【[")
@pytest.mark.parametrize("word", ["待补", "待续写", "待填", "待完善", "以下省略", "以上省略", "中间省略"])
def test_a_placeholder_reaches_to_the_end_of_its_brackets(opens: str, word: str) -> None:
    for closes in "）)】]":
        assert matches(f"他看{opens}{word}<灯>一场{closes}。", NAME) == [f"{word}<灯>一场"]


def test_placeholders_are_of_one_name() -> None:
    kinds = (*placeholders.SHORT, *placeholders.WORDED)
    assert (len(placeholders.SHORT), len(placeholders.WORDED)) == (4, 3)
    assert {(kind.rule, kind.name, kind.sure) for kind in kinds} == {(49, NAME, True)}


@pytest.mark.parametrize(
    "told",
    [
        "“姓名那一栏写（待填）就行。”她说。",
        "「这里写着【未完待续】。」他把报纸翻过来。",
        "他念道：『本章完。』",
        "“[TODO]修船，”他念着白板上的字。",
        "“屏幕上跳出来 [Request interrupted by user]，我就知道断网了。”",
        "门上的牌子写着：（待填）",
        "公告栏上贴着一张纸，上面只有三个字：（待填）",
        "登记表上写着：姓名（待填），籍贯（待填）。",
        "他低头看合同，甲方一栏写着（待补充），乙方一栏是他的名字。",
    ],
)
def test_what_somebody_says_or_reads_does_not_block(told: str) -> None:
    assert blocked(told) == []


@pytest.mark.parametrize(
    "left",
    [
        "（待填）",
        "【未完待续】",
        "[TODO]",
        "“（待填）",
        "他写了一封信，（此处待补充）。",
        "墙上挂着一幅画（此处待补描写）。",
        "“走吧。”（待填）她说：“好。”",
    ],
)
def test_what_is_left_in_the_narration_blocks(left: str) -> None:
    assert blocked(left) != []
