"""Any novel.yaml, one setting changed: the author's comments and all else stay, or nothing changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import examples
from hypothesis import HealthCheck, given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.rules.settings import settings
from novel_hooks.store.formats import yamlio

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = layout.CONFIG
REFUSALS = {"CONFIG_COMMENT", "CONFIG_UNEDITABLE", "YAML_BROKEN"}
CHANGES = [
    ("title", ["长夜 # 将尽"]),
    ("genre", ["玄幻"]),
    ("gate.pass", ["4.2"]),
    ("gate.pause", ["1.5"]),
    ("max_revisions", ["1"]),
    ("chapter_chars", ["1800", "2600"]),
    ("stop_after", ["draft,refine"]),
    ("stop_after", ["every"]),
    ("models.draft", ["opus"]),
    ("models.judge", ["haiku"]),
    ("prices.sonnet.input", ["3"]),
    ("prices.opus.output", ["25"]),
    ("packet_chars.summarizer", ["9000"]),
]


SAID = ["改这里", "a: 1", "[x, # y]", '「引号」 "', ""]


class Writer:
    """A text, line by line, each with the setting it belongs to; comments are numbered: no two alike."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self.draw = draw
        self.lines: list[tuple[str, str]] = []
        self.count = 0

    def comment(self) -> str:
        self.count += 1
        return f"# 说明{self.count}：{self.draw(st.sampled_from(SAID))}"

    def odd(self, one_in: int) -> bool:
        return bool(self.draw(st.integers(1, one_in)) == 1)

    def line(self, owner: str, text: str) -> None:
        self.lines.append((owner, text + (f"  {self.comment()}" if self.odd(4) else "")))
        if self.odd(5):
            self.lines.append(("", " " * self.draw(st.integers(0, 6)) + self.comment()))
        if self.odd(8):
            self.lines.append(("", ""))

    def scalar(self, owner: str, indent: int, key: str, value: str, text: bool) -> None:
        pad = " " * indent
        shown = self.draw(st.sampled_from([value, f'"{value}"', f"'{value}'"])) if text else value
        anchor = "&记 " if self.odd(9) else ""
        form = self.draw(st.sampled_from(["line", "line", "line", "below", "block"]))
        if form == "block" and text:
            head = f"  {self.comment()}" if self.odd(4) else ""
            self.lines.append((owner, f"{pad}{key}: |-{head}"))
            self.lines.append((owner, f"{pad}  {value}"))
        elif form == "below":
            self.line(owner, f"{pad}{key}:")
            self.line(owner, f"{pad}  {anchor}{shown}")
        else:
            self.line(owner, f"{pad}{key}: {anchor}{shown}")

    def many(self, owner: str, indent: int, key: str, values: list[str]) -> None:
        pad = " " * indent
        form = self.draw(st.sampled_from(["line", "flow", "block", "block"]))
        if form == "line" or not values:
            self.line(owner, f"{pad}{key}: [{', '.join(values)}]")
        elif form == "flow":
            self.line(owner, f"{pad}{key}: [")
            for value in values:
                self.line(owner, f"{pad}  {value},")
            self.line(owner, f"{pad}  ]")
        else:
            self.line(owner, f"{pad}{key}:")
            deep = self.draw(st.sampled_from(["", "  "]))
            for value in values:
                self.line(owner, f"{pad}{deep}- {value}")

    def map(self, owner: str, indent: int, key: str, values: dict[str, Any]) -> None:
        pad = " " * indent
        form = self.draw(st.sampled_from(["block", "block", "line", "flow"]))
        if form == "block":
            self.line(f"{owner}+", f"{pad}{key}:")
            for name, value in values.items():
                if isinstance(value, dict):
                    self.map(f"{owner}.{name}", indent + 2, name, value)
                else:
                    quoted = f'"{name}"' if self.odd(6) else name
                    self.scalar(f"{owner}.{name}", indent + 2, quoted, value, text=owner == "models")
            return
        parts = [f"{name}: {_flow(value)}" for name, value in values.items()]
        if form == "line":
            self.line(owner, f"{pad}{key}: {{{', '.join(parts)}}}")
            return
        self.line(owner, f"{pad}{key}: {{")
        for part in parts[:-1]:
            self.line(owner, f"{pad}  {part},")
        self.line(owner, pad + "  " + parts[-1] + ("," if self.odd(3) else ""))
        self.line(owner, f"{pad}  }}")


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {one}" for key, one in value.items()) + "}"
    return str(value)


