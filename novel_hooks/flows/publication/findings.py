"""Findings before a book goes out: forbidden words, lengths, threads, edits. Reads only."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.flows.publication import chapters
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import CLOSED, PLANNED, span
from novel_hooks.rules.publication import forbidden_words
from novel_hooks.rules.publication.edition import Edition
from novel_hooks.rules.text import length, typed_words
from novel_hooks.rules.text.json_values import text
from novel_hooks.store.formats.text import without_comments

_SHOWN = 6


class Findings(Record):
    """The findings: `words` `{word, chapter, line, text}`, `lengths` chapter → 字, `problems` all of them."""

    words: list[dict[str, object]]
    lengths: dict[int, int]
    threads: list[str]
    edited: list[int]
    problems: list[Problem]


def run(book: Book, numbers: Sequence[int], now: float) -> Findings:
    """Check these landed chapters. Raises the faults of the word list or the settings."""
    listed = book.text(layout.SENSITIVE_WORDS)
    words = forbidden_words.parse(listed) if listed else []
    least, most = settings.chapter_chars(book)
    hits: list[dict[str, object]] = []
    lengths: dict[int, int] = {}
    for number in numbers:
        raw = (book.project.read(layout.chapter(number)) or b"").decode("utf-8", "replace")
        written = without_comments(raw.replace("\r\n", "\n").replace("\r", "\n"))
        hits += [{"chapter": number, **hit._asdict()} for hit in forbidden_words.hits(written, words)]
        size = length.chars(written)
        if not least <= size <= most:
            lengths[number] = size
    threads = [*_open_threads(book, numbers)]
    survey = hand_edits.survey(book, book.checkpoint().last, now)
    wanted = {layout.chapter(number) for number in numbers}
    edited = sorted({edit.chapter for edit in survey.edits if edit.path in wanted})
    found = Findings(hits, lengths, threads, edited, [])
    return found._replace(problems=[*_problems(found, least, most)])


def _open_threads(book: Book, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the threads that were to be resolved by the end of a finished volume, and are open."""
    known = chapters.bounds(book)
    ends = [later.first - 1 for later in known[1:]]
    outline = book.outline(known[-1].number) if known else None
    ends += [outline.end] if outline is not None else []
    reached = max((end for end in ends if end <= numbers[-1]), default=0)
    for item in foreshadowing.facts(book) if reached else []:
        window = span(item.get("target_resolve_range"))
        if item.get("status") not in (*CLOSED, PLANNED) and window is not None and window[1] <= reached:
            yield text(item.get("description")) or str(item["id"])


def _problems(found: Findings, least: int, most: int) -> Iterator[Problem]:
    by_word: dict[object, set[int]] = {}
    for hit in found.words:
        by_word.setdefault(hit["word"], set()).add(int(str(hit["chapter"])))
    for word, where in by_word.items():
        yield errors.ExportWord(layout.SENSITIVE_WORDS, word=word, chapters=typed_words.number_list(where))
    if found.lengths:
        chosen = typed_words.number_list(found.lengths)
        yield errors.ExportLength(chapters=chosen, least=least, most=most)
    if found.threads:
        yield errors.ExportThreads(count=len(found.threads), threads="；".join(found.threads[:_SHOWN]))
    if found.edited:
        yield errors.ExportEdited(chapters=typed_words.number_list(found.edited), first=found.edited[0])


def mark_problems(edition: Edition) -> list[Problem]:
    """List the chapters with a character that no EPUB and no Word document can hold."""
    from novel_hooks.rules.publication.markup import forbidden_mark

    problems: list[Problem] = []
    for leaf in edition.leaves:
        for one in (leaf.section.title or "", *leaf.section.paragraphs):
            mark = forbidden_mark(one)
            if mark is not None:
                path = layout.chapter(leaf.chapter)
                problems.append(errors.ExportMark(path, chapter=leaf.chapter, mark=mark, near=one[:20]))
                break
    return problems
