"""The base class of the views of --minimal and --generate, which write puzzles."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.arguments import positive_integer
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.views import DRAWINGS, View
from enumerator.command.views.solution_view import get_output
from enumerator.text.phrases import plural, printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.command.solution_forms import GridSink
    from enumerator.questions.generate import Puzzle

PUZZLE_OPTIONS = frozenset(["time_limit", "seed", "grids", "output", "svg", "html"])
"""The special options that every question for puzzles accepts."""


def parse_number(text: str, otherwise: str) -> int:
    """Parse the number of puzzles after an option. `otherwise` says what a text is that is no number."""
    try:
        return positive_integer(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is {otherwise}") from None


class PuzzlesView(View[Any]):
    """A view that writes puzzles: as lines, as grids, or with their facts."""

    special_options = PUZZLE_OPTIONS
    written = "puzzle"

    @property
    def columns(self) -> tuple[str, ...]:
        from enumerator.questions.fields import table_columns

        return ("source", *table_columns(self.fields), "error")

    def write_line(self, line: str, request: Request) -> None:
        if request.form == "json":
            get_output(request).write(f"{line}\n".encode(), 0)
        else:
            super().write_line(line, request)

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if options.csv and options.output is not None:
            yield "--output takes lines, grids or JSON: direct the table to a file with >"
        if options.svg is not None or options.html is not None:
            yield from self.picture_conflicts(options)

    def picture_conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        """Return messages about options with which no single puzzle is drawn."""
        return ()

    def write(
        self,
        puzzles: Generator[list[Puzzle], None, None],
        writer: PuzzleWriter,
        number: int | None,
        hint: str = "",
    ) -> int:
        """Write puzzles as they come, and return the exit status. `number` were asked for; None: all there are.

        `hint` says why there may be none when the time is up.
        """
        from enumerator.questions.ask import Interrupted, OutOfTimeError

        def written() -> str:
            among = "" if number is None else f" of {number:,}"
            return f"{plural(writer.written, 'puzzle', '{:,}')}{among} written"

        try:
            for some in puzzles:
                writer.write(some)
        except OutOfTimeError:
            reason = f" ({hint})" if hint and not writer.written else ""
            complain(f"{writer.name}: the time is up; {written()}, not all{reason}")
            return FAILED
        except (KeyboardInterrupt, Interrupted):
            complain(f"interrupted: {writer.name}: {written()}")
            return INTERRUPTED
        finally:
            puzzles.close()
        return writer.draw()


def plain_line(puzzle: Puzzle) -> str:
    """Return a puzzle on a line, with its weight if it has one."""
    return f"{puzzle.board}\n" if puzzle.weight is None else f"{puzzle.board} {puzzle.weight:.6g}\n"


class PuzzleWriter:
    """Writes puzzles in the form that the options name, and counts them."""

    def __init__(self, source: str, request: Request, view: PuzzlesView, seed: int | None) -> None:
        """Prepare to write puzzles that `seed` makes again; None: nothing is random."""
        self.name, self.written = printable(source), 0
        self._source, self._request, self._view, self._seed = source, request, view, seed
        self._sink: GridSink | None = None
        self._last: Board | None = None

    def write(self, puzzles: list[Puzzle]) -> None:
        """Write some puzzles."""
        if not puzzles:
            return
        self._last = puzzles[-1].board
        if self._request.form == "number":
            self.written += len(puzzles)
        elif self._request.form in ("json", "csv"):
            for puzzle in puzzles:
                self._write_facts(puzzle)
        elif self._request.options.grids or (get_output(self._request).is_terminal and self._is_drawn()):
            self._write_grids(puzzles)
        else:
            text = "".join(map(plain_line, puzzles)).encode()
            self.written += get_output(self._request).write(text, len(puzzles))

    def announce(self, number: int) -> None:
        """Print the number of puzzles before the first one: as a heading where they are drawn, else as a message."""
        heading = f"{self.name}: {plural(number, 'minimal puzzle', '{:,}')}"
        if get_output(self._request).is_terminal and self._is_drawn():
            console.write_line(heading)
        else:
            complain(heading)

    def _is_drawn(self) -> bool:
        return self._request.form in DRAWINGS

    def _write_facts(self, puzzle: Puzzle) -> None:
        """Write a puzzle with its facts."""
        from enumerator.questions.fields import to_dict
        from enumerator.questions.generate import NumberedPuzzle

        numbered = NumberedPuzzle(self.written, puzzle.board, self._seed, puzzle.weight, puzzle.level)
        facts = {"source": self._source, **to_dict(self._view.fields, numbered)}
        line = self._view.line_of(facts, self._request.form)
        if self._request.form == "json":
            self.written += get_output(self._request).write(f"{line}\n".encode(), 1)
        else:
            console.write_line(line)
            self.written += 1

    def _write_grids(self, puzzles: list[Puzzle]) -> None:
        """Draw puzzles, each below its number and its weight, if it has one."""
        if self._sink is None:
            from enumerator.command.solution_forms import GridSink

            output, is_ascii = get_output(self._request), self._request.options.ascii or self._request.form == "ascii"
            self._sink = GridSink(output, puzzles[0].board, 0, "#", is_ascii)
        for weight, alike in groupby(puzzles, lambda puzzle: puzzle.weight):
            self._sink.suffix = "" if weight is None else f", weight {weight:.6g}"
            self.written += self._sink.write("".join(f"{puzzle.board}\n" for puzzle in alike).encode())

    def draw(self) -> int:
        """Write the files of --svg and --html, if there is a puzzle, and return the exit status."""
        options = self._request.options
        if self._last is None or (options.svg is None and options.html is None):
            return ANSWERED
        from enumerator.board.pictures import board_page, board_svg
        from enumerator.command.saved_files import save_pictures

        return save_pictures(options, board_svg, board_page, self._last, None, self.name)
