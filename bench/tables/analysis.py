"""Analysis of rows: complete rounds, speed-ups, crowding, correlations.

Nothing in here measures or draws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import inf, log10
from statistics import fmean, median

from bench.tables.rows import Correlation, Cut, Prediction, Run, Scale
from bench.tables.stats import Ratio, pearson, ratio, spearman

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
    return max(1.0, walks[measured] / walks[1]) if 1 in walks else 1.0


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


def correlate(runs: list[Run], forecast: list[Prediction]) -> Iterator[Correlation]:
    """Yield every pair of variables, for all runs and for each number of cores."""
    boards = complete_rounds(runs)
    groups: dict[str, list[dict[str, float]]] = {"all": []}
    for by_cores in boards.values():
        for cores, there in by_cores.items():
            sequential, seconds = (fmean(run.seconds for run in runs) for runs in (by_cores[1], there))
            values = variables_of(there[0], sequential, fmean(run.tasks or 1 for run in there), seconds)
            groups["all"].append(values)
            if cores > 1:
                groups.setdefault(str(cores), []).append(values)
    for row in forecast:
        if row.board in boards:
            values = variables_of(boards[row.board][1][0], row.sequential, row.tasks or 1, row.seconds)
            groups.setdefault(f"{row.cores} simulated", []).append(values)
    for name, here in groups.items():
        columns = {variable: [values[variable] for values in here] for variable in VARIABLES}
        for first, second in product(VARIABLES, repeat=2):
            pair = columns[first], columns[second]
            yield Correlation(name, first, second, pearson(*pair), spearman(*pair), len(here))


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
