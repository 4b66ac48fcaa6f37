"""Schema verdicts remembered by content hash: a pass is known again, and nothing is known wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import novel_hooks
from novel_hooks import layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema, validity
from novel_hooks.store.schema.validity import Validity

CHECKOUT = Path(novel_hooks.__file__).parent.parent
CARD = b'{"display_name": "\xe6\xb2\x88\xe6\xb8\xa1"}'
BAD_CARD = b'{"display_name": 7}'
PATH = "characters/active/shen-du.json"
SLOW_TO_IMPORT = "dataclasses pathlib datetime socket subprocess tempfile shutil jsonschema ruamel"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".novel").mkdir()
    return Project(str(tmp_path))


def judge(remembered: Validity, data: bytes, name: str = "character") -> list[str]:
    problems = remembered.judge(name, data, jsonio.parse(data, PATH), PATH)
    return [str(problem.values["where"]) for problem in problems]


def store(project: Project, content: bytes) -> None:
    Path(project.absolute(layout.VALIDITY)).write_bytes(content)


def learn(project: Project, *documents: bytes) -> None:
    """A command that judged these documents and landed what it learnt."""
    remembered = Validity(project)
    for data in documents:
        assert judge(remembered, data) == []
    changes = remembered.changes()
    assert changes is not None
    store(project, changes)


def passed(project: Project) -> list[str]:
    content = Path(project.absolute(layout.VALIDITY)).read_bytes()
    return list(json.loads(content)["passed"])


def numbered(number: int) -> bytes:
    return jsonio.dump({"display_name": f"路人{number}"})


def no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise AssertionError("a known document was judged again")

    monkeypatch.setattr(schema, "problems", refuse)


# --- knowing ---------------------------------------------------------------------------------


def test_nothing_is_known_at_first_and_nothing_is_to_be_written(project: Project) -> None:
    remembered = Validity(project)
    assert not remembered.knows("character", CARD)
    assert remembered.changes() is None


def test_a_pass_is_known_at_once_and_by_the_next_command(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = Validity(project)
    assert judge(remembered, CARD) == []
    assert remembered.knows("character", CARD)
    learn(project, CARD)
    no_checks(monkeypatch)
    later = Validity(project)
    assert later.knows("character", CARD)
    assert judge(later, CARD) == []
    assert later.changes() is None


def test_a_refusal_is_never_remembered(project: Project) -> None:
    remembered = Validity(project)
    assert judge(remembered, BAD_CARD) == ["display_name"]
    assert not remembered.knows("character", BAD_CARD)
    assert judge(remembered, BAD_CARD) == ["display_name"]
    assert remembered.changes() is None


@pytest.mark.parametrize("other", [CARD + b"\n", b"\xef\xbb\xbf" + CARD, CARD.replace(b" ", b"")])
def test_other_bytes_are_not_known(project: Project, other: bytes) -> None:
    learn(project, CARD)
    assert not Validity(project).knows("character", other)


def test_a_pass_counts_for_its_own_schema_only(project: Project) -> None:
    learn(project, CARD)
    assert not Validity(project).knows("world-rules", CARD)
    assert judge(Validity(project), CARD, "world-rules") == ["rules"]


def test_a_changed_schema_makes_old_verdicts_unknown(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(project, CARD)
    monkeypatch.setattr(schema, "_digests", {})
    monkeypatch.setattr(schema, "_sources", {"character": schema.schema_source("character") + b"\n"})
    assert not Validity(project).knows("character", CARD)


def test_what_a_caller_found_out_is_remembered_by_its_mark(project: Project) -> None:
    remembered = Validity(project)
    remembered.learn("character", CARD, b"mark")
    changes = remembered.changes()
    assert changes is not None
    store(project, changes)
    for known in (remembered, Validity(project)):
        assert known.knows("character", CARD, b"mark")
        assert not known.knows("character", CARD) and not known.knows("character", CARD, b"other")
        assert not known.knows("character", BAD_CARD, b"mark")
        assert not known.knows("world-rules", CARD, b"mark")


def test_what_a_caller_learnt_is_a_pass(project: Project) -> None:
    remembered = Validity(project)
    remembered.learn("character", CARD)
    assert remembered.knows("character", CARD) and judge(remembered, CARD) == []
    learnt = remembered.changes()
    again = Validity(project)
    assert judge(again, CARD) == []
    assert again.changes() == learnt


# --- the file --------------------------------------------------------------------------------


def test_the_file_is_canonical_and_the_same_for_the_same_work(project: Project) -> None:
    learn(project, CARD, numbered(1))
    first = Path(project.absolute(layout.VALIDITY)).read_bytes()
    assert first == jsonio.dump(json.loads(first))
    os.remove(project.absolute(layout.VALIDITY))
    learn(project, CARD, numbered(1))
    assert Path(project.absolute(layout.VALIDITY)).read_bytes() == first


BROKEN = {
    "empty": b"",
    "no-json": b"{",
    "no-utf8": b"\xff\xfe\x00",
    "null": b"null",
    "list": b"[]",
    "text": b'"passed"',
    "other-version": b'{"schema_version": 2, "passed": []}',
    "no-version": b'{"passed": []}',
    "passed-is-map": b'{"schema_version": 1, "passed": {}}',
    "passed-of-lists": b'{"schema_version": 1, "passed": [[], {}, 7, null]}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_or_foreign_file_is_as_good_as_none(project: Project, content: bytes) -> None:
    store(project, content)
    assert not Validity(project).knows("character", CARD)
    learn(project, CARD)
    assert len(passed(project)) == 1


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_keys_of_another_version_of_the_file_are_not_trusted(project: Project, version: object) -> None:
    learn(project, CARD)
    store(project, jsonio.dump({"schema_version": version, "passed": passed(project)}))
    assert not Validity(project).knows("character", CARD)


@pytest.mark.parametrize("kind", ["folder", "link", "no-parent"])
def test_something_else_in_its_place_is_as_good_as_none(project: Project, kind: str) -> None:
    place = Path(project.absolute(layout.VALIDITY))
    if kind == "folder":
        place.mkdir()
    elif kind == "link":
        place.symlink_to(place.parent / "elsewhere.json")
    else:
        place.parent.rmdir()
        place.parent.write_text("", encoding="utf-8")
    assert not Validity(project).knows("character", CARD)
    assert judge(Validity(project), BAD_CARD) == ["display_name"]


def test_the_file_is_read_once_for_a_command(project: Project) -> None:
    remembered = Validity(project)
    assert not remembered.knows("character", CARD)
    learn(project, CARD)
    assert not remembered.knows("character", CARD)


def test_the_newest_verdicts_are_kept(project: Project) -> None:
    learn(project, *(numbered(i) for i in range(validity.CAPACITY)))
    learn(project, CARD)
    assert len(passed(project)) == validity.CAPACITY
    remembered = Validity(project)
    assert remembered.knows("character", CARD)
    assert remembered.knows("character", numbered(1))
    assert not remembered.knows("character", numbered(0))


def test_what_was_of_use_outlives_what_was_not(project: Project) -> None:
    learn(project, *(numbered(i) for i in range(validity.CAPACITY)))
    remembered = Validity(project)
    assert judge(remembered, numbered(0)) == []
    assert judge(remembered, CARD) == []
    changes = remembered.changes()
    assert changes is not None
    store(project, changes)
    later = Validity(project)
    assert later.knows("character", numbered(0))
    assert not later.knows("character", numbered(1))


def test_more_than_the_limit_at_once_is_cut_to_the_limit(project: Project) -> None:
    learn(project, *(numbered(i) for i in range(validity.CAPACITY + 5)))
    assert len(passed(project)) == validity.CAPACITY
    assert not Validity(project).knows("character", numbered(4))
    assert Validity(project).knows("character", numbered(5))


# --- speed -----------------------------------------------------------------------------------


def run(project: Project, data: bytes) -> dict[str, object]:
    """Judge `data` in an interpreter as `bin/novel` starts it; what was found and what was loaded."""
    script = textwrap.dedent(
        """
        import json, sys
        sys.path.insert(0, sys.argv[1])
        from novel_hooks.store.files.project import Project
        from novel_hooks.store.schema.validity import Validity
        data = bytes.fromhex(sys.argv[3])
        found = Validity(Project(sys.argv[2])).judge("character", data, json.loads(data), "a.json")
        print(json.dumps({"found": len(found), "loaded": sorted(sys.modules)}))
        """
    )
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", script]
    arguments = [str(CHECKOUT), project.root, data.hex()]
    done = subprocess.run([*command, *arguments], capture_output=True, check=True, timeout=60)
    return dict(json.loads(done.stdout))


def test_a_hit_loads_no_jsonschema_and_nothing_slow(project: Project) -> None:
    learn(project, CARD)
    answer = run(project, CARD)
    assert answer["found"] == 0
    loaded = {str(name).partition(".")[0] for name in answer["loaded"]}  # type: ignore[attr-defined]
    assert loaded.isdisjoint(SLOW_TO_IMPORT.split())


def test_a_miss_finds_jsonschema_in_the_same_interpreter(project: Project) -> None:
    answer = run(project, BAD_CARD)
    assert answer["found"] == 1
    assert "jsonschema" in answer["loaded"]  # type: ignore[operator]


def test_a_document_is_hashed_once_whoever_asks(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed, digest = [], schema.digest
    monkeypatch.setattr(schema, "digest", lambda name: hashed.append(name) or digest(name))
    remembered = Validity(project)
    assert not remembered.knows("character", CARD)
    remembered.learn("character", CARD)
    assert remembered.knows("character", CARD) and not remembered.knows("character", CARD, b"mark")
    assert hashed == ["character", "character"]
