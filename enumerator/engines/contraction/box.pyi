"""The types of box.pyx."""

from array import array
from collections.abc import Sequence

from enumerator.engines.contraction.sum import Sum
from enumerator.engines.contraction.summation import SumPlan

class Boxes:
    def __init__(
        self,
        plan: SumPlan,
        whole: Sum,
        band: int,
        first_values: array[int],
        multiplicities: array[int],
        wanted: Sequence[bool],
    ) -> None: ...
    @property
    def values(self) -> int: ...
    @property
    def starts_of_parts(self) -> list[int]: ...
    def run(self, first: int, last: int) -> list[int]: ...
