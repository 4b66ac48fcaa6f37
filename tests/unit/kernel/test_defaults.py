"""What the author's list of settings says of a value that he did not set is what holds."""

from __future__ import annotations

from novel_hooks import defaults
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.settings.settings import all_settings


def test_the_list_of_settings_shows_what_holds() -> None:
    shown = {one.key: one.default for one in all_settings()}
    assert shown["keep_versions"] == defaults.KEEP_VERSIONS == 100
    assert shown["backup_after"] == defaults.BACKUP_AFTER == 10
    assert shown["max_characters"] == defaults.MAX_CHARACTERS == 15
    assert tuple(shown["chapter_chars"]) == defaults.CHAPTER_CHARS == (2500, 3800)
    gate = [shown[f"gate.{key}"] for key in ("pass", "polish", "revise", "pause")]
    assert [*gate, shown["max_revisions"]] == list(Bands().to_json().values()) == [4.0, 3.5, 3.0, 2.0, 2]
