"""`novel who 名字`: show a person's card, state, contracts, last appearance and threads. Reads only."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any, Iterator, Mapping
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.recall import who
from novel_hooks.flows.recall.who import Person
from novel_hooks.rules.cast.field_words import WORDS
from novel_hooks.rules.cast.person_state import ON_CARD
from novel_hooks.rules.foreshadowing.item import course, described
from novel_hooks.rules.recall import sentences
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.text.json_values import integer

_DEBT = {"to": "欠{}", "what": "{}", "due": "期限{}"}
_APART = ("display_name", "id", "contracts", "relationships")
_SEEN = 70


def arguments(parser: Parser) -> None:
    parser.value("name", "名字", "显示名、别名都行；记不全，写一部分也行")


def run(context: Context) -> Answer:
    if typed_words.is_blank(context.args.name):
        raise errors.UsageError(case="who blank")
    found = who.run(context.book(), context.args.name)
    return build(document(found), describe(found), found.problems)


def document(found: Person) -> dict[str, Any]:
    """Return the data: card, state, contracts and threads as they stand in the files."""
    seen = found.last_seen
    return {
        "typed": found.typed,
        "name": found.name,
        "path": found.path,
        "retired": found.retired,
        "card": dict(found.card),
        "state": dict(found.state),
        "relationships": _relationships(found),
        "contracts": list(found.contracts),
        "last_seen": seen._asdict() if seen is not None else None,
        "threads": list(found.threads),
    }


def describe(found: Person) -> str:
    """Return the lines on the person; a part that the book does not hold is left out."""
    bonds = [f"{name} {value}" for name, value in _relationships(found).items()]
    blocks = [
        (f"档案（{found.path}）", list(_facts(found.card, found.names, "开书时的")) or ["名字以外没有写。"]),
        ("现状", list(_facts(found.state, found.names)) or ["正文里还没有记下。"]),
        ("对别人（数越大越亲近）", ["，".join(bonds)] if bonds else []),
        ("写他时要守的", [_contract_line(one) for one in found.contracts]),
        ("最近写到", [_seen_line(found)]),
        ("牵着他的伏笔", [_thread_line(one) for one in found.threads]),
    ]
    other = f"（{found.typed}）" if found.typed != found.name else ""
    if found.near:
        other = f"（书里没有叫「{found.typed}」的人，名字最像的是这一位）"
    lines = [f"{found.name}{other}{'　已退场' if found.retired else ''}"]
    for title, told in blocks:
        lines += [title, *(f"  {line}" for line in told)] if told else []
    return "\n".join(lines)


def _facts(entry: Mapping[str, Any], names: Mapping[str, str], begun: str = "") -> Iterator[str]:
    """Yield a line a fact: those that have a word in its order, then the author's own; other keys unnamed.

    `begun` stands before the word of a fact that only begins the story's state.
    """
    known = {
        key: f"{begun}{word}" if key in ON_CARD else word
        for key, word in WORDS.items()
        if key in entry and key not in _APART
    }
    own = {key: key for key in entry if not key.isascii()}
    for key, word in {**known, **own}.items():
        told = _value_text(entry[key], names)
        if told:
            yield f"{word}　{told}"
    rest = [entry[key] for key in entry if key not in known and key not in own and key not in _APART]
    texts = [told for told in (_value_text(one, names) for one in rest if not _is_number(one)) if told]
    if texts:
        yield f"另记　{'；'.join(texts)}"


def _is_number(value: object) -> bool:
    """Is it a number or a yes or no? Without the word for its key it says nothing."""
    return isinstance(value, (int, float))


def _value_text(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return " ".join(names.get(value, value).split())
    if isinstance(value, bool) or value is None:
        return {True: "是", False: "否", None: ""}[value]
    if isinstance(value, list):
        between = "；" if any(isinstance(one, dict) for one in value) else "、"
        return between.join(told for told in (_value_text(one, names) for one in value) if told)
    return _entry_text(value, names) if isinstance(value, dict) else str(value)


def _entry_text(entry: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return an object as words: a debt as its parts, any other fact with the word for its key."""
    if "what" in entry and ("to" in entry or "due" in entry):
        parts = [(shape, _value_text(entry.get(key), names)) for key, shape in _DEBT.items()]
        return " ".join(shape.format(told) for shape, told in parts if told)
    told = {names.get(key, WORDS.get(key, key)): _value_text(one, names) for key, one in entry.items()}
    return "，".join(f"{word} {one}" for word, one in told.items() if one and not word.isascii())


def _relationships(found: Person) -> dict[str, Any]:
    bonds = found.state.get("relationships")
    return (
        {found.names.get(slug, slug): value for slug, value in bonds.items()}
        if isinstance(bonds, dict)
        else {}
    )


def _contract_line(contract: Mapping[str, Any]) -> str:
    until = contract.get("valid_until")
    last = integer(until)
    end = f"（到第 {last} 章为止）" if last is not None else f"（直到{until}）" if until else ""
    return f"{contract.get('rule')}{end}"


def _seen_line(found: Person) -> str:
    seen = found.last_seen
    if seen is None:
        return "写好的章里还没有写到。"
    listed = found.card.get("aliases")
    aliases = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    words = [found.name, *aliases]
    return f"第 {seen.chapter} 章第 {seen.line} 行　{sentences.excerpt(seen.text, words, _SEEN)}"


def _thread_line(thread: Mapping[str, Any]) -> str:
    return "　".join([described(thread), *course(thread)])
