"""Words of machines, formats and folders, spoken and written: which of them block."""

from __future__ import annotations

import pytest

from unit.rules.lint.samples import blocked, hits, unblocked

MACHINE_TAGS = (
    "think|thinking|thought|thoughts|answer|output|result|results|response|content|chapter|text|story|draft|data"
    "|system|user|assistant|tool|tools|function|functions|function_calls|invoke|summary|analysis|reasoning|plan"
    "|note|notes|scratchpad|final|reflection|document|source|example|instruction|instructions|prompt|novel|scene"
    "|br|hr|THINK|Novel"
)


FORMATS = "b|i|u|s|em|strong|p|div|span|h1|h6|ul|ol|li|blockquote|center|font|sup|sub|del|ins|pre|title|B"


KEYS = "Enter|Ctrl|Alt|Shift|Esc|Tab|Space|Delete|Del|Backspace|Home|End|Fn|Win|enter"


FOLDERS = (
    "chapters|summaries|evaluations|volumes|storylines|foreshadowing|manifests|guides|world|characters|research"
    "|logs|state"
)


ROOMS = "号|室|房|舱|区|栋|幢|航|班|次|线|座|门|柜|床|层|型|级|囚|机|车|船|楼|库|站|位|桌|牢|厢|铺"


WORDS = [
    (
        "大纲的字段",
        "⟨Storyline|POV|Location|Conflict|Arc|Foreshadowing|StateChanges|TransitionHint⟩⟨:|：| : ⟩他走。",
    ),
    ("大纲的字段", "⟨|　|  ⟩⟨|- |* |+ ⟩⟨POV|**POV**⟩：他走。"),
    ("Markdown 标题行", "⟨|　⟩⟨##|#|###|####|#####|######⟩⟨ 他走。|第八章|⟩"),
    ("Markdown 加粗", "**他走**"),
    ("Markdown 加粗", "他**真的**走。"),
    ("Markdown 星号", "他⟨**|***|****⟩走。"),
    ("Markdown 加粗", "他__真的__走。"),
    ("Markdown 斜体", "他*真的*走。"),
    ("Markdown 删除线", "他~~没~~走。"),
    ("Markdown 链接", "他⟨|!⟩[看⟨|看⟩](a.md)走。"),
    ("代码框", "```⟨|json⟩"),
    ("反引号", "他`走。"),
    ("列表、引用或表格", "⟨|   ⟩⟨-|*|+|>⟩ 他走。"),
    ("分隔线", "⟨|　⟩⟨---|----|___|____⟩⟨| ⟩"),
    ("模型记号", "他走。⟨[INST]|[/INST]|<<SYS>>⟩"),
    ("标签", f"他⟨<|</⟩⟨{MACHINE_TAGS}⟩⟨>|/>| a=1>⟩走。"),
    ("标签", "他<abc_d⟨| a⟩/>走。"),
    ("标签", f"他<⟨{FORMATS}⟩>走</a>了。"),
    ("标签", f"他走</⟨{FORMATS}⟩>了。"),
    ("标签", "⟨|　⟩⟨<|</⟩⟨abc|a_b|abc x⟩⟨>|/>⟩走。"),
    ("标签", "他走</abc>"),
    ("转义符", '他⟨\\n|\\r|\\t|\\u4e86|\\"|\\“|&nbsp;|&quot;|&amp;|&lt;|&gt;|&#12;|&#123456;⟩走。'),
    ("乱码", "他⟨\ufffd|\ufffd\ufffd⟩走。"),
    ("注释", "他⟨<|‹|＜|〈|《⟩⟨!--|!---⟩走。"),
    ("数据格式", '⟨| ⟩"⟨chapter|a_b⟩"⟨| ⟩: 7'),
    ("数据格式", "灯。\n⟨}|  }⟩"),
    ("数据格式", "{\n灯。\n⟨}|},|  }⟩"),
    ("数据格式", "他⟨{|[|,|，⟩⟨| ⟩⟨\"|“|'⟩done⟨\"|”|'⟩⟨:|：⟩走。"),
    ("数据格式", '⟨“|"|\'⟩chapter⟨”|"|\'⟩⟨:|：⟩⟨ 4| "a| “a| [a| {a| -1⟩'),
    ("数据格式", '⟨|  ⟩["收灯"⟨|,"过河"|, "过河"⟩]⟨|,⟩'),
    ("数据格式", "⟨done|a_b⟩: ⟨true|false|null|7|-7|7.5|[a]|{a}⟩⟨| ⟩"),
    (
        "内部编号",
        "他看⟨OBJ-7|OBJ-7-1|OBJ-A-7|OBJ-A7|LS-001|LS-A-7|LS-AB7|F-012|W-012|C-012|C-LD-3|C-ab-c-12⟩走。",
    ),
    (
        "文件路径",
        "他看⟨chapter-7|staging/a|staging/.|a-summary.md|a-delta.json|a-eval.jsonl|a-crossref.json⟩走。",
    ),
    ("文件路径", "他看⟨a-log.md|a-hints.md|style-guide.md|quality-rubric.md|current-state.json⟩走。"),
    ("文件路径", "他看⟨foreshadowing.json|style-profile.json|ai-blacklist.json|storyline-schedule.json⟩走。"),
    ("文件路径", "他看⟨storyline-spec.json|unknown-entities.json|unknown-entities.jsonl⟩走。"),
    ("文件路径", f"他看⟨{FOLDERS}⟩/a⟨.md|.json|.jsonl⟩走。"),
    ("写作术语", "⟨本章|上一章|下一章|细纲|章纲|情节点|爽点⟩灭了。"),
]


