"""The report's page in a real browser: a silent console, marks as in the data, filters, colours, a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reportbook import HOSTILE, lively_book

from browser.chromium import Page
from novel_hooks import layout
from novel_hooks.cli.call import call

pytestmark = pytest.mark.client

CHAPTERS = 24


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A book's page, and the data that `--json` prints."""
    root = lively_book(tmp_path_factory.mktemp("report") / "novel", CHAPTERS)
    answer = call("report", ["--project", str(root)], {"NOVEL_DEBUG": "1"})
    assert answer.exit == 0
    return root / layout.REPORT, answer.data


@pytest.fixture
def seen(page: Page, report: tuple[Path, dict[str, Any]]) -> Iterator[tuple[Page, dict[str, Any]]]:
    """The page, open. Whatever a test did, nothing was written to the console."""
    page.noise.clear()
    page.open(report[0])
    yield page, report[1]
    assert page.noise == []


def marks(page: Page) -> dict[str, int]:
    found = page.value(
        "Object.fromEntries([...document.querySelectorAll('figure')]"
        ".map(figure => [figure.dataset.chart, figure.dataset.marks]))"
    )
    return {name: int(count) for name, count in found.items()}


def drawn(page: Page) -> dict[str, int]:
    """What is really there: the points that the library holds, the pieces and circles in the pictures."""
    points = page.value(
        "Object.fromEntries(Object.entries(PLOTS).map(([name, plot]) => [name, plot.series.slice(1)"
        ".map((one, at) => one.dash ? 0 : plot.data[at + 1].filter(value => value !== null).length)"
        ".reduce((sum, count) => sum + count, 0)]))"
    )
    pieces = page.value(
        "Object.fromEntries(['storylines', 'people'].map(name => [name, [...document.querySelectorAll("
        "`[data-chart=${name}] path.mark`)].map(path => path.getAttribute('d').split('M').length - 1)"
        ".reduce((sum, count) => sum + count, 0)]))"
    )
    circles = page.value(
        "Object.fromEntries(['radar', 'threads'].map(name => [name,"
        " document.querySelectorAll(`[data-chart=${name}] circle.mark`).length]))"
    )
    return {**points, **pieces, **circles}


def expected(rows: list[dict[str, Any]], data: dict[str, Any]) -> dict[str, int]:
    """The marks that charts of these chapters must have; of the threads, those still open."""
    numbers = {row["chapter"] for row in rows}
    scored = [row for row in rows if row["overall"] is not None]
    first, last = min(numbers), max(numbers)
    windows = [one["window"][1] for one in data["threads"] if one["window"]]
    reach = max([last, *(min(end, last + last - first + 1) for end in windows)])
    events = [
        event
        for one in data["threads"]
        if one["state"] in ("overdue", "due", "open")
        for event in one["events"]
        if first <= event["chapter"] <= reach
    ]
    return {
        "days": len({row["day"] for row in rows}),
        "chars": len(rows),
        "scores": len(scored),
        "radar": 16 if scored else 0,
        "drafts": sum(row["revisions"] is not None for row in rows),
        "storylines": sum(row["storyline"] is not None for row in rows),
        "threads": len(events),
        "work": sum(row["duration_ms"] is not None for row in rows),
        "habits": len(rows) * len(data["habit_kinds"]),
        "people": sum(len(numbers.intersection(one["chapters"])) for one in data["people"]),
    }


def test_every_chart_has_the_marks_that_the_data_have(seen: tuple[Page, dict[str, Any]]) -> None:
    page, data = seen
    wanted = expected(data["chapters"], data)
    assert drawn(page) == wanted
    shown = marks(page)
    assert shown.pop("edges") == 2 * CHAPTERS
    assert shown == wanted
    painted = page.value("[...document.querySelectorAll('canvas')].map(c => c.width * c.height > 0)")
    assert len(painted) == len(page.value("Object.keys(PLOTS)")) and all(painted)


