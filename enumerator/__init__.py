"""Count and list every solution of a Sudoku board, exactly.

A board is a Board, text, rows of numbers or an array:

>>> import enumerator as en
>>> board = en.Board("1234 3412 .... ....")
>>> en.count(board)
4
>>> str(en.solve("1... ..2. .3.. ...4"))
'1243342143122134'

Solutions, all of them or some:

>>> [str(solution) for solution in en.solutions(board, limit=2)]
['1234341221434321', '1234341223414123']
>>> str(en.nth(board, 3))
'1234341243212143'
>>> len(en.sample(board, 10, seed=1))
10

More questions:

>>> en.classify(board) == "multiple"
True
>>> en.candidates(board)[2, 0, 4]
2
>>> en.verify(board).agrees
True

    count           the number of solutions          count_all       of many boards
    count_answer    the same, with all facts
    classify        none, unique or multiple         classify_all    of many boards
    solve           the solution, if it is unique
    solutions       an iterator over all             write_solutions  to a file
    nth, sample     one solution by its number; random ones
    candidates      the number of solutions with each digit in each cell
    estimate        the number of solutions and the time of a count, without counting
    verify          a count in two ways
    steps           the way to a solution, with the reason of each step
    clues           the number of solutions without each clue; superfluous  those that can go
    complete        the fewest further clues that make a board unique
    unavoidable     the sets of cells of a solution, one of which must be a clue
    minimal         the puzzles inside a board from which no clue can go
    generate        new puzzles, by clues, symmetry, pattern, level     generate_array  as an array
    canonical       the form that all symmetric boards share  canonical_all, distinct  of many boards
    equivalent      the symmetry that makes a board another one
    different       the number of solutions up to the symmetries of the board
    status, audit   of a checkpoint, the file with which a long count is resumed
    read, read_all  boards from files
    serve           a page in the browser that asks all of this

All questions about a board take `shape=`, `time_limit=`, `cores=`, `engine=` and `progress=`, but
`steps` takes no cores and no engine. One that ends early raises an error that carries what is
known; see EnumeratorError for all errors. The types of answers are here for type hints: CountAnswer,
CandidatesAnswer and so on. Names are imported on first use, so that `import enumerator` stays fast.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would take longer than this whole module

__version__ = "0.1.0"

__all__ = [
    "AuditAnswer",
    "Board",
    "BoardError",
    "CandidatesAnswer",
    "CanonicalAnswer",
    "CluesAnswer",
    "CompleteAnswer",
    "CountAnswer",
    "DifferentAnswer",
    "EnumeratorError",
    "EstimateAnswer",
    "Interrupted",
    "Interval",
    "LedgerError",
    "ListAnswer",
    "NoSolutionError",
    "NoSuchSolutionError",
    "NotUniqueError",
    "OutOfTimeError",
    "Progress",
    "ResumeError",
    "RunLostError",
    "Shape",
    "StatusAnswer",
    "StepsAnswer",
    "Stopped",
    "Symmetry",
    "TooManySymmetriesError",
    "UnavoidableAnswer",
    "Verdict",
    "audit",
    "candidates",
    "candidates_array",
    "canonical",
    "canonical_all",
    "canonical_array",
    "classify",
    "classify_all",
    "clues",
    "complete",
    "count",
    "count_all",
    "count_answer",
    "different",
    "different_answer",
    "distinct",
    "equivalent",
    "estimate",
    "generate",
    "generate_array",
    "minimal",
    "nth",
    "read",
    "read_all",
    "sample",
    "sample_array",
    "serve",
    "solutions",
    "solutions_array",
    "solutions_arrays",
    "solve",
    "solve_all",
    "solve_array",
    "status",
    "steps",
    "superfluous",
    "unavoidable",
    "verify",
    "write_solutions",
]

_NAMES = {
    "api.arrays": "candidates_array canonical_array sample_array solutions_array solutions_arrays solve_array",
    "api.clue_questions": "clues complete steps superfluous unavoidable",
    "api.ledgers": "audit status",
    "api.making": "generate generate_array minimal",
    "api.many_boards": "classify_all count_all solve_all",
    "api.questions": "candidates classify count count_answer estimate solve verify",
    "api.solution_lists": "nth sample solutions write_solutions",
    "api.symmetries": "canonical canonical_all different different_answer distinct equivalent",
    "board": "Board Shape",
    "board.files": "read read_all",
    "board.reading": "BoardError",
    "board.symmetry": "Symmetry",
    "page": "serve",
    "questions.audit": "AuditAnswer",
    "questions.candidates": "CandidatesAnswer",
    "questions.canonical": "CanonicalAnswer",
    "questions.clues": "CluesAnswer",
    "questions.complete": "CompleteAnswer",
    "questions.count": "CountAnswer",
    "questions.different": "DifferentAnswer",
    "questions.estimate": "EstimateAnswer",
    "questions.fixed.arrangements": "TooManySymmetriesError",
    "questions.intervals": "Interval",
    "questions.listing": "ListAnswer",
    "questions.solutions": "NoSuchSolutionError",
    "questions.solve": "NoSolutionError NotUniqueError",
    "questions.status": "StatusAnswer",
    "questions.steps": "StepsAnswer",
    "questions.unavoidable": "UnavoidableAnswer",
    "questions.verdict": "Verdict",
    "run.endings": "Interrupted OutOfTimeError RunLostError Stopped",
    "run.ledger": "LedgerError",
    "run.progress": "Progress",
    "run.solution_file": "ResumeError",
    "text.errors": "EnumeratorError",
}
"""The public names of each module, which is imported with the first of them."""

_HOMES = {name: f"enumerator.{module}" for module, names in _NAMES.items() for name in names.split()}

if TYPE_CHECKING:
    from enumerator.api.arrays import (
        candidates_array,
        canonical_array,
        sample_array,
        solutions_array,
        solutions_arrays,
        solve_array,
    )
    from enumerator.api.clue_questions import clues, complete, steps, superfluous, unavoidable
    from enumerator.api.ledgers import audit, status
    from enumerator.api.making import generate, generate_array, minimal
    from enumerator.api.many_boards import classify_all, count_all, solve_all
    from enumerator.api.questions import candidates, classify, count, count_answer, estimate, solve, verify
    from enumerator.api.solution_lists import nth, sample, solutions, write_solutions
    from enumerator.api.symmetries import canonical, canonical_all, different, different_answer, distinct, equivalent
    from enumerator.board import Board, Shape
    from enumerator.board.files import read, read_all
    from enumerator.board.reading import BoardError
    from enumerator.board.symmetry import Symmetry
    from enumerator.page import serve
    from enumerator.questions.audit import AuditAnswer
    from enumerator.questions.candidates import CandidatesAnswer
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.questions.clues import CluesAnswer
    from enumerator.questions.complete import CompleteAnswer
    from enumerator.questions.count import CountAnswer
    from enumerator.questions.different import DifferentAnswer
    from enumerator.questions.estimate import EstimateAnswer
    from enumerator.questions.fixed.arrangements import TooManySymmetriesError
    from enumerator.questions.intervals import Interval
    from enumerator.questions.listing import ListAnswer
    from enumerator.questions.solutions import NoSuchSolutionError
    from enumerator.questions.solve import NoSolutionError, NotUniqueError
    from enumerator.questions.status import StatusAnswer
    from enumerator.questions.steps import StepsAnswer
    from enumerator.questions.unavoidable import UnavoidableAnswer
    from enumerator.questions.verdict import Verdict
    from enumerator.run.endings import Interrupted, OutOfTimeError, RunLostError, Stopped
    from enumerator.run.ledger import LedgerError
    from enumerator.run.progress import Progress
    from enumerator.run.solution_file import ResumeError
    from enumerator.text.errors import EnumeratorError


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
