"""`novel doctor [--fix] [--bundle FILE]`: the checkup of a book and its installation.

Exit: 0 sound, 1 findings, 5 damaged; after `--fix` by the findings that remain.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.errors import Problem
from novel_hooks.flows.doctor import checkup
from novel_hooks.flows.doctor.checkup import Checkup

if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser
    from novel_hooks.store.files.project import Project


def arguments(parser: Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="修好只有一种修法的问题，其余只说明")
    parser.add_argument(
        "--bundle",
        metavar="文件",
        help="另写一份反馈问题用的报告，不含书里的文字；路径从当前文件夹算起，文件不能已存在",
    )


def run(context: Context) -> Answer:
    project, outside = _project(context)
    found = checkup.run(project, context.caller(), context.environ)
    done: tuple[str, ...] = ()
    stuck: tuple[Problem, ...] = ()
    if context.args.fix and project is not None:
        from novel_hooks.flows.doctor import repair

        done, stuck = repair.run(project, context.caller(), found.problems)
        found = checkup.run(project, context.caller(), context.environ)
    found = _with_problems(found, (*outside, *stuck))
    checkup.leave_out_repair(found, repaired=context.args.fix)
    place = _write_bundle(context, project, found)
    told = answer.build(_document(found, done, place), describe(found, done), found.problems, found.exit)
    return told._replace(after=_describe_rest(found, place))


def _project(context: Context) -> tuple[Project | None, tuple[Problem, ...]]:
    """Outside a project there is still an installation to look at; a lost checkpoint is a finding."""
    try:
        return context.project(), ()
    except errors.InitInterrupted as half:
        return None, (half,)
    except errors.NotAProject as nowhere:
        return None, (errors.NoProjectHere(place=nowhere.values["place"]),)
    except errors.ProjectLost as lost:
        return None, (lost,)


def _with_problems(found: Checkup, more: tuple[Problem, ...]) -> Checkup:
    told = {(p.path, p.code) for p in found.problems}
    return found._replace(problems=(*found.problems, *(p for p in more if (p.path, p.code) not in told)))


def _write_bundle(context: Context, project: Project | None, found: Checkup) -> str | None:
    if not context.args.bundle:
        return None
    from novel_hooks.flows.doctor import report

    place = absolute_path(str(context.args.bundle))
    report.write(place, project, found, context.caller(), context.environ)
    return place


def _document(found: Checkup, done: tuple[str, ...], place: str | None) -> dict[str, Any]:
    """The findings themselves are the document's `diagnostics`."""
    return {
        "sound": found.exit == 0,
        "checked": list(found.checked),
        "repaired": list(done),
        "bundle": place,
    }


def describe(found: Checkup, done: tuple[str, ...]) -> str:
    """Return the lines above the findings."""
    findings = sum(p.severity != "info" for p in found.problems)
    repaired = ["已修好：", *(f"  ✓ {sentence}" for sentence in done)] if done else []
    told = f"有 {findings} 处要看" if findings else "没有发现问题"
    notes = len(found.problems) - findings
    end = f"，{'另' if findings else ''}有 {notes} 处说明：" if notes else "：" if findings else "。"
    return "\n".join([*repaired, f"{'还' if findings and done else ''}{told}{end}"])


def _describe_rest(found: Checkup, place: str | None) -> str:
    """What stands below them."""
    lines = [f"查过没有问题的 {len(found.passed)} 项：{'、'.join(found.passed)}。"] if found.passed else []
    if place:
        lines.append(f"报告已写到 {place}，里面没有书里的文字。")
    return "\n".join(lines)
