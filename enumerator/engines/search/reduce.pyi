"""The types of reduce.pyx."""

from typing_extensions import Buffer

def reduce_boards(
    boards: Buffer,
    height: int,
    width: int,
    seeds: Buffer,
    cells: Buffer,
    ends: Buffer,
    fewest: int,
    nodes: int,
    undecided: Buffer,
) -> None: ...
def judge_clues(boards: Buffer, height: int, width: int, nodes: int, verdicts: Buffer) -> None: ...
def weigh_boards(
    boards: Buffer, height: int, width: int, seeds: Buffer, first: int, paths: int, floor: float, weights: Buffer
) -> None: ...

class MinimalTree:
    superfluous: list[int]
    def __init__(self, board: Buffer, height: int, width: int) -> None: ...
    @property
    def finished(self) -> bool: ...
    @property
    def share(self) -> float: ...
    def run(self, tests: int, out: Buffer) -> int: ...
