"""`novel config`: every setting shown; one set or unset, each other byte as it was; nothing half accepted."""

from __future__ import annotations

import difflib
import subprocess
import sys
from typing import Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.rules.settings import settings
from unit.flows.setup.configured import NAME, TEMPLATE
from unit.flows.setup.configured import made as made


def text(made: Book) -> str:
    return made.at(NAME).read_bytes().decode("utf-8")


def changed(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(keepends=True), after.splitlines(keepends=True))
    return [line.rstrip("\n") for line in lines if line[0] in "+-"]


def values(data: Any) -> dict[str, Any]:
    return {one["key"]: one["value"] for one in data["settings"]}


# --- showing ---------------------------------------------------------------------------------


def test_all_settings_with_defaults_and_meaning(made: Book) -> None:
    made.drop(NAME)
    data = made.ok("config")
    assert [one["key"] for one in data["settings"]] == [setting.key for setting in settings.all_settings()]
    assert all(one["value"] == one["default"] and not one["written"] for one in data["settings"])
    assert all(any("\u4e00" <= mark <= "\u9fff" for mark in one["meaning"]) for one in data["settings"])
    shown = made.novel("config").text
    assert all(f"（{key}） = " in shown for key in values(data))
    made.write(NAME, TEMPLATE)
    assert values(made.ok("config")) == values(data)


