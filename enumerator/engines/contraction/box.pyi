"""The types of box.pyx."""

from enumerator.engines.contraction.band_units import BandUnits

class Boxes(BandUnits):
    def run(self, first: int, last: int) -> list[int]: ...
