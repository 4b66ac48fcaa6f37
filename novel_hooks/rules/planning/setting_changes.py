"""The book's setting in parts, and what a change of one touches. Pure. Source: protocol §1.

A part is what an author changes in one go and a planned chapter leans on: a world rule, a character, a
storyline, a section on a place, a chapter's block of the outline, the brief. Parts are compared by hash. What
a changed part touches are the contracts of chapters not yet written; what is written stays.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    Marks = Mapping[str, "Part"]
import hashlib

from novel_hooks.record import Record
from novel_hooks.rules.cast import characters
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.planning import planned_chapters
from novel_hooks.rules.planning.planned_chapters import PlannedChapter

RULE, CHARACTER, STORYLINE, PLACE, OUTLINE, BRIEF = (
    "rule",
    "character",
    "storyline",
    "place",
    "outline",
    "brief",
)
CHANGED, ADDED, REMOVED = "changed", "added", "removed"
_BOOKKEEPING = ("last_verified",)
_SHORTEST = 2
"""A place's name of one character would be found everywhere."""
_KIND_TEXTS = {
    RULE: "世界规则 {name}",
    CHARACTER: "角色「{name}」",
    STORYLINE: "故事线 {name}",
    PLACE: "世界设定「{name}」",
    OUTLINE: "第 {name} 章的大纲",
    BRIEF: "立意简报",
}
_DONE = {CHANGED: "改了", ADDED: "是新加的", REMOVED: "去掉了"}


class Part(Record):
    """`kind` and `name` say what it is, `path` where; `names` is what planned chapters call it."""

    kind: str
    name: str
    path: str
    names: tuple[str, ...]
    sha256: str


class SettingChange(Record):
    """Something that is not as it was; `names` are its old names beside the new ones."""

    kind: str
    name: str
    path: str
    change: str
    names: tuple[str, ...]


def rule_parts(document: Mapping[str, Any] | None, path: str) -> Iterator[Part]:
    for rule in _objects_of(document, "rules"):
        told = {key: value for key, value in rule.items() if key not in _BOOKKEEPING}
        yield Part(RULE, str(rule.get("id")), path, (str(rule.get("id")),), _sha256(told))


def character_part(slug: str, document: Mapping[str, Any], path: str) -> Part:
    called = characters.names_of(characters.character(slug, document))
    return Part(CHARACTER, called[0], path, tuple(called), _sha256(document))


def profile_part(slug: str, person: Part | None, text: str, path: str) -> Part:
    """The narrative beside a card; without one it is known by its id."""
    names = person.names if person is not None else (slug,)
    return Part(CHARACTER, names[0], path, names, _sha256(text.strip()))


def storyline_parts(document: Mapping[str, Any] | None, path: str) -> Iterator[Part]:
    """A relationship belongs to the storyline that it leads from, and is found by both."""
    for line in _objects_of(document, "storylines"):
        name = str(line.get("id"))
        yield Part(STORYLINE, name, path, (name,), _sha256(line))
    for one in _objects_of(document, "relationships"):
        ends = (str(one.get("from")), str(one.get("to")))
        yield Part(STORYLINE, "→".join(ends), path, ends, _sha256(one))


def section_parts(text: str, path: str) -> Iterator[Part]:
    """A document on the world, by its headings; a heading is the name of what stands below it."""
    head, body = "", list[str]()
    stem = path.rpartition("/")[2].rpartition(".")[0]
    for line in [*text.split("\n"), "# "]:
        if line.startswith("#"):
            said = "\n".join(body).strip()
            if said or head:
                yield _section_part(head or stem, said, path)
            head, body = line.lstrip("#").strip(), []
        else:
            body.append(line)


def _section_part(head: str, said: str, path: str) -> Part:
    names = (head,) if len(head) >= _SHORTEST else ()
    return Part(PLACE, head, path, names, _sha256([head, said]))


def outline_parts(outline: Outline) -> Iterator[Part]:
    for number in sorted({heading.chapter for heading in outline.headings}):
        block = outlines.block(outline, number).strip()
        yield Part(OUTLINE, str(number), outline.path, (str(number),), _sha256(block))


def brief_part(text: str, path: str) -> Part:
    return Part(BRIEF, "", path, (), _sha256(text.strip()))


