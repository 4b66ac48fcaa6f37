"""Which sentences a packet gets: the newest of each, the first, each once, within the limit."""

from __future__ import annotations

from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.recall import selection
from novel_hooks.rules.recall.selection import Mention, Subject
from novel_hooks.rules.text import length

SHEN = Subject("person:shen-du", ("沈渡", "阿沈"))
DOCK = Subject("locations:沈渡口", ("沈渡口",))
LAMP = Subject("items:铜灯", ("铜灯",))
NAMES = Names([(one.id, one.words) for one in (SHEN, DOCK, LAMP)])


def say(chapter: int, text: str, *subjects: Subject) -> list[Mention]:
    return selection.mentions(chapter, text, subjects or (SHEN, DOCK, LAMP), NAMES.ids_in_text)


def test_a_sentence_is_about_all_whom_it_names_the_longest_name_counts() -> None:
    found = say(3, "# 第 3 章 铜灯\n\n阿沈把铜灯搁下。\n沈渡口没有人。\n天亮了。\n")
    assert [(m.place, m.text, m.about) for m in found] == [
        (3, "阿沈把铜灯搁下。", (SHEN.id, LAMP.id)),
        (4, "沈渡口没有人。", (DOCK.id,)),
    ]
    assert say(3, "沈渡口没有人。", SHEN) == []


def test_the_newest_chapters_and_the_first() -> None:
    named = dict.fromkeys([1, 2, 5, 6, 7, 9], "铜灯亮了一下，又灭了。") | {8: "没有灯。"}

    def mentions_of(chapter: int) -> list[Mention]:
        return say(chapter, named.get(chapter, ""), LAMP)

    use = selection.chapters_to_use
    assert use(LAMP.id, iter([9, 8, 7, 6, 5, 2, 1]), 1, mentions_of) == [9, 7, 6, 1]
    assert use(LAMP.id, iter([2, 1]), 1, mentions_of) == [2, 1]
    assert use(LAMP.id, iter([8]), 8, mentions_of) == []
    assert use(LAMP.id, iter([]), None, mentions_of) == []
    assert use(LAMP.id, iter([8] * 50 + [7]), None, mentions_of) == []


def test_one_of_each_chapter_before_a_second() -> None:
    listed = [
        *say(5, "铜灯亮着，亮了一整夜。\n铜灯灭了，河面黑下来。"),
        *say(3, "铜灯是父亲留下的一盏旧灯。"),
    ]
    chosen = selection.choose(listed, {LAMP.id: [5, 3]})
    assert [(m.chapter, m.text[:5]) for m in chosen] == [
        (5, "铜灯亮着，"),
        (5, "铜灯灭了，"),
        (3, "铜灯是父亲"),
    ]
    many = [*listed, *say(5, "\n".join(f"铜灯第{n}回亮起来，亮得很久。" for n in range(9)))]
    assert len(selection.choose(many, {LAMP.id: [5, 3]})) == selection.EACH


def test_a_sentence_where_they_meet_goes_first_and_stands_once() -> None:
    text = "沈渡从北边来，没有带灯。\n沈渡把铜灯搁在船头。\n铜灯。\n"
    chosen = selection.choose(say(4, text), {SHEN.id: [4], LAMP.id: [4]})
    shown = selection.document(chosen, {SHEN.id: "沈渡", LAMP.id: "铜灯"})
    assert shown == [
        {"about": "沈渡", "chapter": 4, "text": "沈渡从北边来，没有带灯。"},
        {"about": "沈渡、铜灯", "chapter": 4, "text": "沈渡把铜灯搁在船头。"},
        {"about": "铜灯", "chapter": 4, "text": "铜灯。"},
    ]


def test_a_full_sentence_goes_before_a_call() -> None:
    told = "沈渡把渡口的缆绳全收了起来，说今年冬天不再摆渡了。"
    (first, *_) = selection._queue(say(4, f"{told}\n“沈渡，借一口花椒水使使。”"), SHEN.id, [4])
    assert first.text == told


def test_the_same_words_of_two_chapters_stand_once() -> None:
    listed = [*say(4, "沈渡点起一盏灯来看。"), *say(2, "沈渡点起一盏灯来看。")]
    (chosen,) = selection.choose(listed, {SHEN.id: [4, 2]})
    assert chosen.chapter == 4


def test_who_was_named_longest_ago_comes_first_where_room_is_short() -> None:
    long = "他把那件事从头到尾又想了一遍，" * 5
    listed = [m for n in range(20, 3, -1) for m in say(n, f"沈渡第{n}回。{long}沈渡没有说话，{n}。")]
    listed += say(2, f"铜灯是旧的，{long}铜灯没有名字。")
    used = {SHEN.id: list(range(20, 3, -1)), LAMP.id: [2]}
    chosen = selection.choose(listed, used)
    assert chosen[-1].about == (LAMP.id,)
    every = [Mention(1, n, f"{n}" + "啊" * 88, (f"x{n}",)) for n in range(40)]
    kept = selection.choose(every, {f"x{n}": [1] for n in range(40)})
    assert 0 < sum(length.length(m.text) for m in kept) <= selection.MOST_CHARS and len(kept) < 40


def test_the_order_of_what_is_given_does_not_matter() -> None:
    listed = [m for n in (5, 3, 1) for m in say(n, "铜灯亮着，沈渡看了很久。\n沈渡走了，铜灯还亮着。")]
    used = {SHEN.id: [5, 3, 1], LAMP.id: [5, 3, 1]}
    assert selection.choose(listed, used) == selection.choose(listed[::-1], used)
