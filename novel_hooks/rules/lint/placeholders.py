"""Placeholders that a machine leaves and no narrator writes: `（待补充）`, `[TODO]`, `{{主角名}}`.

Tables for numbers 48 to 50 of `rules.lint.residue`. A place belongs to the first pattern that fits it:
`SHORT` is tried before `rules.lint.machine_phrases`, `WORDED` after it, and last of all `AROUND`: what stands
around a chapter, of a tool, a site, or the author to his readers. Source: craft notes §2.
"""

from __future__ import annotations

import re

from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.residue_kind import CHAPTERS, CLOSE, END, LINE, MARKS, OPEN, ResidueKind

_AS_A_THING = (
    "[ ]?(?:列表|清单|事项|应用|软件|文件|注释|标签|栏|里|上|的|和|是|还|有|三|四|几|这|那|级|届|型|-|先生"
    "|女士|小姐|公司|号)"
)
_NUMBER = "[约大概]{0,2}[一二三四五六七八九十百千万亿两几数零〇\\d,，NＮn]{1,10}"
_OPENS = "（(【[［〔〖{｛<＜〈"
_STAND_IN = (
    "(?=[^。！？\n]{0,10}(?:描写|情节|场景|对话|内容|细节|打斗|心理|环境|战斗|剧情|段落|过程|原文|下文))"
)
SHORT = (
    ResidueKind(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("TODO", "FIXME", "TBD", "XXX", "xxx", "PLACEHOLDER")),
        Pattern(r"(?<=[（(【\[])(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER)[^\n]{0,20}?(?=[）)】\]])"),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        tuple(a + b for a in "（(【[" for b in ("待", "以下省", "以上省", "中间省")),
        Pattern(
            "(?<=（|\\(|【|\\[)(?:待补|待续写|待填(?!的)|待完善|以下省略|以上省略|中间省略)[^，。！？\n]{0,20}"
            "(?=）|\\)|】|\\])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        (
            *(a + b for a in "（(【[{<" for b in ("主角", "角色", "人物")),
            "<姓",
            "{姓",
            "<人名",
            "{人名",
            "<地名",
            "{地名",
        ),
        Pattern(
            r"(?<=[（(【\[{<])(?:主角|角色|人物)(?:的?(?:姓名|名字|名称|名)|[A-Z\d])(?=[）)】\]}>])"
            r"|(?<=[{<])(?:主角|角色|姓名|人名|地名)(?=[}>])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        (
            "省略",
            "略）",
            "略)",
            "TODO",
            "FIXME",
            "TBD",
            "{{",
            "XXX",
            "xxx",
            "PLACEHOLDER",
            "laceholder",
            "占位符",
        ),
        Pattern(
            f"此处省略(?!{_NUMBER}字)[^。！？”」\n]{{0,8}}"
            f"|{LINE}[（(][中下后]?略[）)]|{LINE}占位符|(?:此处|这里)[^。！？，\n]{{0,4}}占位符"
            f"|(?:{LINE}|(?<=[。！？”」])[ ]?){MARKS}(?!{_AS_A_THING})" + r"|\{\{[^{}\n]{0,40}\}\}",
            re.M,
        ),
    ),
)
WORDED = (
    ResidueKind(
        49,
        "占位的话",
        tuple(
            a + b
            for a in _OPENS
            for b in ("此", "这", "该", "本", "待", "以", "中间", "插", "占位", "上接", "承接", "下接", "接")
        ),
        Pattern(
            f"(?<=[{OPEN}])[ ]?(?:(?:此处|这里|该处|本段|[这该]段)(?:[^{CLOSE}，。\n]{{0,20}}?"
            f"(?:(?:补充?|插入|描写|展开|续写|添加|填充?|占位|略去?)(?=[。 ]?[{CLOSE}])"
            f"|(?:补充?|插入|添加|展开|续写|填充?)(?:一[段场幕句些]|{_STAND_IN})|待(?:补|写|填|续|展开|添加|完善))"
            f"|[^{CLOSE}\n]{{0,20}}?省略)"
            f"|待(?:补|续写|填(?!的)|完善|扩写|写|添加|插入|修改)|占位(?=[符：:。 ]?[{CLOSE}])"
            "|(?:以下|以上|中间)省略"
            f"|插入(?=[{CLOSE}]|{_STAND_IN})"
            f"|(?:上接|承接|下接|接)(?:{CHAPTERS}|[上下]文|[上下]一?章))[^{CLOSE}\n]{{0,20}}(?=[{CLOSE}])"
        ),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        ("未完待续",),
        Pattern(r"(?<=[【\[［〔〖])未完待续|(?<=[（(])未完待续(?=[^\n]*\n\s*\S)"),
        False,
    ),
    ResidueKind(
        49,
        "占位的话",
        ("待", "字数不", "篇幅不"),
        Pattern(
            f"(?<=[{OPEN}])[^{OPEN}{CLOSE}\n]{{0,20}}"
            f"(?:待(?:补[充全写]?|续写|扩写|填[写充]?|完善|添加|插入)(?=[。 ]?[{CLOSE}])"
            f"|(?:字数|篇幅)不(?:足|够)[^{CLOSE}\n]{{0,20}})"
        ),
        False,
    ),
)

