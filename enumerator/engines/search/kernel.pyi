"""The types of general.pyx and kernel.pyx, which are all imported from `kernel`."""

from typing_extensions import Buffer

from enumerator.engines.walks.walk import MOST as MOST
from enumerator.engines.walks.walk import Walk as Walk

CHECKED: bool
COMPILER: str
CYTHON: str
FLAGS: str
INSTRUCTIONS: str

class Nine(Walk):
    def __init__(self, cells: Buffer, allowed: Buffer | None = None, is_verdict: bool = False) -> None: ...

class General(Walk):
    def __init__(
        self, cells: Buffer, height: int, width: int, rules_above: int = ..., allowed: Buffer | None = None
    ) -> None: ...

def start(cells: Buffer, height: int, width: int, allowed: Buffer | None = None) -> Walk: ...
def count_boards(
    boards: Buffer,
    height: int,
    width: int,
    nodes: int,
    limit: int,
    counts: Buffer,
    visited: Buffer | None = None,
    nanoseconds: Buffer | None = None,
    unique: Buffer | None = None,
    listed: Buffer | None = None,
    allowed: Buffer | None = None,
) -> tuple[int, Walk | None, int]: ...
