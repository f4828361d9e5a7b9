"""Where the time goes: who worked when, by default and with cut-offs, on this machine and simulated.

A count by the search is traced: once as it is by default, on threads alone, and once each with a cut-off that
is too small, a good one and one that is too large, without budgets, as the published program divides its work. With
--simulated, the real driver is traced on a simulated machine, from the data of `tasks` and `speedup`:
those of the folder of tables, or else of results/. timeline.svg shows a bar a worker over time, and the
share of the cores that were used. The cores' time that was lost is told by when it was lost. More workers
than there are cores are marked as oversubscribed.

`python -m bench.study.timeline` makes one count in a new process.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from bench import RESULTS
from bench.common.commands import TimeLimitError, run_module
from bench.common.cutoffs import find_cutoff
from bench.common.options import add_boards, add_number, chosen_boards, read_boards
from bench.figures.style import save_figure
from bench.figures.timeline import draw_timelines
from bench.simulation.forecast import simulate_count
from bench.simulation.world import World
from bench.study.cutoff import FIRST_RATE, CutTree
from bench.study.options import KnownCounts, add_measuring, cores_list, load_table, positive, print_table
from bench.study.session import Step, open_table, run_steps
from bench.study.simulate import costs_from
from bench.tables.analysis import crowding, least_times
from bench.tables.rows import Cost, Piece, Run, Stretch
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from bench.tables.timeline import by_setting, loss, stretches
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Tally
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.shares import WHOLE
from enumerator.run.counting import tallies
from enumerator.run.driver import Driver
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.trace import Tracer
from enumerator.run.workers.executors import usable_cores
from enumerator.text.phrases import plural

BOARDS = "2f"

DEFAULT = "default"

CUTOFFS = {"cut-off too small": 65_536, "good cut-off": 256, "cut-off too large": 3}
"""The names of cut-offs, and about how many parts they make of a board."""

LIMIT_SECONDS = 120.0
"""The longest count, by default."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A count to trace; 0 as a cut-off is none."""

    path: str
    board: str
    setting: str
    cores: int
    cutoff: int


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--cores", usable_cores(), "threads here, also more than there are cores; 0: none", least=0)
    parser.add_argument("--simulated", type=cores_list, default=[], metavar="N,N", help="also on simulated cores")
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a count (default: %(default)g)"
    )
    add_boards(parser, BOARDS)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    paths = chosen_boards(options.boards, BOARDS)
    boards, known = read_boards(paths), KnownCounts(paths)
    path, command = options.results / "timeline.csv.gz", f"timeline --cores {options.cores}"
    table = open_table(path, Stretch, command, options.fresh)
    simulations = load_simulations(options.results, list(boards)) if options.simulated else {}
    known_rows = list(table.rows)
    done = set(by_setting(known_rows))

    def steps() -> Iterator[Step]:
        for name, board in boards.items():
            for setting, cutoff in settings_of(board, options.cores).items() if options.cores else ():
                traced = Traced(str(paths[name].resolve()), name, setting, options.cores, cutoff)
                made = partial(trace_count, table, traced, known, options.limit)
                yield Step(name, setting, None if (name, setting, options.cores, False) in done else made)
            for cores in options.simulated if name in simulations else ():
                made = partial(trace_simulation, table, name, cores, simulations[name], known)
                yield Step(name, f"{cores} simulated", None if (name, DEFAULT, cores, True) in done else made)

    number = len(boards) * ((len(CUTOFFS) + 1) * (options.cores > 0) + len(options.simulated))
    status = run_steps(steps(), number, options)
    print_table(options, summary_lines(table.rows), table.rows)
    picture = options.results / "timeline.svg"
    if not (options.silent or options.csv) and find_spec("matplotlib") and table.rows:
        if len(table.rows) > len(known_rows) or not picture.exists():
            save_figure(draw_timelines(table.rows), picture)
        print(f"drawn: {picture}")
    return status


def settings_of(board: Board, cores: int) -> dict[str, int]:
    """Return the ways to divide a board, and their cut-offs; 0 is none. More workers than cores are marked."""
    most = usable_cores()
    mark = f" (oversubscribed: {plural(most, 'core')})" if cores > most else ""
    tree = SEARCH.tree(board.shape)
    whole = [tree.part(board.cells, WHOLE)]
    cutoffs = {name: find_cutoff(whole, tree.branch, parts) for name, parts in CUTOFFS.items()}
    return {f"{name}{mark}": cutoff for name, cutoff in {DEFAULT: 0, **cutoffs}.items()}


