"""What the pages say exists in the code, and what the code offers is on the pages."""

from __future__ import annotations

import os
import re

import pytest

from novel_hooks import __version__, roles
from novel_hooks.cli.call import COMMANDS
from novel_hooks.rules.evaluation.gate_entry import DECISIONS
from unit.pages.pages import ADRS, GLOSSARY, ROOT, WRITTEN, listed, read, section, tables

# --- the glossary ----------------------------------------------------------------------------


def test_every_term_has_both_names_and_one_line() -> None:
    (terms,) = tables(read(GLOSSARY).split("\n## ")[0])
    names = [row[0] for row in terms]
    assert names == sorted(names, key=str.lower) and len(names) == len(set(names)) > 40
    for row in terms:
        assert re.search(r"[\u4e00-\u9fff]", row[1]) and row[2], row
    house = {
        *("chapter", "volume", "storyline", "foreshadowing", "contract", "gate", "evaluation", "checkpoint"),
        *("staging", "delta", "crossref", "memory", "packet", "role", "journal", "character"),
    }
    assert house <= set(names)


def test_roles_phases_and_decisions_are_named_as_in_the_code() -> None:
    (jobs,) = tables(section(GLOSSARY, "分工 Roles"))
    assert {row[0]: row[1] for row in jobs} == {role.agent: role.title for role in roles.ROLES.values()}
    every = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    assert {row[0]: tuple(listed(row[2])) for row in jobs} == {
        agent: tuple(phase for phase, who in every.items() if who == agent) for agent in roles.ROLES
    }
    (phases,) = tables(section(GLOSSARY, "步骤 Phases"))
    assert {row[0]: row[1] for row in phases} == dict(roles.PHASE_TITLES)
    (decisions,) = tables(section(GLOSSARY, "门控的裁定 The gate's decisions"))
    assert {row[0]: row[1] for row in decisions} == DECISIONS


# --- every page ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WRITTEN)
def test_links_lead_somewhere(path: str) -> None:
    for target in re.findall(r"\]\(([^)#][^)]*)\)", read(path)):
        place = (ROOT / path).parent / target.split("#")[0]
        assert place.exists(), target


@pytest.mark.parametrize("path", WRITTEN)
def test_every_command_shown_exists(path: str) -> None:
    text = re.sub(r"```json.*?```", "", read(path), flags=re.S)
    shown = re.findall(r"`novel ([a-z][a-z-]*)", text) + re.findall(r"^\$ novel ([a-z-]+)", text, re.M)
    assert [name for name in shown if name not in {*COMMANDS, "help"}] == []


@pytest.mark.parametrize("path", WRITTEN)
def test_every_target_shown_exists(path: str) -> None:
    makefile = read("Makefile")
    for target in re.findall(r"`make ([a-z-]+)", read(path)):
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.parametrize("path", WRITTEN)
def test_every_file_of_ours_shown_exists(path: str) -> None:
    folders = "agents|bin|docs|hooks|novel_hooks|requirements|scripts|skills|tests|tools"
    for name in re.findall(rf"`((?:{folders})/[\w./-]*)`", read(path)):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", [path for path in WRITTEN if path != "README.md"])
def test_lines_of_english_pages_are_short(path: str) -> None:
    text = re.sub(r"^```console$.*?^```$", "", read(path), flags=re.M | re.S)
    text = re.sub(r"^(\||!\[).*$", "", text, flags=re.M)
    assert [line for line in text.splitlines() if len(line) > 120] == []


def test_every_module_named_exists_and_no_room_is_left_out() -> None:
    text = read("docs/architecture.md")
    assert text.count("\n") <= 120
    package = r"(?:rules|store|flows|hook|cli)(?:\.[a-z_]+)+"
    named = set(re.findall(rf"`({package})(?:\([a-z]+\))?`", text))
    unknown = [name for name in named if not exists(name)]
    assert unknown == []
    rooms = {path.parent for path in (ROOT / "novel_hooks").glob("*/*/__init__.py")}
    for room in rooms:
        assert f"`{room.parent.name}.{room.name}`" in text, room
        assert (room / "__init__.py").read_text("utf-8").startswith('"""'), "a room says what lives there"


def exists(name: str) -> bool:
    """Is there a module, or a function of a module, of that dotted name in the package?"""
    place = ROOT / "novel_hooks" / name.replace(".", "/")
    if place.is_dir() or place.with_suffix(".py").is_file():
        return True
    module = place.parent.with_suffix(".py")
    return module.is_file() and f"def {place.name}(" in module.read_text("utf-8")


def test_layers_are_those_that_are_checked() -> None:
    checked = re.findall(r"^layers = (\[.*\])$", read("pyproject.toml"), re.M)
    text = read("docs/architecture.md")
    folders = {path.parent.name for path in (ROOT / "novel_hooks").rglob("__init__.py")}
    kernel = {path.stem for path in (ROOT / "novel_hooks").glob("*.py")}
    for layers in checked:
        for name in (folders | kernel).intersection(re.findall(r"\w+", layers)):
            assert re.search(rf"\b{name}\b", text), name


def test_a_room_holds_three_to_twelve_modules() -> None:
    """Or, at the top of `cli`, `store` and the others, folders alone."""
    for folder in (ROOT / "novel_hooks").rglob("__init__.py"):
        modules = [path for path in folder.parent.glob("*.py") if path.name != "__init__.py"]
        rooms = list(folder.parent.glob("*/__init__.py"))
        assert len(modules) <= 12 and (len(modules) >= 3 or rooms), folder.parent


@pytest.mark.parametrize("layer", ["rules", "store", "hook"])
def test_every_module_has_tests_by_its_name(layer: str) -> None:
    modules = [path for path in (ROOT / "novel_hooks" / layer).rglob("*.py") if path.name != "__init__.py"]
    places = [path.relative_to(ROOT / "novel_hooks") for path in modules]
    tests = [ROOT / "tests" / "unit" / place.with_name(f"test_{place.name}") for place in places]
    assert [str(path.relative_to(ROOT)) for path in tests if not path.is_file()] == []


@pytest.mark.parametrize("path", ADRS)
def test_a_decision_is_one_page_of_one_form(path: str) -> None:
    text = read(path)
    number = os.path.basename(path)[:4]
    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (.+)$", text, re.M) == ["Context", "Decision", "Consequences"]
    assert 15 <= text.count("\n") <= 60
    assert f"(adr/{os.path.basename(path)})" in read("docs/architecture.md")


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(os.path.basename(path)[:4]) for path in ADRS] == list(range(1, len(ADRS) + 1))


def test_the_dependencies_page_names_what_is_installed() -> None:
    text = read("docs/adr/0004-dependencies.md")
    for name in ("runtime", "dev"):
        pins = [
            re.split(r"[>=<]", line)[0].strip()
            for line in read(f"requirements/{name}.in").splitlines()
            if line and line[0] not in "#-"
        ]
        assert pins
        assert [pin for pin in pins if pin not in text] == []
    closure = set(re.findall(r"^([a-z][\w-]*)==", read("requirements/runtime.txt"), re.M))
    assert [name for name in closure if name.replace("ruamel-yaml", "ruamel.yaml") not in text] == []


def test_the_changelog_has_this_version() -> None:
    assert re.search(rf"^## \[{re.escape(__version__)}\]", read("CHANGELOG.md"), re.M)
