"""What a short command costs beyond an idle Python: milliseconds, least of several runs by turns, and peak memory.

The memory is never less than that of the process that measures, about 15 MB.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from time import perf_counter

from bench import ROOT


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=20, help="how often each is run (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    enumerate_command = shutil.which("enumerate", path=os.path.dirname(sys.executable)) or "enumerate"
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import enumerator": [sys.executable, "-c", "import enumerator"],
        "enumerate boards/1a.txt": [enumerate_command, "boards/1a.txt", "--cores", "1"],
        "enumerate boards/1d.txt": [enumerate_command, "boards/1d.txt", "--cores", "1"],
    }
    seconds = dict.fromkeys(commands, float("inf"))
    memory = dict.fromkeys(commands, 0.0)
    for _ in range(options.rounds):
        for name, command in commands.items():
            taken, peak = measure(command)
            seconds[name] = min(seconds[name], taken)
            memory[name] = max(memory[name], peak)
    idle = seconds["python -c pass"]
    print(f"{'command':<26}{'ms':>9}{'more':>9}{'MB':>7}")
    for name, least in seconds.items():
        print(f"{name:<26}{least * 1e3:>9.1f}{(least - idle) * 1e3:>9.1f}{memory[name]:>7.1f}")
    return 0


def measure(command: list[str]) -> tuple[float, float]:
    """The seconds and the peak memory, in MB, of a command."""
    started = perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command}: exit status {process.returncode}")
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
