"""The same boards counted by other programs that a Python user might pick, and by the yardstick.

Each program runs in a new process. It is timed from the board to the count, after its imports and a
warm-up, several times by turns; the least time counts. A program that exceeds the time limit on a
board is not tried on others of the same family with as many solutions or more; a family shares the
first letter of its names. Every count is checked. A program that fails or miscounts is left out
from there on, by name.

The other programs come with `pip install '.[peers]'`; missing ones are left out, by name. More are
taken by path: see bench/common/outside.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from math import inf
from pathlib import Path

from bench.common.commands import (
    PUBLISHED_YARDSTICK,
    TimeLimitError,
    compile_yardstick,
    has_compiler,
    refuse,
    run_module,
    run_yardstick,
)
from bench.common.options import NINE, add_boards, add_number, chosen_boards, read_boards
from bench.common.outside import Outside, add_programs, check_names
from bench.study.options import TWELVE, KnownCounts, add_measuring, positive, print_table
from bench.study.peer_programs import PROGRAMS, WARM_UP, installed_version
from bench.study.session import Step, open_table, run_steps, run_trial
from bench.study.trial import Trial
from bench.tables.rows import Match
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from enumerator import __version__
from enumerator.board import Board
from enumerator.run.workers.executors import usable_cores

OURS = "enumerator"
"""The name of our program in the table: on one core, with the engine that it chooses itself."""

READY_SECONDS = 5.0
"""The time for a program's imports and its warm-up, besides the time limit."""

INSTALL_SECONDS = 120.0
"""The time for the first start after an installation: some programs compile themselves, once."""

SHORT_SECONDS = 0.01
"""Boards that neither program takes longer for say nothing about who is ahead."""

WIDE_PROGRAMS = frozenset(["plain Python", "published yardstick"])
"""Programs whose columns are printed with --wide only: the table fits 100 columns without them."""

