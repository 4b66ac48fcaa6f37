"""Residue that blocks, with its line, and what only looks like it."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint.residue import agent_remarks, doubtful
from novel_hooks.rules.lint.residue import residue as residue_rules
from novel_hooks.rules.lint.residue.residue import CUT_SHORT, blocking_residue, find_residue
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.text import length
from unit.rules.lint.samples import HEAD, PLAIN, expand, hits, report, residue, unblocked

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
    (47, "Markdown 斜体", "他*真的*走了。", 3),
    (47, "Markdown 删除线", "他~~没~~走了。", 3),
    (47, "Markdown 链接", "见[大纲](outline.md)。", 3),
    (47, "Markdown 加粗", "【系统：**获得新称号**】\n他走了。", 3),
    (47, "代码框", "“```”", 3),
    (48, "标签", "<think>先写渡口。</think>\n他走了。", 3),
    (48, "标签", "他走了。<br/>她也走了。", 3),
    (48, "模型记号", "他走了。<|im_end|>", 3),
    (48, "模型记号", "[/INST]他走了。", 3),
    (48, "转义符", "他走了。\\n\\n她也走了。", 3),
    (48, "转义符", "他走了。&nbsp;她也走了。", 3),
    (48, "乱码", "他走\ufffd\ufffd了。", 3),
    (48, "数据格式", '{\n"chapter": 7,\n他走了。', 3),
    (49, "模型自称", "作为人工智能助手，我无法继续这段情节。", 3),
    (49, "模型推辞", "抱歉，我不能协助您完成这一段。", 3),
    (49, "模型推辞", "我无法继续生成后文。", 3),
    (49, "模型推辞", "I cannot assist with that request.", 3),
    (49, "交稿的话", "以上就是第七章的正文。", 3),
    (49, "交稿的话", "字数统计：3021", 3),
    (49, "交稿的话", "（全文字数：约3000）他走了。", 3),
    (49, "交稿的话", f"{PLAIN}\n\n需要我继续写下一段吗？", 5),
    (49, "交稿的话", f"{PLAIN}\n\n如需修改或扩写，请随时告诉我。", 5),
    (49, "交稿的话", "当然，我来为你续写。\n他走了。", 3),
    (49, "交稿的话", "Sure, here is the chapter:\n他走了。", 3),
    (49, "交稿的话", "Assistant: 他走了。", 3),
    (49, "占位的话", "[TODO]他走了。", 3),
    (49, "占位的话", "[TODO：补打斗] 他走了。", 3),
    (49, "占位的话", "XXX走了。", 3),
    (49, "占位的话", "【XXX】走了。", 3),
    (49, "占位的话", "（此处省略）他走了。", 3),
    (49, "占位的话", "（以下省略三千字）他走了。", 3),
    (49, "占位的话", "（略）他走了。", 3),
    (49, "占位的话", "<主角名>走了。", 3),
    (49, "占位的话", "[角色A]走了。", 3),
    (49, "占位的话", "PLACEHOLDER\n他走了。", 3),
    (49, "占位的话", "这里写占位符。", 3),
    (49, "占位的话", "TODO：补一场打斗\n他走了。", 3),
    (49, "占位的话", f"{PLAIN}\n\nTODO\n\n他走了。", 5),
    (47, "Markdown 加粗", "他__真的__走了。", 3),
    (48, "标签", "他<b>真的</b>走了。", 3),
    (48, "标签", "<p>他走了。", 3),
    (48, "标签", "他走了。</p>", 3),
    (48, "字段名", "他的emotional_arc还没有完成。", 3),
    (48, "字段名", "这一处required_fixes已改。", 3),
    (48, "文件路径", "见style-profile.json。", 3),
    (48, "文件路径", "见volumes/vol-01/outline.md。", 3),
    (49, "占位的话", "他走了。TODO：补打斗。", 3),
    (48, "文件路径", "存成chapter-delta.json。", 3),
    (49, "占位的话", "（这里补一段过河的描写）\n他走了。", 3),
    (49, "占位的话", "（此处待展开）\n他走了。", 3),
    (49, "占位的话", "（接上文）\n他走了。", 3),
    (50, "写作术语", "根据细纲，灯该灭了。", 3),
    (50, "写作术语", "爽点：灯灭。", 3),
    (50, "写作术语", "我要把上一章的伏笔接上。", 3),
    (50, "写作术语", "这里承接上一章。", 3),
    (49, "末句没有写完", f"{PLAIN}\n\n他把灯举起来，照见\n\n◆◆◆", 5),
    (49, "末句没有写完", f"{PLAIN}\n\n墙上写着：", 5),
    (50, "写作术语", "本章的门开了。", 3),
    (50, "写作术语", "上一章他走了。", 3),
    (50, "写作术语", "细纲里没有这盏灯。", 3),
    (47, "Markdown 加粗", f"{PLAIN}\n\n**未接来电**\n\n他走了。", 5),
    (47, "Markdown 标题行", f"{PLAIN}\n\n###\n\n他走了。", 5),
    (48, "数据格式", '{"done": true, "notes": ["写完"]}\n他走了。', 3),
    (48, "数据格式", "{'done': True}\n他走了。", 3),
    (48, "数据格式", "“chapter”: 4\n他走了。", 3),
    (48, "数据格式", "done: true\n他走了。", 3),
    (48, "数据格式", '["收灯", "过河"]\n他走了。', 3),
    (48, "注释", "<!-- 收灯 -->\n他走了。", 3),
    (48, "注释", "‹!-- 收灯 -->\n他走了。", 3),
    (48, "大纲的字段", "Storyline: river-line\n他走了。", 3),
    (48, "大纲的字段", "- **POV**：老何\n他走了。", 3),
    (48, "转义符", "他走\\u4e86。", 3),
    (49, "占位的话", "［此处待补］\n他走了。", 3),
    (49, "占位的话", "〔这里补一段过河〕\n他走了。", 3),
    (49, "占位的话", "<待填>\n他走了。", 3),
    (49, "占位的话", "（字数不足，待扩写）\n他走了。", 3),
    (49, "占位的话", "（打斗待补）\n他走了。", 3),
    (49, "占位的话", "他走了。\n\n【未完待续】", 5),
    (49, "占位的话", "（未完待续）\n\n他走了。", 3),
    (49, "占位的话", "（上接第三章）\n他走了。", 3),
    (49, "交稿的话", "【正文】\n他走了。", 3),
    (49, "交稿的话", "（续写部分）\n他走了。", 3),
    (49, "交稿的话", "修改说明：删去两处。\n他走了。", 3),
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
    # one who tells his own story speaks of himself
    "我不能继续写了。稿费没到，灯油也没了。",
    "我无法继续创作了，十年前我就知道。",
    "我无法满足他的要求。我不能满足于这样的日子。",
    "我无法生成这样的图案，她想着自己的绣架。",
    "我不能创作内容低劣的画。",
    "对不起，我不能继续等你了。",
    "作为AI，他不该有心跳。作为一款人工智能，小白每天五点起床。",
    "作为语言模型专家，她很忙。她作为人工智能研究员来到这里。",
    "作为AI，我从不打盹。",
    "当然，我会来。\n好的，我会来的。",
    "希望您喜欢。他把礼盒推过去。",
    "字数统计完了，会计合上账本。",
    "I'm sorry, but I love you. I can't help laughing.",
    # what only looks like a mark
    "某省XX市出了事，某某某与×××都不在。",
    "他的网名叫cold_moon，微信号是old_he_1987。",
    "他住C-130运输机旁，温度-5°，1 + 1 = 2，<3。",
    "【姓名】老何\n【人物】船家\n\n他走了～",
    "他叹气（此处应有掌声），【此处有掌声】。",
    "1. 他走了。\n2. 她也走了。\n\n——他没有回头。\n\n• 灯灭了。",
    # ends of chapters
    "他走了😀",
    "他走了。\n\n未完待续",
    "他走了。\n\n（未完待续）",
    "他走了。\n\n——第一卷完——",
    "他走了。\n\n◆◆◆\n\n……",
    "他走了——",
    "他走了。\n\n月儿弯弯照九州\n几家欢乐几家愁",
    "他走了。\n\n大江东去\n浪淘尽",
    "他低声唱：\n\n月儿弯弯照九州",
    "他走了.",
    "走。",
    # work, engines and everyday words
    "他作为人工智能研究员，不能写代码。作为AI研究员，她无法接受。",
    "他作为AI，不能写诗。",
    "抱歉，我不能写你的名字。对不起，我不能再写信了。",
    "根据你的要求，酒已经温好，灯也点上了。",
    "由于平台规定，店主无法退款。",
    "我开始写第四章，灯油只剩一指。",
    "让我来写：天字号，三间。",
    "I apologize, he said. I can't write poems.",
    "LS-400停在门口，车牌是LS-88。",
    "他把邮箱写在手心：zhang_san@mail.com。网址是www.old_he.com。",
    "他说话爽点不行吗？你做事爽点。",
    "以下为戒：不饮，不赌。以下是他的遗言。",
    "（等待着的人散了。）他走了。（灯待添油，人待归。）",
    # what a person, a game or a town does
    "好的，我给你倒水。\n好的，我会继续写信给你。",
    "当然，我会按照你的遗愿安葬你。当然可以，我帮你改。\n当然，我会根据你的意见去做。",
    "好的！我将为你守住这座城。\n好的，下面的人都散了吧。",
    "我按照契约写下自己的名字，血还没有干。\n我将按照契约完成献祭。",
    "按照你的指示，下面的人都撤了。\n根据你的要求，以下的人都要死。",
    "由于安全规定，这里不能拍照。因为安全规范，此处不能吸烟。受政策限制，此处不再营业。",
    "共3000字。\n他又数了一遍。",
    "是否需要我再说一遍？是否需要我继续等？",
    "（这里的酒要等待三年才开坛）（这里略有不同）（这里的井填了一半）（这里补给充足）他走了。",
    "（此处描写的是他的家乡。）（本段描写取自县志。）他走了。",
    "思考：我应该去吗？\n思考：我需要钱。",
    "下面是第三章的抄本，字迹潦草。下面是修改的日期。",
    "当然，我会给你写一段话。\n我按照教学大纲写教案，写到半夜。\n我按照提纲写，一句一句抄下来。",
    "我是语言模型研究员。\n总字数约3000，他数了三遍。\n他把那段话删了，字数：800。",
    "对不起，我不能完成这个任务了，队长。\n注意：以下内容涉及机密。",
    "Note: the door is locked.\nUser: admin\nResponse: 404.\n他走了。",
    "I'm sorry, but I can't stay. I'm fine.",
    "Let me start the engine.\nLet me begin with the dead.\nLet me write a check.",
    "他把卡（插入一枚铜钱）递过去，（占位的石头）也在。",
    "他敲下cd staging/，回车。",
    "System: 宿主已绑定。\n他走了。",
    "他走了。\n\n（待续）",
    "他走了。\n\n第一卷完",
    "他走了。\n\n春江潮水连海平，\n海上明月共潮生",
    # ends of chapters in a letter
    "他展开信，信上写着：\n\n见字如面。灯已灭三盏，速归。\n\n——江南老客",
    "信上写着：\n\n见信如晤。\n\n灯已灭三盏，速归。\n\n林冲 敬上",
    "信上写着：\n\n见信如晤。\n\n灯已灭三盏。\n\n闵守中\n\n十月初九",
    "他走了。\n\n——江南老客",
    "她念完最后一行，落款是三个字：闵守中",
]


@pytest.mark.parametrize(("rule", "name", "body", "line"), RESIDUE)
def test_residue_blocks_with_its_line(rule: int, name: str, body: str, line: int) -> None:
    found = [r for r in report(body)["residue"] if r["name"] == name]
    assert [(r["rule"], r["line"]) for r in found][:1] == [(rule, line)]
    assert found[0]["quote"] and found[0]["quote"] in (HEAD + body).split("\n")[line - 1]


@pytest.mark.parametrize("body", NONE)
def test_what_only_looks_like_residue_does_not_block(body: str) -> None:
    assert residue(body) == []


@pytest.mark.parametrize("paragraphs", [1, 2500])
def test_chapters_of_one_line_and_of_two_hundred_thousand_characters(paragraphs: int) -> None:
    body = "\n\n".join(
        [PLAIN + "他把灯举高，没有人答话，于是又走了几步，直到听见桨声，才停下来，回头看。" * 2] * paragraphs
    )
    assert residue(body) == []
    assert residue(body[:-1])[0][0] == "末句没有写完"
    assert report(body)["chars"] == length.length(body)


def test_an_author_may_let_a_word_pass() -> None:
    assert residue("上一章的门开了。") != []
    assert residue("上一章的门开了。", ("上一章",)) == []
    ((name, line, quote),) = residue("上一章的门开了，又看本章。", ("上一章",))
    assert (name, line, quote[-3:]) == ("写作术语", 3, "本章。")


@pytest.mark.parametrize("marks", ["“”", "「」"])
def test_a_quotation_is_of_its_own_line(marks: str) -> None:
    before, behind = marks
    ((name, line, _),) = residue(f"{before}灯灭了。\n\n他翻到本章，{before}灯{behind}亮了。")
    assert (name, line) == ("写作术语", 5)


def test_the_heading_and_an_empty_body_are_no_residue() -> None:
    assert blocking_residue("# 第 7 章 夜渡") == [] == blocking_residue("") == blocking_residue("\ufeff \n\n")
    assert blocking_residue("第七章 夜渡\n他走了。") == []


def test_only_residue_is_residue() -> None:
    worn = "夜色渐浓。\n\n他不禁缓缓抬头，瞳孔微缩，众人哗然。他不知道的是，命运才刚刚开始。"
    found = report(worn)
    assert found["residue"] == []
    assert {one["rule"] for one in found["advice"]} >= {22, 44, 45}


ENDS = "完|终|全书完|全文完|未完待续|待续|全剧终|正文完|番外完"


CLOSING = [
    f"⟨{ENDS}⟩",
    "⟨|（|(|【|—|-|——⟩第一⟨卷|部|集|篇|季|章|回⟩⟨| |　|·|—|-|——⟩⟨完|终|完结|终章⟩⟨|）|)|】|—|-|——⟩",
    "他走⟨。|！|？|……|”|」|』|》|】|）|)|.|!|~|～|——|--|◆|😀|*⟩",
    "他走。\n\n⟨……|◆◆◆|***|~|？⟩",
    "月儿弯弯照九州⟨\n|\n\n⟩几家欢乐几家愁",
    "大江东去⟨，|⟩\n浪淘尽了",
    "一二三四五六七八九十一二三四五六\n一二三四五六七八九十一二三四五六",
    "他走。⟨\u200b|\u200c|\u200d|\u2060|\ufeff|　|\u200b ⟩",
]


SIGNED = [
    "她念⟨落款|署名|署着|签名|签着|题名|名字|写着|刻着|印着|写的是⟩⟨|也一样⟩⟨：|:⟩⟨| |　⟩闵守中",
    "她念⟨一|两|二|三|四|五|六|七|八|九|十|几⟩⟨个|⟩⟨大|小|⟩字：闵守中",
    "⟨——江南老客|林冲 敬上|十月初九⟩",
]


CUT = [
    "他把灯举起来，照见⟨|，|、|：|:|,|（|(|“|「|『|《|—|-|7|a⟩",
    "月儿弯弯照九州几家欢乐几家愁月儿照\n几家欢乐几家愁",
    "几家欢乐，愁\n几家欢乐",
    "几家欢乐，\n几家欢乐愁",
    "第一⟨桌|条|个⟩完",
    "他第一卷完",
    "她念名字。闵守中",
    "她念名字：闵守⟨，|、|“⟩中",
    "他说“名字：闵守中",
    "⟨“|「|『⟩信上写着：走⟨“|「|『⟩",
]


@pytest.mark.parametrize("template", CLOSING)
def test_a_chapter_that_ends_is_not_cut_short(template: str) -> None:
    assert [text for text in expand(template) if CUT_SHORT in str(hits(text, after=""))] == []


@pytest.mark.parametrize("template", SIGNED)
def test_a_signature_at_the_end_is_reported_but_does_not_block(template: str) -> None:
    cut = (CUT_SHORT, False, True)
    assert [text for text in expand(template) if cut not in hits(text, after="")] == []


@pytest.mark.parametrize("template", CUT)
def test_a_chapter_that_breaks_off_is_cut_short(template: str) -> None:
    assert unblocked(template, CUT_SHORT, after="") == []


def test_the_place_of_a_cut_is_the_end_of_its_last_line() -> None:
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n他把那一盏旧灯高高举起来，照见 \u200b\n\n◆◆◆\n")
    (hit,) = find_residue(sheet)
    assert sheet.text[hit.start : hit.end] == "一盏旧灯高高举起来，照见"
    assert (hit.rule, hit.name, hit.blocks, hit.sure) == (49, CUT_SHORT, True, True)
    (hit,) = find_residue(Sheet(f"{HEAD}{PLAIN}\n\n照见"))
    assert hit.end - hit.start == 2
    assert residue("他走了，上一章", ("上一章",)) == [] != residue("他走了，上一灯")


def test_a_chapter_may_be_a_verse_of_two_lines() -> None:
    assert residue("月儿弯弯照九州\n几家欢乐几家愁") == []
    assert [found[0] for found in residue("月儿弯弯照九州")] == [CUT_SHORT]
    assert residue("灯灭河平，\n灯亮人归") == []
    assert [found[0] for found in residue("灯，灭河平，\n灯亮人也归")] == [CUT_SHORT]


def test_every_place_is_named_once_in_the_order_of_the_text() -> None:
    sheet = Sheet(f"{HEAD}他看`F-012`。\n\n**他**走，本章<|a|>。\n\n- 灯")
    found = [(hit.rule, hit.name, sheet.text[hit.start : hit.end]) for hit in find_residue(sheet)]
    assert found == [
        (47, "反引号", "`"),
        (48, "内部编号", "F-012"),
        (47, "反引号", "`"),
        (47, "Markdown 加粗", "**他**"),
        (50, "写作术语", "本章"),
        (48, "模型记号", "<|a|>"),
        (47, "列表、引用或表格", "- 灯"),
        (49, CUT_SHORT, "- 灯"),
    ]


def test_kinds_are_tried_in_one_order() -> None:
    names = [kind.name for kind in residue_rules._SORTS]
    assert len(names) == 23 + len(agent_remarks.SORTS) + len(doubtful.SORTS)
    assert {kind.rule for kind in residue_rules._SORTS} == {47, 48, 49}
