"""The comparison as one HTML page."""

from __future__ import annotations

from html.parser import HTMLParser

from novel_hooks.rules.review import difference, difference_page


class Page(HTMLParser):
    """Collects the text by the mark around it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.marks: list[str] = []
        self.texts: dict[str, str] = {}
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ("ins", "del", "h1"):
            self.marks.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ins", "del", "h1"):
            self.marks.pop()

    def handle_data(self, data: str) -> None:
        where = self.marks[-1] if self.marks else ""
        self.texts[where] = self.texts.get(where, "") + data


def test_what_went_and_what_came_are_marked() -> None:
    pieces = difference.pieces("他提起灯，慢慢走。\n完。\n", "他举高灯，走。\n完。\n又一句 <b>&amp;。\n")
    page = Page(difference_page.html("第 3 章：1 → 2", "改了 3 处", pieces))
    assert page.texts["h1"] == "第 3 章：1 → 2"
    assert page.texts["del"] == "".join(one.text for one in pieces if one.kind == difference.GONE)
    assert page.texts["ins"].endswith("又一句 <b>&amp;。")
    assert "b" not in page.tags and "script" not in page.tags


def test_a_mark_ends_at_a_line_break() -> None:
    pieces = difference.pieces("", "一。\n二。\n")
    assert "<ins>一。</ins>\n<ins>二。</ins>\n" in difference_page.html("题", "量", pieces)
