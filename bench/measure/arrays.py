"""The speed and the memory of arrays from Python, on one core.

    solutions_rate          solutions of a board in one array, a second
    touch_rate              the same array filled with ones: the speed of fresh memory on this machine
    blocks_rate             the same solutions in blocks, a second
    array_overhead          peak memory beyond that of the array, in MB of 10^6 bytes
    sample_seconds          10,000 samples of the empty board as an array
    command_sample_seconds  the same by `enumerate --sample`, without its start

Times are the least of `rounds`. An array that follows another one of its size gets the same memory
again. Memory that a virtual machine has given back to its host is several times slower.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np

import enumerator as en
from bench import ROOT
from bench.measure.solutions import EMPTY, least_seconds

SAMPLES = 10_000


def least(call: Callable[[], object], rounds: int) -> float:
    """Return the least seconds of a call."""
    seconds = []
    for _ in range(rounds):
        started = perf_counter()
        call()
        seconds.append(perf_counter() - started)
    return min(seconds)


def solutions_rate(name: str = "2e", cores: int = 1, rounds: int = 3) -> float:
    board = en.read(ROOT / "boards" / f"{name}.txt")
    return en.count(board) / least(lambda: en.solutions_array(board, cores=cores), rounds)


def touch_rate(name: str = "2e", rounds: int = 3) -> float:
    board = en.read(ROOT / "boards" / f"{name}.txt")
    number = en.count(board)
    return number / least(lambda: np.full((number, board.shape.cells), 1, np.uint8), rounds)


def blocks_rate(name: str = "2e", cores: int = 1, rounds: int = 3) -> float:
    board = en.read(ROOT / "boards" / f"{name}.txt")
    return en.count(board) / least(lambda: sum(map(len, en.solutions_arrays(board, cores=cores))), rounds)


def array_overhead(name: str = "2e", cores: int = 1) -> float:
    program = (
        "import sys, enumerator as en; from bench.common.memory import status_bytes;"
        "board = en.read(sys.argv[1]); en.solutions_array(board, 1); before = status_bytes('self', 'VmHWM');"
        "array = en.solutions_array(board, cores=int(sys.argv[2]));"
        "print(status_bytes('self', 'VmHWM') - before - array.nbytes)"
    )
    path = str(ROOT / "boards" / f"{name}.txt")
    arguments = [sys.executable, "-c", program, path, str(cores)]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, cwd=ROOT)
    return int(done.stdout) / 1e6


def sample_seconds(samples: int = SAMPLES, cores: int = 1, rounds: int = 3) -> float:
    board = en.read(EMPTY)
    return least(lambda: en.sample_array(board, samples, 1, cores=cores), rounds)


def command_sample_seconds(samples: int = SAMPLES, cores: int = 1, rounds: int = 3) -> float:
    start = least_seconds("--version", rounds=rounds)
    return least_seconds(EMPTY, "--sample", samples, "--seed", 1, "--cores", cores, rounds=rounds) - start
