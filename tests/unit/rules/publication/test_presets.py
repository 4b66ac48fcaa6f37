"""Headings of sections and volumes in the forms of the layouts."""

from __future__ import annotations

from novel_hooks.rules.manuscript.chapter_text import Section
from novel_hooks.rules.publication.presets import PRESETS, section_heading, volume_heading
from novel_hooks.rules.text import typed_words


def test_forms_of_a_number() -> None:
    section = Section(12, "夜雨", ())
    forms = [section_heading(section, form) for form in ("spaced", "tight", "chinese")]
    assert forms == ["第 12 章 夜雨", "第12章 夜雨", "第十二章 夜雨"]
    assert volume_heading(2, None, "chinese") == "第二卷"
    assert volume_heading(2, "渡河") == "第 2 卷 渡河"


def test_a_section_without_number_or_title() -> None:
    assert section_heading(Section(None, "楔子", ())) == "楔子"
    assert section_heading(Section(3, None, ())) == "第 3 章"


def test_every_layout_has_a_word() -> None:
    assert list(PRESETS) == list(typed_words.PRESETS)
