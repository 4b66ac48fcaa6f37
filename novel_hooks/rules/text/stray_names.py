"""Names of stray copies, as sync clients, editors, git and people form them from a file's name. Pure.

`chapter-002 (1).md`, `shen-du-DESKTOP-K3J2.json`, `河 (某人的冲突副本).md`, `河 - 副本.md`, `brief.md~`,
`brief.md.orig`, `Brief.md` beside `brief.md`, `chapter-２.md`, `第1章.md`, `chapter-002-改.docx`.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Callable, Iterable
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.text import numerals

_WORDS = (
    "副本|复件|拷贝|備份|备份|冲突|衝突|conflict|copy"
    "|konflikt|kopie|conflit|copie|conflicto|copia|cópia|конфликт|копия|競合|コピー|충돌|복사본"
)
_BEHIND = Pattern(
    r"\.?~\d+~\Z|~+\Z|\.(?:orig|bak|backup|old|rej|tmp|temp|part|crdownload|sw[op]|save|mine|theirs|base|r\d+)\Z"
    r"|(?<=\.md)\.(?:md|txt|docx?|\d)\Z|(?<=\.json)\.(?:json|txt|\d)\Z|(?<=\.yaml)\.(?:yaml|txt|\d)\Z",
    2,
)
"""What editors, downloads and merges put behind a whole name (2: re.IGNORECASE)."""
_BRACKETS = r"[\s_.·-]*[(（\[【]{}[^()（）\[\]【】]*[)）\]】]\Z"
_OF_A_CLIENT = (
    r"(?=[^()（）\[\]【】]*(?:冲突副本|冲突文件|conflict|konflikt|conflit|конфликт|競合|충돌|的副本|\d{4}))"
)
_HAS_WORD = rf"(?=[^()（）\[\]【】]*(?:{_WORDS}))"
_MARKED = Pattern(
    _BRACKETS.format(_OF_A_CLIENT + _HAS_WORD)
    + r"|[\s_.-]*(?:冲突副本|conflicted copy|sync-conflict).*\Z|[\s_-]+[^\s_-]{1,8}冲突副本.*\Z"
    r"|[_.-](?-i:BACKUP|BASE|LOCAL|REMOTE)[_.-]\d+\Z"
    r"|[-_](?-i:(?:DESKTOP|LAPTOP|PC|WIN|MACBOOK|IMAC|MAC|IPHONE|IPAD|ANDROID|HUAWEI|XIAOMI)(?:[-_][0-9A-Z]+)+)\Z",
    2,
)
"""What sync clients and merges put behind a stem, and no author does."""
_WORDED = Pattern(
    rf"[\s_·-]*的?(?:{_WORDS})(?:[\s_-]*\d+)?\Z|[\s_.-]+(?:{_WORDS})[\s_.-].*\Z"
    + "|"
    + _BRACKETS.format(_HAS_WORD)
    + r"|[-_][^-_]*(?:的\s*|'s )(?:MacBook|iMac|Mac|iPhone|iPad|电脑|手机|平板).*\Z"
    r"|[-_](?-i:[A-Z]{2,10}-(?=[A-Z]*\d)[0-9A-Z]{4,12})\Z",
    2,
)
"""What people and file managers put there; it may be words of the author's too (`黑木林（五人副本）.md`)."""
_COUNTED = Pattern(r"\s*[(（]\s*[0-9０-９]{1,3}\s*[)）]\Z|\s+[0-9]{1,2}\Z|~[0-9]?\Z")
_BEFORE = Pattern(rf"(?:copy\s*(?:\(\d+\)\s*)?of|(?:{_WORDS})\s*(?:[(（]\d+[)）])?\s*(?:of|的|[-_ ]))\s*", 2)
_CHAPTER = Pattern(
    rf"(?:chapter|chap|ch|第)?[\s_.-]*(?P<number>[{numerals.MARKS}]+)[\s_.-]*(?:[章节回話话](?:[\s:：].*)?)?"
    r"(?:[-_. ]?(?:summary|eval|crossref|log))?\Z",
    2,
)
_OF_CHAPTER = Pattern(
    rf"(?:(?:chapter|chap|ch)[\s_.-]*(?P<number>[{numerals.MARKS}]+)|第(?P<other>[{numerals.MARKS}]+)[章节回話话])",
    2,
)
"""The beginning of a page's name that says the chapter, whatever stands behind: `chapter-002-改.docx`."""
_WRITTEN_BY = (
    *("md", "txt", "text", "markdown", "docx", "doc", "wps", "rtf", "odt", "pages", "pdf", "html", "htm"),
)
"""What people's editors make of a page of text."""

_VOLUME = Pattern(rf"(?:vol(?:ume)?|第|卷)[\s_.-]*(?P<number>[{numerals.MARKS}]+)\s*卷?\Z")


class Copy(Record):
    """A copy: `name` is the original's; `sure`: no author would give a file such a name."""

    name: str
    sure: bool


