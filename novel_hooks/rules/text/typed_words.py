"""The Chinese words that an author may type where a command takes an English key. Pure.

Of the words of a key the first is shown, the others are read too. The key itself is always read as well.
"""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import Iterable, Mapping
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
    "dropped": ("已放下", "放下"),
    "open": ("未收", "在途"),
}
SCOPE: Mapping[str, tuple[str, ...]] = {"short": ("短线",), "medium": ("中线",), "long": ("长线",)}
JUDGES: Mapping[str, tuple[str, ...]] = {
    "primary": (roles.JUDGES["primary"], "第一位评审"),
    "secondary": (roles.JUDGES["secondary"], "第二位评审"),
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
FORMATS: Mapping[str, tuple[str, ...]] = {
    "txt": ("txt", "TXT", "文本"),
    "markdown": ("markdown", "md", "MD", "Markdown"),
    "epub": ("epub", "EPUB", "电子书"),
    "docx": ("word", "docx", "DOCX", "Word"),
}
PRESETS: Mapping[str, tuple[str, ...]] = {
    "plain": ("通用",),
    "qidian": ("起点",),
    "fanqie": ("番茄",),
    "jjwxc": ("晋江",),
}
SIDES: Mapping[str, tuple[str, ...]] = {
    "input": ("输入",),
    "output": ("输出",),
    "cache_write": ("写缓存", "缓存写"),
    "cache_read": ("读缓存", "缓存读"),
}
FILE_NAMES: Mapping[str, tuple[str, ...]] = {
    "number": ("章号", "只有章号"),
    "title": ("章名", "带章名", "标题"),
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
    "daily_chars": ("每日目标",),
    "max_characters": ("人物数",),
    "stop_after": ("做完停下",),
    "keep_versions": ("留稿章数",),
    "backup_after": ("备份提醒",),
    "chapter_names": ("文件名",),
    "models": ("模型",),
    "codex_models": ("Codex模型",),
    "packet_chars": ("资料字数",),
    "budget": ("预算",),
    "budget.chapter_tokens": ("一章词元",),
    "budget.chapter_money": ("一章花费",),
    "budget.run_tokens": ("一趟词元",),
    "budget.run_money": ("一趟花费",),
    "currency": ("币种",),
    "scene_break": ("场景分隔",),
    "prices": ("价钱",),
}
_YES = (  # each between blanks
    " y yes yeah yep ok okay okey sure 是 是的 是啊 好 好的 好吧 好啊 好呀 好了 行 行的 行吧 行啊 "
    "可以 可以的 嗯 嗯嗯 对 对的 没错 确认 确定 同意 要 做 中 没问题 就这样 就这样吧 就这样做 继续 "
)
_NO = (
    " n no nope 不 不了 不是 不要 不用 不用了 不行 不好 不做 不可以 不同意 不对 别 别了 否 算了 算了吧 "
    "取消 放弃 停 先不 先不了 先别 再说 再想想 等等 没有 "
)
_SPEECH = Pattern(r"[\s。．.！!，,、~～…“”\"'「」]+")
ALIKE = 0.6
"""The least likeness (`difflib`'s ratio) from which `nearest` offers a word."""
_ALIKE = 0.7
"""The least likeness of a word to a name for `meant` to take it for a slip: `titel` for `title`."""
_BEGUN = 3
_SHOWN = 8
_BETWEEN = Pattern(r"[\s,，、;；~～]+")
_WIDE = {ord("．"): ".", ord("。"): ".", ord("："): ":", ord("－"): "-", **dict.fromkeys(map(ord, UNSEEN))}
_WIDE.update({0xFEE0 + n: chr(n) for n in range(0x30, 0x3A)})


def normalize_typed(text: str) -> str:
    """Return the typed text trimmed, full-width digits and points made ASCII: `４。５` → `4.5`."""
    return text.translate(_WIDE).strip()


def yes_or_no(text: str) -> bool | None:
    """Return what the typed answer says: `好的。` → True, `算了` → False; None when it says neither."""
    from unicodedata import normalize

    said = _SPEECH.sub("", normalize("NFKC", text)).lower()
    return True if f" {said} " in _YES else False if f" {said} " in _NO else None


def is_blank(text: str) -> bool:
    """Tell whether the text shows nothing on a screen."""
    return not any(mark.isprintable() and not mark.isspace() and mark not in _DRAWS_NOTHING for mark in text)


_DRAWS_NOTHING = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Characters that Unicode counts as letters or signs, but that draw nothing."""


def split_list(text: str) -> list[str]:
    """Split a typed list at commas, blanks and the like: `写初稿，评审` → [写初稿, 评审]."""
    return [part for part in _BETWEEN.split(text.strip().strip("[]［］【】")) if part]


def number_list(numbers: Iterable[int]) -> str:
    """Return the numbers in order as the author reads them: `3、7、9`.

    Of more than eight the first eight and how many there are: `1、2、3、4、5、6、7、8 等 12`.
    """
    ordered = sorted(numbers)
    shown = "、".join(map(str, ordered[:_SHOWN]))
    return shown if len(ordered) <= _SHOWN else f"{shown} 等 {len(ordered)}"


def find_key(words: Mapping[str, tuple[str, ...]], text: str) -> str:
    """Return the key that the typed text stands for; the text itself, trimmed, when the table lacks it."""
    typed = text.strip()
    return next((name for name, known in words.items() if typed in known), typed)


def nearest(word: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """Return the known word most similar to `word`; None when all are below the ratio `alike`."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), 1, alike)
    return found[0] if found else None


def meant(text: str, names: Iterable[str]) -> str | None:
    """Return the name that the typed text means; None when it is like none.

    In this order: the name one slip away (`titel`), one that has the text as a part (`jiu` of `qiao-jiu`),
    one that begins with it. Upper and lower case are the same.
    """
    typed, known = text.strip().lower(), list(names)
    # Of names that differ in case only the first is returned.
    lower = {name.lower(): name for name in reversed(known)}
    slip = nearest(typed, lower, _ALIKE)
    near = [] if slip is None else [slip]
    parts = [name for name in lower if typed in name.replace("_", "-").split("-")]
    begun = [name for name in lower if len(typed) >= _BEGUN and name.startswith(typed)]
    return next((lower[name] for name in (*near, *parts, *begun)), None)


def word_of(words: Mapping[str, tuple[str, ...]], name: str) -> str:
    """Return the word that is shown for a key; the key itself when the table lacks it."""
    return words[name][0] if name in words else name


def setting_key(text: str) -> str:
    """Return a setting's key: `通过线` → `gate.pass`, `模型.写初稿` → `models.draft`; other text as it is."""
    head, _, rest = find_key(SETTINGS, normalize_typed(text)).partition(".")
    head = find_key(SETTINGS, head)
    if not rest:
        return head
    if head in ("models", "codex_models"):
        return f"{head}.{_model_key(rest)}"
    if head == "packet_chars":
        return f"{head}.{next((agent for agent, role in roles.ROLES.items() if role.title == rest), rest)}"
    if head == "prices":
        model, point, side = rest.rpartition(".")
        return f"{head}.{model}{point}{find_key(SIDES, side)}"
    return find_key(SETTINGS, rest) if find_key(SETTINGS, rest).startswith(f"{head}.") else f"{head}.{rest}"


def _model_key(text: str) -> str:
    """Return the key below `models` that the author's word for a phase stands for."""
    if text in JUDGES["secondary"]:
        return "second_judge"
    phases = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    titles = {roles.PHASE_TITLES[phase]: phase for phase in phases}
    return titles.get(text, find_key(STOPS, text))


def setting_name(name: str) -> str:
    """Return a setting's name in Chinese, which `setting_key` reads back: `gate.pass` → `通过线`."""
    head, _, rest = name.partition(".")
    if name in SETTINGS or not rest:
        return word_of(SETTINGS, name)
    if head in ("models", "codex_models"):
        word = roles.JUDGES["secondary"] if rest == "second_judge" else roles.PHASE_TITLES.get(rest, rest)
    elif head == "packet_chars":
        word = roles.ROLES[rest].title if rest in roles.ROLES else rest
    else:
        model, point, side = rest.rpartition(".")
        word = f"{model}{point}{word_of(SIDES, side)}"
    return f"{word_of(SETTINGS, head)}.{word}"
