"""Values of `novel.yaml`: legal or a problem that names its key; words that an author types."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import roles
from novel_hooks.rules.settings import values
from novel_hooks.rules.settings.settings import GATE_KEYS, KEYS, MODEL_KEYS, all_settings

TOKENS = "应是 1 到 1000000000000 的整数，如 500万；不限就去掉这一项"
MONEY = "应是大于 0 的数，如 20；不限就去掉这一项"
LEGAL: dict[str, Any] = {
    "title": "长夜",
    "genre": "",
    "gate": {"pass": 4.25, "polish": 3, "revise": 2.5, "pause": 0},
    "max_revisions": 9,
    "chapter_chars": [1, 1_000_000],
    "daily_chars": 1,
    "max_characters": 99,
    "scene_break": "＊＊＊",
    "stop_after": ["draft", "judge"],
    "keep_versions": 1,
    "chapter_names": "title",
    "backup_after": 0,
    "models": {"draft": "sonnet", "second_judge": "gpt-5"},
    "codex_models": {
        "draft": "gpt-6.2-sol",
        "judge": "gpt-5-high",
        "refine": "o3",
        "polish": "minimal",
        "second_judge": "xhigh",
    },
    "currency": "美元",
    "prices": {"sonnet": {"input": 3, "output": 0.5, "cache_write": 0}},
    "budget": {"chapter_tokens": 1, "run_tokens": 10**12, "chapter_money": 0.01, "run_money": None},
    "packet_chars": {"chapter-writer": 1, "summarizer": 1_000_000_000},
}


def found(document: dict[str, Any]) -> list[tuple[str, str]]:
    """The problems as (key, detail); of an unknown key its code, of the gate's order the fault."""
    return [
        (problem.values.get("key") or problem.code, problem.values.get("detail") or problem.code)
        for problem in values.problems(document)
    ]


def test_a_legal_file_has_no_problem() -> None:
    assert values.problems(LEGAL) == []
    assert values.problems({}) == []
    assert values.problems(dict.fromkeys(KEYS)) == []
    assert set(LEGAL) == set(KEYS)


def test_the_defaults_are_legal() -> None:
    document: dict[str, Any] = {}
    for setting in all_settings():
        head, _, leaf = setting.key.partition(".")
        if leaf:
            document.setdefault(head, {})[leaf] = setting.default
        else:
            document[head] = setting.default
    assert values.problems(document) == []