PLAIN_WORDS = [
    f"他按下<⟨{KEYS}⟩>键。",
    f"⟨|　⟩<⟨{KEYS}⟩>键。",
    f"他住⟨F|W|C⟩-012⟨{ROOMS}| 号⟩。",
    "他看⟨xF-012|F-0123x|9F-012|_F-012|F-01|F-112|LS-400|LS-7|C-130|C-L-3⟩走。",
    "他看⟨xchapter-7|staging/他|a-other.md|style-guides.md|current-states.json|current-state.jsonx⟩走。",
    "⟨本章程|本章法|日本章鱼|本章回|上一章程|下一章程⟩还在。",
    "⟨情节点明|情节点出|情节点破|情节点题|情节点到⟩了。",
    "⟨凉爽点|清爽点|直爽点|豪爽点|爽点儿|话爽点|人爽点|做事爽点|办事爽点|痛快爽点|干爽点|利爽点|活爽点⟩了。",
    "⟨爽点不|爽点吧|爽点好|爽点啊⟩。",
    "他a*b也算了*，3 > 2，_a_，__a__，~~ a~~，[a]，(b)。",
    "他走\\na，&b;，&#1;，\\x。",
    "#tag，####### 七个。",
    "--，__，-走，+走。",
]


SPOKEN = [
    ("反引号", "他叫`老何。", False),
    ("Markdown 加粗", "他**真**走。", True),
    ("Markdown 星号", "他**走。", False),
    ("Markdown 加粗", "他__真的__走。", False),
    ("Markdown 斜体", "他*真*走。", False),
    ("Markdown 删除线", "他~~没~~走。", True),
    ("Markdown 链接", "他[看](a.md)走。", True),
    ("代码框", "他```走。", True),
    ("模型记号", "他<|im_end|>走。", True),
    ("标签", "他<think>走。", False),
    ("转义符", "他\\n走。", False),
    ("乱码", "他\ufffd走。", True),
    ("注释", "他<!-- 走。", True),
    ("数据格式", "他{'a': 走。", True),
    ("内部编号", "他看F-012走。", False),
    ("字段名", "他看plot_logic走。", False),
    ("文件路径", "他看chapter-7走。", False),
    ("写作术语", "本章走。", False),
]


LINES_IN_SPEECH = [
    ("大纲的字段", "POV：老何", False),
    ("Markdown 标题行", "# 第八章", True),
    ("Markdown 加粗", "**走**", False),
    ("列表、引用或表格", "- 走", False),
    ("分隔线", "---", False),
    ("数据格式", '"a": 走', True),
    ("数据格式", "done: true", False),
]


@pytest.mark.parametrize(("name", "template"), WORDS)
def test_every_word_of_a_pattern_blocks(name: str, template: str) -> None:
    assert unblocked(template, name) == []


@pytest.mark.parametrize("template", PLAIN_WORDS)
def test_a_word_that_is_like_it_does_not_block(template: str) -> None:
    assert blocked(template) == []


@pytest.mark.parametrize("text", ["<|im_end|>", "<|a|>", "| 灯 | 数 |", "   | 灯"])
def test_marks_with_a_bar_block(text: str) -> None:
    assert any(blocks for _, blocks, _ in hits(text))


@pytest.mark.parametrize(("name", "said", "blocks"), SPOKEN)
def test_some_marks_block_even_in_speech(name: str, said: str, blocks: bool) -> None:
    assert hits(f"“{said}”他念。") == [(name, blocks, True)]
    assert (name, True, True) in hits(said)


@pytest.mark.parametrize(("name", "line", "blocks"), LINES_IN_SPEECH)
def test_a_marked_line_of_a_long_speech_blocks_only_where_nobody_says_such(
    name: str, line: str, blocks: bool
) -> None:
    assert hits(f"“听着。\n\n{line}\n\n走。”他念。") == [(name, blocks, True)]
    assert (name, True, True) in hits(line)
