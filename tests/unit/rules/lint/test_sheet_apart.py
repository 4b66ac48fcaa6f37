"""Panels and asides on a sheet: lines of the system, spoken words."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.hidden_lines import hidden, parts
from unit.rules.lint.samples import HEAD, PLAIN, expand

SYSTEMS = [
    "⟨|　| ⟩⟨叮！|叮!|叮，|叮,|叮。|叮咚|[|［|〔|※⟩任务完成。",
    "⟨<|＜|〈⟩⟨系统|任务|提示|公告|面板|警告|世界⟩>任务完成。",
    "系统⟨|提示|公告|消息|通知⟩⟨：|:⟩任务完成。",
]


@pytest.mark.parametrize("template", SYSTEMS)
def test_a_line_of_the_system_is_apart(template: str) -> None:
    assert [text for text in expand(template) if parts(f"{text}\n\n他走。") != [text]] == []


@pytest.mark.parametrize("text", ["叮当响。", "系统完成。", "他（系统）走。", "<灯>亮了。", "系统面板：走。"])
def test_a_line_that_is_like_it_is_narration(text: str) -> None:
    assert parts(text) == []


def test_a_panel_of_several_lines() -> None:
    assert hidden(["【面板", "他走。", "【火】【水】", "停。】", "力量：5", "他走。"]) == [0, 1, 2, 3, 4]
    assert parts("【面板】他走。\n力量：5") == ["【面板】"]
    assert parts("【面板】他【走】") == ["【面板】", "【走】"]
    assert parts("看【面板\n他走。\n】") == ["【面板"]


@pytest.mark.parametrize(("between", "joined"), [(38, True), (39, False)])
def test_a_panel_has_forty_lines_at_most(between: int, joined: bool) -> None:
    found = hidden(["【面板", *["停。"] * between, "】", "他走。"])
    assert found == (list(range(between + 2)) if joined else [0])


SAID = [
    "他⟨说|道|问|答|喊|叫|骂|念|想|嚷|吼⟩⟨：|:⟩走，",
    "他⟨写下|敲下|打出|一句|那句|这句|一句话⟩，⟨：|:⟩走，",
    "他念《",
    "⟨——|－－|　——⟩走，",
]


@pytest.mark.parametrize("template", SAID)
def test_a_word_behind_a_colon_a_dash_or_in_a_title_is_spoken(template: str) -> None:
    for text in expand(template):
        sheet = Sheet(f"{HEAD}{PLAIN}\n\n{text}上一章。\n{PLAIN}")
        place = sheet.text.index("上一章")
        assert (sheet.apart(place), sheet.spoken(place)) == (False, True), text


@pytest.mark.parametrize(
    "text", ["他说。", "他：", "《灯》", "——走——\n", "他说：\n", "-", "说", "写下。句话："]
)
def test_another_word_is_not_spoken(text: str) -> None:
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n{text}上一章。")
    assert sheet.spoken(sheet.text.index("上一章")) is False


@pytest.mark.parametrize("dash", ["——", "－－", "——  "])
def test_a_line_between_dashes_is_an_aside(dash: str) -> None:
    sheet = Sheet(f"{HEAD}{PLAIN}\n\n——上一章{dash}\n\n走。")
    assert sheet.spoken(sheet.text.index("上一章")) is False


def test_a_speaker_is_looked_for_two_hundred_characters_before() -> None:
    for count, found in ((198, True), (199, False)):
        text = f"{HEAD}说：{'走' * count}上一章"
        assert Sheet(text).spoken(text.index("上一章")) is found
