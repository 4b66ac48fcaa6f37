"""The author's list of words that a platform refuses."""

from __future__ import annotations

from novel_hooks.rules.publication.forbidden_words import Hit, hits, parse


def test_the_list() -> None:
    assert parse("# 平台的词\n血手 # 旧称\n\n  夜市  \n血手\n") == ["血手", "夜市"]


def test_each_line_of_each_word() -> None:
    text = "# 第 1 章\n\n他叫血手。\n血手走了。\n"
    assert [*hits(text, ["血手", "夜市"])] == [Hit("血手", 3, "他叫血手。"), Hit("血手", 4, "血手走了。")]
