"""The tables that `python -m bench large` prints, and the bounds that the figures must meet.

A cell is the least time in seconds or, over several rearrangements of a board, their median. A count that
the time limit ended shows its solutions a second; a verdict that it ended shows the limit. A line below
each table says what the figures must show, what they show, and whether that meets the bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from statistics import median
from typing import NamedTuple

from bench.figures.regret import MOST_OF_BETTER
from bench.study.large.contest import REFERENCES
from bench.study.large.trial import COUNT, VERDICT
from bench.tables.rows import Large
from bench.tables.text import Column, text_table
from enumerator.engines import AUTO, names
from enumerator.text.phrases import plural

MOST_OF_CADICAL, AIM_OF_CADICAL = 0.65, 0.5
"""The bound of the sum of our times on hard puzzles, and the aim, as shares of CaDiCaL's."""

LEAST_SPEEDUP = 1.5
"""The least speed-up on two cores."""

LEAST_OF_CLINGO, AIM_OF_CLINGO = 1.4, 2.0
"""The least speed on AGAINST_CLINGO as a multiple of clingo's, and the aim."""

AGAINST_CLINGO = "25-0, 2 clues fewer"
"""The board of that bound: 152,172 solutions, with many dead ends."""

WITH_DEAD_ENDS, LEAST_RATE = "16-0, 6 clues fewer", 170_000
"""A board with dead ends, and the least number of solutions a second by `auto`.

That is twice what the search found before it was written anew for large boards, on an AMD EPYC at 2.6 GHz.
"""

SHORT_SECONDS = 0.1
"""Times below this do not show which engine is better."""

EASY_SECONDS = 0.1
"""The most time of all easy puzzles together."""

MOST_MEGABYTES = 300
"""The most memory of our program on any of the boards."""

WIDE_PROGRAMS = frozenset(["clingo defaults", "exact-cover", "Glucose", "Kissat"])
"""Programs whose columns are printed with --wide only: the tables fit 100 columns without them."""

LARGEST = "36x36"
"""A part of the names of boards of which one must be decided."""


class Figure(NamedTuple):
    """The least measurement of a board by a program, or the median of its rearrangements."""

    question: str
    answer: str
    is_complete: bool
    seconds: float
    cpu: float | None
    memory: float

    @property
    def pace(self) -> float:
        """The seconds of a solution of a count; infinity if none was found."""
        found = int(self.answer.split()[0])
        return self.seconds / found if found else inf


Figures = dict[str, dict[str, Figure]]
"""Figures by board and by program."""


def figures_of(rows: Iterable[Large], are_rearranged: bool) -> Figures:
    """Return the figure of each board and program. Complete measurements come before all others, then the time counts.

    It is the least one or, of several rearrangements, the median; of an even number, the mean of the times of both.
    """
    groups: dict[str, dict[str, list[Figure]]] = {}
    for row in rows:
        figure = Figure(row.question, row.answer, row.is_complete, row.seconds, row.cpu, row.memory)
        groups.setdefault(row.board, {}).setdefault(row.program, []).append(figure)
    found: Figures = {}
    for board, programs in groups.items():
        for program, several in programs.items():
            ordered = sorted(several, key=lambda each: (not each.is_complete, each.seconds))
            figure = ordered[0]
            if are_rearranged:
                middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
                figure = middle[-1]._replace(seconds=median(each.seconds for each in middle))
            found.setdefault(board, {})[program] = figure
    return found


def report_lines(rows: list[Large], limit: float, wide: bool = False, rearrangements: int = 0) -> Iterator[str]:
    """Yield the lines of all sections, and of the memory on all of them."""
    titles = {
        "hard": "hard 25×25 puzzles, proven unique",
        "derived": "the same, with rows, columns and digits exchanged",
        "easy": "easy 16×16 puzzles, together",
        "counts": "puzzles with clues taken away, counted",
        "ours": "boards of boards/",
    }
    for section, title in titles.items():
        figures = figures_of((row for row in rows if row.section == section), rearrangements > 0)
        if figures:
            several = f", median of {plural(rearrangements, 'rearrangement')}" if rearrangements else ""
            yield f"{title}: seconds{several}, on one core unless said"
            yield from table_lines(figures, limit, wide)
            yield from BOUNDS[section](figures)
            yield ""
    yield from memory_lines(rows)