@pytest.mark.parametrize(
    ("key", "value", "where", "detail"),
    [
        ("title", 7, "title", "应是文字，像数字的要用引号括起来"),
        ("genre", ["悬疑"], "genre", "应是文字，像数字的要用引号括起来"),
        ("currency", True, "currency", "应是文字，像数字的要用引号括起来"),
        ("gate", 4, "gate", "应写成 pass、polish、revise、pause 四条线"),
        ("gate", [4, 3, 2, 1], "gate", "应写成 pass、polish、revise、pause 四条线"),
        ("gate", {"pass": "高"}, "gate.pass", "应是数字"),
        ("gate", {"pause": None}, "gate.pause", "应是数字"),
        ("gate", {"polish": True}, "gate.polish", "应是数字"),
        ("gate", {"pas": 4}, "gate.pas", "CONFIG_KEY_UNKNOWN"),
        ("daily_chars", 0, "daily_chars", "应是一天的字数，1 到 1000000 之间的整数，如 4000"),
        ("max_revisions", -1, "max_revisions", "应是 0 到 9 的整数"),
        ("max_revisions", 10, "max_revisions", "应是 0 到 9 的整数"),
        ("max_revisions", 2.0, "max_revisions", "应是 0 到 9 的整数"),
        ("max_revisions", True, "max_revisions", "应是 0 到 9 的整数"),
        ("max_characters", 0, "max_characters", "应是 1 到 99 的整数"),
        ("max_characters", 100, "max_characters", "应是 1 到 99 的整数"),
        ("max_characters", "九", "max_characters", "应是 1 到 99 的整数"),
        ("models", "opus", "models", "应一步一行，如 revise: opus"),
        ("models", {"commit": "opus"}, "models.commit", "CONFIG_KEY_UNKNOWN"),
        ("models", {"draft": "opus 4"}, "models.draft", "应是模型的名字，如 sonnet、opus、haiku"),
        ("models", {"draft": 4}, "models.draft", "应是模型的名字，如 sonnet、opus、haiku"),
        ("models", {"draft": None}, "models.draft", "应是模型的名字，如 sonnet、opus、haiku"),
        ("models", {"judge": "sonet"}, "models.judge", "没有「sonet」这个模型，是不是想写「sonnet」"),
        ("models", {"judge": "Opus"}, "models.judge", "没有「Opus」这个模型，是不是想写「opus」"),
        ("codex_models", "high", "codex_models", "应一步一行，如 revise: high"),
        ("codex_models", {"commit": "high"}, "codex_models.commit", "CONFIG_KEY_UNKNOWN"),
        *(
            (
                "codex_models",
                {"draft": odd},
                "codex_models.draft",
                "应是 Codex 里一个模型的名字，或 minimal、low、medium、high、xhigh 之一",
            )
            for odd in (None, 4, "gpt 6", "gpt-6\n", "gpt-6 ", "", "高")
        ),
        *(
            ("codex_models", {"draft": odd}, "codex_models.draft", f"要写得一模一样，是不是想写「{meant}」")
            for odd, meant in (
                ("HIGH", "high"),
                (" high\n", "high"),
                ("ｈｉｇｈ", "high"),
                ("X-High", "xhigh"),
                ("x_high", "xhigh"),
                ("meduim", "medium"),
                ("hgih", "high"),
            )
        ),
        ("prices", 3, "prices", "应一个模型一行，如 sonnet: {input: 3, output: 15}"),
        ("prices", {"录制": {"input": 3}}, "prices.录制", "冒号前面应是模型的名字"),
        ("prices", {"sonnet": 3}, "prices.sonnet", "应写成 {input: 输入价, output: 输出价}"),
        ("prices", {"sonnet": {}}, "prices.sonnet", "应写成 {input: 输入价, output: 输出价}"),
        ("prices", {"sonnet": {"inputs": 3}}, "prices.sonnet.inputs", "CONFIG_KEY_UNKNOWN"),
        ("prices", {"sonnet": {"input": -0.1}}, "prices.sonnet.input", "应是 0 或更大的数"),
        ("prices", {"sonnet": {"cache_read": "三"}}, "prices.sonnet.cache_read", "应是 0 或更大的数"),
        ("prices", {"sonnet": {"output": None}}, "prices.sonnet.output", "应是 0 或更大的数"),
        ("packet_chars", 3, "packet_chars", "应写成「代理: 字数」，如 {chapter-writer: 30000}（写手）"),
        ("budget", 3, "budget", "应一项一行，如 chapter_tokens: 300000"),
        ("budget", {"night": 3}, "budget.night", "CONFIG_KEY_UNKNOWN"),
        ("budget", {"run_tokens": 0}, "budget.run_tokens", TOKENS),
        ("budget", {"run_tokens": 1.5}, "budget.run_tokens", TOKENS),
        ("budget", {"run_money": 0}, "budget.run_money", MONEY),
        ("budget", {"chapter_money": "三"}, "budget.chapter_money", MONEY),
        ("packet_chars", {"writer": 9}, "packet_chars.writer", "CONFIG_KEY_UNKNOWN"),
        ("packet_chars", {"summarizer": 0}, "packet_chars.summarizer", "应是 1 到 1000000000 的整数"),
        ("packet_chars", {"summarizer": 10**9 + 1}, "packet_chars.summarizer", "应是 1 到 1000000000 的整数"),
        ("packet_chars", {"summarizer": None}, "packet_chars.summarizer", "应是 1 到 1000000000 的整数"),
    ],
)
def test_a_value_that_cannot_be_is_one_problem_at_its_key(
    key: str, value: object, where: str, detail: str
) -> None:
    assert found({**LEGAL, key: value}) == [(where, detail)]
    (problem,) = values.problems({key: value})
    assert problem.exit == 3
    assert problem.diagnostic().path == "novel.yaml"


