"""`novel import --sample`: the author's own prose, from which the style is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import SAMPLE

from novel_hooks import layout
from unit.flows.setup.imported import made as made
from unit.flows.setup.imported import note, refusal

if TYPE_CHECKING:
    from pathlib import Path


def style_is_due(made: Book) -> Book:
    made.drop(SAMPLE)
    made.drop(layout.STYLE_PROFILE)
    assert made.next()["step"] == "setup:style"
    return made


def warned(made: Book) -> list[str]:
    return [d.code for d in made.novel("next").diagnostics]


def test_his_own_prose_is_what_the_style_is_taken_from(made: Book, tmp_path: Path) -> None:
    style_is_due(made)
    found = made.novel("next")
    assert [(d.severity, d.code, d.path) for d in found.diagnostics] == [
        ("warning", "SAMPLE_MISSING", layout.STYLE_SAMPLES)
    ]
    assert "novel import 文件 --sample" in found.diagnostics[0].fix
    taken = made.ok("import", note(tmp_path, "旧文.txt", "他走了。\n"), "--sample")
    assert [one["path"] for one in taken["notes"]] == ["research/samples/旧文.md"]
    assert warned(made) == []
    inputs = made.ok("instructions", "setup:style")["inputs"]
    assert "research/samples/旧文.md" in [one.get("path") for one in inputs if one["key"] == "style_samples"]
    assert made.ok("import", note(tmp_path, "旧文.txt", "他走了。\n"), "--sample")["changed"] is False


def test_without_a_word_it_is_a_note(made: Book, tmp_path: Path) -> None:
    style_is_due(made)
    path = made.ok("import", note(tmp_path, "旧文.txt", "他走了。\n"))["notes"][0]["path"]
    assert path == "research/旧文.md" and warned(made) == ["SAMPLE_MISSING"]
    made.ok("import", str(made.at(path)), "--sample")
    assert warned(made) == [] and made.at(path).is_file(), "a note may be a sample too"
    told = refusal(made, str(made.at("research/samples/旧文.md")), "--sample")
    assert "已经在 research/samples/ 里了" in told


def test_a_pasted_text_is_moved(made: Book) -> None:
    style_is_due(made)
    made.write(layout.PASTED, "他走了。\n")
    before = made.tree()
    made.ok("import", str(made.at(layout.PASTED)), "--sample", "--as", "样章")
    assert made.at("research/samples/样章.md").read_text("utf-8") == "他走了。\n"
    assert not made.at(layout.PASTED).exists()
    assert set(made.changed(before)) - {layout.KNOWN_FILES} == {layout.PASTED, "research/samples/样章.md"}
    made.write(layout.PASTED, "她也走了。\n")
    made.refused(3, "NOTE_TAKEN", "import", str(made.at(layout.PASTED)), "--sample", "--as", "样章")


def test_a_sample_that_comes_while_the_style_is_being_made_is_no_breach(made: Book, tmp_path: Path) -> None:
    style_is_due(made)
    made.ok("instructions", "setup:style", "--write-manifest")
    made.ok("import", note(tmp_path, "旧文.txt", "他走了。\n"), "--sample")
    made.write(layout.staged(layout.STYLE_PROFILE), {"voice": "像守桥的老人"})
    assert made.ok("advance", "setup:style")["changed"] is True


@pytest.mark.parametrize(
    ("state", "staged", "words"),
    [("INIT", False, "照着量"), ("INIT", True, "再做一遍"), ("WRITING", False, "style-profile.json")],
)
def test_it_says_what_becomes_of_a_sample(
    made: Book, tmp_path: Path, state: str, staged: bool, words: str
) -> None:
    style_is_due(made)
    if staged:
        made.write(layout.staged(layout.STYLE_PROFILE), {"voice": "像守桥的老人"})
    made.point(orchestrator_state=state, current_volume=1 if state == "WRITING" else 0)
    found = made.novel("import", note(tmp_path), "--sample")
    assert found.exit == 0 and words in found.text and "样章" in found.text
