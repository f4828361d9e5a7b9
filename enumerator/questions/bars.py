"""Progress bars: on a terminal by rich, and in a notebook.

rich needs ipywidgets for a bar in a notebook. A notebook itself can update an output, so its bar is
an HTML element.
"""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from enumerator.run.progress import PUZZLES
from enumerator.run.progress import Progress as Watched
from enumerator.text.phrases import lasting, percent, plural, time_left, whole

NARROW_COLUMNS, WIDE_COLUMNS = 40, 80
"""The least widths of a terminal: for a bar, and for the speed beside it."""


class Captions(NamedTuple):
    """The texts beside a bar: the share of the work, the solutions found, and the times."""

    percent: str
    found: str
    times: str


def describe(known: Watched, seconds: float) -> Captions:
    """Return the texts beside a bar, `seconds` after the question was asked."""
    share, times = known.share, lasting(seconds)
    if share and known.predicts:
        times += f", {time_left(seconds, share)}"
    return Captions("" if share is None else percent(share), describe_found(known, seconds), times)


def describe_found(known: Watched, seconds: float) -> str:
    """Return the number of boards, or of solutions, and their number per second.

    Where solutions are rare, or do not tell how far the engine is, its effort per second is shown instead.
    """
    noun = "puzzle" if known.stage == PUZZLES else "solution"
    number, unit = (known.solutions, f"{noun}s") if known.boards is None else (known.boards, "boards")
    of_all = "" if known.total is None else f" of {whole(known.total, '{:,}')}"
    speed = "" if number is None else f"{number:,}{of_all} {unit}, {number / seconds:,.0f}/s"
    if known.effort is None or (known.predicts and number is not None and number >= seconds):
        return speed
    rate = f", {known.rate:,.0f}/s" if known.rate else ""
    effort = f"{known.effort:,} {known.unit}{rate}"
    if known.boards is not None:
        return f"{plural(known.boards, 'board', '{:,}')}; a hard one: {effort}"
    if number is None:
        return effort
    return f"{plural(number, noun, '{:,}') if number else f'no {noun} yet'}, {effort}"


class TerminalBar:
    """A progress bar on standard error: one line, updated in place and removed at the end.

    It is drawn in the thread of the caller, by `draw`.
    """

    def __init__(self) -> None:
        console = Console(stderr=True, highlight=False)
        columns = [TextColumn("{task.fields[percent]}"), TextColumn("[dim]{task.fields[times]}")]
        if console.width >= WIDE_COLUMNS:
            columns[1:1] = [TextColumn("[green]{task.fields[found]}")]
        bars = [BarColumn(bar_width=None)] if console.width >= NARROW_COLUMNS else []
        self.progress = Progress(
            *bars, *columns, console=console, auto_refresh=False, transient=True, expand=bool(bars)
        )
        self.task = self.progress.add_task("", total=1.0, percent="", found="", times="")

    def draw(self, known: Watched, seconds: float) -> None:
        """Draw the share of the work that is done, the solutions found, and the remaining time."""
        total = None if known.share is None else 1.0
        captions = describe(known, seconds)._asdict()
        self.progress.update(self.task, total=total, completed=known.share or 0.0, **captions)
        self.progress.start()  # only the first call has an effect
        self.progress.refresh()

    def close(self) -> None:
        self.progress.stop()


class NotebookBar:
    """A progress bar in the output of a notebook, updated in place and removed at the end."""

    def __init__(self) -> None:
        self._output: Any = None

    def draw(self, known: Watched, seconds: float) -> None:
        """Draw the share of the work that is done, the solutions found, and the remaining time."""
        value = "" if known.share is None else f' value="{known.share:.4f}"'
        texts = " · ".join(escape(text) for text in describe(known, seconds) if text)
        bar = f'<progress max="1"{value} style="width:40%;vertical-align:middle"></progress>'
        self._show({"text/html": f"{bar} <span>{texts}</span>", "text/plain": texts})

    def close(self) -> None:
        self._show({"text/html": "", "text/plain": ""})

    def _show(self, content: dict[str, str]) -> None:
        from IPython.display import display

        if self._output is None:
            self._output = display(content, raw=True, display_id=True)
        else:
            self._output.update(content, raw=True)
