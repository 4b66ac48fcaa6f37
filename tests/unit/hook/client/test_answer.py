"""The answer to a notice: one line of JSON for the model, the author, both, or nothing at all."""

from __future__ import annotations

import pytest

from novel_hooks.hook.client import answer


@pytest.mark.parametrize(
    ("model", "author", "text"),
    [
        (None, None, ""),
        ("", "", ""),
        ("河", None, '{"hookSpecificOutput":{"additionalContext":"河","hookEventName":"SessionStart"}}\n'),
        (None, '"船"\n', '{"systemMessage":"\\"船\\"\\n"}\n'),
        (
            "河",
            "船",
            '{"hookSpecificOutput":{"additionalContext":"河","hookEventName":"SessionStart"},"systemMessage":"船"}\n',
        ),
    ],
)
def test_the_bytes_for_stdout(model: str | None, author: str | None, text: str) -> None:
    given = {key: value for key, value in {"model": model, "author": author}.items() if value is not None}
    assert answer.dump(answer.SESSION_START, **given) == text.encode("utf-8")


def test_the_event_is_named_and_half_characters_do_not_break_it() -> None:
    found = answer.dump(answer.POST_TOOL_USE, model="a\ud800b")
    assert found == b'{"hookSpecificOutput":{"additionalContext":"a?b","hookEventName":"PostToolUse"}}\n'
