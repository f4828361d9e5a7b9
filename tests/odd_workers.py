"""What is done to workers on purpose, in a module that they can import."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import NoReturn

from enumerator.search import kernel, task


def spoil(poison: Callable[[str], None], where: str) -> None:
    """From now on, do something odd before each walk of this process."""

    def start(cells: bytes, height: int, width: int) -> kernel.Walk:
        poison(where)
        return kernel.start(cells, height, width)

    task.kernel = SimpleNamespace(start=start, MOST=kernel.MOST)  # type: ignore[assignment]


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
