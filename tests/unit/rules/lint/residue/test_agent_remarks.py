"""Phrases of a machine about its work: every word of every pattern, and what a narrator writes."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint.residue import agent_remarks, placeholders
from unit.rules.lint.samples import PLAIN, blocked, residue, unblocked, unfound

CANNOT = "无法|不能|没办法|没法|不可以|不便|不会"
SORRY = "抱歉|对不起|不好意思|遗憾"
TEXTS = "内容|文本|正文|章节|后文|下文|故事|小说|情节|描写|场景|回答|回复"
PARTS = "章|正文|稿|段|情节|内容|故事|小说|描写|场景|续集|大纲"
WRITES = (
    "续写|重写|改写|润色|扩写|撰写|修改一章|调整一章|创作一章|生成一章|继续写一章|来写一章|开始写一章|写一章"
)
DIGITS = "7|0|9|０|９|一|二|三|四|五|六|七|八|九|十|百|千|零|〇|两| 3 "
SELF = "模型自称"
REFUSAL = "模型推辞"
HANDOVER = "交稿的话"

SELVES = [
    "作为⟨AI|ai|人工智能|语言模型|大语言模型⟩⟨|写作⟩⟨|助手|模型|语言模型|程序|系统⟩，续写。",
    "作为⟨|一个|一名|一款⟩AI⟨，|,|、|我|无|不⟩续写。",
    "作为AI，⟨写|创作|生成|情节|内容|续|描写|提供|协助|请求|要求|话题|个人经历|个人观点|个人情感⟩。",
    "作为⟨|一个|一名|一款⟩AI⟨，|,|、|⟩⟨|我⟩⟨|很|非常|深感|十分⟩⟨" + SORRY + "⟩。",
    "作为⟨|一个|一名|一款⟩⟨|大⟩语言模型⟨，|,|、|⟩我走了。",
    "我⟨|只⟩是⟨|一个|一款|一名|个|由桥上的⟩AI⟨，|,|。|⟩⟨" + CANNOT + "⟩⟨写|创作|生成|续写|撰写|扩写⟩。",
    "我是⟨AI|ai|人工智能|语言模型助手⟩，不会写。",
    "我⟨|只⟩是⟨|一个|一款|一名|个⟩⟨|AI|大⟩语言模型。",
]
REFUSALS = [
    *(f"我{cannot}⟨为你|为您|给你|给您⟩⟨提供|生成|续写|创作|撰写⟩一座桥。" for cannot in ("无法", "不能")),
    *(f"我{cannot}⟨|继续⟩⟨提供|生成⟩这样的⟨{TEXTS}⟩了。" for cannot in ("无法", "不能")),
    "⟨抱歉|对不起|很遗憾⟩⟨，|,⟩我⟨无法|不能|没办法⟩⟨提供|生成|协助|续写|创作|撰写⟩⟨你|您|这|该|此|任何⟩桥。",
    "很遗憾，我没办法⟨满足|完成⟩您的⟨请求|要求|章|段|正文|故事|小说|续写⟩。",
    *(
        f"我{cannot}⟨|继续⟩⟨续写|创作|撰写|协助|满足⟩这样的⟨请求|要求|章节|正文|文本|故事|小说|内容⟩。"
        for cannot in ("无法", "不能", "没办法")
    ),
    "⟨As an AI|as an AI|An AI language model|As a language model|as a language model⟩ it is.",
    "As a large language model it is.",
    "I⟨'m|’m| am⟩ ⟨|very |truly |really ⟩sorry⟨,|⟩ but I ⟨cannot|can not|can't|can’t|won't|won’t⟩ write.",
    "I'm sorry, but I am ⟨unable to|not able to⟩ ⟨write|do that|assist⟩.",
    "I ⟨|sincerely ⟩apologi⟨z|s⟩e⟨,|⟩ ⟨but|for⟩ all.",
    "I ⟨cannot|can not|can't|can’t|won't|won’t|will not|must decline to⟩ ⟨assist|fulfil|fulfill|comply⟩.",
    "I cannot continue ⟨with|writing|this scene|the scene|that scene⟩ it.",
    "I cannot ⟨provide|generate|create|produce|write|complete⟩ this.",
    "I cannot provide ⟨the|that|such|any|more|content|explicit|sexual|violent|graphic|material|text⟩ it.",
    "I cannot ⟨help with|help you with|continue.|continue。|continue,|continue!|continue⟩",
    "I⟨'m|’m| am⟩ ⟨unable|not able⟩ to assist.",
    f"⟨{SORRY}⟩⟨，|,|。|！|!| |，！⟩⟨|但|但是|不过⟩⟨|作为桥，⟩我⟨|实在|暂时|目前|恐怕⟩⟨{CANNOT}⟩讨论。",
    "抱歉，我无法⟨再|继续|为你|为您|给你|给您|帮你|帮您|按|直接⟩讨论。",
    "抱歉，我没法⟨续写|创作|撰写|扩写|生成|协助|满足|完成|提供|讨论|处理|回答⟩⟨。|！|!|⟩",
    f"抱歉，我没法讨论这座桥的⟨请求|要求|话题|章|{TEXTS}⟩了。",
    "抱歉，我没法写⟨|下去|出来⟩⟨这|此|该|任何|类似|涉及|带有|包含|色情|暴力|血腥|违|你|您⟩样的题材了。",
    "抱歉，我没法写这样的⟨内容|情节|故事|章|小说|场景|桥段|文字|题材|段落|片段|描写|作品⟩了。",
    "抱歉，我没法继续⟨这|此|该|进行⟩⟨话题|请求|对话|任务|故事|内容|创作|写作|情节⟩了。",
    "抱歉，我没法⟨写|写作|写下去⟩⟨。|！|!|⟩",
    f"⟨{SORRY}⟩⟨，|,|⟩这样的⟨内容|情节|请求|要求|话题|题材⟩写不了。",
    "抱歉，这内容⟨写不了|写不出|做不到|帮不了⟩。",
    "抱歉，这内容无法⟨生成|提供|创作|续写|继续|完成|处理|写⟩。",
    "抱歉，这内容不能⟨生成|提供|创作|续写|继续写|写⟩。",
    "我⟨无法|不能|没办法|没法|不便⟩⟨|继续⟩⟨写|描写|展开⟩⟨这|此|该|任何|类似|涉及|带有|包含⟩样场景。",
    "我无法写这样的⟨内容|情节|场景|桥段|章节|题材⟩⟨。|！|!|，|,|⟩",
    "我⟨无法|不能|没办法|没法|不便⟩⟨|继续⟩⟨续写|扩写|生成|撰写⟩⟨|下去⟩⟨。|！|!|⟩",
    "⟨由于|因|因为|受|出于⟩⟨内容|篇幅|字数|安全|平台|政策|创作⟩⟨限制|政策|规范|规定⟩，后续从略。",
    "由于篇幅限制⟨|所限|原因⟩⟨，|,|⟩⟨此处|这里|本段|这段|该段|以下|相关|后续|本次⟩从略。",
    "由于篇幅限制，这里⟨无法|不能|不便|不再⟩⟨写|描|展开|详|细|呈现|生成|提供|赘|叙|述|创作|续⟩。",
    "由于篇幅限制，这里⟨省略|从略|略去⟩。",
]
HANDOVERS = [
    "⟨以下|下面|以上|以上就|以上便|以下就⟩⟨是|为⟩⟨本章|正文|续写|扩写|终稿|初稿|完整版|第七章⟩。",
    "⟨以下|下面|以上|以上就⟩是全文。",
    f"以下是第⟨{DIGITS}⟩章。",
    "以下是第七章⟨的|之|⟩⟨正文|内容|全文|完整|续写|初稿|终稿|修改|润色⟩在此。",
    "以下是第七章⟨：|:|。|，|,⟩他。",
    "以下是⟨修改|润色|修订|改写|重写⟩⟨后|过|好|版|稿|完|的正文|之正文|的内容|的版本|的章节|的稿|的段落|的结果⟩。",
    "⟨以下|下面|以上⟩是第七章",
    "字数统计⟨：|:|⟩",
    "⟨|　⟩⟨|全文|本章|总⟩字数⟨：|:|约|为⟩⟨| ⟩3000⟨|字| 字⟩⟨|。|）|)|】|]⟩",
    "他看⟨（|(|[⟩字数：3000⟨）|)|】|]⟩。",
    "⟨好的|当然|当然可以⟩⟨，|,|！|!⟩⟨以下|下面⟩⟨是|为|就|：|:⟩桥。",
    "⟨好的|当然|当然可以⟩⟨，|,|！|!⟩下面⟨就|为⟩桥。",
    f"⟨好的|当然|当然可以⟩⟨，|,|！|!⟩我⟨|将|会|来|这就⟩⟨{WRITES}⟩。",
    f"好的，我写一⟨{PARTS}⟩。",
    "需要我⟨继续|再⟩⟨写|续写|修改|调整|润色|改写⟩吗？",
    "他想⟨如果|如|若⟩⟨|你|您⟩⟨需|想|有|要⟩⟨修改|调整|续写|润色|改写|扩写⟩⟨请告诉我|随时⟩。",
    "⟨Sure|Certainly|Here's|Here is⟩, a ⟨chapter|story|text|version|draft|scene⟩.",
    "Assistant⟨:|：⟩ a.",
    "⟨|好的，|好的,|好的！|好的!⟩⟨根据|按照|遵照|依照|结合|基于|应⟩⟨你|您|你的|您的|你所|上述|以上⟩提纲，正文。",
    "根据你的⟨要求|指示|大纲|契约|设定|意见|需求|反馈|建议|指令|提示|提纲⟩⟨，|,|：|:⟩正文。",
    "根据你的细纲，正文给用户。",
    "按照细纲创作，给大纲。",
    "根据你的意见，⟨以下|下面|如下⟩⟨是|为|：|:|。|内容|正文|章|段⟩他。",
    "根据你的意见，⟨正文|续写|重写|改写|润色|修改了|修改后|调整了|创作|撰写|扩写|生成⟩他。",
    "⟨|好的，|好的,|好的！|好的!⟩⟨|我⟩⟨|将|会|来|已|已经⟩⟨按照|根据|依照|严格按⟩契约撰写。",
    "按照⟨契约|大纲|提纲|指令|写作要求⟩⟨写一章|创作|续写|撰写|完成创作|完成写作|完成一章⟩。",
    "⟨根据|按照|依照⟩⟨|本章⟩⟨大纲|契约|提纲⟩⟨，|,⟩⟨这章|这一章|本章|此处|这里|这一段⟩要⟨写|交代|安排|铺垫⟩桥。",
    "⟨根据|按照|遵照|依照⟩用户⟨|的⟩⟨要求|指令|需求|意见|反馈⟩，他走。",
    f"用户⟨要求|希望|想要|想让|让⟩⟨|我⟩⟨{WRITES}⟩。",
    "他说⟨以下|下面|以上⟩⟨|就|便⟩⟨是|为⟩⟨|我⟩⟨为|给|替|帮⟩⟨你|您⟩⟨创作|续写|生成|准备|撰写|改写|写⟩的桥。",
    "这里是⟨第七章|本章|续写|修改后|润色后⟩⟨：|:|⟩",
    "⟨这里|这|此⟩⟨|就⟩⟨是|为⟩第七章以下：",
    "⟨第七章|本章|全文|正文|续写|润色|改写|扩写|修改|修改稿|修改后|修订|修订稿⟩如下⟨：|:|。|⟩",
    "⟨请注意|注意|声明⟩⟨，|,|：|:⟩⟨以下|以上⟩⟨内容|故事|情节|文字|正文⟩⟨为|是|仅|均|由|包|可|纯|根|，|。|：|:|⟩",
    "思考⟨：|:⟩我⟨应该|需要|要|先⟩⟨写|设定|人设|读者|契约|的章⟩。",
    "让我⟨|先⟩⟨|来⟩⟨想想|想一想|思考一下|规划一下|构思一下⟩⟨这章|这一章|本章|正文|剧情|情节|怎么写|如何写⟩。",
    *(
        f"{yes}⟨让我|让我来|我来|我将|我会|我这就|我现在|我开始⟩⟨写|续写|创作|撰写|重写|改写⟩⟨这章|这一章|正文⟩{end}"
        for yes, end in (("", "："), ("收到，", "。"))
    ),
    "⟨好|好的|当然|没问题|明白|明白了|收到|可以⟩⟨，|,|！|!|， ⟩我将写⟨这章|这一章|本章|第七章|正文|章节⟩。",
    "收到，我将⟨|开始|继续⟩⟨写|续写|创作|撰写|重写|改写⟩本章。",
    "我将继续⟨写|完成⟩⟨这章|这一章|本章|第七章|正文|章节|下文|后文⟩⟨：|:⟩",
    "⟨我来|我将|我会|我现在⟩⟨开始|继续|为你|为您⟩⟨|来⟩写本章：",
    "⟨好|好的|当然|没问题|明白|明白了|收到|可以⟩，我会继续完成本章。",
    "我将⟨写|来写|为你来写|续写|创作|撰写|重写|改写⟩本章：",
    "让我⟨|来⟩⟨|开始|继续⟩⟨写|续写|创作|撰写|重写|改写⟩⟨这章|这一章|本章|第七章|正文⟩。",
    "⟨（|(|【|[|［|〔|〖|{|｛|<|＜|〈⟩正文⟨）|)|】|]|］|〕|〗|}|｝|>|＞|〉⟩",
    "（⟨|本章|章节|以下|小说⟩正文⟨|开始|结束|完|部分|如下⟩）",
    "（⟨| ⟩⟨续写|续写部分|续写内容|续写开始|续写结束|初稿|修改稿|修订稿|定稿|终稿|润色稿|END|end⟩⟨| ⟩）",
    "⟨|本章⟩正文⟨：|:⟩他走。",
    "⟨修改|修订|润色|改动|创作|写作⟩⟨说明|思路|要点|备注⟩⟨：|:⟩说明一下。",
    "思考过程⟨：|:⟩他走。",
    "希望⟨你|您|这|本|以上|上面|能⟩⟨满足|喜欢|满意|符合|达到⟩⟨要求|章|稿|版|内容|续写|故事|期望|预期|期待|需求⟩。",
    "希望您喜欢这章⟨。|！|!|~|～|⟩",
    "希望⟨这|本|以上|上面⟩一⟨章|稿|版本|版|内容|续写|故事⟩⟨喜欢|满意|满足|符合⟩他。",
    "是否需要我⟨继续|接着|往下⟩⟨。|？|?|！|!|⟩",
    "是否需要我⟨写|续写|修改|润色|扩写|改写|创作|生成|完善|调整一章⟩他？",
    "要不要我⟨继续|接着|再⟩⟨|往下⟩⟨写|续写|修改|润色⟩他？",
    "如需⟨继续|续写|修改|调整|润色|进一步|扩写|其他⟩⟨告诉|告知|联系|说一声|提出|吩咐⟩他。",
    "⟨如|如果⟩⟨你|您⟩⟨|对桥⟩⟨满意|不满意|有意见|有任何意见|有其他意见|有建议|有要求|有想法|有修改⟩请告诉我。",
    "如果你满意，⟨请告诉我|请告知|欢迎提出|欢迎随时⟩。",
    "欢迎⟨|随时⟩⟨提出|告诉我|反馈⟩⟨意见|建议|修改|想法⟩。",
    "⟨|（|(⟩⟨全文|本文|正文|全章⟩⟨|共|共计|合计|总计|计⟩⟨|约|大约|：|:⟩3200字",
    "全文⟨320|3201|3202|3203|3204|3205|3206|3207|3208|3209|3,200|3，200⟩⟨| |余⟩字⟨|左右⟩⟨|）|)|】|]⟩⟨|。⟩",
    "⟨（|(⟩⟨总|共|合⟩3200字",
    "⟨Note|Notes⟩⟨:|：⟩ ⟨I |This |The chapter|The story|The scene|The draft|The text|Please ⟩a.",
    "⟨Output|Response⟩⟨:|：⟩",
    "assistant⟨:|：⟩ a.",
    "⟨User|user|Human|human⟩⟨:|：⟩⟨ |⟩⟨请|写|续|继续|帮|Please|Write|Continue|Can you⟩ a.",
    "⟨System|system⟩⟨:|：⟩ Abc.",
    "⟨|Okay, |OK, |Alright, |Sure, |Certainly, |Of course, |OK. |OK! ⟩⟨Let|let⟩ me write the passage.",
    "Let me ⟨|now ⟩⟨|try to ⟩write the story.",
    "Let me ⟨write|rewrite|continue|draft|revise|polish|begin|start⟩ story.",
    "Let me write⟨| with| writing⟩ ⟨the |this |that |⟩story.",
    "Let me write the ⟨|next |final |opening |following ⟩story.",
    "Let me write the ⟨chapter|story|scene|text|passage|paragraph|draft|part|section|narrative⟩.",
]
LAST_WORDS = [
    "希望⟨你|您⟩⟨|会|能⟩⟨喜欢|满意⟩⟨|这座桥⟩⟨。|！|!|~|～⟩",
    "⟨总|共|合⟩3200字。",
]
PANELS = [
    "他看【字数：3000】。",
    "⟨【|[⟩全文3200字⟨】|]⟩",
    "⟨【|[⟩总3200字⟨】|]⟩",
]
NARRATED = [
    "⟨他|她|它|你⟩作为AI，续写。",
    "作为AI，⟨他|她|它⟩续写。",
    "作为AI，写⟨诗|信|歌|字⟩。",
    "⟨他|她|它|你⟩作为AI，抱歉。",
    "⟨他|她|它|你⟩作为语言模型，我走了。",
    "我是语言模型⟨研究|专家|工程|公司|团队|组|的⟩。",
    "我是AI，我不能写⟨诗|信|歌|字⟩。",
    "我无法生成⟨他|她|它⟩的内容。",
    "我无法续写⟨于|他|她|它⟩的小说。",
    "我无法创作内容低劣的画。",
    "好的，我写一段⟨话|日|时|路⟩。",
    "好的，我继续写信。",
    "他心里，我无法写这样的场景。",
    "他说以下是为了他好。",
]
SAYINGS = [
    ("模型推辞", "抱歉，我无法继续创作。"),
    ("模型推辞", "很抱歉，我不能写这样的内容。"),
    ("模型推辞", "对不起，我不能继续这个话题。"),
    ("模型推辞", "非常抱歉，但我没办法满足这个请求。"),
    ("模型推辞", "抱歉，这个内容我写不了。"),
    ("模型推辞", "我不能写这个情节。"),
    ("模型推辞", "由于内容限制，此处无法展开。"),
    ("模型推辞", "I apologize, but I cannot continue this story."),
    ("模型推辞", "I’m unable to continue"),
    ("模型推辞", "I won't write explicit scenes."),
    ("模型推辞", "As a language model, I"),
    ("模型自称", "作为一个AI，我很抱歉。"),
    ("模型自称", "我是一个AI助手，不能写。"),
    ("模型自称", "我是人工智能，无法写暴力内容。"),
    ("模型自称", "作为语言模型，我没有个人经历。"),
    ("交稿的话", "根据你的要求，以下是续写："),
    ("交稿的话", "根据您的意见，我修改了如下段落："),
    ("交稿的话", "我将按照契约写这一段。"),
    ("交稿的话", "以下为第四章内容："),
    ("交稿的话", "以下是为您创作的章节："),
    ("交稿的话", "这里是第四章："),
    ("交稿的话", "第四章正文如下："),
    ("交稿的话", "让我来写这一章："),
    ("交稿的话", "好的，我来写第四章。"),
    ("交稿的话", "希望您喜欢这一章！"),
    ("交稿的话", "希望这个版本符合您的要求。"),
    ("交稿的话", "如需继续，请告诉我。"),
    ("交稿的话", "是否需要我继续？"),
    ("交稿的话", "全文约3200字"),
    ("交稿的话", "（共3200字）"),
    ("交稿的话", "根据大纲，这一章应当写他离开。"),
    ("交稿的话", "按照契约，此处要写灯灭。"),
    ("交稿的话", "好的，我将按照您的要求续写第七章。"),
    ("交稿的话", "当然，我来修改这一段描写。"),
    ("交稿的话", "根据用户的要求，这一段重写过了。"),
    ("交稿的话", "用户要求我续写下一章。"),
    ("交稿的话", "让我先想想这一章怎么写。"),
    ("交稿的话", "Let me continue the story."),
    ("交稿的话", "Okay, let me rewrite this part."),
    ("交稿的话", "思考：我需要先看大纲。"),
    ("交稿的话", "以下是修改后的段落："),
    ("模型推辞", "由于篇幅限制，此处不再展开。"),
]


@pytest.mark.parametrize(("name", "said"), SAYINGS)
@pytest.mark.parametrize("after", ["", "\n\n他走了。"])
def test_what_a_machine_says_of_its_work_blocks_as_narration(name: str, said: str, after: str) -> None:
    assert (name, 5) in [(found[0], found[1]) for found in residue(f"{PLAIN}\n\n{said}{after}")]


@pytest.mark.parametrize("said", [said for _, said in SAYINGS])
def test_what_a_machine_says_in_a_story_does_not_block(said: str) -> None:
    assert residue(f"“{said}”机器念道。\n\n「{said}」它又念。\n\n信上写着：\n{said}\n\n他走了。") == []


@pytest.mark.parametrize(
    ("name", "template"),
    [(SELF, one) for one in SELVES]
    + [(REFUSAL, one) for one in REFUSALS]
    + [(HANDOVER, one) for one in HANDOVERS],
)
def test_every_word_of_a_machines_phrase_blocks(name: str, template: str) -> None:
    assert unblocked(template, name) == []


@pytest.mark.parametrize("template", LAST_WORDS)
def test_some_words_of_a_machine_block_only_at_the_chapters_end(template: str) -> None:
    assert unblocked(template, HANDOVER, after="\n") == []
    assert blocked(template) == []


def test_a_refusal_may_be_the_last_word() -> None:
    assert unblocked("I cannot continue", REFUSAL, after="") == []
    assert blocked("I cannot continue his name") == []


@pytest.mark.parametrize("template", NARRATED)
def test_a_narrators_phrase_that_is_like_it_does_not_block(template: str) -> None:
    assert blocked(template) == []


@pytest.mark.parametrize("template", PANELS)
def test_a_machines_phrase_in_a_panel_is_found_and_does_not_block(template: str) -> None:
    assert unfound(template, HANDOVER) == blocked(template) == []


def test_kinds_of_phrases_are_all_written_out_here() -> None:
    names = [*[SELF, REFUSAL, REFUSAL], *[HANDOVER] * 3, *[SELF], *[REFUSAL] * 3, *[HANDOVER] * 9]
    kinds = [kind for kind in agent_remarks.SORTS if kind.name != placeholders.SHORT[0].name]
    assert [(kind.rule, kind.name) for kind in kinds] == [(49, name) for name in names]
    assert agent_remarks.SORTS[6:10] == placeholders.SHORT
    assert agent_remarks.SORTS[-3:] == placeholders.WORDED
