"""The sentence by which a thread came up: by likeness, without its payoff."""

from __future__ import annotations

from novel_hooks.rules.recall import threads

THREAD = {
    "id": "loose-tooth",
    "description": "灯花的上门牙松动，她盼着换牙",
    "payoff": "秤台当众报出斤数",
    "history": [
        {"chapter": 2, "action": "planted", "detail": "灯花拿舌头顶门牙"},
        {"chapter": 5, "action": "advanced", "detail": "门牙掉落"},
        {"chapter": 5, "action": "advanced", "detail": "埋在枣树底下"},
        "坏的一条",
    ],
}
PROSE = """# 第 2 章 门牙松动

他下桥的时候天已经黑了。

“牙动了。”她拿舌头顶给他看，上门牙一翘一翘。

秤台当众报出斤数，没有人出声。
"""


def test_hints_are_what_the_thread_says_of_each_chapter() -> None:
    found = threads.hints(THREAD)
    assert list(found) == [2, 5]
    assert "舌头" in found[2] and "舌头" not in found[5] and "枣树" in found[5] and "换牙" in found[5]
    assert "门牙掉落" in found[5], "of each of its entries"
    assert not any("秤台" in hint for hint in found.values())
    assert threads.hints({"id": "x"}) == {} == threads.hints({"id": "x", "history": "坏"})


def test_the_sentence_most_like_the_hint() -> None:
    found = threads.sentence(2, PROSE, threads.hints(THREAD)[2], "loose-tooth")
    assert found is not None
    assert (found.chapter, found.text) == (2, "“牙动了。”她拿舌头顶给他看，上门牙一翘一翘。")
    assert found.about == ("loose-tooth",)


def test_what_is_like_nothing_gives_nothing() -> None:
    assert threads.sentence(2, PROSE, "灯的数目", "x") is None
    assert threads.sentence(2, PROSE, "", "x") is None
    assert threads.sentence(2, "", "舌头顶门牙", "x") is None
    assert threads.sentence(2, "# 第 2 章 舌头顶门牙\n", "舌头顶门牙", "x") is None


def test_of_two_sentences_the_one_with_the_rarer_words() -> None:
    prose = "铜灯灭了，铜灯又亮。\n\n铜灯灭了，船家划桨回渡口。\n\n铜灯灭了。\n"
    found = threads.sentence(2, prose, "铜灯灭时船家划桨", "x")
    assert found is not None and found.text == "铜灯灭了，船家划桨回渡口。"
