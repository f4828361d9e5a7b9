"""The types of network.pyx."""

from array import array
from collections.abc import Iterable, Sequence

from typing_extensions import Buffer

class Line:
    values: array[int]
    weights: array[int]
    def __init__(self, values: array[int], weights: array[int]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def divisor(self) -> int: ...

MISSING: Line

class Network:
    height: int
    width: int
    digits: int
    bands: list[Line]
    stacks: list[Line]
    compatible: array[int]
    row_partitions: int
    def __init__(self, cells: Buffer, height: int, width: int) -> None: ...
    @property
    def solvable(self) -> bool: ...
    def transposed(self) -> Network: ...
    def prune(self) -> None: ...

def images(line: Line, image: array[int], boxes: Sequence[int]) -> array[int] | None: ...
def orbits(count: int, permutations: Iterable[array[int]]) -> tuple[array[int], array[int]]: ...
def sizes(line: Line, box: int) -> list[int]: ...
