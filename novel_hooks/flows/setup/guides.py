"""`novel guide`: the skills' guides, read from the plugin. Needs no project."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.record import Record
from novel_hooks.rules.packet import guide_topics
from novel_hooks.rules.packet.guide_topics import Topic
from novel_hooks.store.files import assets
from novel_hooks.store.formats.text import decode


class Guide(Record):
    """A topic and its whole text (LF, no BOM)."""

    topic: Topic
    text: str


def list_topics() -> tuple[Topic, ...]:
    """Return all topics, in the order in which they are listed."""
    return guide_topics.TOPICS


def find_guide(word: str) -> Guide:
    """Find the guide of this topic. Raises NameUnknown, or AssetMissing when the plugin is not whole."""
    topic = guide_topics.find_topic(word)
    if topic is None:
        raise errors.NameUnknown(case="guide", name=word, guess=guide_topics.suggestion_text(word))
    return Guide(topic, decode(assets.load(assets.plugin_path(topic.path)), topic.path))
