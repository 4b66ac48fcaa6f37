"""The author's names for ids: people, things, storylines, threads, world rules, contracts. Reads only."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence
from novel_hooks.flows.book import foreshadowing, planned_chapters
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.foreshadowing.item import title
from novel_hooks.rules.outline import author_view
from novel_hooks.rules.state import consistency
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import objects

if TYPE_CHECKING:
    from novel_hooks.errors import Diagnostic
    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.cast.characters import Character

_LONGEST = 24
"""Characters of a description that stand for a thread, a rule, a contract."""


def read(book: Book, chapter: int | None = None) -> dict[str, str]:
    """Return id → name. An id without a readable name, or with two, is left out.

    With a chapter its contract's objectives are included. A thread, a world rule and a contract have their
    words as name, in 「」, cut when long.
    """
    cast, _ = attempt(book.cast)
    retired, _ = attempt(book.retired)
    people = [*(cast or ()), *(retired or ())]
    told = {
        **_alone([*_rule_names(book), *_contract_names(people), *_thread_names(book)]),
        **book.state_names(),
        **foreshadowing.storyline_names(book),
        **_objective_names(book, chapter),
    }
    return {name: called for name, called in told.items() if not name.isdigit() and called != name}


def in_words(book: Book, chapter: int | None = None) -> Callable[[str], str]:
    """Return a function that puts names for the ids in a text; the book is read at the first id-like word."""
    names: list[dict[str, str]] = []

    def put_names(text: str) -> str:
        if not author_view.may_hold_ids(text):
            return text
        names[:] = names or [read(book, chapter)]
        return author_view.named(text, names[0])

    return put_names


def of_path(book: Book, path: str, names: Mapping[str, str]) -> str | None:
    """Return the name of the person or thing of a setting's file; None when it has none.

    Cards and memories have the name of their id, a page of the world its first heading.
    """
    folder, _, file = path.rpartition("/")
    if folder == layout.WORLD and file.endswith(".md"):
        text, _ = attempt(lambda: book.text(path))
        return next((line.strip("# ") for line in (text or "").split("\n") if line.startswith("# ")), None)
    is_memory = path == layout.memory(folder.rpartition("/")[2])
    return names.get(folder.rpartition("/")[2] if is_memory else file.partition(".")[0])


def state_places(book: Book, places: Sequence[str]) -> str:
    """Return places of the state in the author's words, the first five of them."""
    return consistency.paths_text(places, book.state_names())


def with_titles(one: Diagnostic, names: Mapping[str, str]) -> Diagnostic:
    """Return a diagnostic with the name before each id that it quotes: `「七索」（seventh-span）`."""
    message, fix = (author_view.titled(text, names) for text in (one.message, one.fix))
    return one._replace(message=message, fix=fix)


def _alone(named: list[tuple[str, str]]) -> dict[str, str]:
    """Return the names by id, without the ids that mean several things."""
    found: dict[str, set[str]] = {}
    for name, called in named:
        found.setdefault(name, set()).add(called)
    return {name: called.pop() for name, called in found.items() if len(called) == 1}


def _objective_names(book: Book, chapter: int | None) -> dict[str, str]:
    """Return the words of the objectives of a chapter's contract, by id."""
    if chapter is None:
        return {}
    path = layout.contract(planned_chapters.chapter_volume(book, chapter), chapter)
    contract, _ = attempt(lambda: book.document(path, "chapter-contract"))
    listed = objects((contract or {}).get("objectives"))
    return _alone([pair for one in listed for pair in _quoted(one.get("id"), one.get("description"))])


def _rule_names(book: Book) -> Iterator[tuple[str, str]]:
    document, _ = attempt(lambda: book.document(layout.WORLD_RULES, "world-rules"))
    for rule in world_rules.rules(document):
        yield from _quoted(rule.get("id"), rule.get("rule"))


def _contract_names(people: list[Character]) -> Iterator[tuple[str, str]]:
    for person in people:
        for one in person.document.get("contracts") or ():
            if isinstance(one, dict) and one.get("rule"):
                yield from _quoted(one.get("id"), f"{person.name}：{one['rule']}")


def _thread_names(book: Book) -> Iterator[tuple[str, str]]:
    threads, _ = attempt(lambda: foreshadowing.all_threads(book))
    for one in threads or ():
        if title(one) != one["id"]:
            yield from _quoted(one["id"], title(one))


def _quoted(name: Any, words: Any) -> Iterator[tuple[str, str]]:
    line = " ".join(str(words or "").split()).rstrip("。")
    if name and line:
        yield str(name), f"「{excerpt.shorten(line, _LONGEST)}」"
