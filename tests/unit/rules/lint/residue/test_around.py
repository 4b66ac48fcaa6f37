"""What stands around a chapter: told where it is narrated, blocked only where it can be no story."""

from __future__ import annotations

import pytest

from unit.rules.lint import human_pages
from unit.rules.lint.samples import HEAD, PLAIN, hits, report, residue

CERTAIN = {
    "Claude AI usage limit reached|1735689600": "工具的话",
    "5-hour limit reached ∙ resets 3pm": "工具的话",
    "You've hit your usage limit. Resets at 3am.": "工具的话",
    "[Request interrupted by user]": "工具的话",
    "[Request interrupted by user for tool use]": "工具的话",
    "API Error: 529 overloaded": "工具的话",
    "Continue generating": "工具的话",
    "（因篇幅限制，后续内容请回复继续）": "交稿的话",
    "（已达到单次输出长度上限）": "交稿的话",
    "请问您希望我继续写下去吗？": "交稿的话",
    "您需要我调整一下后半段的节奏吗？": "交稿的话",
    "（修改说明：删去了重复的比喻。）": "修改说明",
    "（润色要点：压缩对话）": "修改说明",
    "天才一秒记住本站地址：甲乙书屋": "网站的话",
    "[待续]": "占位的话",
    "（此处為單次輸出長度上限，後續請回覆繼續）": "交稿的话",
    "（由于篇幅限制，请输入“继续”获取后文）": "交稿的话",
    "本内容由AI生成，仅供参考": "工具的话",
    "（此为 AI 生成内容）": "工具的话",
    "AI生成内容，请仔细甄别": "工具的话",
    "正在手打中，请稍等片刻，内容更新后请重新刷新页面": "网站的话",
    "喜欢断桥请大家收藏：(www.example.com)断桥更新速度全网最快。": "网站的话",
    "（写手备注：这里节奏偏慢）": "修改说明",
    "[End of Chapter 7]": "交稿的话",
    "收到，马上为您续写。": "交稿的话",
    "　　Let me continue writing the next part.": "交稿的话",
    "　　Human: 继续": "交稿的话",
    "　　Here is the next chapter of it.": "交稿的话",
    "Note: The following chapter is new.": "交稿的话",
    "<system-reminder>请继续</system-reminder>": "标签",
    "思考：这一章要写他过桥": "交稿的话",
    "（字数：2,874）": "交稿的话",
    "＜think＞先写他＜/think＞": "标签",
    "｛｛主角名｝｝走进了屋。": "占位的话",
    "（全文约２８００字）": "交稿的话",
    "作為一個AI語言模型，我無法提供這樣的內容。": "模型自称",
    "很抱歉，我無法繼續創作這段內容。": "模型推辞",
    "（此處省略打鬥過程）": "占位的话",
    "天才一秒記住本站地址：甲乙書屋": "网站的话",
}
DOUBTFUL = {
    "需要我调整节奏或者补充细节吗？": "问要不要接着写",
    "是否继续写下去？": "问要不要接着写",
    "需要我继续吗？": "问要不要接着写",
    "请回复“继续”": "请人回复继续",
    "回复继续看下一章": "请人回复继续",
    "（字数已达上限…）": "字数上限的话",
    "（因篇幅限制，后续内容下期刊出。）": "字数上限的话",
    "您已达到使用上限，请稍后再试。": "字数上限的话",
    "点击“继续生成”查看后文": "字数上限的话",
    "（注：此处应与第三章呼应）": "作者的话",
    "（作者注：伏笔，后文回收）": "作者的话",
    "（修订记录：第三稿）": "修改说明",
    "作者有话说：今天三更，求月票，求推荐票！": "作者的话",
    "感谢书友“夜行者”的打赏。": "作者的话",
    "感谢“夜行者”打赏的五百币。": "作者的话",
    "ＰＳ：明天加更。": "作者的话",
    "（PS：求收藏）": "作者的话",
    "新书上路，求各位投票。": None,
    "求大家投票！": "作者的话",
    "这一回比第一章那次更疼。": "点名第几章",
    "这正是第12章埋下的。": "点名第几章",
    "早在第三章，他就见过这盏灯。": "点名第几章",
    "正如前文所述，灯灭了。": "点名前文",
    "如上文提到，灯灭了。": "点名前文",
    "（视角切换：沈渡）": "视角的记号",
    "以上就是第四章的全部内容。": "像交稿的话",
    "如果您觉得满意，我可以继续写第五章。": "像交稿的话",
    "我会按照您的要求，把这一段写得更紧凑。": "像交稿的话",
    "已根据评审意见完成修订。": "像交稿的话",
    "本次修改：调整了对话的节奏。": "修改说明",
    "请求已达上限，请稍后再试。": "工具的话",
    "由于篇幅限制，以下内容将在下一条回复中继续。": "工具的话",
    "网络连接中断，生成已停止。": "工具的话",
    "您可以升级到 Pro 以继续使用。": "工具的话",
    "新书期，大家多多支持，投个月票吧。": "作者的话",
    "扫码关注公众号，回复书名看全文。": "作者的话",
    "加群 123456789 看番外。": "作者的话",
    "在第三章里，他把那枚铜钱丢进了河里。": "点名第几章",
    "注：以上情节根据大纲第5节展开。": "点名大纲",
    "这里埋下了伏笔，后文会回收。": "点名大纲",
    "www.example.com": "网址",
    "请看 m.shu-wu.example.com": "网址",
    "最新章节请到本站阅读。": "网址",
}


