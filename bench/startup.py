"""What a short command costs beyond an idle Python: milliseconds, least of several runs, and peak memory."""

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
        "enumerate boards/1e.txt": [enumerate_command, "boards/1e.txt", "--cores", "1"],
    }
    idle = None
    print(f"{'command':<26}{'ms':>9}{'more':>9}{'peak MB':>9}")
    for name, command in commands.items():
        rounds = 1 if "1e" in name else options.rounds
        seconds, memory = zip(*(measure(command) for _ in range(rounds)), strict=True)
        least = min(seconds) * 1e3
        idle = least if idle is None else idle
        print(f"{name:<26}{least:>9.1f}{least - idle:>9.1f}{max(memory):>9.1f}", flush=True)
    return 0


def measure(command: list[str]) -> tuple[float, float]:
    """The seconds and the peak memory (MB) of a command."""
    started = perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command}: exit status {process.returncode}")
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
