"""The author's pages: what they show can appear, what they name is there."""

from __future__ import annotations

import functools
import json
import re
import shutil
from pathlib import Path

import pytest

from novel_hooks import layout
from novel_hooks.cli.call import COMMANDS, FOR_CLAUDE, call
from unit.pages.pages import CONTRACT, ROOT, USER, WRITTEN, codes, read, section, tables

# --- the author's pages -----------------------------------------------------------------------


COMMANDS_PAGE = "docs/user/commands.md"
TROUBLE = "docs/user/trouble.md"
FILES = "docs/user/files.md"


ANYTHING = "\0"


def globbed(text: str, fields: str) -> str:
    """The text with each of its fields as ANYTHING, code marks left out."""
    return re.sub(fields, ANYTHING, text.replace("`", ""))


@functools.cache
def templates() -> list[str]:
    """Every Chinese text that the package and the launcher can show, its fields as ANYTHING."""
    found: list[str] = []
    for path in (ROOT / "novel_hooks").rglob("*.py"):
        found += re.findall(r'"([^"\n]*[\u4e00-\u9fff][^"\n]*)"', path.read_text(encoding="utf-8"))
    for path in (ROOT / "scripts").glob("*.sh"):
        found += re.findall(r'"([^"\n]*[\u4e00-\u9fff][^"\n]*)"', path.read_text(encoding="utf-8"))
    found += re.findall(r"'([^'\n]*[\u4e00-\u9fff][^'\n]*)'", read("hooks/guard") + read("hooks/notice"))
    shapes = {globbed(text, r"\{[^{}]*\}|\$\([^()]*\)|\$\w+") for text in found}
    return [shape for shape in shapes if len(shape.replace(ANYTHING, "")) >= 6]


def meet(one: str, other: str) -> bool:
    """Is there a text that both patterns fit? ANYTHING in either stands for any text."""

    @functools.cache
    def fits(i: int, j: int) -> bool:
        a, b = one[i : i + 1], other[j : j + 1]
        if ANYTHING in (a, b):
            return (a == ANYTHING and (fits(i + 1, j) or (bool(b) and fits(i, j + 1)))) or (
                b == ANYTHING and (fits(i, j + 1) or (bool(a) and fits(i + 1, j)))
            )
        return a == b and (not a or fits(i + 1, j + 1))

    return fits(0, 0)


def troubles() -> list[str]:
    (rows,) = tables(section(TROUBLE, "写作助手说的"))
    return [code for row in rows for code in codes(row[0]) if len(code) > 6]


def test_patterns_meet() -> None:
    assert meet(f"第 {ANYTHING} 章", "第 12 章")
    assert meet(f"第 2 章（从{ANYTHING}开始）", f"第 {ANYTHING} 章（从{ANYTHING}）")
    assert not meet(f"第 {ANYTHING} 章", "第 12 回")
    assert not meet("读不懂", "读不懂。")


@pytest.mark.parametrize("shown", troubles())
def test_what_an_author_is_told_to_look_for_can_appear(shown: str) -> None:
    assert any(meet(globbed(shown, "…"), shape) for shape in templates()), shown


# What a page calls missing, and what would be there if it were not.
NOT_YET = {
    "`recover`": lambda: "recover" in COMMANDS,
    "`doctor`": lambda: "doctor" in COMMANDS,
}


@pytest.mark.parametrize("name", NOT_YET)
def test_what_is_called_missing_is_missing(name: str) -> None:
    assert (name in section(TROUBLE, "这一版还没有的")) != NOT_YET[name]()


def test_the_folders_told_are_the_projects() -> None:
    told = {code.rstrip("/") for rows in tables(read(FILES)) for row in rows for code in codes(row[0])}
    known = {
        *(layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.CONFIG, layout.CHECKPOINT),
        *(layout.OWN, layout.LOCK_DIR, layout.FORESHADOWING, layout.volume_dir(1), *layout.PROJECT_DIRS),
        *(layout.STORYLINES, layout.STORYLINE_SPEC, layout.volume_review(1), layout.volume_review_data(1)),
        *(layout.RESEARCH, layout.STYLE_SAMPLES, layout.SENSITIVE_WORDS, layout.EXPORTS, layout.RETIRED),
    }
    assert told - {"staging", "memory.md"} <= known, told - known
    tops = {place.split("/")[0] for place in layout.PROJECT_DIRS}
    assert tops <= {place.split("/")[0] for place in told}


