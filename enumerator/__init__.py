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

__all__ = [
    "Board",
    "BoardError",
    "LedgerError",
    "OutOfTimeError",
    "RunLostError",
    "Shape",
    "Verdict",
    "candidates",
    "classify",
    "classify_all",
    "count",
    "nth",
    "read",
    "read_all",
    "sample",
    "solutions",
]

_HOMES = {
    "Board": "enumerator.board",
    "BoardError": "enumerator.formats",
    "LedgerError": "enumerator.parallel.book",
    "OutOfTimeError": "enumerator.parallel.lists",
    "RunLostError": "enumerator.parallel",
    "Shape": "enumerator.shape",
    "Verdict": "enumerator.parallel.verdicts",
    "candidates": "enumerator.parallel.candidates",
    "classify": "enumerator.parallel.verdicts",
    "classify_all": "enumerator.parallel.verdicts",
    "count": "enumerator.parallel",
    "nth": "enumerator.parallel.lists",
    "read": "enumerator.formats",
    "read_all": "enumerator.formats",
    "sample": "enumerator.parallel.lists",
    "solutions": "enumerator.parallel.lists",
}

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.formats import BoardError, read, read_all
    from enumerator.parallel import RunLostError, count
    from enumerator.parallel.book import LedgerError
    from enumerator.parallel.candidates import candidates
    from enumerator.parallel.lists import OutOfTimeError, nth, sample, solutions
    from enumerator.parallel.verdicts import Verdict, classify, classify_all
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
