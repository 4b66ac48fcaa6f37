"""The author's settings: names, meanings, defaults. Pure.

A setting's name is its place in `novel.yaml`: `gate.pass` is `pass` below `gate`. Source: protocol §3 (gate),
seed 000 Steps 2.4, 3 (caps, models), seed 004 (`stop_after`).
"""

from __future__ import annotations

from novel_hooks import defaults, roles
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.packet.size_limit import LIMITS
from novel_hooks.rules.settings import budget
from novel_hooks.rules.settings.prices import SIDES, Price, is_whole, price_of
from novel_hooks.rules.steps.agents import SECOND_JUDGE, default_model

GATE_KEYS = ("pass", "polish", "revise", "pause")
MODEL_KEYS = (*roles.CHAPTER_AGENTS, SECOND_JUDGE, *roles.SETUP_AGENTS, *roles.VOLUME_AGENTS)
SECTIONS: Mapping[str, Sequence[str]] = {
    "gate": GATE_KEYS,
    "models": MODEL_KEYS,
    "budget": budget.KEYS,
    "codex_models": MODEL_KEYS,
    "packet_chars": tuple(LIMITS),
    "prices": (),
}

MODEL_NAME = Pattern(r"[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99}")


class Setting(Record):
    """One setting: its name, its meaning (Chinese), its value when the file has none."""

    key: str
    meaning: str
    default: Any


def all_settings() -> list[Setting]:
    """Return the settings in the order of the file.

    `prices` as a whole, for its names are the models', and `codex_models`, for few authors have both hosts.
    """
    return [
        Setting("title", "书名", ""),
        Setting("genre", "题材", ""),
        Setting("gate.pass", "通过线：总分到这里，直接入库", defaults.PASS_AT),
        Setting("gate.polish", "润色线：到这里，再润色一遍就入库", defaults.POLISH_AT),
        Setting("gate.revise", "修订线：到这里，退回去修订", defaults.REVISE_AT),
        Setting("gate.pause", "停笔线：到这里，停下来等你决定；再低，建议整章重写", defaults.PAUSE_AT),
        Setting("max_revisions", "一章最多自动修订几轮", defaults.MAX_REVISIONS),
        Setting("chapter_chars", "一章多少字：下限、上限", list(defaults.CHAPTER_CHARS)),
        Setting("max_characters", "契约没有点名时，最多带几个人物给写手", defaults.MAX_CHARACTERS),
        Setting("scene_break", "换场处单独写的一行，如 ＊＊＊；不写就是空两行", ""),
        Setting("stop_after", "做完哪几步停下来给你看，如 写初稿,评审；每一步、都不停", []),
        Setting("keep_versions", "最近多少章留着初稿、修订稿，供 novel diff 对比", defaults.KEEP_VERSIONS),
        Setting("backup_after", "写了几章没有备份，看进度时提醒；0 是不提醒", defaults.BACKUP_AFTER),
        Setting("chapter_names", "正文的文件名：number 只有章号，title 带章名；改了运行 novel sync", None),
        Setting("daily_chars", "一天想写多少字，如 novel 目标 2000；novel status 里对照着报", None),
        *(Setting(f"models.{key}", f"{_model_title(key)}用的模型", default_model(key)) for key in MODEL_KEYS),
        Setting("codex_models", "在 Codex 里各步用的模型，或用几分力（low、medium、high、xhigh）", {}),
        Setting("currency", "prices 里的价钱是什么钱，如 美元", ""),
        Setting(
            "prices", "各模型每百万词元的价钱：输入 input、输出 output，缓存 cache_write、cache_read", {}
        ),
        *(Setting(f"budget.{key}", _BUDGET[key], None) for key in budget.KEYS),
        *(
            Setting(f"packet_chars.{agent}", f"一次最多给{roles.ROLES[agent].title}多少字的资料", limit)
            for agent, limit in LIMITS.items()
        ),
    ]


_BUDGET = {
    "chapter_tokens": "一章最多花多少词元（读、写、缓存都算），下一步要超就先停下",
    "chapter_money": "一章最多花多少钱（照 prices 算），下一步要超就先停下",
    "run_tokens": "一趟（输入一次 /novel:continue）最多花多少词元",
    "run_money": "一趟（输入一次 /novel:continue）最多花多少钱",
}


def _model_title(key: str) -> str:
    return roles.JUDGES["secondary"] if key == SECOND_JUDGE else f"「{roles.PHASE_TITLES[key]}」"


KEYS = tuple(dict.fromkeys(one.key.partition(".")[0] for one in all_settings()))
"""The names at the top of `novel.yaml`."""


def unpriced_models(chosen: Mapping[str, str], known: Mapping[str, Price]) -> list[str]:
    """Return the models that the steps ask for and that have no whole price, the most used first.

    None where only other models have one: the author works in another host, which names its own.
    """
    asked = [chosen.get(key) or default_model(key) for key in MODEL_KEYS]
    missing = [model for model in asked if not is_whole(price_of(model, known))]
    if len(missing) == len(asked) and any(map(is_whole, known.values())):
        return []
    return sorted(set(missing), key=lambda model: (-missing.count(model), model))


def is_known(key: str) -> bool:
    """Tell whether the name is that of one value; a map such as `gate` is set line by line."""
    parts = key.split(".")
    if parts[0] == "prices":  # a model's name may hold dots
        model = ".".join(parts[1:-1])
        return parts[-1] in SIDES and bool(MODEL_NAME.fullmatch(model))
    if parts[0] == "codex_models":
        return len(parts) == 2 and parts[1] in MODEL_KEYS
    return any(setting.key == key for setting in all_settings())


def is_map(key: str) -> bool:
    """Tell whether the name is that of several settings, such as `gate` or `prices.sonnet`."""
    parts = key.split(".")
    return key in SECTIONS or (parts[0] == "prices" and len(parts) == 2)


def value_at(document: Mapping[str, Any], key: str) -> Any:
    """Return the value that the file has for the name; None when it has none."""
    value: Any = document
    for part in split_key(key):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def split_key(key: str) -> list[str]:
    """Split a name into its places: `gate.pass` → [gate, pass].

    Of `prices` the middle is the model's name, which may hold dots.
    """
    parts = key.split(".")
    if parts[0] == "prices" and len(parts) > 3:
        return [parts[0], ".".join(parts[1:-1]), parts[-1]]
    return parts
