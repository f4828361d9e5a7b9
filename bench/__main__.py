"""python -m bench COMMAND: each command is a module of this package with `configure` and `run`."""

from __future__ import annotations

import argparse
from importlib import import_module

from bench.session import INTERRUPTED

COMMANDS = {
    "speedup": "sequential and parallel times, speed-up and efficiency, over numbers of cores",
    "cutoff": "time and balance over cut-offs, by both measures of size",
    "correlation": "correlations between the variables of runs that were saved",
    "scaling": "how cost grows as clues are taken away, for both engines",
    "simulate": "predict times on up to 4,096 cores, from the data of tasks and speedup",
    "tasks": "what there is to do on each board, piece by piece, and what it costs to share it out",
    "peers": "the same boards counted by other programs",
    "report": "everything in results/ on one page, and the figures",
    "boards": "make the boards of boards/ anew, and the table in its README",
    "walk": "the speed of the walk, as a ratio to the yardstick",
    "contraction": "counting without walking: known boards, random ones, awkward ones",
    "puzzles": "puzzles classified a second",
    "solutions": "solutions listed, numbered and drawn by chance, and candidates",
    "parallel": "what many cores cost: short boards, balance, batches, overhead",
    "startup": "what a short command costs: time and memory",
    "ledger": "what a ledger costs a run",
    "cluster": "a Dask cluster on this machine against processes",
    "soak": "runs that are killed again and again, gone on with, and compared",
    "fuzz": "look for bytes that break the parsers or the command",
    "drawing": "make the picture of the README anew",
    "sanitize": "the kernels' tests, with every check on and under sanitizers",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, summary in COMMANDS.items():
        module = import_module(f"bench.{name}")
        command = commands.add_parser(name, help=summary, description=module.__doc__)
        module.configure(command)
        command.set_defaults(run=module.run)
    options = parser.parse_args()
    try:
        status: int = options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


if __name__ == "__main__":
    raise SystemExit(main())
