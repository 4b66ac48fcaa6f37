"""The files of landed chapters and earlier volumes, compared with the names in their folders. Reads only.

No file is opened. Each hand-out remembers the look of the folders when nothing was missing. While they look
the same, `next` and `status` list none of them, so a long book costs no more than a short one.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Iterable, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt, collect_problems
from novel_hooks.flows.inventory import lost_inputs, lost_setting
from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name
from novel_hooks.store.fence import seal
from novel_hooks.store.fence.marks import signature
from novel_hooks.store.files.project import Project

_FORMAT = "novel-landed-folders 1"
_MOST_STRAYS = 3
_RECENT, _MOST_BLANK = 20, 8
_BY_SYNC = ("摘要", "评审", "串线检测")


class Part(Record):
    """One of the files that each landed chapter has. `schema` is None for prose."""

    title: str
    place: Callable[[int], str]
    schema: str | None

    @property
    def folder(self) -> str:
        return self.place(1).rpartition("/")[0]

    def name(self, chapter: int) -> str:
        return self.place(chapter).rpartition("/")[2]


PARTS = (
    Part("正文", layout.chapter, None),
    Part("摘要", layout.summary, None),
    Part("评审", layout.evaluation, "chapter-eval"),
    Part("串线检测", layout.crossref, "chapter-crossref"),
    Part("写作日志", layout.chapter_log, "chapter-log"),
)
"""The files of a landed chapter: for the checkup, for stray copies and for going back."""


def missed_problems(book: Book) -> list[Problem]:
    """Warn of every lost file of landed chapters and of the plans of earlier volumes."""
    last = book.checkpoint().last
    if not last:
        return []
    if _is_as_remembered(book):  # a file may have been emptied in its place, most likely one of the last
        return as_warnings(_blank_problems(book, max(book.adoption().last, last - _RECENT)))
    return as_warnings(problem for problem in _problems(book) if problem.severity != "info")


def _problems(book: Book) -> list[Problem]:
    last, adopted = book.checkpoint().last, book.adoption().last
    return collect_problems(
        lambda: _text_problems(book.project, last),
        lambda: missing_part_problems(book.project, last, adopted, PARTS[1:]),
        lambda: _blank_problems(book, adopted),
        lambda: lost_setting.earlier_problems(book),
        lambda: _all_contract_problems(book, last, adopted),
        lambda: record_problems(book, last),
    )


def remember(book: Book) -> None:
    """Put the look of the folders into `book.learnt` when none of their files is missing."""
    if book.checkpoint().last and not _is_as_remembered(book):
        found = _signatures(book)
        if all(problem.severity == "info" for problem in _problems(book)):
            book.learnt[layout.LANDED_FOLDERS] = seal.sealed_lines(_FORMAT, found)


def _is_as_remembered(book: Book) -> bool:
    data, _ = attempt(lambda: book.project.read(layout.LANDED_FOLDERS))
    lines = seal.parse_lines(data or b"", _FORMAT)
    return bool(lines) and lines == _signatures(book)


def _signatures(book: Book) -> list[str]:
    """Return the last landed chapter, then a line for each folder: its signature and path."""
    point = book.checkpoint()
    volumes = [layout.volume_dir(number) for number in range(1, point.volume + 1)]
    plans = (each for volume in volumes for each in (volume, f"{volume}/chapter-contracts"))
    folders = (*(part.folder for part in PARTS), layout.LANDED, "volumes", *plans)
    return [str(point.last), *(f"{_folder_signature(book.project, folder)}\t{folder}" for folder in folders)]


def _folder_signature(project: Project, folder: str) -> str:
    try:
        return signature(os.lstat(project.absolute(folder)))
    except OSError:
        return ""


def _absent(names: Iterable[str], place: Callable[[int], str], first: int, last: int) -> list[int]:
    """Return the chapters from first to last whose file is not among its folder's names.

    Almost always all are there, which sets of whole names tell faster than a look for each.
    """
    before, _, behind = place(1).rpartition("/")[2].partition(layout.chapter_id(1))
    wanted = {*map(f"{before}chapter-%03d{behind}".__mod__, range(first, last + 1))}
    wanted.difference_update(names)
    if not wanted:
        return []
    return [n for n in range(first, last + 1) if f"{before}{layout.chapter_id(n)}{behind}" in wanted]


def _text_problems(project: Project, last: int) -> list[Problem]:
    lost = _absent(project.names("chapters"), layout.chapter, 1, last)
    return [lost_inputs.missing_text_refusal(project, lost)] if lost else []


def missing_part_problems(
    project: Project, last: int, adopted: int = 0, parts: Iterable[Part] = PARTS
) -> Iterator[Problem]:
    """Find the missing parts of chapters 1..`last`, one problem a part; up to `adopted` only texts."""
    for part in parts:
        first = 1 if part is PARTS[0] else adopted + 1
        missing = _absent(project.names(part.folder), part.place, first, last)
        if missing:
            from novel_hooks.rules.state.consistency import ranges

            path, how = part.place(missing[0]), _remedy_text(project, part, missing[0])
            yield errors.LandedMissing(path, chapters=ranges(missing), what=part.title, how=how)


def _blank_problems(book: Book, before: int) -> Iterator[Problem]:
    """Find the files of 0 bytes that the chapters behind `before` left; of very many the first."""
    project, newest, told = book.project, book.checkpoint().volume, 0
    numbers = range(before + 1, book.checkpoint().last + 1)
    for part in PARTS:
        for number in numbers:
            if told < _MOST_BLANK and _is_blank(project, part.place(number)):
                told += 1
                yield blank_problem(project, part, number)
    for volume in range(max(1, newest - 1), newest + 1):  # older plans are what doctor opens
        for number in numbers:
            path = layout.contract(volume, number)
            if _is_blank(project, path):
                yield errors.LostFile(path, case="empty", what=f"第 {number} 章的契约", more="")


def _is_blank(project: Project, path: str) -> bool:
    try:
        return os.lstat(project.absolute(path)).st_size == 0
    except (OSError, Problem):  # what else is wrong there is told by who looks for it
        return False


def blank_problem(project: Project, part: Part, chapter: int) -> errors.LandedBlank:
    """Return the refusal of a blank landed file."""
    how = _way_without_backup(project, part, chapter)
    return errors.LandedBlank(part.place(chapter), chapter=chapter, what=part.title, how=how)


def _way_without_backup(project: Project, part: Part, chapter: int) -> str:
    if part.title in _BY_SYNC:
        return lost_inputs.sync_remedy(chapter)
    is_text = part.title == PARTS[0].title
    return lost_inputs.text_remedy(project, chapter) if is_text else "没有备份也不影响往下写。"


def _remedy_text(project: Project, part: Part, chapter: int) -> str:
    """Describe the way without a backup. A file that was only moved or renamed is named."""
    from novel_hooks.flows.inventory import found_again

    place = found_again.search(project, part.place(chapter))
    if place is not None and place.placeholder:
        return f"它像是还在网盘里，没有下载到这台电脑（这里只有 {place.path}）：先让网盘下载下来。"
    if place is not None:
        there = f"{place.path} 像是它：没有备份时，打开看过确实是它，再移回 {part.place(chapter)}"
        return f"{there}（那里现在没有文件，不会盖掉什么）。"
    way = _way_without_backup(project, part, chapter)
    if part.title != PARTS[0].title:
        return way
    strays = [n for n in project.names("chapters") if n.endswith(".md") and not layout.chapter_number(n)]
    strays = [n for n in strays if not n.startswith(".") and n.isprintable()]
    if not strays:
        return way
    from novel_hooks.rules.text import excerpt

    listed = excerpt.join_first([f"chapters/{name}" for name in strays], _MOST_STRAYS, "个")
    return (
        f"也可能只是改了名：还有 {listed}，是这一章的话，"
        f"改名为 {part.place(chapter)} 就好（现在没有这个文件）。{way}"
    )


def _all_contract_problems(book: Book, last: int, adopted: int) -> Iterator[Problem]:
    """Find lost contracts of landed chapters in every volume; the outlines are asked only where one lacks."""
    volumes = book.volumes()
    names = [name for volume in volumes for name in book.project.names(_contracts(volume))]
    if _absent(names, lambda n: layout.contract(1, n), adopted + 1, last):
        for volume in volumes:
            yield from lost_contract_problems(book, volume)


def lost_contract_problems(book: Book, volume: int) -> Iterator[Problem]:
    """Find landed chapters of the volume whose contract is gone."""
    outline, _ = attempt(lambda: book.outline(volume))
    planned = {h.chapter for h in outline.headings} if outline is not None else set()
    last, moved_in = book.checkpoint().last, book.adoption().last
    names = book.project.names(_contracts(volume))
    absent = _absent(names, lambda n: layout.contract(1, n), moved_in + 1, last)
    written = [n for n in absent if n in planned]  # what moved in was written before it was planned here
    if written:
        from novel_hooks.rules.state.consistency import ranges

        path, what = layout.contract(volume, written[0]), f"第 {ranges(written)} 章的契约"
        found = lost_setting.place_text(book.project, path)
        yield errors.LostFile(path, case="contract", what=what, more="", found=found)


def _contracts(volume: int) -> str:
    return layout.contract(volume, 1).rpartition("/")[0]


def record_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find lost landed records, and a `.novel/` that was emptied.

    Chapters before the first record are left out: another tool wrote them.
    """
    project, told = book.project, book.checkpoint().document.get("last_step")
    if told and all(project.kind(path) == "absent" for path in (layout.CHECKPOINT_SEAL, layout.LANDED)):
        yield errors.OwnFolderLost(layout.OWN)
    start = book.adoption().last + 1  # a chapter that moved in has a record once it is recorded
    missing = _absent(project.names(layout.LANDED), layout.landed_record, start, last)
    if not missing:
        return
    from novel_hooks.rules.state.consistency import ranges

    # Was the book rolled back to it? Then its commit is the last step, whatever tool landed it.
    rolled_back = any(name.endswith(f"-to-{last:03d}") for name in project.names(layout.ARCHIVE))
    ours = told == str(step_name.chapter_step(last, "commit")) and not rolled_back
    if ours and missing[-1:] == [last]:
        yield errors.LandedRecordLost(layout.LANDED, chapters=ranges(missing))
        return
    first = next((n for n, each in enumerate(missing, start) if n != each), len(missing) + start)
    gaps = [n for n in missing if n > first]
    if gaps and first <= last:
        yield errors.LandedUnrecorded(layout.LANDED, chapters=ranges(gaps))
