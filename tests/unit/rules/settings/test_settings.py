"""The table of settings: names, defaults, places in the file."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import roles
from novel_hooks.rules.settings import settings
from novel_hooks.rules.settings.prices import Price
from novel_hooks.rules.settings.settings import MODEL_NAME

KEYS = [
    "title",
    "genre",
    "gate.pass",
    "gate.polish",
    "gate.revise",
    "gate.pause",
    "max_revisions",
    "chapter_chars",
    "max_characters",
    "scene_break",
    "stop_after",
    "keep_versions",
    "backup_after",
    "chapter_names",
    "daily_chars",
    *(f"models.{key}" for key in settings.MODEL_KEYS),
    "codex_models",
    "currency",
    "prices",
    *(f"budget.{key}" for key in ("chapter_tokens", "chapter_money", "run_tokens", "run_money")),
    *(
        f"packet_chars.{agent}"
        for agent in ("chapter-writer", "summarizer", "style-refiner", "quality-judge")
    ),
]


def table() -> dict[str, settings.Setting]:
    return {setting.key: setting for setting in settings.all_settings()}


def test_the_settings_come_in_the_order_of_the_file() -> None:
    found = [setting.key for setting in settings.all_settings()]
    assert [key for key in found if not key.startswith("packet_chars.")] == [
        key for key in KEYS if not key.startswith("packet_chars.")
    ]
    assert set(KEYS) <= set(found)
    assert len(found) == len(set(found))
    assert {key.split(".")[0] for key in found} == set(settings.KEYS)


def test_the_defaults_are_the_protocols() -> None:
    found = {key: setting.default for key, setting in table().items() if "." not in key or "gate" in key}
    assert found == {
        "title": "",
        "genre": "",
        "gate.pass": 4.0,
        "gate.polish": 3.5,
        "gate.revise": 3.0,
        "gate.pause": 2.0,
        "max_revisions": 2,
        "keep_versions": 100,
        "chapter_names": None,
        "backup_after": 10,
        "chapter_chars": [2500, 3800],
        "daily_chars": None,
        "max_characters": 15,
        "scene_break": "",
        "stop_after": [],
        "codex_models": {},
        "currency": "",
        "prices": {},
    }


def test_the_default_models_are_the_crews() -> None:
    found = {key[7:]: one.default for key, one in table().items() if key.startswith("models.")}
    strong = {"revise", "second_judge", "world", "characters", "outline"}
    assert found == {key: "opus" if key in strong else "sonnet" for key in settings.MODEL_KEYS}
    assert settings.MODEL_KEYS == (
        "draft",
        "summarize",
        "refine",
        "judge",
        "revise",
        "polish",
        "second_judge",
        "world",
        "characters",
        "style",
        "outline",
    )


def test_each_meaning_names_the_step_or_the_agent() -> None:
    found = table()
    assert found["models.draft"].meaning == "「写初稿」用的模型"
    assert found["models.second_judge"].meaning == "第二评审用的模型"
    assert found["packet_chars.chapter-writer"].meaning == "一次最多给写手多少字的资料"
    assert all(setting.meaning for setting in found.values())


def test_each_packets_limit_is_its_default() -> None:
    for agent, limit in settings.LIMITS.items():
        assert table()[f"packet_chars.{agent}"].default == limit
        assert agent in roles.ROLES


@pytest.mark.parametrize(
    ("key", "known"),
    [
        *((key, True) for key in KEYS),
        ("gate", False),
        ("models", False),
        ("gate.pas", False),
        ("pass", False),
        ("models.commit", False),
        ("codex_models.second_judge", True),
        ("codex_models.commit", False),
        ("codex_models.draft.x", False),
        ("", False),
        ("prices.sonnet", False),
        ("prices.sonnet.input", True),
        ("prices.sonnet.cache_read", True),
        ("prices.claude-4.5.output", True),
        ("prices.a.b.c.input", True),
        ("prices.sonnet.price", False),
        ("prices.录制.input", False),
        ("prices..input", False),
        ("prices.input", False),
        ("price.sonnet.input", False),
    ],
)
def test_which_names_are_of_one_value(key: str, known: bool) -> None:
    assert settings.is_known(key) is (known and key not in ("prices", "codex_models"))


@pytest.mark.parametrize(
    ("key", "several"),
    [
        ("gate", True),
        ("models", True),
        ("prices", True),
        ("packet_chars", True),
        ("prices.sonnet", True),
        ("prices.sonnet.input", False),
        ("prices.claude-4.5.output", False),
        ("gate.pass", False),
        ("models.draft", False),
        ("title", False),
    ],
)
def test_which_names_are_of_several_values(key: str, several: bool) -> None:
    assert settings.is_map(key) is several


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("title", ["title"]),
        ("gate.pass", ["gate", "pass"]),
        ("gate.a.b.c", ["gate", "a", "b", "c"]),
        ("prices", ["prices"]),
        ("prices.sonnet", ["prices", "sonnet"]),
        ("prices.sonnet.input", ["prices", "sonnet", "input"]),
        ("prices.claude-4.5.input", ["prices", "claude-4.5", "input"]),
        ("prices.a.b.c.input", ["prices", "a.b.c", "input"]),
    ],
)
def test_a_models_name_may_hold_dots(key: str, parts: list[str]) -> None:
    assert settings.split_key(key) == parts


DOCUMENT: dict[str, Any] = {
    "title": "长夜",
    "gate": {"pass": 4.25},
    "models": None,
    "prices": {"claude-4.5": {"input": 3}},
}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("title", "长夜"),
        ("gate", {"pass": 4.25}),
        ("gate.pass", 4.25),
        ("gate.polish", None),
        ("genre", None),
        ("models.draft", None),
        ("title.x", None),
        ("prices.claude-4.5.input", 3),
        ("prices.claude-4.5.output", None),
        ("prices.sonnet.input", None),
    ],
)
def test_the_value_that_the_file_has(key: str, value: object) -> None:
    assert settings.value_at(DOCUMENT, key) == value


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("sonnet", True),
        ("us.anthropic.claude-opus-4-1-v1:0", True),
        ("anthropic/claude@2[1m]", True),
        ("a" * 100, True),
        ("a" * 101, False),
        ("-opus", False),
        ("opus 4", False),
        ("录制", False),
        ("", False),
    ],
)
def test_which_names_a_model_may_have(name: str, good: bool) -> None:
    assert bool(MODEL_NAME.fullmatch(name)) is good


def test_models_without_a_whole_price_the_most_used_first() -> None:
    known = {"good": Price(1.0, 2.0), "half": Price(1.0, None)}
    chosen = dict.fromkeys(settings.MODEL_KEYS, "good")
    draft, judge, polish, *_ = settings.MODEL_KEYS
    assert settings.unpriced_models(chosen, known) == []
    odd = {**chosen, draft: "b", judge: "half", polish: "half"}
    assert settings.unpriced_models(odd, known) == ["half", "b"]
    assert settings.unpriced_models({**chosen, draft: "b", judge: "a"}, known) == ["a", "b"]
    assert settings.unpriced_models(dict.fromkeys(settings.MODEL_KEYS, "b"), known) == []
    assert settings.unpriced_models(dict.fromkeys(settings.MODEL_KEYS, "b"), {}) == ["b"]
    assert settings.unpriced_models({}, {}) != []
