"""Residue of the machine in a chapter: marks, codes, refusals, placeholders, a sentence cut short.

Residue is all of the lint that blocks, and only where it is certain. The same words in speech, a panel or a
letter are advice, for a character may say them, and so is doubtful residue (`rules.lint.residue.doubtful`).
Source: craft notes §2, numbers 47 to 50.
"""

from __future__ import annotations

import re

from novel_hooks.annotations import Any, Iterable, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.lint.habits import find_words
from novel_hooks.rules.lint.letters import is_signature
from novel_hooks.rules.lint.lines import Line
from novel_hooks.rules.lint.residue import agent_remarks, doubtful, field_names, placeholders
from novel_hooks.rules.lint.residue.kind import LATIN_BEFORE, ResidueKind, fold
from novel_hooks.rules.lint.sheet import HIDDEN, Sheet
from novel_hooks.rules.outline import outline


class Hit(Record):
    """One piece of residue by its offsets. If it is not `sure`, it may be part of the story."""

    rule: int
    name: str
    start: int
    end: int
    blocks: bool
    sure: bool = True


LINE_MARK = "列表、引用或表格"
_OF_A_MACHINE = (
    "think|thinking|thoughts?|answer|output|results?|response|content|chapter|text|story|draft|data|system|user"
    "|assistant|tools?|functions?|function_calls|invoke|summary|analysis|reasoning|plan|notes?|scratchpad|final"
    "|system-reminder|command-name|command-message|reflection|document|source|example|instructions?|prompt|novel|scene|br|hr"
)
_FORMATS = "b|i|u|s|em|strong|p|div|span|h[1-6]|ul|ol|li|blockquote|center|font|sup|sub|del|ins|pre|title"
_KEYBOARD = "Enter|Ctrl|Alt|Shift|Esc|Tab|Space|Delete|Del|Backspace|Home|End|Fn|Win"
_TAG = r"[A-Za-z][A-Za-z_]{0,20}(?:\s[^<>\n]{0,80})?/?>"
_OUR_FILES = (
    r"[\w-]{0,60}-(?:summary|delta|eval|crossref|log|hints)\.(?:md|jsonl?)|(?:style-guide"
    r"|quality-rubric)\.md|(?:current-state|foreshadowing|style-profile|ai-blacklist|storyline-(?:schedule|spec)"
    r"|unknown-entities)\.jsonl?"
    r"|[\w./-]{0,60}(?:chapters|summaries|evaluations|volumes|storylines|foreshadowing|manifests|guides|world|characters"
    r"|research|logs|state)/[\w./-]{1,60}\.(?:jsonl?|md)"
)
_SORTS = (
    ResidueKind(
        48,
        "大纲的字段",
        outline.KEYS,
        r"^[ \t\u3000]*(?:[-*+][ \t]*)?\**(?:" + "|".join(outline.KEYS) + r")\**[ \t]*[:：][^\n]{0,30}",
    ),
    ResidueKind(47, "Markdown 标题行", ("#",), r"^[ \t\u3000]{0,3}#{1,6}(?=[ \t\u3000]|第|$).*", False),
    ResidueKind(47, "Markdown 加粗", ("**",), r"^[ \t\u3000]*\*\*(?=[^*\s])[^*\n]*[^*\s]\*\*[ \t]*$"),
    ResidueKind(47, "Markdown 加粗", ("**",), r"\*\*(?=[^*\s])[^*\n]*[^*\s]\*\*", False),
    ResidueKind(47, "Markdown 星号", ("**",), r"\*\*+"),
    ResidueKind(
        47,
        "Markdown 加粗",
        ("__",),
        r"(?<![A-Za-z0-9_])__(?=[^_\n]{0,60}[\u4e00-\u9fff])[^_\s][^_\n]{0,60}__(?![A-Za-z0-9_])",
    ),
    ResidueKind(
        47,
        "Markdown 斜体",
        ("*",),
        r"(?<![A-Za-z0-9*])\*(?=[^*\s])[^*\n]{0,60}(?<=[^*\s])\*(?![A-Za-z0-9*])",
    ),
    ResidueKind(47, "Markdown 删除线", ("~~",), r"~~(?=[^~\s])[^~\n]{0,60}[^~\s]~~", False),
    ResidueKind(47, "Markdown 链接", ("](",), r"!?\[[^\[\]\n]{0,60}\]\([^()\s]{1,200}\)", False),
    ResidueKind(47, "代码框", ("```",), "```[^\n]*", False),
    ResidueKind(47, "反引号", ("`",), "`"),
    ResidueKind(47, LINE_MARK, ("- ", "* ", "+ ", "> ", "|"), r"^[ \t]{0,3}(?:[-*+>] |\|).*"),
    ResidueKind(47, "分隔线", ("---", "___"), r"^[ \t\u3000]*(?:-{3,}|_{3,})[ \t\u3000]*$"),
    ResidueKind(
        48, "模型记号", ("<|", "INST]", "<<SYS"), r"<\|[^|<>\n]{1,24}\|>|\[/?INST\]|<</?SYS>>", False
    ),
    ResidueKind(
        48,
        "标签",
        ("<",),
        rf"</?(?i:{_OF_A_MACHINE})(?:\s[^<>\n]{{0,80}})?/?>|<[A-Za-z][A-Za-z_]{{0,20}}(?:\s[^<>\n]{{0,80}})?/>"
        rf"|<(?i:{_FORMATS})>(?=[^<>\n]{{0,200}}</)|</(?i:{_FORMATS})>"
        rf"|^[ \t\u3000]*</?(?!(?i:{_KEYBOARD})>){_TAG}|</{_TAG}(?=[ \t]*$)",
    ),
    ResidueKind(
        48,
        "转义符",
        ("\\", "&"),
        r"\\[nrt](?![A-Za-z])|\\u[0-9a-fA-F]{4}|\\[\"“]|&(?:nbsp|quot|amp|lt|gt|#\d{2,6});",
    ),
    ResidueKind(48, "乱码", ("\ufffd",), "\ufffd+", False),
    ResidueKind(48, "注释", ("!-",), r"[<‹＜〈《]!-{2,}[^\n]{0,200}", False),
    ResidueKind(
        48,
        "数据格式",
        ('":', '" :', '"：', "”:", "”：", "':", "{\n", "}\n", '["'),
        r'^[ \t]*"[A-Za-z_]{1,40}"[ \t]*:|^[ \t]*[{}],?[ \t]*$'
        r"""|[{\[,，][ \t]*["“'][A-Za-z_]{1,40}["”'][ \t]*[:：][^\n]{0,80}"""
        r"""|^[ \t]*[“"'][A-Za-z_]{2,40}[”"'][ \t]*[:：][ \t]*["“\[{\d-]"""
        r'|^[ \t]*\[[ \t]*"[^"\n]*"(?:,[ \t]*"[^"\n]*")*[ \t]*\],?[ \t]*$',
        False,
    ),
    ResidueKind(
        48,
        "数据格式",
        (": ",),
        r"^[ \t]*[a-z][a-z_]{1,30}:[ \t]+(?:true|false|null|-?\d+(?:\.\d+)?|\[[^\n]*\]|\{[^\n]*\})[ \t]*"
        "$",
    ),
    ResidueKind(
        48,
        "内部编号",
        ("-0", "OBJ-", "LS-", "C-"),
        LATIN_BEFORE
        + r"(?:OBJ-[A-Z]*-?\d[\d-]*|LS-(?:0\d+|[A-Z]+-?\d[\d-]*)"
        + r"|[FWC]-0\d{2,}"
        + r"(?![ ]?[号室房舱区栋幢航班次线座门柜床层型级囚机车船楼库站位桌牢厢铺])"
        + r"|C-[A-Za-z]{2,}[A-Za-z-]*-\d+)(?![A-Za-z0-9])",
    ),
    ResidueKind(48, "字段名", ("_",), field_names.OURS),
    ResidueKind(
        48,
        "文件路径",
        ("chapter-", "staging/", ".json", ".md"),
        LATIN_BEFORE + rf"(?:chapter-\d+|staging/(?=[a-z.])|(?:{_OUR_FILES})(?![A-Za-z0-9]))",
    ),
    *agent_remarks.SORTS,
    *doubtful.SORTS,
)
_PATTERNS = [(one, Pattern(one.source, re.M)) for one in (*_SORTS, *placeholders.AROUND, *doubtful.AROUND)]
CUT_SHORT = "末句没有写完"
_TERMS = ("本章", "上一章", "下一章", "细纲", "章纲", "情节点", "爽点")
_ALWAYS = ("本章",)
_NO_TERMS = (
    *("本章程", "本章法", "本章鱼", "本章回", "上一章程", "下一章程", "情节点明", "情节点出", "情节点破"),
    *("情节点题", "情节点到", "凉爽点", "清爽点", "直爽点", "豪爽点", "爽点儿", "话爽点", "人爽点"),
    *("做事爽点", "办事爽点", "痛快爽点", "干爽点", "利爽点", "活爽点"),
    *("爽点不", "爽点吧", "爽点好", "爽点啊"),
)
_OPEN_MARKS = "，、：:,（(“「『《【—-"
_ENDS = ("完", "终", "全书完", "全文完", "未完待续", "待续", "全剧终", "正文完", "番外完")
_CLOSES = Pattern(
    r"[（(【—-]{0,2}第[^\s，。！？]{1,8}[卷部集篇季章回][ \t\u3000·—-]{0,2}"
    r"(?:完|终|完结|终章)[）)】—-]{0,2}\Z"
)
_QUOTED_WORDS = Pattern(
    "(?:落款|署名|署着|签名|签着|题名|名字|写着|刻着|印着|写的是|[一两二三四五六七八九十几]个?(?:大|小)?字)"
    "[^。！？：:\n]{0,8}[：:][ \t\u3000]*[^，。、！？：:“”「」\n]{1,16}\\Z"
)
_WRITTEN_THERE = Pattern(
    "(?:[写刻印标注题署填涂喷漆绣](?:着|的是|道)(?:[：:][^。！？\n]{0,40}|[^。！？，\n]{0,10})"
    "|[一两二三四五六七八九十几]个?(?:大|小)?字[：:，][^。！？，\n]{0,4})\\Z"
)
"""What stands before the words of a sign or a form: somebody in the story reads them there."""
_OF_WORDS = 49
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"))
_LONGEST_VERSE = 16
_BARE_END = "\u200b\u200c\u200d\u2060\ufeff"