@pytest.mark.parametrize(
    "value",
    [
        2000,
        "2000",
        [2000],
        [2000, 3000, 4000],
        [3000, 2000],
        [0, 2000],
        [1, 1_000_001],
        [True, 2000],
        ["2000", "3000"],
        [2000.0, 3000],
    ],
)
def test_a_chapters_length_is_two_whole_numbers_in_order(value: object) -> None:
    detail = "应是最少、最多两个整数，都在 1 到 1000000 之间，如 [2500, 3800]"
    assert found({"chapter_chars": value}) == [("chapter_chars", detail)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("chapter_chars", [2000, 2000]),
        ("max_revisions", 0),
        ("max_characters", 1),
        ("prices", {"sonnet": {"input": 0}, "opus": {"cache_read": 0.0}}),
    ],
)
def test_a_value_at_its_least_is_legal(key: str, value: object) -> None:
    assert values.problems({key: value}) == []


@pytest.mark.parametrize("value", ["every", "none", "draft", [], ["every"], ["judge", "draft"]])
def test_break_points_that_are_understood(value: object) -> None:
    assert values.problems({"stop_after": value}) == []


@pytest.mark.parametrize("value", ["commit", ["draft", "commit"], ["draft", "every"], 3, {"draft": 1}])
def test_break_points_that_are_not(value: object) -> None:
    stops = "draft（写初稿）、summarize（记摘要与状态）、refine（润色）、judge（评审）、"
    stops += "revise（按意见修订）、polish（再润色）"
    detail = f"应是 every（每一步），或 {stops} 里的几个，如 [draft, judge]"
    assert found({"stop_after": value}) == [("stop_after", detail)]


def test_the_gates_lines_fall() -> None:
    (problem,) = values.problems({"gate": {"polish": 4.5}})
    assert problem.code == "GATE_BANDS_INVALID"
    assert problem.diagnostic().path == "novel.yaml"
    assert "4.5" in problem.values["detail"]
    assert found({"gate": {"polish": "x", "pass": 1, "zzz": 1}}) == [
        ("gate.zzz", "CONFIG_KEY_UNKNOWN"),
        ("gate.polish", "应是数字"),
    ]


def test_every_fault_is_found_unknown_keys_first_then_in_the_order_of_the_file() -> None:
    document = {
        "packet_chars": {"x": 1, "quality-judge": 0, "summarizer": -1},
        "prices": {"haiku": 4, "sonnet": {"x": 1, "output": -1, "input": -1}, "录制": 1, "opus": 4},
        "models": {"x": "y", "judge": 4, "draft": "sonet"},
        "titel": 1,
        "max_revisions": 99,
        "gate": dict.fromkeys(GATE_KEYS, "x"),
        "author": "我",
    }
    assert [where for where, _ in found(document)] == [
        "titel",
        "author",
        *(f"gate.{key}" for key in GATE_KEYS),
        "max_revisions",
        "models.x",
        "models.draft",
        "models.judge",
        "prices.haiku",
        "prices.sonnet.x",
        "prices.sonnet.input",
        "prices.sonnet.output",
        "prices.录制",
        "prices.opus",
        "packet_chars.x",
        "packet_chars.summarizer",
        "packet_chars.quality-judge",
    ]


