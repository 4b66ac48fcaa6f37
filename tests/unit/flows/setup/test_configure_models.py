"""`novel config`: models and prices, misspelt ones and other hosts'."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout, roles
from novel_hooks.flows.book import settings as book_settings
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.rules.settings import settings
from novel_hooks.rules.settings import values as settings_values
from novel_hooks.rules.settings.prices import Price
from novel_hooks.store.files.project import Project
from unit.flows.setup.configured import NAME
from unit.flows.setup.configured import made as made

# --- what it is good for ---------------------------------------------------------------------


def test_models_reach_next_and_the_packet(made: Book) -> None:
    made.key_chapter()
    for key, model in (("draft", "haiku"), ("judge", "opus"), ("second_judge", "sonnet")):
        made.ok("config", f"models.{key}", model)
    assert made.next()["model"] == "haiku"
    made.ok("lock", "acquire")
    assert made.ok("instructions", made.step("draft"))["model"] == "haiku"
    made.until("refined")
    for role, model in (("primary", "opus"), ("secondary", "sonnet")):
        assert made.next()["model"] == model
        packet = made.ok("instructions", made.step("judge"))
        assert (packet["role"], packet["model"]) == (role, model)
        made.judge(3.2, role=role)
    made.advance("judge")
    assert made.next()["model"] == roles.STRONG_MODEL


def test_prices_and_caps(made: Book) -> None:
    made.ok("config", "prices.sonnet.input", "3")
    made.ok("config", "max_characters", "1")
    found = Reading(Project(str(made.root)))
    assert book_settings.prices(found) == {"sonnet": Price(input=3)}
    contract = made.json(layout.contract(1, made.chapter))
    contract["preconditions"].pop("character_states", None)
    made.write(layout.contract(1, made.chapter), contract)
    given_to = [
        i for i in made.ok("instructions", made.step("draft"))["inputs"] if i["key"] == "character_contracts"
    ]
    assert len(given_to[0]["value"]) == 1


@pytest.mark.parametrize("key", settings.MODEL_KEYS)
def test_every_model_is_the_crews_own_without_a_word(key: str) -> None:
    from novel_hooks.rules.steps import agents
    from novel_hooks.rules.steps.step_name import Step

    (default,) = [one.default for one in settings.all_settings() if one.key == f"models.{key}"]
    if key in roles.CHAPTER_AGENTS or key == agents.SECOND_JUDGE:
        phase, role = ("judge", "secondary") if key == agents.SECOND_JUDGE else (key, "primary")
        assert agents.model_of(Step("chapter", 1, phase), role, {}) == default
        assert agents.model_of(Step("chapter", 1, phase), role, {key: "haiku"}) == "haiku"
    else:
        kind = "setup" if key in roles.SETUP_AGENTS else "volume"
        assert agents.model_of(Step(kind, 1, key), None, {}) == default
        assert agents.model_of(Step(kind, 1, key), None, {key: "haiku"}) == "haiku"


@pytest.mark.parametrize(("told", "wanted"), [("gpt", "opus"), ("Opus", "「opus」"), ("sonet", "「sonnet」")])
def test_a_model_that_no_packet_may_name_is_refused(tmp_path: Path, told: str, wanted: str) -> None:
    refused = book(tmp_path).refused(3, "CONFIG_REFUSED", "config", "models.draft", told)
    assert wanted in refused.message


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("sonet", "sonnet"),
        ("Opus", "opus"),
        ("hiaku", "haiku"),
        ("claude-sonet-4-5", "claude-sonnet-4-5"),
        ("anthropic/claude-opuss-4-1", "anthropic/claude-opus-4-1"),
        *(
            (name, None)
            for name in (*roles.MODELS, "inherit", "gpt-5", "gpt-5-mini", "o3", "gemini-2.5-flash")
        ),
        *(
            (name, None)
            for name in ("deepseek-chat", "qwen3-max", "kimi-k2", "glm-4.6", "grok-4", "mistral-large")
        ),
        ("claude-sonnet-4-5-20250929", None),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", None),
        ("sonnet[1m]", None),
        ("claude-3-5-x", None),
    ],
)
def test_a_misspelt_model_is_told_and_other_hosts_names_pass(
    tmp_path: Path, model: str, meant: str | None
) -> None:
    """In `models` it is refused, of `prices` it is told: nothing would ever be counted by it."""
    assert settings_values.meant_model(model) == meant
    made = book(tmp_path)
    made.write(NAME, f"models:\n  draft: {model}\n")
    if meant is None:
        assert made.ok("config", "models.draft")
    else:
        wrong = made.refused(3, "CONFIG_VALUE", "config")
        assert f"「{model}」" in wrong.message and f"「{meant}」" in wrong.message
    made.write(NAME, f'prices:\n  "{model}": {{input: 3, output: 15}}\n')
    wanted = ["PRICE_UNMATCHED"] if meant and model.lower() != meant else []
    for command in ("log", "status"):
        assert [note.code for note in made.novel(command).diagnostics] == wanted, command


def test_a_price_set_for_a_misspelt_model_is_told_at_once(tmp_path: Path) -> None:
    made = book(tmp_path)
    found = made.novel("config", "prices.sonet.input", "3")
    assert found.exit == 0 and [note.code for note in found.diagnostics] == ["PRICE_UNMATCHED"]
    assert "「sonnet」" in found.diagnostics[0].fix
    assert made.novel("config", "--unset", "prices.sonet.input").diagnostics == ()
