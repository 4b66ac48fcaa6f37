"""No message shows an id, an op's path or a file that is not there, whatever has gone wrong in a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts
from tools.gen_errors import problem_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from novel_hooks.cli.answer import Answer

OP = re.compile(r"ops\[|\b(?:characters|items|locations|factions|world_state)\.[\w-]")
STEP = re.compile(r"\b(?:setup|chapter|volume|sync):[0-9a-z]")
PATH = re.compile(r"(?<![\w/.-])[a-z][\w.-]*/[\w./-]*[\w-]\.(?:jsonl?|md|yaml|txt)")
EXAMPLES = ("lin-shen", "tang-po", "double-seal", "salt-town.md", "W-001", "chapter:007:draft")
"""What a template shows as a pattern to follow."""
SLUG = re.compile(r"(?<![\w/.-])(?:[a-z]+-[a-z]+|[A-Z]{1,3}-\d+)(?![\w/-]|\.json)")
PLAIN = ("double-seal", "chapter-contract", "chapter-contracts", "ai-blacklist.json", "style-profile.json")


def bare(said: str) -> str:
    """What is no command to type."""
    return re.sub("`[^`]*`|步骤：.*", "", said)


@pytest.mark.parametrize("kind", problem_classes(), ids=lambda kind: kind.code)
def test_no_template_shows_one(kind: Any) -> None:
    for said in (kind.message, kind.fix, *kind.cases.values()):
        plain = re.sub(r"\{[^}]*\}", "", bare(said))
        for one in (*EXAMPLES, *PLAIN):
            plain = plain.replace(one, "")
        assert not [found for kind_of in (OP, STEP) for found in kind_of.findall(plain)], said
        slugs = [one for one in SLUG.findall(plain) if one != "UTF-8"]
        assert not slugs, said
        literal = [one for one in PATH.findall(plain) if not one.startswith("staging/")]
        assert not literal, said


def words(found: Answer) -> Iterator[str]:
    """Everything of an answer that an author reads."""
    yield found.text or ""
    for one in found.diagnostics:
        yield from (one.message, one.fix)
    data = found.data if isinstance(found.data, dict) else {}
    yield str(data.get("reason") or "")
    for entry in (*(data.get("choices") or ()), *(data.get("menu") or ())):
        yield from (entry["label"], entry.get("why") or "")
    yield from ((data.get("verdict") or {}).get("faults") or ())


def op(told: Any) -> Callable[[dict[str, Any]], None]:
    return lambda delta: delta["ops"].append(told)


def change(path: str, value: Any, how: str = "set") -> Callable[[dict[str, Any]], None]:
    return op({"op": how, "path": path, "value": value})


SPOILT: dict[str, Callable[[dict[str, Any]], None]] = {
    "a count on a word": change("characters.shen-du.location", 1, "inc"),
    "a person as a number": change("characters.shen-du", 1),
    "nothing to remove": change("characters.shen-du.inventory", "没有的", "remove"),
    "an odd level": change("characters.shen-du.level", ["高"]),
    "an unknown thread": change("old-lamps", "advanced", "foreshadow"),
    "an unknown action": change("old-lamp", "seen", "foreshadow"),
    "an unknown verb": change("characters.shen-du.location", "x", "push"),
    "no value": op({"op": "set", "path": "characters.shen-du.location"}),
    "a bond with nobody": change("characters.shen-du.relationships.qiao-jiu", "好"),
    "no op": op("x"),
    "another version": lambda delta: delta.update(base_state_version=9),
    "nothing at all": lambda delta: delta.update(ops=[]),
    "two names of one thing": lambda delta: delta.update(
        unknown_entities=[{"mention": "沈渡儿", "context": "x", "suggested_type": "place"}]
    ),
}
THREAD = {"id": "old-lamp", "description": "船灯会自己亮。", "status": "planted", "planted_chapter": 1}
IDS = ("shen-du", "qiao-jiu", "river-line")


def check(made: Book, *argv: str) -> Answer:
    found = made.novel(*argv)
    for said in words(found):
        plain = bare(said)
        assert not OP.search(plain) and not STEP.search(plain), (argv, said)
        assert not [one for one in IDS if re.search(rf"(?<![\w/-]){one}(?![\w/-]|\.json|\.md)", plain)], said
        gone = [path for path in PATH.findall(plain) if not made.at(path).exists()]
        assert not gone or "FILE_MISSING" in {one.code for one in found.diagnostics}, (argv, said)
    return found


@pytest.mark.parametrize("name", SPOILT)
def test_whatever_is_wrong_with_the_records_of_a_chapter(tmp_path: Path, name: str) -> None:
    made = book(tmp_path, 1)
    lines = made.json(layout.STORYLINES)
    for one in lines["storylines"]:
        one["name"] = "渡口" if one["id"] == bookparts.storyline_id(2) else "塔上"
    made.write(layout.STORYLINES, lines)
    made.write(layout.FORESHADOWING, {"foreshadowing": [THREAD]})
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    made.records()
    delta = made.json(made.staged("delta"))
    SPOILT[name](delta)
    made.write(made.staged("delta"), delta)
    step = made.step("summarize")
    for argv in (("next",), ("status",), ("validate", step), ("advance", step), ("next",), ("doctor",)):
        check(made, *argv)
    if made.point()["pipeline_stage"] == "drafting":
        for _ in range(3):
            check(made, "fail", step, "--reason", "记得不对")
            check(made, "next")
        check(made, "status")
        check(made, "decide", "2", "skip-delta")
        check(made, "retry")
    else:
        made.advance("refine")
        made.judge(4.5)
        made.advance("judge")
        check(made, "commit", "--chapter", "2")
        check(made, "review", "1")
    check(made, "next")
    check(made, "sync", "1")