Counter = Callable[[Path, Board, float], tuple[int, float]]
"""A board's path, the board and a time limit in; solutions and seconds out."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--iterations", 3, "counts by each program")
    parser.add_argument(
        "--limit", type=positive, default=20.0, metavar="S", help="seconds for a count (default: %(default)s)"
    )
    parser.add_argument("--programs", nargs="+", metavar="NAME", help=f"besides {OURS} (default: all installed ones)")
    add_programs(parser)
    add_boards(parser, TWELVE)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    paths = chosen_boards(options.boards, TWELVE, shape=NINE)
    boards = read_boards(paths)
    with tempfile.TemporaryDirectory() as folder:
        programs = all_counters(Path(folder))
        check_names(options.outside, list(programs))
        programs |= {program.name: (program.version, outside_counter(program)) for program in options.outside}
        if unknown := set(options.programs or ()) - set(programs):
            refuse(f"not here: {', '.join(sorted(unknown))}; there are {', '.join(programs)}")
        wanted = {OURS, *(options.programs or programs), *(program.name for program in options.outside)}
        programs = {name: program for name, program in programs.items() if name in wanted}
        table = open_table(options.results / "peers.csv", Match, f"peers --limit {options.limit:g}", options.fresh)
        for program in options.outside:
            if any((row.program == program.name) and row.version != program.version for row in table.rows):
                refuse(f"{program.name} has changed since it was measured: give another name, or --fresh")
        for name in programs.keys() & PROGRAMS.keys():
            with suppress(SystemExit, TimeLimitError):  # which the first measurement reports
                run_module("bench.study.peer_programs", name, text=f"{WARM_UP}\n", timeout=INSTALL_SECONDS)
        contest = Contest(table, programs, paths, boards, options.limit, KnownCounts(paths))
        steps = contest.steps(options.iterations)
        status = run_steps(steps, options.iterations * len(paths) * len(programs), options)
    print_table(options, summary_lines(table.rows, options.limit, options.wide), table.rows)
    for name, reason in contest.failed.items():
        print(f"bench: {name} is left out {reason}", file=sys.stderr)
    return status or bool(contest.failed)


class Contest:
    """Measurements of all boards by all programs, in rounds."""

    def __init__(
        self,
        table: Table[Match],
        programs: dict[str, tuple[str, Counter]],
        paths: dict[str, Path],
        boards: dict[str, Board],
        limit: float,
        known: KnownCounts,
    ) -> None:
        self.table, self.programs, self.paths, self.boards = table, programs, paths, boards
        self.limit, self.known = limit, known
        self.skipped: set[str] = set()
        self.failed: dict[str, str] = {}
        """Programs and boards that are left out, and the reasons."""
        for row in table.rows:
            known.check(row.board, row.solutions)

    def steps(self, iterations: int) -> Iterator[Step]:
        """Yield the steps of all rounds.

        Boards of a family come in the order of their solutions.
        """
        names = sorted(self.paths, key=lambda name: (family_of(name), self.known.counts.get(name, 0)))
        for iteration, name, program in product(range(iterations), names, self.programs):
            rows = [row for row in self.table.rows if row.program == program]
            is_done = any((row.board, row.iteration) == (name, iteration) for row in rows)
            is_late = any(
                row.seconds is None
                and family_of(row.board) == family_of(name)
                and row.solutions <= self.known.counts.get(name, 0)
                for row in rows
            )
            is_idle = is_done or program in self.failed or name in self.skipped or (is_late and iteration)
            work = None if is_idle else partial(self.measure, iteration, name, program, is_late)
            yield Step(name, program, work, is_extra=iteration > 0)

    def measure(self, iteration: int, name: str, program: str, is_late: bool) -> None:
        """Add a row; without a time if the program is known to be too late.

        A board that our program has not counted is skipped: there is nothing to compare with.
        """
        (version, count), seconds = self.programs[program], None
        try:
            if not is_late:
                solutions, seconds = count(self.paths[name], self.boards[name], self.limit)
                self.known.check(name, solutions)
        except TimeLimitError:
            pass
        except (SystemExit, subprocess.CalledProcessError) as error:
            if program.startswith(OURS):
                raise
            self.failed[program] = f"from {name} on: {str(error).strip().splitlines()[-1].removeprefix('bench: ')}"
            return
        if name in self.known.counts:
            self.table.add(Match(name, self.known.counts[name], program, version, iteration, seconds))
        else:
            self.skipped.add(name)
            self.failed[name] = f"since {OURS} has not counted it within the time limit"


def family_of(board: str) -> str:
    """Return the family of a board: its set, and the first letter of its name."""
    return board[: board.rfind("/") + 2]


# ------------------------------------------------------------------------------------------------- programs


def all_counters(folder: Path) -> dict[str, tuple[str, Counter]]:
    """Return versions and counters of the installed programs, ours first; print missing ones."""
    found: dict[str, tuple[str, Counter]] = {OURS: (__version__, our_counter(1))}
    if usable_cores() > 1:
        found[f"{OURS}, {usable_cores()} cores"] = (__version__, our_counter(usable_cores()))
    if has_compiler():
        found["yardstick"] = ("cc -O2", yardstick_counter(compile_yardstick(folder)))
        if PUBLISHED_YARDSTICK.exists():
            found["published yardstick"] = ("cc -O2", yardstick_counter(compile_yardstick(folder, PUBLISHED_YARDSTICK)))
    for program in PROGRAMS.values():
        version = installed_version(program)
        if version is None:
            print(f"bench: {program.name} is not installed: left out", file=sys.stderr)
        else:
            found[program.name] = (version, program_counter(program.name))
    return found


def yardstick_counter(program: Path) -> Counter:
    return lambda path, _, limit: run_yardstick(program, path, limit)


def our_counter(cores: int) -> Counter:
    def count(path: Path, _: Board, limit: float) -> tuple[int, float]:
        found = run_trial(Trial(str(path), cores), limit + READY_SECONDS)
        return int(found.solutions), check_limit(limit, found.seconds)

    return count


def program_counter(name: str) -> Counter:
    def count(_: Path, board: Board, limit: float) -> tuple[int, float]:
        text = run_module("bench.study.peer_programs", name, text=f"{board}\n", timeout=limit + READY_SECONDS)
        found = json.loads(text)
        return int(found["solutions"]), check_limit(limit, found["seconds"])

    return count


def outside_counter(program: Outside) -> Counter:
    def count(_: Path, board: Board, limit: float) -> tuple[int, float]:
        (solutions,), seconds = program.run([board], timeout=limit + READY_SECONDS)
        return solutions, check_limit(limit, seconds)

    return count


def check_limit(limit: float, seconds: float) -> float:
    if seconds > limit:
        raise TimeLimitError
    return seconds


# -------------------------------------------------------------------------------------------------- summary


def summary_lines(rows: list[Match], limit: float | None = None, wide: bool = False) -> Iterator[str]:
    """Yield the lines of a printed table: our least milliseconds, ratios of others, the verdict.

    With a `limit`, a program that exceeded it has at least a bound.
    """
    least: dict[tuple[str, str], float] = {}
    for row in rows:
        seconds = inf if row.seconds is None else row.seconds
        least[row.board, row.program] = min(seconds, least.get((row.board, row.program), inf))
    others = [name for name in dict.fromkeys(row.program for row in rows) if name != OURS]
    solutions = {row.board: row.solutions for row in rows}

    def ours(board: str) -> float:
        return least.get((board, OURS), inf)

    def column(program: str) -> Column[str]:
        def cell(board: str) -> str:
            theirs = least.get((board, program))
            return "" if theirs is None else ratio_text(ours(board), theirs, limit)

        return Column(program.removeprefix(f"{OURS}, "), cell, is_wide=program in WIDE_PROGRAMS)

    columns: list[Column[str]] = [
        Column("board", str, is_left=True),
        Column("solutions", lambda board: f"{solutions[board]:,}"),
        Column("ours ms", lambda board: f"{ours(board) * 1000:.3f}" if ours(board) < inf else "too long"),
        *map(column, others),
    ]
    yield from text_table(columns, solutions, wide)
    ratios = {
        f"{name} on {board}, {ratio_text(ours(board), theirs, limit)}": theirs / ours(board)
        for (board, name), theirs in least.items()
        if not name.startswith(OURS) and min(ours(board), theirs) < inf and max(ours(board), theirs) > SHORT_SECONDS
    }
    if ratios:
        yield f"where either takes over {SHORT_SECONDS * 1000:.0f} ms, {OURS} is {verdict(ratios)}"


def verdict(ratios: dict[str, float]) -> str:
    behind = [name for name, ratio in ratios.items() if ratio <= 1]
    closest = min(ratios, key=lambda name: ratios[name])
    return f"behind {'; '.join(behind)}" if behind else f"ahead of all others; the closest is {closest}"


def ratio_text(ours: float, theirs: float, limit: float | None) -> str:
    """Return their time over ours; after a timeout, a lower bound of it."""
    if theirs < inf:
        return f"× {theirs / ours:,.{2 if theirs < 10 * ours else 0}f}"
    return f"> {int(limit / ours):,}" if limit and ours < inf else "too long"
