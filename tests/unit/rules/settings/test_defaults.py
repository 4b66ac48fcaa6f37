"""What the author's list of settings says of a value that he did not set is what holds."""

from __future__ import annotations

from novel_hooks.rules.settings import defaults
from novel_hooks.rules.settings.settings import all_settings


def test_the_list_of_settings_shows_what_holds() -> None:
    shown = {one.key: one.default for one in all_settings()}
    assert shown["keep_versions"] == defaults.KEEP_VERSIONS == 100
    assert shown["backup_after"] == defaults.BACKUP_AFTER == 10
