"""The questions about the clues of a puzzle, and how it is solved. The keywords are those of questions.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.api.signatures import sharing
from enumerator.board.coerce import as_board
from enumerator.questions.ask import asking
from enumerator.questions.checks import (
    BoardLike,
    Keywords,
    ProgressLike,
    ShapeLike,
    asking_with,
    check_progress,
    check_seconds,
    check_whole,
    read_asked,
)

if TYPE_CHECKING:
    from typing import Unpack

    from enumerator.questions.clues import CluesAnswer
    from enumerator.questions.complete import CompleteAnswer
    from enumerator.questions.steps import StepsAnswer
    from enumerator.questions.unavoidable import UnavoidableAnswer


@sharing(Keywords)
def clues(board: BoardLike, **keywords: Unpack[Keywords]) -> CluesAnswer:
    """Return the number of solutions without each clue, which are superfluous, and whether the board is minimal.

    >>> answer = en.clues("1... ..2. .3.. 2..4")
    >>> answer
    <CluesAnswer: unique, 1 of 5 clues is superfluous>
    >>> [clue.solutions for clue in answer], answer.superfluous
    ([2, 3, 3, 1, 2], ((3, 0),))
    >>> en.clues("1... ..2. .3.. ...4").minimal
    True

    Each clue is taken away alone. The numbers are exact for boxes up to 3×3 without pencil marks, for boards
    that are counted in a moment, and if an engine is named. For other boards, `exact` of a clue may be False: its
    number is then a lower bound. A notebook draws the answer. OutOfTimeError and Interrupted have in `answer`
    the clues that were judged. The keywords and errors are those of `count`.
    """
    from enumerator.questions import clues as questions

    board, plan = read_asked(board, keywords)
    with asking_with("the clues are not all judged", keywords) as question:
        return questions.clues(board, plan, watch=question.watch)


@sharing(Keywords)
def superfluous(board: BoardLike, **keywords: Unpack[Keywords]) -> tuple[tuple[int, int], ...]:
    """Return the clues without which the board still has only one solution, each judged alone.

    >>> en.superfluous("1... ..2. .3.. 2..4")
    ((3, 0),)

    They are rows and columns, numbered from 0. `clues` has the numbers of solutions, too, which may take
    longer. Raise NoSolutionError or NotUniqueError if the board does not have exactly one solution. The keywords and
    other errors are those of `clues`.
    """
    from enumerator.questions import clues as questions

    board, plan = read_asked(board, keywords)
    with asking_with("the clues are not all judged", keywords) as question:
        return questions.find_superfluous(board, plan, watch=question.watch).superfluous


@sharing(Keywords)
def complete(board: BoardLike, most: int | None = None, **keywords: Unpack[Keywords]) -> CompleteAnswer:
    """Return the smallest sets of further clues that make a board unique, and the cell that tells most.

    >>> answer = en.complete("1234 3412 .... ....")
    >>> answer
    <CompleteAnswer: unique with 2 more clues, in 64 ways>
    >>> answer.sets[0], answer.next.bits
    (((8, 2), (9, 1)), 1.0)

    Single clues are known for every board that can be counted. Sets of two, three and more, up to `most`, are
    searched for where there are up to 10^6 solutions and the search takes seconds. Otherwise `exact` is False, and the
    set was found greedily; `at_least` clues are proven to be needed. Raise NoSolutionError if there is no
    solution. The keywords and other errors are those of `count`.
    """
    from enumerator.questions import complete as questions

    board, plan = read_asked(board, keywords)
    number = None if most is None else check_whole("most", most, 1)
    with asking_with("not all sets are known", keywords) as question:
        return questions.complete(board, plan, number, watch=question.watch)


@sharing(Keywords)
def unavoidable(board: BoardLike, most: int | None = None, **keywords: Unpack[Keywords]) -> UnavoidableAnswer:
    """Return the minimal unavoidable sets of the solution of a board, up to `most` cells.

    The cells of such a set could be filled in another way, so that a puzzle has a clue in each set.

    >>> answer = en.unavoidable("1... ..2. .3.. ...4", 4)
    >>> answer.sets[0], answer.hits[0]
    ((0, 1, 12, 13), (0,))

    A board may be full. None: up to 12 cells on 9×9, 16 on 4×4 (all there are), 8 on boards beyond 9×9. Raise
    NoSolutionError or NotUniqueError if the board does not have exactly one solution, and ValueError for sets of more
    than 64 cells. OutOfTimeError and Interrupted
    have in `answer` the sets that were found. The keywords and other errors are those of `count`.
    """
    from enumerator.questions import unavoidable as questions

    board, plan = read_asked(board, keywords)
    cells = None if most is None else check_whole("most", most, 1)
    with asking_with("not all sets are found", keywords) as question:
        return questions.unavoidable(board, plan, cells, watch=question.watch)


def steps(
    board: BoardLike,
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    progress: ProgressLike = None,
    limit: int | None = 5_000,
) -> StepsAnswer:
    """Solve a board step by step, as a person would, and return the steps with their reasons.

    >>> answer = en.steps("1... ..2. .3.. ...4")
    >>> answer
    <StepsAnswer: solved in 12 steps, without a guess>
    >>> print(answer.steps[0].text)
    r1c4 is 3: its only candidate.
    >>> answer.solution
    Board("1243342143122134")
    >>> answer.rating, answer.hardest, answer.rules
    ('easy', 'naked single', {'naked single': 12})

    The rules are those of solvers: naked and hidden singles (easy), locked candidates, naked and hidden pairs
    (medium), triples, X-wing and swordfish (hard). The hardest one is the rating. Where none applies, a guess
    is made in a cell with the fewest candidates, and taken back if it leads to a dead end. The steps end with
    the first solution, which may not be the only one, or with the proof that there is none. `ended` says so;
    it is "step limit" after `limit` steps, and "time limit" after `time_limit` seconds. None means no limit.
    """
    from enumerator.questions.steps import record_steps

    board = as_board(board, shape)
    check_progress(progress)
    seconds = None if time_limit is None else check_seconds("time_limit", time_limit)
    most = None if limit is None else check_whole("limit", limit, 1)
    with asking("the board is not solved", seconds, progress, has_deadline=False) as question:
        return record_steps(board, limit=most, time_limit=seconds, watch=question.watch)
