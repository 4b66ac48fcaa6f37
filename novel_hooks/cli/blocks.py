"""Words, lines and blocks that several commands print in the same way.

Blocks of the status page: trend, threads, storylines, work. A block that could not be read says so.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.cli.answer import Answer, build

if TYPE_CHECKING:
    from novel_hooks.flows.rollback.archive import Archive
    from novel_hooks.store.files.project import Project

AHEAD = "先处理：这一步要用的文件有问题，见下面的提醒"
_SHOWN = 5
_UNREAD = "读不出来（见下面的提示）"


def choice_line(label: str, why: str, command: str) -> str:
    """Return an author's answer for the screen: `  · 整章重写（现稿会存档）：novel decide 2 rewrite`."""
    return f"  · {label}{f'（{why}）' if why else ''}：{command}"


def verdict_lines(block: Mapping[str, Any] | None) -> list[str]:
    """Return the lines on the verdict that the author is asked about: score, faults, path of the text."""
    if block is None:
        return []
    from novel_hooks.rules.review import trend

    faults = [f"  毛病　{one}" for one in block["faults"]]
    return [f"评分：{trend.score_text(block['overall'])}／5", *faults, f"稿子：{block['text']}"]


def change_lines(changes: Sequence[str]) -> list[str]:
    """Return the lines on the last changes in a text: first how much was changed, then the words."""
    return [f"和上一稿比：{changes[0]}", *(f"  {one}" for one in changes[1:])] if changes else []


def verdict_line(told: Mapping[str, Any]) -> str:
    """Return a verdict as a line: `4.20 分　通过　修订 1 次`."""
    from novel_hooks.rules.evaluation import gate_entry

    if told.get("adopted"):
        return gate_entry.ADOPTED
    parts = [score_text(told["overall_final"])]
    decided = told["gate_decision"], told["accepted"], told["force_passed"]
    if any(decided):
        parts.append(gate_entry.decision_word(*decided))
    if told["revisions"]:
        parts.append(f"修订 {told['revisions']} 次")
    return "　".join(parts)


def score_text(overall: float | None) -> str:
    """Return a score as `4.20 分`."""
    if overall is None:
        return "没有评分"
    from novel_hooks.rules.review import trend

    return f"{trend.score_text(overall)} 分"


def word_lines(block: Mapping[str, Any] | None) -> list[str]:
    """Return the lines on lengths: `字数：全书 36,000 字，本卷 12,000 字`, then today and the streak."""
    if block is None:
        return [f"字数：{_UNREAD}"]
    if not block["book"]:
        return []
    volume = "" if block["volume"] in (None, block["book"]) else f"，本卷 {block['volume']:,} 字"
    today, goal = block["today"], block["goal"]
    done = f"写成 {today['chapters']} 章 {today['chars']:,} 字" if today["chapters"] else "还没有写成的章"
    still = 0 if goal is None else goal - today["chars"]
    reached = f"还差 {still:,} 字" if still > 0 else "达到了"
    left = "" if goal is None else f"，目标 {goal:,} 字，{reached}"
    row = f"；连着写了 {block['streak']} 天" if block["streak"] > 1 else ""
    return [f"字数：全书 {block['book']:,} 字{volume}", f"今天：{done}{left}{row}"]


def trend_lines(block: Mapping[str, Any] | None) -> list[str]:
    """Return the trend of the scores: `走势：近 5 章均分 4.12，之前 3.90，在上升；偏低：第 7 章 3.20`."""
    if block is None:
        return [f"走势：{_UNREAD}"]
    from novel_hooks.rules.review import trend

    told = trend.trend_text(block)
    return [f"走势：{told}"] if told else []


def thread_lines(block: Mapping[str, Any] | None) -> list[str]:
    """Return the count of threads, then the overdue ones by name."""
    if block is None:
        return [f"伏笔：{_UNREAD}"]
    from novel_hooks.rules.review import trend

    count = len(block["overdue"])
    late = [trend.thread_text(told) for told in block["threads"] if told["overdue"]]
    more = f" 等 {count} 条" if count > _SHOWN else ""
    tail = f"，超期 {count} 条：{'、'.join(late[:_SHOWN])}{more}" if count else ""
    return [f"伏笔：在途 {block['open']} 条{tail}"]


