"""The types of tables.pyx."""

from array import array
from collections.abc import Iterator, Sequence

def partitions(digits: Sequence[int], size: int) -> Iterator[tuple[int, ...]]: ...

class Lines:
    count: int
    size: int
    partitions: int
    orders: int
    sets: array[int]
    turns: array[int]
    finder: array[int]
    fitting: array[int]
    belonging: array[int]
    values: array[int]
    def __init__(self, count: int, size: int) -> None: ...
    def relabelled(self, one: int, other: int) -> array[int]: ...

def lines(count: int, size: int) -> Lines: ...
def compatible(count: int, size: int) -> array[int]: ...
