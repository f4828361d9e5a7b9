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
    "EnumeratorError",
    "Interrupted",
    "LedgerError",
    "NoSolutionError",
    "NoSuchSolutionError",
    "NotUniqueError",
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
    "solve",
    "solve_all",
    "status",
    "verify",
    "write_solutions",
]

_HOMES = {
    "Board": "enumerator.board",
    "BoardError": "enumerator.board.reading",
    "EnumeratorError": "enumerator.board.errors",
    "Interrupted": "enumerator.run.errors",
    "LedgerError": "enumerator.run.ledger",
    "NoSolutionError": "enumerator.questions.solve",
    "NoSuchSolutionError": "enumerator.questions.solutions",
    "NotUniqueError": "enumerator.questions.solve",
    "OutOfTimeError": "enumerator.run.errors",
    "Progress": "enumerator.run.progress",
    "ResumeError": "enumerator.run.solution_file",
    "RunLostError": "enumerator.run.errors",
    "Shape": "enumerator.board",
    "Stopped": "enumerator.run.errors",
    "Verdict": "enumerator.questions.classify",
    "audit": "enumerator.api.ledgers",
    "candidates": "enumerator.api.questions",
    "classify": "enumerator.api.questions",
    "classify_all": "enumerator.api.batches",
    "count": "enumerator.api.questions",
    "count_all": "enumerator.api.batches",
    "estimate": "enumerator.api.questions",
    "nth": "enumerator.api.lists",
    "read": "enumerator.board.files",
    "read_all": "enumerator.board.files",
    "sample": "enumerator.api.lists",
    "solutions": "enumerator.api.lists",
    "solve": "enumerator.api.questions",
    "solve_all": "enumerator.api.batches",
    "status": "enumerator.api.ledgers",
    "verify": "enumerator.api.questions",
    "write_solutions": "enumerator.api.lists",
}

if TYPE_CHECKING:
    from enumerator.api.batches import classify_all, count_all, solve_all
    from enumerator.api.ledgers import audit, status
    from enumerator.api.lists import nth, sample, solutions, write_solutions
    from enumerator.api.questions import candidates, classify, count, estimate, solve, verify
    from enumerator.board import Board, Shape
    from enumerator.board.errors import EnumeratorError
    from enumerator.board.files import read, read_all
    from enumerator.board.reading import BoardError
    from enumerator.questions.classify import Verdict
    from enumerator.questions.solutions import NoSuchSolutionError
    from enumerator.questions.solve import NoSolutionError, NotUniqueError
    from enumerator.run.errors import Interrupted, OutOfTimeError, RunLostError, Stopped
    from enumerator.run.ledger import LedgerError
    from enumerator.run.progress import Progress
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
