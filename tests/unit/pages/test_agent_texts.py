"""The texts that agents and authors read say only what the code does, and nothing that they must not know."""

from __future__ import annotations

import json
import re

import pytest

from novel_hooks import roles
from novel_hooks.cli.call import COMMANDS
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.evaluation.score import WEIGHTS
from novel_hooks.rules.packet import packet
from unit.pages.agent_pages import (
    AGENTS,
    PLANNERS,
    SECOND_WORDS,
    SKILLS,
    agent_path,
    commands,
    guide_path,
    listed,
    read,
    skill_path,
    split,
    template_path,
)

EVERY = (*AGENTS, *PLANNERS)


TOOLS = {
    **{name: {"Read", "Write", "Edit"} for name in PLANNERS},
    "chapter-writer": {"Read", "Write", "Edit"},
    "summarizer": {"Read", "Write", "Edit"},
    "style-refiner": {"Read", "Write", "Edit"},
    "quality-judge": {"Read"},
}


GUIDES = ("method", "style-guide", "quality-rubric")


PLANNING_FIELDS = {
    *("volume_role", "target_chapters", "arc_goal", "active_storylines", "convergence_events"),
    *("state_changes", "character_states", "target_resolve_range", "introduced_chapter"),
    *("sentence_length", "clause_length", "paragraph_chars", "speech_length", "dialogue_ratio"),
    *("per_1000", "blacklist_words", "quote_marks", "goes_as", "called_by", "overturned_by", "secret_out"),
}


# Other snake_case words that agents read: fields of the documents that they write.
FIELDS = {
    *("base_state_version", "state_version", "unknown_entities", "suggested_type", "world_state"),
    *(
        "emotional_state",
        "display_name",
        "goes_as",
        "secret_out",
        "ongoing_events",
        "time_marker",
        "leak_risk",
        "leak_detail",
    ),
    *("l1_checks", "l2_checks", "l3_checks", "ls_checks", "risk_flags", "violation_suspected"),
    *("no_change", "pause_for_user", "required_fixes", "foreshadowing_updates"),
    *("introduced_chapter", "called_by"),
}


TEMPLATES = (
    "brief.md",
    "style-profile.json",
    "ai-blacklist.json",
    "storyline-spec.json",
    "novel.yaml",
)


FRONTED = [*map(agent_path, EVERY), *map(skill_path, SKILLS)]


ALL = [*FRONTED, *map(guide_path, GUIDES), *map(template_path, TEMPLATES)]


def carried() -> dict[str, set[str]]:
    """Agent → every input key that a packet of his can have. The page's tables are held against packets."""
    agents = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    found: dict[str, set[str]] = {name: set() for name in EVERY}
    for part in ("The packet", "Planning"):
        section = read("docs/agent-contract.md").split(f"\n## {part}\n", 1)[1].split("\n## ", 1)[0]
        table = section.split("\n| input | type | in |\n", 1)[1].split("\n\n", 1)[0]
        for key, phases in re.findall(r"^\| `(\w+)` \| \w+ \| (.*) \|$", table, flags=re.M):
            for phase in set(listed(phases)) & set(agents):
                found[agents[phase]].add(key)
    return found


# --- front matter, sizes, tools --------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_agent_front_matter(name: str) -> None:
    front, body = split(agent_path(name))
    assert set(front) == {"name", "description", "tools", "model"}
    assert front["name"] == name
    assert "时使用" in front["description"], "a description says when, not how"
    assert set(listed(front["tools"])) == TOOLS[name]
    assert front["model"] == roles.ROLES[name].model
    assert body.strip()


@pytest.mark.parametrize("name", EVERY)
def test_only_those_who_write_have_a_tool_to_write_with(name: str) -> None:
    writes = bool({"Write", "Edit"} & TOOLS[name])
    assert writes == bool(roles.ROLES[name].writes)


@pytest.mark.parametrize("name", SKILLS)
def test_skill_front_matter(name: str) -> None:
    front, _ = split(skill_path(name))
    assert front["name"] == name
    assert "时使用" in front["description"]
    assert isinstance(front["allowed-tools"], str)


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        *((agent_path(name), 20, 80) for name in EVERY),
        *((skill_path(name), 10, 150) for name in SKILLS),
        *((guide_path(name), 60, 140) for name in GUIDES),
    ],
)
def test_sizes(path: str, least: int, most: int) -> None:
    assert least <= read(path).count("\n") <= most


@pytest.mark.parametrize("path", ALL)
def test_files_are_canonical_text(path: str) -> None:
    text = read(path)
    assert "\r" not in text and not text.startswith("\ufeff")
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not re.search(r"[ \t]+$", text, flags=re.M)


# --- what they must not hold -----------------------------------------------------------------


@pytest.mark.parametrize("path", ALL)
def test_no_registry_host_or_machine(path: str) -> None:
    text = read(path)
    assert not re.search(r"(?i)https?:|pypi|npm|registry|localhost|127\.0\.0|[a-z]:\\", text)
    assert not re.search(r"(?<![\w.`])/(?:home|root|tmp|usr|work)\b", text)


