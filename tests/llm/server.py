"""A loopback server with a real small model behind it, for both providers' protocols.

The model runs in this process; llama.cpp's grammar holds it to a JSON Schema. The first part of the path says which
forms of answer the server knows, so that a client can be seen to fall back: `/schema/v1` knows JSON Schema,
`/json/v1` only any JSON, `/text/v1` neither; a form that is not known is refused with HTTP 400.

Run as `python server.py MODEL.gguf [PORT]`: it prints `ready PORT` once it answers.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FORMS = {
    "schema": ("text", "json_object", "json_schema"),
    "json": ("text", "json_object"),
    "text": ("text",),
}
CONTEXT_TOKENS = 8192
# More threads are faster on a quiet machine and many times slower on a busy one.
THREADS = 1

Json = dict[str, Any]


@dataclass(frozen=True)
class Answered:
    """What the model wrote, why it stopped (`stop` or `length`), and the tokens as it counted them."""

    text: str
    reason: str
    usage: Mapping[str, Any]

    @property
    def cached(self) -> int:
        return (self.usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0


class LocalModel:
    """One model in memory, asked one question at a time at temperature 0."""

    def __init__(self, weights: Path) -> None:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(weights)
        parameters.n_ctx = CONTEXT_TOKENS
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
        parameters.hostnames, parameters.port = ["127.0.0.1"], 0
        parameters.ui, parameters.offline, parameters.verbosity = False, True, 0
        self._server = xllamacpp.Server(parameters)
        self._turn = threading.Lock()

    def answer(self, messages: Sequence[Json], max_tokens: int, schema: Json | None) -> Answered:
        body: Json = {"messages": list(messages), "max_tokens": max_tokens, "temperature": 0, "seed": 0}
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        with self._turn:
            answer = self._server.handle_chat_completions(body)
        if isinstance(answer, str | bytes):
            answer = json.loads(answer)
        if "choices" not in answer:
            raise ValueError(json.dumps(answer)[:500])
        choice = answer["choices"][0]
        return Answered(choice["message"]["content"] or "", choice["finish_reason"], answer["usage"])


def chat_completion(model: LocalModel, request: Json, forms: Sequence[str], number: int) -> Json:
    """Answer OpenAI's `POST /v1/chat/completions`."""
    form = request.get("response_format") or {"type": "text"}
    if form["type"] not in forms:
        raise ValueError(f"response_format {form['type']} is not known here")
    schema = {"json_schema": lambda: form["json_schema"]["schema"], "json_object": dict}.get(
        form["type"], lambda: None
    )()
    answered = model.answer(request["messages"], request["max_tokens"], schema)
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": answered.text, "refusal": None},
                "finish_reason": answered.reason,
                "logprobs": None,
            }
        ],
        "usage": dict(answered.usage),
    }


def message(model: LocalModel, request: Json, forms: Sequence[str], number: int) -> Json:
    """Answer Anthropic's `POST /v1/messages`."""
    form = (request.get("output_config") or {}).get("format")
    if form is not None and form["type"] not in forms:
        raise ValueError(f"output_config.format {form['type']} is not known here")
    system = [{"role": "system", "content": _text(request["system"])}] if request.get("system") else []
    asked = [{"role": turn["role"], "content": _text(turn["content"])} for turn in request["messages"]]
    answered = model.answer([*system, *asked], request["max_tokens"], form and form["schema"])
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [{"type": "text", "text": answered.text}],
        "stop_reason": "max_tokens" if answered.reason == "length" else "end_turn",
        "stop_sequence": None,
        # There, what comes from the cache is not among the input tokens.
        "usage": {
            "input_tokens": answered.usage["prompt_tokens"] - answered.cached,
            "output_tokens": answered.usage["completion_tokens"],
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": answered.cached,
        },
    }


def _text(content: str | Sequence[Json]) -> str:
    return content if isinstance(content, str) else "\n".join(block["text"] for block in content)


ANSWERS = {"v1/chat/completions": chat_completion, "v1/messages": message}


def handler(model: LocalModel, numbers: Iterator[int]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Say nothing: standard error belongs to what goes wrong."""

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            forms, _, call = self.path.partition("?")[0].lstrip("/").partition("/")
            if forms not in FORMS or call not in ANSWERS:
                self._send(404, _error("not_found_error", f"nothing is served at {self.path}"))
                return
            try:
                self._send(200, ANSWERS[call](model, request, FORMS[forms], next(numbers)))
            except Exception as error:
                self._send(400, _error("invalid_request_error", str(error)))

        def _send(self, status: int, body: Json) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


def _error(kind: str, text: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": text}}


def main(weights: str, port: str = "0") -> None:
    model = LocalModel(Path(weights))
    with ThreadingHTTPServer(("127.0.0.1", int(port)), handler(model, itertools.count(1))) as server:
        print(f"ready {server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
