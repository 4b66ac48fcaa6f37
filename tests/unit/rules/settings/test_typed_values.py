"""Settings as people type them; what is none stays as it was typed, to be refused with its words."""

from __future__ import annotations

import pytest

from novel_hooks.rules.settings import typed_values

JOINED = (
    *("1800-3000", "1800 - 3000", "1800到3000", "1800 至 3000", "1800~3000", "1800～3000", "1800〜3000"),
    *("１８００－３０００", "1800–3000", "1800—3000", "1800——3000", "1800−3000", "1800ー3000", "1800..3000"),
    *("1800…3000", "1800/3000", "1800 to 3000", "1800,3000", "1800，3000", "1800、3000", "1800 3000"),
    *("[1800, 3000]", "1800字到3000字", "1800到3000字", "每章1800-3000字", "从1800到3000", "1800-3000字左右"),
    *("1,800-3,000", "1.8k-3k", "1.8千到3千", "一千八百到三千", "1800∼3000", "1800﹣3000"),
)


@pytest.mark.parametrize("typed", JOINED)
def test_it_is_two_numbers_however_it_is_joined(typed: str) -> None:
    assert typed_values.parse("chapter_chars", typed) == [1800, 3000]


@pytest.mark.parametrize(
    "typed", ["1800", "三千", "1800-", "-3000", "1800-两三千", "1800-3000-4000", "短一点"]
)
def test_what_is_no_range_stays_as_it_was_typed(typed: str) -> None:
    assert typed_values.parse("chapter_chars", typed) == typed


@pytest.mark.parametrize(
    ("key", "words", "value"),
    [
        ("title", "三", "三"),
        ("title", " 长夜  将尽 ", " 长夜  将尽 "),
        ("genre", "7", "7"),
        ("currency", "１", "１"),
        ("models.draft", "4", "4"),
        ("stop_after", "写初稿，评审", ["draft", "judge"]),
        ("stop_after", "draft judge", ["draft", "judge"]),
        ("stop_after", "每一步", "every"),
        ("stop_after", "every", "every"),
        ("stop_after", "都不停", []),
        ("stop_after", "none", []),
        ("stop_after", "every, draft", ["every", "draft"]),
        ("stop_after", "none draft", ["none", "draft"]),
        ("stop_after", "入库", ["入库"]),
        ("stop_after", "", []),
        ("chapter_chars", "1800 2600", [1800, 2600]),
        ("daily_chars", "每天四千字", 4000),
        ("daily_chars", "4,000", 4000),
        ("daily_chars", "６千", 6000),
        ("daily_chars", "不少", "不少"),
        ("chapter_chars", "两千～三千", [2000, 3000]),
        ("chapter_chars", "1800-3000", [1800, 3000]),
        ("chapter_chars", "1800 - 3000", [1800, 3000]),
        ("chapter_chars", "１８００—３０００", [1800, 3000]),
        ("chapter_chars", "1800–3000", [1800, 3000]),
        ("chapter_chars", "两千到三千", [2000, 3000]),
        ("chapter_chars", "-5 10", "-5 10"),
        ("chapter_chars", "[１８００，2600]", [1800, 2600]),
        ("chapter_chars", "2000", "2000"),
        ("chapter_chars", "1 2 3", "1 2 3"),
        ("chapter_chars", "少 多", "少 多"),
        ("max_revisions", "三", 3),
        ("max_revisions", " ３ ", 3),
        ("max_revisions", "-1", "-1"),
        ("max_characters", "十二", 12),
        ("gate.pass", "4.25", 4.25),
        ("gate.pass", "４．５", 4.5),
        ("gate.pass", "4", 4),
        ("gate.pass", "高", "高"),
        ("gate.pass", "nan", "nan"),
        ("gate.pass", "1.2345678901", "1.2345678901"),
        ("gate.pass", "4.2分", 4.2),
        ("prices.sonnet.input", "123456789", 123456789),
        ("packet_chars.summarizer", "1234567890", 1_234_567_890),
        ("budget.run_tokens", "500万", 5_000_000),
        ("budget.run_tokens", "1.2亿", 120_000_000),
        ("budget.run_tokens", "5,000,000", 5_000_000),
        ("budget.run_tokens", "50000000000", 50_000_000_000),
        ("budget.run_tokens", "５００k tokens", 500_000),
        ("budget.chapter_tokens", "四十万词元", 400_000),
        ("budget.chapter_tokens", "1.23456万", 12_345.6),
        ("budget.chapter_tokens", "20元", "20元"),
        ("budget.run_money", "20词元", "20词元"),
        ("budget.run_money", "¥20", 20),
        ("budget.run_money", "1.25万元", 12_500),
        ("budget.run_money", "两亿", 200_000_000),
        ("budget.run_money", "20元", 20),
        ("budget.run_money", "二十块钱", 20),
        ("budget.run_money", "0.5", 0.5),
        ("budget.run_money", "不限", "不限"),
    ],
)
def test_typed_words_become_the_settings_value(key: str, words: str, value: object) -> None:
    parsed = typed_values.parse(key, words)
    assert parsed == value
    assert type(parsed) is type(value)


NUMBERS = (
    ("1e6", 1_000_000),
    ("1.5E6", 1_500_000),
    ("１００万", 1_000_000),
    ("１００Ｗ", 1_000_000),
    ("50w", 500_000),
    ("50 W", 500_000),
    ("5k", 5_000),
    ("５ｋ", 5_000),
    ("1,000,000", 1_000_000),
    ("１，０００，０００", 1_000_000),
    ("一百万", 1_000_000),
    ("约 3000", 3_000),
    ("不超过3000", 3_000),
)
NUMERIC = (
    *("daily_chars", "packet_chars.summarizer", "keep_versions", "backup_after", "max_characters"),
    *("budget.run_tokens", "budget.chapter_money", "prices.sonnet.input", "gate.pass", "max_revisions"),
)


@pytest.mark.parametrize("key", NUMERIC)
@pytest.mark.parametrize(("typed", "number"), NUMBERS)
def test_every_number_is_read_alike(key: str, typed: str, number: int) -> None:
    found = typed_values.parse(key, typed)
    assert (found, type(found)) == (number, int)


@pytest.mark.parametrize("key", NUMERIC)
@pytest.mark.parametrize("typed", ["-5", "五k五", "1e", "e6", "5kk", "1e-3", "", "很多", "1.2.3", "5㎏"])
def test_no_number_is_guessed(key: str, typed: str) -> None:
    assert typed_values.parse(key, typed) == typed


@pytest.mark.parametrize(
    ("key", "typed", "number"),
    [
        ("keep_versions", "100章", 100),
        ("backup_after", "十章", 10),
        ("max_revisions", "3轮", 3),
        ("max_characters", "十二人", 12),
        ("packet_chars.summarizer", "2.4万字", 24_000),
        ("prices.sonnet.input", "$3", 3),
        ("prices.sonnet.output", "15 美元", 15),
        ("daily_chars", "每天约四千字左右", 4000),
    ],
)
def test_a_number_with_its_measure(key: str, typed: str, number: int) -> None:
    assert typed_values.parse(key, typed) == number