def parts_by_key(parts: Iterable[Part]) -> dict[str, Part]:
    """By `path#name`, in that order; of two parts of one name both count, as one."""
    found: dict[str, Part] = {}
    for part in parts:
        key = f"{part.path}#{part.name if part.kind != CHARACTER else ''}"
        known = found.get(key)
        sha256 = part.sha256 if known is None else _sha256([known.sha256, part.sha256])
        found[key] = part._replace(sha256=sha256)
    return dict(sorted(found.items()))


def document(known: Marks) -> dict[str, Any]:
    return {key: {**part._asdict(), "names": list(part.names)} for key, part in known.items()}


def parse(found: object) -> dict[str, Part] | None:
    """What `document` made; None when it is nothing of the kind: then nothing is known."""
    if not isinstance(found, dict):
        return None
    known = {}
    for key, one in found.items():
        if not isinstance(one, dict) or set(one) != set(Part._fields) or not isinstance(one["names"], list):
            return None
        known[key] = Part(**{**one, "names": tuple(map(str, one["names"]))})
    return known


def setting_changes(before: Marks, now: Marks) -> list[SettingChange]:
    """What is not as it was, one change for each thing: a card and its narrative are one character.

    A thing's old names count beside its new ones: planned chapters still call it so.
    """
    found: dict[tuple[str, str], SettingChange] = {}
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if old is not None and new is not None and old.sha256 == new.sha256:
            continue
        part = new or old
        if part is None:
            continue
        how = CHANGED if old and new else (ADDED if new else REMOVED)
        names = tuple(dict.fromkeys([*part.names, *(old.names if old else ())]))
        told = (part.kind, part.names[-1] if part.kind == CHARACTER else f"{part.path}#{part.name}")
        known = found.get(told)
        if known is None:
            found[told] = SettingChange(part.kind, part.name, part.path, how, names)
        else:
            merged = tuple(dict.fromkeys([*known.names, *names]))
            found[told] = known._replace(change=how if how == known.change else CHANGED, names=merged)
    return list(found.values())


def touched_chapters(change: SettingChange, chapters: Sequence[PlannedChapter]) -> list[PlannedChapter]:
    """The chapters to come that lean on what was changed, in order."""
    return [one for one in chapters if _depends_on(change, one)]


def _depends_on(change: SettingChange, one: PlannedChapter) -> bool:
    if change.kind == CHARACTER:
        return planned_chapters.needs_person(one, change.names) is not None
    if change.kind == OUTLINE:
        return str(one.chapter) in change.names
    needs = {
        RULE: planned_chapters.needs_rule,
        STORYLINE: planned_chapters.needs_storyline,
        PLACE: planned_chapters.needs_place,
    }.get(change.kind)
    return needs is not None and any(needs(one, name) for name in change.names)


def pending_action(change: SettingChange, touched: Sequence[PlannedChapter]) -> dict[str, Any]:
    """One of the checkpoint's `pending_actions`."""
    what = _KIND_TEXTS[change.kind].format(name=change.name)
    gap = " " if what[-1].isascii() else ""
    return {
        "id": f"{change.kind}:{change.name or change.path}",
        "what": f"{what}{gap}{_DONE[change.change]}",
        "path": change.path,
        "chapters": sorted({one.chapter for one in touched}),
        "contracts": [one.contract.path for one in touched],
    }


def with_actions(pending: Sequence[Any], fresh: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The pending actions with the fresh ones; one of the same id gives way, what it touched stays so."""
    found = list(pending)
    for new in fresh:
        ids = [old.get("id") if isinstance(old, dict) else None for old in found]
        at = ids.index(new["id"]) if new["id"] in ids else None
        if at is None:
            found.append(dict(new))
            continue
        old = found[at]
        merged = dict(new)
        for key in ("chapters", "contracts"):
            held = old.get(key)
            merged[key] = sorted({*new[key], *(held if isinstance(held, list) else ())})
        found[at] = merged
    return found


def actions_for(pending: Iterable[Any], chapter: int) -> list[dict[str, Any]]:
    """The actions that touch the chapter."""
    return [
        one
        for one in pending
        if isinstance(one, dict) and isinstance(one.get("chapters"), list) and chapter in one["chapters"]
    ]


def digest(one: object) -> str:
    return _sha256(one)


def _sha256(value: object) -> str:
    import json

    data = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()


def _objects_of(document: Mapping[str, Any] | None, key: str) -> list[dict[str, Any]]:
    found = (document or {}).get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
