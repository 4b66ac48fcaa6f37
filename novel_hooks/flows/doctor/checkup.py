"""`novel doctor`: every invariant between a book's parts and around them. Reads only.

Each check runs alone, so its findings hide no other's. Source: protocol §1, §5, §6.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Iterable, Mapping
from novel_hooks.errors import DAMAGED, DONE, FINDINGS, Problem
from novel_hooks.errors.disk import OwnFile
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt, collect_problems
from novel_hooks.flows.doctor import chapters, inferred_checkpoint, installation, place, story
from novel_hooks.flows.doctor import plan as doctor_plan
from novel_hooks.flows.hosting import checkup as hosting
from novel_hooks.flows.inventory import lost_chapters, lost_setting, strays, unread_pages
from novel_hooks.flows.review import audit_report
from novel_hooks.flows.session.caller import Caller
from novel_hooks.record import Record
from novel_hooks.store.files.project import KIND_NAMES, Project

Checks = list[tuple[str, Callable[[], Iterable[Problem]]]]
"""Each check with its title."""
_MENDED = (layout.CHECKPOINT, layout.STATE, *story.LOGS)
"""Files that only `novel` writes and that `--fix` may mend."""


class Checkup(Record):
    """A checkup. `checked` are the titles of all checks; `problems` in that order, each once.

    `passed` are the titles of those without a finding or a note.
    """

    checked: tuple[str, ...]
    problems: tuple[Problem, ...]
    passed: tuple[str, ...] = ()

    @property
    def exit(self) -> int:
        """Return the exit code: 0 sound (notes are no findings), 1 findings, 5 damage in own files."""
        if any(p.severity == "error" and p.exit == DAMAGED for p in self.problems):
            return DAMAGED
        return FINDINGS if any(p.severity != "info" for p in self.problems) else DONE


def run(project: Project | None, caller: Caller, environ: Mapping[str, str]) -> Checkup:
    """Run every check; without a project, those of the installation."""
    checks: Checks = [("安装", lambda: installation.problems(environ))]
    if project is not None:
        checks += [
            ("文件夹与磁盘", lambda: place.folder_problems(project)),
            ("写作助手自己的文件", lambda: place.own_file_problems(project)),
            ("写作锁", lambda: place.lock_problems(project, caller)),
            ("中断留下的东西", lambda: place.leftover_problems(project, caller)),
            ("多出来的副本", lambda: strays.problems(project)),
            ("暂存区", lambda: place.staging_problems(project)),
        ]
        if project.has(layout.CODEX):
            checks.append(("Codex", lambda: hosting.problems(project, environ)))
        checks += _book_checks(project)
    found = [(title, collect_problems(check)) for title, check in checks]
    return Checkup(
        checked=tuple(title for title, _ in found),
        problems=_distinct([problem for _, problems in found for problem in problems]),
        passed=tuple(title for title, problems in found if not problems),
    )


def leave_out_repair(found: Checkup, repaired: bool) -> None:
    """Take the repair out of the fix of files that it does not mend, or that it has just failed to mend."""
    for problem in found.problems:
        if isinstance(problem, OwnFile) and (repaired or problem.path not in _MENDED):
            problem.tell_rest()


def _book_checks(project: Project) -> Checks:
    """Return the checks of the book, unless a landing is not through or the checkpoint cannot be read."""
    plan, broken = attempt(lambda: place.pending_manifest(project))
    if broken or plan is not None:
        return [("提交日志", lambda: [place.unchecked_problem(plan)] if plan is not None else broken)]
    book = Book(project)
    point, unreadable = attempt(book.checkpoint)
    if point is None:
        return [
            ("提交日志", tuple),
            ("进度", lambda: unreadable),
            ("定进度", lambda: _checkpoint_problems(project)),
        ]
    return [("提交日志", tuple), *_landed_checks(book, point.last)]


def _checkpoint_problems(project: Project) -> Iterable[Problem]:
    """Return the obstacles to a checkpoint made anew by `--fix`."""
    if project.kind(layout.CHECKPOINT) == "file":
        found = inferred_checkpoint.infer(Book(project), "")
        return [found.unsure()] if found.doubts else []
    return [errors.NotARegularFile(layout.CHECKPOINT, kind=KIND_NAMES[project.kind(layout.CHECKPOINT)])]


def _landed_checks(book: Book, last: int) -> Checks:
    """Return the checks of landed chapters, the story's memory, setting and plans."""
    project = book.project
    return [
        ("进度", lambda: chapters.checkpoint_problems(book)),
        ("章节齐全", lambda: lost_chapters.missing_part_problems(project, last, book.adoption().last)),
        (
            "进度之后的章节",
            lambda: chapters.beyond_problems(
                project, last, story.log_lines(book), book.plain_document(layout.STATE)
            ),
        ),
        ("章节记录", lambda: chapters.content_problems(project, last)),
        ("入库记录", lambda: lost_chapters.record_problems(book, last)),
        ("手改", lambda: chapters.edit_problems(book, last)),
        ("日志的末行", lambda: story.tail_problems(book)),
        ("变更记录", lambda: story.log_problems(book, last)),
        ("故事状态", lambda: story.state_problems(book, last)),
        ("伏笔", lambda: story.foreshadowing_problems(book, last)),
        ("故事线记忆", lambda: story.memory_problems(book)),
        ("人物档案", lambda: story.cast_problems(book)),
        ("没有档案的名字", lambda: story.entity_log_problems(book, last)),
        ("写入记录", lambda: audit_report.run(project, None, False).warnings),
        ("丢了的文件", lambda: lost_setting.problems(book)),
        ("设定", lambda: doctor_plan.settings_problems(book)),
        ("设定的文字", lambda: doctor_plan.page_problems(book)),
        ("没有人读的资料", lambda: unread_pages.problems(book.project)),
        ("卷规划", lambda: doctor_plan.plan_problems(book)),
    ]


def _distinct(found: list[Problem]) -> tuple[Problem, ...]:
    """Return the problems, the same sentence about the same file once, one about a lost file."""
    lost = {p.path for p in found if isinstance(p, errors.LostFile)}
    same = (errors.FileMissing, errors.FileBlank, errors.JsonBroken)
    found = [p for p in found if not (p.path in lost and isinstance(p, same))]
    return tuple({(p.path, p.code, str(p)): p for p in found}.values())
