"""`<DATA>` blocks: a file's text, marked as material and never as instructions.

Inside a block the sign that begins a DATA tag becomes a character reference (`&lt;/DATA>`), and a reference
that was there already gets `&amp;` for its `&`. So nothing inside ends or begins a block, `unwrap` gives back
every text exactly, and a text without such a tag stays as it is.

A tag is all that a reader could take for one: any case, full-width and other compatibility forms, letters of
other scripts that look the same, accents, and blanks, control and format characters (zero width,
bidirectional, soft hyphen) anywhere in it. Source: seed 000 Step 2.0, seed 003.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator
from novel_hooks.pattern import Pattern

# `<`, its small and full-width forms, and the one with a stroke through it; then as `wrap` writes them.
_SIGNS = "<\ufe64\uff1c\u226e"
_ANY = Pattern(rf"[{_SIGNS}]|&(?:amp;)*(?:lt|#65124|#65308|#8814);")
_TAG = "data"
_LOOKALIKES = {
    **dict.fromkeys("\u0430\u03b1\u1d00", "a"),
    **dict.fromkeys("\u0442\u03c4\u1d1b", "t"),
    **dict.fromkeys("\u0501\u13a0\u1d05", "d"),
    **dict.fromkeys("\u2215\u2044\u29f8\u2571\\", "/"),
}
# Blank to the eye, and yet letters or symbols to Unicode.
_UNSEEN = "\u115f\u1160\u3164\uffa0\u2800\u034f"
_WORD = "abcdefghijklmnopqrstuvwxyz0123456789_-"
_BLOCK = Pattern(r'<DATA type="[^"]*" source="[^"]*" readonly="true">\n(.*)\n</DATA>\Z', 16)  # DOTALL


def wrap(kind: str, source: str, text: str) -> str:
    """Return the text as one block, its tags neutralised; `kind` and `source` go into the first line."""
    head = f'<DATA type="{_attribute(kind)}" source="{_attribute(source)}" readonly="true">'
    return f"{head}\n{neutralize(text)}\n</DATA>"


def unwrap(block: str) -> str:
    """Return the text of a block that `wrap` made. Raises ValueError when this is no block."""
    found = _BLOCK.match(block)
    if not found:
        raise ValueError("no DATA block")
    return _change_tag_signs(found.group(1), _unescape)


def neutralize(text: str) -> str:
    """Return the text with every sign that ends or begins a block written as a character reference."""
    return _change_tag_signs(text, _escape)


def neutralize_value(value: Any) -> Any:
    """Return the JSON value with every text in it neutralised, keys too."""
    if isinstance(value, str):
        return neutralize(value)
    if isinstance(value, dict):
        return {neutralize_value(key): neutralize_value(item) for key, item in value.items()}
    return [neutralize_value(item) for item in value] if isinstance(value, (list, tuple)) else value


def _change_tag_signs(text: str, change: Any) -> str:
    """Return the text with `change` made to each sign that begins a tag."""
    parts: list[str] = []
    done = 0
    for found in _ANY.finditer(text):
        if _begins_tag(text, found.end()):
            parts += [text[done : found.start()], change(found.group())]
            done = found.end()
    return "".join([*parts, text[done:]]) if parts else text


def _escape(sign: str) -> str:
    if sign == "<":
        return "&lt;"
    return f"&#{ord(sign)};" if len(sign) == 1 else f"&amp;{sign[1:]}"


def _unescape(sign: str) -> str:
    if len(sign) == 1:
        return sign
    if sign.startswith("&amp;"):
        return f"&{sign[5:]}"
    return "<" if sign == "&lt;" else chr(int(sign[2:-1]))


def _begins_tag(text: str, place: int) -> bool:
    """Return whether the text from `place` on, behind the sign, reads as `DATA` or `/DATA`."""
    closing, met = False, 0
    for index, letter in _plain_letters(text, place):
        if met == len(_TAG):
            return closing or index > place or letter not in _WORD
        if letter == "/" and not met:
            closing = True
        elif letter == _TAG[met]:
            met += 1
            place = index + 1
        else:
            return False
    return met == len(_TAG)


def _plain_letters(text: str, place: int) -> Iterator[tuple[int, str]]:
    """Yield (offset, plain lower-case letter) for all that an eye sees from `place` on."""
    from unicodedata import category, normalize

    for index in range(place, len(text)):
        mark = text[index]
        if mark < "\x80":
            plain = "" if mark <= " " or mark == "\x7f" else mark
        elif mark in _UNSEEN or category(mark)[0] in "CZ":
            plain = ""
        else:
            plain = "".join(part for part in normalize("NFKD", mark) if category(part)[0] != "M")
        for letter in plain.casefold():
            yield index, _LOOKALIKES.get(letter, letter)


def _attribute(value: str) -> str:
    quoted = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(c if _harmless(c) else f"&#{ord(c)};" for c in quoted)


def _harmless(mark: str) -> bool:
    return mark.isprintable() and mark not in f"\uff02\uff1e\ufe65{_SIGNS}{_UNSEEN}"
