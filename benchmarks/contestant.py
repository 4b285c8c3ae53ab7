"""Contestants: each has a process of its own, so that what one holds in memory does not slow the others down."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from benchmarks.measure import Step, Timing, timed

Opening = Callable[[], AbstractContextManager[Step]]
KIBIBYTES_IN_MEBIBYTE = 1_024


class Contestant:
    """Runs one step at a time on request in its own process; `opening` must be importable there."""

    def __init__(self, opening: Opening) -> None:
        """Start the process, and wait until it is ready."""
        context = _context()
        self._pipe, theirs = context.Pipe()
        # A context's class of process is not part of the type of contexts.
        start: Callable[..., BaseProcess] = getattr(context, "Process")  # noqa: B009
        self._process = start(target=_serve, args=(theirs, opening))
        self._process.start()
        theirs.close()
        self.opening = self._answer()

    def step(self, number: int) -> Timing:
        """Run one step."""
        self._pipe.send(number)
        return self._answer()

    def end(self) -> float:
        """End the process, and return how much memory it held at most, in MiB."""
        self._pipe.send(None)
        peak = float(self._pipe.recv())
        self._process.join()
        return peak

    def _answer(self) -> Timing:
        try:
            answer = self._pipe.recv()
        except EOFError:
            raise RuntimeError("a process of the benchmark ended early; what it printed says why") from None
        assert isinstance(answer, Timing)
        return answer

    def stop(self) -> None:
        """End the process in any case."""
        self._pipe.close()
        self._process.join()


@contextlib.contextmanager
def contestants(openings: Mapping[str, Opening]) -> Iterator[dict[str, Contestant]]:
    """Start a contestant for each opening, and stop them all at the end."""
    with contextlib.ExitStack() as stack:
        started: dict[str, Contestant] = {}
        for name, opening in openings.items():
            started[name] = Contestant(opening)
            stack.callback(started[name].stop)
        yield started


def _context() -> BaseContext:
    """Return how processes are started: forked from one that has loaded the library and opened nothing."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.stores"])
    return context


def _serve(pipe: Connection[Any, Any], opening: Opening) -> None:
    opened: list[AbstractContextManager[Step]] = []
    entered: list[Step] = []

    def open_it(_: int) -> None:
        opened.append(opening())
        entered.append(opened[0].__enter__())

    pipe.send(timed(open_it)(0))
    run = timed(entered[0])
    try:
        while (number := _next(pipe)) is not None:
            pipe.send(run(number))
    finally:
        opened[0].__exit__(*sys.exc_info())
    with contextlib.suppress(OSError):
        pipe.send(peak_memory())


def _next(pipe: Connection[Any, Any]) -> int | None:
    try:
        number = pipe.recv()
    except EOFError:
        return None
    return number if number is None else int(number)


def peak_memory() -> float:
    """Return how much memory this process held at most, in MiB."""
    import resource  # not on every system, and only a replay is asked for it

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / KIBIBYTES_IN_MEBIBYTE / (KIBIBYTES_IN_MEBIBYTE if sys.platform == "darwin" else 1)