def test_filters_choose_the_chapters(seen: tuple[Page, dict[str, Any]]) -> None:
    page, data = seen
    change = "(id, value) => { const e = byId(id); e.value = value; e.dispatchEvent(new Event('change')); }"
    page.value(f"({change})('volume', '2')")
    volume = [row for row in data["chapters"] if 11 <= row["chapter"] <= 20]
    assert drawn(page) == expected(volume, data)
    page.value(f"({change})('storyline', 'tower-line')")
    assert drawn(page) == expected([row for row in volume if row["storyline"] == "tower-line"], data)
    assert page.value("byId('shown').textContent").startswith("共 5 章")
    page.value(f"({change})('to', '3')")
    assert set(marks(page).values()) == {0}, "no chapter is left, and nothing is drawn"
    page.click("#filters button[type=reset]")
    page.value("new Promise(done => setTimeout(done, 20))")
    assert drawn(page) == expected(data["chapters"], data)
    page.value(f"({change})('thread-state', 'all')")
    assert marks(page)["threads"] == sum(len(one["events"]) for one in data["threads"])
    page.value(f"({change})('amount', 'cost')")
    assert drawn(page)["work"] == CHAPTERS
    page.value("byId('person').value = '乔九'; byId('person').dispatchEvent(new Event('input'))")
    assert marks(page)["people"] == CHAPTERS
    page.value("byId('search').value = '第7趟船'; byId('search').dispatchEvent(new Event('input'))")
    assert page.value("byId('rows').rows.length") == 1


def test_the_axis_of_days_names_no_day_twice(seen: tuple[Page, dict[str, Any]]) -> None:
    page, data = seen
    change = "(id, value) => { const e = byId(id); e.value = value; e.dispatchEvent(new Event('change')); }"
    for first, last in ((7, 7), (7, 9), (1, CHAPTERS)):
        page.value(f"({change})('from', {first}), ({change})('to', {last})")
        page.value("new Promise(done => setTimeout(done, 20))")
        days = {row["day"] for row in data["chapters"] if first <= row["chapter"] <= last}
        labels = page.value("PLOTS.days.axes[0]._values")
        assert len(set(labels)) == len(labels) and 1 <= len(labels) <= len(days)
        span = page.value("PLOTS.days.scales.x.max - PLOTS.days.scales.x.min")
        assert span <= len(days) * 86400


def test_every_chapter_links_to_its_text_and_evaluation(
    seen: tuple[Page, dict[str, Any]], report: tuple[Path, dict[str, Any]]
) -> None:
    page, _ = seen
    listed = page.value(
        "[...byId('rows').rows].map(r => [r.cells[0].textContent,"
        " ...[...r.querySelectorAll('a')].map(a => a.getAttribute('href'))])"
    )
    assert [int(row[0]) for row in listed] == list(range(CHAPTERS, 0, -1))
    for number, *links in listed:
        assert len(links) == (1 if number == "5" else 2)
        assert all((report[0].parent / link).is_file() for link in links)
    page.click("#rows tr:nth-child(2) td:first-child")
    assert f"第 {CHAPTERS - 1} 章" in page.value("byId('chapter').textContent")
    page.click("#chapter button")
    assert page.value("byId('chapter').hidden") is True


def test_the_novels_text_is_text(seen: tuple[Page, dict[str, Any]]) -> None:
    page, data = seen
    assert page.value("document.scripts.length") == 2
    assert page.value("document.querySelectorAll('#rows b, main script').length") == 0
    made = "document.images.length + document.querySelectorAll('[href^=\"javascript\"]').length"
    assert page.value(made) == 0
    assert HOSTILE[:20] in page.value("byId('rows').textContent")
    assert HOSTILE[:20] in page.value("document.title")
    inside = {key: value for key, value in data.items() if key != "page"}
    assert json.loads(page.value("JSON.stringify(DATA)")) == inside


@pytest.mark.parametrize(("width", "dark"), [(1100, False), (1100, True), (360, False)])
def test_it_fits_the_window_and_follows_the_colour_scheme(
    seen: tuple[Page, dict[str, Any]],
    report: tuple[Path, dict[str, Any]],
    width: int,
    dark: bool,
    tmp_path: Path,
) -> None:
    page, _ = seen
    page.open(report[0], width, 800, dark)
    assert page.value("document.documentElement.scrollWidth") <= width
    paper = page.value("getComputedStyle(document.body).backgroundColor")
    red = int(paper.partition("(")[2].partition(",")[0])
    assert red < 60 if dark else red > 200
    assert page.value("PLOTS.scores.series[1].stroke()") == page.value("color('a')")
    page.picture(tmp_path / "report.png")
    assert (tmp_path / "report.png").stat().st_size > 20_000


def test_a_policy_stops_what_is_not_the_page(page: Page, report: tuple[Path, dict[str, Any]]) -> None:
    page.open(report[0])
    page.value(
        "(script => { script.textContent = 'window.broken = 1'; document.body.append(script); })"
        "(document.createElement('script'))"
    )
    assert page.value("window.broken") is None
    assert any("Content Security Policy" in str(one) for one in page.noise)
    page.noise.clear()
