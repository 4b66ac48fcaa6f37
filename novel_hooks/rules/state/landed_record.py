"""A chapter's landed record: the hashes of its files, and the contents they replaced. Source: protocol §5."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer


class LandedRecord(Record):
    """One chapter's landed record.

    `sha256` maps a path to the hash of its landed text in UTF-8, LF, no BOM. `memories` maps the path of a
    memory to its text before, `threads` an id to its item before; None stands for none. `created` are the
    files that the landing began. `waiting` is the foreshadowing backlog before, None in records of older
    versions. `ended` are the characters' contracts that it ended, `{character, contract, before?}` each, and
    the secrets that came out with it, `{character, secret, before?}`.
    `document` is the whole record as written.
    """

    chapter: int
    sha256: Mapping[str, str]
    memories: Mapping[str, str | None]
    threads: Mapping[str, Any]
    created: tuple[str, ...]
    waiting: list[int] | None
    document: Mapping[str, Any]
    ended: tuple[Mapping[str, Any], ...] = ()


def read(document: object, chapter: int) -> LandedRecord:
    """Parse a landed record. Raises LandedBroken with the first field that `novel` would not write so."""
    fault = next(_record_faults(document, chapter), None)
    if fault is not None or not isinstance(document, dict):
        raise errors.LandedBroken(layout.landed_record(chapter), case="field", chapter=chapter, fault=fault)
    before = document["before"]
    return LandedRecord(
        chapter=chapter,
        sha256=document["sha256"],
        memories={path: text for path, text in before.items() if path != layout.FORESHADOWING},
        threads=before.get(layout.FORESHADOWING, {}),
        created=tuple(document.get("created", ())),
        waiting=document.get("waiting"),
        ended=tuple(document.get("ended", ())),
        document=document,
    )


def is_memory(path: str) -> bool:
    """Tell whether the path is that of a storyline's memory: `storylines/main-line/memory.md`."""
    parts = path.split("/")
    return len(parts) == 3 and layout.SLUG.match(parts[1]) and path == layout.memory(parts[1])


def _record_faults(document: object, chapter: int) -> Iterator[str]:
    """Yield the faults of a record in Chinese, the field first."""
    if not isinstance(document, dict):
        yield "整份内容应是一个对象"
        return
    if integer(document.get("chapter")) != chapter:
        yield f"chapter 应是 {chapter}"
    line = document.get("storyline_id")
    if not isinstance(line, str) or not layout.SLUG.match(line):
        yield "storyline_id 应是故事线的编号"
        return
    yield from _hash_faults(document.get("sha256"), chapter, judged=document.get("adopted") is not True)
    yield from _before_faults(document.get("before"), layout.memory(line))
    created, waiting = document.get("created", []), document.get("waiting", [])
    if not isinstance(created, list) or any(path != layout.FORESHADOWING for path in created):
        yield f"created 里只能有 {layout.FORESHADOWING}"
    if not isinstance(waiting, list) or any((integer(n) or 0) < 1 for n in waiting):
        yield "waiting 应是章号的列表"
    ended = document.get("ended", [])
    if not isinstance(ended, list) or not all(map(_is_ended, ended)):
        yield "ended 应是角色契约的列表"


def _is_ended(one: object) -> bool:
    if not isinstance(one, dict):
        return False
    slug, what = one.get("character"), isinstance(one.get("contract"), str) or one.get("secret") is True
    return isinstance(slug, str) and what and bool(layout.SLUG.match(slug))


def _hash_faults(hashes: object, chapter: int, judged: bool) -> Iterator[str]:
    if not isinstance(hashes, dict):
        yield "sha256 应是一个对象"
        return
    own = [place(chapter) for place in (layout.chapter, layout.summary, layout.evaluation, layout.crossref)]
    missing = [path for path in own if path not in hashes and (judged or path != layout.evaluation(chapter))]
    if missing:
        yield f"sha256 里缺了 {missing[0]}"
    for path, sha256 in hashes.items():
        if path not in own and not is_memory(path):
            yield f"sha256 里的 {path} 不是这一章的文件"
        if not (isinstance(sha256, str) and len(sha256) == 64 and set(sha256) <= set("0123456789abcdef")):
            yield f"sha256 里 {path} 的值不是校验值"


def _before_faults(before: object, memory: str) -> Iterator[str]:
    if not isinstance(before, dict):
        yield "before 应是一个对象"
        return
    if memory not in before:
        yield f"before 里缺了 {memory}"
    for path, old in before.items():
        if path == layout.FORESHADOWING:
            yield from _thread_faults(old)
        elif not is_memory(path):
            yield f"before 里的 {path} 不是故事线记忆"
        elif not isinstance(old, (str, type(None))):
            yield f"before 里 {path} 应是文字"


def _thread_faults(threads: object) -> Iterator[str]:
    if not isinstance(threads, dict):
        yield f"before 里 {layout.FORESHADOWING} 应是一个对象"
        return
    for name, item in threads.items():
        if item is not None and (not isinstance(item, dict) or item.get("id") != name):
            yield f"before 里的伏笔「{name}」应是这一条伏笔，或 null"
