"""`/novel:start` beside a book of forty chapters, in the real client: from its text file to chapter 41.

The forty chapters move in, planners draft the setting and the storylines from them, the newest are recorded,
the next volume is planned, and chapter 41 is written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book

from client import desk, sample_crew
from client.author import Author, first
from client.desk_calls import Said
from client.front_desk import front_desk
from client.scenario import Kill
from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from client.harness import Host
    from client.request import Request
    from client.scenario import Answer, Scenario, Script

pytestmark = pytest.mark.client

CHAPTERS = 40
PLACES = ("七索", "西台", "秤房", "石步", "藤场", "东巷", "坠坊")
DOINGS = ("数桥板", "收秤砣", "解身绳", "擦灯花", "翻秤簿")


def manuscript() -> str:
    """Forty short chapters and a prologue, each of which says something else."""
    parts = ["七索旧事\n", "楔子\n\n　　断桥那年没有人唱秤。\n"]
    for n in range(1, CHAPTERS + 1):
        place, doing = PLACES[n % 7], DOINGS[n % 5]
        told = f"　　第{n}天，桑准在{place}{doing}，数到{n * 3}停下。\n\n　　“{n + 96}斤。”“不错。”\n"
        parts.append(f"第{n}章 {place}{doing}\n\n{told}\n　　{place}的风到夜里才歇，她记下{n * 7}。\n")
    return "\n".join(parts)


def drafted(packet: Mapping[str, Any], _files: dict[str, str]) -> None:
    """The planner has the book that moved in among what he reads."""
    assert layout.ADOPTED_OVERVIEW in str(packet["inputs"]), packet["inputs"]


def quoted(_packet: Mapping[str, Any], files: dict[str, str]) -> None:
    """The passages of the style are the book's own."""
    ((path, text),) = [one for one in files.items() if one[0].endswith(layout.STYLE_PROFILE)]
    lines = [f"桑准在{PLACES[n % 7]}{DOINGS[n % 5]}，数到{n * 3}停下。" for n in (1, 20, 40)]
    files[path] = json.dumps({**json.loads(text), "samples": lines}, ensure_ascii=False)


def crew(main: Script) -> Scenario:
    planners: dict[str, Script] = {f"novel:{name}": sample_crew.planner() for name in sample_crew.PLANNERS}
    planners["novel:world-builder"] = sample_crew.planner(drafted)
    planners["novel:style-analyzer"] = sample_crew.planner(quoted)
    planners["novel:plot-architect"] = sample_crew.planner(sample_crew.next_volume(2, CHAPTERS))
    writers = dict.fromkeys((f"novel:{name}" for name in (*sample_crew.WRITERS, "quality-judge")), written)
    return {"main": main, **planners, **writers}


def written(request: Request) -> Answer:
    found = sample_crew.packet(request)
    if found is not None and found["step"].startswith("sync:"):
        return sample_crew.recorder(request)
    return sample_crew.writer(request, behind=CHAPTERS)


def stopped_behind(chapter: int) -> Script:
    """`/novel:continue`, its session gone as soon as this chapter is recorded."""

    def main(request: Request) -> Answer:
        done = [Said(one) for one in request.outcomes]
        ended = any(one.name == "commit" and one.words[2] == str(chapter) for one in done)
        return Kill() if ended else front_desk(request)

    return main


def planned(question: Mapping[str, Any]) -> str:
    """The author has recorded enough: he wants the next volume, then to write on."""
    if question["question"] != desk.MENU:
        return first(question)
    labels = [str(one["label"]) for one in question["options"]]
    return next(one for one in labels if one.startswith(("规划第 2 卷", "接着写")))


@pytest.mark.parametrize(
    ("recorded", "whole"),
    [
        (1, False),
        pytest.param(1, True, marks=pytest.mark.exhaustive),
        pytest.param(30, True, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)]),
    ],
)
def test_from_forty_chapters_to_the_one_after_them(
    host: Host, tmp_path: Path, recorded: int, whole: bool
) -> None:
    """What comes behind the recording is left out where it is not `whole`."""
    place = tmp_path / "旧 书"
    place.mkdir()
    source = place / "七索旧事.txt"
    source.write_bytes(manuscript().replace("\n", "\r\n").encode("gb18030"))
    picks = {desk.MENU: "把写了一半的书搬进来", desk.TITLE: "第七索", desk.BOOK: source.name}

    def pick(question: Mapping[str, Any]) -> str:
        moved = any(one["question"] == desk.MOVES for one in author.questions)
        label = first(question) if moved else picks.get(question["question"])
        return label or first(question)

    author = Author(("/novel:start",), pick)
    done = host.talk(place, author, crew(desk.start), timeout=240)
    made = Book(place, CHAPTERS + 1)
    assert (author.refused, done.denials) == ([], [])
    asked = [one["question"] for one in author.questions]
    assert done.text == "请输入 /novel:continue。", asked[-2:]
    begun = [desk.MENU, desk.TITLE, desk.GENRE, desk.SURE, desk.MENU, desk.BOOK, desk.MOVES]
    assert asked[:7] == begun and asked[-2:] == [desk.LANDS, desk.MENU]
    assert desk.SAMPLE not in asked, "the style is learnt from the book itself"
    assert made.point()["last_completed_chapter"] == CHAPTERS
    assert made.next()["step"] == "sync:040:summarize", (
        "the newest is recorded first, before it is planned on"
    )
    assert not made.at(layout.outline(2)).exists()
    recording = crew(stopped_behind(CHAPTERS + 1 - recorded))
    host.run(place, "/novel:continue", recording, timeout=60 + 20 * recorded)
    found = [made.at(layout.summary(n)).exists() for n in (40, 41 - recorded, 40 - recorded)]
    assert found == [True, True, False]
    if made.next()["step"].startswith("sync:"):
        made.ok("sync", "--cancel")
    assert made.next()["step"] == "volume:02:outline"
    assert made.ok("doctor")["sound"]
    if not whole:
        return
    author = Author(("/novel:start",), planned)
    done = host.talk(place, author, crew(desk.start), timeout=240)
    assert (author.refused, done.text) == ([], "请输入 /novel:continue。")
    assert made.next()["step"] == "chapter:041:draft"
    author = Author(("/novel:continue 1",), first)
    done = host.talk(place, author, crew(desk.write_on))
    assert (author.refused, done.text) == ([], "第 41 章已生成。")
    assert made.point()["last_completed_chapter"] == CHAPTERS + 1
    assert made.at(layout.chapter(CHAPTERS + 1)).read_text("utf-8").startswith("# 第 41 章")
    assert source.read_bytes() == manuscript().replace("\n", "\r\n").encode("gb18030")
    assert made.ok("doctor")["sound"]
