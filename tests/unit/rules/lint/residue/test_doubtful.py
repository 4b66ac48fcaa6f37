"""Doubtful residue: reported to be checked, and never a reason to stop a chapter."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint.residue import doubtful
from unit.rules.lint.samples import PLAIN, blocked, expand, hits, report, residue

DOUBTFUL = [
    ("标签", "他打开⟨<html>|</html>|<html >|<br_x lang=1>⟩，又关掉。"),
    ("编号", "他住⟨C|F|W⟩-012室。"),
    ("字段名", "他运行了⟨git_push|dark_knight_x⟩，屏幕一片红。"),
    ("文件名", "他打开⟨a.json|a.jsonl|a.md|x/memory.md|x-y.md⟩，又合上。"),
    ("占位的话", "⟨此处省略一万字|她写了个占位符⟩，反正就是挨了顿骂。"),
    (
        "占位的话",
        "注释里是⟨TODO|FIXME|TBD|XXX|xxx|XXXX|xxxx|PLACEHOLDER|Placeholder|placeholder⟩，修灯。",
    ),
    ("占位的话", "合同第三条⟨（|(⟩⟨|中|下|后⟩略⟨）|)⟩第四条也没有。"),
    (
        "模型自称",
        "⟨作为|我是|我只是⟩⟨|一个|一名|一款|个⟩⟨AI|ai|人工智能|语言模型助手⟩⟨，|,|、⟩我⟨不|无法⟩爱。",
    ),
]
READERS = (
    "翻|翻到|翻回|翻开|翻过|读|读到|读完|读过|看|看到|看完|看过|写|写到|写完|写好|写过|改|改到|改完|改好|改过"
    "|重写|校|校对|贴|撕|撕掉|撕下|删|删掉|存|存好|发|发来|发出|交|交出|打印|更新|更新到|停在|断在|卡在|追|追到|补|补完"
    "|补好"
)
WHOSE = "这|那|她的|他的|我的|自己的|一份|那份|这份|最新|最新的|昨天|昨天的|这一份"
HANDLED = [
    f"他⟨{READERS}⟩⟨|了⟩细纲，灯灭了。",
    f"他读了⟨|{WHOSE}⟩细纲，灯灭了。",
    "细纲⟨更新|上架|撕|烧|揉|删|写在|贴在|贴上|贴到|卡在|断在|还没动笔|没写完|动笔⟩，灯灭了。",
    "细纲的⟨稿|更新|评论|打赏|点击|订阅|阅读量⟩，灯灭了。",
    "⟨编辑|主编|网文|码字|稿费|稿子|书稿|手稿|催更|连载|打赏|追更⟩一来，细纲还压着。",
    "细纲压着，⟨便利贴|键盘|电子书|书页|出版|投稿|签约|那一页|作家⟩也在。",
]
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


@pytest.mark.parametrize(
    ("lines", "chat"),
    [
        (["小满：在吗", "老何：在"], True),
        (["他走了。", "老何：在"], False),
        (["小满：在吗", "他走了。", "老何：在"], False),
        (["小满 21:03", "在吗"], True),
    ],
)
def test_the_last_line_of_a_chat_is_known_by_the_line_above(lines: list[str], chat: bool) -> None:
    assert doubtful.is_chat(lines, len(lines) - 1) is chat


@pytest.mark.parametrize("body", MAYBE)
def test_what_may_as_well_be_of_the_story_is_reported_but_does_not_block(body: str) -> None:
    """Only what is residue for certain blocks: a novel may be about people who write, or write programs."""
    assert residue(f"{PLAIN}\n\n{body}\n\n{PLAIN}") == []
    advice = [one for one in report(body)["advice"] if one["kind"] == "复核"]
    assert advice and all("台词" not in one["advice"] for one in advice)


@pytest.mark.parametrize(("name", "template"), DOUBTFUL)
def test_every_word_of_a_doubtful_kind_is_reported(name: str, template: str) -> None:
    assert [text for text in expand(template) if (name, False, False) not in hits(text)] == []
    assert blocked(template) == []


@pytest.mark.parametrize("template", HANDLED)
def test_a_term_is_doubtful_where_somebody_reads_or_writes_the_text(template: str) -> None:
    assert [text for text in expand(template) if hits(text) != [("写作术语", False, False)]] == []


@pytest.mark.parametrize(
    "text",
    [
        "根据细纲，灯灭了。",
        "编辑走了。细纲压着灯。",
        "编辑走了！细纲压着灯。",
        "编辑走了？细纲压着灯。",
        "编辑走了\n细纲压着灯。",
        "细纲压着灯。编辑走了。",
        "细纲压着灯！编辑走了。",
        "细纲压着灯？编辑走了。",
        "细纲压着灯\n编辑走了。",
        f"编辑走{'，走' * 50}，细纲压着灯。",
        f"细纲压着灯{'，走' * 50}，编辑来。",
    ],
)
def test_a_term_in_another_sentence_than_its_reader_is_residue(text: str) -> None:
    assert hits(text) == [("写作术语", True, True)]


@pytest.mark.parametrize("before", [*"AZ09_名叫号户@./"])
def test_a_users_name_or_an_address_is_no_field(before: str) -> None:
    assert hits(f"他是{before}git_push。") == []


@pytest.mark.parametrize("behind", [*"AZ09_@"])
def test_a_longer_word_is_no_field(behind: str) -> None:
    assert hits(f"他运行git_push{behind}。") == []


def test_a_sentence_reaches_a_hundred_characters_on_both_sides() -> None:
    for count, sure in ((98, False), (99, True)):
        assert hits(f"编辑{'走' * count}细纲压着。") == [("写作术语", sure, sure)]
        assert hits(f"细纲{'走' * count}编辑来。") == [("写作术语", sure, sure)]


@pytest.mark.parametrize("mark", ["", "《", "“", "「"])
def test_a_quote_between_reader_and_term_hides_no_reader(mark: str) -> None:
    text = f"他读{mark}细纲"
    assert doubtful.tells_of_writing(text, len(text) - 2, len(text)) is True


@pytest.mark.parametrize("mark", ["", "》", "”", "」"])
def test_a_quote_between_term_and_reader_hides_no_reader(mark: str) -> None:
    assert doubtful.tells_of_writing(f"细纲{mark}更新了", 0, 2) is True
    assert doubtful.tells_of_writing(f"细纲{mark}、更新了", 0, 2) is False


def test_a_word_is_looked_for_from_the_term_at_the_offsets() -> None:
    text = "他翻到上一章。根据上一章。"
    first, second = text.index("上一章"), text.rindex("上一章")
    assert doubtful.tells_of_writing(text, first, first + 3) is True
    assert doubtful.tells_of_writing(text, second, second + 3) is False


def test_a_reader_may_be_the_first_word_of_the_text() -> None:
    assert doubtful.tells_of_writing("翻细纲", 1, 3) is True
    assert doubtful.tells_of_writing("作家，细纲", 3, 5) is True
    assert doubtful.tells_of_writing("细纲。作家", 0, 2) is False
    assert doubtful.tells_of_writing("细纲，作家", 0, 2) is True


def test_doubtful_kinds_never_block() -> None:
    kinds = [(kind.rule, kind.name, kind.sure) for kind in doubtful.SORTS]
    assert kinds == [
        (48, "标签", False),
        (48, "编号", False),
        (48, "字段名", False),
        (48, "文件名", False),
        (49, "占位的话", False),
        (49, "占位的话", False),
        (49, "模型自称", False),
    ]


@pytest.mark.parametrize("head", ["【修改说明】", "（润色要点）", "[本次修改备注]"])
def test_a_heading_of_notes_on_changes_is_told_though_it_looks_like_a_panel(head: str) -> None:
    ((name, blocks, _),) = hits(f"{head}删去了重复的心理描写。")
    assert (name, blocks) == ("修改说明", False)


@pytest.mark.parametrize(
    "line",
    [
        "机器喘了一声，输出的纸带停在半路。",
        "他按照她的要求，把灯挪到窗边。",
        "在第三章的页边，他画过一只船。",
        "这次修改，县里一个字也没有动。",
        "他没有关注过那件事，公众也没有。",
        "她已经按照老板的要求把柜子搬空了。",
        "选票投了三回，月票夹在书里。",
    ],
)
def test_a_narrators_words_that_are_like_them_are_not_told(line: str) -> None:
    assert hits(line) == []
