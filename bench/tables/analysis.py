"""Analysis of rows: complete rounds, speed-ups, crowding, correlations.

Nothing in here measures or draws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import inf, log10
from statistics import fmean, median
from typing import Protocol, TypeVar

from bench.common.boards import PUBLISHED
from bench.tables.rows import Correlation, Cut, Prediction, Run, Scale
from bench.tables.stats import Ratio, correlation_bounds, pearson, ratio, spearman

VARIABLES = (
    "empty cells",
    "filling factor",
    "log search space",
    "log solutions",
    "log nodes",
    "log tasks",
    "log sequential time",
    "log parallel time",
    "speed-up",
)
"""The variables that are correlated. Those that range over many magnitudes are taken by their
logarithms."""


SETS = OURS, _ = "ours", "published"
"""The sets of boards. Boards of any other files count as ours."""

LEAST_BOARDS = 3
"""Fewer boards than this have no correlations."""


class OfBoard(Protocol):
    """A row about a board."""

    @property
    def board(self) -> str: ...


BoardRow = TypeVar("BoardRow", bound=OfBoard)


def complete_rounds(rows: Iterable[Run]) -> dict[str, dict[int, list[Run]]]:
    """Return the runs of each board by cores; rounds that lack a number of cores are left out."""
    sorted_rows: dict[str, dict[int, dict[int, Run]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        sorted_rows[row.board][row.cores][row.iteration] = row
    complete = {}
    for board, by_cores in sorted_rows.items():
        common = sorted(set.intersection(*(set(by_round) for by_round in by_cores.values())))
        if common:
            complete[board] = {cores: [by_cores[cores][each] for each in common] for cores in sorted(by_cores)}
    return complete


def compared_rounds(rows: Iterable[Run]) -> dict[str, dict[int, list[Run]]]:
    """Return the complete rounds of the boards that were counted on one core, too."""
    return {board: by_cores for board, by_cores in complete_rounds(rows).items() if 1 in by_cores}


def speedup(by_cores: dict[int, list[Run]], cores: int) -> Ratio:
    """Return the mean sequential time over the mean time on `cores` cores."""
    return ratio([run.seconds for run in by_cores[1]], [run.seconds for run in by_cores[cores]])


def least_times(runs: list[Run]) -> dict[str, dict[int, float]]:
    """Return the least measured seconds, by board and cores."""
    return {
        board: {cores: min(run.seconds for run in row) for cores, row in by_cores.items()}
        for board, by_cores in complete_rounds(runs).items()
    }


def crowding(runs: list[Run], cores: int) -> float:
    """Return the factor by which a walk is slower while `cores` cores work.

    Where that many were not measured, the next smaller measured number counts.
    """
    walks: dict[int, float] = {}
    for run in runs:
        walks[run.cores] = min(run.walk, walks.get(run.cores, inf))
    measured = max((number for number in walks if number <= cores), default=1)
    return max(1.0, walks[measured] / walks[1]) if walks.keys() >= {1, measured} else 1.0


def idle_share(row: Cut) -> float:
    """Return the share of the cores' time in which they had no task."""
    return 1 - row.busy / (row.cores * row.seconds)


def crossing(rows: list[Scale]) -> int | None:
    """Return the most clues at and below which the contraction beats the search in the median."""
    cross = None
    for clues in sorted({row.clues for row in rows}, reverse=True):
        search, contraction = (
            median([row.seconds or inf for row in rows if (row.clues, row.engine) == (clues, engine)] or [inf])
            for engine in ("search", "contraction")
        )
        if contraction >= search:
            cross = None
        elif cross is None:
            cross = clues
    return cross


def set_of(board: str) -> str:
    """Return the set that a board belongs to, by its name."""
    return SETS[board.startswith(PUBLISHED)]


def by_set(rows: Iterable[BoardRow]) -> dict[str, list[BoardRow]]:
    """Return rows by their sets of boards; sets without rows are left out."""
    found: dict[str, list[BoardRow]] = {}
    for row in sorted(rows, key=lambda row: SETS.index(set_of(row.board))):  # a stable order: ours first
        found.setdefault(set_of(row.board), []).append(row)
    return found


def correlate(runs: list[Run], forecast: list[Prediction]) -> Iterator[Correlation]:
    """Yield every pair of variables, for each set of boards: on all numbers of cores, and on each.

    Sequential runs are no data of their own: their speed-up is 1 by definition.
    """
    for boards, here in by_set(runs).items():
        groups = variables_by_cores(compared_rounds(here), forecast)
        for cores, values in groups.items():
            columns = {variable: [each[variable] for each in values] for variable in VARIABLES}
            for first, second in product(VARIABLES, repeat=2):
                pair, number = (columns[first], columns[second]), len(values)
                linear, ranked = pearson(*pair), spearman(*pair)
                low, high = correlation_bounds(linear, number)
                ranked_low, ranked_high = correlation_bounds(ranked, number, is_rank=True)
                yield Correlation(
                    boards, cores, first, second, linear, low, high, ranked, ranked_low, ranked_high, number
                )


def variables_by_cores(
    boards: dict[str, dict[int, list[Run]]], forecast: list[Prediction]
) -> dict[str, list[dict[str, float]]]:
    """Return the variables of each board on each number of cores above 1, measured and simulated.

    Numbers of cores with too few boards are left out.
    """
    groups: dict[str, list[dict[str, float]]] = {}
    for by_cores in boards.values():
        for cores, there in by_cores.items():
            if cores > 1:
                sequential, seconds = (fmean(run.seconds for run in runs) for runs in (by_cores[1], there))
                values = variables_of(there[0], sequential, fmean(run.tasks or 1 for run in there), seconds)
                for name in ("all", str(cores)):
                    groups.setdefault(name, []).append(values)
    if len(groups) == 2:  # one number of cores: all of the data are its own
        del groups["all"]
    for row in forecast:
        if row.board in boards:
            values = variables_of(boards[row.board][1][0], row.sequential, row.tasks or 1, row.seconds)
            groups.setdefault(f"{row.cores} simulated", []).append(values)
    return {cores: values for cores, values in groups.items() if len(values) >= LEAST_BOARDS}


def variables_of(run: Run, sequential: float, tasks: float, seconds: float) -> dict[str, float]:
    """Return the variables of a board on some number of cores.

    `run` is any of its runs; the others are means over all. A count without tasks has one task.
    """
    values = (
        run.empty_cells,
        run.filling_factor,
        log10(max(1, run.search_space)),
        log10(max(1, run.solutions)),
        log10(max(1, run.nodes)),
        log10(tasks),
        log10(sequential),
        log10(seconds),
        sequential / seconds,
    )
    return dict(zip(VARIABLES, values, strict=True))
