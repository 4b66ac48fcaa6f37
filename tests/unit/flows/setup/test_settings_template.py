"""The template of `novel.yaml` says what is so without it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import roles
from novel_hooks.rules.settings import settings
from novel_hooks.rules.settings import values as settings_values
from novel_hooks.rules.steps import agents
from novel_hooks.store.formats import yamlio
from unit.flows.setup.configured import NAME, TEMPLATE

# --- the file that a new book gets -----------------------------------------------------------


def uncommented(first: str) -> Any:
    """The commented block of the template that begins with `# first:`, read as if it were written."""
    lines = TEMPLATE.split("\n")
    start = lines.index(next(line for line in lines if line.startswith(f"# {first}:")))
    end = next(n for n, line in enumerate([*lines, ""]) if n > start and not line.startswith("#   "))
    return yamlio.parse("\n".join(line[2:] for line in lines[start:end]), NAME)


def test_the_template_says_what_the_defaults_are() -> None:
    """What is written there and what a comment shows: removing a line changes nothing."""
    written = yamlio.parse(TEMPLATE, NAME)
    for setting in settings.all_settings():
        if (head := setting.key.split(".")[0]) in written:
            assert settings.value_at(written, setting.key) == setting.default, setting.key
        else:
            assert head in (
                "models",
                "codex_models",
                "packet_chars",
                "chapter_names",
                "budget",
                "currency",
                "prices",
                "daily_chars",
                "chapter_names",
            )
    defaults = {setting.key: setting.default for setting in settings.all_settings()}
    models = {f"models.{key}": model for key, model in uncommented("models")["models"].items()}
    assert models == {key: value for key, value in defaults.items() if key.startswith("models.")}
    chars = {
        f"packet_chars.{key}": value for key, value in uncommented("packet_chars")["packet_chars"].items()
    }
    assert chars == {key: value for key, value in defaults.items() if key.startswith("packet_chars.")}
    assert settings_values.problems(uncommented("prices")) == []


def test_the_templates_words_name_the_steps_that_use_the_strong_model() -> None:
    (said,) = [line for line in TEMPLATE.split("\n") if line.startswith("# 各步用的模型")]
    strong = [setting.key for setting in settings.all_settings() if setting.default == roles.STRONG_MODEL]
    words = {
        "world": "立世界",
        "characters": "立角色",
        "outline": "写大纲",
        "revise": "修订",
        "second_judge": roles.JUDGES["secondary"],
    }
    assert {key.split(".")[1] for key in strong} == set(words)
    assert all(word in said.split("用 opus")[0] for word in words.values())
    others = {setting.default for setting in settings.all_settings() if setting.key.startswith("models.")}
    assert others == {"opus", "sonnet"} and "其余用 sonnet" in said


def test_every_model_stands_beside_its_step() -> None:
    for key in settings.MODEL_KEYS:
        (line,) = re.findall(rf"^#   {key}: .*$", TEMPLATE, re.M)
        word = roles.JUDGES["secondary"] if key == agents.SECOND_JUDGE else roles.PHASE_TITLES[key]
        assert line.endswith(f"# {word}")


def test_the_sample_has_the_same_words() -> None:
    sample = Path(CHECKOUT, "novel_hooks/sample/project/novel.yaml").read_text("utf-8")
    assert re.findall("^#.*", sample, re.M) == re.findall("^#.*", TEMPLATE, re.M)
