"""A server on the loopback interface that answers as both providers do, and fails as they fail."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prme_extractors.llm.anthropic_model import anthropic_extractor
from prme_extractors.llm.extractor import ModelExtractor
from prme_extractors.llm.openai_model import openai_extractor

KEY = "sk-secret-Quokka"


@dataclass(frozen=True)
class Reply:
    """One response: what is sent, and what goes wrong on the way.

    `late` waits that many seconds first, `drops` closes the connection instead of answering, `cut` sends half of the
    body, `drips` sends it byte by byte with that many seconds between them.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    late: float = 0.0
    drops: bool = False
    cut: bool = False
    drips: float = 0.0

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Script = list[Reply] | Callable[[Asked], Reply]


class Loopback:
    """The running server: what it was asked, and what it answers next."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self._script = script
        self._lock = threading.Lock()

    def reply(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            return self._script.pop(0) if isinstance(self._script, list) else self._script(asked)


@contextmanager
def serving(script: Script) -> Iterator[tuple[Loopback, str]]:
    """Serve a script; gives the server and its address."""
    loopback = Loopback(script)
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            asked = Asked(self.path, dict(self.headers.items()), json.loads(self.rfile.read(length)))
            self._send(loopback.reply(asked))

        def _send(self, reply: Reply) -> None:
            stopping.wait(reply.late)
            if reply.drops:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.data)))
            self.end_headers()
            if reply.cut:
                self.wfile.write(reply.data[: len(reply.data) // 2])
                self.close_connection = True
            elif reply.drips:
                for byte in reply.data:
                    if stopping.wait(reply.drips):
                        break
                    self.wfile.write(bytes([byte]))
            else:
                self.wfile.write(reply.data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True  # a client may keep its connection for longer than the server lives

        def handle_error(self, *_: object) -> None:
            """A client that gave up closes its end while something is still being sent."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield loopback, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


class Provider:
    """How one provider's protocol says what all of them say."""

    name = ""
    path = ""

    def extractor(self, address: str, model: str = "m1") -> ModelExtractor:
        """Return a real extractor that asks the server."""
        raise NotImplementedError

    def answer(self, text: str, ending: str | None = None) -> dict[str, Any]:
        """Return the body of a response with a text, ended in the provider's word for it."""
        raise NotImplementedError

    def texts(self, asked: Asked) -> tuple[str, str]:
        """Return the instructions and the question of a request."""
        raise NotImplementedError

    def room(self, asked: Asked) -> int:
        """Return how many tokens the answer may have."""
        raise NotImplementedError

    def error(self, status: int, **headers: str) -> Reply:
        """Return an error response, with a text that must not get out."""
        body = {"type": "error", "error": {"type": "api_error", "message": "provider text Zebrafish", "code": None}}
        return Reply(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


class Anthropic(Provider):
    name = "anthropic"
    path = "/v1/messages"
    truncated = "max_tokens"
    refused = "refusal"

    def extractor(self, address: str, model: str = "m1") -> ModelExtractor:
        return anthropic_extractor(model, api_key=KEY, base_url=address)

    def answer(self, text: str, ending: str | None = None) -> dict[str, Any]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m1",
            "content": [{"type": "text", "text": text}],
            "stop_reason": ending or "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 40,
                "output_tokens": 20,
                "cache_creation_input_tokens": 10,
                "cache_read_input_tokens": 50,
            },
        }

    def texts(self, asked: Asked) -> tuple[str, str]:
        return asked.body["system"][0]["text"], asked.body["messages"][0]["content"]

    def room(self, asked: Asked) -> int:
        return asked.body["max_tokens"]


class OpenAI(Provider):
    name = "openai"
    path = "/v1/chat/completions"
    truncated = "length"

    def extractor(self, address: str, model: str = "m1") -> ModelExtractor:
        return openai_extractor(model, api_key=KEY, base_url=f"{address}/v1")

    def answer(self, text: str, ending: str | None = None, refusal: str | None = None) -> dict[str, Any]:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": "m1",
            "choices": [{"index": 0, "message": message, "finish_reason": ending or "stop", "logprobs": None}],
            "usage": {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 50},
            },
        }

    def texts(self, asked: Asked) -> tuple[str, str]:
        instructions, question = asked.body["messages"]
        return instructions["content"], question["content"]

    def room(self, asked: Asked) -> int:
        return asked.body["max_tokens"]


ANTHROPIC, OPENAI = Anthropic(), OpenAI()
PROVIDERS: list[Provider] = [ANTHROPIC, OPENAI]


def answered_claim(quote: str, obj: str, **fields: Any) -> dict[str, Any]:
    """Return one claim as a model writes it."""
    return {
        "evidence_quote": quote,
        "subject": "I",
        "predicate": "uses",
        "object": obj,
        "polarity": "positive",
        "temporal_intent": "assertion",
        "replaces_object": None,
        "epistemic_type": "asserted",
        "condition": None,
        "temporal_ref": None,
        "kind": "fact",
        "subject_entity_type": None,
        **fields,
    }


def answer_text(*claims: dict[str, Any], entities: list[dict[str, str]] | None = None) -> str:
    """Return an answer about one message as a model writes it."""
    return json.dumps({"entities": entities or [], "claims": list(claims)})


FIGMA = "I use Figma."
FIGMA_ANSWER = answer_text(answered_claim(FIGMA, "Figma"))
NOTHING = answer_text()
