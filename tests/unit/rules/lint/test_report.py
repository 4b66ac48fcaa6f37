"""What the lint finds in a text, where it says it is, and what it keeps out. Source: craft notes §2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.lint import report as lint_report
from novel_hooks.rules.lint.report import Comparison
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.packet import packet
from novel_hooks.rules.text import length

HEAD = "# 第 7 章 夜渡\n\n"
PLAIN = "老何把缆绳绕了三圈，水声从船底漫上来。"


def report(body: str, **beside: Any) -> dict[str, Any]:
    return lint_report.report(HEAD + body, Comparison(**beside))


def residue(body: str, whitelist: tuple[str, ...] = ()) -> list[tuple[str, int, str]]:
    return [(r["name"], r["line"], r["quote"]) for r in lint_report.blocking_residue(HEAD + body, whitelist)]


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
    (49, "占位的话", "“【XXX】走了。”", 3),
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
SAYINGS = [
    ("模型推辞", "抱歉，我无法继续创作。"),
    ("模型推辞", "很抱歉，我不能写这样的内容。"),
    ("模型推辞", "对不起，我不能继续这个话题。"),
    ("模型推辞", "非常抱歉，但我没办法满足这个请求。"),
    ("模型推辞", "抱歉，这个内容我写不了。"),
    ("模型推辞", "我不能写这个情节。"),
    ("模型推辞", "由于内容限制，此处无法展开。"),
    ("模型推辞", "I apologize, but I cannot continue this story."),
    ("模型推辞", "I’m unable to continue"),
    ("模型推辞", "I won't write explicit scenes."),
    ("模型推辞", "As a language model, I"),
    ("模型自称", "作为一个AI，我很抱歉。"),
    ("模型自称", "我是一个AI助手，不能写。"),
    ("模型自称", "我是人工智能，无法写暴力内容。"),
    ("模型自称", "作为语言模型，我没有个人经历。"),
    ("交稿的话", "根据你的要求，以下是续写："),
    ("交稿的话", "根据您的意见，我修改了如下段落："),
    ("交稿的话", "我将按照契约写这一段。"),
    ("交稿的话", "以下为第四章内容："),
    ("交稿的话", "以下是为您创作的章节："),
    ("交稿的话", "这里是第四章："),
    ("交稿的话", "第四章正文如下："),
    ("交稿的话", "让我来写这一章："),
    ("交稿的话", "好的，我来写第四章。"),
    ("交稿的话", "希望您喜欢这一章！"),
    ("交稿的话", "希望这个版本符合您的要求。"),
    ("交稿的话", "如需继续，请告诉我。"),
    ("交稿的话", "是否需要我继续？"),
    ("交稿的话", "全文约3200字"),
    ("交稿的话", "（共3200字）"),
    ("交稿的话", "根据大纲，这一章应当写他离开。"),
    ("交稿的话", "按照契约，此处要写灯灭。"),
    ("交稿的话", "好的，我将按照您的要求续写第七章。"),
    ("交稿的话", "当然，我来修改这一段描写。"),
    ("交稿的话", "根据用户的要求，这一段重写过了。"),
    ("交稿的话", "用户要求我续写下一章。"),
    ("交稿的话", "让我先想想这一章怎么写。"),
    ("交稿的话", "Let me continue the story."),
    ("交稿的话", "Okay, let me rewrite this part."),
    ("交稿的话", "思考：我需要先看大纲。"),
    ("交稿的话", "以下是修改后的段落："),
    ("模型推辞", "由于篇幅限制，此处不再展开。"),
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


@pytest.mark.parametrize(("name", "said"), SAYINGS)
@pytest.mark.parametrize("after", ["", "\n\n他走了。"])
def test_what_a_machine_says_of_its_work_blocks_as_narration(name: str, said: str, after: str) -> None:
    assert (name, 5) in [(found[0], found[1]) for found in residue(f"{PLAIN}\n\n{said}{after}")]


@pytest.mark.parametrize("said", [said for _, said in SAYINGS])
def test_what_a_machine_says_in_a_story_does_not_block(said: str) -> None:
    assert residue(f"“{said}”机器念道。\n\n「{said}」它又念。\n\n信上写着：\n{said}\n\n他走了。") == []


def test_the_narrator_speaks_again_after_a_letter_without_a_signature() -> None:
    assert residue("信上写道：\n\n灯已灭三盏。\n\n他走了。\n\n上一章你写到桥断。")[0][1] == 9


@pytest.mark.parametrize("body", NONE)
def test_what_only_looks_like_residue_does_not_block(body: str) -> None:
    assert residue(body) == []


MAYBE = [
    "他打开TODO列表，第一条还没勾。",
    "TODO列表上还剩三条。",
    "README.md里只有一行字：别碰这台机器。",
    "他把config.json改了三遍，服务还是起不来。",
    "他在编辑器里敲下<html>，又删掉。",
    "他按下<Ctrl>，屏幕黑了。List<T>是他写的。",
    "<Enter>键卡住了。",
    "网页上的<p>乱成一团，<title>没有闭合。",
    "他打开memory.md，又改了rules.json。",
    "注释里只有一句TODO：修灯。",
    "FIXME三个字母很刺眼。",
    "合同第三条（略）第四条也没有。",
    "作为一个人工智能，我不能爱你。",
    "我是AI，我不能回答你。它这样想。",
    "我是一个AI，无法写诗。",
    "他运行了git_push，屏幕一片红。dark_knight上线了。",
    "他住C-012室，F-012航班晚点了，W-001号线停运。",
    "他姓XXX，档案里只有三个叉。",
    "她写了个占位符，说回头再补。",
    "此处省略一万字，反正就是挨了顿骂。",
    "她把细纲写在便利贴上，贴满了一墙。",
    "他翻到上一章，那一页被撕掉了。",
    "她是写网文的，上一章断在主角坠崖，下一章还没动笔。",
    "编辑说爽点不够，让她重写细纲。",
    "他把上一章撕了，把细纲烧了。",
]


@pytest.mark.parametrize("body", MAYBE)
def test_what_may_as_well_be_of_the_story_is_told_but_does_not_block(body: str) -> None:
    """Only what is residue for certain blocks: a novel may be about people who write, or write programs."""
    assert residue(f"{PLAIN}\n\n{body}\n\n{PLAIN}") == []
    told = [one for one in report(body)["advice"] if one["kind"] == "复核"]
    assert told and all("台词" not in one["advice"] for one in told)


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
def test_speech_panels_and_letters_are_told_but_do_not_block(body: str) -> None:
    assert residue(body) == []
    assert any(one["kind"] == "复核" for one in report(body)["advice"])


def test_a_mark_of_another_speech_ends_what_was_left_open() -> None:
    """A long speech opens each paragraph anew; a quote that is never closed hides its own line alone."""
    assert residue("“灯灭了。\n\n“人走了。”\n\n本章的门开了。")[0][1] == 7
    assert residue("“灯灭了。\n\n本章的门开了。\n\n“走。”")[0][1] == 5
    assert residue("“灯灭了。\n\n- 走\n\n灭了。”本章的门开了。")[0][1] == 7
    assert advised("“灯灭了。\n\n- 走\n\n灭了。”他说。", 51, "引号") == []


def test_a_date_over_a_scene_far_away_closes_no_letter() -> None:
    told = f"{PLAIN}\n\n" * 40
    body = f"信上写着：\n\n灯已灭。\n\n{told}本章的门开了。\n\n{told}十月初九\n\n{PLAIN}"
    assert [found[0] for found in residue(body)] == ["写作术语"]
    assert residue(body.replace("十月初九", "闵守中\n\n十月初九")) == []


def test_a_panel_that_is_never_closed_hides_its_own_line_alone() -> None:
    body = f"【面板\n\n本章的门开了。\n\n{PLAIN}\n\n【姓名：老何】\n\n他走了。"
    assert residue(body)[0][1] == 5


def test_an_apostrophe_is_no_quote() -> None:
    assert residue("他说don't，本章的门开了。I'm也行。") != []
    assert advised("“I’m here.”他说。it's，don't，‘走’。", 51, "引号") == []


@pytest.mark.parametrize("paragraphs", [1, 2500])
def test_chapters_of_one_line_and_of_two_hundred_thousand_characters(paragraphs: int) -> None:
    body = "\n\n".join(
        [PLAIN + "他把灯举高，没有人答话，于是又走了几步，直到听见桨声，才停下来，回头看。" * 2] * paragraphs
    )
    assert residue(body) == []
    assert residue(body[:-1])[0][0] == "末句没有写完"
    assert report(body)["chars"] == length.length(body)


@pytest.mark.parametrize("unit", ["TODO ", "a.md/", "上一章", "他说：", "a_", "信上写着：\n"])
def test_a_text_full_of_one_thing_is_read_in_a_moment(unit: str) -> None:
    """What is looked at around a place is bounded; else each of these takes minutes."""
    assert report(unit * (60000 // len(unit)))["chars"] > 40000


def test_after_a_panel_or_letter_the_narrator_speaks_again() -> None:
    assert residue("【面板】\n力量：5\n本章的门开了。")[0][1] == 5
    assert residue("信上写着：\n\n走。\n\n本章的门开了。")[0][1] == 7


def test_an_author_may_let_a_word_pass() -> None:
    assert residue("上一章的门开了。") != []
    assert residue("上一章的门开了。", ("上一章",)) == []
    ((name, line, quote),) = residue("上一章的门开了，又看本章。", ("上一章",))
    assert (name, line, quote[-3:]) == ("写作术语", 3, "本章。")


def test_the_heading_and_an_empty_body_are_no_residue() -> None:
    assert (
        lint_report.blocking_residue("# 第 7 章 夜渡")
        == []
        == lint_report.blocking_residue("")
        == lint_report.blocking_residue("\ufeff \n\n")
    )
    assert lint_report.blocking_residue("第七章 夜渡\n他走了。") == []


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
    (7, "四字语", "山崩石裂，一日千里，三三两两。", "四十一号，四十二号，四十三号。"),
    (7, "四字语", "七上八下，一五一十，千千万万。", "三号库房，四号库房，五号库房。"),
    (7, "四字语", "甲字三号，一心一意，五湖四海。", "一百零三，二十斤盐，三百二十。"),
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
    assert found["per_1000"] == round(3000 / length.count(body).chars, 1)


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


def test_a_paragraph_that_begins_in_the_midst_hides_no_copy() -> None:
    plan = (("契约", f"他{SIXTEEN}了。"),)
    (found,) = report(f"他走。\n\n{SIXTEEN[:6]}，\n\n{SIXTEEN[6:]}。", plan=plan)["copied"]
    assert (found["chars"], found["places"][0]["line"]) == (16, 5)
    end = ["灯灭了。", "他走了，没有回头。", "桨声远了。", "水面平得像没有人来过。"]
    before = HEAD + PLAIN * 3 + "\n\n" + "\n\n".join(end)
    (found,) = report("\n\n".join([*end, "天亮了。"]), earlier=((6, before),))["seam"]
    assert found["chars"] >= 20 and found["places"][0]["line"] == 3


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
    assert (found["chars"], found["han"]) == tuple(length.count(HEAD + body)) == (9, 4)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_an_editor(ends: str) -> None:
    text = ends.join(["# 第 7 章", "", "他走了。\u2028仍是这一行。", "\x0b本章。"])
    assert [one["line"] for one in lint_report.blocking_residue(text)] == [4]


def test_a_sheet_keeps_every_offset() -> None:
    text = HEAD + "他说：“走。”【力量：5】\n一股麻。"
    sheet = Sheet(text, ("一股麻",))
    assert {len(sheet.plain), len(sheet.narration), len(sheet.story)} == {len(text)}
    assert sheet.narration.replace("\x01", "").split() == ["他说：", "。"]


SEEN = (
    "chapter-contract",
    "chapter-delta",
    "chapter-crossref",
    "judge-verdict",
    "foreshadowing",
    "storylines",
)


def _fields(schema: Any) -> set[str]:
    """Names with an underscore among a schema's properties."""
    if isinstance(schema, list):
        return {name for part in schema for name in _fields(part)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties")
    found = {name for name in own if "_" in name} if isinstance(own, dict) else set()
    return {*found, *(name for part in schema.values() for name in _fields(part))}


def test_every_field_that_an_agent_sees_blocks() -> None:
    folder = Path(CHECKOUT) / "novel_hooks/schemas"
    found = {name for name in packet.TITLES if "_" in name}
    for name in SEEN:
        found |= _fields(json.loads((folder / f"{name}.schema.json").read_text("utf-8")))
    assert len(found) > 60
    assert [name for name in sorted(found) if not residue(f"他的{name}还没有改。")] == []
