"""A table of the habits that make prose read as made by a machine. Source: craft notes §2, by its numbers.

A row counts its words as written, except inside the longer ones of `but`. It tries its pattern only where
one of its `signs` occurs, so that a clean text compiles little. In the streams CLAUSES and SENTENCES a line
is one clause or sentence, and `.` does not leave it: sets of Chinese marks make a pattern slow to compile.
`per` is "k" for 1,000 字, "c" for a chapter. No row blocks. Numbers without a row need code or a
reader; 54 is our own.
"""

from __future__ import annotations

import re

from novel_hooks.annotations import Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

NARRATION, CLAUSES, SENTENCES = "narration", "clauses", "sentences"
DIALOGUE, BODY, PARAGRAPHS, OPENING, ENDING = "dialogue", "body", "paragraphs", "opening", "ending"


class Row(Record):
    """One habit: counted in `stream`, allowed `limit` times."""

    number: int
    kind: str
    name: str
    limit: float
    per: str
    advice: str
    stream: str
    words: tuple[str, ...]
    but: tuple[str, ...]
    signs: tuple[str, ...]
    pattern: Pattern | None


def _words(
    number: int, kind: str, name: str, limit: float, per: str, advice: str,
    words: str, but: str = "", stream: str = NARRATION,
) -> Row:  # fmt: skip
    return Row(
        number, kind, name, limit, per, advice, stream, tuple(words.split()), tuple(but.split()), (), None
    )


def _pattern(
    number: int, kind: str, name: str, limit: float, per: str, advice: str,
    stream: str, signs: str, source: str, words: str = "",
) -> Row:  # fmt: skip
    pattern = Pattern(source, re.M if stream == PARAGRAPHS else 0)
    counted, wanted = tuple(words.split()), tuple(signs.split())
    return Row(number, kind, name, limit, per, advice, stream, counted, (), wanted, pattern)


_CUT = "删掉，让动作直接发生；不要换同义词"
_PLAIN = "直写后一项，或用一件事转过去"
_TAIL = "删掉段尾的感悟"
_CAUSE = "换成触动他的东西、他的选择和后果"
_OWN = "换成这个人独有的习惯、手里的东西、办砸的事"
_TALK = "让对话省略、打断，各有各的词"
_TRADE = "删掉或者白描；要留，留喻体出自本人行当的那一个"
_ORDER = "靠因果和先后，不靠路标"
_COUNT = "只留影响选择的数"
_STOP = "停在动作、物件或半句话上"
_WAY = "换成角色会说的词"

