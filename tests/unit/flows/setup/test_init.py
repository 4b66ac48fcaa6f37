"""A new project: its title, the author's own templates, what is never written over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.templates import TEMPLATES
from novel_hooks.rules.settings import values
from novel_hooks.store.files import assets
from novel_hooks.store.schema import schema
from unit.flows.setup.begun import init
from unit.flows.setup.begun import place as place

if TYPE_CHECKING:
    from pathlib import Path


SPEC = {"rules": [{"id": "LS-001", "name": "时间", "rule": "时间对得上", "constraint_type": "hard"}]}


def refused(place: Path, exit: int, code: str, *more: str) -> Any:
    """Nothing has been made."""
    found = init(place, *more)
    assert (found.exit, found.diagnostics[0].code) == (exit, code), found
    assert not place.exists()
    return found.diagnostics[0]


@pytest.mark.parametrize(
    "told", ["长夜", "灯 #1: 归", "“夜”　行", "👨‍👩‍👧 一家", "'", "a\tb".replace("\t", "\u3000")]
)
def test_the_title_is_kept_as_it_was_said(place: Path, told: str) -> None:
    assert init(place, "--title", told, "--genre", told).exit == 0
    found = settings.parse((place / layout.CONFIG).read_text("utf-8"))
    assert (found["title"], found["genre"]) == (told, told)


MARKS = [
    "\n",
    "\r",
    "\t",
    "\0",
    "\x07",
    "\x1b",
    "\x7f",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200f",
]


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize("option", ["--title", "--genre"])
def test_a_title_with_marks_that_are_not_seen_is_refused(place: Path, option: str, mark: str) -> None:
    assert option in refused(place, 2, "CLI_USAGE", option, f"长{mark}夜").message


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_nor_is_it_set_later(tmp_path: Path, mark: str) -> None:
    made = book(tmp_path)
    made.refused(
        made.novel("config", "title", f"长{mark}夜").exit, "CONFIG_REFUSED", "config", "title", f"长{mark}夜"
    )
    assert made.ok("config", "title", "长夜")["changed"] is True


def test_a_blank_title_is_none(place: Path) -> None:
    refused(place, 2, "CLI_USAGE", "--title", "  ")
    assert init(place, "--title", "").exit == 0


def test_the_templates_pass_what_a_landed_file_must_pass(place: Path) -> None:
    assert init(place).exit == 0
    made = Book(place, 1)
    for path in TEMPLATES:
        name = layout.SETTING_SCHEMAS.get(path)
        assert name is None or schema.problems(name, made.json(path), path) == []
    assert settings.parse(made.at(layout.CONFIG).read_text("utf-8"))["title"] == ""
    assert made.next()["step"] == "setup:brief"


# the author's own templates ---------------------------------------------------------------------------


def templates(tmp_path: Path, **files: Any) -> str:
    """A folder of them; `__` in a name is a dot."""
    folder = tmp_path / "模板"
    folder.mkdir()
    for name, content in files.items():
        data = content if isinstance(content, bytes) else str(content).encode("utf-8")
        (folder / name.replace("__", ".").replace("_", "-")).write_bytes(data)
    return str(folder)


def test_own_templates_stand_for_those_that_ship(tmp_path: Path, place: Path) -> None:
    given = templates(
        tmp_path,
        brief__md=b"\xef\xbb\xbf# \xe7\xab\x8b\xe6\x84\x8f\r\n\r\n\xe5\xae\x88\xe6\xa1\xa5\r\n",
        storyline_spec__json=json.dumps(SPEC, ensure_ascii=False),
        novel__yaml="gate:\n  pass: 4.2\n",
        别的__md="不相干",
    )
    assert init(place, "--template", given, "--title", "长夜").exit == 0
    made = Book(place, 1)
    assert made.at(layout.BRIEF).read_bytes().decode() == "# 立意\n\n守桥\n"
    assert made.json(layout.STORYLINE_SPEC) == SPEC
    found = settings.parse(made.at(layout.CONFIG).read_text("utf-8"))
    assert found == {"gate": {"pass": 4.2}, "title": "长夜"}
    shipped = assets.load(assets.package_path("templates/style-profile.json"))
    assert made.at(layout.STYLE_PROFILE).read_bytes() == shipped
    assert not made.at("别的.md").exists()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"ai_blacklist__json": "{"}, "ai-blacklist.json"),
        ({"ai_blacklist__json": '{"words": 3}'}, "words"),
        ({"brief__md": b"\xff\xfe"}, "brief.md"),
        ({"novel__yaml": "titel: 长夜\n"}, "titel"),
        ({"别的__md": "不相干"}, "brief.md"),
    ],
)
def test_a_template_that_cannot_be_used_is_told(
    tmp_path: Path, place: Path, files: dict[str, Any], said: str
) -> None:
    given = templates(tmp_path, **files)
    assert said in refused(place, 3, "TEMPLATE_UNUSABLE", "--template", given).message


def test_the_title_goes_into_an_own_template_and_all_else_stays(tmp_path: Path, place: Path) -> None:
    before = "gate:   {pass: 4.2}   # 一\n\ntitle: '旧'  # 二\nstop_after:\n    - draft\n"
    given = templates(tmp_path, novel__yaml=before)
    assert init(place, "--template", given, "--title", "长夜", "--genre", "志怪").exit == 0
    after = before.replace("'旧'", '"长夜"') + 'genre: "志怪"\n'
    assert (place / layout.CONFIG).read_text("utf-8") == after


def test_an_own_template_that_a_title_would_cost_a_comment_is_refused(tmp_path: Path, place: Path) -> None:
    given = templates(tmp_path, novel__yaml="gate: {}\ntitle: |  # 说明\n  旧\n")
    found = refused(place, 3, "TEMPLATE_UNUSABLE", "--template", given, "--title", "长夜")
    assert "第 2 行" in found.message and "「title」" in found.message
    assert not place.exists()


def test_a_folder_that_is_none(tmp_path: Path, place: Path) -> None:
    refused(place, 2, "CLI_USAGE", "--template", str(tmp_path / "没有"))


def test_what_the_author_has_is_never_written_over(tmp_path: Path, place: Path) -> None:
    place.mkdir()
    (place / layout.BRIEF).write_bytes(b"\xef\xbb\xbfmine\r\n")
    given = templates(tmp_path, brief__md="# 模板")
    found = init(place, "--template", given)
    assert found.exit == 0 and found.data is not None and layout.BRIEF not in found.data["files"]
    assert (place / layout.BRIEF).read_bytes() == b"\xef\xbb\xbfmine\r\n"


def test_one_line_is_what_can_be_shown() -> None:
    assert values.is_one_line("长 夜") and not values.is_one_line("\u3000")
