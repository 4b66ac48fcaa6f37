"""The phrases that Codex needs in other words, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks import roles
from novel_hooks.rules.hosting import texts
from novel_hooks.rules.hosting.replacements import AGENTS, SKILLS, Swap, swap
from novel_hooks.rules.hosting.words import in_codex

AGENT_FILES = {name: f"agents/{name}.md" for name in roles.ROLES}
SKILL_FILES = {name: f"skills/{name}/SKILL.md" for name in ("continue", "start", "status")}


def body(path: str) -> str:
    return texts.front_matter(Path(CHECKOUT, path).read_text(encoding="utf-8"))[1]


def test_a_phrase_that_is_gone_is_an_error() -> None:
    assert swap("甲乙甲", [Swap("甲", "丙")]) == "丙乙丙"
    with pytest.raises(ValueError, match="丁"):
        swap("甲乙", [Swap("丁", "")])


def test_every_agent_and_every_skill_has_its_table() -> None:
    assert (set(AGENTS), set(SKILLS)) == (set(AGENT_FILES), set(SKILL_FILES))


@pytest.mark.parametrize(
    ("path", "swaps"),
    [
        *((AGENT_FILES[name], AGENTS[name]) for name in AGENTS),
        *((SKILL_FILES[name], SKILLS[name]) for name in SKILLS),
    ],
)
def test_all_else_is_word_for_word(path: str, swaps: tuple[Swap, ...]) -> None:
    """The text between the phrases is the source's own, and no phrase changes another's new words."""
    marked = body(path)
    for number, one in enumerate(swaps):
        marked = marked.replace(one.old, f"\0{number}\0")
    told = swap(body(path), swaps)
    kept = marked.split("\0")[::2]
    new = [swaps[int(number)].new for number in marked.split("\0")[1::2]]
    assert {int(number) for number in marked.split("\0")[1::2]} == set(range(len(swaps)))
    assert told == "".join(text for pair in zip(kept, [*new, ""]) for text in pair)


@pytest.mark.parametrize("name", AGENT_FILES)
def test_an_agent_is_told_of_no_tool_that_codex_lacks(name: str) -> None:
    told = swap(body(AGENT_FILES[name]), AGENTS[name])
    assert not [word for word in ("Read ", "Edit ", "Write ", "用 Write") if word in told]
    assert ("apply_patch" in told) == bool(roles.ROLES[name].writes)


@pytest.mark.parametrize("name", SKILL_FILES)
def test_a_skill_speaks_of_codex(name: str) -> None:
    told = in_codex(swap(body(SKILL_FILES[name]), SKILLS[name]))
    for word in ("$ARGUMENTS", "subagent_type", "run_in_background", "Claude Code", "/novel:", "`prompt`"):
        assert word not in told, word
    if name != "status":
        for word in ("spawn_agent", "`fork_turns` 写 `none`", "FINAL_ANSWER", "list_agents", "`agent_type`"):
            assert word in told, word
