"""A failure that was killed as it gave its lock back, said again: counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks.flows.session import session

if TYPE_CHECKING:
    from pathlib import Path

FAIL = ("fail", "chapter:002:draft", "--reason", "没写完")


class Killed(BaseException):
    """The end of the process, in place of a kill."""


def _kill_at_the_return(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(_session: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(session, "_give_back", die)
        with pytest.raises(Killed):
            made.novel(*FAIL)


def test_it_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book(tmp_path)
    _kill_at_the_return(made, monkeypatch)
    assert len(made.point()["failures"]) == 1
    made.ok(*FAIL)
    assert len(made.point()["failures"]) == 1
    assert made.held() is None
    made.ok(*FAIL)  # the next one is another
    assert made.point()["orchestrator_state"] == "ERROR_RETRY"


def test_another_reason_is_another_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book(tmp_path)
    _kill_at_the_return(made, monkeypatch)
    made.ok(*FAIL[:-1], "又断了")
    assert made.point()["orchestrator_state"] == "ERROR_RETRY"
