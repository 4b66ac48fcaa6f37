"""The brief's open places: counted where the author has to write, not where the mark is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from novel_hooks.rules.outline.brief import OPEN_MARK, open_places, sample_lines, without_answers
from novel_hooks.store.files import assets

M = OPEN_MARK


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("# 立意\n\n修桥。\n", 0),
        (f"# 立意\n\n{M}\n", 1),
        (f"# 立意\n\n修桥。{M}{M}\n{M}", 3),
        (f"把“{M}”换成你的话。\n", 0),
        (f"把「{M}」、『{M}』、‘{M}’、\"{M}\"、'{M}' 换掉。{M}\n", 1),
        (f"把“{M}”换成你的话。\n## 主角\n他说：“{M}”\n", 1),
        (f"## 主角\n“{M}”\n# 别的\n“{M}”\n", 2),
        (f"### 小节\n“{M}”\n##紧贴\n“{M}”\n", 0),
        (f"“{M}」{M}”\n", 2),
    ],
)
def test_open_places(text: str, count: int) -> None:
    assert open_places(text) == count


def test_the_template_has_a_place_for_each_mark_behind_its_preface() -> None:
    text = Path(assets.package_path("templates/brief.md")).read_text("utf-8")
    preface, _, rest = text.partition("\n## ")
    assert M in preface and open_places(preface) == 0
    assert open_places(text) == rest.count(M) > 0


def test_the_templates_own_examples_are_found_where_they_still_stand() -> None:
    template = assets.load(assets.package_path("templates/brief.md")).decode("utf-8")
    (line,) = sample_lines(template)
    assert line.startswith("样子：") and line in template
    assert sample_lines("# 立意\n\n## 一句话\n\n她要修桥（样子：木桥）。\n") == []


def test_the_section_of_answers_is_left_out() -> None:
    before, answers, behind = (
        "# 书\n\n立意。\n\n",
        "## 谜底\n\n他是账房。\n\n### 细处\n\n盐引。\n\n",
        "## 结局\n\n灯亮。",
    )
    assert without_answers(before + answers + behind) == before + behind
    assert without_answers(before + answers) == before
    assert without_answers(before + behind) == before + behind
