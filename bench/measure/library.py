"""The speed of batches, of Python and of arrays, as ratios of one run.

command    files of many puzzles: --classify, --quiet, --json and --list on one core and on several
python     classify_all, count_all and solve_all of lines; Board(), count, classify and solve of one board
map        the costs of a task of joblib's threads, and of the ordered map that batches use
hard       batches of boards that take longer: threads against processes
arrays     all solutions of 2e in an array, samples of the empty board, puzzles solved
pipe       --list of 1f into a pipe, /dev/null, and as many zeros into a pipe
memory     peak memory of a batch of a million puzzles, and of a tenth of it

The time of a command is that without its start, which is the time of the same command for 100 boards.
Times are the least of `--rounds`, by turns. `command`, `python` and `memory` take the lists of
`--boards`: by default minimal of bench/puzzles/, and 17clue where it is present. `arrays` needs numpy.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import enumerator as en
from bench import ROOT
from bench.common.boards import rearranged
from bench.common.commands import check_parts, enumerate_command
from bench.common.memory import peak_of_command
from bench.common.options import add_lists, add_number, chosen_lists
from enumerator.engines.interfaces import Work
from enumerator.questions.counter import count_all
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import shut_down_pools

LISTS = ("minimal", "17clue")

FORMS = ("--classify", "--quiet", "--json", "--list")

HARD = {"1c": 400, "2d": 600, "2e": 400, "empty": 150}
"""The boards of the part `hard`, and the number of rearranged copies of each."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    add_lists(parser, " and ".join(LISTS))
    add_number(parser, "--puzzles", 300_000, "how many of each list")
    add_number(parser, "--rounds", 5, "runs of each")
    add_number(parser, "--cores", 2, "cores of every second run")


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    chosen_lists(options.boards, *LISTS)  # an unknown name ends the command before the first part
    for part in options.parts or PARTS:
        PARTS[part](options)
        print(flush=True)
    return 0


