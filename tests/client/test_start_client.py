"""`/novel:start` in the real client: from an empty folder to a landed chapter, and what can come between.

The plugin is the one of the checkout, the permission mode the default one. The author answers; whatever else he
would be asked to allow is refused, and shows in `refused`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book

from client import desk, sample_crew
from client.author import Author, first
from client.scenario import Scenario

if TYPE_CHECKING:
    from pathlib import Path

    from client.harness import Host
    from client.result import Result
    from client.scenario import Script

pytestmark = pytest.mark.client

CREATE = ("/novel:start 想写一座年年要换索的桥",)


def scenario(main: Script = desk.start, **planners: Script) -> Scenario:
    """The desk, and everybody who may be called; `planners` by name with `_` for `-`."""
    given = {name.replace("_", "-"): script for name, script in planners.items()}
    crews: dict[str, Script] = {
        f"novel:{name}": given.get(name, sample_crew.planner()) for name in sample_crew.PLANNERS
    }
    writers = dict.fromkeys(
        (f"novel:{name}" for name in (*sample_crew.WRITERS, "quality-judge")), sample_crew.writer
    )
    return {"main": main, **crews, **writers}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder with an awkward name."""
    folder = tmp_path / "新 书"
    folder.mkdir()
    return folder


def commands(done: Result) -> list[str]:
    """Every command of the front desk, without its options."""
    return [" ".join(desk.Said(one).words[:2]) for one in done.outcomes("main") if one.tool == "Bash"]


def test_from_an_empty_folder_to_a_landed_chapter(host: Host, place: Path) -> None:
    author = Author(CREATE, first)
    done = host.talk(place, author, scenario())
    assert author.refused == [] and done.denials == []
    assert done.text.startswith("请输入 /novel:continue")
    made = Book(place, 1)
    assert made.point()["orchestrator_state"] == "WRITING"
    author = Author(("/novel:continue 1",), first)
    done = host.talk(place, author, scenario(desk.write_on))
    assert author.refused == [] and author.questions == []
    assert made.point()["last_completed_chapter"] == 1
