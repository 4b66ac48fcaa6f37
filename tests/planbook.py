"""Books that are being set up or planned, for tests of the planning steps."""

from __future__ import annotations

import functools
import shutil
from typing import TYPE_CHECKING

from builders import Book
from copying import copy_tree

from novel_hooks import layout
from novel_hooks.flows.book import settings
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.store.files import assets
from tools import bookmaker

if TYPE_CHECKING:
    from pathlib import Path

STEPS = ("setup:brief", "setup:world", "setup:characters", "setup:style", "volume:01:outline")
RESEARCH = f"{layout.RESEARCH}/绳桥.md"
SAMPLE = f"{layout.STYLE_SAMPLES}/01-桥头.md"


def sample_book(place: Path) -> Book:
    """The sample novel, not begun: INIT, with notes of the author and a text of his own to measure."""
    copy_tree(assets.package_path("sample/project"), str(place))
    made = Book(place, 1)
    text = assets.load(assets.package_path("sample/recorded/chapter-001/refine-r0/chapter.md"))
    made.write(RESEARCH, "# 绳桥\n\n藤索每三年换一回，先换上游的。\n")
    made.write(SAMPLE, text)
    made.write(layout.CHECKPOINT, dict(checkpoints.initial().document))
    made.write(layout.SETTINGS, _known_settings())
    return made


@functools.cache
def _known_settings() -> bytes:
    """What a command that writes notes of the sample's `novel.yaml`, which is dear to parse."""
    data = assets.load(assets.package_path("sample/project/novel.yaml"))
    return settings.cache_change(data, settings.parse(data.decode("utf-8"))).data


def ready_for(made: Book, step: str) -> Book:
    """In the state that allows the step."""
    if step.startswith("volume:"):
        made.point(orchestrator_state="VOL_PLANNING", current_volume=int(step.split(":")[1]))
    return made


def plan_volume(made: Book, volume: int, size: int = 6) -> None:
    """A plan of the volume in staging, of `size` chapters, that passes all rules."""
    first = (volume - 1) * size + 1
    bookmaker._write_plan(str(made.at(layout.STAGING)), volume, range(first, first + size))


STAGED = (layout.BRIEF, layout.WORLD, "characters", layout.STYLE_PROFILE)


def staged_book(place: Path, *more: str) -> Book:
    """The sample in INIT with all of its setup in staging, and what `more` names (`volumes`)."""
    made = sample_book(place)
    for path in (*STAGED, *more):
        there = made.at(layout.staged(path))
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(str(made.at(path)), str(there))
    return made
