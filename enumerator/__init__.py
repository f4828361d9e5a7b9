"""Count and list every solution of a Sudoku board, exactly.

>>> import enumerator as en
>>> board = en.Board.parse("1234 3412 .... ....")
>>> en.count(board)
4
>>> [str(solution) for solution in en.solutions(board)][0]
'1234341221434321'

Names are imported on first use, so that `import enumerator` stays fast.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would take longer than this whole module

__version__ = "0.1.0"

__all__ = [
    "Board",
    "BoardError",
    "LedgerError",
    "OutOfTimeError",
    "Progress",
    "ResumeError",
    "RunLostError",
    "Shape",
    "Stopped",
    "Verdict",
    "audit",
    "candidates",
    "classify",
    "classify_all",
    "count",
    "count_all",
    "estimate",
    "nth",
    "read",
    "read_all",
    "sample",
    "solutions",
    "status",
    "verify",
    "write_solutions",
]

_HOMES = {
    "Board": "enumerator.board",
    "BoardError": "enumerator.board.reading",
    "LedgerError": "enumerator.run.ledger",
    "OutOfTimeError": "enumerator.run.plan",
    "Progress": "enumerator.run.progress",
    "ResumeError": "enumerator.run.solution_file",
    "RunLostError": "enumerator.run.plan",
    "Shape": "enumerator.board",
    "Stopped": "enumerator.run.progress",
    "Verdict": "enumerator.questions.classify",
    "audit": "enumerator.api",
    "candidates": "enumerator.api",
    "classify": "enumerator.api",
    "classify_all": "enumerator.api",
    "count": "enumerator.api",
    "count_all": "enumerator.api",
    "estimate": "enumerator.api",
    "nth": "enumerator.api",
    "read": "enumerator.board.files",
    "read_all": "enumerator.board.files",
    "sample": "enumerator.api",
    "solutions": "enumerator.api",
    "status": "enumerator.api",
    "verify": "enumerator.api",
    "write_solutions": "enumerator.api",
}

if TYPE_CHECKING:
    from enumerator.api import (
        audit,
        candidates,
        classify,
        classify_all,
        count,
        count_all,
        estimate,
        nth,
        sample,
        solutions,
        status,
        verify,
        write_solutions,
    )
    from enumerator.board import Board, Shape
    from enumerator.board.files import read, read_all
    from enumerator.board.reading import BoardError
    from enumerator.questions.classify import Verdict
    from enumerator.run.ledger import LedgerError
    from enumerator.run.plan import OutOfTimeError, RunLostError
    from enumerator.run.progress import Progress, Stopped
    from enumerator.run.solution_file import ResumeError


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
