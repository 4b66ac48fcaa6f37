"""Blocks lose and add no character; a repair changes nothing but the way a heading is written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.outline import check, headings
from novel_hooks.rules.outline import outline as outlines

PATH = "volumes/vol-01/outline.md"
BLANK = headings._BLANKS

lines = st.one_of(
    st.builds("### 第 {} 章{}".format, st.integers(1, 12), st.sampled_from(["", ": 夜雨", "：归", "　渡"])),
    st.sampled_from(["### 卷末", "### ", "###", "#### 小节", "## 幕", "- **POV**: 沈渡", "", " ", "第 3 章"]),
    st.text(st.characters(blacklist_characters="\n", blacklist_categories=("Cs",)), max_size=12),
)
numbers = st.sampled_from(["3", "03", "７", "十二", "廿三", "〇八", "0", "N"])
nearly = st.builds(
    "{}{}第{}{}{}{}{}".format,
    st.sampled_from(["#", "##", "###", "####", "＃＃＃", " ###"]),
    st.sampled_from(["", " ", "　", "\u00a0"]),
    st.sampled_from(["", " "]),
    numbers,
    st.sampled_from(["", " "]),
    st.sampled_from("章节回"),
    st.one_of(
        st.sampled_from(["", "：", ": 夜雨", "夜雨", "——夜", " C#"]), st.text("#:： 雨*至3章", max_size=6)
    ),
)


@given(st.lists(lines, max_size=30))
def test_blocks_lose_and_add_no_character(listed: list[str]) -> None:
    """With what stands before the first block and between blocks, they are the text again."""
    text = "\n".join(listed)
    found = outlines.parse(text, PATH)
    starts = {h.line: h for h in found.headings}
    rebuilt, at = "", 0
    while at < len(found.lines):
        if at + 1 in starts:
            block = outlines.block_under(found, starts[at + 1])
            assert block and "\n### " not in block
            rebuilt += block
            ended = at + block.count("\n") < len(found.lines) and block.endswith("\n")
            at += block.count("\n") if ended else len(found.lines)
        else:
            rebuilt += found.lines[at] + ("\n" if at + 1 < len(found.lines) else "")
            at += 1
    assert rebuilt == text


@given(st.lists(lines, max_size=30), st.integers(1, 12))
def test_a_block_stands_in_the_text_to_the_letter(listed: list[str], chapter: int) -> None:
    text = "\n".join(listed)
    found = outlines.parse(text, PATH)
    if any(h.chapter == chapter for h in found.headings):
        block = outlines.block(found, chapter)
        assert block in text
        assert headings.parse_heading(block.split("\n")[0]) is not None


@given(st.lists(st.one_of(lines, nearly), max_size=30))
def test_a_repair_touches_nothing_but_headings_and_keeps_their_titles(listed: list[str]) -> None:
    found = outlines.parse("\n".join(listed), PATH)
    done = check.repair(found)
    after = outlines.parse(done.text, PATH)
    changed = {near.line: near for near in done.mended}
    assert len(after.lines) == len(found.lines)
    for number, (old, new) in enumerate(zip(found.lines, after.lines), 1):
        if number not in changed:
            assert new == old
            continue
        chapter, title = headings.parse_heading(new) or (0, None)
        assert chapter == changed[number].chapter
        kept = old[_unit(old) + 1 :].strip(BLANK)
        kept = kept[1:].lstrip(BLANK) if kept[:1] in (":", "：") else kept
        assert (title or "") == kept.strip()
    assert {h.chapter for h in found.headings} <= {h.chapter for h in after.headings}
    numbers_after = [h.chapter for h in after.headings]
    for near in done.mended:
        assert numbers_after.count(near.chapter) == 1


def _unit(line: str) -> int:
    return min(line.find(mark) for mark in "章节回" if mark in line)


@given(st.lists(st.one_of(lines, nearly), max_size=30))
def test_a_second_repair_finds_nothing(listed: list[str]) -> None:
    once = check.repair(outlines.parse("\n".join(listed), PATH))
    assert check.repair(outlines.parse(once.text, PATH)).mended == ()
