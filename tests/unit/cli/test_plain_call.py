"""What a plain `next`, `status` or hand-out loads: no parser, nothing that it does not run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.call import plain_arguments
from novel_hooks.cli.commands.pages import status
from novel_hooks.cli.commands.steps import instructions
from novel_hooks.cli.commands.steps import next as next_command
from tools.bench import make_bench_book

HEAVY = (
    *("argparse", "hashlib", "contextlib", "jsonschema", "novel_hooks.store.journal.journal"),
    *("novel_hooks.flows.session.session", "novel_hooks.flows.planning.setting_changes", "datetime"),
    *("novel_hooks.rules.evaluation.document", "novel_hooks.rules.evaluation.gate", "math"),
    *("novel_hooks.rules.settings.values", "novel_hooks.rules.review.periodic", "novel_hooks.errors.landed"),
    *("novel_hooks.store.formats.jsonfault", "novel_hooks.store.files.oserror"),
    *("novel_hooks.errors.manuscript", "novel_hooks.flows.book.foreshadowing"),
)


@pytest.mark.parametrize(("name", "module"), [("next", next_command), ("status", status)])
@pytest.mark.parametrize("rest", [[], ["--json"]])
def test_a_plain_call_gives_what_the_parser_gives(name: str, module: object, rest: list[str]) -> None:
    assert not hasattr(module, "arguments")
    asked = {key: value for key, value in vars(Parser(name, "").parse_args(rest)).items() if key != "help"}
    assert vars(plain_arguments(name, rest)) == asked


@pytest.mark.parametrize(
    "rest",
    [
        ["chapter:007:draft"],
        ["--json", "chapter:007:draft"],
        ["chapter:007:draft", "--write-manifest", "--json"],
        [" nonsense "],
        [""],
    ],
)
def test_a_plain_hand_out_gives_what_the_parser_gives(rest: list[str]) -> None:
    parser = Parser("instructions", "")
    instructions.arguments(parser)
    asked = {key: value for key, value in vars(parser.parse_args(rest)).items() if key != "help"}
    assert vars(plain_arguments("instructions", rest)) == asked


@pytest.mark.parametrize(
    "rest",
    [[], ["a", "b"], ["-h"], ["a", "--embed"], ["--replay", "a"], ["a", "--write"], ["第七章"], ["--", "a"]],
)
def test_every_other_hand_out_is_read_by_the_parser(rest: list[str]) -> None:
    assert plain_arguments("instructions", rest) is None


@pytest.mark.parametrize("rest", [["--help"], ["--project", "a"], ["--owner=a"], ["2"], ["--json", "-h"]])
def test_every_other_call_is_read_by_the_parser(rest: list[str]) -> None:
    assert plain_arguments("next", rest) is None
    assert plain_arguments("lock", []) is None


NOT_FOR_A_DRAFT = (
    *("argparse", "jsonschema", "novel_hooks.errors.landed", "novel_hooks.errors.manuscript"),
    *("novel_hooks.flows.checks.output_checks", "novel_hooks.flows.chapter.landed_desk"),
    *("novel_hooks.flows.checks.unknown_references", "novel_hooks.rules.lint.report"),
    *("novel_hooks.rules.evaluation.document", "novel_hooks.rules.steps.questions"),
)


@pytest.mark.parametrize(
    ("command", "rest", "heavy"),
    [("next", [], HEAVY), ("status", [], HEAVY), ("instructions", ["chapter:013:draft"], NOT_FOR_A_DRAFT)],
)
def test_a_plain_call_loads_nothing_that_it_does_not_run(
    tmp_path: Path, command: str, rest: list[str], heavy: tuple[str, ...]
) -> None:
    folder = tmp_path / "book"
    make_bench_book(str(folder), 12)  # a backup is due
    code = (
        f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
        "from novel_hooks.cli.call import call\n"
        f"assert call({command!r}, {rest!r}, {{}}).exit == 0\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=tmp_path / "book",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
