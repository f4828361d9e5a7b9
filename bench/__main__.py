"""python -m bench COMMAND: each command is a module with `configure` and `run`."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import NamedTuple

from bench.common.commands import INTERRUPTED, refuse
from enumerator.engines.instructions import UnknownInstructionsError


class Command(NamedTuple):
    """A line of `python -m bench --help`; `module` is relative to this package."""

    name: str
    module: str
    summary: str


COMMANDS = [
    Command(
        "study",
        "study.study",
        "the whole study: measured, simulated, drawn; 30 minutes, 3 with --quick; needs '.[bench]'",
    ),
    Command(
        "speedup", "study.speedup", "sequential and parallel times, speed-up and efficiency, over cores; 2 minutes"
    ),
    Command("cutoff", "study.cutoff", "time and balance over cut-offs, by both measures of size; 3 minutes"),
    Command("correlation", "study.correlation", "correlations between the variables of saved runs"),
    Command("scaling", "study.scaling", "how cost grows as clues are taken away, for both engines; 7 minutes"),
    Command("simulate", "study.simulate", "predict times on up to 4,096 cores, from the data of tasks and speedup"),
    Command("groups", "study.groups", "predict times on up to 4,096 cores with a driver for each group of workers"),
    Command(
        "tasks", "study.tasks", "the work of each board, piece by piece, and the costs of sharing it out; 2 minutes"
    ),
    Command(
        "timeline",
        "study.timeline",
        "who worked when, and what was lost of the cores' time: traced and drawn; a minute",
    ),
    Command("tree", "study.tree", "the first levels of a board's tree, by size and by the worker that walked them"),
    Command("peers", "study.peers", "the same boards counted by other programs; 10 minutes; needs '.[peers]'"),
    Command(
        "large",
        "study.large.command",
        "boards beyond 9×9, by other programs, too; an hour, a minute with --quick; needs '.[peers]'",
    ),
    Command(
        "regret", "study.regret", "auto against each engine alone, over rearrangements of boards of all sizes; an hour"
    ),
    Command(
        "lesson", "study.lesson", "a walk through the study for a student: the notebook, run, as a page; half a minute"
    ),
    Command("report", "study.report", "everything in results/ on one page, and the figures"),
    Command("boards", "make.boards", "make the boards of boards/ again, and the table in its README"),
    Command("large-boards", "make.large", "make the hard boards of boards/large/ again, and its table"),
    Command("minimal", "make.minimal", "make the lists of puzzles of bench/puzzles/ again"),
    Command("drawing", "make.picture", "make the picture of the README again"),
    Command("page-picture", "make.page", "make the picture of the page again; needs '.[test]' and Chromium"),
    Command("shell", "make.shell", "make the completions and the manual page again"),
    Command("walk", "measure.walk", "the speed of the walk, as a ratio to the yardstick; needs a C compiler"),
    Command(
        "contraction",
        "measure.contraction",
        "counting without walking: known boards, random ones, awkward ones; 6 minutes",
    ),
    Command("hardest", "measure.hardest", "hill-climb for boards that the contraction takes long for; 3 minutes"),
    Command("puzzles", "measure.puzzles", "puzzles classified a second"),
    Command(
        "canonical", "measure.canonical", "canonical forms a second, and essentially different solutions; 2 minutes"
    ),
    Command("solutions", "measure.solutions", "lists, the n-th solution, samples and candidates; 2 minutes"),
    Command(
        "clues", "measure.clues", "counts without each clue, as a multiple of a count and in milliseconds; a minute"
    ),
    Command("generate", "measure.generate", "puzzles made a second, and the bias of their statistics; 10 minutes"),
    Command(
        "library", "measure.library", "batches, Python, arrays and pipes: boards and solutions a second; 10 minutes"
    ),
    Command(
        "parallel", "measure.parallel", "the costs of many cores: short boards, balance, batches, overhead; 15 minutes"
    ),
    Command("startup", "measure.startup", "time and memory of a short command"),
    Command("ledger", "measure.ledger", "the costs of a ledger; 4 minutes"),
    Command(
        "cluster", "measure.cluster", "a Dask cluster on this machine against processes; 6 minutes; needs '.[dask]'"
    ),
    Command("estimates", "check.estimates", "how often the intervals of estimates hold the truth; 10 minutes"),
    Command(
        "soak", "check.soak", "runs that are killed again and again, resumed, and compared; 15 minutes with --kills 200"
    ),
    Command("fuzz", "check.fuzz", "look for bytes that break the parsers or the command"),
    Command("sanitize", "check.sanitize", "the kernels' tests, with every check on and under sanitizers; 10 minutes"),
]


def arguments_of(arguments: list[str], has_positionals: bool) -> list[str]:
    """Return the arguments of a command in an order in which --boards takes no other argument."""
    if not has_positionals or "--boards" not in arguments:
        return arguments
    from bench.common.options import positionals_first

    return positionals_first(arguments)


def main() -> int:
    try:
        return run_command()
    except UnknownInstructionsError as error:
        refuse(str(error))


def run_command() -> int:
    """Run the command that the arguments name, and return its exit status."""
    from bench.tables.table import DataError  # loads kernels

    parser, has_positionals = argparse.ArgumentParser(prog="python -m bench", description=__doc__), False
    commands = parser.add_subparsers(dest="command", required=True)
    for name, path, summary in COMMANDS:
        command = commands.add_parser(name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name in sys.argv[1:2]:  # the modules of all others stay unloaded
            module = import_module(f"bench.{path}")
            command.description = module.__doc__
            module.configure(command)
            has_positionals = bool(command._get_positional_actions())  # noqa: SLF001 - argparse has no other way
            command.set_defaults(run=module.run)
    options = parser.parse_args(sys.argv[1:2] + arguments_of(sys.argv[2:], has_positionals))
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # of standard output: its reader has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except DataError as error:
        print(f"bench: {error}; all measurements before are saved", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    raise SystemExit(main())
