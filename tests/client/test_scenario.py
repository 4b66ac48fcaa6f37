"""What a script answers is a function of the request alone; the server says it in the client's form."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from client.model_server import ModelServer
from client.request import MAIN, SIDE, Outcome, Request
from client.scenario import Refuse, Scenario, Unscripted, answer, bash, do, say

PROMPTS = {"novel:writer": "你是执笔人。", "novel:judge": "你是执笔人。你也是评审。"}
USED = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pwd"}}
GOT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "/书"}]}
TALK = [
    {"role": "user", "content": "开始"},
    {"role": "assistant", "content": [{"type": "text", "text": "看看"}]},
    {"role": "assistant", "content": [USED]},
    {"role": "user", "content": [GOT]},
    {"role": "system", "content": "提醒"},
]


def body(system: str = "", messages: Any = None, tools: tuple[str, ...] = ("Bash",)) -> dict[str, Any]:
    return {
        "model": "m",
        "system": [{"type": "text", "text": system}],
        "tools": [{"name": name} for name in tools],
        "messages": TALK[:1] if messages is None else messages,
    }


@pytest.mark.parametrize(
    ("system", "tools", "agent"),
    [
        ("x", ("Bash",), MAIN),
        ("x", (), SIDE),
        ("前 你是执笔人。 后", ("Bash",), "novel:writer"),
        ("你是执笔人。你也是评审。", (), "novel:judge"),
    ],
)
def test_whose_request_it_is(system: str, tools: tuple[str, ...], agent: str) -> None:
    assert Request(body(system, tools=tools), PROMPTS).agent == agent


def test_a_conversation_is_read() -> None:
    request = Request(body(messages=TALK), {})
    assert (request.turn, request.task) == (1, "开始"), "neighbours of one role are one message"
    assert request.last == "/书\n提醒"
    assert request.outcomes == [Outcome("Bash", {"command": "pwd"}, "/书", False)]


def test_a_call_without_a_result_is_no_outcome() -> None:
    assert Request(body(messages=TALK[:3]), {}).outcomes == []


def test_the_script_of_the_agent_at_its_turn() -> None:
    scenario: Scenario = {
        MAIN: [do(bash("pwd")), say("完了")],
        "novel:writer": lambda request: say(request.task),
    }
    assert answer(scenario, Request(body(), PROMPTS)) == do(bash("pwd"))
    assert answer(scenario, Request(body(messages=TALK), PROMPTS)) == say("完了")
    assert answer(scenario, Request(body("你是执笔人。"), PROMPTS)) == say("开始")
    assert answer(scenario, Request(body(tools=()), PROMPTS)) == say("好")
    assert answer(lambda request: say(request.agent), Request(body(), PROMPTS)) == say(MAIN)


def test_what_is_not_foreseen() -> None:
    with pytest.raises(Unscripted, match="no script for main"):
        answer({}, Request(body(), {}))
    with pytest.raises(Unscripted, match="2th time: /书"):
        answer({MAIN: [say("好")]}, Request(body(messages=TALK), {}))


def post(url: str, document: dict[str, Any]) -> tuple[int, str]:
    data = json.dumps(document).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, data), timeout=10) as response:
            return response.status, response.read().decode("utf-8")
    except urllib.error.HTTPError as wrong:
        return wrong.code, wrong.read().decode("utf-8")


def test_streamed_and_whole_say_the_same() -> None:
    with ModelServer({MAIN: [do(bash("ls 书"), text="看")]}, {}, lambda: None) as model:
        _, whole = post(f"{model.url}/v1/messages?beta=true", body())
        _, again = post(f"{model.url}/v1/messages?beta=true", body())
        _, stream = post(f"{model.url}/v1/messages", {**body(), "stream": True})
    assert whole == again
    message = json.loads(whole)
    assert message["stop_reason"] == "tool_use"
    text, call = message["content"]
    assert (text["text"], call["name"], call["input"]["command"]) == ("看", "Bash", "ls 书")
    events = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
    names = [line[7:] for line in stream.splitlines() if line.startswith("event: ")]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert names == ["message_start", *block, *block, "message_delta", "message_stop"]
    assert names == [event["type"] for event in events]
    assert json.loads(events[5]["delta"]["partial_json"]) == call["input"]


def test_what_else_is_asked() -> None:
    with ModelServer({MAIN: [Refuse(529, "busy")]}, {}, lambda: None) as model:
        assert post(f"{model.url}/v1/messages", body())[0] == 529
        status, counted = post(f"{model.url}/v1/messages/count_tokens", body())
        assert (status, json.loads(counted)["input_tokens"] > 0) == (200, True)
        assert post(f"{model.url}/v1/other", {})[0] == 404
        assert model.other == ["POST /v1/other"]
        assert model.faults == []
        assert post(f"{model.url}/v1/messages", body(messages=TALK))[0] == 400
        assert [fault.split(":")[0] for fault in model.faults] == ["Unscripted"]
    assert [request.turn for request in model.requests] == [0, 1]
