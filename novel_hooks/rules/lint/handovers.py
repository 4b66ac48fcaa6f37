"""Words around a handed-over text that may be of the story: told where they are narrated, never blocking.

Offers and notes on changes, limits and breaks of a tool, begging for votes, chapters and outlines named by a
narrator. Certain ones are in `rules.lint.machine_phrases` and `rules.lint.placeholders`, which come first.
"""

from __future__ import annotations

import re

from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.residue_kind import CHAPTERS, CLOSE, LINE, OPEN, ResidueKind

_VERDICT = "(?:意见|要求|建议|反馈|指令)"
_CHANGES = "(?:修改|修订|润色|改动)"


def _told(
    name: str, signs: tuple[str, ...], pattern: str, rule: int = 49, narrated: bool = True
) -> ResidueKind:
    return ResidueKind(rule, name, signs, Pattern(pattern, re.M), sure=False, narrated=narrated)


SORTS = (
    _told(
        "像交稿的话",
        ("以上", "可以", "我会按", "已根据", "已按", "已经"),
        f"{LINE}以上就?是{CHAPTERS}的[^。！？\n]{{0,4}}内容[^\n]{{0,30}}"
        f"|我(?:可以|能)(?:继续|接着)(?:往下)?(?:写|续写|创作)(?:下一章|{CHAPTERS})[^。！？\n]{{0,12}}"
        f"|{LINE}我会?(?:按照?|根据)您的{_VERDICT}[^。！？\n]{{0,30}}"
        f"|{LINE}(?:本章)?已经?(?:根据|按照?)(?:评审|审稿|{_CHANGES}|您)的?{_VERDICT}[^。！？\n]{{0,20}}",
    ),
    _told(
        "修改说明",
        ("说明", "要点", "备注"),
        f"{LINE}[{OPEN}][ ]?(?:本[章次稿])?{_CHANGES}(?:说明|要点|备注)[ ]?[{CLOSE}][^\n]{{0,30}}",
        narrated=False,  # a line that begins with brackets is taken for a panel
    ),
    _told(
        "修改说明",
        ("次修", "次润", "次改"),
        f"{LINE}[本这此]次{_CHANGES}(?:内容|要点|如下)?[：:][^\n]{{0,30}}",
    ),
    _told(
        "工具的话",
        ("达上限", "达到上限", "限制", "所限", "生成", "输出", "回复已", "升级"),
        f"{LINE}(?:请求|对话|提问|消息)(?:次数|数|长度)?已达到?上限[^\n]{{0,20}}"
        "|(?:由于|因为?)(?:篇幅|字数|长度)(?:限制|所限)[，,][^。！？\n]{0,12}下一?[条次](?:回复|消息|回答|输出)[^。\n]{0,12}"
        "|(?:内容)?(?:生成|输出|回复)已(?:经)?(?:停止|中断|终止)"
        "|升级到[ ]?(?:Pro|Plus|Max|高级版|专业版)[^。\n]{0,6}继续[^。\n]{0,6}",
    ),
    _told(
        "作者的话",
        ("月票", "推荐票", "公众号", "群"),
        "投(?:[一几]?[个张波]|点)?(?:月票|推荐票)[^。！？\n]{0,6}"
        "|(?:扫码|微信|搜索)?关注[^。！？，\n]{0,6}公众号[^。！？\n]{0,20}"
        f"|{LINE}[{OPEN}]?(?:加群|(?:读者|书友|交流|[Qq]{{1,2}}|企鹅)群)[：: ]{{0,2}}[0-9]{{5,12}}"
        "[^\n]{0,20}",
        50,
    ),
    _told("点名第几章", ("章",), f"(?:^|(?<=[。！？]))[ \t\u3000]*在{CHAPTERS}[里中][，,]", 50),
    _told(
        "点名大纲",
        ("纲", "文会", "文将"),
        "(?:根据|按照?|依照)(?:大|细|章|提)纲(?:第[^。，！？\n]{1,6}[节章条段]|[^。，！？\n]{0,4}展开)"
        "|[后下]文[会将](?:回收|揭晓|交代|呼应|展开)",
        50,
    ),
)
