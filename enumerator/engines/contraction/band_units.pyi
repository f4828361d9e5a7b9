"""The types of band_units.pyx."""

from array import array
from collections.abc import Sequence

from enumerator.engines.contraction.sum import Sum
from enumerator.engines.contraction.summation import SumPlan

class BandUnits:
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
