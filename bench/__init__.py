"""Measuring commands, the study and its figures: `python -m bench --help`.

    common/       helpers of all rooms: commands as processes, memory, boards
    tables/       the tables of results/: rows, files, facts about the machine, statistics
    simulation/   the driver on a simulated machine with any number of cores
    figures/      one figure a function, drawn from rows
    measure/      commands that measure one thing: the walk, start-up, a ledger, …
    study/        commands that fill the tables of results/, and the report on them
    check/        commands that look for faults: fuzzing, sanitizers, killed runs
    make/         commands that make the boards of boards/, lists of puzzles, the picture of the README
    corpora/      saved inputs of the fuzzer
    puzzles/      lists of puzzles, made by `python -m bench minimal`
    yardstick/    a plain counter in C, to which speeds are stated as ratios
    __main__.py   the table of commands

A room imports only from itself and from those above it; the four that hold the commands do not
import each other. A command is a module with `configure(parser)` and `run(options)`, and one
line in `__main__.py`.

The installed package is measured. Python finds this folder through the current directory, which
also holds the source tree of `enumerator`, so that directory goes to the end of the path.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The folder of the repository."""

SHARED = ROOT.parent / "shared"
"""Published boards, puzzles, counts and another yardstick, beside the repository; may be absent."""

RESULTS = ROOT / "results"
"""The folder of tables and figures."""

for _entry in ("", str(ROOT)):
    if _entry in sys.path:
        sys.path.remove(_entry)
        sys.path.append(str(ROOT))
