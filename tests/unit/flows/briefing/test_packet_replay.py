"""`novel instructions --replay` and `novel context`: a packet told again, and shown to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase, packet

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.cli.answer import Answer

SHA = "0" * 64


def manifest(made: Book, phase: str, *more: str) -> str:
    found: str = packet(made, phase, "--write-manifest", *more)["manifest"]
    return found


def replay(made: Book, file: str) -> Answer:
    """The command's answer; it must not change anything."""
    before = made.tree()
    found = made.novel("instructions", "--replay", file)
    assert made.changed(before) == {}
    return found


@pytest.mark.parametrize("phase", AGENTS)
@pytest.mark.parametrize("embed", [False, True])
def test_the_same_files_are_said_to_be_the_same(tmp_path: Path, phase: str, embed: bool) -> None:
    made = at_phase(tmp_path, phase)
    file = manifest(made, phase, *(["--embed"] if embed else []))
    for place in (file, str(made.at(file))):
        found = replay(made, place)
        assert (found.exit, found.data["same"], found.data["rebuilt"]) == (0, True, True)
        assert found.data["inputs"] == found.data["other"] == [] and "一模一样" in found.text


@pytest.mark.parametrize("phase", ["draft", "refine", "judge"])
@pytest.mark.parametrize("text", ["# 另一份指南\n", None])
def test_a_guide_beside_the_packet_that_was_swapped_is_told(
    tmp_path: Path, phase: str, text: str | None
) -> None:
    made = at_phase(tmp_path, phase)
    file = manifest(made, phase)
    beside = [one for one in made.json(file)["inputs"] if str(one.get("path")).startswith(layout.GUIDES)]
    for one in beside:
        assert made.at(one["path"]).is_file()
        made.drop(one["path"]) if text is None else made.write(one["path"], text)
    found = replay(made, file)
    assert beside and (found.exit, found.data["same"], found.data["rebuilt"]) == (1, False, True)
    told = [(one["key"], one["what"]) for one in found.data["inputs"]]
    assert told == [(one["key"], "changed" if text else "missing") for one in beside]
    assert "一模一样" not in found.text and beside[0]["path"] in found.text


def test_each_input_that_differs_is_told_with_both_sizes_and_hashes(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.staged(layout.hints(5)), {})  # half done: what is lost now stops nothing
    file = manifest(made, "draft")
    old = {(i["key"], i.get("path")): i for i in made.json(file)["inputs"]}
    made.write(layout.BRIEF, "# 另一本书\n\n十二个字，连标点一共十二。\n")
    made.drop(layout.summary(3))
    made.write(layout.CONFIG, "chapter_chars: [1, 2]\n")
    found = replay(made, file)
    assert (found.exit, found.data["same"], found.data["rebuilt"]) == (1, False, True)
    told = {one["key"]: one for one in found.data["inputs"]}
    assert {key: one["what"] for key, one in told.items()} == {
        "project_brief": "changed",
        "recent_3_summaries": "missing",
        "chapter_length": "changed",
    }
    brief = told["project_brief"]
    assert brief["old"] == {k: old["project_brief", layout.BRIEF][k] for k in ("chars", "sha256")}
    assert brief["new"]["chars"] == 13 and brief["new"]["sha256"] != brief["old"]["sha256"]
    assert told["recent_3_summaries"]["path"] == layout.summary(3)
    assert told["recent_3_summaries"]["new"] is None and told["chapter_length"]["path"] is None
    assert "立意" in found.text and layout.BRIEF in found.text
    assert found.data["other"] == ["cap", "warnings"]  # the summary that is gone is told


def test_an_input_that_came_later_is_added(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.staged(layout.hints(5)), {})  # half done: what is lost now stops nothing
    made.drop(layout.memory("river-line"))
    file = manifest(made, "draft")
    made.write(layout.memory("river-line"), "又有了记忆。\n")
    (one,) = replay(made, file).data["inputs"]
    assert (one["key"], one["what"], one["old"]) == ("storyline_memory", "added", None)
    assert one["new"]["chars"] == 6


