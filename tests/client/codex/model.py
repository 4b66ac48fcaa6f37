"""The model service of Codex on loopback: a scenario's answers in the form of the Responses API."""

from __future__ import annotations

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable

from client.codex.conversation import Codex, Doing, Group, Item
from client.request import Request
from client.scenario import Kill, Refuse, Reply, answer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from client.scenario import Scenario


class CodexModel:
    """Serves from `with` to its end.

    `requests`: every question that a script answered. `bodies`: every question as Codex put it.
    `faults`: what the scenario did not foresee, or got wrong; Codex was told 400 then.
    """

    def __init__(
        self, root: Path, scenario: Scenario, prompts: Mapping[str, str], on_kill: Callable[[], None]
    ) -> None:
        self.codex = Codex(root)
        self.scenario = scenario
        self.prompts = prompts
        self.on_kill = on_kill
        self.requests: list[Request] = []
        self.bodies: list[Mapping[str, Any]] = []
        self.faults: list[str] = []
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.model = self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> CodexModel:
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, body: Mapping[str, Any]) -> tuple[list[dict[str, Any]] | Refuse | Kill, int]:
        """The items of the next answer, and a number for its calls."""
        self.bodies.append(body)
        with self._lock:
            request, group = self.codex.read(body, self.prompts)
            if group is not None:
                return _items(group, self.codex.number(group)), len(self.bodies)
            self.requests.append(request)
        try:
            found = answer(self.scenario, request)
        except Exception as wrong:  # any fault of a script, shown by the harness
            self.faults.append(f"{type(wrong).__name__}: {wrong}")
            return Refuse(message=str(wrong)), 0
        if not isinstance(found, Reply):
            return found, 0
        if not found.calls:
            self.codex.asked = []
            return [_words(found.text, len(self.bodies))], len(self.bodies)
        with self._lock:
            number = self.codex.begin(found)
            return _items(self.codex.groups[number], number), len(self.bodies)


def _words(text: str, number: int) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "id": f"msg-{number}", "content": content}


def _items(group: Group, number: int) -> list[dict[str, Any]]:
    if group.asks is not None:
        return [_words(group.asks.question(), number)]
    return [
        _item(doing, f"call-{number}-{group.doings.index(doing)}-{len(doing.said)}") for doing in group.open
    ]


def _item(doing: Doing, name: str) -> dict[str, Any]:
    item: Item = doing.next()
    if isinstance(item.arguments, str):
        return {"type": "custom_tool_call", "call_id": name, "name": item.name, "input": item.arguments}
    where = {"namespace": item.namespace} if item.namespace else {}
    told = json.dumps(item.arguments, ensure_ascii=False)
    return {"type": "function_call", "call_id": name, "name": item.name, "arguments": told, **where}


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    model: CodexModel

    def server_bind(self) -> None:
        """Without the look-up of the host's full name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: object) -> None:
        """The harness keeps its own record."""

    def do_GET(self) -> None:
        self._send(404, "{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        found, number = self.server.model.reply(json.loads(raw))
        if isinstance(found, Kill):
            self.close_connection = True
            self.server.model.on_kill()
        elif isinstance(found, Refuse):
            error = {"type": "invalid_request_error", "message": found.message}
            self._send(found.status, json.dumps({"error": error}, ensure_ascii=False))
        else:
            self._send(200, _stream(found, number, len(raw) // 4 + 1), "text/event-stream")

    def _send(self, status: int, text: str, kind: str = "application/json") -> None:
        payload = text.encode("utf-8")
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def _stream(items: list[dict[str, Any]], number: int, size: int) -> str:
    """Tokens are made up from the lengths: never 0, a seventh of the input cached."""
    spent = len(json.dumps(items)) // 4 + 1
    usage = {
        "input_tokens": size,
        "input_tokens_details": {"cached_tokens": size // 7},
        "output_tokens": spent,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": size + spent,
    }
    events = [
        {"type": "response.created", "response": {"id": f"resp-{number}"}},
        *(
            {"type": "response.output_item.done", "output_index": n, "item": item}
            for n, item in enumerate(items)
        ),
        {"type": "response.completed", "response": {"id": f"resp-{number}", "usage": usage}},
    ]
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events
    )
