from collections.abc import Sequence

LARGEST_SET: int

class Unavoidable:
    def __init__(self, digits: bytes, size: int, units: Sequence[int]) -> None: ...
    def search(self, cell: int, digit: int, most: int) -> list[tuple[int, ...]]: ...
