"""The types of sum.pyx."""

from array import array
from collections.abc import Sequence

from enumerator.engines.contraction.network import Network

HAS_AVX2: bool
LARGEST_ENTRY: int

def group_units(count: int, pairs: float, wanted: float, rows: int) -> float: ...

class Sum:
    def __init__(
        self,
        network: Network,
        stacks: Sequence[int],
        bands: Sequence[int],
        first: Sequence[int],
        times: Sequence[int],
        swaps: Sequence[array[int]] = ...,
        twins: bool = ...,
        portable: bool = ...,
    ) -> None: ...
    @property
    def groups(self) -> int: ...
    @property
    def items(self) -> int: ...
    def run(self, first: int = ..., last: int | None = ..., budget: float | None = ...) -> tuple[int, int, float]: ...
    def largest(self) -> int: ...
