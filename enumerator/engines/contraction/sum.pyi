"""The types of sum.pyx."""

from array import array
from collections.abc import Sequence

from enumerator.engines.contraction.network import Network

VERSIONS: int
LARGEST_ENTRY: int

def group_products(count: int, pairs: float, rows: int) -> float: ...

class Sum:
    def __init__(
        self,
        network: Network,
        stacks: Sequence[int],
        bands: Sequence[int],
        first_values: array[int],
        multiplicities: Sequence[int],
        swaps: Sequence[array[int]] = ...,
        twins: bool = ...,
        version: int | None = ...,
    ) -> None: ...
    @property
    def groups(self) -> int: ...
    @property
    def items(self) -> int: ...
    def run(self, first: int = ..., last: int | None = ..., budget: float | None = ...) -> tuple[int, int, float]: ...