def least(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the least seconds of each call. They take turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            started = perf_counter()
            call()
            times[name].append(perf_counter() - started)
    return {name: min(each) for name, each in times.items()}


def lines_of(options: argparse.Namespace, number: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each list, and `number` lines of it."""
    for name, boards in chosen_lists(options.boards, *LISTS).items():
        yield name, list(islice(cycle(map(str, boards)), number))


def measure_command(options: argparse.Namespace) -> None:
    for number in sorted({30_000, options.puzzles}):
        for name, lines in lines_of(options, number):
            print(f"{name}: a file of {number:,} puzzles, without the start of the command")
            print(f"{'':14}{'boards a second':>17}{'of --classify':>15}{f'{options.cores} cores':>12}{'start':>10}")
            with tempfile.TemporaryDirectory() as folder:
                print_command_rates(lines, Path(folder), options)


def print_command_rates(lines: list[str], folder: Path, options: argparse.Namespace) -> None:
    many, few = folder / "many.txt", folder / "few.txt"
    many.write_text("".join(f"{line}\n" for line in lines))
    few.write_text("".join(f"{line}\n" for line in lines[:100]))
    calls: dict[str, Callable[[], object]] = {}
    for form in FORMS:
        for cores in (1, options.cores):
            for path in (few, many):
                command = [enumerate_command(), str(path), form, "--cores", str(cores)]
                calls[f"{form} {cores} {path.stem}"] = partial(
                    subprocess.run, command, check=True, stdout=subprocess.DEVNULL
                )
    times = least(calls, options.rounds)
    net = {(form, cores): times[f"{form} {cores} many"] - times[f"{form} {cores} few"]
           for form in FORMS for cores in (1, options.cores)}  # fmt: skip
    for form in FORMS:
        alone, together = net[form, 1], net[form, options.cores]
        ratios = f"{net[FORMS[0], 1] / alone:>15.2f}{f'× {alone / together:.2f}':>12}"
        print(f"{form:14}{len(lines) / alone:>17,.0f}{ratios}{times[f'{form} 1 few'] * 1e3:>7.0f} ms", flush=True)


def measure_python(options: argparse.Namespace) -> None:
    functions: dict[str, Callable[..., Iterator[object]]] = {
        "classify_all": en.classify_all,
        "count_all": en.count_all,
        "solve_all": en.solve_all,
    }
    for number in (10_000, options.puzzles):
        for name, lines in lines_of(options, number):
            print(f"{name}: {number:,} lines of text\n{'':14}{'boards a second':>17}{f'{options.cores} cores':>12}")
            calls: dict[str, Callable[[], object]] = {
                f"{each} {cores}": partial(exhaust, function, lines, cores)
                for each, function in functions.items()
                for cores in (1, options.cores)
            }
            times = least(calls, options.rounds)
            for each in functions:
                alone, together = times[f"{each} 1"], times[f"{each} {options.cores}"]
                print(f"{each:14}{number / alone:>17,.0f}{f'× {alone / together:.2f}':>12}", flush=True)
    for name, lines in lines_of(options, 5_000):
        boards = [en.Board(line) for line in lines]
        singles: dict[str, Callable[[], object]] = {
            "Board(line)": lambda: [en.Board(line) for line in lines],  # noqa: B023
            "count(board)": lambda: [en.count(board) for board in boards],  # noqa: B023
            "classify(board)": lambda: [en.classify(board) for board in boards],  # noqa: B023
            "solve(board)": lambda: [en.solve(board) for board in boards],  # noqa: B023
        }
        times = least(singles, options.rounds)
        print(f"{name}: one at a time, " + ", ".join(f"{each} {times[each] / 5e3 * 1e6:.1f} µs" for each in singles))


def exhaust(function: Callable[..., Iterator[object]], lines: list[str], cores: int) -> None:
    for _ in function(lines, cores=cores):
        pass


def measure_map(options: argparse.Namespace) -> None:
    import joblib

    program = "from time import perf_counter as now; t = now(); import joblib; print(now() - t)"
    importing = min(
        float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout)
        for _ in range(options.rounds)
    )
    tasks = 2_000

    def by_joblib() -> None:
        parallel = joblib.Parallel(options.cores, backend="threading", return_as="generator", batch_size=1)
        for _ in parallel(joblib.delayed(abs)(number) for number in range(tasks)):
            pass

    def by_ours() -> None:
        for _ in map_ordered(Work(lambda number: (abs(number), []), range(tasks)), options.cores):
            pass

    times = least({"joblib": by_joblib, "ours": by_ours}, options.rounds)
    each = {name: f"{seconds / tasks * 1e6:.0f} µs" for name, seconds in times.items()}
    print(f"import joblib {importing * 1e3:.0f} ms; a task of its threads {each['joblib']}, of ours {each['ours']}")


def measure_hard(options: argparse.Namespace) -> None:
    print(f"batches of longer boards: {options.cores} cores against one")
    print(f"{'':8}{'each':>10}{'threads':>10}{'processes':>11}")
    for name, number in HARD.items():
        board, rng = en.read(ROOT / "boards" / f"{name}.txt"), random.Random(name)
        boards = [rearranged(board, rng) for _ in range(number)]
        plans = {
            "one": (1, BatchPacing()),
            "threads": (options.cores, BatchPacing(process_seconds=60.0)),
            "processes": (options.cores, BatchPacing(process_seconds=0.0, worth_seconds=-1.0)),
        }
        calls: dict[str, Callable[[], object]] = {
            way: lambda cores=cores, pacing=pacing: list(  # type: ignore[misc]
                count_all(boards, Plan(cores, batch_pacing=pacing))  # noqa: B023
            )
            for way, (cores, pacing) in plans.items()
        }
        times = least(calls, options.rounds)
        shut_down_pools()
        one, threads, processes = (times[way] for way in plans)
        ratios = f"{f'× {one / threads:.2f}':>10}{f'× {one / processes:.2f}':>11}"
        print(f"{name:8}{one / number * 1e3:>7.1f} ms{ratios}", flush=True)


def measure_arrays(options: argparse.Namespace) -> None:
    from bench.measure import arrays

    rounds = options.rounds
    print(f"solutions_array(2e)          {arrays.solutions_rate(rounds=rounds) / 1e6:6.1f} million solutions a second")
    print(f"an array of ones             {arrays.touch_rate(rounds=rounds) / 1e6:6.1f} million solutions a second")
    print(f"solutions_arrays(2e)         {arrays.blocks_rate(rounds=rounds) / 1e6:6.1f} million solutions a second")
    print(f"memory beyond the array      {arrays.array_overhead():6.1f} MB")
    sample, command = arrays.sample_seconds(rounds=rounds), arrays.command_sample_seconds(rounds=rounds)
    print(f"sample_array(empty, 10,000)  {sample:6.2f} s; by the command {command:.2f} s without its start")
    for name, lines in lines_of(options, options.puzzles):
        seconds = least({name: partial(en.solve_array, lines, cores=1)}, rounds)[name]
        print(f"solve_array({name}) {len(lines) / seconds:,.0f} puzzles a second")


def measure_pipe(options: argparse.Namespace) -> None:
    from bench.measure.pipes import pipe_rates

    for cores in (1, options.cores):
        found = pipe_rates(ROOT / "boards" / "1f.txt", options.rounds, cores)
        rates = f"/dev/null {found.null / 1e6:.1f}, wc -lc {found.pipe / 1e6:.1f}, zeros {found.zeros / 1e6:.1f}"
        print(f"1f --list, {cores} core(s), million lines a second: {rates}; ratio {found.ratio:.2f}", flush=True)


def measure_memory(options: argparse.Namespace) -> None:
    program = (
        "import sys, enumerator as en; from itertools import cycle, islice;"
        "from bench.common.memory import status_bytes;"
        "lines = sys.stdin.read().split(); some = islice(cycle(lines), int(sys.argv[1]));"
        "print(sum(1 for _ in en.count_all(some)), status_bytes('self', 'VmHWM'))"
    )
    for name, lines in lines_of(options, 5_000):
        with tempfile.TemporaryDirectory() as folder:
            for number in (100_000, 1_000_000):
                path = Path(folder, "many.txt")
                path.write_text("".join(f"{line}\n" for line in islice(cycle(lines), number)))
                done = subprocess.run(
                    [sys.executable, "-c", program, str(number)],
                    input="\n".join(lines), check=True, capture_output=True, text=True, cwd=ROOT,
                )  # fmt: skip
                peaks = [f"{form} {peak_of_command(str(path), form):.0f} MB" for form in FORMS]
                peak = int(done.stdout.split()[1]) / 2**20
                print(f"{name}, {number:,}: count_all {peak:.0f} MB, {', '.join(peaks)}", flush=True)


PARTS = {
    "command": measure_command,
    "python": measure_python,
    "map": measure_map,
    "hard": measure_hard,
    "arrays": measure_arrays,
    "pipe": measure_pipe,
    "memory": measure_memory,
}
