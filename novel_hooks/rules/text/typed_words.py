"""What an author may type in Chinese where a command takes a word, and what each word stands for. Pure.

The first word of a key is the one that is shown; the others are read too. English stays as good as Chinese.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

from novel_hooks import roles
from novel_hooks.pattern import Pattern
from novel_hooks.rules.text.numerals import UNSEEN

DECISIONS: Mapping[str, tuple[str, ...]] = {
    "accept": ("接受",),
    "revise": ("再修订", "修订"),
    "rewrite": ("重写", "整章重写"),
    "skip-delta": ("跳过状态增量", "跳过"),
    "go-on": ("接着走", "接着往下走"),
    "again": ("再做一遍", "重做"),
    "stop": ("先停下", "先停在这里"),
}
STATUS: Mapping[str, tuple[str, ...]] = {
    "planned": ("计划中",),
    "planted": ("已埋",),
    "advanced": ("推进中",),
    "resolved": ("已收",),
    "open": ("未收", "在途"),
}
SCOPE: Mapping[str, tuple[str, ...]] = {"short": ("短线",), "medium": ("中线",), "long": ("长线",)}
JUDGES: Mapping[str, tuple[str, ...]] = {
    "primary": ("主评审", "第一位评审"),
    "secondary": ("第二评审", "第二位评审"),
}
STOPS: Mapping[str, tuple[str, ...]] = {
    "draft": (roles.PHASE_TITLES["draft"], "初稿"),
    "summarize": (roles.PHASE_TITLES["summarize"], "摘要"),
    "refine": (roles.PHASE_TITLES["refine"],),
    "judge": (roles.PHASE_TITLES["judge"],),
    "revise": (roles.PHASE_TITLES["revise"], "修订"),
    "polish": (roles.PHASE_TITLES["polish"],),
    "every": ("每一步",),
    "none": ("都不停", "不停"),
}
SIDES: Mapping[str, tuple[str, ...]] = {
    "input": ("输入",),
    "output": ("输出",),
    "cache_write": ("写缓存", "缓存写"),
    "cache_read": ("读缓存", "缓存读"),
}
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "title": ("书名",),
    "genre": ("题材",),
    "gate": ("门控",),
    "gate.pass": ("通过线",),
    "gate.polish": ("润色线",),
    "gate.revise": ("修订线",),
    "gate.pause": ("停笔线",),
    "max_revisions": ("修订轮数",),
    "chapter_chars": ("一章字数",),
    "max_characters": ("人物数",),
    "stop_after": ("做完停下",),
    "models": ("模型",),
    "packet_chars": ("资料字数",),
    "currency": ("币种",),
    "prices": ("价钱",),
}
ALIKE = 0.6
"""How like a word must be to be offered where nothing else is said."""
_ALIKE = 0.7
"""How like a name a word must be (`difflib`'s ratio) to be taken for a slip of it: `titel`, 通过."""
_BEGUN = 3
_SHOWN = 8
_BETWEEN = Pattern(r"[\s,，、;；~～]+")
_WIDE = {ord("．"): ".", ord("。"): ".", ord("："): ":", ord("－"): "-", **dict.fromkeys(map(ord, UNSEEN))}
_WIDE.update({0xFEE0 + n: chr(n) for n in range(0x30, 0x3A)})


def normalize_typed(text: str) -> str:
    """Full-width digits and points as the keyboard has them; white space around it does not matter."""
    return text.translate(_WIDE).strip()


def is_blank(told: str) -> bool:
    """Is there nothing in it that can be seen?"""
    return not any(mark.isprintable() and not mark.isspace() and mark not in _DRAWS_NOTHING for mark in told)


_DRAWS_NOTHING = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by the standard, with nothing to see of them."""


def split_list(told: str) -> list[str]:
    """`写初稿，评审` → [写初稿, 评审]: what stands between commas, blanks and the like."""
    return [one for one in _BETWEEN.split(told.strip().strip("[]［］【】")) if one]


def number_list(numbers: Iterable[int]) -> str:
    """`3、7、9 等 12`, in order: the first eight, and how many there are."""
    ordered = sorted(numbers)
    shown = "、".join(map(str, ordered[:_SHOWN]))
    return shown if len(ordered) <= _SHOWN else f"{shown} 等 {len(ordered)}"


def find_key(words: Mapping[str, tuple[str, ...]], told: str) -> str:
    """What `told` stands for; `told` itself when it is no word of the table."""
    said = told.strip()
    return next((name for name, known in words.items() if said in known), said)


def nearest(word: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """The known word that is most like `word`, from the ratio `alike` on (`difflib`); else None."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), 1, alike)
    return found[0] if found else None


def meant(told: str, names: Iterable[str]) -> str | None:
    """The name that `told` was meant to be: a slip away, begun with it, or with it as a part; else None."""
    said, known = told.strip().lower(), list(names)
    lower = {name.lower(): name for name in reversed(known)}
    slip = nearest(said, lower, _ALIKE)
    near = [] if slip is None else [slip]
    parts = [name for name in lower if said in name.replace("_", "-").split("-")]
    begun = [name for name in lower if len(said) >= _BEGUN and name.startswith(said)]
    return next((lower[name] for name in (*near, *parts, *begun)), None)


def word_of(words: Mapping[str, tuple[str, ...]], name: str) -> str:
    """The word for a key, the key itself when it has none."""
    return words[name][0] if name in words else name


def setting_key(told: str) -> str:
    """`通过线` → `gate.pass`, `模型.写初稿` → `models.draft`; anything else as it is."""
    whole = find_key(SETTINGS, normalize_typed(told))
    head, _, rest = whole.partition(".")
    head = find_key(SETTINGS, head)
    if not rest:
        return head
    if head == "models":
        return f"{head}.{_model_key(rest)}"
    if head == "packet_chars":
        return f"{head}.{next((agent for agent, role in roles.ROLES.items() if role.title == rest), rest)}"
    if head == "prices":
        model, point, side = rest.rpartition(".")
        return f"{head}.{model}{point}{find_key(SIDES, side)}"
    return find_key(SETTINGS, rest) if find_key(SETTINGS, rest).startswith(f"{head}.") else f"{head}.{rest}"


def _model_key(told: str) -> str:
    if told in JUDGES["secondary"]:
        return "second_judge"
    phases = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    titles = {roles.PHASE_TITLES[phase]: phase for phase in phases}
    return titles.get(told, find_key(STOPS, told))


def setting_name(name: str) -> str:
    """A setting's name in Chinese, which `setting` reads back."""
    head, _, rest = name.partition(".")
    if name in SETTINGS or not rest:
        return word_of(SETTINGS, name)
    if head == "models":
        word = JUDGES["secondary"][1] if rest == "second_judge" else roles.PHASE_TITLES.get(rest, rest)
    elif head == "packet_chars":
        word = roles.ROLES[rest].title if rest in roles.ROLES else rest
    else:
        model, point, side = rest.rpartition(".")
        word = f"{model}{point}{word_of(SIDES, side)}"
    return f"{word_of(SETTINGS, head)}.{word}"
