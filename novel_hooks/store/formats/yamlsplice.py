"""A splice of a YAML text: one value is set or dropped, and every other byte stays.

ruamel.yaml gives the place of a value (`compose`), and only that span is replaced. The result is read again.
It must hold exactly the wanted value and all comments of the old text. Otherwise `Unspliced` is raised.
"""

from __future__ import annotations

import copy
import json
from contextlib import contextmanager

from novel_hooks import errors
from novel_hooks.annotations import Any, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.store.formats import yamlio

_PLAIN = Pattern(r"[A-Za-z][A-Za-z0-9_-]*")
_ODD = ("true", "false", "null", "yes", "no", "on", "off")


class Unspliced(Exception):
    """A text in which this one value cannot be changed alone.

    `line` (from 1) is that of the comment that would be lost (`comment`), else of the last key found.
    """

    def __init__(self, line: int = 0, comment: bool = False) -> None:
        super().__init__()
        self.line = line
        self.comment = comment


def set_value(text: str, path: str, keys: Sequence[str], value: Any) -> str:
    """Return `text` with `value` (text, number, or a list of these) at `keys`; missing maps are made.

    Raises `YamlBroken` for a faulty `text`, `Unspliced`.
    """
    before = yamlio.parse(text, path)
    with _located(text, keys):
        wanted = _with_value(before, keys, value)
        try:
            return _checked(text, _put(text, list(keys), value, at_end=True), path, wanted)
        except Unspliced:  # the text may end in a mark such as `...`
            return _checked(text, _put(text, list(keys), value, at_end=False), path, wanted)


def drop_value(text: str, path: str, keys: Sequence[str]) -> str:
    """Return `text` without the value at `keys`, its lines cut or made comments.

    A value is cut where `set_value` would put it, where a comment holds it too, and inside `{…}`. No comment
    goes with it. An absent value gives the same text. Raises as `set_value`.
    """
    before = yamlio.parse(text, path)
    wanted = copy.deepcopy(before)
    above = value_at(wanted, keys[:-1])
    if not isinstance(above, dict) or keys[-1] not in above:
        return text
    del above[keys[-1]]
    with _located(text, keys):
        cut, noted = _drop(text, list(keys))
        try:
            return _checked(text, cut, path, wanted)
        except Unspliced:
            if noted is None:
                raise
            return _checked(text, noted, path, wanted)


@contextmanager
def _located(text: str, keys: Sequence[str]) -> Iterator[None]:
    try:
        yield
    except Unspliced as wrong:
        if not wrong.line:
            root = yamlio.node_tree(text)
            _, node, entry = (0, None, None) if root is None else _deepest(root, keys)
            found = node if entry is None else entry[0]
            wrong.line = 1 if found is None else int(found.start_mark.line) + 1
        raise


def _checked(before: str, text: str, path: str, wanted: Any) -> str:
    try:
        found = yamlio.parse(text, path)
    except errors.YamlBroken as wrong:
        raise Unspliced from wrong
    if _bare({"": found}) != _bare({"": wanted}):
        raise Unspliced
    after = iter(_comments(text))
    for line, comment in _comments(before):
        if not any(one.endswith(comment) for _, one in after):
            raise Unspliced(line, comment=True)
    return text


def _comments(text: str) -> list[tuple[int, str]]:
    """List (line from 1, text from its `#` on) of every comment: a `#` that is in no value and no key."""
    spans = sorted(_spans(text, yamlio.node_tree(text)))
    found: list[tuple[int, str]] = []
    place = text.find("#")
    while place >= 0:
        while spans and spans[0][1] <= place:
            spans.pop(0)
        end = spans[0][1] if spans and spans[0][0] <= place else 0
        if not end:
            end = _line_end(text, place)
            found.append((text.count("\n", 0, place) + 1, text[place:end].rstrip()))
        place = text.find("#", end)
    return found


def _spans(text: str, node: Any) -> Iterator[tuple[int, int]]:
    """Yield the span of each scalar; of a block scalar, the lines after its `|`."""
    if node is None:
        return
    if node.id == "scalar":
        first, last = int(node.start_mark.index), int(node.end_mark.index)
        yield (_line_end(text, first) if node.style in ("|", ">") else first), last
        return
    for one in node.value:
        for part in one if isinstance(one, tuple) else (one,):
            yield from _spans(text, part)


def _bare(value: Any) -> Any:
    """Return the value with each empty map as None: a map whose last line became a comment is None."""
    if isinstance(value, dict):
        return {key: None if one == {} else _bare(one) for key, one in value.items()}
    return value


def _with_value(value: Any, keys: Sequence[str], new: Any) -> Any:
    if not keys:
        return new
    if value is not None and not isinstance(value, dict):
        raise Unspliced
    below = dict(value or {})
    below[keys[0]] = _with_value(below.get(keys[0]), keys[1:], new)
    return below


