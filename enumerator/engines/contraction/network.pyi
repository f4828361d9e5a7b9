"""The types of network.pyx."""

from array import array
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache

from typing_extensions import Buffer

from enumerator.engines.contraction.tables import LineTable

class Line:
    values: array[int]
    weights: array[int]
    table: LineTable | None
    required: list[list[int]] | None
    def __init__(
        self,
        values: array[int],
        weights: array[int],
        table: LineTable | None = ...,
        required: list[list[int]] | None = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def divisor(self) -> int: ...
    def arrangements(self) -> tuple[array[int], array[int]]: ...

MISSING_LINE: Line

@lru_cache(maxsize=16)
def known_line(table: LineTable, required: Hashable) -> Line: ...

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
def orbit_paths(count: int, permutations: Iterable[array[int]]) -> tuple[array[int], array[int]]: ...
def relabel_along_path(
    partitions: array[int], swaps: Sequence[array[int]], steps: array[int], by: array[int], number: int
) -> array[int]: ...
def pick_sums(partitions: array[int], groups: array[int], sums: array[int]) -> array[int]: ...
def find_in_sums(sums: array[int], n: int) -> tuple[int, int]: ...
def orbits(
    count: int, permutations: Iterable[array[int]], ranks: array[int] | None = ...
) -> tuple[array[int], array[int]]: ...
def values_per_partition(line: Line, box: int) -> list[int]: ...
