"""Faults that tests inject into workers, in a module that workers can import."""

from __future__ import annotations

import os
import signal
import sys
from array import array
from collections.abc import Callable
from concurrent.futures import Executor
from time import sleep
from typing import NoReturn

import loky

from enumerator.engines.contraction import problem
from enumerator.engines.search import kernel
from enumerator.run.workers import executors
from enumerator.run.workers.executors import say_ready


def spoil(poison: Callable[[str], None], where: str) -> None:
    """Call `poison` before each walk and each part of a sum of this process, from now on.

    Tasks name the function that starts a walk, so a worker finds the one that is put in its place.
    """
    real_start = kernel.start

    def start(cells: bytes, height: int, width: int, allowed: array[int] | None = None) -> kernel.Walk:
        poison(where)
        return real_start(cells, height, width, allowed)

    real = problem.find_problem

    def find_problem(cells: bytes, height: int, width: int, keep: bool = False) -> problem.Problem:
        poison(where)
        return real(cells, height, width, keep)

    problem.find_problem = find_problem
    kernel.start = start  # type: ignore[assignment]


def poisoned(poison: Callable[[str], None], where: os.PathLike[str]) -> executors.ProcessFactory:
    """Return a factory of pools whose workers call `poison` first. It returns when they are up."""

    def factory(workers: int) -> Executor:
        executor: Executor = loky.get_reusable_executor(
            workers, timeout=10, initializer=spoil, initargs=(poison, str(where))
        )
        executors.keep_pool("loky", executor)
        for arrived in [executor.submit(say_ready, 0.02) for _ in range(workers)]:
            arrived.result(timeout=60)
        return executor

    return factory


def die_once(where: str) -> None:
    """Remove a file, and die. A worker that does not find it lives on."""
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
    """Double numbers; some take longer than others."""
    sleep(0.0001 * (numbers[0] % 7))
    return doubled(numbers)


def doubled_or_dead(numbers: list[int], parent: int, folder: str, deadly: tuple[int, ...]) -> list[int]:
    """Double numbers, and die over `deadly` ones, but not in the parent.

    A worker dies once for each file in the folder; without a folder, always.
    """
    if os.getpid() == parent:
        sleep(0.005)  # there are processes for this
    elif not set(numbers).isdisjoint(deadly):
        if not folder:
            os.kill(os.getpid(), signal.SIGKILL)
        for name in os.listdir(folder):
            die_once(os.path.join(folder, name))
    return doubled(numbers)
