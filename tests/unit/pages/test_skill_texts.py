"""What the skills may run, call and open."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import novel_hooks
from novel_hooks import layout, roles
from unit.pages.agent_pages import AGENTS, SECOND_WORDS, SKILLS, commands, listed, read, skill_path, split


def sub_command(words: list[str]) -> tuple[str, ...]:
    """`novel judge record --x` → ("judge", "record")."""
    return tuple(words[1:3]) if words[1] in SECOND_WORDS else tuple(words[1:2])


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
