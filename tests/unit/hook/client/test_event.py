"""A tool call's event, the agent that it names, and the decision as the client reads it."""

from __future__ import annotations

import json

import pytest
from guarding import event, event_text

from novel_hooks import roles
from novel_hooks.hook.client import event as events
from novel_hooks.hook.client.event import Event


def parse(**changes: object) -> Event | None:
    return events.parse(event_text(event("/book", **changes)).encode("utf-8"))


def test_every_field_of_a_call() -> None:
    assert parse(hook_event_name="PreToolUse", tool_input={"file_path": "x", "content": ["河"]}) == Event(
        agent_type="novel:chapter-writer",
        agent_id="a1",
        session_id="session-one",
        name="PreToolUse",
        tool="Write",
        input={"file_path": "x", "content": ["河"]},
        cwd="/book",
    )


@pytest.mark.parametrize("value", [None, 5, ["x"], {"x": 1}, True])
def test_a_field_of_another_type_is_as_if_it_were_not_there(value: object) -> None:
    odd = dict.fromkeys(("agent_id", "session_id", "hook_event_name", "tool_name"), value)
    found = parse(**odd, cwd=None, tool_input=value if not isinstance(value, dict) else [value])
    assert found == Event("novel:chapter-writer", None, None, "PreToolUse", None, {}, None)


def test_the_event_has_its_own_name() -> None:
    found = parse(hook_event_name="PermissionRequest")
    assert found is not None and found.name == "PermissionRequest"
    unnamed = parse(hook_event_name="")
    assert unnamed is not None and unnamed.name == "PreToolUse"


def test_an_empty_folder_is_none() -> None:
    found = parse(cwd="")
    assert found is not None and found.cwd is None


@pytest.mark.parametrize("kind", [None, 5, ["novel:summarizer"], {"x": "novel:summarizer"}])
def test_no_agent_is_named(kind: object) -> None:
    assert parse(agent_type=kind) is None


def test_a_main_session_is_passed_over_whatever_its_folder() -> None:
    assert events.parse(b'{"cwd":["/"]}') is None


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("[]", "the event is no object"),
        ("5", "the event is no object"),
        ('"x"', "the event is no object"),
        ("null", "the event is no object"),
        ('{"agent_type":"x","cwd":["/"]}', "cwd is no text"),
        ('{"agent_type":"x","cwd":0}', "cwd is no text"),
    ],
)
def test_an_event_that_no_client_sends(given: str, fault: str) -> None:
    with pytest.raises(events.Malformed) as malformed:
        events.parse(given.encode("utf-8"))
    assert str(malformed.value) == fault


@pytest.mark.parametrize("given", [b"", b"{", b'{"agent_type":"x"}}'])
def test_what_is_no_json_is_a_value_error_too(given: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (any of its kinds)
        events.parse(given)


# agents ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", roles.ROLES)
def test_every_agent_by_both_its_names(name: str) -> None:
    assert events.agent(f"novel:{name}") == (roles.ROLES[name], True)
    assert events.agent(name) == (roles.ROLES[name], False)


@pytest.mark.parametrize(
    ("name", "scoped"),
    [
        ("novel:summarizer", True),
        ("Summarizer", False),
        (" NOVEL:Style-Refiner ", True),
        (":summarizer", False),
    ],
)
def test_our_names(name: str, scoped: bool) -> None:
    found = events.agent(name)
    assert found is not None
    assert found.scoped is scoped


@pytest.mark.parametrize(
    "name", ["", "novel", "novel:", "other:summarizer", "summarizer2", "novel:x:summarizer"]
)
def test_names_of_others(name: str) -> None:
    assert events.agent(name) is None


# the decision ---------------------------------------------------------------------------------------


def test_the_decision_is_one_line_of_canonical_json() -> None:
    found = events.dump_decision("deny", '「a"b」不行。')
    assert found.endswith(b"}\n") and found.count(b"\n") == 1 and b" " not in found
    assert json.loads(found) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": '「a"b」不行。',
        }
    }
    assert "不行".encode() in found


def test_a_half_character_in_the_reason_does_not_break_the_decision() -> None:
    found = json.loads(events.dump_decision("deny", "a\ud800b"))
    assert found["hookSpecificOutput"]["permissionDecisionReason"] == "a?b"
