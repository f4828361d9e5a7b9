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
    "Board": "enumerator.board.board",
    "BoardError": "enumerator.board.reading",
    "LedgerError": "enumerator.run.ledger.contents",
    "OutOfTimeError": "enumerator.questions.solutions",
    "RunLostError": "enumerator.run",
    "Shape": "enumerator.board.shape",
    "Verdict": "enumerator.questions.classify",
    "candidates": "enumerator.questions.candidates",
    "classify": "enumerator.questions.classify",
    "classify_all": "enumerator.questions.classify",
    "count": "enumerator.run",
    "nth": "enumerator.questions.solutions",
    "read": "enumerator.board.files",
    "read_all": "enumerator.board.files",
    "sample": "enumerator.questions.solutions",
    "solutions": "enumerator.questions.solutions",
}

if TYPE_CHECKING:
    from enumerator.board import Board, Shape
    from enumerator.board.files import read, read_all
    from enumerator.board.reading import BoardError
    from enumerator.questions.candidates import candidates
    from enumerator.questions.classify import Verdict, classify, classify_all
    from enumerator.questions.solutions import OutOfTimeError, nth, sample, solutions
    from enumerator.run import RunLostError, count
    from enumerator.run.ledger.contents import LedgerError


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
