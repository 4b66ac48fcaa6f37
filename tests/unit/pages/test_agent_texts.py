"""The texts that agents and authors read say only what the code does, and nothing that they must not know."""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import novel_hooks
from novel_hooks import layout, roles
from novel_hooks.cli.call import COMMANDS
from novel_hooks.rules.cast import characters
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.evaluation.verdict import WEIGHTS, problems, warnings, weighted_mean
from novel_hooks.rules.foreshadowing import item
from novel_hooks.rules.lint import habit_table
from novel_hooks.rules.lint import habits as lint_habits
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.packet import packet, size_limit
from novel_hooks.rules.settings import settings as table
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.steps import questions
from novel_hooks.rules.text import length
from novel_hooks.store.schema import schema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
AGENTS = ("chapter-writer", "summarizer", "style-refiner", "quality-judge")
PLANNERS = ("plot-architect", "world-builder", "character-weaver", "style-analyzer")
EVERY = (*AGENTS, *PLANNERS)
TOOLS = {
    **{name: {"Read", "Write", "Edit"} for name in PLANNERS},
    "chapter-writer": {"Read", "Write", "Edit"},
    "summarizer": {"Read", "Write", "Edit"},
    "style-refiner": {"Read", "Write", "Edit"},
    "quality-judge": {"Read"},
}
SKILLS = ("continue", "novel-writing", "status")
GUIDES = ("method", "style-guide", "quality-rubric")

# Those commands of `novel` that take a second word.
SECOND_WORDS = {
    "judge": {"record"},
    "lock": {"status", "acquire", "release", "clear"},
    "foreshadow": {"query"},
}
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


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def agent_path(name: str) -> str:
    return f"agents/{name}.md"


def skill_path(name: str) -> str:
    return f"skills/{name}/SKILL.md"


def guide_path(name: str) -> str:
    return f"skills/novel-writing/references/{name}.md"


def template_path(name: str) -> str:
    return f"novel_hooks/templates/{name}"


TEMPLATES = (
    "brief.md",
    "style-profile.json",
    "ai-blacklist.json",
    "storyline-spec.json",
    "novel.yaml",
)
FRONTED = [*map(agent_path, EVERY), *map(skill_path, SKILLS)]
ALL = [*FRONTED, *map(guide_path, GUIDES), *map(template_path, TEMPLATES)]


def split(path: str) -> tuple[dict[str, Any], str]:
    """Front matter and body."""
    opening, front, body = re.split(r"^---\n", read(path), maxsplit=2, flags=re.M)
    assert opening == "", f"{path} must begin with its front matter"
    return YAML(typ="safe").load(front), body


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


def listed(value: str) -> list[str]:
    return [part.strip() for part in value.split(",")]


def commands(text: str) -> list[list[str]]:
    """Every `novel …` in code marks or in a Bash(…) permission, as words."""
    spans = re.findall(r"`(novel [^`]+)`", text) + re.findall(r"Bash\((novel [^)]+)\)", text)
    return [span.split() for span in spans]


def sub_command(words: list[str]) -> tuple[str, ...]:
    """`novel judge record --x` → ("judge", "record")."""
    return tuple(words[1:3]) if words[1] in SECOND_WORDS else tuple(words[1:2])


def fenced(text: str) -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, flags=re.S)]


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


# --- the examples are right ------------------------------------------------------------------


def test_the_summarizers_delta_is_legal_and_applies_whole() -> None:
    delta, _ = fenced(read(agent_path("summarizer")))
    assert schema.problems("chapter-delta", delta, "delta.json") == []
    assert deltas.problems(delta, delta["chapter"], delta["base_state_version"], delta["storyline_id"]) == []
    state = {**deltas.empty_state(), "state_version": delta["base_state_version"]}
    state["characters"] = {"zhou-huai": {"inventory": ["渡船契"]}}
    applied = deltas.apply(state, delta)
    assert applied.dropped == [] and applied.changed
    assert {op["op"] for op in delta["ops"]} == {"set", "inc", "add", "remove", "foreshadow"}


def test_the_summarizer_names_every_foreshadowing_action() -> None:
    text = read(agent_path("summarizer"))
    assert all(action in text for action in item.ACTIONS)


def test_the_summarizers_crossref_is_legal() -> None:
    _, crossref = fenced(read(agent_path("summarizer")))
    assert schema.problems("chapter-crossref", crossref, "crossref.json") == []


def test_the_writers_hints_are_legal() -> None:
    found = re.search(r'`(\{"hints".*\})`', read(agent_path("chapter-writer")))
    assert found
    assert schema.problems("hints", json.loads(found.group(1)), "hints.json") == []