def storyline_lines(block: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Return the lines on storylines: `故事线：河上 第 12 章，塔里 近 10 章没出现`.

    Dormant ones are counted.
    """
    if block is None:
        return [f"故事线：{_UNREAD}"]
    from novel_hooks.rules.review import trend

    awake = [told for told in block if not told["asleep"] or told["last_seen"]]
    asleep = len(block) - len(awake)
    shown = [trend.storyline_text(told) for told in awake]
    if asleep:
        shown.append(f"另有 {asleep} 条没有上场")
    return [f"故事线：{'，'.join(shown)}"] if shown else []


def work_lines(block: Mapping[str, Any] | None) -> list[str]:
    if block is None:
        return [f"用时：{_UNREAD}"]
    if not block["stages"]:
        return []
    from novel_hooks.cli.amounts import omission_text, usage_text

    count = block["to_chapter"] - block["from_chapter"] + 1
    sums = f"{usage_text(block, block['currency'])}{omission_text(block)}"
    return [f"用时：近 {count} 章 {sums}（全书看 `novel log`）"]


def bar(done: int, total: int, width: int = 20) -> str:
    """Draw a progress bar of fixed width."""
    filled = width * done // total if total else 0
    return f"[{'█' * filled}{'░' * (width - filled)}]"


def archive_list(project: Project, now: float) -> Answer:
    """Return a line for each archive that can be restored, and for each old state that can be read."""
    from novel_hooks.flows.rollback import archive as archives

    found, problems = archives.restorable(project)
    data = {"archives": [_archive_document(one) for one in found]}
    people = _names_of_left(project) if any(one.kind == archives.RETIRE for one in found) else {}
    lines = [_archive_line(one, now, people) for one in found] or ["还没有能取回的存档。"]
    lines += [
        f"{name}  重建时换下的故事状态，只供查看，在 {layout.ARCHIVE}/{name}/"
        for name in archives.rebuild_ids(project)
    ]
    return build(data, "\n".join(lines), problems)


def _names_of_left(project: Project) -> dict[str, str]:
    """Return id → name of those who left the book, and of those who came back."""
    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.book.collect import attempt

    book = Book(project)
    found = [one for read in (book.retired, book.cast) for one in attempt(read)[0] or ()]
    return {one.slug: one.name for one in found}


def _archive_document(one: Archive) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "made_at": one.made_at,
        "to_chapter": one.to,
        "from_chapter": one.last,
        "chapters": one.chapters,
        "chars": one.chars,
        "restored_at": one.restored_at,
    }


def _archive_line(one: Archive, now: float, people: Mapping[str, str]) -> str:
    back = f"，{_moment_text(one.restored_at, now)} 取回过" if one.restored_at else ""
    return f"{one.id}  {_moment_text(one.made_at, now)}  {_archived_text(one, people)}{back}"


def _moment_text(stamp: str, now: float) -> str:
    from novel_hooks.store.host import moment

    at = moment.epoch(stamp)
    return stamp if at is None else moment.local_text(at, now)


def _archived_text(one: Archive, people: Mapping[str, str]) -> str:
    """Say what an archive holds, and why it was made."""
    from novel_hooks.flows.rollback import archive as archives

    if one.kind == archives.RETIRE:
        slug = one.id.partition("retire-")[2]
        return f"角色退场：{people.get(slug, slug) or '换下的档案'}"
    if one.kind == archives.RENAME:
        return "改名以前的文件"
    why = "退回时取走" if one.kind == archives.ROLLBACK else "取回存档时换下"
    held = f"第 {one.to} 章之后、到第 {one.last} 章" if one.last > one.to else f"第 {one.to} 章之后未入库的"
    return f"{why}：{held}（{one.chapters} 章，{one.chars} 字）"


def note_text(number: int, text: str) -> str:
    """Return a note of the author's in one line: `结尾下一场雨（编号 3）`."""
    return f"{' '.join(text.split())}（编号 {number}）"


def note_lines(notes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each of the author's notes for the next chapter."""
    return [f"你给第 {one['chapter']} 章的话：{note_text(one['number'], one['text'])}" for one in notes]
