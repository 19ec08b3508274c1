"""An OpenAI-compatible server on a real socket that plays a script: answers, tool calls, and every way to fail.

``with ModelServer([Say("hello"), Fail(429, retry_after=1)]) as server`` serves ``server.url``; what was asked is in
``server.requests``. It speaks ``/v1/chat/completions`` (streamed or not) and ``/v1/models``, nothing else.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Say:
    """A text. ``finish``: why it stops; ``usage``: whether tokens are told; ``pause_s``: between two tokens."""

    text: str
    finish: str = "stop"
    usage: bool = True
    pause_s: float = 0.0


@dataclass(frozen=True)
class Use:
    """Tool calls as ``(name, arguments)``; arguments that are a text go out as they are, well-formed or not."""

    calls: tuple[tuple[str, dict[str, Any] | str], ...]
    text: str = ""
    finish: str = "tool_calls"
    usage: bool = True


@dataclass(frozen=True)
class Fail:
    """An HTTP error, with ``Retry-After`` in seconds where it is given."""

    status: int
    retry_after: float | None = None
    message: str = "scripted failure"


@dataclass(frozen=True)
class Drop:
    """The connection breaks after so many streamed pieces (0: before the first byte)."""

    after: int = 0
    text: str = "this answer never ends"


@dataclass(frozen=True)
class Garbage:
    """A body that is no JSON, with status 200."""

    body: str = "<html>not what you expected</html>"


Reply = Say | Use | Fail | Drop | Garbage
Script = Sequence[Reply] | Callable[[dict[str, Any]], Reply]
"""Replies in turn (after the last one the server fails with 599), or a function of the request."""


@dataclass
class ModelServer:
    """The server; a context manager. ``requests`` are the bodies that were sent, in order."""

    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    models: tuple[str, ...] = ("scripted",)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The base URL for an OpenAI-compatible client."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def calls(self) -> int:
        """How many completions were asked for."""
        return len(self.requests)

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def next_reply(self, request: dict[str, Any]) -> Reply:
        """Record the request and return what the script says to it."""
        with self._lock:
            self.requests.append(request)
            if callable(self.script):
                return self.script(request)
            at = len(self.requests) - 1
            return self.script[at] if at < len(self.script) else Fail(599, message="the script has ended")


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, owner: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner


class _Handler(BaseHTTPRequestHandler):
    server: "_Http"
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing: the requests are kept."""

    def do_GET(self) -> None:
        listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.owner.models]}
        self._json(200, listed if self.path.endswith("/models") else {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        reply = self.server.owner.next_reply(body)
        if isinstance(reply, Fail):
            extra = {} if reply.retry_after is None else {"Retry-After": f"{reply.retry_after:g}"}
            self._json(reply.status, {"error": {"message": reply.message, "type": "scripted"}}, extra)
        elif isinstance(reply, Garbage):
            self._bytes(200, reply.body.encode(), {"Content-Type": "application/json"})
        elif isinstance(reply, Drop) and (reply.after == 0 or not body.get("stream")):
            self._break()
        elif body.get("stream"):
            self._stream(reply, body)
        else:
            self._json(200, _whole(reply, body))

    def _stream(self, reply: Reply, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(_pieces(reply, body)):
            if isinstance(reply, Drop) and number >= reply.after:
                self._break()
                return
            self._chunk(f"data: {json.dumps(piece)}\n\n".encode())
            if isinstance(reply, Say) and reply.pause_s:
                time.sleep(reply.pause_s)  # noqa: TID251 - a slow server is slow in its own thread
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _break(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def _json(self, status: int, value: Any, extra: dict[str, str] | None = None) -> None:
        self._bytes(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(extra or {})})

    def _bytes(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def handle_one_request(self) -> None:
        """Serve; a client that went away in the middle is no error of the server's."""
        try:
            super().handle_one_request()
        except (BrokenPipeError, ConnectionResetError, ValueError, OSError):
            self.close_connection = True


def _head(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": body.get("model", "scripted")}


def _usage(body: dict[str, Any], said: str) -> dict[str, int]:
    asked = len(json.dumps(body.get("messages", [])).split())
    return {"prompt_tokens": asked, "completion_tokens": len(said.split()), "total_tokens": asked + len(said.split())}


def _calls(reply: Use) -> list[dict[str, Any]]:
    return [
        {
            "index": number,
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(reply.calls)
    ]


def _whole(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    assert isinstance(reply, Say | Use)
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if isinstance(reply, Use):
        message["tool_calls"] = _calls(reply)
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    whole = {**_head(body, "chat.completion"), "choices": [choice]}
    return {**whole, "usage": _usage(body, reply.text)} if reply.usage else whole


def _pieces(reply: Reply, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    head = _head(body, "chat.completion.chunk")

    def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield piece({"role": "assistant", "content": ""})
    text = reply.text if isinstance(reply, Say | Use | Drop) else ""
    for number, word in enumerate(text.split(" ") if text else ()):
        yield piece({"content": word if number == 0 else f" {word}"})
    if isinstance(reply, Use):
        for call in _calls(reply):
            arguments = call["function"]["arguments"]
            begun = {**call, "function": {"name": call["function"]["name"], "arguments": ""}}
            yield piece({"tool_calls": [begun]})
            for at in range(0, len(arguments), 12):
                yield piece(
                    {"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[at : at + 12]}}]}
                )
    assert isinstance(reply, Say | Use | Drop)
    yield piece({}, "stop" if isinstance(reply, Drop) else reply.finish)
    wanted = (body.get("stream_options") or {}).get("include_usage")
    if wanted and not isinstance(reply, Drop) and reply.usage:
        yield {**head, "choices": [], "usage": _usage(body, text)}