# fmt: off
ROWS: Sequence[Row] = (
    _words(1, "用词", "不禁、忍不住", 1, "k", _CUT,
        "不禁 不由得 不由自主 情不自禁 忍不住", "不禁火 不禁酒 不禁烟 不禁赌 不禁止"),
    _words(2, "用词", "缓缓、微微", 3, "k", _CUT, "缓缓 微微 轻轻 淡淡 默默 静静"),
    _pattern(3, "用词", "一丝、一抹", 1, "k", _CUT, CLAUSES, "一丝 一抹 一缕 一股 几分",
        "(?:一丝|一抹|一缕|一股|几分).{0,6}?(?:意(?!外|见)|色|光芒|笑|怒|冷|暖|悲|慌|情绪|气息|无奈|愁)"),
    _words(4, "用词", "突然、猛地", 2, "k", _CUT, "突然 忽然 猛地 猛然 骤然 陡然 瞬间 刹那"),
    _pattern(5, "用词", "说不清、莫名", 1, "k", "说出是什么，或者不说", CLAUSES, "某种",
        "某种.{0,8}?(?:感(?!冒)|情绪|东西|意味)", "说不清 道不明 难以言喻 难以形容 莫名"),
    _pattern(6, "用词", "深邃、前所未有", 1, "k", _CUT, NARRATION, "复杂的",
        "复杂的(?:目光|眼神|神色|情绪|表情)", "深邃 璀璨 凛冽 不容置疑 前所未有"),
    _words(8, "用词", "命运、意义", 2, "k", _CUT, "命运 宿命 救赎 羁绊 信念 意义 本质"),
    _pattern(9, "句式", "不是甲，而是乙", 1, "c", _PLAIN, PARAGRAPHS, "不是",
        r"(?<!是)不是(?!吗|吧|么)[^，。！？\n\x01]{1,20}[，,。]\s*(?:而是|是(?!吗|吧|么|否|不))"),
    _pattern(10, "句式", "看似、与其说", 1, "c", _PLAIN, SENTENCES, "看似 表面",
        "看似.{1,20}?(?:实则|其实)|表面上?.{1,24}?(?:实际|暗地里)", "与其说"),
    _pattern(11, "句式", "没有，没有，只有", 0, "c", "只留一条", NARRATION, "没有",
        r"没有[^，。\n\x01]{1,12}[，。]\s*也?没有[^，。\n\x01]{1,12}[，。]\s*(?:只有|只剩)"),
    _pattern(13, "句式", "，带着几分", 1, "k", "删掉后半句", SENTENCES, "带着 透着 夹杂着 裹挟着 声音",
        "，(?:带着|透着|夹杂着|裹挟着)[^，]{0,10}?(?:一丝|一抹|几分|不易|不容|难以|意味)"
        "|声音(?:不大|不高|很轻|平静)[^，]{0,4}，却"),
    _pattern(16, "句式", "了一下、了一眼", 6, "k", "删掉几处补语", CLAUSES, "了",
        "了(?:一|两|几)?(?:下|眼|口气|声)(?=[、\n])"),
    _pattern(18, "段落", "段尾点题", 1, "c", _TAIL, PARAGRAPHS,
        "这意味着 那意味着 这说明 那说明 这就是 那就是 终于 这才 忽然",
        r"(?:(?:这|那)(?:意味着|说明|就是)[^。\n\x01]*|(?:终于|这才|忽然)(?:明白|意识到|懂)[^。\n\x01]*)。\s*$"),
    _pattern(22, "段落", "用天气、光线开头", 0, "c", "从一个具体的人和正在变的局面写起", OPENING, "",
        r"(?:清晨|黄昏|夜幕|夜色|夜深|月光|阳光|晨光|窗外|天色|雨声|雨水|雨丝|微风)"),
    _pattern(24, "情绪", "直说情绪", 2, "k", _CAUSE, CLAUSES, "感到 感觉到 觉得 涌起 升起 泛起 涌上 充满",
        "(?:感到|感觉到|觉得|涌起|升起|泛起|涌上|充满).{0,9}?"
        "(?:愤怒|悲伤|恐惧|紧张|不安|失落|无奈|欣慰|温暖|绝望|孤独|愧疚|暖意|寒意)"),
    _words(25, "情绪", "五味杂陈", 1, "c", _CAUSE,
        "五味杂陈 百感交集 心情复杂 思绪万千 心潮起伏 心潮澎湃 如释重负"),
    _pattern(26, "情绪", "众人震惊", 1, "c", "写一两个人因此失了手", CLAUSES,
        "全场 众人 所有人 满座 四周 在场",
        "(?:全场|众人|所有人|满座|四周|在场).{0,10}?(?:震惊|哗然|倒吸|目瞪口呆|鸦雀无声|死寂|一片寂静)"),
    _pattern(27, "情绪", "他意识到、他明白", 3, "k", "写他因此做了什么", NARRATION,
        "意识到 判断 分析 推测 清楚 明白", "(?:他|她)(?:意识到|判断|分析|推测|清楚地?知道|明白)"),
    _pattern(28, "动作微表情", "瞳孔、嘴角、眉头", 1, "k", _OWN, CLAUSES,
        "瞳孔 嘴角 唇角 眼中 眼底 眼里 眼神 眉头 眉心 目光",
        "瞳孔.{0,2}(?:缩|收)|(?:嘴|唇)角.{0,5}?(?:扬|勾|翘|弧)|眼(?:中|底|里|神).{0,2}(?:闪|掠)过"
        "|眉(?:头|心).{0,3}(?:皱|蹙)|目光.{0,2}(?:一凝|一闪|微闪)"),
    _pattern(29, "动作微表情", "深吸口气、指节发白", 1, "k", _OWN, CLAUSES,
        "深吸 倒吸 指节 指尖 喉结 喉头 心头 心中 心脏 后背 脊背",
        "深吸.{0,3}口气|倒吸.{0,3}凉气|指(?:节|尖).{0,4}(?:泛白|发白)|喉(?:结|头).{0,4}(?:滚动|发紧)"
        "|心(?:头|中|脏).{0,3}(?:一震|一凛|一紧|一沉)|(?:后|脊)背.{0,4}(?:发凉|冷汗)"),
    _words(30, "动作微表情", "点头、摇头、沉默片刻", 2, "k", _OWN,
        "点头 点了点头 点了头 摇头 摇了摇头 摇了头 沉默片刻 沉默了片刻 沉默良久 沉默了良久"
        " 沉默一瞬 沉默了一瞬 沉默了几秒 沉默了很久 顿了顿 顿了一下 良久", "点头儿 指点头部"),
    _pattern(54, "动作微表情", "停了一拍、半天没有作声", 3, "c", "删掉，或让手里的活替他停", NARRATION,
        "拍 停 会儿 阵 半天 半晌 作声 吭声 出声 接话 搭话 答话 说话",
        "(?:停|顿|愣|怔)了(?:一拍|几拍|停|一瞬)"
        "|(?:停|顿|愣|怔|站|坐|看|想|捏|静|沉默)了(?:好|有|老)?(?:一?会儿|一?阵|半天|半晌)"
        "|没有?(?:作声|吭声|出声|接话|搭话|答话|说话)"),
    _pattern(31, "动作微表情", "目光落在、扫过", 2, "k", "直接写看见的东西", NARRATION, "目光 视线",
        "(?:目光|视线)(?:落在|落到|扫过|移向|投向|停在)"),
    _pattern(32, "对话", "淡淡地说、沉声道", 1, "k", "换成动作，或只留“说”", NARRATION,
        "淡淡 冷冷 沉声 轻声 缓缓 低声 平静", "(?:淡淡|冷冷|沉声|轻声|缓缓|低声|平静)地?(?:说|道|开口|问)"),
    _words(34, "对话", "众所周知、也就是说", 1, "c", _TALK,
        "众所周知 如你所知 你应该知道 也就是说 换句话说 简单来说", "", DIALOGUE),
    _pattern(35, "对话", "替台词做翻译", 0, "c", "删掉", NARRATION, "的意思 这么 这样",
        "这句?话的意思|(?:他|她)这(?:么|样)(?:说|做)，?(?:其实)?是(?:因为|为了|想)", "言外之意"),
    _pattern(36, "比喻", "像、仿佛", 3, "k", _TRADE, CLAUSES, "像 如同 仿佛 宛如 宛若 犹如 好似 恍若",
        "(?<!好|不|偶|图|影|录|头|石|画|肖|塑|雕|神|想)像(?!话|样|素).|(?:如同|仿佛|宛如|宛若|犹如|好似|恍若)."),
    _pattern(37, "比喻", "像潮水、像野兽", 1, "c", _TRADE, NARRATION,
        "潮水 利刃 刀锋 闪电 野兽 雕像 冰锥 困兽 断线的 惊雷",
        "(?:像|如|似)(?:一(?:道|把|头|尊|只))?(?:潮水|利刃|刀锋|闪电|野兽|雕像|冰锥|困兽|断线的|惊雷)"),
    _pattern(38, "比喻", "那种人才会有的神情", 1, "c", _OWN, CLAUSES, "才会 才有 才能",
        "(?:一种|那种|一个).{2,14}?才(?:会|有|能)有?的(?:表情|神情|语气|眼神|笑|疲惫|平静)"),
    _pattern(39, "比喻", "空气凝固、弥漫着", 1, "c", "写现场一件具体的东西", NARRATION, "空气 气氛",
        "空气(?:中|里)?(?:弥漫|充满|仿佛|似乎|骤然)?(?:着|凝固|凝滞)|气氛(?:骤|陡|瞬|凝)",
        "时间仿佛 世界仿佛"),
    _words(40, "连接词", "然而、因此、与此同时", 1, "k", _ORDER,
        "然而 因此 此外 与此同时 值得一提 值得注意 由此可见 总而言之 换言之 从而 进而 毫无疑问 事实上"
        " 更重要的是 更可怕的是", "因此地"),
    _pattern(41, "连接词", "段首的此刻、下一秒", 3, "c", _ORDER, PARAGRAPHS,
        "此刻 这一刻 就在这时 下一秒 下一刻 片刻后 良久",
        r"^(?:[ \t]|\u3000)*(?:此刻|这一刻|此时此刻|就在这时|下一秒|下一刻|片刻后|良久)(?=，|,)"),
    _pattern(42, "数字清单", "首先、其次", 0, "c", _COUNT, NARRATION, "首先 第一， 第一、 一是 其一",
        r"首先[^\x01]{0,80}?其次|第一(?:，|、)[^\x01]{0,80}?第二(?:，|、)|一是[^。\x01]{1,40}?二是"
        r"|其一[^\x01]{0,60}?其二"),
    _pattern(43, "数字清单", "精确到分的钟点", 2, "c", _COUNT, CLAUSES, "分",
        r"(?<=[零〇一二三四五六七八九十两\d])点[零〇一二三四五六七八九十\d]{1,3}分(?!钟)"),
    _pattern(44, "结尾升华", "末尾升华", 0, "c", _STOP, ENDING, "新的 真正的 风暴 明白 懂得 才刚",
        "新的(?:开始|篇章|征程)|真正的(?:考验|较量|战斗)|风暴.{0,6}(?:来临|酝酿|将至)"
        "|(?:明白|懂得).{0,11}?(?:意义|真谛|道理)|才刚刚?开始", "注定 命运"),
    _pattern(45, "结尾升华", "旁白预告", 0, "c", _STOP, NARRATION, "的是 后他 后她",
        "(?:他|她|谁也|谁都)并?(?:不知道|没有?想到)的是|(?:多年|很久)以?后(?:他|她)才(?:知道|明白)",
        "殊不知"),
    _words(50, "提示", "主角、读者、伏笔", 0, "c", "书中书、剧组文里可以有；否则换成人名", "主角 读者 伏笔"),
    _pattern(51, "标点", "破折号", 1, "k", "一段一处就够", BODY, "——", "——+"),
    _pattern(51, "标点", "省略号", 2, "k", "能说完的话说完", BODY, "… ...", r"…+|\.{3,}"),
    _words(52, "说明书口吻", "进行了、机制、维度", 1, "k", _WAY,
        "核心动机 核心诉求 核心矛盾 核心目标 信息差 利益最大化 进行了 作出了 做出了 在此基础上 机制 维度 层面"
        " 闭环 底层逻辑"),
    _pattern(53, "说明书口吻", "句后的“显然”", 1, "c", "删掉后一句", PARAGRAPHS, "显然 很明显 看得出 可见",
        r"。\s*(?:显然|很明显|很显然|看得出|可见)(?=，|,|他|她)"),
)
# fmt: on
COUNTED = (
    *("用词", "句式", "段落", "情绪", "动作微表情", "对话"),
    *("比喻", "连接词", "数字清单", "结尾升华", "说明书口吻"),
)
"""Kinds that weigh: a chapter with four of them over their limits is a grave case."""
