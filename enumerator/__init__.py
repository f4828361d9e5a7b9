"""Counts and lists every solution of a Sudoku board, exactly.

>>> import enumerator as en
>>> board = en.Board.parse("1234 3412 .... ....")
>>> en.count(board)
4
>>> [str(solution) for solution in en.solutions(board)][0]
'1234341221434321'

Nothing is imported before it is used: `import enumerator` takes next to no time.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would take longer than all of this

__version__ = "0.1.0"

__all__ = ["Board", "BoardError", "Shape", "count", "read", "read_all", "solutions"]

_HOMES = {
    "Board": "enumerator.board",
    "BoardError": "enumerator.formats",
    "Shape": "enumerator.shape",
    "count": "enumerator.parallel",
    "read": "enumerator.formats",
    "read_all": "enumerator.formats",
    "solutions": "enumerator.parallel.lists",
}

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.formats import BoardError, read, read_all
    from enumerator.parallel import count
    from enumerator.shape import Shape


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
