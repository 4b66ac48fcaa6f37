"""Topics of the plugin's guides: a skill names a topic (`novel guide method`), never a file of the plugin."""

from __future__ import annotations

from novel_hooks.record import Record
from novel_hooks.rules.text import typed_words


class Topic(Record):
    """One guide: its name for a command, its path below the plugin, its Chinese title and a line about it."""

    name: str
    path: str
    title: str
    about: str


_WRITING = "skills/novel-writing/references"
TOPICS = (
    Topic("method", f"{_WRITING}/method.md", "写作方法", "场景、开头与章末、信息、兑现、对话、伏笔、换线"),
    Topic("style-guide", f"{_WRITING}/style-guide.md", "文风指南", "十一类机器味的样子、量和改法"),
    Topic(
        "quality-rubric",
        f"{_WRITING}/quality-rubric.md",
        "评分量表",
        "八个维度各格的样子，怎样引证、怎样打准",
    ),
)


def find_topic(word: str) -> Topic | None:
    """Return the topic with this name or title, None without one; case and outer blanks do not matter."""
    plain = word.strip().lower()
    return next((topic for topic in TOPICS if plain in (topic.name, topic.title)), None)


def suggestion_text(word: str) -> str:
    """Return a sentence that suggests the nearest topic, `是不是想看「method」？`; "" when none is near."""
    near = typed_words.meant(word, [name for topic in TOPICS for name in (topic.name, topic.title)])
    return f"是不是想看「{near}」？" if near else ""
