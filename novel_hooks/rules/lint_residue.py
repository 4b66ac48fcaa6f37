"""What is left of the machine in a chapter: marks, codes, refusals, placeholders, a sentence cut short.

The only findings of the lint that block. The same words in speech, a panel or a letter are told to be
looked at, for a person may say them. Source: craft notes §2, numbers 47 to 50.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.lint_habits import words
from novel_hooks.rules.lint_text import HIDDEN, Sheet


class Hit(Record):
    """One place in a chapter: offsets into the sheet's text."""

    rule: int
    name: str
    start: int
    end: int
    blocks: bool


class _Sort(Record):
    """One kind of residue. A text without any of `signs` needs no pattern; `speakable`: one may say it."""

    rule: int
    name: str
    signs: tuple[str, ...]
    pattern: Pattern
    speakable: bool = True


_LATIN_BEFORE = "(?<![A-Za-z0-9_])"
_SORTS = (
    _Sort(
        47, "Markdown 标题行", ("#",), Pattern(r"^[ \t\u3000]{0,3}#{1,6}(?=[ \t\u3000]|第).*", re.M), False
    ),
    _Sort(47, "Markdown 加粗", ("**",), Pattern(r"\*\*(?=[^*\s])[^*\n]*[^*\s]\*\*"), False),
    _Sort(47, "Markdown 星号", ("**",), Pattern(r"\*\*+")),
    _Sort(47, "代码框", ("```",), Pattern("```[^\n]*"), False),
    _Sort(47, "反引号", ("`",), Pattern("`")),
    _Sort(
        47, "列表、引用或表格", ("- ", "* ", "+ ", "> ", "|"), Pattern(r"^[ \t]{0,3}(?:[-*+>] |\|).*", re.M)
    ),
    _Sort(47, "分隔线", ("---", "___"), Pattern(r"^[ \t\u3000]*(?:-{3,}|_{3,})[ \t\u3000]*$", re.M)),
    _Sort(48, "标签", ("<",), Pattern(r"</?[A-Za-z][A-Za-z_]{0,20}(?:\s[^<>\n]{0,80})?/?>")),
    _Sort(
        48,
        "内部编号",
        ("-0", "OBJ-", "LS-", "C-", "F-", "W-"),
        Pattern(
            _LATIN_BEFORE
            + r"(?:(?:OBJ|LS)-[A-Z]*-?\d[\d-]*|[FWC]-0\d{2,}|C-[A-Za-z]{2,}[A-Za-z-]*-\d+)(?![A-Za-z0-9])"
        ),
    ),
    _Sort(48, "字段名", ("_",), Pattern(_LATIN_BEFORE + "[a-z]{2,}(?:_[a-z]+)+(?![A-Za-z0-9_])")),
    _Sort(
        48,
        "文件路径",
        ("chapter-", "staging/", ".json", ".md"),
        Pattern(_LATIN_BEFORE + r"(?:chapter-\d+|staging/|[\w/-]+\.(?:jsonl?|md)(?![A-Za-z0-9]))"),
    ),
    _Sort(
        49,
        "模型自称",
        ("作为",),
        Pattern(
            "作为(?:一个|一名|一款)?(?:AI|ai|人工智能|大?语言模型)(?![^。！？\n]{0,8}[，,][他她它])[^。！？\n]{0,20}"
        ),
    ),
    _Sort(
        49,
        "模型推辞",
        ("我无法", "我不能", "我没办法"),
        Pattern(
            "我无法(?:为你|为您|给你|给您|继续)?(?:提供|生成)"
            "(?![^。！？\n]{0,8}(?:证据|证明|线索|担保|庇护|口供|解释|不在场|住处|答案))[^。！？”」\n]{0,12}"
            "|我(?:无法|不能|没办法)(?:继续)?(?:续写|创作|撰写|协助|满足)[^。！？\n]{0,6}"
            "(?:请求|要求|内容|章节|正文|文本|故事|小说)"
        ),
    ),
    _Sort(
        49,
        "模型推辞",
        ("an AI", "AI language", "I'm sorry", "I am sorry", "I can"),
        Pattern(
            "As an AI|AI language model|I(?:'m| am) sorry, but I"
            "|I (?:cannot|can't|can’t) (?:assist|help|continue|provide|generate|write|create|fulfill)"
        ),
    ),
    _Sort(
        49,
        "交稿的话",
        ("以下是", "下面是", "希望你", "希望您", "字数统计", "好的，", "当然"),
        Pattern(
            "(?:以下|下面)是(?:第[ 0-9一二三四五六七八九十百千零〇两]{1,8}章|本章|正文"
            "|修改|润色|修订|全文|改写)[^。！？”」\n]{0,12}"
            "|字数统计|^[ \t\u3000]*(?:好的|当然(?:可以)?)[，,！!](?:以下|下面|我(?:将|会|来))"
            "[^。！？”」\n]{0,12}"
            "|希望[你您](?:喜欢|满意)[^\n]{0,12}(?=\\s*\\Z)",
            re.M,
        ),
    ),
    _Sort(
        49,
        "占位的话",
        ("省略", "TODO", "FIXME", "TBD", "{{"),
        Pattern(
            "此处省略[^。！？”」\n]{0,8}|"
            + _LATIN_BEFORE
            + r"(?:TODO|FIXME|TBD)(?![A-Za-z0-9_])|\{\{[^{}\n]{0,40}\}\}"
        ),
    ),
    _Sort(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("此处", "这里", "待", "以下省", "以上省", "中间省", "插入")),
        Pattern(
            "(?<=（|\\(|【|\\[)(?:(?:此处|这里).{0,20}(?:省略|补充|插入|描写|展开|续写|略)"
            "|待补|待续写|待填|待完善|以下省略|以上省略|中间省略|插入).{0,20}(?=）|\\)|】|\\])"
        ),
        False,
    ),
)
_TERMS = ("本章", "上一章", "下一章", "细纲", "章纲", "情节点", "爽点")
_NO_TERMS = (
    *("本章程", "本章法", "本章鱼", "本章回", "上一章程", "下一章程", "情节点明", "情节点出", "情节点破"),
    *("情节点题", "情节点到", "凉爽点", "清爽点", "直爽点", "豪爽点", "爽点儿"),
)
_DONE = "。！？!?….”’」』】》）)]—～~♪\"'；;"
_ENDS = ("完", "终", "全书完", "全文完")
_BARE_END = "\u200b\u200c\u200d\u2060\ufeff"


