"""What is done to workers on purpose, in a module that they can import."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor
from time import sleep
from types import SimpleNamespace
from typing import NoReturn

import loky

from enumerator.run.executors import say_ready as ready
from enumerator.engines.contraction import worker as contraction_task
from enumerator.engines.search import kernel
from enumerator.engines.search import worker as task
from enumerator.run import executors


def spoil(poison: Callable[[str], None], where: str) -> None:
    """From now on, do something odd before each walk, and before each part of a sum, of this process."""

    def start(cells: bytes, height: int, width: int) -> kernel.Walk:
        poison(where)
        return kernel.start(cells, height, width)

    real = contraction_task.problem

    def problem(cells: bytes, height: int, width: int, keep: bool = False) -> contraction_task.Problem:
        poison(where)
        return real(cells, height, width, keep)

    contraction_task.problem = problem
    task.kernel = SimpleNamespace(start=start, MOST=kernel.MOST)  # type: ignore[assignment, attr-defined]


def poisoned(poison: Callable[[str], None], where: os.PathLike[str]) -> executors.ProcessFactory:
    """A pool whose workers do something odd before each walk or part of a sum. They are there when it is."""

    def factory(workers: int) -> Executor:
        executor: Executor = loky.get_reusable_executor(
            workers, timeout=10, initializer=spoil, initargs=(poison, str(where))
        )
        executors._kept["loky"] = executor
        for arrived in [executor.submit(ready, 0.02) for _ in range(workers)]:
            arrived.result(timeout=60)
        return executor

    return factory


def die_once(where: str) -> None:
    """Only who finds a certain file, and takes it away, dies."""
    try:
        os.remove(where)
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def die(where: str) -> None:
    """Leave a mark, and die."""
    with open(where, "a") as file:
        file.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


def complain(where: str) -> NoReturn:
    raise ArithmeticError(f"one and one is three, says {where}")


def loaded_modules() -> list[str]:
    return list(sys.modules)


def doubled(numbers: list[int]) -> list[int]:
    return [2 * number for number in numbers]


def doubled_slowly(numbers: list[int]) -> list[int]:
    """Some take longer than others."""
    sleep(0.0001 * (numbers[0] % 7))
    return doubled(numbers)


def doubled_or_dead(numbers: list[int], parent: int, folder: str, deadly: tuple[int, ...]) -> list[int]:
    """Die over certain numbers: once for each file in the folder, or, without one, always. Not in the parent."""
    if os.getpid() == parent:
        sleep(0.005)  # there are processes for this
    elif not set(numbers).isdisjoint(deadly):
        if not folder:
            os.kill(os.getpid(), signal.SIGKILL)
        for name in os.listdir(folder):
            die_once(os.path.join(folder, name))
    return doubled(numbers)
