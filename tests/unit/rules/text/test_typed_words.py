"""Words that an author types in Chinese: read as the key, shown as the first word, slips understood."""

from __future__ import annotations

import pytest

from novel_hooks import roles
from novel_hooks.rules.settings import settings
from novel_hooks.rules.text import typed_words

TABLES = {
    name: getattr(typed_words, name)
    for name in ("DECISIONS", "STATUS", "SCOPE", "JUDGES", "STOPS", "SIDES", "SETTINGS")
}


@pytest.mark.parametrize("table", TABLES)
def test_every_word_and_every_key_stand_for_one_thing(table: str) -> None:
    words = TABLES[table]
    said = [word for known in words.values() for word in known]
    assert len(said) == len(set(said)) and not set(said) & set(words)
    for key, known in words.items():
        assert {typed_words.find_key(words, word) for word in (key, *known, f" {known[0]} ")} == {key}
        assert typed_words.word_of(words, key) == known[0]
    assert typed_words.find_key(words, " 别的 ") == typed_words.word_of(words, "别的") == "别的"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (" ４。５ ", "4.5"),
        ("０１２３４５６７８９", "0123456789"),
        ("gate．pass", "gate.pass"),
        ("１：２－３", "1:2-3"),
        ("\ufeff通\u200b过线\n", "通过线"),
        ("\u2060书\u200c名\u200d", "书名"),
        ("a，b", "a，b"),
    ],
)
def test_full_width_marks_as_the_keyboard_has_them(text: str, normal: str) -> None:
    assert typed_words.normalize_typed(text) == normal


@pytest.mark.parametrize(
    "text", ["", " \t\n\u3000", "\u200b\ufeff", "\u3164", "\u2800 \u115f\u1160\u034f\uffa0", "\x00"]
)
def test_nothing_to_see(text: str) -> None:
    assert typed_words.is_blank(text)


@pytest.mark.parametrize("text", ["字", " a ", "\u3164.", "—"])
def test_something_to_see(text: str) -> None:
    assert not typed_words.is_blank(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("写初稿，评审", ["写初稿", "评审"]),
        (" [a, b;c] ", ["a", "b", "c"]),
        ("【一、二】", ["一", "二"]),
        ("［2000～3000］", ["2000", "3000"]),
        ("2000~3000", ["2000", "3000"]),
        ("a；；b\u3000c，", ["a", "b", "c"]),
        ("a-b.c", ["a-b.c"]),
        ("", []),
        ("[]", []),
    ],
)
def test_a_typed_list(text: str, parts: list[str]) -> None:
    assert typed_words.split_list(text) == parts


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([], ""),
        ([9, 3, 7], "3、7、9"),
        (range(8, 0, -1), "1、2、3、4、5、6、7、8"),
        (range(1, 10), "1、2、3、4、5、6、7、8 等 9"),
        ([12, *range(20, 31)], "12、20、21、22、23、24、25、26 等 12"),
    ],
)
def test_a_list_of_numbers(numbers: list[int], shown: str) -> None:
    assert typed_words.number_list(numbers) == shown


@pytest.mark.parametrize(
    ("word", "alike", "found"),
    [
        ("titel", typed_words.ALIKE, "title"),
        ("genr", typed_words.ALIKE, "genre"),
        ("gen", typed_words.ALIKE, "genre"),
        ("ge", typed_words.ALIKE, None),
        ("gen", 0.8, None),
        ("xyz", typed_words.ALIKE, None),
        ("xyz", 0.0, "title"),
    ],
)
def test_the_nearest_word(word: str, alike: float, found: str | None) -> None:
    assert typed_words.nearest(word, iter(["title", "genre"]), alike) == found


