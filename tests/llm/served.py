"""Starts the server of the local model as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / ".models" / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
MODEL = "qwen2.5-coder-1.5b"


@contextmanager
def served_model() -> Iterator[str]:
    """Yield the address of a server on a free loopback port; what it says on standard error is shown if it fails."""
    if not WEIGHTS.exists():
        raise FileNotFoundError(f"{WEIGHTS.name} is not in .models: `make test-llm` puts it there")
    command = [sys.executable, str(Path(__file__).with_name("server.py")), str(WEIGHTS)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = process.stdout.readline().split()
        if said[:1] != ["ready"]:
            raise RuntimeError(f"the server of the model did not start, its exit status is {process.wait()}")
        yield f"http://127.0.0.1:{said[1]}"
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