def copied_name(name: str) -> Copy | None:
    """Return the name of the original that this name is formed from; None for a plain name."""
    whole, sure = _BEHIND.sub("", name), False
    if whole != name and whole:
        sure = True
    stem, dot, ending = whole.rpartition(".")
    stem, ending = (stem, dot + ending) if dot and stem else (whole, "")
    while stem:
        shorter = _MARKED.sub("", stem)
        sure = sure or shorter != stem
        if _BEFORE.match(shorter):
            shorter = _BEFORE.sub("", shorter)
        shorter = _COUNTED.sub("", _WORDED.sub("", shorter))
        if shorter in ("", stem):
            break
        stem = shorter
    made = stem if stem.endswith(ending) else f"{stem}{ending}"
    return Copy(made, sure and bool(ending or whole == name)) if stem and made != name else None


def is_hidden(name: str) -> bool:
    """Tell whether the file is hidden, or an open editor's own: `~$note.docx`, `~WRL0001.tmp`."""
    return name.startswith((".", "~$", "~WRL", "~wrl"))


def is_same_file(one: str, other: str) -> bool:
    """Tell whether two names are one file on a disk that ignores case, width or Unicode form."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFKC", name).casefold()
    stem, dot, ending = name.lower().rpartition(".")
    return f"{stem.strip()}{dot}{ending.strip()}"


def copies(names: Iterable[str]) -> dict[str, str]:
    """Return name → the original's name, of the copies in one folder whose names the author gives.

    A name that the author may have chosen (`河 (1).md`, `河副本.md`) is a copy only beside its original. Of
    two names that differ by case, width or Unicode form the plainer one is the original.
    """
    listed = sorted(names)
    suspected = {each: copied for each in listed if (copied := _suspected(each)) is not None}
    folded = {each: _folded(each) for each in listed if each not in suspected}
    if not suspected and len({*folded.values()}) == len(folded):  # as a rule: all plain, no two alike
        return {}
    first: dict[str, str] = {}
    for each in sorted(folded, key=lambda name: (name != name.lower(), name != folded[name], name)):
        first.setdefault(folded[each], each)
    for each in list(first.values()):
        first.setdefault(_folded(each.rpartition(".")[0]), each)  # `brief.bak` of a phone's editor
    found = {each: first[name] for each, name in folded.items() if first[name] != each}
    for each, copied in suspected.items():
        original = first.get(_folded(copied.name))
        if original is not None or copied.sure:
            found[each] = original or copied.name
    return found


def _suspected(name: str) -> Copy | None:
    """Return what `copied_name` does; a plain word is none, without the cost of the patterns."""
    stem, dot, ending = name.rpartition(".")
    stem, ending = (stem, ending) if dot else (name, "")
    if (
        stem.startswith("chapter-")
        and stem[len("chapter-") :].isdigit()
        and stem.isascii()
        and ending in _ENDINGS
    ):
        return None
    if ending in _ENDINGS and stem.replace("-", "").isalnum() and not _may_be_marked(stem):
        return None
    return copied_name(name)


_ASCII_WORDS = tuple(word for word in _WORDS.split("|") if word.isascii())
_ENDINGS = ("md", "json", "jsonl", "txt", "yaml", "")


def _may_be_marked(stem: str) -> bool:
    lower = stem.lower()
    words = _ASCII_WORDS if stem.isascii() else _WORDS.split("|")
    return stem != lower or any(word in lower for word in words)


def meant_chapter(name: str, place: Callable[[int], str]) -> str | None:
    """Return the chapter's file name that this odd one means: `第1章.md` → `chapter-001.md`; None for none.

    `place` spells the path of a chapter's file of this kind.
    """
    if is_spelled(name, place):
        return None
    copied = copied_name(name)
    stem, _, ending = _folded(copied.name if copied else name).rpartition(".")
    wanted = place(1).rpartition(".")[2]
    found = _CHAPTER.match(stem) if ending == wanted else None
    if found is None and wanted == "md" and ending in _WRITTEN_BY:
        found = _OF_CHAPTER.match(stem)
    number = numerals.parse(next(filter(None, found.groups()))) if found else None
    if number is None or number < 1:
        return None
    meant = place(number).rpartition("/")[2]
    return None if meant == name else meant


def is_spelled(name: str, place: Callable[[int], str]) -> bool:
    """Return whether it is the name of a chapter's file as it should be, without the cost of the patterns."""
    behind = name[len("chapter-") :]
    digits = behind[: len(behind) - len(behind.lstrip("0123456789"))]
    return bool(digits) and len(digits) < _LONG and place(int(digits)).rpartition("/")[2] == name


_LONG = 10


def meant_volume(name: str) -> str | None:
    """Return the volume's folder name that this odd one means: `第1卷` → `vol-01`; None for none."""
    if name[4:].isdigit() and name.isascii() and layout.volume_dir(int(name[4:])) == f"volumes/{name}":
        return None
    found = _VOLUME.match(_folded(name).strip())
    number = numerals.parse(found.group("number")) if found else None
    if not number:
        return None
    meant = layout.volume_dir(number).rpartition("/")[2]
    return None if meant == name else meant
