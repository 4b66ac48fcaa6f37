"""The book's setting in parts, and the planned chapters that a change of one touches. Pure.

Source: protocol §1. A part is something that an author changes in one go and a planned chapter needs: a world
rule, a character, a storyline, a section on a place, a chapter's block of the outline, the brief. Parts are
compared by hash. A changed part touches contracts of chapters not yet written; written chapters stay.
"""

from __future__ import annotations

from novel_hooks import sha2
from novel_hooks.annotations import Any, Iterable, Iterator, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.planning import planned_chapters, setting_words
from novel_hooks.rules.planning.planned_chapters import PlannedChapter
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import objects
from novel_hooks.rules.text.name_order import in_order

Marks = Mapping[str, "Part"]

RULE, CHARACTER, STORYLINE = "rule", "character", "storyline"
PLACE, OUTLINE, BRIEF = "place", "outline", "brief"
CHANGED, ADDED, REMOVED = "changed", "added", "removed"
_BOOKKEEPING = ("last_verified",)
_LATER = {"title", "text"}
"""Fields that a setting noted by an earlier version lacks."""
_TITLE = 24
"""So long is a rule's title."""
_SHORTEST = 2
"""A place's name of one character would be found everywhere."""
_KIND_TEXTS = {
    RULE: "世界规则 {name}",
    CHARACTER: "角色「{name}」",
    STORYLINE: "故事线 {name}",
    PLACE: "世界设定「{name}」",
    OUTLINE: "第 {name} 章的大纲",
    BRIEF: "立意",
}
_DONE = {CHANGED: "改了", ADDED: "是新加的", REMOVED: "去掉了"}


class Part(Record):
    """One part of the setting. `path` is its file, `names` are the words that planned chapters use for it.

    `name` is its name within the file: a rule's or storyline's id, a display name, a heading, a chapter; ""
    of the brief. `title` is the author's name for it when that differs; `text` its words, "" when unknown.
    """

    kind: str
    name: str
    path: str
    names: tuple[str, ...]
    sha256: str
    title: str = ""
    text: str = ""


class SettingChange(Record):
    """A part that was changed, added or removed; `names` are its new names, then its old ones.

    `old` and `new` are the sentences that only the old or only the new text has; "" where it is not known.
    """

    kind: str
    name: str
    path: str
    change: str
    names: tuple[str, ...]
    title: str = ""
    old: str = ""
    new: str = ""


def rule_parts(document: Mapping[str, Any] | None, path: str) -> Iterator[Part]:
    """Yield a part for every world rule; `last_verified` is bookkeeping and no part of its hash."""
    for rule in objects((document or {}).get("rules")):
        content = {key: value for key, value in rule.items() if key not in _BOOKKEEPING}
        name, title = str(rule.get("id")), excerpt.shorten(str(rule.get("rule") or ""), _TITLE)
        yield Part(RULE, name, path, (name,), digest(content), title, setting_words.rule_text(rule))


def character_part(slug: str, document: Mapping[str, Any], path: str) -> Part:
    """Make the part of a character's card; its names are display name, aliases, id."""
    names = characters.names_of(characters.character(slug, document))
    words = setting_words.card_text(document)
    return Part(CHARACTER, names[0], path, tuple(names), digest(document), text=words)


def profile_part(slug: str, person: Part | None, text: str, path: str) -> Part:
    """Make the part of the narrative beside a card, with the card's names; without a card, its id."""
    names = person.names if person is not None else (slug,)
    return Part(CHARACTER, names[0], path, names, digest(text.strip()), text=text.strip())


def storyline_parts(document: Mapping[str, Any] | None, path: str) -> Iterator[Part]:
    """Yield a part for every storyline and relationship; a relationship has the names of both its ends."""
    for line in objects((document or {}).get("storylines")):
        name = str(line.get("id"))
        title, words = str(line.get("name") or ""), setting_words.json_text(line)
        yield Part(STORYLINE, name, path, (name,), digest(line), title, words)
    for one in objects((document or {}).get("relationships")):
        ends = (str(one.get("from")), str(one.get("to")))
        words = setting_words.json_text(one)
        yield Part(STORYLINE, "→".join(ends), path, ends, digest(one), text=words)


def section_parts(text: str, path: str) -> Iterator[Part]:
    """Yield a part for every section of a document on the world, named by its heading.

    Text before the first heading is named by the file's name without its ending.
    """
    head, body = "", list[str]()
    stem = path.rpartition("/")[2].rpartition(".")[0]
    for line in [*text.split("\n"), "# "]:
        if line.startswith("#"):
            content = "\n".join(body).strip()
            if content or head:
                yield _section_part(head or stem, content, path)
            head, body = line.lstrip("#").strip(), []
        else:
            body.append(line)


def _section_part(head: str, content: str, path: str) -> Part:
    names = (head,) if len(head) >= _SHORTEST else ()
    return Part(PLACE, head, path, names, digest([head, content]), text=content)


def outline_parts(outline: Outline) -> Iterator[Part]:
    """Yield a part for every chapter's block of the outline, in the order of chapters."""
    for number in sorted({heading.chapter for heading in outline.headings}):
        block = outlines.block(outline, number).strip()
        yield Part(OUTLINE, str(number), outline.path, (str(number),), digest(block), text=block)


def brief_part(text: str, path: str) -> Part:
    """Make the one part of the brief; no planned chapter names it."""
    return Part(BRIEF, "", path, (), digest(text.strip()), text=text.strip())


def parts_by_key(parts: Iterable[Part]) -> dict[str, Part]:
    """Map the parts by `path#name` (a character's by `path#`), sorted by key.

    Two parts with one key become one, with a hash over both.
    """
    by_key: dict[str, Part] = {}
    for part in parts:
        key = f"{part.path}#{part.name if part.kind != CHARACTER else ''}"
        first = by_key.get(key)
        sha256 = part.sha256 if first is None else digest([first.sha256, part.sha256])
        by_key[key] = part._replace(sha256=sha256)
    return dict(sorted(by_key.items()))


