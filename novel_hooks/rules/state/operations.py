"""One op of a delta on the state: applied whole, or dropped with a reason and no trace.

Source: protocol §4. Paths are `section.id[.field[.field]]`; a foreshadow op's path is the id itself.
"""

from __future__ import annotations

from functools import cache

from novel_hooks import layout
from novel_hooks.annotations import Any, Callable, Mapping
from novel_hooks.rules.cast.field_words import OF_THINGS, WORDS
from novel_hooks.rules.foreshadowing.item import ACTIONS
from novel_hooks.rules.text.json_values import deep_copy, is_json, number, same, text

Plain = Callable[[dict[str, Any], Any], list[Any]]

SECTIONS = {
    "characters": "人物",
    "items": "物品",
    "locations": "地点",
    "factions": "势力",
    "world_state": "书里的大势",
}
"""The parts of the state that an op may change, by the author's word for each."""
NAMED = ("items", "locations", "factions")
"""The sections whose entries may be called by their name in the text."""
_OTHER_PARTS = {
    "active_foreshadowing": "在途的伏笔",
    "last_updated_chapter": "记到第几章",
    "state_version": "第几版",
}

_INTERNAL = ("constructor", "prototype")
_LARGEST_COUNT = 10**15
"""The limit of a count: beyond it floats lose units."""


class Dropped(ValueError):
    """The reason why one op was not applied, in Chinese."""


class Run:
    """A delta's ops, applied one after the other to `state`, which they change in place.

    `resolved` are ids of foreshadowing and grow with it. `dropped` holds `{op, reason}`.
    """

    __slots__ = ("applied", "dropped", "resolved", "state")

    def __init__(self, state: dict[str, Any], resolved: set[str]) -> None:
        self.state, self.resolved = state, resolved
        self.applied: list[dict[str, Any]] = []
        self.dropped: list[dict[str, Any]] = []

    def take(self, op: Any, plain: Plain | None = None) -> None:
        """Apply `op`, or add it to `dropped` with its reason.

        `plain` makes of it the ops that are applied instead, each of which must apply, or raises Dropped.
        """
        try:
            for one in [op] if plain is None else plain(self.state, op):
                self._apply(one)
                self.applied.append(one)
        except Dropped as dropped:
            self.dropped.append({"op": op, "reason": str(dropped)})

    def _apply(self, op: Any) -> None:
        kind, path, value = op_parts(op)
        if kind == "foreshadow":
            self._foreshadow(path, value)
        else:
            _DOES[kind](self.state, split_path(path), value)

    def _foreshadow(self, name: str, action: Any) -> None:
        if not isinstance(action, str) or action not in ACTIONS:
            raise Dropped(f"伏笔只能是 {'、'.join(ACTIONS)}")
        listed = self.state.get("active_foreshadowing")
        active = {one for one in listed if isinstance(one, str)} if isinstance(listed, list) else set()
        if action == "resolved":
            self.resolved.add(name)
        self.state["active_foreshadowing"] = sorted((active | {name}) - self.resolved)


def describe(op: object) -> str:
    """Return the op for an agent, at most 60 characters: `set items.sword.owner`."""
    text = f"{op.get('op')} {op.get('path')}" if isinstance(op, dict) else str(op)
    return text[:60]


def place_words(at: int) -> str:
    """Return where an op stands in its delta, for people: the index `at` counted from 1."""
    return f"第 {at + 1} 条变更"


def author_line(op: object, names: Mapping[str, str]) -> str:
    """Return the op in the author's words, at most 60 characters: `「桑准」的随身之物去掉「旧绳」`.

    `names` are id → name; an id without one, and a field without a word of his, stand as they are.
    """
    path = op.get("path") if isinstance(op, dict) else None
    if not isinstance(op, dict) or not isinstance(path, str) or not isinstance(op.get("op"), str):
        return describe(op)
    thread, told = op["op"] == "foreshadow", op.get("value")
    where = f"「{names.get(path, path)}」" if thread else author_place(path, names)
    value = f"「{told}」" if isinstance(told, (str, int, float)) else ""
    verb = _VERBS.get(op["op"], f"（{op['op']}）")
    return f"{where}{verb}{value}"[:60]


def author_place(path: str, names: Mapping[str, str]) -> str:
    """Return a place of the state in the author's words: `「桑准」的所在`. `names` as for `author_line`."""
    section, *rest = path.split(".")
    if section not in SECTIONS:
        return _OTHER_PARTS.get(path, path)
    own = [] if section == "world_state" else rest[:1]
    whose = "".join(f"「{names.get(one, one)}」" for one in own) or ("书里" if rest else SECTIONS[section])
    words = WORDS if section == "characters" else OF_THINGS
    fields = [words.get(one, names.get(one, one)) for one in rest[len(own) :]]
    return "的".join([whose, *fields])


_VERBS = {"set": "改为", "inc": "加", "add": "添上", "remove": "去掉", "foreshadow": "这条伏笔记为"}


