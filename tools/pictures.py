"""Draws a terminal's screen as SVG, every mark in its cells, whichever fonts the reader has."""

from __future__ import annotations

import itertools
import re
from html import escape, unescape

from novel_hooks.cli.screen import width
from tools.terminal import COLUMNS

_CELL, _LINE, _EDGE, _TOP = 8.4, 21, 18, 40
_BARS = "█░"  # of one cell in every terminal's font, whatever the standard leaves open
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{title}</title>
<style>text {{ font: 14px "Noto Sans Mono CJK SC", "Microsoft YaHei", "PingFang SC", monospace;
fill: #d7dae0; white-space: pre }} .typed {{ fill: #98c379 }}</style>
<rect width="100%" height="100%" rx="8" fill="#23262d"/>
<circle cx="20" cy="18" r="5" fill="#e06c75"/><circle cx="38" cy="18" r="5" fill="#e5c07b"/>
<circle cx="56" cy="18" r="5" fill="#98c379"/>
"""


def draw(text: str, title: str) -> str:
    """Return the terminal's lines as one SVG picture; lines that begin with `$ ` were typed."""
    lines = text.rstrip("\n").split("\n")
    wide = round(max(COLUMNS, *map(_cells, lines)) * _CELL + 2 * _EDGE)
    head = _HEAD.format(width=wide, height=_TOP + len(lines) * _LINE + 10, title=escape(title))
    return head + "".join(_drawn(line, at) for at, line in enumerate(lines)) + "</svg>\n"


def _cells(text: str) -> int:
    return sum(1 if mark in _BARS else width.mark_width(mark) for mark in text)


def _drawn(line: str, at: int) -> str:
    kind = ' class="typed"' if line.startswith("$ ") else ""
    runs, cells = [], 0
    for (_, bar), marks in itertools.groupby(line, lambda mark: (_cells(mark), mark in _BARS)):
        run = "".join(marks)
        wide = _cells(run)
        place = f'x="{_EDGE + cells * _CELL:.1f}" textLength="{wide * _CELL:.1f}"'
        place += ' lengthAdjust="spacingAndGlyphs"' if bar else ""
        runs.append(f"<tspan {place}>{escape(run, quote=False)}</tspan>")
        cells += wide
    return f'<text y="{_TOP + at * _LINE + 14}"{kind}>{"".join(runs)}</text>\n'


def written(picture: str) -> list[str]:
    """Return the lines of a picture that `draw` made."""
    lines = re.findall(r"<text [^>]*>(.*?)</text>", picture)
    return [unescape(re.sub(r"<[^>]*>", "", line)) for line in lines]
