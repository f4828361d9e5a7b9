"""What was measured of one board: a line as soon as it is done, and a row of a file with a row a board.

    1f  sequential 4.05 s ± 0.02 (5)  parallel 2.06 s ± 0.01 (5)  speed-up 1.97 (1.94–1.99)

A time is a mean with the standard deviation and, in brackets, the number of counts. A speed-up is that of
the means, with the least and the most of all rounds. Numbers of workers beyond the cores of the machine are
marked: `16 on 2 cores`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from bench.tables.analysis import speedup
from bench.tables.machine import machine_facts
from bench.tables.rows import Run
from bench.tables.stats import Summary
from bench.tables.table import replace_file
from enumerator.text.phrases import measured, plural

MACHINE = ("os", "cores", "cpu")
"""The facts above the rows of a file."""

TIMES = ("iterations", "mean", "deviation", "least", "most")

GAIN = ("speed-up", "least speed-up", "most speed-up")


def runs_of(rows: Iterable[Run], board: str) -> dict[int, list[Run]]:
    """Return the runs of a board by cores, from the fewest cores up."""
    found: dict[int, list[Run]] = {}
    for row in sorted((row for row in rows if row.board == board), key=lambda row: (row.cores, row.iteration)):
        found.setdefault(row.cores, []).append(row)
    return found


def paired(by_cores: dict[int, list[Run]], cores: int) -> dict[int, list[Run]]:
    """Return the runs on one core and on `cores`, of the rounds that have both."""
    common = {run.iteration for run in by_cores.get(1, [])} & {run.iteration for run in by_cores[cores]}
    return {each: [run for run in by_cores.get(each, []) if run.iteration in common] for each in (1, cores)}


def gain_of(by_cores: dict[int, list[Run]], cores: int) -> tuple[float, float, float] | None:
    """Return the speed-up of means, and the least and the most of all rounds; None without a round of both."""
    both = paired(by_cores, cores)
    if cores == 1 or not both[1]:
        return None
    ratios = [one.seconds / other.seconds for one, other in zip(both[1], both[cores], strict=True)]
    return speedup(both, cores).value, min(ratios), max(ratios)


def label_of(cores: int, numbers: Iterable[int], most: int | None) -> str:
    """Return the name of a number of cores beside others; `most` is the number of cores of the machine."""
    if cores == 1:
        return "sequential"
    if most and cores > most:
        return f"{cores} on {plural(most, 'core')}"
    return "parallel" if sum(number > 1 for number in numbers) == 1 else f"{cores} cores"


def line_of(board: str, by_cores: dict[int, list[Run]], most: int | None = None) -> str:
    """Return the line of a board. Numbers of cores beyond `most` are marked."""
    parts = [board]
    for cores, runs in by_cores.items():
        name = label_of(cores, by_cores, most)
        times = Summary.of([run.seconds for run in runs])
        parts.append(f"{name} {measured(times.mean, times.deviation)} ({len(runs)})")
        if gain := gain_of(by_cores, cores):
            parts.append("speed-up {:.2f} ({:.2f}–{:.2f})".format(*gain))
    return "  ".join(parts)


def table_of(
    names: Iterable[str], rows: list[Run], numbers: list[int], most: int | None = None
) -> Iterator[list[object]]:
    """Yield the head and the rows of a file: a row a board, with empty fields for what was not measured.

    Numbers of cores beyond `most` are marked.
    """
    parallel = [cores for cores in numbers if cores > 1]
    labels = {cores: label_of(cores, numbers, most) for cores in numbers}
    gains = {cores: "" if labels[cores] == "parallel" else f"{labels[cores]} " for cores in parallel}
    yield [
        "name",
        *(f"{labels[cores]} {name}" for cores in numbers for name in TIMES),
        *(f"{gains[cores]}{name}" for cores in parallel for name in GAIN),
    ]
    for board in names:
        by_cores, fields = runs_of(rows, board), list[object]()
        for cores in numbers:
            fields += times_of(by_cores.get(cores, []))
        for cores in parallel:
            gain = gain_of(by_cores, cores) if cores in by_cores else None
            fields += [f"{value:.6g}" for value in gain] if gain else [""] * len(GAIN)
        if by_cores:
            yield [board, *fields]


def times_of(runs: list[Run]) -> list[object]:
    """Return the fields of `TIMES` for some runs."""
    if not runs:
        return [0, *[""] * (len(TIMES) - 1)]
    times = Summary.of([run.seconds for run in runs])
    return [len(runs), *(f"{value:.6g}" for value in (times.mean, times.deviation, times.least, times.most))]


def write_boards(
    path: Path, names: Iterable[str], rows: list[Run], numbers: list[int], most: int | None = None
) -> None:
    """Write a file with a row a board, after the facts about the machine. Raise DataError."""
    facts, text = machine_facts(), StringIO()
    csv.writer(text, lineterminator="\n").writerows(table_of(names, rows, numbers, most))
    replace_file(path, "".join(f"# {name}: {facts[name]}\n" for name in MACHINE) + text.getvalue())
