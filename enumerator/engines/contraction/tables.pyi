"""The types of tables.pyx."""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache

def partitions(digits: Sequence[int], size: int) -> Iterator[tuple[int, ...]]: ...

class LineTable:
    count: int
    size: int
    partitions: int
    orders: int
    sets: array[int]
    permuted_orders: array[int]
    finder: array[int]
    triples: array[int]
    triple_values: array[int]
    values: array[int]
    def __init__(self, count: int, size: int) -> None: ...
    def swap_digits(self, one: int, other: int) -> array[int]: ...

@lru_cache
def line_table(count: int, size: int) -> LineTable: ...
@lru_cache
def compatibility(count: int, size: int) -> array[int]: ...

class Compatibility:
    matrix: array[int]
    lists: array[int]
    bits: array[int]
    def __init__(self, count: int, size: int) -> None: ...

def compatibility_tables(count: int, size: int) -> Compatibility: ...
@lru_cache
def transversals() -> tuple[array[int], array[int]]: ...