def test_what_is_no_input_is_named_too(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    document = made.json(manifest(made, "refine"))
    made.write("packet.json", {**document, "task": "做别的事。", "rules": []})
    found = replay(made, str(made.at("packet.json")))
    assert (found.exit, found.data["inputs"], found.data["other"]) == (1, [], ["rules", "task"])


def test_the_first_judges_packet_is_still_the_same_when_the_second_is_due(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    made.key_chapter()
    file = manifest(made, "judge")
    made.judge(4.5)
    assert packet(made, "judge")["role"] == "secondary"
    assert replay(made, file).data["same"] is True


def test_a_landed_chapters_packet_has_its_files_compared(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    file = manifest(made, "refine")
    made.stage("committed", last_completed_chapter=5, inflight_chapter=None)
    found = replay(made, file)
    assert (found.exit, found.data["rebuilt"], found.data["inputs"]) == (1, False, [])
    assert "CHAPTER_NOT_DUE" in [d.code for d in found.diagnostics]
    made.drop(layout.staged(layout.chapter(5)))
    (gone,) = replay(made, file).data["inputs"]
    assert (gone["key"], gone["what"], gone["new"]) == ("chapter_content", "missing", None)


def test_a_broken_file_is_told_and_the_others_are_compared(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    file = manifest(made, "draft")
    made.write(layout.STYLE_PROFILE, b"{")
    made.drop(layout.BRIEF)
    found = replay(made, file)
    assert (found.exit, found.data["rebuilt"]) == (1, False)
    assert {d.path for d in found.diagnostics} == {layout.STYLE_PROFILE, layout.BRIEF}
    assert {(i["path"], i["what"]) for i in found.data["inputs"]} == {
        (layout.STYLE_PROFILE, "changed"),
        (layout.BRIEF, "missing"),
    }


def test_what_json_printed_is_taken_as_well(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    data = packet(made, "refine")
    made.write("said.json", {"schema_version": 1, "command": "instructions", "ok": True, "data": data})
    assert replay(made, str(made.at("said.json"))).data["same"] is True


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"kind": "novel-packet"}',
        b'{"kind": "novel-packet", "schema_version": 2, "step": "chapter:005:draft", "inputs": []}',
        b'{"kind": "novel-packet", "schema_version": 1, "step": 5, "inputs": []}',
        b'{"kind": "novel-packet", "schema_version": 1, "step": "chapter:005:draft", "inputs": [{"key": 1}]}',
        b'{"kind": "novel-packet", "schema_version": 1, "step": "chapter:005:draft", "inputs": [3]}',
    ],
)
def test_what_is_no_packet_is_refused(tmp_path: Path, content: bytes) -> None:
    made = at_phase(tmp_path, "refine")
    made.write("other.json", content)
    made.refused(3, "PACKET_UNREADABLE", "instructions", "--replay", str(made.at("other.json")))


@pytest.mark.parametrize("path", ["../outside.md", "/etc/hostname", "chapters/../../x", "a\x00b", ""])
def test_a_packet_cannot_make_it_read_outside_the_project(tmp_path: Path, path: str) -> None:
    made = at_phase(tmp_path, "refine")
    (tmp_path / "outside.md").write_text("别处", "utf-8")
    one = {"key": "k", "type": "t", "chars": 1, "sha256": SHA, "path": path}
    packet_of = {"kind": "novel-packet", "schema_version": 1, "step": "chapter:099:draft", "inputs": [one]}
    made.write("other.json", packet_of)
    found = replay(made, str(made.at("other.json")))
    assert (found.exit, found.data["inputs"][0]["what"]) == (1, "missing")


@pytest.mark.parametrize(
    ("argv", "exit", "code"),
    [
        (["--replay", "no-such.json"], 3, "FILE_MISSING"),
        (["chapter:005:draft", "--replay", "a"], 2, "CLI_USAGE"),
        (["--replay", "a", "--embed"], 2, "CLI_USAGE"),
        ([], 2, "CLI_USAGE"),
    ],
)
def test_a_call_that_does_not_say_what_to_replay(
    tmp_path: Path, argv: list[str], exit: int, code: str
) -> None:
    at_phase(tmp_path, "draft").refused(exit, code, "instructions", *argv)
