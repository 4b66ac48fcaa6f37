"""A scripted reply in the form that the client reads: one document, or the events of a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from client.request import Request
    from client.scenario import Reply

CHARS_A_TOKEN = 4


def compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


def _blocks(request: Request, reply: Reply) -> list[dict[str, Any]]:
    text = [{"type": "text", "text": reply.text}] if reply.text or not reply.calls else []
    return text + [
        {
            "type": "tool_use",
            "id": f"toolu_{request.fingerprint}{index:02d}",
            "name": call.tool,
            "input": dict(call.input),
        }
        for index, call in enumerate(reply.calls)
    ]


def whole(request: Request, reply: Reply) -> dict[str, Any]:
    """The message as one document. Tokens are made up from the lengths: never 0, the same each time."""
    blocks = _blocks(request, reply)
    return {
        "id": f"msg_{request.fingerprint}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": blocks,
        "stop_reason": "tool_use" if reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": len(compact(request.body)) // CHARS_A_TOKEN + 1,
            "output_tokens": len(compact(blocks)) // CHARS_A_TOKEN + 1,
        },
    }


def stream(request: Request, reply: Reply) -> str:
    """Server-sent events."""
    return "".join(f"event: {event['type']}\ndata: {compact(event)}\n\n" for event in events(request, reply))


def events(request: Request, reply: Reply) -> Iterator[dict[str, Any]]:
    """The same message as the events of a stream."""
    message = whole(request, reply)
    start = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": compact(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": message["usage"]["output_tokens"]},
    }
    yield {"type": "message_stop"}