def test_the_planners_examples_are_legal() -> None:
    (contract,) = fenced(read(agent_path("plot-architect")))
    assert schema.problems("chapter-contract", contract, "contract.json") == []
    read_contract = contracts.parse(contract, "contract.json")
    assert contracts.problems(read_contract, contract["chapter"], contract["storyline_id"]) == []
    (rules,) = fenced(read(agent_path("world-builder")))
    assert schema.problems("world-rules", rules, "rules.json") == []
    assert all("exceptions" in rule for rule in rules["rules"])
    (card,) = fenced(read(agent_path("character-weaver")))
    assert schema.problems("character", card, "card.json") == []
    (style,) = fenced(read(agent_path("style-analyzer")))
    assert schema.problems("style-profile", style, "style.json") == []


def test_the_outline_example_is_one_that_is_read() -> None:
    found = re.search(r"```\n(### 第.*?)```", read(agent_path("plot-architect")), flags=re.S)
    assert found
    outline = outlines.parse(found.group(1), "outline.md")
    assert [heading.chapter for heading in outline.headings] == [12] and not outline.near
    assert outlines.key_problems(outline, 12) == []


@pytest.mark.parametrize("name", PLANNERS)
def test_what_is_the_authors_to_decide_is_staged_for_him(name: str) -> None:
    found = re.search(r'^`(\{"questions".*\})`$', read(agent_path(name)), flags=re.M)
    assert found
    asked = json.loads(found.group(1))
    assert schema.problems("planning-questions", asked, "questions.json") == []
    assert [one.kind for one in questions.parse_questions(asked, "setup:world")] == ["conflict", "question"]


def judges_example() -> dict[str, Any]:
    """The judge's template with every placeholder filled in."""
    found = re.search(r"^\{\n.*?^\}$", read(agent_path("quality-judge")), flags=re.M | re.S)
    assert found
    text = re.sub(r'"<pass\|[^"]*>"', '"pass"', found.group())
    text = re.sub(r'"<high\|[^"]*>"', '"high"', text)
    text = re.sub(r'"<hard\|soft>"', '"hard"', text)
    text = re.sub(r'"status": "…"', '"status": "pass"', text)
    text = re.sub(r'"confidence": "…"', '"confidence": "low"', text)
    text = re.sub(r"(?<!\")<四类[^>]*>", "false", text)
    filled = json.loads(re.sub(r"(?<!\")<[^>\"]*>", "3", text))
    assert isinstance(filled, dict)
    return filled


def test_the_judges_shape_is_the_one_that_is_read() -> None:
    verdict = judges_example()
    assert problems(verdict) == []
    assert schema.problems("judge-verdict", verdict, "verdict.json") == []
    assert warnings(verdict, hard_rules=(), required_objectives=()) == []
    assert weighted_mean(verdict) == pytest.approx(3.0)
    assert {name: entry["weight"] for name, entry in verdict["scores"].items()} == dict(WEIGHTS)
    assert set(verdict) == {
        *("chapter", "contract_verification", "scores", "overall", "recommendation", "required_fixes"),
        *("risk_flags", "issues", "strengths"),
    }


def test_in_every_score_the_quote_comes_before_the_number() -> None:
    for entry in judges_example()["scores"].values():
        assert list(entry) == ["evidence", "reason", "score", "weight"]


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_the_rubric_has_four_anchors_and_the_weight(name: str) -> None:
    section = re.search(rf"^### {name} .*?(?=^###? )", read(guide_path("quality-rubric")), flags=re.M | re.S)
    assert section
    assert re.findall(r"^- ([2-5])：", section.group(), flags=re.M) == ["2", "3", "4", "5"]
    assert f"{WEIGHTS[name]:.2f}" in section.group()


def test_the_style_guide_shows_each_kind() -> None:
    sections = re.split(r"^## ", read(guide_path("style-guide")), flags=re.M)
    kinds = [s for s in sections if re.match(r"\d+\. ", s)]
    assert len(kinds) == 11
    for kind in kinds[:10]:
        assert "量：" in kind
        before, after = (re.findall(rf"^- {mark}", kind, flags=re.M) for mark in ("改前", "改后"))
        assert before and len(before) == len(after)


def pairs() -> list[tuple[str, str]]:
    """What the style guide shows before and after."""
    before, after = (
        re.findall(rf"^- {mark}[^：\n]*：(.*)$", read(guide_path("style-guide")), flags=re.M)
        for mark in ("改前", "改后")
    )
    return list(zip(before, after))