@st.composite
def files(draw: Callable[..., Any]) -> list[tuple[str, str]]:
    """Lines with their owners: the setting, `gate+` for the line that opens a map, "" for nobody."""
    made = Writer(draw)

    def some(**values: Any) -> dict[str, Any]:
        kept = {key: value for key, value in values.items() if draw(st.booleans())}
        return kept or dict(list(values.items())[:1])

    parts: list[Callable[[], None]] = [
        lambda: made.scalar("title", 0, "title", "长夜", text=True),
        lambda: made.scalar("genre", 0, '"genre"', "悬疑", text=True),
        lambda: made.map("gate", 0, "gate", some(**{"pass": "4.5", "revise": "2.9", "pause": "1.0"})),
        lambda: made.scalar("max_revisions", 0, "max_revisions", "3", text=False),
        lambda: made.many("chapter_chars", 0, "chapter_chars", ["2000", "3500"]),
        lambda: made.many(
            "stop_after", 0, "stop_after", ["draft", "judge", "refine"][: draw(st.integers(0, 3))]
        ),
        lambda: made.map("models", 0, "models", some(draft="haiku", judge="sonnet")),
        lambda: made.map(
            "prices", 0, "prices", some(sonnet=some(input="2", output="9"), opus=some(input="5", output="20"))
        ),
        lambda: made.map(
            "packet_chars", 0, "packet_chars", some(summarizer="20000", **{"style-refiner": "9"})
        ),
    ]
    if made.odd(2):
        made.lines.append(("", made.comment()))
    chosen = draw(st.lists(st.sampled_from(range(len(parts))), unique=True, min_size=1, max_size=6))
    if made.odd(12):
        chosen.append(chosen[0])  # written twice: refused
    for number in chosen:
        parts[number]()
    return made.lines


def owned(owner: str, key: str, whole: bool) -> bool:
    """May this line change when `key` does? `whole`: the map it stands in may go with it."""
    if not owner:
        return False
    plain = owner.rstrip("+")
    if owner.endswith("+"):
        return whole and key.startswith(f"{plain}.")
    return plain == key or key.startswith(f"{plain}.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book(tmp_path_factory.mktemp("settings"))


def stripped(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def subsequence(few: list[str], many: list[str]) -> bool:
    left = iter(many)
    return all(any(one == other for other in left) for one in few)


def value_at(found: Any, key: str) -> Any:
    return settings.value_at(found or {}, key)


@bounds(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    lines=files(),
    change=st.sampled_from(CHANGES),
    unset=st.booleans(),
    windows=st.booleans(),
    end=st.booleans(),
)
def test_one_setting_changed_and_nothing_else(
    made: Book,
    lines: list[tuple[str, str]],
    change: tuple[str, list[str]],
    unset: bool,
    windows: bool,
    end: bool,
) -> None:
    text = "\n".join(line for _, line in lines) + ("\n" if end else "")
    data = ("\ufeff" + text.replace("\n", "\r\n") if windows else text).encode("utf-8")
    made.write(NAME, data)
    before = made.tree()
    key, told = change
    found = made.novel("config", *(("--unset", key) if unset else (key, *told)))
    if found.exit:
        assert made.changed(before) == {}
        one = found.diagnostics[0]
        assert one.code in REFUSALS and one.path == NAME, one
        if one.code == "CONFIG_COMMENT":
            line = int(one.message.split("第 ")[1].split(" 行")[0])
            assert "# 说明" in text.split("\n")[line - 1]
        return
    after = made.at(NAME).read_bytes().decode("utf-8")
    if after == data.decode("utf-8"):
        assert not found.data["changed"]
    else:
        assert "\r" not in after and "\ufeff" not in after, "protocol §1: what is written is LF, without BOM"
    for comment in re.findall(r"# 说明\d+：.*", text):
        assert comment in after, f"{comment} of\n{text}\nis lost in\n{after}"
    rest = [line for owner, line in lines if line.strip() and not owned(owner, key, unset)]
    if after != data.decode("utf-8"):
        assert subsequence(stripped(rest), [*stripped(after.split("\n")), ""]), f"{text}\n---\n{after}"
    was, now = yamlio.parse(text, NAME), yamlio.parse(after, NAME)
    for one in [*(setting.key for setting in settings.all_settings() if setting.key != "prices"), *PRICES]:
        if one != key:
            assert value_at(now, one) == value_at(was, one), one
    if unset:
        assert value_at(now, key) in (None, DEFAULTS.get(key))
        assert {} not in [value_at(now, name) for name in ("gate", "models", "prices", "packet_chars")]
        assert None not in (now or {}).values(), "an empty map left behind"
        assert blanks(after) <= blanks(text)
    elif key not in ("stop_after", "chapter_chars"):
        assert str(value_at(now, key)) == " ".join(told)


DEFAULTS = {one.key: one.default for one in settings.all_settings()}
PRICES = [f"prices.{model}.{side}" for model in ("sonnet", "opus") for side in ("input", "output")]


def blanks(text: str) -> int:
    return sum(not line.strip() for line in text.split("\n")[:-1])


def test_what_is_set_and_taken_away_again_and_again_leaves_nothing(made: Book) -> None:
    text = "title: 长夜  # 书名\n"
    made.write(NAME, text)
    for model in ("opus", "haiku", "opus"):
        made.ok("config", "models.judge", model)
        made.ok("config", "models.draft", model)
        made.ok("config", "--unset", "models.judge")
        made.ok("config", "--unset", "models.draft")
        assert made.at(NAME).read_text("utf-8") == text


def test_what_is_not_written_is_not_taken_away_with_its_neighbour(made: Book) -> None:
    text = "gate:\n  polish: 3.4\nprices:\n  sonnet: {input: 3}\n"
    made.write(NAME, text)
    for key in ("gate.pass", "prices.opus.input", "prices.sonnet.output", "models.judge"):
        assert made.ok("config", "--unset", key)["changed"] is False
    assert Path(made.at(NAME)).read_text("utf-8") == text