@cache  # a replay of the log meets few paths, each many times
def split_path(path: str) -> tuple[str, ...]:
    """Split a state path into its segments: `items.sword.owner` → `items`, `sword`, `owner`.

    Raises Dropped when the path is not one of protocol §4.
    """
    segments = tuple(path.split("."))
    if not 2 <= len(segments) <= 4:
        raise Dropped("路径应有 2 到 4 段")
    if any(not part or part != part.strip() for part in segments):
        raise Dropped("路径里有空的一段或多余的空格")
    if any(part.startswith("__") or part in _INTERNAL for part in segments):
        raise Dropped("路径里有不允许的名字")
    if segments[0] not in SECTIONS:
        raise Dropped(f"路径应以 {'、'.join(SECTIONS)} 开头")
    if segments[0] == "characters" and not layout.SLUG.match(segments[1]):
        raise Dropped("角色应写编号（小写字母、数字和连字符），不写名字")
    return segments


def apply_plain(state: dict[str, Any], op: Any) -> None:
    """Apply an op that is no foreshadowing to `state`. Raises Dropped."""
    kind, path, value = op_parts(op)
    _DOES[kind](state, split_path(path), value)


def op_parts(op: Any) -> tuple[str, str, Any]:
    """Return (op, path, value). Raises Dropped when it has no such shape."""
    if not isinstance(op, dict):
        raise Dropped("不是一条变更")
    kind, path = op.get("op"), op.get("path")
    if not isinstance(kind, str) or (kind not in _DOES and kind != "foreshadow"):
        raise Dropped("不认识的变更方式")
    if not isinstance(path, str) or text(path) is None:
        raise Dropped("没有写路径")
    if "value" not in op:
        raise Dropped("没有写 value")
    if not is_json(op):
        raise Dropped("含有不能保存的值")
    return kind, path, op["value"]


def _find(state: dict[str, Any], segments: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the deepest existing map on the path, and the segments below it (at least the last one)."""
    here, rest = state, segments
    while len(rest) > 1 and rest[0] in here:
        below = here[rest[0]]
        if not isinstance(below, dict):
            raise Dropped(f"「{rest[0]}」已经是一个值，不能再往下写")
        here, rest = below, rest[1:]
    return here, rest


def _put(here: dict[str, Any], rest: tuple[str, ...], segments: tuple[str, ...], value: Any) -> None:
    """Store a copy of the value, and make the maps above it.

    A later op may change the stored value, and the log keeps the op as it came.
    """
    if segments[0] == "characters" and len(segments) == 2 and not isinstance(value, dict):
        raise Dropped("一个角色应是一组资料，不能只是一个值")
    for name in rest[:-1]:
        here = here.setdefault(name, {})
    here[rest[-1]] = deep_copy(value)


def _set(state: dict[str, Any], segments: tuple[str, ...], value: Any) -> None:
    here, rest = _find(state, segments)
    if isinstance(here.get(rest[0]), dict) and not isinstance(value, dict):
        raise Dropped("这样会抹掉整组资料；请写到具体的一项")
    _put(here, rest, segments, value)


def _inc(state: dict[str, Any], segments: tuple[str, ...], value: Any) -> None:
    here, rest = _find(state, segments)
    step, old = number(value), number(here.get(rest[0], 0))
    if step is None:
        raise Dropped("inc 的 value 应是一个数")
    if old is None:
        raise Dropped("原来的值不是数，不能增减")
    if max(abs(step), abs(old)) > _LARGEST_COUNT:
        raise Dropped("数太大")
    _put(here, rest, segments, old + step)


def _add(state: dict[str, Any], segments: tuple[str, ...], value: Any) -> None:
    here, rest = _find(state, segments)
    if rest[0] not in here:
        _put(here, rest, segments, [value])
        return
    listed = here[rest[0]]
    if not isinstance(listed, list):
        raise Dropped("原来的值不是列表，不能添加")
    if not any(same(one, value) for one in listed):
        listed.append(deep_copy(value))


def _remove(state: dict[str, Any], segments: tuple[str, ...], value: Any) -> None:
    here, rest = _find(state, segments)
    listed = here.get(rest[0])
    if not isinstance(listed, list):
        raise Dropped("这里没有可以去掉东西的列表")
    at = next((index for index, one in enumerate(listed) if same(one, value)), None)
    if at is None and segments[2:] == ("owes",):
        at = _debt_place(listed, value)
    if at is None:
        raise Dropped("列表里没有这一项")
    del listed[at]


def _debt_place(debts: list[Any], value: Any) -> int | None:
    """Return the index of the one debt that is called by its `what` alone; None when none or several are."""
    what = value.get("what") if isinstance(value, dict) else value
    found = [n for n, one in enumerate(debts) if isinstance(one, dict) and text(what) == one.get("what")]
    return found[0] if len(found) == 1 else None


_DOES = {"set": _set, "inc": _inc, "add": _add, "remove": _remove}
