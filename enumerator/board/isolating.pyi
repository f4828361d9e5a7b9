from collections.abc import Sequence

from typing_extensions import Buffer

LARGEST_SIZE: int
LARGEST_NUMBER: int

class FullBoards:
    boards: int
    cells: int
    def __init__(self, digits: Buffer, board_cells: int, places: Sequence[int]) -> None: ...
    def search(self, first: int, number: int, most: int) -> tuple[int, list[tuple[tuple[int, int], ...]]]: ...
