"""Every command and file that a skill or an agent names exists, whichever skills and agents there are."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks import layout, roles
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.call import COMMANDS
from novel_hooks.errors import UsageError
from novel_hooks.rules.packet import guide_topics
from novel_hooks.rules.steps import step_name as steps

ROOT = Path(CHECKOUT)
SKILLS = sorted(path.parent.name for path in ROOT.glob("skills/*/SKILL.md"))
TEXTS = sorted(
    path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("skills/*/SKILL.md"), *ROOT.glob("agents/*.md")]
)
# What a text writes where a value goes.
PLACES = {
    "STEP": "chapter:007:draft",
    "章数": "3",
    "ROLE": "primary",
    "MODEL": "sonnet",
    "V": "1",
    "TOPIC": "method",
    "C": "7",
    "N": "7",
    "KEY": "title",
    "VALUE": "书",
}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def commands(text: str) -> list[str]:
    """Every `novel …` in code marks, and every line of a code block that begins so."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.M | re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return re.findall(r"`(novel [a-z][^`\n]*)`", text) + [line for line in lines if line.startswith("novel ")]


def permissions(text: str) -> list[str]:
    return re.findall(r"Bash\(([^)]*)\)", text)


def fault(command: str) -> str | None:
    """What is wrong with this command line; None when `novel` would take it. A bare name is a mention."""
    words = [PLACES.get(word, word) for word in shlex.split(command)[1:]]
    name, rest = words[0], words[1:]
    if name not in COMMANDS:
        return f"no command {name}"
    parser = Parser(name, "")
    command = import_module(f"novel_hooks.cli.commands.{COMMANDS[name][0]}")
    if hasattr(command, "arguments"):
        command.arguments(parser)
    try:
        args = parser.parse_args(rest)
    except UsageError as error:
        return None if not rest else str(error)
    told = getattr(args, "step", None)
    if isinstance(told, str) and name != "lock":
        steps.parse(told)
    if name == "guide" and args.topic and not guide_topics.find_topic(args.topic):
        return f"no topic {args.topic}"
    return None


def paths(text: str) -> set[str]:
    """Code marks that look like a file or a folder; what an author fills in is `x`."""
    found = re.findall(r"`([\w<>./*{}-]*(?:/|\.(?:md|json|jsonl|yaml|txt|sh|py)))`", text, flags=re.A)
    return {re.sub(r"<[^>]*>|\{[^}]*\}", "x", one) for one in found if not one.startswith("/")}


def exists(path: str) -> bool:
    """Of the plugin, or of a project."""
    return (ROOT / path).exists() or shape(path) in PROJECT


def shape(path: str) -> str:
    numbers = re.sub(r"\d{2,}|\b(?:CCC|VV|NNN)\b", "0", path.rstrip("/"))
    named = re.sub(r"storylines/[^/]+/", "storylines/x/", numbers)
    return re.sub(r"world/[a-z-]+\.md$", "world/x.md", named)


PROJECT = {
    layout.PASTED,
    *(
        shape(f"{stem}{rel}")
        for stem in ("", "staging/")
        for rel in (
            *(
                layout.chapter(7),
                layout.summary(7),
                layout.evaluation(7),
                layout.crossref(7),
                layout.delta(7),
            ),
            *(
                layout.hints(7),
                layout.memory("x"),
                layout.outline(1),
                layout.schedule(1),
                layout.foreshadowing_plan(1),
            ),
            *(layout.contract(1, 7), layout.volume_review(1), layout.chapter_log(7), layout.BRIEF),
            *(
                layout.STYLE_PROFILE,
                layout.BLACKLIST,
                layout.WORLD_RULES,
                layout.STORYLINES,
                f"{layout.WORLD}/x.md",
            ),
            *(layout.STORYLINE_SPEC, layout.character_card("x"), layout.character_profile("x")),
        )
    ),
    *(layout.CONFIG, layout.CHECKPOINT, layout.STATE, layout.FORESHADOWING, layout.RESEARCH),
    *(layout.STYLE_SAMPLES, layout.GUIDES, layout.STAGING, *layout.PROJECT_DIRS),
}


def test_there_is_something_to_look_at() -> None:
    assert {"continue", "status", "novel-writing"} <= set(SKILLS)
    assert sum(len(commands(read(path))) for path in TEXTS) > 20


@pytest.mark.parametrize("path", TEXTS)
def test_every_command_named_is_one(path: str) -> None:
    assert [(told, fault(told)) for told in commands(read(path)) if fault(told)] == []


@pytest.mark.parametrize("path", TEXTS)
def test_every_permission_is_one_sub_command(path: str) -> None:
    """`Bash(novel NAME *)`, and no word more than the command has sub-commands."""
    for rule in permissions(read(path)):
        found = re.fullmatch(r"novel ([a-z-]+)((?: [a-z]+)?) \*", rule)
        assert found and found.group(1) in COMMANDS, rule
        if found.group(2):
            assert f'"{found.group(2).strip()}"' in read(
                f"novel_hooks/cli/commands/{COMMANDS[found.group(1)][0].replace('.', '/')}.py"
            ), rule


@pytest.mark.parametrize("path", TEXTS)
def test_every_file_named_exists(path: str) -> None:
    assert [one for one in sorted(paths(read(path))) if not exists(one)] == []


@pytest.mark.parametrize("path", TEXTS)
def test_every_skill_and_agent_named_exists(path: str) -> None:
    text = read(path)
    assert set(re.findall(r"/novel:([a-z-]+)", text)) <= set(SKILLS)
    agents = set(re.findall(r"(?<![/\w])novel:([a-z-]+)", text))
    assert agents <= set(roles.ROLES) and all((ROOT / f"agents/{name}.md").is_file() for name in agents)


@pytest.mark.parametrize("path", TEXTS)
def test_sizes(path: str) -> None:
    assert read(path).count("\n") <= (150 if path.startswith("skills/") else 80)


@pytest.mark.parametrize("path", TEXTS)
def test_nothing_is_read_in_the_plugins_folder(path: str) -> None:
    text = read(path)
    assert "CLAUDE_PLUGIN_ROOT" not in text and not re.search(r"\]\((?!https?:)", text)


# --- what only looks ------------------------------------------------------------------------


READS = {
    "status",
    "log",
    "gate",
    "next",
    "foreshadow query",
    "audit",
    "lock status",
    "guide",
    "find",
    "who",
} | {
    "report"  # it writes its own page, which nothing reads back
}


@pytest.mark.parametrize("name", ["status", "novel-writing"])
def test_a_skill_that_only_looks_may_only_look(name: str) -> None:
    text = read(f"skills/{name}/SKILL.md")
    allowed = {rule[len("novel ") : -len(" *")] for rule in permissions(text)}
    assert allowed and allowed <= READS
    ((rest,)) = re.findall(r"^allowed-tools: (.*)$", text, flags=re.M)
    assert set(re.sub(r"Bash\([^)]*\),? ?", "", rest).split(", ")) <= {"", "Read"}


@pytest.mark.parametrize("name", ["status", "novel-writing"])
def test_it_may_run_all_that_it_names_and_nothing_else(name: str) -> None:
    text = read(f"skills/{name}/SKILL.md")
    allowed = {rule[: -len(" *")] for rule in permissions(text)}
    named = [told for told in commands(text) if len(told.split()) > 2]
    assert {one for one in allowed if any(told.startswith(f"{one} ") for told in named)} == allowed
    assert [told for told in named if not any(told.startswith(f"{one} ") for one in allowed)] == []


def test_the_status_skill_tells_every_block() -> None:
    (table,) = re.findall(r"(?:^\|.*\|\n)+", read("skills/status/SKILL.md"), flags=re.M)
    told = re.findall(r"^\| `(\w+)` \|", table, flags=re.M)
    (row,) = re.findall(
        r"^\| `status` \| reads \| (.*?): each null", read("docs/agent-contract.md"), flags=re.M
    )
    assert sorted(told) == sorted(re.findall(r"`(\w+)`", row))


# --- the test itself can fail ----------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "novel statu --json",
        "novel commit --chapters 7",
        "novel guide nothing",
        "novel lock steal",
        "novel gate x",
    ],
)
def test_a_wrong_command_is_found(command: str) -> None:
    assert fault(command)


def test_a_wrong_file_is_found() -> None:
    text = "`staging/chapters/chapter-007.md` `storylines/<id>/memory.md` `staging/notes.md` `docs/no.md`"
    assert [one for one in sorted(paths(text)) if not exists(one)] == ["docs/no.md", "staging/notes.md"]
