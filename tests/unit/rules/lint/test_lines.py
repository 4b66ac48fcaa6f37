"""Rows of lists, chats and panels."""

from __future__ import annotations

import pytest

from unit.rules.lint.hidden_lines import hidden
from unit.rules.lint.samples import expand

ROWS = [
    "⟨|　| ⟩⟨-|*|+|>|•|·|＞|1.|12、|3．⟩灯。",
    "⟨一、|二）|三)|四、|五、|六、|七、|八、|九、|十、|（一）|(十一)|[|［|【⟩灯。",
    "⟨|　⟩力量⟨：|:⟩⟨| |　⟩五",
]


@pytest.mark.parametrize("template", ROWS)
def test_rows_behind_a_panel_belong_to_it(template: str) -> None:
    assert [text for text in expand(template) if hidden(["【面板】", text, "他走。"])[:2] != [0, 1]] == []
    assert hidden(["【面板】", "|灯", "他走。"]) == [0, 1]


@pytest.mark.parametrize(
    "text", ["他走。", "123.灯。", "力量：五点。走", "他说，力量：五", "力 量：五", "力量：" + "五" * 25]
)
def test_a_line_that_is_no_row_ends_a_panel(text: str) -> None:
    assert hidden(["【面板】", text]) == [0]