def test_without_a_likeness_that_of_the_house_is_asked() -> None:
    # Ratios 2·2/7 = 0.57 and 2·3/8 = 0.75 on either side of it.
    assert typed_words.nearest("ge", ["genre"]) is None
    assert typed_words.nearest("gen", ["genre"]) == "genre"


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("titel", ["genre", "title"], "title"),
        (" TITLE ", ["genre", "Title"], "Title"),
        ("jiu", ["shen-du", "qiao-jiu"], "qiao-jiu"),
        ("du", ["shen_du"], "shen_du"),
        ("max", ["max_revisions"], "max_revisions"),
        ("chap", ["title", "chapter_chars"], "chapter_chars"),
        ("ch", ["chapter_chars"], None),
        ("cha", ["chapters_chars"], "chapters_chars"),
        ("apter", ["long_chapter_chars"], None),
        ("", ["title"], None),
        ("xyz", ["title"], None),
        ("title", [], None),
        # A slip goes before a part, a part before a beginning; of two of a kind the first of the names.
        ("title", ["my-title", "titles"], "titles"),
        ("jiu", ["jiuzhou-city", "qiao-jiu"], "qiao-jiu"),
        ("title", ["Title", "TITLE"], "Title"),
    ],
)
def test_the_name_that_was_meant(text: str, names: list[str], found: str | None) -> None:
    assert typed_words.meant(text, iter(names)) == found


@pytest.mark.parametrize(
    "key",
    [
        *(setting.key for setting in settings.all_settings()),
        *settings.KEYS,
        "prices.gpt-4.1.input",
        "prices.x.cache_read",
    ],
)
def test_a_setting_is_known_by_the_name_that_is_shown(key: str) -> None:
    shown = typed_words.setting_name(key)
    assert not (set(shown) & set("_")) and shown != key
    assert typed_words.setting_key(shown) == typed_words.setting_key(key) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (" 通过线 ", "gate.pass"),
        ("门控.通过线", "gate.pass"),
        ("门控。通过线", "gate.pass"),
        ("门控", "gate"),
        ("gate.nonsense", "gate.nonsense"),
        ("门控.书名", "gate.书名"),
        ("模型.写初稿", "models.draft"),
        ("模型.初稿", "models.draft"),
        ("模型.第二评审", "models.second_judge"),
        ("模型.第二位评审", "models.second_judge"),
        ("模型.建世界观", "models.world"),
        ("模型.写本卷大纲", "models.outline"),
        ("模型.入库", "models.入库"),
        ("模型.别的", "models.别的"),
        ("资料字数.写手", "packet_chars.chapter-writer"),
        ("资料字数.别的", "packet_chars.别的"),
        ("资料字数.summarizer", "packet_chars.summarizer"),
        ("价钱.gpt-4.1.写缓存", "prices.gpt-4.1.cache_write"),
        ("价钱.gpt-4.1.缓存读", "prices.gpt-4.1.cache_read"),
        ("价钱.输入", "prices.input"),
        ("别的", "别的"),
        ("别的.通过线", "别的.通过线"),
    ],
)
def test_the_key_of_a_setting(text: str, key: str) -> None:
    assert typed_words.setting_key(text) == key


def test_the_judges_have_the_words_of_their_table() -> None:
    assert {key: words[0] for key, words in typed_words.JUDGES.items()} == roles.JUDGES


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("gate.pass", "通过线"),
        ("title", "书名"),
        ("models", "模型"),
        ("models.draft", "模型.写初稿"),
        ("models.second_judge", "模型.第二评审"),
        ("models.nonsense", "模型.nonsense"),
        ("packet_chars.chapter-writer", "资料字数.写手"),
        ("packet_chars.nonsense", "资料字数.nonsense"),
        ("prices.gpt-4.1.cache_write", "价钱.gpt-4.1.写缓存"),
        ("prices.input", "价钱.输入"),
        ("prices.gpt-4.1.nonsense", "价钱.gpt-4.1.nonsense"),
        ("nonsense", "nonsense"),
        ("nonsense.part", "nonsense.part"),
    ],
)
def test_the_name_of_a_setting(key: str, name: str) -> None:
    assert typed_words.setting_name(key) == name


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *(
            (word, True)
            for word in (
                "y",
                "YES",
                "Ok",
                "ｏｋ",
                "好",
                "好的",
                "好的。",
                " 行！",
                "可以",
                "嗯",
                "嗯嗯",
                "是",
                "确认",
            )
        ),
        *((word, False) for word in ("n", "No", "不", "不了", "不要", "算了。", "别", "取消")),
        *((word, None) for word in ("", "\n", "什么意思", "好像不对", "yesterday", "不知道", "？")),
    ],
)
def test_an_answer_is_a_yes_or_a_no_or_neither(said: str, meant: bool | None) -> None:
    assert typed_words.yes_or_no(said) is meant
