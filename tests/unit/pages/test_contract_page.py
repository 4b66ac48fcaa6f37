"""The page that agents and hosts are given: commands, exits, steps, the write boundary."""

from __future__ import annotations

import re

from novel_hooks import errors, layout, roles
from novel_hooks.cli.call import COMMANDS
from novel_hooks.cli.commands import script
from novel_hooks.hook.guard import decision
from novel_hooks.hook.guard.reasons import REASONS
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.evaluation.gate_entry import DECISIONS
from novel_hooks.rules.steps import step_name
from novel_hooks.store.lock import lockstate
from unit.pages.pages import (
    CONTRACT,
    ERROR_CODES,
    ROOT,
    THREATS,
    codes,
    contract_commands,
    first_codes,
    listed,
    schema_document,
    section,
    tables,
)

# --- the contract: commands, exits, steps ----------------------------------------------------


def test_every_command_is_on_the_page_and_no_other() -> None:
    assert {call.split()[0] for call in contract_commands()} == set(COMMANDS)


def test_exit_codes() -> None:
    rows = tables(section(CONTRACT, "What it prints"))[1]
    told = {int(row[0]) for row in rows}
    names = ("DONE", "FINDINGS", "USAGE", "REFUSED", "BUSY", "DAMAGED", "BUG")
    assert told == {getattr(errors, name) for name in names}


def test_steps_and_their_phases() -> None:
    rows = tables(section(CONTRACT, "What comes next"))[1]
    assert {codes(row[0])[0]: tuple(listed(row[1])) for row in rows} == {
        "chapter": step_name.CHAPTER_PHASES,
        "setup": step_name.SETUP_PHASES,
        "volume": step_name.VOLUME_PHASES,
        "sync": step_name.SYNC_PHASES,
    }


def test_phases_of_a_chapter() -> None:
    rows = tables(section(CONTRACT, "Phases of a chapter"))[0]
    assert first_codes(rows) == list(step_name.CHAPTER_PHASES)
    for row in rows:
        phase = codes(row[0])[0]
        if phase in roles.CHAPTER_AGENTS:
            assert row[1] == roles.CHAPTER_AGENTS[phase]
            models = {roles.STRONG_MODEL} if phase == "revise" else {roles.ROLES[row[1]].model}
            assert {word for word in ("sonnet", "opus", "haiku") if word in row[2]} == (
                models | ({roles.STRONG_MODEL} if phase == "judge" else set())
            )
        if phase in roles.CHAPTER_OUTPUTS and phase != "judge":
            assert codes(row[3]) == [output.key for output in roles.CHAPTER_OUTPUTS[phase]]


def test_outputs() -> None:
    rows = tables(section(CONTRACT, "Phases of a chapter"))[1]
    told = {codes(row[0])[0]: (codes(row[1])[0], codes(row[2])[0] if row[2] else None) for row in rows}
    every = {output.key: output for outputs in roles.CHAPTER_OUTPUTS.values() for output in outputs}
    assert told == {key: (output.pattern, output.schema) for key, output in every.items()}


def test_judges_roles_and_decisions() -> None:
    text = section(CONTRACT, "Judges")
    assert set(DECISIONS) <= set(codes(text))
    assert {gate.PASS, gate.POLISH, gate.REVISE, gate.PAUSE, gate.PAUSE_REWRITE} == set(DECISIONS)


def test_lock_kinds() -> None:
    text = section(CONTRACT, "Locks and owners")
    (kinds,) = re.findall(r"^`kind` of `lock status` is (.*)\. A lock", text, re.M)
    assert set(codes(kinds)) == {lockstate.FREE, lockstate.OWN, lockstate.OTHER, lockstate.STALE}


def test_scripts() -> None:
    (rows,) = tables(section(CONTRACT, "Scripts"))
    names = {codes(row[0])[0].split()[0] for row in rows}
    assert names == {f"{name}.sh" for name in script._SCRIPTS}
    assert all((ROOT / "scripts" / name).is_file() for name in names)


def test_environment() -> None:
    (rows,) = tables(section(CONTRACT, "Environment"))
    places = [*(ROOT / "novel_hooks").rglob("*.py"), *(ROOT / "scripts").glob("*.sh"), ROOT / "bin" / "novel"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in places)
    told = set(first_codes(rows))
    used = {name for name in re.findall(r"\bNOVEL_[A-Z_]+\b", code) if name not in ERROR_CODES}
    assert told == used | {"PIP_INDEX_URL"}


# --- the write boundary ----------------------------------------------------------------------


def test_an_audit_line_has_these_keys() -> None:
    rows = tables(section(CONTRACT, "The write boundary"))[0]
    assert first_codes(rows) == schema_document("audit-line")["required"]


def test_the_rules_of_an_audit_line() -> None:
    """All that the guard knows, but for the two refusals that no log can have."""
    rows = tables(section(CONTRACT, "The write boundary"))[1]
    told = [rule for row in rows for rule in codes(row[0])]
    assert len(told) == len(set(told))
    assert set(told) == set(REASONS) - {"no-project", "audit"} | {"staging", "author-accepts"}


def test_what_the_second_fence_watches_is_what_is_said_to_be_protected() -> None:
    (rows,) = tables(section(THREATS, "What is protected"))
    told = {code.rstrip("/") for row in rows for code in codes(row[1])}
    assert told == {*layout.FENCED_FILES, *layout.FENCED_FOLDERS, layout.CHECKPOINT}


def test_who_may_write_what() -> None:
    (rows,) = tables(section(THREATS, "Who may write what"))
    told = {row[0]: tuple(codes(row[1])) for row in rows if row[0] in roles.ROLES}
    assert told == {role.agent: role.writes for role in roles.ROLES.values()}
    own = {code.rstrip("/") for code in codes(section(THREATS, "Who may write what").split("|")[0])}
    assert {*roles.OWN_STAGING, layout.CHECKPOINT} <= own


def test_which_tools_the_guard_knows() -> None:
    text = section(THREATS, "What the guard decides")
    (spared,) = re.findall(r"every tool but (.*), which change nothing", text)
    assert set(codes(spared)) == set(decision.READ_ONLY)
    (rows,) = tables(text)
    (writing,) = [row[0] for row in rows if row[1].startswith("allow")]
    assert set(codes(writing)) - {"staging/"} == set(decision.PATH_KEYS)
