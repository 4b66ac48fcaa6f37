"""Texts of files: UTF-8 only, no BOM, LF, merged. Source: protocol §1, last paragraph.

An HTML comment in a landed chapter is the author's note to himself and no part of its text.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.pattern import Pattern

MOST_DIGITS = 300
"""Of a whole number in a JSON or YAML file."""
MOST_LEVELS = 100
"""Of brackets within brackets there."""
_BOM = "\ufeff"
_HOLE = "\0" * 4
_OURS, _MIDDLE, _THEIRS = "<<<<<<<", "=======", ">>>>>>>"
_MORE = ("|||||||", "%%%%%%% Changes from", "+++++++ Contents of")
"""The base of diff3 and zdiff3; the sides of jj."""


def decode(data: bytes, path: str, own: bool = False) -> str:
    """Decode `data`, the bytes of the file `path`: without BOM, with CRLF and lone CR as LF.

    `own`: only `novel` writes that file. Raises `TextNotUtf8`, whose offset counts bytes from 0 at the start
    of the file, BOM included; `TextHollow`, a kind of it; `GitConflict` (`OwnGitConflict`), whose line counts
    from 1.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise errors.TextNotUtf8(path, offset=wrong.start, likely=_encoding_hint(data)) from None
    if _HOLE in text and not own:
        raise errors.TextHollow(path, offset=data.index(_HOLE.encode()) + 1)
    if text.startswith(_BOM):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _OURS in text or _THEIRS in text or any(mark in text for mark in _MORE):
        refuse_conflict(text, path, own)
    return without_comments(text) if _OPEN in text and is_landed_chapter(path) else text


def is_encodable(text: str) -> bool:
    """Tell whether UTF-8 can hold the text: no half of a surrogate pair is in it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_landed_chapter(path: str) -> bool:
    """Tell whether the path is a landed chapter's: only there a comment is the author's for certain."""
    folder, _, name = path.rpartition("/")
    number = layout.chapter_number(name) or layout.titled_chapter_number(name)
    return folder == layout.CHAPTERS and number is not None


def without_comments(text: str) -> str:
    """Return the text (LF) without HTML comments; a line that held nothing else goes with its blank line.

    An unclosed comment stays, because its end is unknown.
    """
    if _OPEN not in text:
        return text
    kept: list[str] = []
    held = False
    for line in _marked(text).split("\n"):
        bare = line.replace(_GONE, "")
        if _GONE in line and not bare.strip():
            held = True
        elif not (held and not bare.strip() and (not kept or not kept[-1].strip())):
            kept.append(bare.rstrip() if line.rstrip().endswith(_GONE) else bare)
            held = False
    while held and len(kept) > 1 and not kept[-1].strip() and not kept[-2].strip():
        kept.pop()
    return "\n".join(kept)


def comments(text: str) -> list[tuple[int, str]]:
    """Return (line, words) of every HTML comment; lines count from 1."""
    found, at = [], 0
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        words = " ".join(text[start + len(_OPEN) : end].split())
        found.append((text.count("\n", 0, start) + 1, words))
        at = end + len(_CLOSE)
    return [one for one in found if one[1]]


def _marked(text: str) -> str:
    """Return the text with one mark in the place of every comment that is closed."""
    parts, at = [], 0
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        parts += [text[at:start], _GONE]
        at = end + len(_CLOSE)
    return "".join([*parts, text[at:]])


_OPEN, _CLOSE, _GONE = "<!--", "-->", "\0"


def refuse_conflict(text: str, path: str, own: bool = False) -> None:
    """Raise `GitConflict` for a text (LF) in which git or jj marked two versions that it could not merge.

    A mark is seven signs or more at a line's beginning, with the side's name behind them. One is enough,
    because a block may be half removed. Bare signs count only when all three kinds stand alone on lines: one
    row of signs may be a writer's ornament, and so may signs on both sides of a word.
    """
    lines = [line.strip() for line in text.split("\n")]
    bare = {*lines} >= {_OURS, _MIDDLE, _THEIRS}
    for number, line in enumerate(lines, start=1):
        if line.startswith(_SIDES) and (_is_named(line) or (bare and line in (_OURS, _THEIRS))):
            kind = errors.OwnGitConflict if own else errors.GitConflict
            raise kind(path, line=number, mark=line[:_SHOWN])


def _is_named(line: str) -> bool:
    """Return whether the name of a side stands behind the signs: `>>>>>>> 改结尾`, `||||||| 1a2b3c4`."""
    name = line.lstrip(line[0])
    return name.startswith(" ") and bool(name.strip()) and not name.endswith(_SIGNS)


_SHOWN = 40
_SIGNS = ("<", ">", "|", "%", "+")
_SIDES = (_OURS, _THEIRS, *_MORE)


_MARKS = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_ENDS = "\v\f\x85\u2028\u2029"
_ANY_UNSEEN = Pattern(f"[{_MARKS}{_ENDS}]")
"""One of `_UNSEEN`: almost no text has any, and to look for single characters costs a fifth."""
_UNSEEN = Pattern(f"[{_MARKS}]|\r?[{_ENDS}]")
"""What nobody sees (spaces of no width, joiners, marks of direction), and line ends of other kinds."""
_JOINING = Pattern(
    "[\u0600-\u10ff\u1780-\u18af][\u200c\u200d](?=[\u0600-\u10ff\u1780-\u18af])"
    "|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
"""Joiners that are part of what is seen: in scripts that need them, between the parts of one emoji."""
_CONTROL = Pattern(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_ESCAPED = Pattern(r"(?<!\\)(?:\\\\)*\\u00(?:0[0-8bcefBCEF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])")


def without_unseen(text: str) -> tuple[str, int]:
    """Return (the text without invisible characters and with LF; the number of these characters)."""
    if _ANY_UNSEEN.search(text) is None:
        return text, 0
    kept = {match.end() - 1 for match in _JOINING.finditer(text)}
    count, parts, at = 0, [], 0
    for match in _UNSEEN.finditer(text):
        if match.start() in kept:
            continue
        ends = len(match.group()) > 1 or match.group() in _ENDS
        parts += [text[at : match.start()], "\n" if ends else ""]
        count, at = count + 1, match.end()
    return "".join([*parts, text[at:]]), count


def refuse_control(text: str, path: str, escaped: bool = False) -> None:
    """Raise `TextControl` for a text (LF) with a control character: the mark that it replaced is unknown.

    `escaped`: the text is JSON, where such characters stand as `\\u0000`; a bare one is a fault of JSON.
    """
    found = (_ESCAPED if escaped else _CONTROL).search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        code = found.group()[-4:].upper() if escaped else f"{ord(found.group()):04X}"
        raise errors.TextControl(path, line=line, sign=f"U+{code}")


def _encoding_hint(data: bytes) -> str:
    from novel_hooks.store.formats import encodings

    marked, found = encodings.bom_encoding(data), encodings.possible_readings(data)
    if marked is not None:
        return f"，开头的记号说它是 {marked}"
    return f"，可能是 {encodings.describe(found)}" if found else ""
