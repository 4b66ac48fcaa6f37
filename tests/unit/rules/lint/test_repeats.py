"""Repeats: openings, phrases, earlier chapters, the plan, the last seam."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novel_hooks.rules.lint import repeats
from novel_hooks.rules.lint.repeats import Repeat
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.samples import HEAD, PLAIN, report

if TYPE_CHECKING:
    from collections.abc import Sequence


def han_narration(sheet: Sheet) -> repeats.HanText:
    return repeats.han_text(sheet.story, sheet.body, len(sheet.story))


def test_sentences_that_begin_alike() -> None:
    body = "".join(f"那盏灯亮了{i}回。" for i in "一二三四五")
    (found,) = report(body)["repeats"]["openings"]
    assert (found["text"], found["count"], found["places"][0]["line"]) == ("那盏", 5, 3)
    assert report(body, names=("那盏灯",))["repeats"]["openings"] == []
    assert report("".join(f"“那盏灯亮了{i}回。”" for i in "一二三四五"))["repeats"]["openings"] == []


def test_a_phrase_said_three_times_whole_and_once() -> None:
    body = "水声从船底漫上来，他笑。\n\n她说完，水声从船底漫上来。\n\n那夜水声从船底漫上来。"
    (found,) = report(body)["repeats"]["phrases"]
    assert (found["text"], found["count"]) == ("水声从船底漫上来", 3)
    assert [place["line"] for place in found["places"]] == [3, 5, 7]
    assert report("水声从船底漫上来。\n水声从船底漫上来。")["repeats"]["phrases"] == []


def test_words_of_earlier_chapters() -> None:
    before = HEAD + "那年他把半袋糙米埋在桥下。"
    found = report("他把半袋，糙米埋在桥下！", earlier=((6, "别的。"), (5, before)))["repeats"]["earlier"]
    assert [(one["text"], one["source"], one["places"][0]["line"]) for one in found] == [
        ("他把半袋糙米埋在桥下", "第 5 章", 3)
    ]
    assert report("“他把半袋糙米埋在桥下。”", earlier=((6, before),))["repeats"]["earlier"] == []


SIXTEEN = "沈渡收起塔上最后一盏灯交给守夜人"


def test_sixteen_characters_of_the_plan() -> None:
    assert len(SIXTEEN) == 16
    plan = (("大纲", f"- **Conflict**: {SIXTEEN}，河窄一分"), ("契约", "别的"))
    (found,) = report(f"他走。\n\n{SIXTEEN[:6]}，{SIXTEEN[6:]}。", plan=plan)["copied"]
    assert (found["text"], found["chars"], found["source"]) == (SIXTEEN, 16, "大纲")
    assert found["places"][0]["line"] == 5
    assert report(f"{SIXTEEN[1:]}。", plan=plan)["copied"] == []
    assert report(f"“{SIXTEEN}。”他起誓。", plan=plan)["copied"] == []
    assert report(f"{SIXTEEN}。", plan=plan, names=("沈渡",), whitelist=("沈渡", "一盏灯"))["copied"] != []
    assert report(f"{SIXTEEN}。", plan=plan, whitelist=(f"{SIXTEEN}。",))["copied"] == []


def test_a_paragraph_that_begins_in_the_midst_hides_no_copy() -> None:
    plan = (("契约", f"他{SIXTEEN}了。"),)
    (found,) = report(f"他走。\n\n{SIXTEEN[:6]}，\n\n{SIXTEEN[6:]}。", plan=plan)["copied"]
    assert (found["chars"], found["places"][0]["line"]) == (16, 5)
    end = ["灯灭了。", "他走了，没有回头。", "桨声远了。", "水面平得像没有人来过。"]
    before = HEAD + PLAIN * 3 + "\n\n" + "\n\n".join(end)
    (found,) = report("\n\n".join([*end, "天亮了。"]), earlier=((6, before),))["seam"]
    assert found["chars"] >= 20 and found["places"][0]["line"] == 3


def test_a_seam_that_repeats_the_last_end() -> None:
    end = "他把灯放在石阶上，蹲下去数台阶上的水印，数到第七个停了手。"
    before = HEAD + "开头。" * 300 + end
    (found,) = report(f"{end}\n\n然后走了。", earlier=((6, before),))["seam"]
    assert found["source"] == "上一章末尾"
    assert found["places"][0]["line"] == 3
    assert report("他把灯放在石阶上，走了。", earlier=((6, before),))["seam"] == []
    assert report(f"{end}", earlier=((6, HEAD + end + "别的话。" * 200),))["seam"] == []


def texts(found: Sequence[Repeat]) -> list[tuple[str, int, int]]:
    return [(one.text, one.chars, len(one.places)) for one in found]


def pieces(sheet: Sheet, found: Sequence[Repeat]) -> list[str]:
    return [sheet.text[start:end] for one in found for start, end in one.places]


def test_openings_that_come_five_times() -> None:
    sheet = Sheet(HEAD + "那盏灯亮了。" * 5)
    assert texts(repeats.repeated_openings(sheet, ())) == [("那盏", 2, 5)]
    assert pieces(sheet, repeats.repeated_openings(sheet, ())) == ["那盏"] * 5
    assert repeats.repeated_openings(Sheet(HEAD + "那盏灯亮了。" * 4), ()) == []


def test_the_share_of_an_opening_is_of_all_sentences() -> None:
    for others, found in ((57, ["那盏"]), (58, [])):
        body = "那盏灯亮了。" * 5 + "".join(f"{chr(0x4E00 + n)}河水平。" for n in range(others))
        assert [one.text for one in repeats.repeated_openings(Sheet(HEAD + body), ())] == found


def test_openings_are_two_han_characters_behind_blanks_and_quotes() -> None:
    body = "　那盏灯。”那盏灯。’那盏灯。」那盏灯。』那盏灯。"
    assert texts(repeats.repeated_openings(Sheet(HEAD + body), ())) == [("那盏", 2, 5)]
    for opening in ("a盏", "那a", "那，", "3盏"):
        assert repeats.repeated_openings(Sheet(HEAD + f"{opening}灯。" * 6), ()) == []
    assert repeats.repeated_openings(Sheet(HEAD + "那。" * 6), ()) == []
    for opening in ("一龿", "龿一"):
        assert texts(repeats.repeated_openings(Sheet(HEAD + f"{opening}灯。" * 6), ())) == [(opening, 2, 6)]


def test_the_most_frequent_opening_comes_first_and_a_name_is_none() -> None:
    sheet = Sheet(HEAD + "乙河平。" * 5 + "那盏灯。" * 6 + "丁河平。" * 5)
    assert [one.text for one in repeats.repeated_openings(sheet, ())] == ["那盏", "丁河", "乙河"]
    assert [one.text for one in repeats.repeated_openings(sheet, ("那盏灯", "", "丁"))] == ["丁河", "乙河"]


def test_allowed_texts_let_a_whole_repeat_pass() -> None:
    found = [Repeat("灯灭人归", 4, ((0, 4),)), Repeat("河水", 2, ((5, 7),))]
    assert repeats.without_allowed(found, ["灯，灭；人归！", "河"]) == found[1:]
    assert repeats.without_allowed(found, []) == found


def test_han_characters_with_their_places_and_breaks() -> None:
    assert repeats.han_text("走，停3看\n\n灯\x01油", 0, 10) == ("走停看\n灯\n油", [0, 2, 4, 5, 7, 8, 9])
    assert repeats.han_text("走，停3看\n灯", 1, 4) == ("停", [2])
    assert repeats.han_text("\n走\n停", 0, 4, "") == ("走停", [1, 3])
    assert repeats.han_text("㐀䶿一鿿ㇿ䷀ꀀa", 0, 8).text == "㐀䶿一鿿"
    sheet = Sheet(f"{HEAD}他走。“停。”看")
    assert han_narration(sheet) == ("他走\n看", [sheet.body + n for n in (1, 2, 4, 8)])


LINE = "水声从船底漫上来"


def phrases(body: str, names: tuple[str, ...] = ()) -> list[tuple[str, int, int]]:
    sheet = Sheet(HEAD + body)
    found = repeats.repeated_phrases(han_narration(sheet), names)
    return texts(found)


def test_phrases_of_six_said_three_times_the_longest_first() -> None:
    assert phrases("水声从船底，走。水声从船底。停水声从船底。") == []
    assert phrases("水声从船底漫。走水声从船底漫。停水声从船底漫。") == [("水声从船底漫", 6, 3)]
    assert phrases(f"{LINE}。走{LINE}。") == []
    assert phrases(f"{LINE}。走{LINE}。停{LINE}。看{LINE}。") == [(LINE, 8, 4)]
    body = f"桥头的灯灭了。{LINE}。走桥头的灯灭了。看{LINE}。停桥头的灯灭了，听{LINE}。"
    assert phrases(body) == [(LINE, 8, 3), ("桥头的灯灭了", 6, 3)]
    assert phrases("水声从\n\n船底漫。走水声从\n\n船底漫。停水声从\n\n船底漫。") == []
    assert phrases(f"“{LINE}。”“{LINE}。”“{LINE}。”") == []


def test_a_phrase_goes_on_as_long_as_all_its_places_do() -> None:
    body = f"{LINE}了又停。走{LINE}了又看。停{LINE}了又走。"
    assert phrases(body) == [(f"{LINE}了又", 10, 3)]
    assert phrases(f"{body}灯{LINE}。") == [(LINE, 8, 4), ("船底漫上来了又", 7, 3)]


def test_places_of_a_phrase_cover_the_marks_within_it() -> None:
    sheet = Sheet(f"{HEAD}水声，从船底漫。走水声从船底漫。停水声从，船底漫。")
    found = repeats.repeated_phrases(han_narration(sheet), ())
    assert pieces(sheet, found) == ["水声，从船底漫", "水声从船底漫", "水声从，船底漫"]


def test_a_phrase_of_which_a_name_is_half_is_none() -> None:
    body = "欧阳明日走了。看欧阳明日走了。停欧阳明日走了。"
    assert phrases(body) == [("欧阳明日走了", 6, 3)]
    assert phrases(body, ("欧阳明日",)) == phrases(body, ("欧阳明",)) == []
    assert phrases(body, ("欧阳", "", "上官明")) == [("欧阳明日走了", 6, 3)]


def shared(text: str, source: str) -> list[tuple[str, int, str]]:
    line = repeats.han_text(text, 0, len(text))
    found = repeats.repeats_of_earlier(line, [(7, source)])
    return [(one.text, one.chars, text[slice(*one.places[0])]) for one in found]


def test_shared_pieces_are_the_longest_of_ten_or_more() -> None:
    ten = "一二三四五六七八九十"
    assert shared(f"他{ten}走", f"甲{ten}乙") == [(ten, 10, ten)]
    assert shared(ten[:9], ten[:9]) == shared(ten, ten[:9]) == shared(ten[:9], ten) == []
    assert shared(ten, ten) == [(ten, 10, ten)]
    assert shared(f"走{ten}东南，西", f"{ten}东，南甲") == [(f"{ten}东南", 12, f"{ten}东南")]
    assert shared(f"{ten}东", f"{ten}东") == [(f"{ten}东", 11, f"{ten}东")]
    assert shared("一二三四五\n六七八九十", "一二三四五\n六七八九十") == []
    assert shared(f"{ten}走{ten}", f"甲{ten}") == [(ten, 10, ten)] * 2
    assert shared(f"{ten}{ten}", f"甲{ten}") == [(ten, 10, ten)] * 2
    assert shared("一二三四五，六七八九十东", ten) == [(ten, 10, "一二三四五，六七八九十")]
    assert shared(ten, "一二三四五\n六七八九十") == shared("一二三四五\n六七八九十", ten) == []
    assert shared(f"{ten}东南西北", f"{ten}东\n二三四五六七八九十东南西北") == [
        (f"{ten}东南西北", 14, f"{ten}东南西北")
    ]


def test_repeats_name_their_source() -> None:
    ten = "一二三四五六七八九十"
    line = repeats.han_text(ten, 0, 10)
    found = repeats.repeats_of_earlier(line, [(9, "别的"), (7, ten), (6, ten)])
    assert [one.source for one in found] == ["第 7 章", "第 6 章"]
    sheet = Sheet(f"{HEAD}{SIXTEEN}")
    copied = repeats.copied_from_plan(sheet, [("大纲", SIXTEEN), ("契约", f"甲{SIXTEEN}")])
    assert [(one.source, one.chars) for one in copied] == [("大纲", 16), ("契约", 16)]
    assert (
        repeats.copied_from_plan(sheet, [("大纲", SIXTEEN[1:])]) == repeats.copied_from_plan(sheet, []) == []
    )


TWENTY = "东南西北春夏秋冬梅兰竹菊琴棋书画诗酒花茶"


def seam(body: str, before: str) -> list[tuple[str, int]]:
    return [(one.text, one.chars) for one in repeats.repeated_seam(Sheet(HEAD + body), HEAD + before)]


def test_a_seam_is_twenty_characters_of_the_last_five_hundred() -> None:
    assert seam(TWENTY, TWENTY) == [(TWENTY, 20)]
    assert seam(TWENTY[1:], TWENTY) == seam(TWENTY, TWENTY[1:]) == []
    assert seam(TWENTY, TWENTY + "走" * 480) == [(TWENTY, 20)]
    assert seam(TWENTY, TWENTY + "走" * 481) == []


def test_a_seam_begins_in_the_first_thousand_characters() -> None:
    gap = len(HEAD) - Sheet(HEAD).body
    assert seam("走" * (980 - gap) + TWENTY, TWENTY) == [(TWENTY, 20)]
    assert seam("走" * (981 - gap) + TWENTY, TWENTY) == []
    assert seam(f"“{TWENTY[:9]}。”\n\n“{TWENTY[9:]}。”", TWENTY[:5] + "。\n\n" + TWENTY[5:]) == [(TWENTY, 20)]
