"""The speed of a list into a pipe, compared with /dev/null and with a pipe of zeros.

    null     enumerate BOARD --list > /dev/null
    pipe     enumerate BOARD --list | wc -lc
    zeros    head -c BYTES /dev/zero | wc -lc, with as many bytes as the list has

A time is that of the whole pipe, the least of `rounds`. The three take turns, so that all meet the same
noise.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.common.commands import enumerate_command

COUNT = ("wc", "-lc")


class PipeRates(NamedTuple):
    """Lines a second of a list into /dev/null and into a pipe, and of as many zeros into a pipe."""

    lines: int
    null: float
    pipe: float
    zeros: float

    @property
    def ratio(self) -> float:
        """The speed into a pipe, as a fraction of the speed into /dev/null."""
        return self.pipe / self.null


def pipe_rates(board: Path, rounds: int = 5, cores: int = 1) -> PipeRates:
    """Measure the list of a board, the least time of `rounds`.

    Raise ValueError if the list has no solutions.
    """
    command = [enumerate_command(), str(board), "--list", "--cores", str(cores)]
    lines, size = map(int, piped(command)[1].split())
    if not lines:
        raise ValueError(f"{board}: there are no solutions to list")
    zeros = ["head", "-c", str(size), "/dev/zero"]
    times = [(seconds_to_null(command), piped(command)[0], piped(zeros)[0]) for _ in range(rounds)]
    return PipeRates(lines, *(lines / min(each) for each in zip(*times, strict=True)))


def seconds_to_null(command: list[str]) -> float:
    """Return the seconds of a command that writes to /dev/null."""
    started = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def piped(command: list[str]) -> tuple[float, str]:
    """Return the seconds of a command in a pipe to `wc -lc`, and the output of that."""
    started = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        counted = subprocess.run(COUNT, check=True, stdin=writer.stdout, capture_output=True, text=True)
    seconds = perf_counter() - started
    if writer.returncode:
        raise subprocess.CalledProcessError(writer.returncode, command)
    return seconds, counted.stdout
