"""`$novel-continue` in the real client: whole runs, by the scripts that Claude Code's tests use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from client.crew import Crew

if TYPE_CHECKING:
    from builders import Book

    from client.codex.harness import CodexHost

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]


def test_one_chapter(host: CodexHost, novel: Book) -> None:
    host.connect(novel.root)
    done = host.run(novel.root, "$novel-continue 1", Crew(novel.root).scenario())
    assert done.text.endswith("评分 4.5/5.0，门控 通过，修订 0 次 ✓"), done.text
