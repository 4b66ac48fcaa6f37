"""Files of setting and plans that were in the book once and are lost: absent, blank, half synced or moved.

`STOPS` says which work a lost file stops; the others are warnings. Nothing is written in a lost file's place:
without its outline a volume would be planned anew over chapters that have landed.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Iterator
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name
from novel_hooks.rules.text import name_order
from novel_hooks.store.fence import watched_files
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.steps.checkpoint import Checkpoint

_MOST = 8


class Kind(Record):
    """A kind of file: `title` for the author; `stops`: without it no chapter or plan is made."""

    title: str
    stops: bool


_BY_PATH = {
    layout.CONFIG: Kind("这本书的设置", True),
    layout.BRIEF: Kind("立意", True),
    layout.STYLE_PROFILE: Kind("文风档案", True),
    layout.BLACKLIST: Kind("AI 用语黑名单", True),
    layout.WORLD_RULES: Kind("世界规则", True),
    layout.STORYLINES: Kind("故事线", True),
    layout.STORYLINE_SPEC: Kind("故事线规矩", True),
}
_BY_NAME = {
    "outline.md": Kind("卷大纲", True),
    "storyline-schedule.json": Kind("故事线日程", True),
    "foreshadowing.json": Kind("伏笔计划", True),
    "review.md": Kind("卷末回顾", False),
    "review.json": Kind("卷末回顾", False),
}
_BY_FOLDER = (
    (f"{layout.RETIRED}/", Kind("退场角色的档案", False)),
    (f"{layout.CHARACTERS}/", Kind("角色档案", True)),
    (f"{layout.WORLD}/", Kind("世界设定", True)),
    (f"{layout.RESEARCH}/", Kind("作者的资料", False)),
    ("storylines/", Kind("故事线记忆", False)),
    ("volumes/", Kind("本卷规划", False)),
)


def kind(path: str) -> Kind:
    """Return the kind of a file of setting or plans, from the one table of what a loss stops."""
    name = path.rpartition("/")[2]
    found = _BY_PATH.get(path)
    if found is None and path.startswith("volumes/"):
        found = _BY_NAME.get(name)
    return found or next((one for folder, one in _BY_FOLDER if path.startswith(folder)), Kind("文件", False))


def check(book: Book, point: Checkpoint) -> None:
    """Refuse to go on when a file that the next step needs is lost. Raises Problems of LostFile."""
    refuse(_lost_problems(book, _near_lost(book, point), stopping=True))


def near_problems(book: Book) -> list[Problem]:
    """Warn of lost files of the setting and of the current volumes that stop nothing."""
    return _lost_problems(book, _near_lost(book, book.checkpoint()), stopping=False)


def earlier_problems(book: Book) -> list[Problem]:
    """Name the lost files of volumes before the current ones."""
    lost = _earlier_lost(book, book.checkpoint())
    return [*_lost_problems(book, lost, stopping=True), *_lost_problems(book, lost, stopping=False)]


def problems(book: Book) -> list[Problem]:
    """Name every lost file of setting and plans, those of earlier volumes too."""
    lost = _lost(book.project, _all(book, book.checkpoint()))
    return [one for stopping in (True, False) for one in _lost_problems(book, lost, stopping)]


def _near_lost(book: Book, point: Checkpoint) -> list[str]:
    """Return the lost files that matter now; they are looked for once in a reading of the book."""
    if book.lost_files is None:
        book.lost_files = _lost(book.project, _near(book, point))
    return book.lost_files


def _lost(project: Project, paths: Iterable[str]) -> list[str]:
    return [path for path in dict.fromkeys(paths) if watched_files.is_lost(project, path)]


def _all(book: Book, point: Checkpoint) -> Iterable[str]:
    """Return the paths that were in the book; nothing is settled while it is being set up."""
    if point.setting_up:
        return ()
    outlines = (layout.outline(n) for n in range(1, point.volume + 1) if has_begun(book, point, n))
    return name_order.in_order({*(book.known_files()), *outlines})


def _earlier_lost(book: Book, point: Checkpoint) -> list[str]:
    """Return the files of volumes before those at work that are gone: by one listing a folder."""
    volumes = _at_work(point)
    found: list[str] = []
    there: dict[str, set[str]] = {}
    for path in _all(book, point):
        folder, _, name = path.rpartition("/")
        if not path.startswith("volumes/") or folder in volumes:
            continue
        if folder not in there:
            there[folder] = set(attempt(lambda folder=folder: book.project.names(folder))[0] or ())  # type: ignore[misc]
        if name not in there[folder]:
            found.append(path)
    return found


def _at_work(point: Checkpoint) -> list[str]:
    return [layout.volume_dir(n) for n in (point.volume - 1, point.volume) if n > 0]


def _near(book: Book, point: Checkpoint) -> Iterator[str]:
    """Yield those that matter now: the setting, the volume at work and the one before it."""
    if point.setting_up:
        return
    volumes = _at_work(point)
    for path in book.known_files():
        if not path.startswith("volumes/") or path.rpartition("/")[0] in volumes:
            yield path
    outline = layout.outline(point.volume)
    lost = point.volume > 0 and watched_files.is_lost(book.project, outline)
    if lost and has_begun(book, point, point.volume):
        yield outline


def has_begun(book: Book, point: Checkpoint, volume: int) -> bool:
    """Tell whether the volume was planned, by the last step or by a chapter that landed or is in work."""
    if volume < point.volume:
        return point.last > 0
    if point.state == "VOL_PLANNING":
        return False
    last = point.inflight or point.last
    if point.document.get("last_step") == str(step_name.volume_step(volume, "commit")):
        return True
    if volume == 1:
        return last > 0
    before, _ = attempt(lambda: book.outline(volume - 1))
    return before is not None and bool(before.headings) and last > before.end


def _lost_problems(book: Book, paths: Iterable[str], stopping: bool) -> list[Problem]:
    """Return the lost files that stop the book, or the others, as warnings."""
    lost = [path for path in paths if kind(path).stops == stopping]
    found = [_written_memory(book, path) or _problem(book.project, path) for path in lost[:_MOST]]
    if len(lost) > _MOST:
        more = f"，另有 {len(lost) - _MOST} 个文件也不见了"
        found[-1] = _problem(book.project, lost[_MOST - 1], more)
    for problem in found:
        problem.severity = "error" if stopping else "warning"
    return found


def _written_memory(book: Book, path: str) -> Problem | None:
    """Return the refusal over the memory of a storyline that a chapter was written of; else None."""
    if not path.startswith("storylines/"):
        return None
    from novel_hooks.flows.inventory import lost_inputs

    return next(lost_inputs.lost_memory_problems(book, path.split("/")[1]), None)


def tell_places(project: Project, problems: Iterable[Problem]) -> None:
    """Add the possible place of each lost file of a landed chapter: moved, or still in the cloud."""
    for problem in problems:
        if problem.path is not None and problem.values.get("found") == "":
            problem.values["found"] = place_text(project, problem.path)


def place_text(project: Project, path: str) -> str:
    """Return how to get the lost file from its possible place; "" when none is found."""
    from novel_hooks.flows.inventory import found_again

    where = found_again.search(project, path)
    if where is None:
        return ""
    text = _IN_CLOUD if where.placeholder else _MOVED
    there = "那里现在是个空文件" if os.path.lexists(project.absolute(path)) else "那里现在没有文件"
    return text.format(place=where.path, path=path, there=there)


_MOVED = "{place} 像是它，打开看过确实是，移回 {path} 就好（{there}，不会盖掉什么）；"
_IN_CLOUD = "它像是还在网盘里，没有下载到这台电脑（这里只有 {place}），先让网盘下载下来；"


def _problem(project: Project, path: str, more: str = "") -> Problem:
    from novel_hooks.flows.inventory import found_again

    where = found_again.search(project, path)
    if os.path.lexists(project.absolute(path)):
        case = "empty"
    elif where is None:
        case = "outline" if path.endswith("/outline.md") else "nowhere"
    else:
        case = "in the cloud" if where.placeholder else "elsewhere"
    place = where.path if where else ""
    return errors.LostFile(path, case=case, what=kind(path).title, place=place, more=more)
