"""`novel host codex`: write a book's files for Codex, or remove them; all of them or none."""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Mapping, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.hosting import files
from novel_hooks.record import Record
from novel_hooks.rules.hosting import project_files
from novel_hooks.store.files import atomic, folders
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, litter
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.flows.session.session import Session

_FOLDERS = (".codex/agents", ".codex/rules", ".codex", ".agents/skills", ".agents")
_CONNECT, _DISCONNECT = "接上 Codex", "断开 Codex"


class Done(Record):
    """The files written or removed, and the author's that stayed; `left`: our lines in them."""

    changed: tuple[str, ...]
    kept: tuple[str, ...]
    left: tuple[Problem, ...] = ()


def connect(session: Session) -> Done:
    """Write the missing and outdated files. Raises HostFileForeign for each file of the author's own."""
    project = session.project
    now, known = files.wanted(), files.written(project)
    ours, kept, changes = _sorted_out(project, now, known)
    for folder in layout.STAGING_DIRS:  # a profile makes only writable what is there
        atomic.make_folders(project, folder)
    _sweep(project, now)
    gone = [path for path in known if path not in now and _is_as_written(project, path, known)]
    changes += [journal.remove(path) for path in gone]
    paths = tuple(change.path for change in changes)
    record = files.dump(ours, {path: known[path] for path in kept if path in known}, now)
    if project.read(layout.CODEX) != record:
        changes.append(journal.put(layout.CODEX, record))
    session.land(changes, label=_CONNECT)
    session.renew_marks(paths)
    return Done(paths, kept)


def _sorted_out(
    project: Project, now: Mapping[str, bytes], known: Mapping[str, str]
) -> tuple[dict[str, bytes], tuple[str, ...], list[Change]]:
    """Return (the files that are ours, the author's that hold what ours say, the changes)."""
    ours: dict[str, bytes] = {}
    kept: list[str] = []
    changes: list[Change] = []
    foreign: list[Problem] = []
    told = files.lines_written(project)
    for path, data in now.items():
        found = project.read(path)
        if found == data or found is None or known.get(path) == sha2.digest(found):
            ours[path] = data
            changes += [] if found == data else [journal.put(path, data)]
        elif files.holds(path, found, data, told.get(path)):
            kept.append(path)
        else:
            foreign.append(_foreign(path, data, files.changes(path, found, told.get(path), data)))
    refuse(foreign)
    return ours, tuple(kept), changes


def _foreign(path: str, data: bytes, left: str) -> Problem:
    if left:
        return errors.HostFileForeign(path, case="mixed", lines="\n" + left)
    if path not in files.BY_HAND:
        return errors.HostFileForeign(path, case="move")
    case = "config" if path == project_files.CONFIG else "add"
    return errors.HostFileForeign(path, case=case, lines="\n" + data.decode("utf-8"))


def _sweep(project: Project, paths: Iterable[str]) -> None:
    """Remove what a killed command has left beside these files."""
    for folder in sorted({path.rpartition("/")[0] for path in paths}):
        litter.sweep_folder(project, folder)


def disconnect(session: Session) -> Done:
    """Remove the files that are as they were written, and the folders that become empty."""
    project = session.project
    known = files.written(project)
    mine = [path for path in known if _is_as_written(project, path, known)]
    left = {
        path: files.changes(path, project.read(path) or b"", old, b"")
        for path, old in files.lines_written(project).items()
        if path not in mine and project.has(path)
    }
    edited = {path for path in known if path not in mine and project.has(path)}
    kept = tuple(sorted(edited | {path for path, lines in left.items() if lines}))
    session.land([journal.remove(path) for path in (*mine, layout.CODEX)], label=_DISCONNECT)
    session.renew_marks(mine)
    _sweep(project, known)
    skills = [path.rpartition("/")[0] for path in mine if path.startswith(".agents/")]
    for folder in (*skills, *_FOLDERS):
        folders.remove_folders(project, [folder])
    found = [files.Difference(path, "left", lines) for path, lines in left.items() if lines]
    return Done(tuple(mine), kept, tuple(stale(found)))


def _is_as_written(project: Project, path: str, known: Mapping[str, str]) -> bool:
    found = project.read(path)
    return found is not None and sha2.digest(found) == known[path]


def cut_off(project: Project) -> str | None:
    """Describe in Chinese the remains of a killed `novel host codex`, with the next action; None without."""
    label = journal.unfinished_label(project)
    if label not in (_CONNECT, _DISCONNECT):
        return None
    now = files.wanted()
    there = sum(project.read(path) == data for path, data in now.items())
    again = "`novel host codex`" if label == _CONNECT else "`novel host codex --remove`"
    stands = f"{len(now)} 个文件里现在有 {there} 个"
    return f"上一次{label}做到一半就断了，{stands}。请再运行一次 {again}，它会接着做完。"


def begun(project: Project) -> bool:
    """Tell whether the book is set up for Codex, or holds one of our files that no record names."""
    now = files.wanted()
    return bool(files.written(project)) or any(project.read(path) == data for path, data in now.items())


def stale(found: Sequence[files.Difference]) -> list[Problem]:
    """Return a finding for each file that differs from what this plugin would write."""
    return [errors.HostFileStale(one.path, case=one.what, lines="\n" + one.lines) for one in found]
