"""The desk and the crew of `/novel:start`, and what they asked and made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book

from client import desk, sample_crew
from client.author import Author
from client.desk_brief import brief_questions
from novel_hooks import layout
from novel_hooks.rules.outline.brief import open_places
from novel_hooks.store.files import assets

if TYPE_CHECKING:
    from client.result import Result
    from client.scenario import Scenario, Script


START = "/novel:start"
PLANNED = (
    layout.WORLD_RULES,
    layout.STYLE_PROFILE,
    layout.STORYLINES,
    layout.foreshadowing_plan(1),
    layout.outline(1),
)


def scenario(main: Script = desk.start, **planners: Script) -> Scenario:
    """The desk, and everybody who may be called; `planners` by name with `_` for `-`."""
    given = {name.replace("_", "-"): script for name, script in planners.items()}
    crews: dict[str, Script] = {
        f"novel:{n}": given.get(n, sample_crew.planner()) for n in sample_crew.PLANNERS
    }
    writers = dict.fromkeys(
        (f"novel:{name}" for name in (*sample_crew.WRITERS, "quality-judge")), sample_crew.writer
    )
    return {"main": main, **crews, **writers}


def asked(author: Author) -> list[str]:
    return [one["question"] for one in author.questions]


def started(done: Result) -> list[str]:
    """Who was called, in order."""
    return [one.input["subagent_type"][6:] for one in done.outcomes("main") if one.tool == "Agent"]


def as_in_the_sample(made: Book) -> bool:
    sample = "sample/project"
    return all(
        made.at(path).read_bytes() == assets.load(assets.package_path(f"{sample}/{path}")) for path in PLANNED
    )


BRIEF = assets.load(assets.package_path("templates/brief.md")).decode("utf-8")
ASKED = [question for several in brief_questions(BRIEF) for question in several]


def is_written(brief: str) -> bool:
    """No place is open any more, and its headings are those of the template."""
    headings = [line for line in BRIEF.splitlines() if line.startswith("#")]
    return open_places(brief) == 0 and [one for one in brief.splitlines() if one.startswith("#")] == headings
