"""The same count by another method.

    another engine     if one takes the board. An engine that visits every solution is used only
                       if the solutions are not too many
    the same engine    otherwise. The board is transposed, and one cell is filled in all ways

In the second case a walk branches on other cells, and a sum has other tables, weights and
symmetries. The two counts then share code, but no intermediate result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.board.shape import units
from enumerator.run.counting import tallies
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Watch, no_progress

MOST_VISITED = 30_000_000
"""The largest number of solutions that are visited to verify a count."""

SECOND_COUNT_SECONDS = 30.0
"""The longest time of an engine that visits solutions to verify a count, at its nominal rate."""

SPLIT = ", rows for columns and one cell split"


@dataclass(slots=True)
class Verification:
    """A count by another method."""

    way: str
    solutions: int = 0
    seconds: float = 0.0
    parts: list[tuple[str, int]] = field(default_factory=list)
    """The boards that were counted, each with its number of solutions."""

    def to_dict(self) -> dict[str, object]:
        return {"solutions": str(self.solutions), "way": self.way, "seconds": round(self.seconds, 6)}


def verify(
    board: Board,
    engine: str,
    solutions: int,
    plan: Plan,
    watch: Watch = no_progress,
    *,
    most_visited: int = MOST_VISITED,
) -> Verification:
    """Count a board again. `engine` has counted it before and has found `solutions`.

    An engine that visits every solution is used only up to `most_visited` solutions.
    """
    started = perf_counter()
    plan = plan._replace(limit=None, cutoff=None)
    found = None
    for other in engines.supporting(board):
        most_effort = SECOND_COUNT_SECONDS * other.rate_for(board.shape) if other.visits else inf
        if other.name == engine or (other.visits and solutions > min(most_visited, most_effort)):
            continue
        found = count_boards(other.name, "", [board], plan, watch, most_effort)
        if found:
            break
    found = found or count_boards(engine, SPLIT, list(split(board.transposed())), plan, watch)
    if found is None:
        raise RuntimeError("a count was not verified")
    found.seconds = perf_counter() - started
    return found


def count_boards(
    engine: str, how: str, boards: list[Board], plan: Plan, watch: Watch, most_effort: float = inf
) -> Verification | None:
    """Return the sum of the counts of `boards` by an engine; None if it exceeds `most_effort`."""
    found, meter = Verification(f"{engine}{how}"), Meter()
    for number, part in enumerate(boards):
        with closing(tallies(part, plan._replace(engine=engine))) as counting:
            for tally in counting:
                known = meter.read_tally(tally)
                share = None if known.share is None and not number else (number + (known.share or 0.0)) / len(boards)
                watch(known._replace(share=share, solutions=None, stage=found.way))
                if tally.effort > most_effort:
                    return None
        found.parts.append((str(part), tally.solutions))
        found.solutions += tally.solutions
    return found


def split(board: Board) -> Iterator[Board]:
    """Yield the board with each candidate in the cell that has the fewest candidates."""
    empty = [cell for cell, digit in enumerate(board.cells) if not digit]
    if not empty:
        yield board
        return
    digits = range(1, board.shape.size + 1)
    seen = {
        cell: {board.cells[other] for _, unit in units(board.shape) if cell in unit for other in unit} for cell in empty
    }
    if board.allowed:
        for cell, held in seen.items():
            held.update(digit for digit in digits if not board.allowed[cell] >> (digit - 1) & 1)
    cell = max(empty, key=lambda cell: len(seen[cell]))
    for digit in digits:
        if digit not in seen[cell]:
            yield board.with_cell(cell, digit)
