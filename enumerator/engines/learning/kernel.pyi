"""The types of kernel.pyx."""

from typing_extensions import Buffer

from enumerator.engines.walks.walk import Walk

class Learning(Walk):
    @property
    def conflicts(self) -> int: ...
    @property
    def decisions(self) -> int: ...

class Team:
    def __init__(self, cells: Buffer, height: int, width: int, allowed: Buffer | None = None) -> None: ...
    def start(self, cells: Buffer) -> Learning: ...

def start(cells: Buffer, height: int, width: int, allowed: Buffer | None = None) -> Learning: ...
