"""Doctor on landed chapters: checkpoint, chapters and their records. Reads only.

Source: protocol §1, §5. Files are read one by one and let go, so a long book costs time, not memory. A file
passed its schema when it landed: only one that changed since is judged whole.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import missing_files
from novel_hooks.flows.book.book import Book, Damage
from novel_hooks.flows.inventory import found_again
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.state.consistency import ranges
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.text import json_values
from novel_hooks.store.fence import fence
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio

_MOST = 20
_MOST_BEYOND = 5
_MOST_STRAYS = 3
_BY_SYNC = ("摘要", "评审", "串线检测")
NUMBERED = Pattern(r"chapter-([0-9]{3,9})(?:\.md|-(?:summary\.md|(?:eval|crossref|log)\.json))\Z")


class Part(Record):
    """One of the files that each landed chapter has. `schema` None = prose."""

    title: str
    place: Callable[[int], str]
    schema: str | None


PARTS = (
    Part("正文", layout.chapter, None),
    Part("摘要", layout.summary, None),
    Part("评审", layout.evaluation, "chapter-eval"),
    Part("串线检测", layout.crossref, "chapter-crossref"),
    Part("写作日志", layout.chapter_log, "chapter-log"),
)


def checkpoint_problems(book: Book) -> Iterator[Problem]:
    """Find pairs that contradict each other, and foreign writes. Illegal fields are raised on reading."""
    contradiction = checkpoints.contradiction(book.checkpoint())
    if contradiction is not None:
        yield contradiction
    told = fence.sealed_checkpoint(book.project)
    if told is not None and told != fence.digest(book.project, layout.CHECKPOINT):
        yield errors.CheckpointEdited(layout.CHECKPOINT)


def missing_part_problems(project: Project, last: int, adopted: int = 0) -> Iterator[Problem]:
    """Find the missing parts of chapters 1..`last`, one problem a part; up to `adopted` of the text only."""
    for part in PARTS:
        names = _part_names(project, part)
        missing = [
            n
            for n in range(1 if part is PARTS[0] else adopted + 1, last + 1)
            if _part_name(part, n) not in names
        ]
        if missing:
            path = part.place(missing[0])
            how = _remedy_text(project, part, missing[0])
            yield errors.LandedMissing(path, chapters=ranges(missing), what=part.title, how=how)


def _remedy_text(project: Project, part: Part, chapter: int) -> str:
    """Describe the way without a backup. A file that was only moved or renamed is named."""
    place = found_again.search(project, part.place(chapter))
    if place is not None and place.placeholder:
        return f"它像是还在网盘里，没有下载到这台电脑（这里只有 {place.path}）：先让网盘下载下来。"
    if place is not None:
        there = f"{place.path} 像是它：没有备份时，打开看过确实是它，再移回 {part.place(chapter)}"
        return f"{there}（那里现在没有文件，不会盖掉什么）。"
    if part.title in _BY_SYNC:
        return f"没有备份时，等手头的章写完，运行 `novel sync {chapter}` 照正文重新做一份。"
    if part.title != PARTS[0].title:
        return "没有备份也不影响往下写。"
    strays = [n for n in project.names("chapters") if n.endswith(".md") and not layout.chapter_number(n)]
    strays = [n for n in strays if not n.startswith(".") and n.isprintable()]
    if not strays:
        return ""
    listed = "、".join(f"chapters/{name}" for name in strays[:_MOST_STRAYS])
    more = f" 等 {len(strays)} 个" if len(strays) > _MOST_STRAYS else ""
    return (
        f"也可能只是改了名：还有 {listed}{more}，是这一章的话，"
        f"改名为 {part.place(chapter)} 就好（现在没有这个文件）。"
    )


def beyond_problems(
    project: Project, last: int, lines: Sequence[Mapping[str, Any]], state: object
) -> Iterator[Problem]:
    """Find chapters behind the checkpoint: the parts there are and the missing ones. Nothing is guessed."""
    traces: dict[int, list[str]] = {}
    for part in PARTS:
        for name in sorted(_part_names(project, part)):
            found = NUMBERED.match(name)
            if found and int(found.group(1)) > last and name == _part_name(part, int(found.group(1))):
                traces.setdefault(int(found.group(1)), []).append(part.title)
    for line in lines:
        number = json_values.integer(line.get("chapter"))
        if number is not None and number > last:
            traces.setdefault(number, []).append("变更记录")
    updated = json_values.integer(state.get("last_updated_chapter")) if isinstance(state, dict) else None
    if updated is not None and updated > last:
        traces.setdefault(updated, []).append("故事状态")
    for number in sorted(traces)[:_MOST_BEYOND]:
        yield _beyond_problem(number, last, traces[number])


def _beyond_problem(number: int, last: int, there: list[str]) -> Problem:
    wanted = [*(part.title for part in PARTS), "变更记录", "故事状态"]
    missing = [title for title in wanted if title not in there]
    return errors.ChapterBeyond(
        layout.chapter(number),
        last=last,
        chapter=number,
        there="、".join(dict.fromkeys(there)),
        missing=f"，还缺{'、'.join(missing)}" if missing else "",
        checkpoint=layout.CHECKPOINT,
    )


def content_problems(project: Project, last: int) -> Iterator[Problem]:
    """Check that landed files can be read, that texts say something, and documents are of their chapter."""
    found: list[Problem] = []
    for part in PARTS:
        names = _part_names(project, part)
        for number in range(1, last + 1):
            if _part_name(part, number) in names and len(found) < _MOST:
                found += _part_problems(project, part, number)
    yield from found


def _part_problems(project: Project, part: Part, number: int) -> list[Problem]:
    path = part.place(number)
    if part.schema is None:
        unfit = missing_files.text_problem(project.read(path) or b"", path, number)
        return [unfit] if unfit else []
    try:
        with Damage(path):
            document = jsonio.parse(project.read(path) or b"", path, own=True)
    except Problem as fault:
        return list(fault.problems)
    if not isinstance(document, dict):
        return [errors.OwnFileDamaged(path, case="no object")]
    told = document.get("chapter", number)
    return [] if told == number else [errors.OwnFileDamaged(path, case="other chapter", chapter=told)]


def _part_names(project: Project, part: Part) -> set[str]:
    return set(project.names(part.place(1).rpartition("/")[0]))


def _part_name(part: Part, number: int) -> str:
    return part.place(number).rpartition("/")[2]