def table_lines(figures: Figures, limit: float, wide: bool) -> Iterator[str]:
    """Yield a table: boards by programs, and the ratio of the reference's time to that of `auto`."""
    programs = list(dict.fromkeys(program for each in figures.values() for program in each))

    def column(program: str) -> Column[str]:
        return Column(program, lambda board: cell_text(figures[board].get(program), limit), program in WIDE_PROGRAMS)

    def answer(board: str) -> str:
        known = {each.answer for each in figures[board].values() if each.is_complete}
        return " ".join(f"{int(number):,}" for number in known) or "?"

    def ratio(board: str) -> str:
        (question,) = {each.question for each in figures[board].values()}
        found = speed_ratio(figures[board], REFERENCES[question], AUTO)
        return "" if found is None else f"{found:.2f}"

    columns: list[Column[str]] = [Column("board", str, is_left=True), *map(column, programs), Column("ratio", ratio)]
    if any(each.question == COUNT for programs in figures.values() for each in programs.values()):
        columns.insert(1, Column("solutions", answer))
    yield from text_table(columns, figures, wide)


def cell_text(figure: Figure | None, limit: float) -> str:
    if figure is None:
        return ""
    if figure.is_complete:
        return f"{figure.seconds:.{2 if figure.seconds >= 1 else 3}f}"
    if figure.question == COUNT and figure.pace < inf:
        return f"{1 / figure.pace:,.0f}/s"
    return f"> {limit:g}"


def speed_ratio(figures: dict[str, Figure], slow: str, fast: str) -> float | None:
    """Return how many times as fast `fast` is as `slow`; None if that is unknown.

    Where both have ended, it is the ratio of times. Otherwise, for a count, it is that of solutions a second.
    """
    first, second = figures.get(slow), figures.get(fast)
    if first is None or second is None:
        return None
    if first.is_complete and second.is_complete:
        return first.seconds / second.seconds
    if first.question == COUNT and second.pace < inf and first.pace < inf:
        return first.pace / second.pace
    return None


def judge(statement: str, is_met: bool) -> str:
    return f"{'meets ' if is_met else 'misses'}  {statement}"


def hard_bounds(figures: Figures) -> Iterator[str]:
    """Yield the judgements on puzzles that are to be proven unique."""
    proven = sum(each[AUTO].is_complete for each in figures.values() if AUTO in each)
    yield judge(f"{proven} of {len(figures)} proven unique by {AUTO}; wanted: all", proven == len(figures))
    yield from sum_bound(figures, AUTO, REFERENCES[VERDICT])
    for name in sorted({name for each in figures.values() for name in each if name.startswith(f"{AUTO} ×")}):
        ended = [
            each for each in figures.values() if all(way in each and each[way].is_complete for way in (AUTO, name))
        ]
        if ended:
            speedup = sum(each[AUTO].seconds for each in ended) / sum(each[name].seconds for each in ended)
            statement = f"{name}: {speedup:.2f} times as fast as one, on {len(ended)} puzzles; wanted: {LEAST_SPEEDUP}"
            yield judge(statement, speedup >= LEAST_SPEEDUP and len(ended) == len(figures))
    yield from better_bound(figures)


def sum_bound(figures: Figures, ours: str, theirs: str) -> Iterator[str]:
    """Yield the judgement on the sums of times. A puzzle that one of them did not decide counts with its limit."""
    if any(theirs not in each or ours not in each for each in figures.values()):
        return
    sums = [sum(each[name].seconds for each in figures.values()) for name in (ours, theirs)]
    undecided = [sum(not each[name].is_complete for each in figures.values()) for name in (ours, theirs)]
    cpu = [sum(each[name].cpu or each[name].seconds for each in figures.values()) for name in (ours, theirs)]
    texts = [
        f"{name} {total:.2f} s{f' ({late} undecided)' if late else ''}"
        for name, total, late in zip((ours, theirs), sums, undecided, strict=True)
    ]
    ratio = sums[0] / sums[1]
    statement = (
        f"sums: {texts[0]}, {texts[1]}: ratio {ratio:.2f}, of processor time {cpu[0] / cpu[1]:.2f}"
        f"; wanted: {MOST_OF_CADICAL:g}, aim {AIM_OF_CADICAL:g}"
    )
    yield judge(statement, ratio <= MOST_OF_CADICAL and not undecided[0])