def find(sheet: Sheet) -> list[Hit]:
    """Every piece of residue in order; no place twice."""
    found: list[Hit] = []
    body, taken = sheet.plain, bytearray(len(sheet.plain))
    for sort in _SORTS:
        if any(sign in body for sign in sort.signs):
            for start, end in _places(sort.pattern, body, sheet.body):
                if not any(taken[start:end]):
                    taken[start:end] = b"\x01" * (end - start)
                    found.append(Hit(sort.rule, sort.name, start, end, _blocks(sheet, sort, start)))
    for start, end in words(body, _TERMS, sheet.body, _NO_TERMS):
        found.append(Hit(50, "写作术语", start, end, not sheet.apart(start)))
    return sorted([*found, *_cut_short(sheet)], key=lambda hit: (hit.start, hit.rule))


def _places(pattern: Pattern, text: str, start: int) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text, start):
        yield match.start(), match.end()


def _blocks(sheet: Sheet, sort: _Sort, start: int) -> bool:
    return not sort.speakable or not sheet.apart(start)


def _cut_short(sheet: Sheet) -> Sequence[Hit]:
    """The last line ends with no mark that ends a sentence."""
    if not sheet.lines:
        return ()
    last = sheet.lines[-1]
    told = last.text.rstrip().rstrip(_BARE_END).rstrip()
    end = last.start + len(told)
    if not told or told[-1] in _DONE or told.strip() in _ENDS or sheet.plain[end - 1] == HIDDEN:
        return ()
    start = max(last.start, end - 12)
    signature = sheet.apart(end - 1) and not _open_quote(told)
    return (Hit(49, "末句没有写完", start, end, not signature),)


def _open_quote(line: str) -> bool:
    """A quote that the last line opens and never closes: speech that breaks off."""
    return any(line.count(a) > line.count(b) for a, b in (("“", "”"), ("「", "」"), ("『", "』")))
