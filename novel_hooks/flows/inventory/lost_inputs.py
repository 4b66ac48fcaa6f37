"""Lost or blank files of landed chapters that a step would be given, and the way back to a text. Reads only.

Each is a warning in the packet and in `next`; `lost_chapters` goes through all files of all chapters. The
change log shows which files there were, so a file that never was is not reported.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.text.json_values import integer, objects
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode


def missing_text_refusal(project: Project, chapters: Sequence[int]) -> errors.LandedTextLost:
    """Return the refusal over landed chapters without a text; its fix is for the first one."""
    from novel_hooks.rules.text import typed_words

    path, how = layout.chapter(min(chapters)), text_remedy(project, min(chapters))
    return errors.LandedTextLost(path, chapters=typed_words.number_list(chapters), found="", how=how)


def unwritten_refusal(book: Book, chapter: int) -> Problem:
    """Return the refusal over a chapter without a text: it is lost, or not written yet."""
    if 0 < chapter <= book.checkpoint().last:
        return missing_text_refusal(book.project, [chapter])
    return errors.ChapterUnwritten(chapter=chapter)


def text_remedy(project: Project, chapter: int) -> str:
    """Return the way back to a lost text without a backup: its copy from the landing, else a rollback."""
    path = layout.chapter(chapter)
    copy = attempt(lambda: _kept_copy(project, chapter))[0]
    if copy:
        kept = f"没有备份，入库时的正文还留着一份：把 {copy} 复制成 {path} 就好"
        return f"{kept}（入库以后手改过的字不在里面）。"
    return (
        "没有备份，看看 .novel/archive/ 里以前退回时的存档有没有它。"
        f"都没有，只能运行 `novel rollback {chapter - 1}`，退回到第 {chapter} 章之前重写，后面的章会存档。"
    )


def _kept_copy(project: Project, chapter: int) -> str:
    """Return the path of the text as it landed last; "" when it was not kept."""
    base, name = layout.attempts(chapter), layout.chapter(chapter).rpartition("/")[2]
    kept = [f"{base}/{each}/{name}" for each in project.names(base) if each[5:] in layout.KEPT_VERSIONS]
    return kept[-1] if kept and project.read(kept[-1]) else ""


def sync_remedy(chapter: int) -> str:
    """Return the way back to a lost file that a sync makes anew from the text."""
    return f"没有备份时，等手头的章写完，运行 `novel sync {chapter}` 照正文重新做一份。"


def text_problem(project: Project, data: bytes, path: str, chapter: int) -> Problem | None:
    """Return why a landed text or summary cannot be read: not UTF-8, not merged, or only a heading."""
    from novel_hooks.rules.text import length

    try:
        text = decode(data, path)
    except (errors.TextNotUtf8, errors.GitConflict) as fault:
        return fault
    if length.chars(text) or path not in (layout.chapter(chapter), layout.summary(chapter)):
        return None
    what, how = "摘要", sync_remedy(chapter)
    if path == layout.chapter(chapter):
        what, how = "正文", text_remedy(project, chapter)
    return errors.LandedBlank(path, chapter=chapter, what=what, how=how)


def summary_problems(book: Book, chapter: int, count: int) -> Iterator[Problem]:
    """Yield the lost summaries of the last `count` landed chapters before `chapter`.

    An adopted chapter that was never recorded has lost none.
    """
    last = book.checkpoint().last
    for number in range(max(1, chapter - count), min(chapter, last + 1)):
        path = layout.summary(number)
        lost = _how_lost(book, path)
        if lost and (book.project.has(layout.landed_record(number)) or number > book.adoption().last):
            yield errors.LandedLost(path, what="摘要", chapter=number, lost=lost, found="")


def lost_memory_problems(book: Book, storyline: str) -> Iterator[Problem]:
    """Yield the lost memory of the storyline, when a chapter of it has landed."""
    path = layout.memory(storyline)
    lost = _how_lost(book, path)
    if not lost:
        return
    lines = [line for line in _log_lines(book, storyline) if line.get("storyline_id") == storyline]
    chapters = [number for line in lines if (number := integer(line.get("chapter"))) is not None]
    if chapters:
        yield errors.MemoryLost(path, storyline=storyline, chapter=max(chapters), lost=lost, found="")


def _how_lost(book: Book, path: str) -> str:
    """Say how the file is lost; "" when it is there with something in it, or cannot be read."""
    if book.project.kind(path) == "absent":
        return "不见了"
    data, _ = attempt(lambda: book.read(path))
    return "是空的" if data is not None and not data.strip() else ""


def foreshadowing_problems(book: Book) -> Iterator[Problem]:
    """Yield the lost facts of foreshadowing, when a chapter had any."""
    ids = {str(op.get("path")) for line in _foreshadowing_lines(book) for op in _ops(line)}
    if ids and not book.project.has(layout.FORESHADOW_BACKLOG):
        yield errors.ThreadsLost(layout.FORESHADOWING, log=layout.CHANGELOG, count=len(ids))


def foreshadowing_chapters(book: Book) -> list[int]:
    """Return the chapters with foreshadowing, when its facts are lost; [] when they are there."""
    numbers = [integer(line.get("chapter")) for line in _foreshadowing_lines(book)]
    return sorted({number for number in numbers if number is not None})


def _foreshadowing_lines(book: Book) -> list[Mapping[str, Any]]:
    if book.project.kind(layout.FORESHADOWING) != "absent":
        return []
    return [line for line in _log_lines(book, "foreshadow") if _ops(line)]


def _ops(line: Mapping[str, Any]) -> list[Any]:
    return [op for op in objects(line.get("ops")) if op.get("op") == "foreshadow"]


def _log_lines(book: Book, word: str) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of the change log that hold the word; a broken line is reported elsewhere."""
    mark = word.encode("utf-8")
    for raw in (book.read(layout.CHANGELOG) or b"").split(b"\n"):
        line = attempt(partial(jsonio.parse, raw, layout.CHANGELOG))[0] if mark in raw else None
        if isinstance(line, dict):
            yield line