@pytest.mark.parametrize(("line", "name"), CERTAIN.items())
def test_what_can_be_no_story_blocks(line: str, name: str) -> None:
    assert (name, True, True) in hits(line)


@pytest.mark.parametrize(("line", "name"), [pair for pair in DOUBTFUL.items() if pair[1]])
def test_what_may_be_of_the_story_is_told_and_stops_nothing(line: str, name: str) -> None:
    assert (name, False, False) in hits(line)
    assert residue(f"{PLAIN}\n\n{line}\n\n{PLAIN}") == []


@pytest.mark.parametrize("line", [line for line, name in DOUBTFUL.items() if name and "“" not in line])
def test_what_somebody_says_or_writes_is_not_told(line: str) -> None:
    chat = f"小满：{line}\n老何：知道了。\n小满：好。"
    for said in (f"“{line}”他念道。", f"信上写着：\n{line}\n\n何铁 字", chat, f"小满 21:03\n{line}"):
        assert [hit for hit in hits(said) if hit[0] in DOUBTFUL.values()] == [], said


def test_each_line_of_a_page_of_leftovers_is_listed() -> None:
    lines = [
        "请问您希望我继续写下去吗？",
        "需要我调整节奏或者补充细节吗？",
        "（修改说明：删去了重复的比喻。）",
        "作者有话说：今天三更，求月票，求推荐票！",
        "感谢书友“夜行者”的打赏。",
        "这一回比第一章那次更疼，正如前文所述。",
    ]
    found = report("\n\n".join(["他把缆绳绕在桩上，灯又少了一盏。", *lines, "他把灯放下了。"]))
    told = {one["line"] for one in found["residue"]}
    told |= {place["line"] for one in found["advice"] if one["kind"] == "复核" for place in one["places"]}
    assert told == {5, 7, 9, 11, 13, 15}


def test_pages_of_a_human_raise_no_alarm() -> None:
    pages = dict(human_pages.pages())
    assert len(set(pages.values())) >= 120 and len(pages) >= 150
    for name, page in pages.items():
        found = report(page.removeprefix(HEAD))
        doubts = [one["name"] for one in found["advice"] if one["kind"] == "复核"]
        assert (name, found["residue"]) == (name, [])
        assert doubts == [] or any(words in page for words in human_pages.TOLD), name


def test_what_is_said_in_a_chat_never_blocks() -> None:
    """Names stand before the words in a chat novel, and no quotes around them."""
    said = "是否需要我修改大纲？"
    assert residue(f"{PLAIN}\n\n{said}\n\n{PLAIN}")
    assert residue(f"小满：{said}\n老何：不用。\n\n{PLAIN}") == []
    assert residue(f"小满：{said}\n\n{PLAIN}")
    assert residue(f"思考：我应该先写设定。\n正文：\n{PLAIN}")