def test_one_setting_or_a_family(made: Book) -> None:
    assert values(made.ok("config", "gate.pass")) == {"gate.pass": 4.0}
    assert list(values(made.ok("config", "gate"))) == [
        "gate.pass",
        "gate.polish",
        "gate.revise",
        "gate.pause",
    ]
    assert values(made.ok("config", "prices")) == {"prices": {}}
    assert values(made.ok("config", "prices.sonnet.input")) == {"prices.sonnet.input": None}
    assert "通过线" in made.novel("config", "gate.pass").text


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("gate.pas", "gate.pass"),
        ("titel", "title"),
        ("stop_afer", "stop_after"),
        ("models.jugde", "models.judge"),
        ("prices.sonnet.inputs", "prices.sonnet.input"),
        ("prices.sonnet.cached_read", "prices.sonnet.cache_read"),
        ("pass", "gate.pass"),
        ("通过", "gate.pass"),
        ("model.draft", "models.draft"),
        ("prise", "prices"),
        ("packet_chars.writer", "packet_chars.chapter-writer"),
        ("stop", "stop_after"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(made: Book, key: str, near: str) -> None:
    for argv in (("config", key), ("config", key, "1"), ("config", "--unset", key)):
        assert f"是不是想写「{near}」" in made.refused(2, "CONFIG_NO_SUCH", *argv).fix


@pytest.mark.parametrize(
    ("key", "prefix", "there"),
    [
        ("temperature", "", settings.KEYS),
        ("author", "", settings.KEYS),
        ("gate.zzz", "gate", settings.GATE_KEYS),
        ("models.commit", "models", settings.MODEL_KEYS),
        ("prices.sonnet.zzz", "prices.sonnet", ("input", "output", "cache_write", "cache_read")),
    ],
)
def test_a_name_like_no_other_is_told_what_there_is(
    made: Book, key: str, prefix: str, there: tuple[str, ...]
) -> None:
    said = made.refused(2, "CONFIG_NO_SUCH", "config", key, "1").fix
    made.write(NAME, "".join(f"{'  ' * n}{part}:\n" for n, part in enumerate(key.split(".")))[:-1] + " 1\n")
    in_file = made.refused(3, "CONFIG_KEY_UNKNOWN", "config").fix
    for fix in (said, in_file):
        assert "是不是" not in fix and f"「{prefix}」下面" in fix if prefix else "下面" not in fix
        assert all(f"{name}（" in fix for name in there)


# --- changing --------------------------------------------------------------------------------

SET = [
    ("title", ["长夜", "将尽"], ['- title: ""', '+ title: "长夜 将尽"'], "长夜 将尽"),
    (
        "gate.pass",
        ["4.25"],
        ["-   pass: 4.0    # 到这里：直接入库", "+   pass: 4.25    # 到这里：直接入库"],
        4.25,
    ),
    ("max_revisions", ["0"], ["- max_revisions: 2", "+ max_revisions: 0"], 0),
    (
        "chapter_chars",
        ["1800", "2600"],
        ["- chapter_chars: [2500, 3800]", "+ chapter_chars: [1800, 2600]"],
        [1800, 2600],
    ),
    (
        "stop_after",
        ["draft，judge"],
        ["- stop_after: []", "+ stop_after: [draft, judge]"],
        ["draft", "judge"],
    ),
    ("stop_after", ["every"], ["- stop_after: []", "+ stop_after: every"], "every"),
    ("models.judge", ["opus"], ["+ models:", "+   judge: opus"], "opus"),
    ("prices.sonnet.input", ["3"], ["+ prices:", "+   sonnet:", "+     input: 3"], 3),
    ("prices.claude-4.5.output", ["0.5"], ["+ prices:", '+   "claude-4.5":', "+     output: 0.5"], 0.5),
]


@pytest.mark.parametrize(("key", "told", "lines", "value"), SET)
def test_one_value_changes_and_no_other_byte(
    made: Book, key: str, told: list[str], lines: list[str], value: Any
) -> None:
    data = made.ok("config", key, *told)
    assert (data["changed"], values(data)) == (True, {key: value})
    wanted = [line for line in changed(TEMPLATE, text(made)) if line[0] != "?"]
    assert [line.replace("+ \n", "") for line in wanted] == lines
    before = made.tree()
    assert made.ok("config", key, *told)["changed"] is False
    assert made.changed(before) == {}
    assert made.ok("config", "--unset", key)["changed"]
    assert text(made) == TEMPLATE


@pytest.mark.parametrize(
    ("key", "told", "words"),
    [
        ("gate.pass", "abc", "数字"),
        ("gate.pass", "1", "要在 3.5（润色线） 到 5 之间"),
        ("gate.pass", "5.5", "要在 3.5（润色线） 到 5 之间"),
        ("gate.revise", "4", "要在 2（停笔线） 到 3.5（润色线） 之间"),
        ("gate.pause", "3.5", "要在 0 到 3（修订线） 之间"),
        ("packet_chars.summarizer", "10000000000", "1 到 1000000000"),
        ("chapter_chars", "2000 2000000", "1 到 1000000"),
        ("gate.pause", "nan", "数字"),
        ("max_revisions", "2.5", "整数"),
        ("max_revisions", "100", "整数"),
        ("max_characters", "0", "整数"),
        ("chapter_chars", "3500 2000", "最少"),
        ("chapter_chars", "2000", "最少"),
        ("stop_after", "draft,commit", "every"),
        ("models.judge", "opus 4", "模型"),
        ("codex_models.judge", "HIGH", "是不是想写「high」"),
        ("prices.sonnet.input", "几块", "数"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_nothing_changes(
    made: Book, key: str, told: str, words: str
) -> None:
    found = made.refused(3, "CONFIG_REFUSED", "config", key, told)
    assert words in found.message and told in found.message


@pytest.mark.parametrize(
    "text", ["title： 书\n", "gate：\n  pass: 4\n", "gate:\n  pass：4\n", "gate: {pass:4}\n"]
)
def test_a_colon_that_is_none_is_told_first(made: Book, text: str) -> None:
    made.write(NAME, text)
    for command in (("config",), ("next",), ("config", "gate.pass", "4.2")):
        found = made.novel(*command)
        assert (found.exit, found.diagnostics[0].code) == (3, "YAML_BROKEN")
        assert "英文冒号「:」" in found.diagnostics[0].message


@pytest.mark.parametrize(
    ("typed", "value", "code"),
    [
        ("通过线", "3", "CONFIG_REFUSED"),
        ("修订轮数", "许多", "CONFIG_REFUSED"),
        ("门控", "4", "CONFIG_MAP"),
        ("价钱.录制.输入", "3", "CONFIG_NO_SUCH"),
    ],
)
def test_a_refusal_names_the_setting_as_it_was_typed(made: Book, typed: str, value: str, code: str) -> None:
    (found,) = made.novel("config", typed, value).diagnostics
    assert found.code == code and f"「{typed}」" in found.message
    assert "gate" not in found.message and "max_revisions" not in found.message


def test_a_model_that_cannot_have_a_price_is_not_offered_again(made: Book) -> None:
    fix = made.refused(2, "CONFIG_NO_SUCH", "config", "prices.录制.input", "3").fix
    assert "是不是" not in fix and "「录制」不能是模型的名字" in fix


def test_the_file_says_which_line_is_out_of_order(made: Book) -> None:
    made.write(NAME, "gate:\n  polish: 4.5\n")
    (found,) = made.novel("config").diagnostics
    assert "润色线 4.5 比通过线 4 高" in found.message and "0 到 5" in found.message


def test_what_was_set_is_shown_in_the_authors_words(made: Book) -> None:
    assert "做完停下（stop_after） = 写初稿、评审　" in made.novel("config", "做完停下", "初稿", "评审").text
    assert "= 都不停　" in made.novel("config", "做完停下", "都不停").text
    assert "= 2500～3800　" in made.novel("config", "一章字数").text
    assert "= 3　" in made.novel("config", "修订轮数", "三").text


def test_a_family_is_not_set_as_one(made: Book) -> None:
    for key in ("gate", "models", "prices", "prices.sonnet"):
        made.refused(3, "CONFIG_MAP", "config", key, "4")
    made.refused(2, "CLI_USAGE", "config", "--unset")
    made.refused(2, "CLI_USAGE", "config", "gate.pass", "4", "--unset")


def test_unset_writes_the_default_and_keeps_every_comment(made: Book) -> None:
    made.ok("config", "gate.pass", "4.5")
    data = made.ok("config", "--unset", "gate.pass")
    assert (data["changed"], values(data)) == (True, {"gate.pass": 4.0})
    assert made.ok("config", "--unset", "gate.pass")["changed"] is False
    made.write(NAME, "daily_chars: 3000\nstop_after:\n  - draft  # 一\n  - judge  # 二\n# 尾\n")
    for key in ("daily_chars", "stop_after"):  # no default to write, or a comment inside
        made.ok("config", "--unset", key)
    assert text(made) == "# daily_chars: 3000\n# stop_after:\n#   - draft  # 一\n#   - judge  # 二\n# 尾\n"
    made.ok("config", "models.judge", "opus")
    assert values(made.ok("config", "--unset", "models.judge")) == {"models.judge": "sonnet"}


def test_a_default_stands_in_no_second_brackets(made: Book) -> None:
    shown = made.novel("config", "daily_chars").text
    assert "（默认 无）" in shown and "（（" not in shown and "））" not in shown


def test_a_broken_file_is_mended_by_a_setting_but_never_made_worse(made: Book) -> None:
    made.write(NAME, "gate:\n  pass: 3.0\nchapter_char: [1, 2]  # 旧的\n")
    found = made.novel("config", "gate.pass", "4.0")
    assert [d.code for d in found.diagnostics] == ["CONFIG_KEY_UNKNOWN"]
    made.refused(3, "CONFIG_KEY_UNKNOWN", "config")
    assert made.novel("config", "--unset", "chapter_char").exit == 3  # the limits are still upside down
    made.write(NAME, "gate:\n  pass: 4.0\nchapter_char: [1, 2]  # 旧的\n")
    assert made.ok("config", "--unset", "chapter_char")["changed"]
    assert text(made) == "gate:\n  pass: 4.0\n# chapter_char: [1, 2]  # 旧的\n"
    made.write(NAME, "gate: [\n")
    made.refused(3, "YAML_BROKEN", "config", "gate.pass", "4.0")


def test_who_is_not_at_work_here_waits_his_turn(made: Book) -> None:
    made.ok("lock", "acquire")
    before = text(made)
    assert made.novel("config", "title", "长夜", owner="another-session").exit == 4
    assert text(made) == before


def test_a_change_while_a_step_is_out_is_no_breach(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.ok("config", "max_revisions", "1")
    made.draft()
    made.advance("draft")
    made.ok("instructions", made.step("summarize"), "--write-manifest")
    made.write(NAME, text(made) + "# 别人写的\n")
    made.records()
    made.refused(3, "WRITE_OUTSIDE_STAGING", "advance", made.step("summarize"))


# --- read once, remembered by hash -----------------------------------------------------------


def test_everyday_commands_load_no_yaml_once_it_was_read(made: Book) -> None:
    made.ok("config", "models.draft", "opus")
    code = (
        f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
        "from novel_hooks.cli.call import call\n"
        f"found = call('next', ['--project', {str(made.root)!r}], {{}})\n"
        "print(found.data['model'], 'ruamel' in ' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("opus False\n", "")


@pytest.mark.parametrize("cache", [b"", b"[]", b"{", b'{"schema_version":1}', b"\xff"])
def test_the_memory_is_only_a_memory(made: Book, cache: bytes) -> None:
    made.write(NAME, "models:\n  draft: haiku\n")
    assert made.next()["model"] == "haiku"
    made.ok("lock", "acquire")
    made.write(layout.SETTINGS, cache)
    assert made.next()["model"] == "haiku"
    made.write(NAME, "models:\n  draft: opus\n")
    assert made.next()["model"] == "opus"


def test_the_author_is_told_which_line_holds_the_comment(made: Book) -> None:
    made.write(NAME, "title: 长夜\nstop_after:\n  - draft\n  - judge  # 要看分数\n  - polish\n")
    found = made.refused(3, "CONFIG_COMMENT", "config", "stop_after", "draft")
    assert f"{NAME} 第 4 行" in found.message and "挪到" in found.fix
    made.write(NAME, "gate: {pass: 4.0}\ntitle: &t\n  !x y\n")
    assert made.refused(3, "YAML_BROKEN", "config", "title", "b")
    made.write(NAME, "genre: x\n? title\n: y\n")
    assert "第 2 行" in made.refused(3, "CONFIG_UNEDITABLE", "config", "--unset", "title").message


@pytest.mark.parametrize(
    ("key", "words", "value"),
    [("修订轮数", ["三"], 3), ("人物数", ["十二"], 12), ("一章字数", ["两千", "三千"], [2000, 3000])],
)
def test_chinese_numerals_are_read(made: Book, key: str, words: list[str], value: Any) -> None:
    assert made.ok("config", key, *words)["settings"][0]["value"] == value


@pytest.mark.parametrize("key", ["prices.录制.input", "价钱.录制.输入"])
def test_a_name_that_no_model_can_have_is_told_as_that(made: Book, key: str) -> None:
    fix = made.refused(2, "CONFIG_NO_SUCH", "config", key, "1").fix
    assert "「录制」不能是模型的名字" in fix and "是不是" not in fix
