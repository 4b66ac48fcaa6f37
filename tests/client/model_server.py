"""A model service on loopback that says what a scenario says, in the form that the client reads."""

from __future__ import annotations

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable
from urllib.parse import urlsplit

from client import wire
from client.request import Request
from client.scenario import Kill, Refuse, answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from client.scenario import Answer, Scenario


class ModelServer:
    """Serves from `with` to its end.

    `requests`: every question to a model, in the order of arrival. `other`: the rest, as "METHOD path".
    `faults`: what the scenario did not foresee, or got wrong; the client was told 400 then.
    `on_kill` is called when the scenario says Kill, and must end the client.
    """

    def __init__(self, scenario: Scenario, prompts: Mapping[str, str], on_kill: Callable[[], None]) -> None:
        self.scenario = scenario
        self.prompts = prompts
        self.on_kill = on_kill
        self.requests: list[Request] = []
        self.other: list[str] = []
        self.faults: list[str] = []
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.model = self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, body: Mapping[str, Any]) -> tuple[Request, Answer]:
        request = Request(body, self.prompts)
        self.requests.append(request)
        try:
            return request, answer(self.scenario, request)
        except Exception as wrong:  # any fault of a script, shown by the harness
            self.faults.append(f"{type(wrong).__name__}: {wrong}")
            return request, Refuse(message=str(wrong))


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer

    def server_bind(self) -> None:
        """Without the look-up of the host's full name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: object) -> None:
        """The harness keeps its own record."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        path = urlsplit(self.path).path
        if path == "/v1/messages":
            self._message(json.loads(raw))
        elif path == "/v1/messages/count_tokens":
            self._send(200, json.dumps({"input_tokens": len(raw) // wire.CHARS_A_TOKEN}))
        else:
            self._unknown()

    def do_GET(self) -> None:
        self._unknown()

    def do_HEAD(self) -> None:
        self.server.model.other.append(f"HEAD {self.path}")
        self._send(200, "")

    def _unknown(self) -> None:
        self.server.model.other.append(f"{self.command} {self.path}")
        self._error(404, "not_found_error", "no such page")

    def _message(self, body: Mapping[str, Any]) -> None:
        request, found = self.server.model.reply(body)
        if isinstance(found, Kill):
            self.close_connection = True
            self.server.model.on_kill()
        elif isinstance(found, Refuse):
            kind = "api_error" if found.status >= 500 else "invalid_request_error"
            self._error(found.status, kind, found.message)
        elif body.get("stream"):
            self._send(200, wire.stream(request, found), "text/event-stream")
        else:
            self._send(200, wire.compact(wire.whole(request, found)))

    def _error(self, status: int, kind: str, message: str) -> None:
        self._send(status, wire.compact({"type": "error", "error": {"type": kind, "message": message}}))

    def _send(self, status: int, text: str, kind: str = "application/json") -> None:
        payload = text.encode("utf-8")
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)
