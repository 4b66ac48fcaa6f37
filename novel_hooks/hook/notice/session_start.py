"""SessionStart in a novel project: two lines on the book's progress, and one for each fault of the host.

The lines hold numbers and sentences of ours only, never words of an agent or a chapter.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.packet import preflight
from novel_hooks.flows.session import pending_landing
from novel_hooks.hook.client import answer, wire
from novel_hooks.rules.hosting import least_versions, words
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import environment, owner

_CLIENT = "claude-code_"
# Clients of today set all of these, those before about 2.1.100 none.
_MARKS = ("AI_AGENT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID")
_SHOWN_AT = ("startup", "resume")
_OURS = b"novel_hooks"
_HEAD_BYTES = 1 << 13

BUILDING = "运行环境正在后台准备，约半分钟就好，下一步到时再看：novel next"
CLIENT_OLD = (
    "这个 Claude Code 太旧（{version}）：代理写错地方时可能拦不住。请先运行 claude update 升级，再写新章。"
)
OTHER_NOVEL = "电脑上另有一个也叫 novel 的程序排在写作助手前面：{place}。请卸载它或给它改名，再写新章。"


def respond(
    event: Mapping[str, object],
    root: str,
    environ: Mapping[str, str],
    building: bool,
    host: str = wire.CLAUDE,
) -> bytes:
    """Answer SessionStart with the lines for the model, and for the author when he starts or resumes.

    In Codex nothing of the host is checked here: `novel doctor` does that. b"" for another program's
    checkpoint.
    """
    lines = _model_lines(Project(root), building)
    if not lines:
        return b""
    if (
        host == wire.CODEX or owner.nearest_process() == owner.CODEX
    ):  # there the plugin itself may be installed
        text = words.in_codex("\n".join(lines))
    else:
        text = "\n".join([*lines, *_host_lines(environ)])
    is_shown = event.get("source") in (None, *_SHOWN_AT)
    return answer.dump(answer.SESSION_START, model=text, author=text if is_shown else "")


def _model_lines(project: Project, building: bool) -> list[str]:
    """The line of the book's progress, and the line of the next step or of what goes before it."""
    try:
        book = Book(pending_landing.after_landing(project))
        point = book.checkpoint()
    except Problem as wrong:
        return (
            ["这里是小说项目，但进度读不出来。", f"先处理：{_one_line(wrong)}"]
            if _is_our_book(project)
            else []
        )
    try:
        view = due_step.view(book)
        first = [f"先处理：{_one_line(problem)}" for problem in preflight.problems(view)[:1]]
        return [_place_text(point), *(first or [_next_text(view)])]
    except errors.DependencyMissing as missing:
        environment.disown()  # so that the next command builds it anew
        return [_place_text(point), BUILDING if building else f"先处理：{_one_line(missing)}"]
    except Problem as wrong:
        return [_place_text(point), f"先处理：{_one_line(wrong)}"]


def _one_line(wrong: Problem) -> str:
    """The first problem as one line, cut to 200 characters, with the command that says more."""
    first = wrong.problems[0]
    return f"{' '.join(str(first).split())[:200]}（运行 novel status 看怎么办）"


def _is_our_book(project: Project) -> bool:
    """Return whether a broken checkpoint is ours: a file of that name may be another program's."""
    return any(os.path.isdir(os.path.join(project.root, name)) for name in (layout.OWN, layout.STAGING))


def _place_text(point: Checkpoint) -> str:
    landed = f"已入库到第 {point.last} 章" if point.last else "还没有入库的章"
    volume = f"第 {point.volume} 卷，" if point.volume else ""
    inflight = f"；第 {point.inflight} 章做到一半" if point.active and point.inflight else ""
    rounds = f"，已修订 {point.revisions} 次" if inflight and point.revisions else ""
    return f"小说项目：{volume}{landed}{inflight}{rounds}。"


def _next_text(view: View) -> str:
    due = view.due
    if due.step is None or due.stop:
        return "下一步：等作者决定，运行 novel next 看有哪些选择。"
    title = roles.phase_title(due.step.kind, due.step.phase)
    if due.step.of_plan:
        return f"下一步：{title}；作者要做时用 /novel:start。"
    done = "评审意见已记下，等推进" if due.recorded else title
    return f"下一步：第 {due.step.number} 章 · {done}；作者要写时用 /novel:continue。"


def _host_lines(environ: Mapping[str, str]) -> list[str]:
    lines = []
    old = _old_client(environ)
    if old is not None:
        lines.append(CLIENT_OLD.format(version=old))
    place = surroundings.find_command("novel", environ)
    if place is not None and not _is_our_program(place):
        lines.append(OTHER_NOVEL.format(place=place))
    return lines


def _old_client(environ: Mapping[str, str]) -> str | None:
    """The client's version when it is too old, for a Chinese sentence; None when it is not, or unknown."""
    if not any(environ.get(name) for name in _MARKS):
        return "说不出自己的版本"
    _, found, rest = environ.get("AI_AGENT", "").partition(_CLIENT)
    parts = rest.split("_")[0].split("-")[:3]
    if not found or len(parts) < 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    version = tuple(int(part) for part in parts)
    return ".".join(parts) if version < least_versions.CLAUDE_CODE else None


def _is_our_program(place: str) -> bool:
    """Return whether the program at `place` names our package; it is read, never run."""
    try:
        with open(place, "rb") as handle:
            return _OURS in handle.read(_HEAD_BYTES)
    except OSError:
        return True  # unknown: no fault is reported