_MEND = (
    "(?:删去|删除|删掉|删减|增加|增补|补充|补上|调整|改为|改成|替换"
    "|压缩|精简|润色|优化|修正|统一|加强|弱化|重写)"
)
_OFFERS = (
    "(?:继续(?:往下)?(?:写|创作|生成)|接着(?:往下)?写|续写|扩写|写下去|往下写|写(?:完|出)?下一?章|生成下一?[章段]"
    "|(?:调整|修改|补充|润色|优化|丰富|增加|完善|展开)[^。！？，“”\n]{0,8}"
    "(?:节奏|细节|情节|剧情|语气|文风|风格|篇幅|章节|正文|字数|对话|描写|结局|设定|人设|版本|段落))"
)
_HERE = "(?:本站|本书网|本网站|小说网|笔趣阁|书库)"
_NUMBERED = "第[0-9０-９一二三四五六七八九十百千零〇两]{1,6}章"
_IN_A_BOOK = "(?<![书经典法诀谱册志律规约例卷》>])"
_THERE = (
    "(?:那[一]?[次回夜晚天场个盏句]|[里中](?:的|他|她|我|那|所|曾|就|已|埋|出现|提)|(?:所|就|曾|已经?)?(?:埋下|铺垫|出现过|提到|提过|写到|交代)"
    "|的(?:伏笔|铺垫|那|结尾|开头|末尾|情节|剧情|事)|(?:结尾|开头|末尾)[他她那的处]|[起开](?:始)?[，,他她就便])"
)
AROUND = (
    ResidueKind(
        49,
        "工具的话",
        (
            "nterrupted by",
            "imit reached",
            "usage limit",
            "API Error",
            "Continue generating",
            "continue generating",
        ),
        Pattern(
            r"\[?Request interrupted by user[^\n\]]{0,20}\]?"
            r"|(?:Claude|Codex|ChatGPT|GPT|AI|[Uu]sage|[Rr]ate|\d-hour|[Ww]eekly)[^\n。]{0,20}"
            r"(?:usage |rate )?limit reached[^\n]{0,40}"
            r"|You(?:['’]ve| have) (?:hit|reached) your [^\n]{0,20}limit[^\n]{0,40}"
            r"|API Error:? ?\d{3}[^\n]{0,40}|\[?[Cc]ontinue generating\]?"
        ),
        False,
    ),
    ResidueKind(
        49,
        "交稿的话",
        ("上限", "限制", "长度"),
        Pattern(
            f"[{OPEN}][^{CLOSE}。\n]{{0,6}}(?:输出|篇幅|回复|单次|token|Token|生成|(?:字数|长度)(?=[^{CLOSE}\n]{{0,30}}"
            f"(?:后续|下文|后文|下一|请回复|继续|省略|分段)))[^{CLOSE}\n]{{0,8}}(?:已?达到?|超出|超过|受|接近|有限)?"
            f"[^{CLOSE}\n]{{0,6}}(?:上限|限制|长度)[^{CLOSE}\n]{{0,40}}[{CLOSE}]"
        ),
        False,
    ),
    ResidueKind(
        49,
        "交稿的话",
        tuple(a + b for a in ("要", "望", "让", "用", "否") for b in ("我", "继续", "接着")),
        Pattern(
            f"{LINE}(?:(?:请问|那么)[，,]?[您你]?|您)(?:还)?(?:是否|要不要)?(?:希望|需要|想要|想让|想|要|用)?(?:我|让我)?"
            f"(?:再|来|帮[你您])?{_OFFERS}[^。！？\n]{{0,12}}[？?]{END}",
            re.M,
        ),
    ),
    ResidueKind(
        49,
        "修改说明",
        tuple(
            a + b for a in ("修改", "修订", "润色", "改动", "调整", "更新") for b in ("说明", "要点", "备注")
        ),
        Pattern(
            f"{LINE}[{OPEN}][ ]?(?:本[章次稿])?(?:修改|修订|润色|改动|调整|更新)(?:说明|要点|备注)[：:]"
            f"[^{CLOSE}\n]{{0,30}}?{_MEND}[^\n]{{0,40}}",
            re.M,
        ),
    ),
    ResidueKind(
        49,
        "网站的话",
        ("一秒记住", "秒记住"),
        Pattern(f"(?:天才)?[一1]秒记住[^。！？\n]{{0,12}}(?:{_HERE}|地址|域名|网址)[^\n]{{0,30}}"),
        False,
    ),
    ResidueKind(49, "占位的话", ("待续",), Pattern(r"(?<=[【\[［〔〖])待续(?=[】\]］〕〗])"), False),
    # --- what may be of the story: told, where a narrator says it
    ResidueKind(
        49,
        "问要不要接着写",
        ("？", "?"),
        Pattern(
            f"{LINE}(?:请问)?[您你]?(?:还)?(?:是否|要不要|需不需要)?(?:希望|需要|想要|想让|要不要|用不用)(?:我|让我)"
            f"(?:再|来|帮[你您])?[^。！？，“”\n]{{0,4}}{_OFFERS}[^。！？\n]{{0,12}}[？?]{END}"
            f"|{LINE}(?:是否|要不要|需要)(?:继续|接着)(?:写|续写|往下写|生成|创作)[^。！？\n]{{0,8}}[？?]{END}"
            f"|{LINE}(?:请问)?[您你]?(?:还)?(?:是否)?(?:需要|希望|想让|要不要)我(?:继续|接着)(?:吗|么)?[？?]{END}",
            re.M,
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        49,
        "请人回复继续",
        ("继续", "下一章"),
        Pattern(
            "(?:请|可以?|只需)?(?:直接)?(?:回复|输入|发送|回)[ ]?[“「『\"'‘]?(?:继续|下一章)[”」』\"'’]?"
            "[^。！？\n]{0,16}"
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        49,
        "字数上限的话",
        ("上限", "限制"),
        Pattern(
            f"[{OPEN}][^{CLOSE}。\n]{{0,6}}(?:字数|长度)[^{CLOSE}\n]{{0,8}}(?:上限|限制)[^{CLOSE}\n]{{0,20}}[{CLOSE}…]?"
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        49,
        "修改说明",
        tuple(
            a + b for a in ("修改", "修订", "润色", "改动", "更新") for b in ("说明", "记录", "要点", "备注")
        ),
        Pattern(
            f"{LINE}[{OPEN}][ ]?(?:本[章次稿])?(?:修改|修订|润色|改动|更新)"
            "(?:说明|记录|要点|备注)[：:][^\n]{0,30}",
            re.M,
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        50,
        "作者的话",
        (
            "作者",
            "投票",
            "票票",
            "月票",
            "推荐票",
            "打赏",
            "盟主",
            "收藏",
            "订阅",
            "更新",
            "加更",
            "PS",
            "ps",
            "P.S",
            "ＰＳ",
            "笔者",
        ),
        Pattern(
            f"{LINE}[{OPEN}]?(?:作者(?:有话(?:要?说)?|的话|说|君|按|留言)|笔者(?:按|注))[：:][^\n]{{0,30}}"
            f"|{LINE}[{OPEN}]?(?:[PpＰｐ][.．]?[SsＳｓ][.．]?)[ ]?[：:][^\n]{{0,30}}"
            "|求(?:一?波|一下|些|几张|个|大家)?的?(?:月票|推荐票|推荐(?=[，。！、～~]|$)|收藏(?=[，。！、～~]|$)|订阅|追读|打赏|评论区|五星)"
            "|(?:感谢|谢谢)[^。！？\n]{0,6}(?:书友|读者|盟主|大佬|小可爱|宝子|老板|各位|大家)[^。！？\n]{0,16}(?:打赏|月票|推荐票|订阅|支持|投喂|加更)"
            "|(?:感谢|谢谢)[“「『][^”」』\n]{1,16}[”」』][^。！？\n]{0,6}(?:打赏|月票|推荐票|订阅|投喂)|求(?:各位|大家)?(?:投票|票票)"
            f"|{LINE}[{OPEN}]?(?:今[日天]|明[日天]|本周|今晚|明晚)[^。！？\n]{{0,8}}(?:[一二三四五六七八九十两0-9]更|加更|断更|请假一[天章])"
            "[^\n]{0,20}",
            re.M,
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        50,
        "点名第几章",
        ("章",),
        Pattern(
            f"{_IN_A_BOOK}{_NUMBERED}{_THERE}|(?:早在|远在|回到|正如|就像|自从){_NUMBERED}(?![程法鱼节])"
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        50,
        "点名前文",
        ("前文", "上文", "后文", "前面的章节", "上一卷", "前一卷"),
        Pattern(
            "(?:正如|如同?|像|见|参见|承接|呼应|照应)(?:前文|上文|后文|前面的?章节)(?:中|里)?"
            "(?:所|里|中)?(?:述|说|提到?|写|言|示|交代|描写|埋下|铺垫)?|(?:前文|上文|后文)(?:中|里)?(?:所|已)?"
            "(?:述|提到|提及|写过|交代|埋下|铺垫)"
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        50,
        "视角的记号",
        ("视角", "镜头", "场景切", "时间线", "画面切"),
        Pattern(
            f"{LINE}[{OPEN}][ ]?(?:(?:视角|镜头|场景|画面|时间线)(?:切换?|转换?|转到|切到)[：:到至，]?"
            f"|POV[：:])[^{CLOSE}\n]{{0,20}}"
            f"[{CLOSE}]{END}",
            re.M,
        ),
        sure=False,
        narrated=True,
    ),
    ResidueKind(
        48,
        "网址",
        (
            "www",
            "http",
            ".com",
            ".net",
            ".org",
            ".cn",
            ".cc",
            ".info",
            "．com",
            "ＷＷＷ",
            "网址",
            "首发",
            "最新章节",
            "本站",
            "阅读",
        ),
        Pattern(
            r"(?:https?://|[wWｗＷ]{3}[.．])[A-Za-z0-9._/?=&%．-]{2,80}"
            r"|(?<![A-Za-z0-9@._-])[A-Za-z0-9][A-Za-z0-9-]{0,30}(?:[.．][A-Za-z0-9-]{1,30}){0,3}[.．](?:com|net|org|cc|info|xyz|top|vip|cn)(?![A-Za-z0-9])"
            f"|(?:最新章节|无弹窗|无错|全文免费|手机用户|本书首发|首发网?址?)[^。！？\n]{{0,10}}(?:请(?:到|访问|浏览|登录)|阅读[，,。！]|网址|域名|{_HERE})[^\n]{{0,20}}"
            f"|(?:请(?:记住|收藏|牢记)){_HERE}[^\n]{{0,20}}"
        ),
        sure=False,
        narrated=True,
    ),
)