def document(parts: Marks) -> dict[str, Any]:
    """Return the parts as a JSON object, `{key: {kind, name, path, names[], sha256}}`."""
    return {key: {**part._asdict(), "names": list(part.names)} for key, part in parts.items()}


def parse(found: object) -> dict[str, Part] | None:
    """Read the parts back from the JSON object of `document`; None when it is none."""
    if not isinstance(found, dict):
        return None
    parts = {}
    for key, one in found.items():
        if not isinstance(one, dict) or not isinstance(one.get("names"), list):
            return None
        if not set(Part._fields) - _LATER <= set(one) <= set(Part._fields):
            return None
        parts[key] = Part(**{**one, "names": tuple(map(str, one["names"]))})
    return parts


def setting_changes(before: Marks, now: Marks) -> list[SettingChange]:
    """List the differences between two sets of parts, one change a thing.

    A card and its narrative are one character. The old names count beside the new ones, for planned chapters
    still use them.
    """
    found: dict[tuple[str, str], SettingChange] = {}
    staying = _carded(before) & _carded(now)
    for key in in_order({*before, *now}):
        old, new = before.get(key), now.get(key)
        if old is not None and new is not None and old.sha256 == new.sha256:
            continue
        part = before[key] if new is None else new
        thing = _thing(part)
        how = CHANGED if (old and new) or thing in staying else (ADDED if new else REMOVED)
        names = tuple(dict.fromkeys([*part.names, *(old.names if old else ())]))
        first, (was, becomes) = found.get(thing), _differing_words(old, new)
        if first is None:
            found[thing] = SettingChange(
                part.kind, part.name, part.path, how, names, part.title, was, becomes
            )
        else:
            found[thing] = first._replace(
                change=how if how == first.change else CHANGED,
                names=tuple(dict.fromkeys([*first.names, *names])),
                old=setting_words.joined(first.old, was),
                new=setting_words.joined(first.new, becomes),
            )
    return list(found.values())


def _carded(parts: Marks) -> set[tuple[str, str]]:
    """Return the characters who have a card: one whose page alone comes or goes is only changed."""
    return {_thing(one) for one in parts.values() if one.kind == CHARACTER and one.path.endswith(".json")}


def _thing(part: Part) -> tuple[str, str]:
    """Return what the part is of: a character's last name is his id, which card and narrative share."""
    return part.kind, part.names[-1] if part.kind == CHARACTER else f"{part.path}#{part.name}"


def _differing_words(old: Part | None, new: Part | None) -> tuple[str, str]:
    """Return (what only the old text says, what only the new one says); "" where a text is not known."""
    if old is not None and not old.text:
        return "", ""
    return setting_words.differing(old.text if old else "", new.text if new else "")


def touched_chapters(change: SettingChange, chapters: Sequence[PlannedChapter]) -> list[PlannedChapter]:
    """Return the planned chapters that need the changed part, in order."""
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


def describe(change: SettingChange) -> str:
    """Describe the change in the author's words: a clause without a full stop, by title rather than by id."""
    what = _KIND_TEXTS[change.kind].format(name=change.name)
    if change.title:
        what = f"{_KIND_TEXTS[change.kind].partition(' ')[0]}「{change.title}」"
    gap = " " if what[-1].isascii() else ""
    return f"{what}{gap}{_DONE[change.change]}"


def overturned_by(changes: Iterable[SettingChange], words: str) -> str | None:
    """Return the change's description when it removed words that `words` lean on; None when it did not."""
    found = (one for one in changes if setting_words.leans_on(one.old, one.new, words))
    return next((describe(one) for one in found), None)


def pending_action(change: SettingChange, touched: Sequence[PlannedChapter]) -> dict[str, Any]:
    """Make the change's entry in the checkpoint's `pending_actions`.

    It is `{id, what, old?, new?, path, chapters[], contracts[]}`, `what` a Chinese clause without a full
    stop, `old` and `new` the words that differ.
    """
    words = {key: told for key, told in (("old", change.old), ("new", change.new)) if told}
    return {
        "id": f"{change.kind}:{change.name or change.path}",
        "what": describe(change),
        **words,
        "path": change.path,
        "chapters": sorted({one.chapter for one in touched}),
        "contracts": [one.contract.path for one in touched],
    }


def with_actions(pending: Sequence[Any], fresh: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return the pending actions with the fresh ones added.

    A fresh one takes the place of one with its id, and keeps the chapters and contracts that one touched.
    """
    actions = list(pending)
    for new in fresh:
        ids = [old.get("id") if isinstance(old, dict) else None for old in actions]
        at = ids.index(new["id"]) if new["id"] in ids else None
        if at is None:
            actions.append(dict(new))
            continue
        old = actions[at]
        merged = dict(new)
        for key in ("chapters", "contracts"):
            before = old.get(key)
            merged[key] = sorted({*new[key], *(before if isinstance(before, list) else ())})
        merged.update({"old": old["old"]} if old.get("old") else {})
        actions[at] = merged
    return actions


def actions_for(pending: Iterable[Any], chapter: int) -> list[dict[str, Any]]:
    """Return the pending actions that touch the chapter."""
    return [
        one
        for one in pending
        if isinstance(one, dict) and isinstance(one.get("chapters"), list) and chapter in one["chapters"]
    ]


def digest(value: object) -> str:
    """Return the SHA-256 of a value, one pending action for example, as canonical JSON."""
    import json

    data = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha2.digest(data.encode("utf-8", "surrogatepass"))
