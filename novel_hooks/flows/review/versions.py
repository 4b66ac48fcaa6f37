"""The versions of a chapter's text: kept while it was in work, taken back, landed, present. Reads only.

A version is kept under `.novel/attempts/` before an agent writes over it, and when it lands. A rollback keeps
the removed text under `.novel/archive/`. Source: protocol §2 (attempts).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.review import change_share, difference
from novel_hooks.rules.review.difference import Amount
from novel_hooks.rules.text import length
from novel_hooks.store.formats.text import decode

_ATTEMPT = Pattern(r"[0-9]{4}-(?:r(?P<round>[0-9]+)-)?(?P<why>[a-z-]+)\Z")
_ARCHIVED = Pattern(r"(?P<number>[0-9]{4})-rollback-to-(?P<to>[0-9]+)\Z")
_BEFORE = {
    "before-refine": "润色前",
    "before-draft": "重写前",
    "before-revise": "修订前",
    "before-polish": "再润色前",
    "revise": "评审后、修订前",
    "polish": "评审后、再润色前",
    "rewrite": "整章重写前",
    "again-refine": "润色重做前",
    "again-revise": "修订重做前",
    "again-polish": "再润色重做前",
    "again-draft": "重写前",
    layout.LANDED_VERSION: "入库时",
    layout.RENAMED_VERSION: "入库时，改名后",
}
_JUDGED = ("revise", "polish")
"""Why a judged text was kept: it had been refined."""
_SHOWN = 3
"""Changed paragraphs that stand beside a question or in a list."""
_REFINED = ("before-refine", "before-polish")


class Version(Record):
    """One text of a chapter. `number` counts from 1, oldest first; `title` is the author's word for it.

    `why` is the label of its attempt; "" for the others. `path` is its place in the project, `chars` its
    length in 字.
    """

    number: int
    title: str
    why: str
    path: str
    text: str
    chars: int


class Changed(Record):
    """A change from one version of a text to the next: how much, the first changed paragraphs as lines."""

    amount: Amount
    lines: tuple[str, ...]
    left: int


class Versions(Record):
    """All readable versions of a chapter, the present one last, and warnings of the others."""

    chapter: int
    all: tuple[Version, ...]
    problems: tuple[Problem, ...]

    def find(self, number: int) -> Version:
        """Return the version of this number. Raises UsageError."""
        for one in self.all:
            if one.number == number:
                return one
        raise errors.UsageError(case="no version", number=number, chapter=self.chapter, last=len(self.all))

    def default_pair(self) -> tuple[Version, Version] | None:
        """Return the version before the present one, and the present one; None when there is only one."""
        return (self.all[-2], self.all[-1]) if len(self.all) > 1 else None


def read(book: Book, chapter: int) -> Versions:
    """Collect the versions of a chapter; neighbours with the same text are one, by its later name.

    Raises ChapterUnwritten without any, and errors of reading the present text.
    """
    kept, problems = _kept(book, chapter)
    found = [*kept, *_in_force(book, chapter)]
    if not found:
        raise lost_inputs.unwritten_refusal(book, chapter)
    pairs = zip(found, (*found[1:], None))
    distinct = [one for one, after in pairs if after is None or one[3] != after[3]]
    listed = [
        Version(number, title, why, path, text, length.chars(text))
        for number, (title, why, path, text) in enumerate(distinct, 1)
    ]
    return Versions(chapter, tuple(listed), tuple(problems))


def edit(book: Book, chapter: int) -> Changed | None:
    """Return the hand edit of the landed text; None when the text as landed was not kept."""
    pair = read(book, chapter).default_pair()
    if pair is None or pair[0].why not in layout.KEPT_VERSIONS:
        return None
    return _changed(pair[0].text, pair[1].text)


def last_work(book: Book, chapter: int) -> Changed | None:
    """Return the change since the text was last kept; None when it was not kept or has not changed."""
    kept, here = _kept(book, chapter)[0], [*_in_force(book, chapter)]
    if not kept or not here or kept[-1][3] == here[-1][3]:
        return None
    return _changed(kept[-1][3], here[-1][3])


def _changed(before: str, after: str) -> Changed:
    whole = difference.pieces(before, after)
    lines, left = difference.numbered_lines(whole, _SHOWN)
    return Changed(difference.amount(whole), tuple(lines), left)


def refined_share(book: Book, chapter: int, text: str) -> float | None:
    """Return the share of the chapter that its last refining changed to `text`; None without its input."""
    kept = [text for _, why, _, text in _kept(book, chapter)[0] if why in _REFINED]
    return change_share.change_share(kept[-1], text) if kept else None


def _kept(book: Book, chapter: int) -> tuple[list[tuple[str, str, str, str]], list[Problem]]:
    """Return (title, why, path, text) of every version kept aside, oldest first.

    What a rollback took away stands behind the landing of the same text; one that was edited by hand in
    between, which nothing dates, before all others.
    """
    problems: list[Problem] = []
    taken = [*_readable(book, _archived(book, chapter), problems)]
    found = [*_readable(book, _attempts(book, chapter), problems)]
    for one in reversed(taken):
        same = [at for at, kept in enumerate(found) if kept[1] in layout.KEPT_VERSIONS and kept[3] == one[3]]
        at = same[-1] + 1 if same else 0
        found.insert(at, (one[0], found[at - 1][1] if same else one[1], one[2], one[3]))
    return found, problems


def _readable(
    book: Book, listed: Iterator[tuple[str, str, str]], problems: list[Problem]
) -> Iterator[tuple[str, str, str, str]]:
    for title, why, path in listed:
        try:
            data = book.project.read(path)
            if data is not None:
                yield title, why, path, decode(data, path)
        except Problem as fault:
            problems += as_warnings(fault.problems)


def _attempts(book: Book, chapter: int) -> Iterator[tuple[str, str, str]]:
    base, name = layout.attempts(chapter), layout.chapter(chapter).rpartition("/")[2]
    for folder in book.project.names(base):
        label = _ATTEMPT.fullmatch(folder)
        path = f"{base}/{folder}/{name}"
        if label and book.project.has(path):
            yield _title(label["why"], label["round"]), label["why"], path


def _title(why: str, round_: str | None) -> str:
    """Return the author's name of a kept version: `初稿（润色前）`, `第 1 次修订稿（润色前）`, `入库时`."""
    before = _BEFORE.get(why)
    if round_ is None or why in layout.KEPT_VERSIONS:
        return before or "先前的一稿"
    draft = "初稿" if int(round_) == 0 else f"第 {int(round_)} 次修订稿"
    draft = f"{draft}润色后" if why in _JUDGED else draft
    return f"{draft}（{before}）" if before else draft


def _archived(book: Book, chapter: int) -> Iterator[tuple[str, str, str]]:
    for folder in book.project.names(layout.ARCHIVE):
        label = _ARCHIVED.fullmatch(folder)
        if label and int(label["to"]) < chapter:
            path = layout.archived(folder, layout.chapter(chapter))
            if book.project.has(path):
                yield f"退回到第 {int(label['to'])} 章时取走的", "", path


def _in_force(book: Book, chapter: int) -> Iterator[tuple[str, str, str, str]]:
    landed, staged = layout.chapter(chapter), layout.staged(layout.chapter(chapter))
    for title, path in (("现在的正文", landed), ("手头的稿子", staged)):
        text = book.project.text(path)
        if text is not None:
            yield title, "", path, text
