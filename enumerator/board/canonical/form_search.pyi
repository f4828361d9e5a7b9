"""The types of form_search.pyx."""

from collections.abc import Callable

from typing_extensions import Buffer

_Found = tuple[
    bytes,
    list[int] | None,
    list[int],
    list[int],
    list[int],
    bool,
    list[int],
    int,
    int,
    int,
    int,
    list[bytes],
    int,
]

def search(cells: Buffer, height: int, width: int, on_look: Callable[[], object] | None = None) -> _Found: ...
def search_marks(
    cells: Buffer, allowed: Buffer, height: int, width: int, on_look: Callable[[], object] | None = None
) -> _Found: ...
def write_forms(
    boards: Buffer, height: int, width: int, forms: Buffer, on_look: Callable[[], object] | None = None
) -> None: ...

class Seen:
    def __init__(self, numbered: bool = True) -> None: ...
    @property
    def size(self) -> int: ...
    def add(self, digest: bytes, number: int) -> int: ...
    def __len__(self) -> int: ...
