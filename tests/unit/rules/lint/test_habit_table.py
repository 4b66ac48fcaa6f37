"""Each row of the table of habits: its words, its pattern, its limit."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint import habit_table, habits
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.samples import HEAD, PLAIN, advised, expand

HABITS = [
    (1, "不禁", "她不禁退了。她忍不住笑。", "城里不禁火。城里不禁酒。"),
    (2, "缓缓", "他缓缓走，微微笑，轻轻放，默默看。", "他缓了一缓。"),
    (3, "一丝", "他有一抹笑。她有一丝寒意。", "一股药味钻出来。一缕线头。"),
    (4, "突然", "门猛地开了。他突然停。灯忽然灭。", "天冷得厉害。"),
    (5, "说不清", "莫名地冷。某种奇怪的情绪。", "某种蘑菇有毒。某种鱼。"),
    (6, "深邃", "深邃的夜。复杂的目光。", "复杂的锁，复杂的账。"),
    (7, "四字语", "山崩石裂，鬼哭神嚎，飞沙走石。", "他走进去，坐了下来，叹了口气。"),
    (7, "四字语", "山崩石裂，一日千里，三三两两。", "四十一号，四十二号，四十三号。"),
    (7, "四字语", "七上八下，一五一十，千千万万。", "三号库房，四号库房，五号库房。"),
    (7, "四字语", "甲字三号，一心一意，五湖四海。", "一百零三，二十斤盐，三百二十。"),
    (8, "命运", "命运、意义、信念。", "要命的雨。"),
    (9, "不是", "那不是怕，而是饿。不是冷。是饿。", "他是不是走了，是我错了。不是你就是他。"),
    (10, "看似", "看似平静，实则发慌。与其说怕。", "看似要下雨。看似没人。"),
    (11, "没有", "没有风，没有人，只有灯。", "没有米，只有糠。"),
    (12, "同一个字", "他走，他停，他看。灯亮，灯暗，灯灭。", "他走，灯亮，他停。他走，灯暗，他看。"),
    (13, "带着", "他笑，带着几分得意。声音不大，却冷。", "他来了，带着两筐梨。声音不大，听不清。"),
    (15, "短句", "走。停。看。听。摸。笑。", "走。停。看。他把灯提起来照了照路。听。摸。笑。"),
    (16, "了一下", "看了一眼，停了一下，喝了一声，叹了口气，哼了声。", "了结一下账目，歇一歇。"),
    (18, "段尾", "他终于明白了。\n\n这意味着完了。", "他终于到了。\n\n这意味着“走”。"),
    (22, "天气", "夜色渐浓，长街无人。", "老何踩着月光回家。"),
    (24, "直说", "她感到不安。她觉得恐惧。心里充满愤怒。", "他感到脚下的板松了。"),
    (25, "五味", "一时百感交集。五味杂陈。", "百感丸卖完了。"),
    (26, "众人", "众人哗然。全场死寂。", "众人散了。全场的灯亮着。"),
    (27, "意识到", "他意识到。她明白。他判断。他推测。", "他知道路。门明白着。"),
    (28, "瞳孔", "她瞳孔微缩。嘴角勾起。", "他嘴角沾着饭粒，眼里进了沙。"),
    (29, "深吸", "他深吸了口气。指节发白。", "指节上有茧，心里有数。"),
    (30, "点头", "他点了点头。她摇头。良久。", "沉默是规矩。头疼。"),
    (54, "停了", "他停了一拍。她没有作声。站了好一会儿。看了半天。", "他停了火。站了三天。没说完的话。"),
    (31, "目光", "目光落在桌上。视线扫过。目光移向门。", "目光短浅。"),
    (32, "淡淡", "他淡淡地说。她沉声道。", "低声部唱得好。淡淡的茶。"),
    (34, "众所周知", "“众所周知，灯灭了。”\n“也就是说，走。”", "众所周知。也就是说。"),
    (35, "翻译", "言外之意是走。", "这话他听过。"),
    (36, "像", "像铜钱。像刀。仿佛雪。宛如梦。", "好像要下雨。画像歪了。不像话。想像不到。"),
    (37, "潮水", "像潮水。像一头困兽。", "像一碗凉粥，潮水退了。"),
    (38, "才会", "那种等过的人才会有的疲惫。那种久病才有的笑。", "那种米才好吃。"),
    (39, "空气", "空气凝固了。空气中弥漫着灰。气氛骤冷。", "空气不好。"),
    (40, "然而", "然而门没开。因此他走。", "虽然门没开。"),
    (41, "下一秒", "下一秒，灭。\n此刻，亮。\n此刻，暗。\n良久，走。", "下一秒钟表店。\n他此刻，走。"),
    (42, "首先", "首先，要粮；其次，要人。", "第一排坐着他，第二排没人。"),
    (43, "钟点", "三点十七分。四点二分。5点30分。", "三点到了，走了五分钟。"),
    (44, "升华", "真正的考验还在后面。", "他把门闩插上，闩是断的。"),
    (45, "预告", "他不知道的是，井是空的。", "他不知道井是空的。"),
    (50, "读者", "主角走了。", "他是个老读书人。"),
    (51, "半角", "走吧,别等。走！！", "他有 3,000 文，OK."),
    (51, "破折号", "走——停——看。", "走——"),
    (51, "省略号", "走……停……看……", "走……停……"),
    (52, "机制", "他进行了检查，做出了判断。", "他检查了，判断了。"),
    (53, "显然", "他摔了碗。显然，他气。他笑了。可见他懂。", "他显然饿了。他显然渴了。"),
]


@pytest.mark.parametrize(("rule", "name", "bad", "good"), HABITS)
def test_a_habit_over_its_limit_is_told_and_its_like_is_not(
    rule: int, name: str, bad: str, good: str
) -> None:
    (found,) = advised(bad, rule, name)
    assert found["count"] > found["allowed"]
    assert found["places"] and found["advice"]
    assert advised(good, rule, name) == []


@pytest.mark.parametrize(("rule", "name", "bad", "good"), HABITS)
def test_what_a_person_says_is_no_habit_of_the_narrator(rule: int, name: str, bad: str, good: str) -> None:
    if rule not in (34, 51):
        spoken = "\n".join(f"“{line}”" for line in bad.split("\n"))
        assert advised(spoken, rule, name) == []


# (number, name, limit, per, stream, texts that count once each: words and the pattern's alternatives)
ROWS = [
    (1, "不禁、忍不住", 1, "k", "⟨不禁|不由得|不由自主|情不自禁|忍不住⟩"),
    (2, "缓缓、微微", 3, "k", "⟨缓缓|微微|轻轻|淡淡|默默|静静⟩"),
    (
        3,
        "一丝、一抹",
        1,
        "k",
        "⟨一丝|一抹|一缕|一股|几分⟩旧旧的⟨意|色|光芒|笑|怒|冷|暖|悲|慌|情绪|气息|无奈|愁⟩",
    ),
    (4, "突然、猛地", 2, "k", "⟨突然|忽然|猛地|猛然|骤然|陡然|瞬间|刹那⟩"),
    (5, "说不清、莫名", 1, "k", "某种旧旧的⟨感|情绪|东西|意味⟩"),
    (5, "说不清、莫名", 1, "k", "⟨说不清|道不明|难以言喻|难以形容|莫名⟩"),
    (6, "深邃、前所未有", 1, "k", "复杂的⟨目光|眼神|神色|情绪|表情⟩"),
    (6, "深邃、前所未有", 1, "k", "⟨深邃|璀璨|凛冽|不容置疑|前所未有⟩"),
    (8, "命运、意义", 2, "k", "⟨命运|宿命|救赎|羁绊|信念|意义|本质⟩"),
    (9, "不是甲，而是乙", 1, "c", "不是甲⟨，|,|。⟩⟨而是|是⟩乙"),
    (
        10,
        "看似、与其说",
        1,
        "c",
        "⟨看似新，实则|看似新，其实|表面上新，实际|表面新，实际|表面上新，暗地里|与其说⟩旧",
    ),
    (11, "没有，没有，只有", 0, "c", "没有风⟨，|。⟩⟨|也⟩没有人⟨，|。⟩⟨只有|只剩⟩灯"),
    (13, "，带着几分", 1, "k", "他笑，⟨带着|透着|夹杂着|裹挟着⟩旧旧的⟨一丝|一抹|几分|不易|不容|难以|意味⟩"),
    (13, "，带着几分", 1, "k", "声音⟨不大|不高|很轻|平静⟩，却冷"),
    (16, "了一下、了一眼", 6, "k", "看了⟨一|两|几|⟩⟨下|眼|口气|声⟩"),
    (18, "段尾点题", 1, "c", "这⟨意味着|说明|就是⟩旧"),
    (18, "段尾点题", 1, "c", "那⟨意味着|说明|就是⟩旧"),
    (18, "段尾点题", 1, "c", "他⟨终于|这才|忽然⟩⟨明白|意识到|懂⟩了"),
    (24, "直说情绪", 2, "k", "⟨感到|感觉到|觉得|涌起|升起|泛起|涌上|充满⟩旧旧的愤怒"),
    (24, "直说情绪", 2, "k", "感到⟨愤怒|悲伤|恐惧|紧张|不安|失落|无奈|欣慰|温暖|绝望|孤独|愧疚|暖意|寒意⟩"),
    (25, "五味杂陈", 1, "c", "⟨五味杂陈|百感交集|心情复杂|思绪万千|心潮起伏|心潮澎湃|如释重负⟩"),
    (
        26,
        "众人震惊",
        1,
        "c",
        "⟨全场|众人|所有人|满座|四周|在场⟩都⟨震惊|哗然|倒吸|目瞪口呆|鸦雀无声|死寂|一片寂静⟩",
    ),
    (27, "他意识到、他明白", 3, "k", "⟨他|她⟩⟨意识到|判断|分析|推测|清楚知道|清楚地知道|明白⟩"),
    (28, "瞳孔、嘴角、眉头", 1, "k", "瞳孔微⟨缩|收⟩"),
    (28, "瞳孔、嘴角、眉头", 1, "k", "⟨嘴|唇⟩角微⟨扬|勾|翘|弧⟩"),
    (28, "瞳孔、嘴角、眉头", 1, "k", "眼⟨中|底|里|神⟩⟨闪|掠⟩过"),
    (28, "瞳孔、嘴角、眉头", 1, "k", "⟨眉头皱|眉心皱|眉头蹙|目光一凝|目光一闪|目光微闪⟩"),
    (
        29,
        "深吸口气、指节发白",
        1,
        "k",
        "⟨深吸一口气|倒吸一口凉气|指节泛白|指尖泛白|指节发白|喉结滚动|喉头滚动|喉结发紧⟩",
    ),
    (29, "深吸口气、指节发白", 1, "k", "⟨心头|心中|心脏⟩⟨一震|一凛|一紧|一沉⟩"),
    (29, "深吸口气、指节发白", 1, "k", "⟨后|脊⟩背⟨发凉|冷汗⟩"),
    (
        30,
        "点头、摇头、沉默片刻",
        2,
        "k",
        "⟨点头|点了点头|点了头|摇头|摇了摇头|摇了头|沉默片刻|沉默了片刻|沉默良久|沉默了良久|沉默一瞬|沉默了一瞬⟩",
    ),
    (30, "点头、摇头、沉默片刻", 2, "k", "⟨沉默了几秒|沉默了很久|顿了顿|顿了一下|良久⟩"),
    (54, "停了一拍、半天没有作声", 3, "c", "⟨停|顿|愣|怔⟩了⟨一拍|几拍|停|一瞬⟩"),
    (54, "停了一拍、半天没有作声", 3, "c", "⟨停|站|坐|看|想|捏|静|沉默⟩了⟨会儿|好会儿|有一会儿|老半天⟩"),
    (54, "停了一拍、半天没有作声", 3, "c", "静了⟨一阵|半晌⟩"),
    (54, "停了一拍、半天没有作声", 3, "c", "⟨没|没有⟩⟨作声|吭声|出声|接话|搭话|答话|说话⟩"),
    (31, "目光落在、扫过", 2, "k", "⟨目光|视线⟩⟨落在|落到|扫过|移向|投向|停在⟩"),
    (32, "淡淡地说、沉声道", 1, "k", "⟨淡淡|冷冷|沉声|轻声|缓缓|低声|平静⟩⟨|地⟩⟨说|道|开口|问⟩"),
    (35, "替台词做翻译", 0, "c", "⟨这话的意思|这句话的意思|言外之意⟩"),
    (35, "替台词做翻译", 0, "c", "⟨他|她⟩这⟨么|样⟩⟨说|做⟩⟨|，⟩⟨|其实⟩是⟨因为|为了|想⟩"),
    (36, "像、仿佛", 3, "k", "⟨像|如同|仿佛|宛如|宛若|犹如|好似|恍若⟩刀"),
    (37, "像潮水、像野兽", 1, "c", "⟨像|如|似⟩⟨|一道|一把|一头|一尊|一只⟩潮水"),
    (37, "像潮水、像野兽", 1, "c", "像⟨潮水|利刃|刀锋|闪电|野兽|雕像|冰锥|困兽|断线的|惊雷⟩"),
    (
        38,
        "那种人才会有的神情",
        1,
        "c",
        "⟨一种|那种|一个⟩久病才⟨会|有|能⟩⟨有|⟩的⟨表情|神情|语气|眼神|笑|疲惫|平静⟩",
    ),
    (39, "空气凝固、弥漫着", 1, "c", "空气⟨|中|里⟩⟨弥漫|充满|仿佛|似乎|骤然|⟩⟨着|凝固|凝滞⟩"),
    (39, "空气凝固、弥漫着", 1, "c", "⟨气氛骤|气氛陡|气氛瞬|气氛凝|时间仿佛|世界仿佛⟩"),
    (
        40,
        "然而、因此、与此同时",
        1,
        "k",
        "⟨然而|因此|此外|与此同时|值得一提|值得注意|由此可见|总而言之|换言之⟩",
    ),
    (40, "然而、因此、与此同时", 1, "k", "⟨从而|进而|毫无疑问|事实上|更重要的是|更可怕的是⟩"),
    (
        41,
        "段首的此刻、下一秒",
        3,
        "c",
        "⟨| |　⟩⟨此刻|这一刻|此时此刻|就在这时|下一秒|下一刻|片刻后|良久⟩⟨，|,⟩灭",
    ),
    (
        42,
        "首先、其次",
        0,
        "c",
        "⟨首先，要粮；其次|第一，要粮；第二|第一、要粮；第二、|一是粮二是|其一粮；其二⟩，人",
    ),
    (42, "首先、其次", 0, "c", "第一⟨，|、⟩要粮；第二⟨，|、⟩要人"),
    (
        43,
        "精确到分的钟点",
        2,
        "c",
        "⟨零|〇|一|二|三|四|五|六|七|八|九|十|两|5⟩点⟨一|零|〇|二|三|四|五|六|七|八|九|十|5⟩分",
    ),
    (45, "旁白预告", 0, "c", "⟨他|她|谁也|谁都⟩⟨|并⟩⟨不知道|没想到|没有想到⟩的是"),
    (45, "旁白预告", 0, "c", "⟨多年|很久⟩⟨|以⟩后⟨他|她⟩才⟨知道|明白⟩"),
    (45, "旁白预告", 0, "c", "殊不知"),
    (50, "主角、读者、伏笔", 0, "c", "⟨主角|读者|伏笔⟩"),
    (51, "破折号", 1, "k", "走⟨——|———⟩停"),
    (51, "省略号", 2, "k", "走⟨……|…|...|....⟩停"),
    (
        52,
        "进行了、机制、维度",
        1,
        "k",
        "⟨核心动机|核心诉求|核心矛盾|核心目标|信息差|利益最大化|进行了|作出了|做出了|在此基础上|机制|维度|层面⟩",
    ),
    (52, "进行了、机制、维度", 1, "k", "⟨闭环|底层逻辑⟩"),
    (53, "句后的“显然”", 1, "c", "灯灭。⟨显然|很明显|很显然|看得出|可见⟩⟨，|,|他|她⟩旧"),
]
ENDING = [
    "新的⟨开始|篇章|征程⟩。",
    "真正的⟨考验|较量|战斗⟩。",
    "风暴⟨来临|酝酿|将至⟩。",
    "⟨明白|懂得⟩了旧旧的⟨意义|真谛|道理⟩。",
    "⟨才刚刚开始|才刚开始|注定|命运⟩。",
]
OPENING = [
    "⟨|　⟩⟨清晨|黄昏|夜幕|夜色|夜深|月光|阳光|晨光|窗外|天色|雨声|雨水|雨丝|微风⟩来了。",
]
SPEECH = ["⟨众所周知|如你所知|你应该知道|也就是说|换句话说|简单来说⟩"]
INNOCENT = [
    (1, "不禁⟨火|酒|烟|赌|止⟩"),
    (3, "一丝⟨意外|意见⟩"),
    (5, "某种感冒"),
    (9, "⟨是不是甲，是乙|不是吗，是乙|不是吧，是乙|不是么，是乙|不是甲，是吗|不是甲，是否⟩"),
    (9, "不是甲，是⟨吗|吧|么|否|不⟩"),
    (16, "看了⟨一下他|一眼灯⟩"),
    (30, "⟨点头儿|指点头部⟩"),
    (36, "⟨好|不|偶|图|影|录|头|石|画|肖|塑|雕|神|想⟩像刀"),
    (36, "像⟨话|样|素⟩刀"),
    (40, "因此地"),
    (43, "三点三分钟"),
    (53, "灯灭。可见度低"),
]


def counted(text: str, times: int, number: int, name: str) -> int:
    """How often the row counts the text, written so many times, each in a paragraph of its own."""
    (row,) = [row for row in habit_table.ROWS if (row.number, row.name) == (number, name)]
    sheet = Sheet(HEAD + f"{PLAIN}\n\n" + "\n\n".join([f"{text}。"] * times) + f"\n\n{PLAIN}")
    return len(list(habits._row_places(row, habits.Streams(sheet))))


@pytest.mark.parametrize(("number", "name", "limit", "per", "template"), ROWS)
def test_every_word_of_a_row_counts(number: int, name: str, limit: float, per: str, template: str) -> None:
    assert [text for text in expand(template) if counted(text, 3, number, name) != 3] == []


@pytest.mark.parametrize("template", ENDING)
def test_every_word_of_an_ending_counts(template: str) -> None:
    found = {text: [one["count"] for one in advised(f"{PLAIN}\n\n{text}", 44)] for text in expand(template)}
    assert [text for text, counts in found.items() if counts != [1]] == []
    assert all(advised(f"{text}\n\n{PLAIN * 7}", 44) == [] for text in found)


@pytest.mark.parametrize("template", OPENING)
def test_every_word_of_an_opening_counts(template: str) -> None:
    found = {text: [one["count"] for one in advised(text, 22)] for text in expand(template)}
    assert [text for text, counts in found.items() if counts != [1]] == []
    assert all(advised(f"{PLAIN}{text}", 22) == [] for text in found)


@pytest.mark.parametrize("template", SPEECH)
def test_every_word_of_speech_counts(template: str) -> None:
    found = {text: advised(f"“{text}，走。”他说。" * 2, 34) for text in expand(template)}
    assert [text for text, advice in found.items() if [one["count"] for one in advice] != [2]] == []


@pytest.mark.parametrize(("number", "template"), INNOCENT)
def test_a_longer_or_another_word_does_not_count(number: int, template: str) -> None:
    (name,) = {row.name for row in habit_table.ROWS if row.number == number}
    assert [text for text in expand(template) if counted(text, 1, number, name) != 0] == []


@pytest.mark.parametrize("word", ["点了点头", "摇了摇头", "沉默良久", "沉默了良久"])
def test_a_word_that_holds_another_is_one_place(word: str) -> None:
    (found,) = advised(f"{word}。{word}。{word}。", 30)
    assert [place["quote"].split("。")[-2] for place in found["places"][:2]] == [word, word]
    (row,) = [row for row in habit_table.ROWS if row.number == 30]
    sheet = Sheet(f"{HEAD}{word}。")
    assert list(habits._row_places(row, habits.Streams(sheet))) == [(len(HEAD), len(HEAD) + len(word))]


def test_limits_are_those_written_out_here() -> None:
    limits = {(number, name): (limit, per) for number, name, limit, per, _ in ROWS}
    others = {
        (22, "用天气、光线开头"): (0, "c"),
        (34, "众所周知、也就是说"): (1, "c"),
        (44, "末尾升华"): (0, "c"),
    }
    assert {(row.number, row.name): (row.limit, row.per) for row in habit_table.ROWS} == {**limits, **others}
    assert len(habit_table.ROWS) == len({*limits, *others}) == 41


def test_a_row_is_made_of_words_or_of_a_pattern() -> None:
    row = habit_table._words(1, "用词", "甲", 2, "k", "删", "甲 乙", "甲乙", habit_table.BODY)
    assert row == (1, "用词", "甲", 2, "k", "删", "body", ("甲", "乙"), ("甲乙",), (), None)
    assert habit_table._words(1, "用词", "甲", 2, "k", "删", "甲")[6:] == ("narration", ("甲",), (), (), None)
    for stream, places in (("paragraphs", [(0, 1), (2, 3)]), ("body", [(0, 1)])):
        row = habit_table._pattern(1, "用词", "甲", 2, "k", "删", stream, "甲 乙", "^甲", "丙")
        assert row[:-1] == (1, "用词", "甲", 2, "k", "删", stream, ("丙",), (), ("甲", "乙"))
        assert row.pattern is not None
        assert [found.span() for found in row.pattern.finditer("甲\n甲")] == places
    assert habit_table._pattern(1, "用词", "甲", 2, "k", "删", "body", "甲", "甲").words == ()


def test_kinds_that_weigh_are_those_of_the_table_but_for_marks_and_hints() -> None:
    kinds = list(dict.fromkeys(row.kind for row in habit_table.ROWS))
    assert (
        *("用词", "句式", "段落", "情绪", "动作微表情", "对话"),
        *("比喻", "连接词", "数字清单", "结尾升华", "说明书口吻"),
    ) == habit_table.COUNTED
    assert set(kinds) - set(habit_table.COUNTED) == {"提示", "标点"}


def test_rows_have_the_kind_of_their_number() -> None:
    kinds = {row.number: row.kind for row in habit_table.ROWS}
    expected = {
        "用词": (1, 2, 3, 4, 5, 6, 8),
        "句式": (9, 10, 11, 13, 16),
        "段落": (18, 22),
        "情绪": (24, 25, 26, 27),
        "动作微表情": (28, 29, 30, 31, 54),
        "对话": (32, 34, 35),
        "比喻": (36, 37, 38, 39),
        "连接词": (40, 41),
        "数字清单": (42, 43),
        "结尾升华": (44, 45),
        "提示": (50,),
        "标点": (51,),
        "说明书口吻": (52, 53),
    }
    assert kinds == {number: kind for kind, numbers in expected.items() for number in numbers}
