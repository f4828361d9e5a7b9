"""The types of kernel.pyx."""

from typing_extensions import Buffer

CHECKED: bool
COMPILER: str
CYTHON: str
FLAGS: str
MOST: int

class Walk:
    @property
    def cells(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def finished(self) -> bool: ...
    def run(self, nodes: int = ..., limit: int = ..., out: Buffer | None = None) -> int: ...
    def rest(self) -> list[bytes]: ...

class Nine(Walk):
    def __init__(self, cells: Buffer) -> None: ...

class General(Walk):
    def __init__(self, cells: Buffer, height: int, width: int, deep: int = ...) -> None: ...

def start(cells: Buffer, height: int, width: int) -> Walk: ...