def habits(text: str) -> dict[str, int]:
    """How often each habit that the lint knows stands in a text, allowed or not."""
    streams = lint_habits.Streams(Sheet(f"# 第 1 章 例\n\n{text}", ()))
    found = {row.name: len(list(lint_habits._row_places(row, streams))) for row in habit_table.ROWS}
    return {name: times for name, times in found.items() if times}


@pytest.mark.parametrize(("before", "after"), pairs())
def test_what_the_style_guide_shows_takes_away_and_adds_nothing(before: str, after: str) -> None:
    """Its own first rule: nothing in it that was not there, no simile, no habit more; a word for a word."""
    assert len(after) < len(before)
    assert len(set(re.findall(r"[一-鿿]", after)) - set(before)) <= 5
    had = habits(before)
    assert {name: times for name, times in habits(after).items() if times > had.get(name, 0)} == {}


@pytest.mark.parametrize("path", [agent_path("chapter-writer"), guide_path("method")])
def test_what_a_writer_is_shown_keeps_the_rules_of_prose(path: str) -> None:
    """He learns from it: no habit of a machine, and who speaks next begins a paragraph."""
    shown: list[str] = re.findall(r"^> (.+)$", read(path), flags=re.M)
    assert len(shown) >= 3
    assert habits("\n\n".join(shown)) == {}
    assert [line for line in shown if re.search("”.*“", line)] == []


def test_planners_examples_keep_the_rules_beside_them() -> None:
    (style,) = fenced(read(agent_path("style-analyzer")))
    assert all(3 <= len(style[key]) <= 6 for key in ("do", "avoid"))
    assert 3 <= style["voice"].count("。") <= 4
    text = read(agent_path("plot-architect"))
    (contract,) = fenced(text)
    planned = re.search(r"\*\*Foreshadowing\*\*: (.*)", text)
    moved = {one["id"] for one in contract["postconditions"]["foreshadowing_updates"]}
    assert planned and set(re.findall(r"[a-z]+-[a-z]+", planned.group(1))) == moved


# --- the skill asks for no permission it does not need ---------------------------------------


def allowed() -> set[tuple[str, ...]]:
    """The sub-commands that the skill may run without asking."""
    front, _ = split(skill_path("continue"))
    rules = [rule for rule in listed(front["allowed-tools"]) if rule.startswith("Bash(")]
    found = set()
    for rule in rules:
        match = re.fullmatch(r"Bash\(novel ([a-z]+(?: [a-z]+)?) \*\)", rule)
        assert match, f"{rule} is not one named sub-command"
        found.add(tuple(match.group(1).split()))
    return found


def needed() -> set[tuple[str, ...]]:
    """What the skill's own text runs, and what the choices of `novel next` name."""
    _, body = split(skill_path("continue"))
    own = {sub_command(words) for words in commands(body) if len(words) > 2}
    own |= {("report",)} if "`novel report`（这一条不加 `--json`）" in body else set()
    return own | {sub_command(command.split()) for command in offered()}