def trace_count(table: Table[Stretch], traced: Traced, known: KnownCounts, limit: float) -> None:
    """Trace a count in a new process, and add its rows; a count that takes longer than `limit` has none."""
    try:
        found = json.loads(run_module("bench.study.timeline", text=json.dumps(asdict(traced)), timeout=limit))
    except TimeLimitError:
        print(f"bench: {traced.board}, {traced.setting}, takes longer than {limit:g} s: left out", file=sys.stderr)
        return
    known.check(traced.board, int(found["solutions"]))
    table.add(*(Stretch(*row) for row in found["rows"]))


class Simulation:
    """The pieces of a board, the costs, and the speed to simulate it with."""

    def __init__(self, pieces: list[Piece], costs: list[Cost], runs: list[Run], board: str) -> None:
        self.pieces, self._costs, self._runs = pieces, costs_from(costs), runs
        walked = sum(piece.seconds for piece in pieces)
        self.speed = walked / least_times(runs).get(board, {}).get(1, walked)

    def trace(self, cores: int) -> tuple[Tracer, int]:
        """Return the trace of a count on simulated cores, and its solutions."""
        tracers: list[Tracer] = []

        def watch(world: World) -> Tracer:
            tracers.append(Tracer(world.clock))
            return tracers[0]

        costs = replace(self._costs, crowded=crowding(self._runs, cores))
        forecast = simulate_count(self.pieces, costs, cores, self.speed, watch=watch)
        tracers[0].finish(forecast.tasks, 0, 0, 0)
        return tracers[0], forecast.solutions


def load_simulations(folder: Path, boards: list[str]) -> dict[str, Simulation]:
    """Return the data to simulate each board from, of a folder, or else of results/; print which have none."""
    found = {}
    for place in dict.fromkeys((folder, RESULTS)):
        if not (place / "tasks.csv.gz").exists() or not (place / "costs.csv").exists():
            continue
        pieces = load_table(place / "tasks.csv.gz", Piece, "`bench tasks`")[1]
        costs = load_table(place / "costs.csv", Cost, "`bench tasks`")[1]
        measured = place / "speedup-search.csv"
        runs = load_table(measured, Run, "`bench speedup --engine search`")[1] if measured.exists() else []
        for board in boards:
            if board not in found and (tree := [piece for piece in pieces if piece.board == board]):
                found[board] = Simulation(tree, costs, runs, board)
    if lacking := [board for board in boards if board not in found]:
        print(f"bench: not simulated: {', '.join(lacking)}; `bench tasks` makes what is needed", file=sys.stderr)
    return found


def trace_simulation(table: Table[Stretch], board: str, cores: int, simulation: Simulation, known: KnownCounts) -> None:
    """Trace a simulated count, and add its rows."""
    tracer, solutions = simulation.trace(cores)
    known.check(board, solutions)
    table.add(*stretches(tracer, board, DEFAULT, cores, is_simulated=True))


COLUMNS: list[Column[list[Stretch]]] = [
    Column("board", lambda same: same[0].board, is_left=True),
    Column("setting", lambda same: same[0].setting, is_left=True),
    Column("cores", lambda same: f"{same[0].cores}{' simulated' if same[0].is_simulated else ''}"),
    Column("seconds", lambda same: f"{same[0].total:.3f}"),
    Column("tasks", lambda same: f"{sum(row.tasks for row in same):,}"),
    Column("used", lambda same: f"{loss(same).busy:.1%}"),
    Column("idle: start", lambda same: f"{loss(same).start:.1%}"),
    Column("between", lambda same: f"{loss(same).between:.1%}"),
    Column("end", lambda same: f"{loss(same).end:.1%}"),
]


def summary_lines(rows: list[Stretch]) -> Iterator[str]:
    """Yield the lines of a printed table: what was used of the cores' time, and when the rest was lost."""
    return text_table(COLUMNS, by_setting(rows).values())


# ------------------------------------------------------------------------------------------------ one count


def count(traced: Traced) -> dict[str, object]:
    """Count a board; return its solutions and the rows of its timeline."""
    board, cores, tracer = read(traced.path), traced.cores, Tracer()
    plan = Plan(cores, engine="search", pool=None, usable=lambda: cores, visible=lambda: cores, observer=tracer)
    if not traced.cutoff:
        *_, last = tallies(board, plan)
    else:
        job = CutTree(board, "search space", traced.cutoff, budget=False)
        start = PartialCount(Tally(), 0, [(board.cells, (1, 1))], 0.0, FIRST_RATE)
        *_, last = Driver(job, plan, start, observer=tracer).run()
    tracer.finish(last.tasks, last.nodes, last.effort, last.solutions)
    rows = stretches(tracer, traced.board, traced.setting, cores, is_simulated=False)
    return {"solutions": str(last.solutions), "rows": [list(asdict(row).values()) for row in rows]}


if __name__ == "__main__":
    print(json.dumps(count(Traced(**json.load(sys.stdin)))))
