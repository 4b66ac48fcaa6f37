"""One kind of residue, and the pieces that the patterns of several tables are made of."""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.record import Record


class ResidueKind(Record):
    """One kind of residue; `source` is the pattern that finds it, in which `^` and `$` are ends of lines.

    The pattern is tried only in a text that has one of `signs`. If it is `speakable`, a character may say it,
    and it blocks only in narration. Other words (from rule 49 on) block everywhere but in quotes and on
    signs. If it is not `sure`, it may be part of the story and never blocks; of the same sort is `narrated`
    residue, which counts only where a narrator says it.
    """

    rule: int
    name: str
    signs: Sequence[str]
    source: str
    speakable: bool = True
    sure: bool = True
    narrated: bool = False


LATIN_BEFORE = "(?<![A-Za-z0-9_])"
MARKS = r"(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER|[Pp]laceholder)(?![A-Za-z0-9_])"
MODEL = "(?:AI|ai|人工智能|大?语言模型)(?:写作)?(?:助手|模型|语言模型|程序|系统)?"
CHAPTERS = "第[ 0-9０-９一二三四五六七八九十百千零〇两]{1,8}章"
LINE = "^[ \t\u3000]*"
END = "[ \t\u3000]*$"
OPEN, CLOSE = r"（(【\[［〔〖{｛<＜〈", r"）)】\]］〕〗}｝>＞〉"
_FULL = (
    "個爲為麼麽專嚴豐義書亂於億僅從優會傳餘內冊寫準減幾擊劃創刪製劇辦務動協單佔曆歷壓參發敘號後嗎場墊聲處"
    "備複復覆夠頭寶實將層屆幫幹庫應開張彈強當錄徑戰戶擴據換數斷無時暫術機來構標棟欄樓橋歡氣沒註潤滿點燒愛"
    "環現電畫盞碼稱簽簡類級純綱線組細終經結給統繼續編縮網聯艙節範薦補見觀規視覽計訂討讓議記論設訪訣評訴詩"
    "話該詳語說説請讀調謝譜貼費賞贅車轉軟載輯輸辭達過還這進遠違連鏈釋裡裏鋪錯鍵鏡長門問間閱閣隊隨頁項預題"
    "風饋魚關兩帶對遺體圖係鬥"
)
_SHORT = (
    "个为为么么专严丰义书乱于亿仅从优会传余内册写准减几击划创删制剧办务动协单占历历压参发叙号后吗场垫声处"
    "备复复复够头宝实将层届帮干库应开张弹强当录径战户扩据换数断无时暂术机来构标栋栏楼桥欢气没注润满点烧爱"
    "环现电画盏码称签简类级纯纲线组细终经结给统继续编缩网联舱节范荐补见观规视览计订讨让议记论设访诀评诉诗"
    "话该详语说说请读调谢谱贴费赏赘车转软载辑输辞达过还这进远违连链释里里铺错键镜长门问间阅阁队随页项预题"
    "风馈鱼关两带对遗体图系斗"
)
_PLAIN = str.maketrans(f"{_FULL}＜＞｛｝［］０１２３４５６７８９", f"{_SHORT}<>{{}}[]0123456789")


def fold(text: str) -> str:
    """Return the text, as long as before, in the characters of the patterns: no full width, no 繁體."""
    return text.translate(_PLAIN)
