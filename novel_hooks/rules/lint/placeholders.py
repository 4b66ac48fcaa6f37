"""Placeholders that a machine leaves and no narrator writes: `（待补充）`, `[TODO]`, `{{主角名}}`.

Two tables for number 49 of `rules.lint.residue`. A place belongs to the first pattern that fits it: `SHORT`
is tried before `rules.lint.machine_phrases`, `WORDED` after it. Source: craft notes §2.
"""

from __future__ import annotations

import re

from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.residue_kind import CHAPTERS, CLOSE, LINE, MARKS, OPEN, ResidueKind

_AS_A_THING = (
    "[ ]?(?:列表|清单|事项|应用|软件|文件|注释|标签|栏|里|上|的|和|是|还|有|三|四|几|这|那|级|届|型|-|先生"
    "|女士|小姐|公司|号)"
)
_NUMBER = "[约大概]{0,2}[一二三四五六七八九十百千万亿两几数零〇\\d,，NＮn]{1,10}"
_OPENS = "（(【[［〔〖{｛<＜〈"
_STAND_IN = (
    "(?=[^。！？\n]{0,10}(?:描写|情节|场景|对话|内容|细节|打斗|心理|环境|战斗|剧情|段落|过程|原文|下文))"
)
SHORT = (
    ResidueKind(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("TODO", "FIXME", "TBD", "XXX", "xxx", "PLACEHOLDER")),
        Pattern(r"(?<=[（(【\[])(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER)[^\n]{0,20}?(?=[）)】\]])"),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("待", "以下省", "以上省", "中间省")),
        Pattern(
            "(?<=（|\\(|【|\\[)(?:待补|待续写|待填(?!的)|待完善|以下省略|以上省略|中间省略)[^，。！？\n]{0,20}"
            "(?=）|\\)|】|\\])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        (
            *(a + b for a in "（(【[{<" for b in ("主角", "角色", "人物")),
            "<姓",
            "{姓",
            "<人名",
            "{人名",
            "<地名",
            "{地名",
        ),
        Pattern(
            r"(?<=[（(【\[{<])(?:主角|角色|人物)(?:的?(?:姓名|名字|名称|名)|[A-Z\d])(?=[）)】\]}>])"
            r"|(?<=[{<])(?:主角|角色|姓名|人名|地名)(?=[}>])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        (
            "省略",
            "略）",
            "略)",
            "TODO",
            "FIXME",
            "TBD",
            "{{",
            "XXX",
            "xxx",
            "PLACEHOLDER",
            "laceholder",
            "占位符",
        ),
        Pattern(
            f"此处省略(?!{_NUMBER}字)[^。！？”」\n]{{0,8}}"
            f"|{LINE}[（(][中下后]?略[）)]|{LINE}占位符|(?:此处|这里)[^。！？，\n]{{0,4}}占位符"
            f"|(?:{LINE}|(?<=[。！？”」])[ ]?){MARKS}(?!{_AS_A_THING})" + r"|\{\{[^{}\n]{0,40}\}\}",
            re.M,
        ),
    ),
)
WORDED = (
    ResidueKind(
        49,
        "占位的话",
        tuple(
            a + b
            for a in _OPENS
            for b in ("此", "这", "该", "本", "待", "以", "中间", "插", "占位", "上接", "承接", "下接", "接")
        ),
        Pattern(
            f"(?<=[{OPEN}])[ ]?(?:(?:此处|这里|该处|本段|[这该]段)(?:[^{CLOSE}，。\n]{{0,20}}?"
            f"(?:(?:补充?|插入|描写|展开|续写|添加|填充?|占位|略去?)(?=[。 ]?[{CLOSE}])"
            f"|(?:补充?|插入|添加|展开|续写|填充?)(?:一[段场幕句些]|{_STAND_IN})|待(?:补|写|填|续|展开|添加|完善))"
            f"|[^{CLOSE}\n]{{0,20}}?省略)"
            f"|待(?:补|续写|填(?!的)|完善|扩写|写|添加|插入|修改)|占位(?=[符：:。 ]?[{CLOSE}])"
            "|(?:以下|以上|中间)省略"
            f"|插入(?=[{CLOSE}]|{_STAND_IN})"
            f"|(?:上接|承接|下接|接)(?:{CHAPTERS}|[上下]文|[上下]一?章))[^{CLOSE}\n]{{0,20}}(?=[{CLOSE}])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        ("未完待续",),
        Pattern(r"(?<=[【\[［〔〖])未完待续|(?<=[（(])未完待续(?=[^\n]*\n\s*\S)"),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        ("待", "字数不", "篇幅不"),
        Pattern(
            f"(?<=[{OPEN}])[^{OPEN}{CLOSE}\n]{{0,20}}"
            f"(?:待(?:补[充全写]?|续写|扩写|填[写充]?|完善|添加|插入)(?=[。 ]?[{CLOSE}])"
            f"|(?:字数|篇幅)不(?:足|够)[^{CLOSE}\n]{{0,20}})"
        ),
        False,
    ),
)