def offered() -> set[str]:
    """The command of every choice that `novel next` can offer, read where choices are made.

    A planner's questions (`novel answer`) are the start desk's.
    """
    found = set()
    for path in sorted(Path(novel_hooks.__file__).parent.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "Choice(" in source:
            found |= {text for call in ast.walk(ast.parse(source)) for text in choice_commands(call)}
    assert {"novel retry", "novel sync --cancel", "novel decide 1 accept"} <= found
    return {command for command in found if not command.startswith("1 ")}


def choice_commands(call: ast.AST) -> list[str]:
    """The fourth argument of `Choice(key, label, why, command)`; what is filled in reads as 1."""
    if not isinstance(call, ast.Call) or getattr(call.func, "id", None) != "Choice":
        return []
    (command,) = [*call.args[3:], *(word.value for word in call.keywords if word.arg == "command")]
    if isinstance(command, ast.Constant):
        return [str(command.value)]
    assert isinstance(command, ast.JoinedStr), ast.dump(command)
    parts = (str(part.value) if isinstance(part, ast.Constant) else "1" for part in command.values)
    return ["".join(parts)]


def test_the_skill_allows_exactly_what_it_runs() -> None:
    """But for what the author alone may say: there the client asks him."""
    assert allowed() == needed() - {("accept-changes",), ("config",)}


def test_the_skill_never_allows_what_undoes_or_forces() -> None:
    assert not {words[0] for words in allowed()} & {"init", "rollback", "restore", "demo", "accept-changes"}
    assert ("lock", "clear") not in allowed()


def test_recording_anew_and_going_back_have_a_way_in_through_the_skills() -> None:
    """The menu's entry leads to the part that begins it; what undoes is shown first and asked about."""
    text = read(skill_path("start"))
    part = text[text.index("## 六、回头") :]
    assert "- `sync`：去“六”。" in text
    for command in ("sync --json", "sync N --json", "sync N --accept", "rollback N --json", "restore --json"):
        assert f"novel {command}" in part
    assert "--yes" in part and "点“允许”" in part
    assert "`sync:`" in read(skill_path("continue")), "and the other skill carries it out"


def test_the_skill_may_call_the_four_agents_and_no_others() -> None:
    front, _ = split(skill_path("continue"))
    rules = {rule for rule in listed(front["allowed-tools"]) if rule.startswith("Agent")}
    assert rules == {f"Agent({roles.subagent_name(name)})" for name in AGENTS}


@pytest.mark.parametrize("name", [*SKILLS, "start"])
def test_a_skill_opens_no_more_than_it_needs(name: str) -> None:
    """No tool as a whole but the question to the author: a bare Read opens the disk, agents included."""
    front, _ = split(skill_path(name))
    rest = {rule for rule in listed(front["allowed-tools"]) if not rule.startswith(("Agent(", "Bash(novel "))}
    assert rest <= {"AskUserQuestion", "Edit(staging/brief.md)", f"Edit({layout.PASTED})"}, rest
    assert name == "start" or rest <= {"AskUserQuestion"}, "a verdict is recorded by a hook"


def test_the_skills_commands_are_plain() -> None:
    _, body = split(skill_path("continue"))
    for words in commands(body):
        line = " ".join(words)
        assert not re.search(r"[|<>;&$]", line), line
        assert "--json" in words or len(words) == 2, line


# --- templates -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["style-profile", "ai-blacklist", "storyline-spec"])
def test_templates_have_the_shape_they_must_have(name: str) -> None:
    value = json.loads(read(template_path(f"{name}.json")))
    assert schema.problems(name, value, f"{name}.json") == []


def test_the_blacklist_is_long_enough_and_sorted_into_kinds() -> None:
    value = json.loads(read(template_path("ai-blacklist.json")))
    words = value["words"]
    assert len(words) >= 40 and len(set(words)) == len(words)
    kinds = [word for listed_words in value["categories"].values() for word in listed_words]
    assert sorted(kinds) == sorted(words), "each word has one kind, each kind's words are listed"


def test_the_storyline_rules() -> None:
    rules = json.loads(read(template_path("storyline-spec.json")))["rules"]
    assert [rule["id"] for rule in rules] == [f"LS-00{n}" for n in range(1, 6)]
    hard = [rule["id"] for rule in rules if rule["constraint_type"] == "hard"]
    assert hard == ["LS-001"]


def test_the_settings_are_the_ones_in_force_without_them() -> None:
    settings = YAML(typ="safe").load(read(template_path("novel.yaml")))
    bands = Bands()
    remarked = (
        "chapter_names",
        "daily_chars",
        "models",
        "codex_models",
        "currency",
        "prices",
        "budget",
        "packet_chars",
    )
    assert (*settings, *remarked) == table.KEYS
    assert all(f"# {key}:" in read(template_path("novel.yaml")) for key in remarked)
    assert settings["gate"] == {
        "pass": bands.pass_at,
        "polish": bands.polish_at,
        "revise": bands.revise_at,
        "pause": bands.pause_at,
    }
    assert settings["max_revisions"] == bands.max_revisions
    assert tuple(settings["chapter_chars"]) == length.CHAPTER_CHARS
    assert settings["max_characters"] == characters.CAP_WITHOUT_CONTRACT
    assert settings["stop_after"] == []
    (remark,) = [line for line in read(template_path("novel.yaml")).splitlines() if "packet_chars" in line]
    assert YAML(typ="safe").load(remark.lstrip("# ")) == {"packet_chars": dict(size_limit.LIMITS)}


def test_the_brief_says_what_is_still_open() -> None:
    text = read(template_path("brief.md"))
    assert text.count("〔待填〕") >= 10


@pytest.mark.parametrize("name", PLANNERS)
def test_an_example_of_a_question_is_in_the_authors_words(name: str) -> None:
    """Ids and names of fields are no words of his."""
    (line,) = [one for one in read(agent_path(name)).splitlines() if one.startswith('`{"questions"')]
    found = json.loads(line.strip("`"))
    told = [one[key] for one in found["questions"] for key in ("header", "question", "why")]
    told += [said for one in found["questions"] for choice in one["choices"] for said in choice.values()]
    told += [one[key] for one in found["conflicts"] for key in ("what", "why")]
    assert told and not [said for said in told if re.search("[A-Za-z]", said)]