def value_at(value: Any, keys: Sequence[str]) -> Any:
    """Return the part of a parsed `value` at `keys`; None when there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _put(text: str, keys: list[str], value: Any, at_end: bool) -> str:
    """Return `text` with the value put at `keys`.

    A new key of the outermost map goes to the end of the text, or (not `at_end`) behind the last one.
    """
    root = yamlio.node_tree(text)
    if root is None or (root.id == "scalar" and not root.value):
        return _with_line_end(text) + _lines(keys, value, 0)
    found, node, entry = _deepest(root, keys)
    left = keys[found:]
    if not found and at_end and node.id == "mapping" and not node.flow_style:
        return _with_line_end(text) + _lines(left, value, _column(node))
    if not left:
        return _replaced(text, entry, _flow(value))
    if node.id == "mapping" and node.flow_style:
        return _into_flow(text, node, left, value)
    if node.id == "mapping":
        line, column = _line_end(text, _end(text, node)), _column(node)
    elif node.id == "scalar" and node.start_mark.index == node.end_mark.index and entry is not None:
        line, column = _line_end(text, entry[0].end_mark.index), entry[0].start_mark.column + 2
    else:
        raise Unspliced
    return _with_line_end(text[:line]) + _lines(left, value, column) + text[line:]


def _drop(text: str, keys: list[str]) -> tuple[str, str | None]:
    """Return the text without the value, and the text with its lines as comments (None inside `{…}`).

    The first is the second where the lines must stay: also where nothing else would, for an empty file looks
    as if it were lost.
    """
    root = yamlio.node_tree(text)
    _, parent, _ = _deepest(root, keys[:-1])
    entries = parent.value
    at = next(i for i, (key, _) in enumerate(entries) if key.value == keys[-1])
    key, value = entries[at]
    empty = value.start_mark.index == value.end_mark.index
    end = int(key.end_mark.index) if empty else _end(text, value)
    if parent.flow_style:
        first = key.start_mark.index if at == 0 else _end(text, entries[at - 1][1])
        last = entries[1][0].start_mark.index if at == 0 and len(entries) > 1 else end
        return text[:first] + text[last:], None
    first = text.rfind("\n", 0, key.start_mark.index) + 1
    if text[first : key.start_mark.index].strip():
        raise Unspliced  # its line begins with something else
    last, column = _line_end(text, end), key.start_mark.column
    top, comments = text.count("\n", 0, first) + 1, dict(_comments(text))
    note = "\n".join(
        line if comments.get(number) == line.strip() else _comment(line, column)
        for number, line in enumerate(text[first:last].split("\n"), top)
    )
    noted = text[:first] + note + text[last:]
    there = f"\n{note.rstrip()}\n" in f"\n{text[:first]}\n{text[last:]}\n"
    last_below = len(keys) > 1 and at == len(entries) - 1
    bottom = text.count("\n", 0, last) + 1 if last_below and last < len(text) else len(text)
    put_there = not any(top <= number < bottom for number in comments)
    cut = text[:first] + text[last:]
    return (cut if (there or put_there) and cut.strip() else noted), noted


def _comment(line: str, column: int) -> str:
    place = min(column, len(line) - len(line.lstrip(" ")))
    return f"{line[:place]}# {line[place:]}" if line.strip() else line


def _deepest(root: Any, keys: Sequence[str]) -> tuple[int, Any, Any]:
    """Return how many of `keys` are in the tree, the last one's node and its (key, value) entry."""
    node, entry = root, None
    for number, key in enumerate(keys):
        pairs = node.value if node.id == "mapping" else ()
        here = next((pair for pair in pairs if pair[0].value == key), None)
        if here is None:
            return number, node, entry
        entry, node = here, here[1]
    return len(keys), node, entry


def _replaced(text: str, entry: Any, shown: str) -> str:
    """Return `text` with `shown` as the entry's value; a comment between key and value comes behind it."""
    key, value = entry
    first, last, between = value.start_mark.index, _end(text, value), ""
    if value.id != "scalar" and not value.flow_style:
        behind = int(key.end_mark.index)
        first, between = text.index(":", behind) + 1, text[behind:first].partition(":")[2].rstrip()
    if last <= first:  # nothing is written there
        first = last = text.index(":", key.end_mark.index) + 1
    gap = "" if text[first - 1 : first].isspace() else " "
    return text[:first] + gap + shown + between + text[last:]


def _into_flow(text: str, node: Any, keys: list[str], value: Any) -> str:
    """Return `text` with the value put into the `{…}` of `node`, behind its last entry."""
    shown = _flow(value)
    for key in reversed(keys[1:]):
        shown = f"{{{_flow(key)}: {shown}}}"
    shown = f"{_flow(keys[0])}: {shown}"
    if not node.value:
        place = node.start_mark.index + 1
        return text[:place] + shown + text[place:]
    place = _end(text, node.value[-1][1])
    return f"{text[:place]}, {shown}{text[place:]}"


def _end(text: str, node: Any) -> int:
    """Return the offset behind the node's last character; of a block, of its last leaf."""
    if node.id != "scalar" and not node.flow_style and node.value:
        last = node.value[-1]
        if isinstance(last, tuple):
            return max(_end(text, last[1]), int(last[0].end_mark.index) + 1)
        return _end(text, last)
    end = int(node.end_mark.index)
    while node.id == "scalar" and end > node.start_mark.index and text[end - 1] in "\n ":
        end -= 1
    return end


def _column(node: Any) -> int:
    return int(node.value[0][0].start_mark.column)


def _line_end(text: str, index: int) -> int:
    """Return the start of the next line, or the end of the text."""
    found = text.find("\n", index)
    return len(text) if found < 0 else found + 1


def _with_line_end(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _lines(keys: Sequence[str], value: Any, column: int) -> str:
    """Return lines with `keys` one below the other from `column` on, the value behind the last."""
    lines = [" " * (column + 2 * depth) + f"{_flow(key)}:" for depth, key in enumerate(keys)]
    return "\n".join(lines) + f" {_flow(value)}\n"


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_flow(one) for one in value)}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _ODD:
        return value
    return json.dumps(value, ensure_ascii=False)
