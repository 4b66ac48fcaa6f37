"""A kind of residue, and the pieces of patterns that several tables share."""

from __future__ import annotations

import re

import pytest

from novel_hooks.rules.lint.residue import kind
from novel_hooks.rules.lint.residue.kind import ResidueKind
from unit.rules.lint.samples import expand

PIECES = [
    (kind.MARKS, "⟨TODO|FIXME|TBD|XXX|XXXXX|xxx|xxxxx|PLACEHOLDER|Placeholder|placeholder⟩"),
    (
        kind.MODEL,
        "⟨AI|ai|人工智能|语言模型|大语言模型⟩⟨|写作⟩⟨|助手|模型|语言模型|程序|系统⟩",
    ),
    (
        kind.CHAPTERS,
        "第⟨7|0|9|０|９|一|二|三|四|五|六|七|八|九|十|百|千|零|〇|两| 7 |一百二十三|一千一百二十三⟩章",
    ),
    (kind.LINE, "⟨|　| |\t|　 ⟩"),
    (kind.END, "⟨|　| |\t|　 ⟩"),
]
OTHERS = [
    (kind.MARKS, "⟨XX|xx|todo|TODOS|TODO_|Todo|TODO1⟩"),
    (kind.MODEL, "⟨人工|模型|大AI|AI写|AI助手助手⟩"),
    (kind.CHAPTERS, "⟨第章|第a章|第七|七章|第一二三四五六七八九章⟩"),
    (kind.LINE, "⟨走|。⟩"),
]


@pytest.mark.parametrize(("piece", "template"), PIECES)
def test_every_word_of_a_piece_fits(piece: str, template: str) -> None:
    assert [text for text in expand(template) if not re.fullmatch(piece, text)] == []


@pytest.mark.parametrize(("piece", "template"), OTHERS)
def test_another_word_does_not_fit(piece: str, template: str) -> None:
    assert [text for text in expand(template) if re.fullmatch(piece, text)] == []


@pytest.mark.parametrize("mark", ["A", "z", "0", "_"])
def test_a_code_begins_behind_no_latin_letter(mark: str) -> None:
    assert re.search(f"{kind.LATIN_BEFORE}F", f"{mark}F") is None
    assert re.search(f"{kind.LATIN_BEFORE}F", f"灯{mark} F") is not None


def test_brackets_open_and_close_in_pairs() -> None:
    marks = [re.sub(r"\\", "", text) for text in (kind.OPEN, kind.CLOSE)]
    assert list(zip(*marks)) == [
        tuple(pair)
        for pair in ["（）", "()", "【】", "[]", "［］", "〔〕", "〖〗", "{}", "｛｝", "<>", "＜＞", "〈〉"]
    ]


def test_a_kind_may_be_said_and_is_certain_unless_it_says_otherwise() -> None:
    kind = ResidueKind(47, "反引号", ("`",), "`")
    assert (kind.speakable, kind.sure) == (True, True)
