"""The author's words for the fields of a character's card and of the story's state. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Mapping

WORDS: Mapping[str, str] = {
    "display_name": "名字",
    "aliases": "别名",
    "called_by": "别人叫他",
    "called": "别人叫他",
    "address": "别人叫他",
    "forms_of_address": "别人叫他",
    "gender": "性别",
    "age": "年纪",
    "looks": "样子",
    "appearance": "样子",
    "role": "身份",
    "identity": "身份",
    "background": "来历",
    "personality": "性情",
    "wants": "想要",
    "goal": "想要",
    "fears": "怕",
    "voice": "口吻",
    "starting": "起始处境",
    "status": "生死去向",
    "goes_as": "化名",
    "location": "所在",
    "emotional_state": "心情",
    "level": "境界",
    "injuries": "伤",
    "injury": "伤",
    "health": "身体",
    "inventory": "随身之物",
    "items": "随身之物",
    "knows": "所知",
    "owes": "所欠",
    "debt": "债",
    "secret": "秘密",
    "secret_out": "说破的章",
    "relationships": "关系",
    "owner": "归属",
    "time_marker": "时日",
    "ongoing_events": "大事",
}
"""Key → its word, in the order in which an author asks for them."""
_SHARED = ("display_name", "location", "level", "owner", "time_marker", "ongoing_events")
OF_THINGS: Mapping[str, str] = {**{key: WORDS[key] for key in _SHARED}, "status": "现状"}
"""The same for what is no person: items, places, factions, the world; their other keys are the author's."""
