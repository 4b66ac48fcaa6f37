"""The report's page on disk, `logs/report.html`, made of the data and of files of the package."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.report import page
from novel_hooks.store.files import assets, atomic
from novel_hooks.store.files.project import Project

_STYLES = ("uPlot.min.css", "report.css")
_SCRIPTS = (
    "uPlot.iife.min.js",
    "elements.js",
    "line_charts.js",
    "svg_charts.js",
    "chapter_table.js",
    "page.js",
)


def run(project: Project, data: Mapping[str, Any]) -> None:
    """Write the page in the place of the last one. Raises what `atomic.write` does.

    It needs no lock: nothing reads it back, and while a chapter is written the author may look at the others.
    """
    made = page.page(_text("report.html"), _together(_STYLES), _together(_SCRIPTS), data)
    atomic.write(project, layout.REPORT, made.encode("utf-8"))


def _together(names: tuple[str, ...]) -> str:
    return "\n".join(map(_text, names))


def _text(name: str) -> str:
    return assets.load(assets.package_path(f"report/{name}")).decode("utf-8")