def easy_bounds(figures: Figures) -> Iterator[str]:
    for name, each in figures.items():
        if AUTO in each:
            found = each[AUTO]
            statement = f"{name}: {found.seconds:.3f} s by {AUTO}; wanted: at most {EASY_SECONDS:g} s"
            yield judge(statement, found.is_complete and found.seconds <= EASY_SECONDS)


def count_bounds(figures: Figures) -> Iterator[str]:
    name = REFERENCES[COUNT]
    ratio = speed_ratio(figures.get(AGAINST_CLINGO, {}), name, AUTO)
    if ratio is not None:
        statement = f"{AGAINST_CLINGO}: {ratio:.2f} times as fast as {name}"
        yield judge(f"{statement}; wanted: {LEAST_OF_CLINGO:g}, aim {AIM_OF_CLINGO:g}", ratio >= LEAST_OF_CLINGO)
    if found := figures.get(WITH_DEAD_ENDS, {}).get(AUTO):
        rate = 1 / found.pace
        statement = f"{WITH_DEAD_ENDS}: {rate:,.0f} solutions a second by {AUTO}; wanted: {LEAST_RATE:,}"
        yield judge(statement, rate >= LEAST_RATE)
    yield from better_bound(figures)


def better_bound(figures: Figures) -> Iterator[str]:
    """Yield the judgement on the choice of `auto`: its time over that of the better engine."""
    ratios = {}
    for board, each in figures.items():
        found = [ratio for name in names() if name != AUTO and (ratio := speed_ratio(each, AUTO, name))]
        if found and each[AUTO].seconds > SHORT_SECONDS:
            ratios[board] = max(found)
    if ratios:
        worst = max(ratios, key=lambda name: ratios[name])
        statement = f"{AUTO} takes at most {ratios[worst]:.2f} times as long as the better engine ({worst})"
        yield judge(f"{statement}; wanted: {MOST_OF_BETTER:g}", ratios[worst] <= MOST_OF_BETTER)


def our_bounds(figures: Figures) -> Iterator[str]:
    largest = {name: each[AUTO] for name, each in figures.items() if LARGEST in name and AUTO in each}
    for name, found in largest.items():
        state = f"proven unique in {found.seconds:.2f} s" if found.is_complete else "not decided"
        yield judge(f"{name}: {state} by {AUTO}; wanted: proven unique", found.is_complete and found.answer == "1")
    yield from better_bound(figures)


def memory_lines(rows: list[Large]) -> Iterator[str]:
    """Yield the judgement on the memory of our program, and the peaks of all programs."""
    peaks: dict[str, Large] = {}
    for row in rows:
        peaks[row.program] = max(peaks.get(row.program, row), row, key=lambda each: each.memory)
    if peaks:
        yield "peak memory, MB: " + ", ".join(f"{name} {row.memory:.0f}" for name, row in peaks.items())
    ours = [row for name, row in peaks.items() if name.partition(" ×")[0] in names()]
    if ours:
        worst = max(ours, key=lambda row: row.memory)
        statement = f"at most {worst.memory:.0f} MB ({worst.program} on {worst.board})"
        yield judge(f"{statement}; wanted: below {MOST_MEGABYTES} MB", worst.memory < MOST_MEGABYTES)


BOUNDS = {
    "hard": hard_bounds,
    "derived": hard_bounds,
    "easy": easy_bounds,
    "counts": count_bounds,
    "ours": our_bounds,
}
"""The judgements on the figures of each section."""
