"""Whatever the pages show of a terminal, as text or as a picture, is what one demo prints, line by line.

Times are left out of the comparison. `make pages` writes blocks and pictures anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

pytest.importorskip("pty")

from tools import pictures, shown
from tools.terminal import DEMO, play, timeless

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(CHECKOUT)
BLOCKS = [block for page in shown.PAGES for block in shown.BLOCK.findall((ROOT / page).read_text("utf-8"))]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the commands said, by `$ novel …`; the demo itself by DEMO."""
    return play(tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.partition("\n")[0].strip()[:20])
def test_a_block_is_what_was_printed(block: str, said: Mapping[str, str]) -> None:
    command, _, text = block.partition("\n")
    assert timeless(text) == timeless(said[command])


@pytest.mark.parametrize("name", shown.PICTURES)
def test_a_picture_is_what_was_printed(name: str, said: Mapping[str, str]) -> None:
    command, title = shown.PICTURES[name]
    picture = (ROOT / shown.FOLDER / name).read_text("utf-8")
    first, *lines = pictures.written(picture)
    assert first == command and f"<title>{title}</title>" in picture
    assert timeless("\n".join(lines)) == timeless(said[command].rstrip("\n"))


def test_every_kind_of_block_is_there() -> None:
    commands = [block.partition("\n")[0] for block in BLOCKS]
    commands += [command for command, _ in shown.PICTURES.values()]
    assert len(commands) == len(set(commands)) == 9
    assert DEMO in commands and all(command.startswith("$ novel ") for command in commands if command != DEMO)


def test_every_picture_is_shown_and_no_other() -> None:
    told = re.findall(rf"\]\(({shown.FOLDER}/[^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(told) == sorted(str(path.relative_to(ROOT)) for path in (ROOT / shown.FOLDER).iterdir())
    assert {Path(one).name for one in told} == {*shown.PICTURES, shown.REPORT}


def test_a_picture_keeps_its_lines() -> None:
    text = '$ novel x\n  第 2 章　<润色> & "好"\n\n[██░░] 1/2 章\n'
    assert pictures.written(pictures.draw(text, "题")) == text.rstrip("\n").split("\n")


def test_a_page_is_written_anew() -> None:
    page = "前\n\n```console\n$ novel x\n旧\n```\n\n```sh\nmake demo\n```\n"
    assert shown.fresh(page, {"$ novel x": "新\n"}) == page.replace("旧", "新")