@pytest.mark.parametrize("path", [agent_path("quality-judge"), guide_path("quality-rubric")])
def test_the_judge_sees_no_threshold(path: str) -> None:
    text = read(path)
    bands = Bands()
    for limit in (bands.pass_at, bands.polish_at, bands.revise_at, bands.pause_at):
        assert not re.search(rf"(?<![\d.]){re.escape(str(limit))}(?!\d)", text), limit
    assert not re.search(r"门控|门槛|及格|放行|次数用完", text)


@pytest.mark.parametrize("name", EVERY)
def test_agents_call_no_command_and_know_what_is_data(name: str) -> None:
    text = read(agent_path(name))
    assert commands(text) == []
    assert "<DATA>" in text and "不是对你的吩咐" in text


# --- what they name exists -------------------------------------------------------------------


@pytest.mark.parametrize("path", FRONTED)
def test_every_command_named_exists(path: str) -> None:
    for words in commands(read(path)):
        assert words[1] in COMMANDS, words
        if words[1] in SECOND_WORDS:
            assert words[2] in SECOND_WORDS[words[1]], words


@pytest.mark.parametrize("name", EVERY)
def test_an_agent_is_told_of_every_input_that_he_may_get(name: str) -> None:
    text = read(agent_path(name))
    assert len(carried()[name]) >= 6
    assert {key for key in carried()[name] if f"`{key}`" not in text} == set()


@pytest.mark.parametrize("name", EVERY)
def test_an_agent_names_no_input_that_he_never_gets(name: str) -> None:
    own = {output.key for agent, output in outputs() if agent == name}
    fields = FIELDS | set(WEIGHTS) if name in AGENTS else PLANNING_FIELDS
    named = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", read(agent_path(name))))
    assert named <= carried()[name] | own | fields, named - carried()[name] - own - fields


@pytest.mark.parametrize("name", EVERY)
def test_every_input_has_a_name_for_the_author(name: str) -> None:
    assert carried()[name] <= set(packet.TITLES), carried()[name] - set(packet.TITLES)


@pytest.mark.parametrize("phase", ["revise", "polish"])
def test_the_task_names_all_that_the_judges_want(phase: str) -> None:
    """What binds is the packet's task and rules: nothing that is to be changed may be left out of them."""
    told = "\n".join((packet.TASKS[phase], *packet.RULES[phase]))
    wanted = {"required_fixes", "high_confidence_violations"} & carried()[roles.CHAPTER_AGENTS[phase]]
    assert all(key in packet.TASKS[phase] for key in wanted), told
    limits = [rule for rule in packet.RULES[phase] if rule.startswith("只改")]
    assert all(key in rule for rule in limits for key in wanted)


def outputs() -> list[tuple[str, roles.Output]]:
    """Every agent with each output of his."""
    pairs = (
        (roles.CHAPTER_AGENTS, roles.CHAPTER_OUTPUTS),
        (roles.SETUP_AGENTS, roles.SETUP_OUTPUTS),
        (roles.VOLUME_AGENTS, roles.VOLUME_OUTPUTS),
    )
    return [(agents[p], output) for agents, made in pairs for p in agents for output in made.get(p, ())]


@pytest.mark.parametrize("phase", sorted(roles.CHAPTER_AGENTS))
def test_every_output_is_told_to_its_agent(phase: str) -> None:
    text = read(agent_path(roles.CHAPTER_AGENTS[phase]))
    for output in roles.CHAPTER_OUTPUTS[phase]:
        if phase != "judge":
            assert f"`{output.key}`" in text, output.key


@pytest.mark.parametrize(
    ("agent", "outputs"),
    [
        *((roles.SETUP_AGENTS[phase], roles.SETUP_OUTPUTS[phase]) for phase in roles.SETUP_AGENTS),
        *((roles.VOLUME_AGENTS[phase], roles.VOLUME_OUTPUTS[phase]) for phase in roles.VOLUME_AGENTS),
    ],
)
def test_every_plan_is_told_to_its_agent(agent: str, outputs: tuple[roles.Output, ...]) -> None:
    for output in outputs:
        assert f"`{output.key}`" in read(agent_path(agent)), output.key


def test_every_guide_is_named_where_it_is_offered() -> None:
    _, body = split(skill_path("novel-writing"))
    assert sorted(words[2] for words in commands(body)) == sorted(GUIDES)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_stands_alone(name: str) -> None:
    text = read(guide_path(name))
    assert not re.search(r"\]\(|\.md\b|SKILL", text)


@pytest.mark.parametrize("name", PLANNERS)
def test_an_example_of_a_question_is_in_the_authors_words(name: str) -> None:
    """Ids and names of fields are no words of his."""
    (line,) = [one for one in read(agent_path(name)).splitlines() if one.startswith('`{"questions"')]
    found = json.loads(line.strip("`"))
    told = [one[key] for one in found["questions"] for key in ("header", "question", "why")]
    told += [said for one in found["questions"] for choice in one["choices"] for said in choice.values()]
    told += [one[key] for one in found["conflicts"] for key in ("what", "why")]
    assert told and not [said for said in told if re.search("[A-Za-z]", said)]
