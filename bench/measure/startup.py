"""Time of a short command beyond that of an idle Python, least of several runs; its memory.

Everything runs in boards/: in the repository's root Python would import the source tree.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from time import perf_counter

from bench import ROOT
from bench.common.commands import enumerate_command
from bench.common.memory import peak_of_command
from bench.common.options import add_number


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--rounds", 20, "runs of each")


def run(options: argparse.Namespace) -> int:
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import enumerator": [sys.executable, "-c", "import enumerator"],
        "enumerate boards/1a.txt": [enumerate_command(), "1a.txt", "--cores", "1"],
    }
    seconds = dict.fromkeys(commands, float("inf"))
    for _ in range(options.rounds):
        for name, command in commands.items():
            started = perf_counter()
            subprocess.run(command, cwd=ROOT / "boards", stdout=subprocess.DEVNULL, check=True)
            seconds[name] = min(seconds[name], perf_counter() - started)
    idle = seconds["python -c pass"]
    print(f"{'command':<26}{'ms':>9}{'more':>9}")
    for name, least in seconds.items():
        print(f"{name:<26}{least * 1e3:>9.1f}{(least - idle) * 1e3:>9.1f}")
    print(f"peak memory of a count (boards/1d.txt): {peak_of_command('1d.txt'):.1f} MB")
    return 0
