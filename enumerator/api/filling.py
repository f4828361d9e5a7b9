"""Arrays that are filled with solutions, and the memory that they take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from enumerator.board import Shape
from enumerator.text.phrases import plural, rough

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Digits: TypeAlias = npt.NDArray[np.uint8]

UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB")
"""The units of memory. Each is 1000 times the one before."""


class Filling:
    """An array with room for a number of solutions, filled from its beginning."""

    def __init__(self, shape: Shape, room: int) -> None:
        import numpy as np

        self._shape, self._filled = shape, 0
        self._array: Digits = np.empty((room, shape.size, shape.size), np.uint8)
        self._view = self._array.reshape(-1).data

    @property
    def solutions(self) -> int:
        return self._filled // self._shape.cells

    def add(self, cells: memoryview) -> int:
        """Add solutions as far as there is room; return the number of their cells."""
        some = min(len(cells), len(self._view) - self._filled)
        self._view[self._filled : self._filled + some] = cells[:some]
        self._filled += some
        return some

    def array(self) -> Digits:
        """Return the solutions. Room that is left is given back, without a copy."""
        self._view.release()
        if self.solutions < len(self._array):
            self._array.resize((self.solutions, self._shape.size, self._shape.size), refcheck=False)
        return self._array


class Growing:
    """An array for an unknown number of solutions. It takes no more memory than they do.

    A large bytearray grows without a copy where the system can move pages of memory.
    """

    def __init__(self, shape: Shape) -> None:
        self._shape, self._cells, self._most = shape, bytearray(), available_memory()

    @property
    def solutions(self) -> int:
        return len(self._cells) // self._shape.cells

    def add(self, cells: memoryview) -> int:
        """Add solutions; raise MemoryError if they do not fit into memory."""
        if self._most is not None and len(self._cells) + len(cells) > self._most:
            raise MemoryError(
                f"more than {plural(self.solutions, 'solution', '{:,}')} do not fit into "
                f"{describe_bytes(self._most)} of memory: pass limit=, or use solutions_arrays()"
            )
        self._cells += cells
        return len(cells)

    def array(self) -> Digits:
        import numpy as np

        array: Digits = np.asarray(memoryview(self._cells))
        return array.reshape(self.solutions, self._shape.size, self._shape.size)


def check_memory(solutions: int, shape: Shape, advice: str, noun: str = "solutions") -> None:
    """Raise MemoryError if an array of solutions or puzzles does not fit into the available memory.

    Systems that promise more memory than they have do not refuse the array: they end the process
    when it is filled.
    """
    most = available_memory()
    if most is not None and solutions * shape.cells > most:
        raise MemoryError(
            f"{solutions:,} {noun} take {describe_bytes(solutions * shape.cells)} and do not fit into "
            f"{describe_bytes(most)} of memory: pass {advice}"
        )


def describe_bytes(number: float) -> str:
    """Return a number of bytes to three figures: 592 MB, 16.3 GB."""
    power = next((power for power in range(len(UNITS)) if number < 999.5 * 1000**power), len(UNITS) - 1)
    return f"{rough(number / 1000**power)} {UNITS[power]}"


_MEMINFO = "/proc/meminfo"
_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""The files with the memory limit of a container, in versions 2 and 1 of control groups."""


def available_memory() -> int | None:
    """Return the bytes that this process can use without swapping; None if the system does not say.

    On Linux, files in memory that can be dropped count as available. Elsewhere, the answer is the
    whole memory of the machine.
    """
    found = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path(_MEMINFO).read_text().splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    if not found:
        with suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # "max" is no limit
            found.append(int(Path(name).read_text()))
    return min(found, default=None)
