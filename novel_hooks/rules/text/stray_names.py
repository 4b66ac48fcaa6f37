"""Names of stray copies: what sync clients, editors, git and people make of a file's name. Pure.

`chapter-002 (1).md`, `shen-du-DESKTOP-K3J2.json`, `河 (某人的冲突副本).md`, `河 - 副本.md`, `brief.md~`,
`brief.md.orig`, `Brief.md` beside `brief.md`, `chapter-２.md`, `第1章.md`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

from novel_hooks import layout
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.text import numerals

_WORDS = "副本|复件|拷贝|備份|备份|冲突|衝突|conflict|copy"
_BEHIND = Pattern(
    r"~+\Z|\.(?:orig|bak|backup|old|rej|tmp|temp|part|crdownload|sw[op]|save|mine|theirs|base|r\d+)\Z"
    r"|(?<=\.md)\.(?:md|txt|docx?)\Z|(?<=\.json)\.(?:json|txt)\Z|(?<=\.yaml)\.(?:yaml|txt)\Z",
    2,
)
"""What editors, downloads and merges put behind a whole name (2: re.IGNORECASE)."""
_MARKED = Pattern(
    rf"[\s_.·-]*[(（\[【][^()（）\[\]【】]*(?:{_WORDS})[^()（）\[\]【】]*[)）\]】]\Z"
    r"|[\s_.-]*(?:冲突副本|conflicted copy|sync-conflict).*\Z|[_.-](?:BACKUP|BASE|LOCAL|REMOTE)[_.-]\d+\Z"
    r"|[-_](?:DESKTOP|LAPTOP|PC|WIN|MACBOOK|IMAC|MAC|IPHONE|IPAD|ANDROID|HUAWEI|XIAOMI)(?:[-_][0-9A-Z]+)+\Z"
    r"|[-_][^-_]*(?:的\s*|'s )(?:MacBook|iMac|Mac|iPhone|iPad|电脑|手机|平板).*\Z",
    2,
)
"""What sync clients and merges put behind a stem, and no author does."""
_WORDED = Pattern(rf"[\s_·-]*的?(?:{_WORDS})(?:[\s_-]*\d+)?\Z|[\s_.-]+(?:{_WORDS})[\s_.-].*\Z", 2)
"""What people and file managers put there; it may be a word of the author's too (`地下城副本.md`)."""
_COUNTED = Pattern(r"\s*[(（]\s*[0-9０-９]{1,3}\s*[)）]\Z|\s+[0-9]{1,2}\Z|~[0-9]?\Z")
_BEFORE = Pattern(rf"(?:copy\s*(?:\(\d+\)\s*)?of|(?:{_WORDS})\s*(?:[(（]\d+[)）])?\s*(?:of|的|[-_ ]))\s*", 2)
_CHAPTER = Pattern(
    rf"(?:chapter|chap|ch|第)?[\s_.-]*(?P<number>[{numerals.MARKS}]+)[\s_.-]*(?:[章节回話话](?:[\s:：].*)?)?"
    r"(?:[-_. ]?(?:summary|eval|crossref|log))?\Z",
    2,
)


_VOLUME = Pattern(rf"(?:vol(?:ume)?|第|卷)[\s_.-]*(?P<number>[{numerals.MARKS}]+)\s*卷?\Z")


class Copy(Record):
    """A copy: `name` is that of the file it was made from; `sure`: no author names a file so."""

    name: str
    sure: bool


def copied_name(name: str) -> Copy | None:
    """Return the name that this one looks like a copy of; None for a plain name."""
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
    made = f"{stem}{ending}"
    return Copy(made, sure) if stem and made != name else None


def is_same_file(one: str, other: str) -> bool:
    """Return whether two names are one file on a disk that ignores case, width or Unicode form."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFKC", name).casefold()


def copies(names: Iterable[str]) -> dict[str, str]:
    """Return name → the name that it is a copy of, of those in one folder whose names the author gives.

    A name that an author may have meant (`河 (1).md`, `河副本.md`) is a copy only beside the first. Of two
    names that differ by case, width or Unicode form the plainer one is the first.
    """
    listed = sorted(names)
    plain = {each: copied for each in listed if (copied := _suspected(each)) is not None}
    first: dict[str, str] = {}
    for each in sorted((n for n in listed if n not in plain), key=_plainness):
        first.setdefault(_folded(each), each)
    found = {n: first[_folded(n)] for n in listed if n not in plain and first[_folded(n)] != n}
    for each, copied in plain.items():
        original = first.get(_folded(copied.name))
        if original is not None or copied.sure:
            found[each] = original or copied.name
    return found


def _suspected(name: str) -> Copy | None:
    """Return what `copied_name` does; a plain word is none, without the cost of the patterns."""
    stem, dot, ending = name.rpartition(".")
    stem, ending = (stem, ending) if dot else (name, "")
    if ending in _ENDINGS and stem.replace("-", "").isalnum() and not _may_be_marked(stem):
        return None
    return copied_name(name)


_ENDINGS = ("md", "json", "jsonl", "txt", "yaml", "")


def _may_be_marked(stem: str) -> bool:
    lower = stem.lower()
    return stem != lower or any(word in lower for word in _WORDS.split("|"))


def _plainness(name: str) -> tuple[bool, bool, str]:
    return name != name.lower(), name != _folded(name), name


def meant_chapter(name: str, place: Callable[[int], str]) -> str | None:
    """Return the chapter's file name that this odd one means: `第1章.md` → `chapter-001.md`; None for none.

    `place` spells the path of a chapter's file of this kind.
    """
    if _is_spelled(name, place):
        return None
    copied = copied_name(name)
    stem, _, ending = (copied.name if copied else name).rpartition(".")
    wanted = place(1).rpartition(".")[2]
    found = _CHAPTER.match(_folded(stem).strip()) if ending.lower() == wanted else None
    number = numerals.parse(found.group("number")) if found else None
    if number is None or number < 1:
        return None
    meant = place(number).rpartition("/")[2]
    return None if meant == name else meant


def _is_spelled(name: str, place: Callable[[int], str]) -> bool:
    """Is it the name of a chapter's file as it should be? Told without the cost of the patterns."""
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
