"""No text of the novel can run as script, and the policy names what may."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from novel_hooks.rules.report import page

FRAME = (
    "<title>{{title}}</title>{{policy}}<style>{{style}}</style>"
    "<script>{{data}}</script><script>{{script}}</script>"
)
HOSTILE = "</script><SCRIPT>alert(1)</SCRIPT><!--\u2028\u2029&lt;{{script}}'\""


def test_hostile_text_stays_data() -> None:
    made = page.page(FRAME, "p{}", "run()", {"title": HOSTILE, "word": HOSTILE})
    assert len(re.findall("(?i)<script", made)) == 2 and len(re.findall("(?i)</script", made)) == 2
    assert "<!--" not in made and "\u2028" not in made.partition("</title>")[2]
    assert made.count("run()") == 1, "what looks like a place of the frame is none in the data"
    inside = re.findall("<script>(.*?)</script>", made, re.DOTALL)[0]
    assert json.loads(inside) == {"title": HOSTILE, "word": HOSTILE}


def test_the_policy_names_script_and_style_by_hash() -> None:
    made = page.page(FRAME, "p{}", "run('灯')", {"title": None})
    for kind, text in (("script", "run('灯')"), ("style", "p{}")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in made
    assert "default-src 'none'" in made and "unsafe" not in made
    assert "<title>这本书 · 写作报告</title>" in made