def find_residue(sheet: Sheet) -> list[Hit]:
    """Return every piece of residue in the order of the text, no place twice."""
    found: list[Hit] = []
    body, taken = fold(sheet.plain), bytearray(len(sheet.plain))
    marks = frozenset(body)
    for sort, pattern in _PATTERNS:
        if not any(marks.issuperset(sign) and sign in body for sign in sort.signs):
            continue
        for start, end in (match.span() for match in pattern.finditer(body, sheet.body)):
            if any(taken[start:end]):
                continue
            said = _is_said(sheet, start)
            if sort.narrated and (said or doubtful.tells_of_writing(body, start, end)):
                continue
            taken[start:end] = b"\x01" * (end - start)
            sure = sort.sure and not sort.narrated
            blocks = sure and not (said and sort.speakable)
            blocks = blocks and (sort.rule < _OF_WORDS or not _is_quoted(sheet.plain, start))
            found.append(Hit(sort.rule, sort.name, start, end, blocks, sure or said))
    for start, end in find_words(body, _TERMS, sheet.body, _NO_TERMS):
        spoken = _is_said(sheet, start)
        sure = body[start:end] in _ALWAYS or not doubtful.tells_of_writing(body, start, end)
        found.append(Hit(50, "写作术语", start, end, sure and not spoken, sure or spoken))
    return sorted([*found, *_cut_short_hits(sheet)], key=lambda hit: (hit.start, hit.rule))


