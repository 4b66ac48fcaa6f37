"""The second fence: marks taken at a hand-out, compared at advance and commit. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Collection
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.fence import fence, watched_files
from novel_hooks.store.fence.fence import Difference
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.store.fence.marks import Marks

WHAT = {"changed": "被改动", "added": "被新增", "removed": "被删除"}
_SHOWN = 20


def mark(project: Project, step: str, last: int) -> list[Change]:
    """Return the changes that hold a hand-out's marks; `last` is the newest landed chapter."""
    before, folders = fence.read(project), dict[str, str]()
    now = fence.marks(project, before or {}, folders)
    changes = [] if now == before else [journal.put(layout.FENCE, fence.dump(now))]
    near = fence.near_marks(now, folders, last)
    if project.read(layout.FENCE_NEAR) != near:
        changes.append(journal.put(layout.FENCE_NEAR, near))
    filled = [path for path, (look, _) in now.items() if not look.startswith("0 ")]
    changes += watched_files.renewed(project, filled, keep=not step.startswith("setup:"))
    armed = f"{step}\n".encode()
    if project.read(layout.FENCE_ARMED) != armed:
        changes.append(journal.put(layout.FENCE_ARMED, armed))
    return changes


def disarm(project: Project) -> list[Change]:
    """Return the change after which the fence compares nothing until the next hand-out.

    [] when it was off.
    """
    return [] if project.read(layout.FENCE_ARMED) is None else [journal.remove(layout.FENCE_ARMED)]


def check(project: Project, quick: bool = False) -> None:
    """Refuse when something outside staging has changed since the last hand-out.

    Raises Problems of WriteOutsideStaging, one a file, or FenceLost. With `quick` only the near files are
    compared, unless one of them differs: this is for a commit, which follows an `advance` that compared
    everything.
    """
    if project.read(layout.FENCE_ARMED) is None:
        return
    if quick and fence.near_unchanged(project) and not _checkpoint_differences(project):
        return
    before = fence.read(project)
    if before is None:
        raise errors.FenceLost(layout.FENCE)
    found = _differences(project, before, fence.marks(project, before))
    if found:
        raise Problems([*_lost_problems(found), *_refusals(found)])


def acceptance(
    project: Project, caller: Caller, lost: Collection[str] = ()
) -> tuple[list[Difference], list[Change]]:
    """Return (the differences that `check` would name, the changes that record them as the author's own).

    `lost` are files that he says he has removed, whether a step is out or not.
    """
    found: list[Difference] = []
    changes: list[Change] = []
    if project.read(layout.FENCE_ARMED) is not None:
        before = fence.read(project)
        now = fence.marks(project, before or {})
        unmarked = [Difference(layout.FENCE, "removed")]
        found = unmarked if before is None else _differences(project, before, now)
        changes = [*_forget_changes(project), journal.put(layout.FENCE, fence.dump(now))] if found else []
    named = {difference.path for difference in found}
    found += [Difference(path, "removed") for path in lost if path not in named]
    return found, [*changes, _audit_change(caller, found)] if found else []


def _differences(project: Project, before: Marks, now: Marks) -> list[Difference]:
    return [*fence.differences(before, now), *_checkpoint_differences(project)]


def _checkpoint_differences(project: Project) -> list[Difference]:
    """Return the checkpoint as a difference when it is not as `novel` wrote it last."""
    try:
        told = fence.sealed_checkpoint(project)
    except Problem:
        return [Difference(layout.CHECKPOINT_SEAL, "removed")]
    if told is None or told == fence.digest(project, layout.CHECKPOINT):
        return []
    return [Difference(layout.CHECKPOINT, "changed")]


def _lost_problems(found: list[Difference]) -> list[Problem]:
    """Return FenceLost for the checkpoint's seal: it is `novel`'s, and the author cannot put it back."""
    return [errors.FenceLost(d.path) for d in found if d.path == layout.CHECKPOINT_SEAL]


def _refusals(every: list[Difference]) -> list[Problem]:
    found = [d for d in every if d.path != layout.CHECKPOINT_SEAL]
    shown: list[Problem] = [
        errors.WriteOutsideStaging(d.path, what=WHAT[d.what], rest="") for d in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        last, left = found[_SHOWN], len(found) - _SHOWN - 1
        rest = f"（另有 {left} 个文件）" if left else ""
        shown.append(errors.WriteOutsideStaging(last.path, what=WHAT[last.what], rest=rest))
    return shown


def _audit_change(caller: Caller, found: list[Difference]) -> Change:
    lines = [
        {
            "ts": caller.stamp,
            "event": "accept-changes",
            "tool_name": None,
            "path": difference.path,
            "decision": "allow",
            "rule": "author-accepts",
            "reason": f"作者确认：{WHAT[difference.what]}是自己做的",
            "agent_type": None,
            "agent_id": None,
            "session_id": caller.owner.id,
        }
        for difference in found
    ]
    return journal.append(layout.AUDIT, b"".join(jsonio.dump_line(line) for line in lines))


def _forget_changes(project: Project) -> list[Change]:
    """Return the removal of the near marks: they are out of date, and the next check compares everything."""
    return [] if project.read(layout.FENCE_NEAR) is None else [journal.remove(layout.FENCE_NEAR)]


def renew(project: Project, paths: Collection[str]) -> list[Change]:
    """Return the changes that mark `paths` anew: `novel`'s own writes are no breach."""
    if project.read(layout.FENCE_ARMED) is None:
        return []
    before = fence.read(project)
    if before is None:  # lost: a new one that holds these alone would call all others new
        return []
    known = fence.marks_of(project, paths)
    kept = {path: mark for path, mark in before.items() if path not in paths}
    now = {**kept, **known}
    return [] if now == before else [*_forget_changes(project), journal.put(layout.FENCE, fence.dump(now))]


def seal(changes: list[Change]) -> list[Change]:
    """Return the changes with a seal for every checkpoint among them, so that a change by others is found."""
    written = [c for c in changes if c.path == layout.CHECKPOINT and c.kind == "put"]
    if not written:
        return changes
    sealed = _seal_change(sha2.digest(written[-1].data))
    at = max(i for i, c in enumerate(changes) if c.path == layout.CHECKPOINT)
    return [*changes[:at], sealed, *changes[at:]]


def reseal(project: Project) -> Change:
    """Return the change that seals the checkpoint as it is now."""
    return _seal_change(fence.digest(project, layout.CHECKPOINT))


def _seal_change(sha256: str) -> Change:
    return journal.put(layout.CHECKPOINT_SEAL, fence.checkpoint_seal(sha256))
