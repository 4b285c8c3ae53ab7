"""A progress bar on a terminal; elsewhere it shows nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn


class TerminalBar:
    """A bar with words beside it, drawn as long as the block lasts and cleared at its end."""

    def __init__(self, console: Console, words: str, *, total: int | None) -> None:
        """Draw on a console, if it is a terminal; an unknown total draws a bar without an end."""
        described = TextColumn("{task.description}", markup=False)
        self._progress = Progress(
            described,
            BarColumn(),
            TaskProgressColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task(words, total=total)

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the bar."""
        self._progress.stop()
