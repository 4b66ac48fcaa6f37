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
from novel_hooks.rules.lint_text import HIDDEN, Line, Sheet


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
_SHORT, _SHORTEST = "[^。！？”」\n]{0,12}", "[^。！？\n]{0,6}"
_CHAPTERS = "第[ 0-9一二三四五六七八九十百千零〇两]{1,8}章"
_TEXTS = "内容|文本|正文|章节|后文|下文|故事|小说|情节|描写|场景|回答|回复"
_MODELS = ("AI", "ai", "人工智能", "语言模型", "大语言模型")
_SORTS = (
    _Sort(
        47, "Markdown 标题行", ("#",), Pattern(r"^[ \t\u3000]{0,3}#{1,6}(?=[ \t\u3000]|第).*", re.M), False
    ),
    _Sort(47, "Markdown 加粗", ("**",), Pattern(r"\*\*(?=[^*\s])[^*\n]*[^*\s]\*\*"), False),
    _Sort(47, "Markdown 星号", ("**",), Pattern(r"\*\*+")),
    _Sort(
        47,
        "Markdown 斜体",
        ("*",),
        Pattern(r"(?<![A-Za-z0-9*])\*(?=[^*\s])[^*\n]{0,60}(?<=[^*\s])\*(?![A-Za-z0-9*])"),
    ),
    _Sort(47, "Markdown 删除线", ("~~",), Pattern(r"~~(?=[^~\s])[^~\n]{0,60}[^~\s]~~"), False),
    _Sort(47, "Markdown 链接", ("](",), Pattern(r"!?\[[^\[\]\n]{0,60}\]\([^()\s]{1,200}\)"), False),
    _Sort(47, "代码框", ("```",), Pattern("```[^\n]*"), False),
    _Sort(47, "反引号", ("`",), Pattern("`")),
    _Sort(
        47, "列表、引用或表格", ("- ", "* ", "+ ", "> ", "|"), Pattern(r"^[ \t]{0,3}(?:[-*+>] |\|).*", re.M)
    ),
    _Sort(47, "分隔线", ("---", "___"), Pattern(r"^[ \t\u3000]*(?:-{3,}|_{3,})[ \t\u3000]*$", re.M)),
    _Sort(
        48, "模型记号", ("<|", "INST]", "<<SYS"), Pattern(r"<\|[^|<>\n]{1,24}\|>|\[/?INST\]|<</?SYS>>"), False
    ),
    _Sort(48, "标签", ("<",), Pattern(r"</?[A-Za-z][A-Za-z_]{0,20}(?:\s[^<>\n]{0,80})?/?>")),
    _Sort(48, "转义符", ("\\", "&"), Pattern(r"\\[nrt](?![A-Za-z])|&(?:nbsp|quot|amp|lt|gt|#\d{2,6});")),
    _Sort(48, "乱码", ("\ufffd",), Pattern("\ufffd+"), False),
    _Sort(
        48,
        "数据格式",
        ('":', "{\n", "}\n"),
        Pattern(r'^[ \t]*"[A-Za-z_]{1,40}"[ \t]*:|^[ \t]*[{}],?[ \t]*$', re.M),
        False,
    ),
    _Sort(
        48,
        "内部编号",
        ("-0", "OBJ-", "LS-", "C-", "F-", "W-"),
        Pattern(
            _LATIN_BEFORE
            + r"(?:(?:OBJ|LS)-[A-Z]*-?\d[\d-]*|[FWC]-0\d{2,}|C-[A-Za-z]{2,}[A-Za-z-]*-\d+)(?![A-Za-z0-9])"
        ),
    ),
    _Sort(48, "字段名", ("_",), Pattern("(?<![A-Za-z0-9_名叫号户@])[a-z]{2,}(?:_[a-z]+)+(?![A-Za-z0-9_])")),
    _Sort(
        48,
        "文件路径",
        ("chapter-", "staging/", ".json", ".md"),
        Pattern(_LATIN_BEFORE + r"(?:chapter-\d+|staging/|[\w/-]+\.(?:jsonl?|md)(?![A-Za-z0-9]))"),
    ),
    _Sort(
        49,
        "模型自称",
        tuple(f"作为{a}{b}" for a in ("", "一个", "一名", "一款") for b in _MODELS),
        Pattern(
            "作为(?:一个|一名|一款)?(?:AI|ai|人工智能|大?语言模型)(?:助手|模型|语言模型)?[，,]?"
            "(?![^。！？\n]{0,8}[他她它])(?=[^。！？\n]{0,12}"
            "(?:我(?:无法|不能|没|不会|不应|不可|必须|需要|建议|只能)|无法|不能|写|创作|生成|情节|内容))"
            "[^。！？\n]{0,20}"
        ),
    ),
    _Sort(
        49,
        "模型推辞",
        tuple(a + b for a in ("我无法", "我不能", "我没办法") for b in "为给提生继续创撰协满完"),
        Pattern(
            f"我(?:无法|不能)(?:为你|为您|给你|给您)(?:提供|生成|续写|创作|撰写){_SHORT}"
            f"|我(?:无法|不能)(?:继续)?(?:提供|生成)(?![^。！？\\n]{{0,6}}[他她它]){_SHORTEST}(?:{_TEXTS})"
            "|(?:抱歉|对不起|很遗憾)[，,]我(?:无法|不能|没办法)(?:提供|生成|协助|续写|创作|撰写|满足|完成)"
            f"(?:你|您|这|该|此|任何){_SHORT}"
            "|我(?:无法|不能|没办法)(?:继续)?(?:续写|创作|撰写|协助|满足)(?!于|[^。！？\n]{0,6}[他她它])"
            f"{_SHORTEST}(?:请求|要求|章节|正文|文本|故事|小说|内容(?![\u4e00-\u9fff]))"
        ),
    ),
    _Sort(
        49,
        "模型推辞",
        ("an AI", "AI language", "I'm sorry", "I am sorry", "I can"),
        Pattern(
            "As an AI|AI language model|I(?:'m| am) sorry, but I (?:can|am unable|won't)[^\n]{0,20}"
            "|I (?:cannot|can't|can’t) (?:assist|fulfill|comply|provide|generate|create"
            "|continue (?:with|writing)|write (?:this|that|the)|help (?:with|you with))"
        ),
    ),
    _Sort(
        49,
        "交稿的话",
        (
            *("以下是", "下面是", "以上是", "以上就是", "字数统计", "字数：", "字数:", "字数约", "字数为"),
            *(f"希望{a}{b}" for a in "你您" for b in "喜满会能"),
            *(a + b + c for a in ("好的", "当然", "当然可以") for b in "，,！!" for c in "以下我"),
        ),
        Pattern(
            f"(?:以下|下面|以上(?:就)?)是(?:{_CHAPTERS}|本章|正文|修改|润色|修订|全文|改写){_SHORT}"
            "|字数统计(?=[：:]|\\s*$)|(?:全文|本章|总)?字数[：:约为]{1,2}[ ]?\\d+"
            "|^[ \t\u3000]*(?:好的|当然(?:可以)?)[，,！!](?:(?:以下|下面)|我(?:将|会|来)?"
            f"(?:为你|为您|帮你|给你|按照?你|根据|继续写|续写|重写|改写|修改|润色)){_SHORT}"
            "|^[ \t\u3000]*希望[你您](?:会|能)?(?:喜欢|满意)(?:这[^。！？\n]{0,10})?[。！!~～]*(?=\\s*\\Z)",
            re.M,
        ),
    ),
    _Sort(
        49,
        "交稿的话",
        ("需要我继续", "需要我再", "随时", "请告诉我"),
        Pattern(
            "需要我(?:继续|再)(?:写|续写|修改|调整|润色|改写)[^\n]{0,12}"
            "|(?:如果|如|若)[你您]?(?:需|想|有|要)[^。！？\n]{0,12}(?:修改|调整|续写|润色|改写|扩写)"
            "[^。！？\n]{0,12}(?:告诉我|随时)[^\n]{0,12}"
        ),
    ),
    _Sort(
        49,
        "交稿的话",
        ("Sure", "Certainly", "Here's", "Here is", "Assistant:", "Human:", "User:"),
        Pattern(
            "^[ \t]*(?:(?:Sure|Certainly|Here(?:'s| is))[^\n]{0,40}(?:chapter|story|text|version|draft|scene)"
            "|(?:Assistant|Human|User)[:：])[^\n]{0,20}",
            re.M,
        ),
    ),
    _Sort(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("TODO", "FIXME", "TBD", "XXX", "xxx", "PLACEHOLDER")),
        Pattern(r"(?<=[（(【\[])(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER)[^\n]{0,20}?(?=[）)】\]])"),
        False,
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
    _Sort(
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
            r"|(?<=[{<])(?:姓名|人名|地名)(?=[}>])"
        ),
        False,
    ),
    _Sort(
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
            "此处省略[^。！？”」\n]{0,8}|占位符|(?<=[（(])[中下后]?略(?=[）)])|"
            + _LATIN_BEFORE
            + r"(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER|[Pp]laceholder)(?![A-Za-z0-9_])"
            + r"|\{\{[^{}\n]{0,40}\}\}"
        ),
    ),
)
_TERMS = ("本章", "上一章", "下一章", "细纲", "章纲", "情节点", "爽点")
_NO_TERMS = (
    *("本章程", "本章法", "本章鱼", "本章回", "上一章程", "下一章程", "情节点明", "情节点出", "情节点破"),
    *("情节点题", "情节点到", "凉爽点", "清爽点", "直爽点", "豪爽点", "爽点儿"),
)
_OPEN_MARKS = "，、：:,（(“「『《【—-"
_ENDS = ("完", "终", "全书完", "全文完", "未完待续", "待续", "全剧终", "正文完", "番外完")
_LONGEST_VERSE = 16
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
    """The last line that has words ends with no mark that ends a sentence."""
    at = next((i for i in range(len(sheet.lines) - 1, -1, -1) if _told(sheet.lines[i])), None)
    if at is None:
        return ()
    last = sheet.lines[at]
    told = _end(last)
    end = last.start + len(told)
    if _ends(told) or sheet.plain[end - 1] == HIDDEN or _verse(sheet.lines[: at + 1]):
        return ()
    start = max(last.start, end - 12)
    signature = sheet.apart(end - 1) and not _open_quote(told)
    return (Hit(49, "末句没有写完", start, end, not signature),)


def _end(line: Line) -> str:
    return line.text.rstrip().rstrip(_BARE_END).rstrip()


def _told(line: Line) -> bool:
    """Has the line a word, or is it an ornament between scenes?"""
    return any(mark.isalnum() or mark in _OPEN_MARKS for mark in line.text)


def _ends(told: str) -> bool:
    """A closing mark, an ornament or a picture ends a sentence; a word or a comma does not."""
    if told.strip() in _ENDS or told.endswith(("——", "--")):
        return True
    return not (told[-1].isalnum() or told[-1] in _OPEN_MARKS)


def _verse(lines: Sequence[Line]) -> bool:
    """Two short lines or more without any mark: a verse; a text that is cut short has one such line."""
    if len(lines) < 2:
        return False
    last, before = (_end(line).strip() for line in (lines[-1], lines[-2]))
    return all(len(one) <= _LONGEST_VERSE and one.isalnum() for one in (last, before))


def _open_quote(line: str) -> bool:
    """A quote that the last line opens and never closes: speech that breaks off."""
    return any(line.count(a) > line.count(b) for a, b in (("“", "”"), ("「", "」"), ("『", "』")))
