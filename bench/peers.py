"""The same boards counted by what else there is: what a Python user would pick instead, and the yardstick in C.

Each program runs in a process of its own and is timed from the board to the count, after its imports and a warm-up,
several times by turns; the least time counts. One that takes longer than the time limit on a board is not tried on
others of the same family, those whose names begin alike, with as many solutions or more. Every count is checked. A
program that fails, or is wrong, is left out from there on, by name.

The rivals come with `pip install '.[peers]'`; those that are missing are left out, by name.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from math import inf
from pathlib import Path

from bench import SHARED, compiled_yardstick
from bench.data import Table
from bench.rivals import RIVALS, WARM_UP, installed
from bench.rows import Match
from bench.session import (
    Known,
    Step,
    TimeLimitError,
    add_common,
    boards,
    chosen,
    conduct,
    in_a_process,
    opened,
    output,
    tried,
)
from bench.trial import Trial
from enumerator import __version__
from enumerator.board import Board, Shape
from enumerator.run.executors import usable_cores

OURS = "enumerator"
"""On one core, with the engine that it picks itself."""

READY_SECONDS = 5.0
"""For a program's imports and its warm-up, besides the time limit."""

FIRST_SECONDS = 120.0
"""For the same when it has just been installed: what it compiles is there from then on."""

SHORT = 0.01
"""Seconds: where neither takes longer, it does not matter who is ahead."""

