"""`novel doctor`: every invariant between a book's parts and around them. Reads only.

Each check stands alone: what one finds does not hide what another would. Source: protocol §1, §5, §6.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

from novel_hooks import errors, layout
from novel_hooks.errors import DAMAGED, DONE, FINDINGS, Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import collected
from novel_hooks.flows.doctor import chapters, hand_edits, inferred_checkpoint, installation, place, story
from novel_hooks.flows.doctor import plan as doctor_plan
from novel_hooks.flows.session.caller import Caller
from novel_hooks.record import Record
from novel_hooks.store.files.project import KIND_NAMES, Project
from novel_hooks.store.formats import jsonio


class Checkup(Record):
    """`checked` are the titles of what was looked at; `problems` in that order, each once.

    `passed` are the titles of those without a finding.
    """

    checked: tuple[str, ...]
    problems: tuple[Problem, ...]
    passed: tuple[str, ...] = ()

    @property
    def exit(self) -> int:
        """0 sound (notes are no findings), 1 findings, 5 something only `novel` writes is damaged."""
        if any(p.severity == "error" and p.exit == DAMAGED for p in self.problems):
            return DAMAGED
        return FINDINGS if _findings(self.problems) else DONE


def run(project: Project | None, caller: Caller, environ: Mapping[str, str]) -> Checkup:
    """Look at everything; without a project, at the installation."""
    checks: list[tuple[str, Callable[[], Iterable[Problem]]]] = [
        ("安装", lambda: installation.check(environ))
    ]
    if project is not None:
        checks += _place(project, caller)
        checks += _book(project)
    found = [(title, collected(check)) for title, check in checks]
    return Checkup(
        checked=tuple(title for title, _ in found),
        problems=_distinct([problem for _, problems in found for problem in problems]),
        passed=tuple(title for title, problems in found if not _findings(problems)),
    )


def _findings(problems: Iterable[Problem]) -> bool:
    return any(p.severity != "info" for p in problems)


def _place(project: Project, caller: Caller) -> list[tuple[str, Callable[[], Iterable[Problem]]]]:
    return [
        ("文件夹与磁盘", lambda: place.folders(project)),
        ("写作助手自己的文件", lambda: place.own(project)),
        ("写作锁", lambda: place.locks(project, caller)),
        ("中断留下的东西", lambda: place.leftovers(project, caller)),
        ("暂存区", lambda: place.staging(project)),
    ]


def _book(project: Project) -> list[tuple[str, Callable[[], Iterable[Problem]]]]:
    """The book itself, unless a landing is not through or the checkpoint cannot be read."""
    try:
        plan = place.waiting(project)
    except Problem as fault:
        broken = fault.problems
        return [("提交日志", lambda: broken)]
    if plan is not None:
        waiting = place.unchecked(plan)
        return [("提交日志", lambda: [waiting])]
    book = Book(project)
    try:
        last = book.checkpoint().last
    except Problem as unreadable:
        several = unreadable.problems
        return [("提交日志", tuple), ("进度", lambda: several), ("定进度", lambda: _unsure(project))]
    return [("提交日志", tuple), *_landed(book, last), *_story(book, last), *_planned(book)]


def _unsure(project: Project) -> Iterable[Problem]:
    """What keeps `--fix` from making the checkpoint anew."""
    if project.kind(layout.CHECKPOINT) == "file":
        found = inferred_checkpoint.work_out(Book(project), "")
        return [found.unsure()] if found.doubts else []
    return [errors.NotARegularFile(layout.CHECKPOINT, kind=KIND_NAMES[project.kind(layout.CHECKPOINT)])]


def _landed(book: Book, last: int) -> list[tuple[str, Callable[[], Iterable[Problem]]]]:
    project = book.project
    return [
        ("进度", lambda: chapters.checkpoint(book)),
        ("章节齐全", lambda: chapters.present(project, last)),
        (
            "进度之后的章节",
            lambda: chapters.beyond(project, last, story.lines(book), _state(project)),
        ),
        ("章节记录", lambda: chapters.records(project, last)),
        ("入库记录", lambda: hand_edits.unrecorded(book, last)),
        ("手改", lambda: hand_edits.edited(book, last)),
    ]


def _story(book: Book, last: int) -> list[tuple[str, Callable[[], Iterable[Problem]]]]:
    return [
        ("日志的末行", lambda: story.tails(book)),
        ("变更记录", lambda: story.log(book, last)),
        ("故事状态", lambda: story.state(book, last)),
        ("伏笔", lambda: story.facts(book, last)),
        ("故事线记忆", lambda: story.memories(book)),
        ("人物档案", lambda: story.cast(book)),
        ("没有档案的名字", lambda: story.entities(book, last)),
        ("写入记录", lambda: story.audit(book)),
    ]


def _planned(book: Book) -> list[tuple[str, Callable[[], Iterable[Problem]]]]:
    return [
        ("设定", lambda: doctor_plan.settings(book)),
        ("卷规划", lambda: doctor_plan.volumes(book)),
    ]


def _state(project: Project) -> object:
    """The state as it stands, None when it cannot be read: another check tells of that."""
    try:
        data = project.read(layout.STATE)
        return None if data is None else jsonio.parse(data, layout.STATE)
    except Problem:
        return None


def _distinct(found: list[Problem]) -> tuple[Problem, ...]:
    """The same sentence about the same file once."""
    return tuple({(p.path, p.code, str(p)): p for p in found}.values())
