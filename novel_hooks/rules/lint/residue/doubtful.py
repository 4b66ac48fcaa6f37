"""Doubtful residue: words of a machine that may also be part of the story; reported, never blocking.

A novel may be about people who write novels or programs, and a town may number its houses: `<Ctrl>`, `F-012`.
Certain residue has its tables in `rules.lint.residue` and `rules.lint.residue.agent_remarks`, which are tried
first. Source: craft notes §2, numbers 47 to 50.
"""

from __future__ import annotations

from functools import partial

from novel_hooks.annotations import Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.residue import kind
from novel_hooks.rules.lint.residue.kind import CHAPTERS, CLOSE, LATIN_BEFORE, LINE, MODEL, OPEN, ResidueKind

_maybe = partial(ResidueKind, sure=False)
_narrated = partial(ResidueKind, narrated=True)
SORTS = (
    _maybe(48, "标签", ("<",), r"</?[A-Za-z][A-Za-z_]{0,20}(?:\s[^<>\n]{0,80})?/?>"),
    _maybe(
        48,
        "编号",
        ("-0",),
        LATIN_BEFORE + r"[FWC]-0\d{2,}(?![A-Za-z0-9])",
    ),
    _maybe(
        48,
        "字段名",
        ("_",),
        "(?<![A-Za-z0-9_名叫号户@./])[a-z]{2,}(?:_[a-z]+)+(?![A-Za-z0-9_@])",
    ),
    _maybe(
        48,
        "文件名",
        (".json", ".md"),
        LATIN_BEFORE + r"[\w/-]{1,60}\.(?:jsonl?|md)(?![A-Za-z0-9])",
    ),
    _maybe(
        49,
        "占位的话",
        ("省略", "TODO", "FIXME", "TBD", "XXX", "xxx", "PLACEHOLDER", "laceholder", "占位符"),
        f"此处省略[^。！？”」\n]{{0,8}}|占位符|{LATIN_BEFORE}{kind.MARKS}",
    ),
    _maybe(49, "占位的话", ("略）", "略)"), "[（(][中下后]?略[）)]"),
    _maybe(
        49,
        "模型自称",
        ("AI", "ai", "人工智能", "语言模型"),
        f"(?<![他她它你])(?:作为|我(?:只)?是)(?:一个|一名|一款|个)?{MODEL}[，,、][^。！？\n]{{0,6}}(?:不|无法)",
    ),
)
_VERDICT = "(?:意见|要求|建议|反馈|指令)"
_CHANGES = "(?:修改|修订|润色|改动)"
AROUND = (
    _narrated(
        49,
        "像交稿的话",
        ("以上", "可以", "我会按", "已根据", "已按", "已经"),
        f"{LINE}以上就?是{CHAPTERS}的[^。！？\n]{{0,4}}内容[^\n]{{0,30}}"
        f"|我(?:可以|能)(?:继续|接着)(?:往下)?(?:写|续写|创作)(?:下一章|{CHAPTERS})[^。！？\n]{{0,12}}"
        f"|{LINE}我会?(?:按照?|根据)您的{_VERDICT}[^。！？\n]{{0,30}}"
        f"|{LINE}(?:本章)?已经?(?:根据|按照?)(?:评审|审稿|{_CHANGES}|您)的?{_VERDICT}[^。！？\n]{{0,20}}",
    ),
    _maybe(  # not narrated: a line that begins with brackets is taken for a panel
        49,
        "修改说明",
        ("说明", "要点", "备注"),
        f"{LINE}[{OPEN}][ ]?(?:本[章次稿])?{_CHANGES}(?:说明|要点|备注)[ ]?[{CLOSE}][^\n]{{0,30}}",
    ),
    _narrated(
        49,
        "修改说明",
        ("次修", "次润", "次改"),
        f"{LINE}[本这此]次{_CHANGES}(?:内容|要点|如下)?[：:][^\n]{{0,30}}",
    ),
    _narrated(
        49,
        "工具的话",
        ("达上限", "达到上限", "限制", "所限", "生成", "输出", "回复已", "升级"),
        f"{LINE}(?:请求|对话|提问|消息)(?:次数|数|长度)?已达到?上限[^\n]{{0,20}}"
        "|(?:由于|因为?)(?:篇幅|字数|长度)(?:限制|所限)[，,][^。！？\n]{0,12}下一?[条次](?:回复|消息|回答|输出)[^。\n]{0,12}"
        "|(?:内容)?(?:生成|输出|回复)已(?:经)?(?:停止|中断|终止)"
        "|升级到[ ]?(?:Pro|Plus|Max|高级版|专业版)[^。\n]{0,6}继续[^。\n]{0,6}",
    ),
    _narrated(
        50,
        "作者的话",
        ("月票", "推荐票", "公众号", "群"),
        "投(?:[一几]?[个张波]|点)?(?:月票|推荐票)[^。！？\n]{0,6}"
        "|(?:扫码|微信|搜索)?关注[^。！？，\n]{0,6}公众号[^。！？\n]{0,20}"
        f"|{LINE}[{OPEN}]?(?:加群|(?:读者|书友|交流|[Qq]{{1,2}}|企鹅)群)[：: ]{{0,2}}[0-9]{{5,12}}"
        "[^\n]{0,20}",
    ),
    _narrated(
        50,
        "点名第几章",
        ("章里，", "章里,", "章中，", "章中,"),
        f"(?:^|(?<=[。！？]))[ \t\u3000]*在{CHAPTERS}[里中][，,]",
    ),
    _narrated(
        50,
        "点名大纲",
        ("纲", "文会", "文将"),
        "(?:根据|按照?|依照)(?:大|细|章|提)纲(?:第[^。，！？\n]{1,6}[节章条段]|[^。，！？\n]{0,4}展开)"
        "|[后下]文[会将](?:回收|揭晓|交代|呼应|展开)",
    ),
)
"""Words around a handed-over text: offers, notes on changes, limits, begging; all other kinds come first."""
_HANDLES = (
    "翻[到回开过]?|读[到完过]?|看[到完过]?|写[到完好过]?|改[到完好过]?|重写|校对?|贴|撕[掉下]?|删[掉]?|存[好]?|发[来出]?"
    "|交[出]?|打印|更新[到]?|停在|断在|卡在|追[到]?|补[完好]?"
)
_BEFORE = Pattern(
    f"(?:{_HANDLES})了?(?:[这那]|她的|他的|我的|自己的|一份|那份|这份|最新的?|昨天的?){{0,2}}[《“「]?\\Z"
)
_AFTER = Pattern(
    "[》”」]?(?:更新|上架|撕|烧|揉|删|写在|贴[在上到]|卡在|断在|还没动笔|没写完|动笔|的(?:稿|评论|打赏|点击|订阅|阅读量|更新))"
)
_TRADE = Pattern(
    "编辑|主编|网文|码字|稿费|稿子|书稿|手稿|催更|连载|打赏|追更|便利贴|键盘|电子书|书页|出版|投稿|签约|那一页|作家"
)
_CHAT = Pattern(
    r"[ \t\u3000]*(?:[\[［][^\]］\n]{1,12}[\]］][ ]?)?"
    "(?!思考|说明|修改|修订|润色|改动|字数|统计|正文|续写|标题|备注|用户|助手|作者|提示|注意|声明|人物|时间|地点)"
    r"[\u4e00-\u9fffA-Za-z0-9_·]{1,8}[：:][ \t\u3000]*\S"
)
_TIMED = Pattern(r"[^。！？，：:\n]{1,12}[ \t\u3000]+(?:[上下]午)?\d{1,2}[：:]\d{2}(?:[：:]\d{2})?[ \t]*\Z")
_SENTENCE = "。！？\n"
_FAR, _NEAR = 12, 100
"""Characters before a term that may name its reader; characters on each side that make its sentence."""


def tells_of_writing(text: str, start: int, end: int) -> bool:
    """Tell whether a person in the sentence reads or writes the text that the term at the offsets names.

    `他翻到上一章`, `编辑让她重写细纲`: True, a book within the book. `根据细纲`: False.
    """
    if _BEFORE.search(text[max(0, start - _FAR) : start]) or _AFTER.match(text, end):
        return True
    before, behind = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    begin = max(before.rfind(mark) for mark in _SENTENCE) + 1
    stop = min((at for at in map(behind.find, _SENTENCE) if at >= 0), default=len(behind))
    return bool(_TRADE.search(before[begin:] + behind[:stop]))


def is_chat(lines: Sequence[str], index: int) -> bool:
    """Tell whether the line is of a chat: `小满：…` beside another such line, or below `小满 21:03`."""
    if index and _TIMED.match(lines[index - 1].strip()):
        return True
    beside = [*lines[max(0, index - 1) : index], *lines[index + 1 : index + 2]]
    return bool(_CHAT.match(lines[index])) and any(_CHAT.match(one) for one in beside)