@pytest.mark.parametrize("key", MODEL_KEYS)
def test_every_step_may_have_a_model(key: str) -> None:
    assert values.problems({"models": {key: "haiku"}}) == []
    assert found({"models": {key: ""}}) == [(f"models.{key}", "应是模型的名字，如 sonnet、opus、haiku")]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("长夜将尽", True),
        (" 长夜 ", True),
        ("～éÿ", True),
        ("", False),
        (" \u3000", False),
        *((f"长{mark}夜", False) for mark in "\n\t\x00\x1f\x7f\x80\x9f\u0085\u2028\u2029\u061c\u200e\u200f"),
        *((f"长{mark}夜", False) for mark in "\u202a\u202e\u2066\u2069"),
        *((f"长{mark}夜", True) for mark in " ~\xa0\u202f\u2065\u206a\u2027"),
    ],
)
def test_a_title_is_one_line_without_marks_that_steer(title: str, shown: bool) -> None:
    assert values.is_one_line(title) is shown


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("sonet", "sonnet"),
        ("Opus", "opus"),
        ("OPUS", "opus"),
        ("hiaku", "haiku"),
        ("claude-sonet-4-5", "claude-sonnet-4-5"),
        ("Claude-Sonet-4-5", "claude-sonnet-4-5"),
        ("anthropic/claude-opuss-4-1", "anthropic/claude-opus-4-1"),
        ("claude-opu", None),
        ("claude-opsu-4", "claude-opus-4"),
        *((name, None) for name in roles.MODELS),
        *((name, None) for name in ("inherit", "gpt-5", "gpt-5-mini", "o3", "gemini-2.5-flash")),
        *((name, None) for name in ("deepseek-chat", "qwen3-max", "kimi-k2", "glm-4.6", "grok-4")),
        *((name, None) for name in ("mistral-large", "sonnet[1m]", "claude-3-5-x", "Claude-Sonnet-4")),
        ("claude-sonnet-4-5-20250929", None),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", None),
    ],
)
def test_a_misspelt_model_is_meant_as_a_known_one(model: str, meant: str | None) -> None:
    assert values.meant_model(model) == meant


@pytest.mark.parametrize(
    ("document", "slips"),
    [
        ({}, []),
        ({"prices": None, "models": None}, []),
        ({"prices": {"sonet": {}, "Opus": {}, "gpt-5": {}}}, [("sonet", "sonnet")]),
        ({"prices": {"Sonet": {}}}, [("Sonet", "sonnet")]),
        ({"prices": {"sonet": {}}, "models": {"draft": "sonet"}}, []),
        ({"prices": {"sonet": {}}, "models": {"draft": "My-Sonet-2", "judge": None}}, []),
        ({"prices": {"sonet": {}}, "models": {"draft": "haiku", "judge": ""}}, [("sonet", "sonnet")]),
        (
            {"prices": {"hiaku": {}, "claude-sonet-4": {}}},
            [("hiaku", "haiku"), ("claude-sonet-4", "claude-sonnet-4")],
        ),
    ],
)
def test_a_price_of_a_misspelt_model_is_found(document: dict[str, Any], slips: list[tuple[str, str]]) -> None:
    assert values.misspelt_prices(document) == slips


@pytest.mark.parametrize(
    ("value", "legal"),
    [
        *((one, True) for one in ("", "◇", "* * *", "---")),
        *((one, False) for one in ("＊" * 13, "#", "第二天", 3, "◇\n◇", ["◇"])),
    ],
)
def test_a_scene_break_is_one_line_of_marks(value: object, legal: bool) -> None:
    assert (values.problems({"scene_break": value}) == []) is legal


@pytest.mark.parametrize(
    "mark", ["", "  ", "＊＊＊", "---", "* * *", "◇", "※※※", "～～～", "☆　☆　☆", "＿＿"]
)
def test_a_scene_break(mark: str) -> None:
    assert values.problems({"scene_break": mark}) == []


@pytest.mark.parametrize(
    "mark",
    ["……", "——", "？！", "。。。", "「」", "她走了", "---\n---", "#", "> ◇", "|-|", "*" * 13, "*\u200b*", 7],
)
def test_what_may_be_prose_is_no_scene_break(mark: object) -> None:
    assert [problem.values["key"] for problem in values.problems({"scene_break": mark})] == ["scene_break"]


@pytest.mark.parametrize(("value", "legal"), [("number", True), ("title", True), ("name", False), (3, False)])
def test_how_files_of_chapters_are_named(value: object, legal: bool) -> None:
    assert [where for where, _ in found({"chapter_names": value})] == ([] if legal else ["chapter_names"])


def test_every_fault_among_the_models_of_codex_is_found() -> None:
    models = {"draft": 4, "judge": "HIGH", "polish": None, "x": "high"}
    assert [where for where, _ in found({"codex_models": models})] == [
        "codex_models.x",
        "codex_models.draft",
        "codex_models.judge",
        "codex_models.polish",
    ]
