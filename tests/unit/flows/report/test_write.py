"""`novel report`: the page on disk holds the data, and nothing else is written."""

from __future__ import annotations

import json
import re
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, chapters=3)


def _files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_page_is_the_only_thing_that_is_written(made: Book) -> None:
    before = _files(Path(made.root))
    data = made.ok("report")
    after = _files(Path(made.root))
    page = after.pop(layout.REPORT).decode("utf-8")
    assert after == before
    assert data.pop("page").replace("\\", "/").endswith(layout.REPORT)
    inside = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(inside[0]) == data


def test_again_replaces_it_and_a_reader_sees_the_five_lines(made: Book) -> None:
    made.write(layout.REPORT, "old")
    shown = made.novel("report")
    assert shown.exit == 0 and "全书报告：" in shown.text and "先看这几样：" in shown.text
    assert made.at(layout.REPORT).read_text(encoding="utf-8").startswith("<!doctype html>")


class _Window(webbrowser.BaseBrowser):
    def __init__(self, opens: bool) -> None:
        super().__init__("window")
        self.opens, self.urls = opens, list[str]()

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.urls.append(url)
        return self.opens


def _no_browser() -> webbrowser.BaseBrowser:
    raise webbrowser.Error("none")


def test_the_page_is_opened_where_there_is_a_window(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    window = _Window(opens=True)
    monkeypatch.setattr("webbrowser.get", lambda: window)
    assert made.novel("report", "--open").diagnostics == ()
    (url,) = window.urls
    assert url.startswith("file://") and url.endswith("logs/report.html")


@pytest.mark.parametrize(
    "get", [_no_browser, lambda: _Window(opens=False), lambda: webbrowser.GenericBrowser("false")]
)
def test_without_one_it_says_where_the_page_lies(
    made: Book, monkeypatch: pytest.MonkeyPatch, get: Callable[[], webbrowser.BaseBrowser]
) -> None:
    monkeypatch.setattr("webbrowser.get", get)
    shown = made.novel("report", "--open")
    assert shown.exit == 0 and any("没有能打开的浏览器" in note.message for note in shown.diagnostics)


def test_in_the_morning_the_page_begins_with_the_last_run(made: Book) -> None:
    assert made.ok("report")["night"] is None
    made.write(layout.CONFIG, "budget:\n  run_tokens: 30\n")
    made.ok("lock", "acquire", "--run", "4")
    run = made.json(layout.RUN)
    made.write(layout.RUN, {**run, "chapter": 2})
    stage = {"name": "draft", "model": "sonnet", "input_tokens": 40, "output_tokens": 2}
    made.write(layout.work_log(4), {"chapter": 4, "stages": [stage]})
    lines = made.novel("report").text.splitlines()
    assert "要写 4 章" in lines[0] and "写成 2 章" in lines[0]
    assert lines[1].startswith("  第 2 章　") and lines[1].endswith("4.20 分　通过")
    assert "词元 读 40 写 2" in lines[3] and lines[3].endswith("（一趟的预算 30 词元）")
    spent = "这一趟已花 378 词元（有 8 步没有记下，照以往估），一趟的预算 30 词元已用完"
    assert lines[4] == f"在等你：预算：{spent}（/novel:continue）"