def blocking_residue(text: str, whitelist: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the residue that blocks, each as `{rule, name, line, quote}`."""
    sheet = Sheet(text, whitelist)
    return [hit_entry(sheet, hit) for hit in find_residue(sheet) if hit.blocks]


def hit_entry(sheet: Sheet, hit: Hit) -> dict[str, Any]:
    """Return a piece of residue as `{rule, name, line, quote}`."""
    return {"rule": hit.rule, "name": hit.name, **place_entry(sheet, (hit.start, hit.end))}


def place_entry(sheet: Sheet, place: tuple[int, int]) -> dict[str, Any]:
    """Return a place as `{line, quote}`."""
    return {"line": sheet.line(place[0]), "quote": sheet.quote(*place)}


def _is_said(sheet: Sheet, start: int) -> bool:
    """Return whether somebody says or writes the word at the offset, in a chat too."""
    if sheet.spoken(start):
        return True
    number = sheet.line(start)
    at = next((i for i, line in enumerate(sheet.lines) if line.number == number), None)
    if at is None:
        return False
    first = max(0, at - 1)
    return doubtful.is_chat([line.text for line in sheet.lines[first : at + 2]], at - first)


def _is_quoted(text: str, start: int) -> bool:
    """Return whether somebody says or reads the words at the offset: in quotes, or on a sign or a form.

    The brackets of a panel are no quotes: the residue itself stands in such.
    """
    line = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    before, behind = text[line:start], text[start : end if end >= 0 else len(text)]
    inside = any(before.rfind(a) > before.rfind(b) and b in behind for a, b in _QUOTES)
    return inside or bool(_WRITTEN_THERE.search(before))


def _cut_short_hits(sheet: Sheet) -> Sequence[Hit]:
    """Return a hit where the last line with words ends without a mark that ends a sentence."""
    at = next((i for i in range(len(sheet.lines) - 1, -1, -1) if _has_word(sheet.lines[i])), None)
    if at is None:
        return ()
    last = sheet.lines[at]
    text = _line_text(last)
    end = last.start + len(text)
    if _ends_sentence(text) or sheet.plain[end - 1] == HIDDEN or _is_verse(sheet.lines[: at + 1]):
        return ()
    start = max(last.start, end - 12)
    signed = is_signature(text.strip()) or _QUOTED_WORDS.search(text)
    breaks_off = any(text.count(a) > text.count(b) for a, b in _QUOTES)
    complete = (sheet.apart(end - 1) or signed) and not breaks_off
    return (Hit(49, CUT_SHORT, start, end, not complete),)


def _line_text(line: Line) -> str:
    return line.text.rstrip().rstrip(_BARE_END).rstrip()


def _has_word(line: Line) -> bool:
    """Return whether the line has a word; an ornament between scenes has none."""
    return any(mark.isalnum() or mark in _OPEN_MARKS for mark in line.text)


def _ends_sentence(text: str) -> bool:
    """Return whether the line ends its sentence: with a mark, an ornament, a picture, or the book's `完`."""
    if text.strip() in _ENDS or text.endswith(("——", "--")):
        return True
    if "第" in text and _CLOSES.match(text.strip()):
        return True
    return not (text[-1].isalnum() or text[-1] in _OPEN_MARKS)


def _is_verse(lines: Sequence[Line]) -> bool:
    """Return whether the last two lines are a verse: short, without any mark. A cut text has only one."""
    if len(lines) < 2:
        return False
    last, before = (_line_text(line).strip() for line in (lines[-1], lines[-2]))
    if before.endswith("，") and len(before) == len(last) + 1:
        before = before[:-1]  # a couplet: the comma, then as many characters without any mark
    return all(len(one) <= _LONGEST_VERSE and one.isalnum() for one in (last, before))