def test_the_marketplace_is_the_one_to_install_from() -> None:
    market = json.loads(read(".claude-plugin/marketplace.json"))
    install = f"claude plugin install {market['plugins'][0]['name']}@{market['name']}"
    assert [read(page).count(install) for page in ("README.md", "README.en.md", TROUBLE)] == [1, 1, 1]


def test_the_readme_is_chinese_short_and_leads_to_every_page() -> None:
    text = read("README.md")
    assert re.search(r"[\u4e00-\u9fff]", text.splitlines()[0])
    assert len(text.encode("utf-8")) <= 10_000
    assert [page for page in [*USER, "README.en.md"] if f"({page})" not in text] == []
    assert "`make test`" in text, "what .ci/run calls"


def headings(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and most viewers make them."""
    found = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("path", WRITTEN)
def test_every_link_leads_somewhere(path: str) -> None:
    for target in re.findall(
        r"\]\((?!https?:)([^)\s]+)\)", re.sub(r"```.*?```|`[^`\n]*`", "", read(path), flags=re.S)
    ):
        name, _, anchor = target.partition("#")
        place = (ROOT / path).parent / name if name else ROOT / path
        assert place.exists(), target
        assert not anchor or anchor in headings(place.read_text("utf-8")), target


def test_what_the_readme_shows_of_a_chapter_is_the_samples() -> None:
    shown = [line[2:] for line in re.findall(r"^> .+$", read("README.md"), re.M)]
    sample = "\n".join(path.read_text("utf-8") for path in (ROOT / "novel_hooks/sample").rglob("*.md"))
    assert len(shown) >= 5 and [line for line in shown if line not in sample] == []


def test_the_pages_say_nothing_of_machines() -> None:
    for path in WRITTEN:
        assert not re.search(r"(?<![\w.`:/])/(?:home|root|tmp|usr|work)/", read(path)), path


def test_the_copy_of_a_page_would_be_noticed(tmp_path: Path) -> None:
    """The table reader reads: a row taken away is missed."""
    place = tmp_path / "page.md"
    shutil.copyfile(ROOT / CONTRACT, place)
    text = place.read_text(encoding="utf-8").replace("| 4 | busy", "| 44 | busy")
    assert [row[0] for row in tables(text)[2]].count("44") == 1


def test_the_two_groups_of_commands() -> None:
    """The page and `novel --help` list every command once, the author's apart from those that Claude runs."""
    rows = dict(re.findall(r"^\| (你|Claude 替你用) \| (.*) \|$", read(COMMANDS_PAGE), re.M))
    told = {who: re.findall(r"`([a-z-]+)(?: 文件夹)?`", row) for who, row in rows.items()}
    assert [name for name in told["Claude 替你用"] if name in COMMANDS] == list(FOR_CLAUDE)
    assert told["你"] == [name for name in COMMANDS if name not in FOR_CLAUDE]
    mine, theirs = call("help", ["--all"], {}).text.split("Claude 替你用")
    for name in COMMANDS:
        assert (f"\n  {name} " in mine, f"\n  {name} " in theirs) == (
            name not in FOR_CLAUDE,
            name in FOR_CLAUDE,
        )


OTHER_WORDS = {
    "立意简报": "立意",
    "故事线排期": "故事线日程",
    "故事线安排": "故事线日程",
    "卷纲和": "大纲和",
}


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_a_file_has_one_name_wherever_the_author_reads_of_it(word: str) -> None:
    texts = [*(ROOT / "novel_hooks").rglob("*.py"), *(ROOT / "agents").glob("*.md")]
    texts += [*(ROOT / "skills").rglob("*.md"), *(ROOT / "docs").rglob("*.md")]
    told = [str(one.relative_to(ROOT)) for one in texts if word in one.read_text(encoding="utf-8")]
    assert told == [], f"it is called {OTHER_WORDS[word]}"
