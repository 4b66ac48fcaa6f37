"""Parts of a source that are left out, counted by kind: notes, comments, hidden and invisible text. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Mapping

NOTES, REFERENCES, RUBY, IMAGES, HIDDEN = "notes", "references", "ruby", "images", "hidden"
COMMENTS, DELETED, CONTENTS, ASIDE, LISTS = "comments", "deleted", "contents", "aside", "lists"
SIGNS, PARTS, UNSEEN = "signs", "parts", "unseen"
_WORDS = {
    NOTES: "脚注 {} 条",
    COMMENTS: "批注 {} 条",
    DELETED: "修订里删去、移走的 {} 处",
    HIDDEN: "隐藏的文字 {} 处",
    IMAGES: "图片 {} 张",
    RUBY: "注音 {} 处",
    CONTENTS: "自动目录 {} 行",
    ASIDE: "正文以外的页 {} 页",
    LISTS: "自动编号 {} 处",
    SIGNS: "字体自带的符号 {} 个",
    PARTS: "嵌进来的别的文件 {} 个",
    UNSEEN: "看不见的字符 {} 个（零宽空格一类）",
}


class LeftOut:
    """The counts of one file."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, kind: str, count: int = 1) -> None:
        """Count one more of this kind."""
        self._counts[kind] = self._counts.get(kind, 0) + count

    def counts(self) -> dict[str, int]:
        """Return kind → number; a note is counted by its text or by the mark that refers to it."""
        counts = dict(self._counts)
        marks = counts.pop(REFERENCES, 0)
        if marks > counts.get(NOTES, 0):
            counts[NOTES] = marks
        return {kind: counts[kind] for kind in _WORDS if counts.get(kind)}


def describe(counts: Mapping[str, int]) -> str:
    """Return the counts as the author reads them; "" for none."""
    return "、".join(_WORDS[kind].format(count) for kind, count in counts.items())
