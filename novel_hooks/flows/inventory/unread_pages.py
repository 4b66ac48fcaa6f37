"""Files in the folders of notes, samples and pages of the world that nobody reads. Reads only.

Only plain texts of one ending directly in the folder are read. A document of another program, a text in a
deeper folder or with another ending would otherwise be passed over in silence.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.planning.imported_notes import DOCUMENTS, ENDINGS
from novel_hooks.rules.text import name_order, stray_names
from novel_hooks.store.files.project import Project

_MOST, _SEEN = 8, 2_000
_TEXTS = (*ENDINGS, ".markdown", ".text")


def problems(project: Project) -> list[Problem]:
    """Name them, of very many only the first; a file without words is only a note."""
    paths = [path for folder in (layout.RESEARCH, layout.WORLD) for path in _unread(project, folder)]
    found = [_problem(path) for path in paths[:_MOST]]
    if len(paths) > _MOST:
        found[-1] = _problem(paths[_MOST - 1], f"另有 {len(paths) - _MOST} 个文件也没有人读。")
    return found


def _unread(project: Project, top: str) -> Iterator[str]:
    """Yield the files below the folder that are not read, by name; no hidden ones, no stray copies."""
    seen, waiting = 0, [top]
    while waiting and seen < _SEEN:
        folder = waiting.pop(0)
        listed = name_order.in_order(attempt(partial(project.names, folder))[0] or ())
        names = [n for n in listed if not stray_names.is_hidden(n) and n.isprintable()]
        strays = stray_names.copies(names)
        seen += len(names)
        for name in names:
            path = f"{folder}/{name}"
            if project.kind(path) == "folder":
                waiting.append(path)
            elif name not in strays and not name.endswith(layout.PAGE_ENDINGS.get(folder, ())):
                yield path


def _problem(path: str, more: str = "") -> Problem:
    ending = f".{path.rpartition('/')[2].rpartition('.')[2]}".lower()
    folder = next(filter(path.startswith, (layout.STYLE_SAMPLES, layout.RESEARCH, layout.WORLD)))
    case = "document" if ending in DOCUMENTS else "text" if ending in _TEXTS else "no words"
    sample = " --sample" if folder == layout.STYLE_SAMPLES else ""
    known = "、".join(one for one in layout.PAGE_ENDINGS[folder] if one != ".json")
    told = {"ending": ending, "folder": folder, "known": known, "sample": sample, "more": more}
    found = errors.PageNotRead(path, case, **told)
    if case == "no words":
        found.severity = "info"
    return found