Count = Callable[[Path, Board, float], tuple[int, float]]
"""A board's path, the board and a time limit in; solutions and seconds out."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--iterations", type=int, default=3, help="how often each counts (default: %(default)s)")
    parser.add_argument(
        "--limit", type=float, default=20.0, metavar="S", help="seconds for a count (default: %(default)s)"
    )
    parser.add_argument("--programs", nargs="+", metavar="NAME", help=f"besides {OURS} (default: all that are there)")
    add_common(parser, "peers.csv")


def run(options: argparse.Namespace) -> int:
    paths = chosen(options)
    parsed = boards(paths)
    if others := [name for name, board in parsed.items() if board.shape != Shape(3, 3)]:
        raise SystemExit(f"bench: only 9×9 boards are for everyone, not {', '.join(others)}")
    failed: dict[str, str] = {}
    skipped: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        programs = counters(Path(folder))
        if unknown := set(options.programs or ()) - set(programs):
            raise SystemExit(f"bench: not here: {', '.join(sorted(unknown))}; there are {', '.join(programs)}")
        wanted = {OURS, *(options.programs or programs)}
        programs = {name: program for name, program in programs.items() if name in wanted}
        table = opened(output(options, "peers.csv"), Match, f"peers --limit {options.limit:g}", options.fresh)
        for name in programs.keys() & RIVALS.keys():
            with suppress(SystemExit, TimeLimitError):  # it will be heard of
                in_a_process("bench.rivals", name, text=f"{WARM_UP}\n", seconds=FIRST_SECONDS)
        steps = planned(table, programs, paths, parsed, options, skipped, failed)
        status = conduct(steps, options.iterations * len(paths) * len(programs), skipped)
    print(*summarised(table.rows, options.limit), sep="\n")
    for name, reason in failed.items():
        print(f"bench: {name} is left out {reason}")
    return status or bool(failed)


def planned(
    table: Table[Match],
    programs: dict[str, tuple[str, Count]],
    paths: dict[str, Path],
    parsed: dict[str, Board],
    options: argparse.Namespace,
    skipped: set[str],
    failed: dict[str, str],
) -> Iterator[Step]:
    """Rounds of all boards and programs. Boards of a family come in order of size.

    A board that we have not counted has nothing to be compared with, and is skipped.
    """
    known = Known(options.folder)
    for row in table.rows:
        known.check(row.board, row.solutions)
    names = sorted(paths, key=lambda name: (name[0], known.counts.get(name, 0)))
    for iteration, name, program in product(range(options.iterations), names, programs):
        rows = [row for row in table.rows if row.program == program]
        there = any((row.board, row.iteration) == (name, iteration) for row in rows)
        late = any(
            row.seconds is None and row.board[0] == name[0] and row.solutions <= known.counts.get(name, 0)
            for row in rows
        )

        def measure(
            iteration: int = iteration, name: str = name, program: str = program, hopeless: bool = late
        ) -> None:
            (version, count), seconds = programs[program], None
            try:
                if not hopeless:
                    solutions, seconds = count(paths[name], parsed[name], options.limit)
                    known.check(name, solutions)
            except TimeLimitError:
                pass
            except (SystemExit, subprocess.CalledProcessError) as error:
                if program.startswith(OURS):
                    raise
                failed[program] = f"from {name} on: {str(error).strip().splitlines()[-1].removeprefix('bench: ')}"
                return
            if name in known.counts:
                table.add(Match(name, known.counts[name], program, version, iteration, seconds))
            else:
                skipped.add(name)
                failed[name] = f"since {OURS} has not counted it within the time limit"

        idle = there or program in failed or (late and iteration)
        yield Step(name, program, None if idle else measure)


def counters(folder: Path) -> dict[str, tuple[str, Count]]:
    """The programs that are there, ours first: their versions, and how to have them count."""
    found: dict[str, tuple[str, Count]] = {OURS: (__version__, partial_ours(1))}
    if usable_cores() > 1:
        found[f"{OURS}, {usable_cores()} cores"] = (__version__, partial_ours(usable_cores()))
    if shutil.which("cc") and (SHARED / "yardstick" / "walk.c").exists():
        program = compiled_yardstick(folder)
        found["yardstick (C)"] = ("cc -O2", lambda path, _, limit: by_yardstick(program, path, limit))
    for rival in RIVALS.values():
        version = installed(rival)
        if version is None:
            print(f"bench: {rival.name} is not installed: left out")
        else:
            found[rival.name] = (version, partial_rival(rival.name))
    return found


def partial_ours(cores: int) -> Count:
    def count(path: Path, _: Board, limit: float) -> tuple[int, float]:
        found = tried(Trial(str(path), cores), limit + READY_SECONDS)
        return int(found.solutions), within(limit, found.seconds)

    return count


def partial_rival(name: str) -> Count:
    def count(_: Path, board: Board, limit: float) -> tuple[int, float]:
        text = in_a_process("bench.rivals", name, text=f"{board}\n", seconds=limit + READY_SECONDS)
        found = json.loads(text)
        return int(found["solutions"]), within(limit, found["seconds"])

    return count


def by_yardstick(program: Path, path: Path, limit: float) -> tuple[int, float]:
    try:
        done = subprocess.run([program, path], check=True, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    _, solutions, _, seconds = done.stdout.rsplit(maxsplit=3)
    return int(solutions), float(seconds)


def within(limit: float, seconds: float) -> float:
    if seconds > limit:
        raise TimeLimitError
    return seconds


def summarised(rows: list[Match], limit: float | None = None) -> Iterator[str]:
    """Our least milliseconds, and how many times as long the others take; in the end, whether we are ahead.

    One that has taken too long takes longer than the time limit: where that is known, there is at least a bound.
    """
    least: dict[tuple[str, str], float] = {}
    for row in rows:
        seconds = inf if row.seconds is None else row.seconds
        least[row.board, row.program] = min(seconds, least.get((row.board, row.program), inf))
    others = [name for name in dict.fromkeys(row.program for row in rows) if name != OURS]
    widths = [max(len(name), 9) + 2 for name in others]
    yield f"{'board':<7}{'solutions':>12}{f'{OURS} ms':>15}" + "".join(map(str.rjust, others, widths))
    ratios: dict[str, float] = {}
    for board, solutions in {row.board: row.solutions for row in rows}.items():
        ours = least.get((board, OURS), inf)
        cells = []
        for name in others:
            theirs = least.get((board, name))
            cells.append("" if theirs is None else compared(ours, theirs, limit))
            if theirs and min(ours, theirs) < inf and max(ours, theirs) > SHORT and not name.startswith(OURS):
                ratios[f"{name} on {board}, {cells[-1]}"] = theirs / ours
        mine = f"{ours * 1000:.3f}" if ours < inf else "too long"
        yield f"{board:<7}{solutions:>12,}{mine:>15}" + "".join(map(str.rjust, cells, widths))
    if ratios:
        behind = [each for each, ratio in ratios.items() if ratio <= 1]
        closest = min(ratios, key=lambda each: ratios[each])
        verdict = f"behind {'; '.join(behind)}" if behind else f"ahead of all others; the closest is {closest}"
        yield f"where either takes over {SHORT * 1000:.0f} ms, {OURS} is {verdict}"


def compared(ours: float, theirs: float, limit: float | None) -> str:
    """How many times as long as ours their time is."""
    if theirs < inf:
        return f"× {theirs / ours:,.{2 if theirs < 10 * ours else 0}f}"
    return f"> {int(limit / ours):,}" if limit and ours < inf else "too long"
