"""What the command prints with --json is the one document of protocol §8, whatever happens."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import novel_hooks
from novel_hooks import errors
from novel_hooks.store.schema import schema
from tools import bookmaker
from tools.gen_errors import problem_classes

CHECKOUT = Path(novel_hooks.__file__).parent.parent
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from novel_hooks.cli.main import entry; entry()"
READING = ("next", "status", "lock status", "gate 3", "outline", "outline --chapter 5", "foreshadow query 5")
REFUSED = {
    "no-such-command": errors.USAGE,
    "gate": errors.USAGE,
    "instructions chapter:005:dance": errors.USAGE,
    "advance chapter:005:commit": errors.REFUSED,
    "outline --chapter 99": errors.REFUSED,
}


def novel(words: str, folder: Path) -> tuple[Any, int]:
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", START, str(CHECKOUT)]
    done = subprocess.run([*command, *words.split(), "--json"], cwd=folder, capture_output=True, timeout=60)
    return json.loads(done.stdout), done.returncode


def fits(name: str, document: object) -> bool:
    return [str(problem) for problem in schema.problems(name, document, "stdout")] == []


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four chapters of a volume of six."""
    root = tmp_path_factory.mktemp("book")
    bookmaker.make_book(str(root), 4, 6)
    return root


@pytest.mark.parametrize("words", READING)
def test_an_answer_is_one_envelope(book: Path, words: str) -> None:
    document, code = novel(words, book)
    assert fits("envelope", document)
    assert (code, document["ok"]) == (errors.DONE, True)
    assert document["data"] is not None


def test_the_next_step_has_the_shape_of_protocol_8(book: Path) -> None:
    document, _code = novel("next", book)
    assert fits("next", document["data"])
    assert document["data"]["step"] == "chapter:005:draft"


def test_the_next_step_of_a_stopped_book_has_the_same_shape(book: Path, tmp_path: Path) -> None:
    point = json.loads((book / ".checkpoint.json").read_text(encoding="utf-8"))
    stopped = {**point, "orchestrator_state": "ERROR_RETRY", "error": {"step": "chapter:005:draft"}}
    place = tmp_path / "stopped"
    shutil.copytree(book, place)
    (place / ".checkpoint.json").write_text(json.dumps(stopped), encoding="utf-8")
    document, _code = novel("next", place)
    assert fits("next", document["data"])
    assert (document["data"]["step"], document["data"]["stop"]) == (None, True)


def test_a_packet_that_is_printed_fits_its_schema(book: Path) -> None:
    document, code = novel("instructions chapter:005:draft", book)
    assert code == errors.DONE, document["diagnostics"]
    packet = document["data"].get("packet", document["data"])
    assert fits("packet", packet)


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_is_one_envelope_too(book: Path, words: str) -> None:
    document, code = novel(words, book)
    assert fits("envelope", document)
    assert (code, document["ok"]) == (REFUSED[words], False)
    assert [d["severity"] for d in document["diagnostics"]].count("error") >= 1


def test_a_folder_that_is_no_project_gets_an_envelope(tmp_path: Path) -> None:
    document, code = novel("next", tmp_path)
    assert fits("envelope", document)
    assert (code, document["data"]) == (errors.REFUSED, None)


@pytest.mark.parametrize("kind", problem_classes(), ids=lambda kind: kind.code)
def test_every_refusal_has_a_code_and_a_severity_of_the_envelope(kind: type[errors.Problem]) -> None:
    diagnostic = {"severity": kind.severity, "code": kind.code, "message": kind.message, "fix": kind.fix}
    shown = {**diagnostic, "path": None}
    envelope = {"schema_version": 1, "command": "x", "ok": False, "data": None, "diagnostics": [shown]}
    assert fits("envelope", envelope)
