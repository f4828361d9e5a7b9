"""The questions about one board whose answers are numbers, verdicts or one solution.

All functions take anything that is a board, and the same keywords:

    shape        the shape of the board, where its text or rows do not tell: "2x3", (2, 3), a Shape
    time_limit   seconds; None: no limit
    cores        the largest number of cores to use; None: all
    engine       "search", "contraction", "learning", or "auto" for the one that should be faster
    progress     a function that is called with the progress; True: a bar in terminal and notebook
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator import engines
from enumerator.api.ledgers import ledger_of
from enumerator.api.signatures import sharing
from enumerator.board import Board
from enumerator.board.coerce import as_board
from enumerator.engines.board_blocks import NOT_STARTED
from enumerator.questions import solve as questions
from enumerator.questions.ask import asking
from enumerator.questions.checks import (
    BoardLike,
    EngineName,
    Keywords,
    PathLike,
    ProgressLike,
    ShapeLike,
    asking_with,
    check_seconds,
    check_seed,
    check_whole,
    make_plan,
    read_asked,
)
from enumerator.questions.verdict import VERDICTS, Decision, decide, decide_at_once
from enumerator.run.endings import OutOfTimeError
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan

if TYPE_CHECKING:
    from typing import Unpack

    from enumerator.engines import Counting
    from enumerator.questions.candidates import CandidatesAnswer
    from enumerator.questions.count import CountAnswer
    from enumerator.questions.estimate import EstimateAnswer
    from enumerator.questions.verdict import Verdict


def count(
    board: BoardLike,
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: EngineName = "auto",
    progress: ProgressLike = None,
    limit: int | None = None,
    checkpoint: PathLike | None = None,
) -> int:
    """Return the exact number of solutions, or `limit` if there are more. `count_answer` tells which.

    >>> en.count("1234 3412 .... ....")
    4
    >>> en.count("." * 81)
    6670903752021072936960
    >>> en.count("." * 81, limit=2)
    2

    A count that takes longer than about 50 ms runs on `cores` cores (None: all). `engine` is one
    of:

        "search"        visits every solution; for boards of every size
        "contraction"   counts without visiting solutions; for boxes up to 3×3
        "learning"      visits every solution, and learns from dead ends; for large boards
        "auto"          the one that should be faster

    `progress` is a function that is called with a Progress several times per second, or True for a
    progress bar. `checkpoint` names a file that records finished work. The same call with the same
    file resumes the count. If the file is removed meanwhile, the count continues, and a warning
    says that it cannot be resumed.

    A count that ends early raises an error with `at_least`, `estimate`, `seconds` and the partial
    `answer`: OutOfTimeError after `time_limit` seconds, Interrupted after Ctrl-C, Stopped if
    `progress` raises it, and RunLostError if workers die repeatedly or the checkpoint cannot be
    written. Raise LedgerError if the file is not a checkpoint of this count.
    """
    board = as_board(board, shape)
    plan = make_plan(board, time_limit, cores, engine, progress, limit)
    keywords: Keywords = {"time_limit": time_limit, "progress": progress}
    if checkpoint is not None:
        return _count(board, plan, keywords, checkpoint).solutions
    first = engines.first_supporting(board) if engine == engines.AUTO else engines.get(engine)
    counting = first.count_or_begin(board, plan.sought)
    if isinstance(counting, int):  # most counts end here
        return counting if plan.limit is None else min(counting, plan.limit)
    return _count(board, plan, keywords, counting=counting).solutions


@sharing(Keywords)
def count_answer(
    board: BoardLike, *, limit: int | None = None, checkpoint: PathLike | None = None, **keywords: Unpack[Keywords]
) -> CountAnswer:
    """Count the solutions, and return their number with all facts about the count.

    `exceeded` of the answer is True if there are more than `limit` solutions:

    >>> few, many = en.count_answer("1234 3412 .... ....", limit=4), en.count_answer("." * 81, limit=4)
    >>> few, many
    (<CountAnswer: 4 solutions>, <CountAnswer: at least 4 solutions>)
    >>> few.exceeded, many.exceeded
    (False, True)
    >>> en.count_answer("1... ..2. .3.. ...4").solution
    Board("1243342143122134")

    `to_dict()` has the facts of `enumerate --json`. The keywords and errors are those of `count`.
    """
    from enumerator.questions.count import with_solution

    board, plan = read_asked(board, keywords, limit)
    return with_solution(_count(board, plan, keywords, checkpoint), plan)


def _count(
    board: Board,
    plan: Plan,
    keywords: Keywords,
    checkpoint: PathLike | None = None,
    counting: Counting | None = None,
    verify: bool = False,
) -> CountAnswer:
    """Count a board in the ordinary way; raise OutOfTimeError if the time limit has ended it."""
    from enumerator.questions import count as questions

    time_limit = keywords.get("time_limit")
    undone = "the count is not verified" if verify else "the solutions are not all counted"
    with (
        ledger_of("count", board, plan, checkpoint) as ledger,
        asking_with(undone, keywords, has_deadline=verify) as question,
    ):
        answer = questions.count(
            board,
            plan,
            time_limit=None if verify else time_limit,
            verify=verify,
            start=LocalCount(board, plan, counting) if counting else None,
            ledger=ledger,
            watch=question.watch,
        )
        if answer.ended == "time limit":
            error = OutOfTimeError()
            error.answer = answer
            raise error
        return answer


@sharing(Keywords)
def verify(board: BoardLike, **keywords: Unpack[Keywords]) -> CountAnswer:
    """Count the solutions of a board twice, in different ways, and return both counts.

    `agrees` of the returned answer is True if the counts are equal.

    >>> answer = en.verify("1234 3412 .... ....")
    >>> answer
    <CountAnswer: 4 solutions, contraction agrees>
    >>> answer.agrees, answer.solutions
    (True, 4)

    The keywords and errors are those of `count`.
    """
    board, plan = read_asked(board, keywords)
    return _count(board, plan, keywords, verify=True)


@sharing(Keywords)
def solve(board: BoardLike, **keywords: Unpack[Keywords]) -> Board:
    """Return the solution of a board that has exactly one.

    >>> str(en.solve("1... ..2. .3.. ...4"))
    '1243342143122134'

    Raise NoSolutionError if there is none. Its `conflicts` are sentences about clues that
    contradict each other. Raise NotUniqueError if there are several. Its `solutions` are two of
    them. The keywords are those of `count`. OutOfTimeError and Interrupted have in `answer` a
    solution, if one was found.
    """
    board, plan = read_asked(board, keywords)
    first = decide_at_once(board, plan) if plan.engine == engines.AUTO else NOT_STARTED
    if isinstance(first, Decision) and first.code == 1:  # most calls end here
        return first.solutions[0]
    with asking_with("the board is not solved", keywords) as question:
        return questions.solve(board, plan, first=first, watch=question.watch)


@sharing(Keywords)
def classify(board: BoardLike, **keywords: Unpack[Keywords]) -> Verdict:
    """Return the verdict on a board: no solution, one, or several.

    >>> en.classify("1... ..2. .3.. ...4")
    <Verdict.UNIQUE: 'unique'>
    >>> en.classify("1234 3412 .... ....") == "multiple"
    True

    At most two solutions are visited. A board that is not decided within `time_limit` seconds
    (None: no limit) is `Verdict.UNKNOWN`. The other keywords are those of `count`.
    """
    board, plan = read_asked(board, keywords, limit=1)
    first = decide_at_once(board, plan, with_solution=False) if plan.engine == engines.AUTO else NOT_STARTED
    if isinstance(first, Decision):  # most calls end here
        return VERDICTS[first.code]
    seconds = keywords.get("time_limit")
    with asking("the board is not decided", None, keywords.get("progress")) as question:
        decision = decide(board, plan, with_solution=False, time_limit=seconds, first=first, watch=question.watch)
        return VERDICTS[decision.code]


@sharing(Keywords)
def candidates(board: BoardLike, **keywords: Unpack[Keywords]) -> CandidatesAnswer:
    """Return the number of solutions with each digit in each cell.

    Rows and columns are numbered from 0, digits from 1. A notebook draws the answer.

    >>> answer = en.candidates("12.. 3... 2... 4...")
    >>> answer
    <CandidatesAnswer: 6 solutions, unique with r3c3 = 1, r3c4 = 1, r4c3 = 3, r4c4 = 3>
    >>> answer[2, 2]
    [1, 0, 2, 3]
    >>> answer[2, 2, 4], answer.solutions
    (3, 6)
    >>> answer.advice
    'unique with r3c3 = 1, r3c4 = 1, r4c3 = 3, r4c4 = 3'

    `counts` has the numbers of all cells, row by row, and `clues` has every clue that would reduce
    the number of solutions, the best first. The keywords and errors are those of `count`.
    """
    from enumerator.questions import candidates as questions

    board, plan = read_asked(board, keywords)
    with asking_with("the candidates are not counted", keywords) as question:
        return questions.candidates(board, plan, watch=question.watch)


@sharing(Keywords)
def estimate(
    board: BoardLike, *, seed: int | None = None, probes: int | None = None, **keywords: Unpack[Keywords]
) -> EstimateAnswer:
    """Estimate the number of solutions and the time of a count.

    It takes about `time_limit` seconds (None: 2), or as long as a fixed number of probes.

    >>> answer = en.estimate("." * 256, time_limit=0.2, cores=1)
    >>> answer.solutions.low < answer.solutions.mean < answer.solutions.high
    True
    >>> answer.exact, answer.seconds.mean > 1e80
    (False, True)

    `solutions`, `nodes` and `seconds` of the answer are intervals: a `mean`, and the bounds `low`
    and `high` of 95 %. An interval without bounds (None) means: too few probes to say. `exact` is
    True if the board was counted.

    With `seed` or `probes`, there are about `probes` random probes (None: a number that depends on
    the board). The estimated numbers of solutions and nodes are then the same on every machine and
    number of cores. Raise ValueError if a `time_limit` is given, too. The other keywords are those
    of `count`.

    >>> en.estimate("." * 144, seed=1, probes=512).solutions
    <Interval: about 8.07e46 (95 %: 6.90e46 to 1.06e47)>
    """
    from enumerator.questions import estimate as questions

    board, plan = read_asked(board, keywords)
    time_limit = keywords.get("time_limit")
    seed, number = check_seed(seed), None if probes is None else check_whole("probes", probes, 1)
    if time_limit is not None and not (seed is None and number is None):
        raise ValueError("time_limit must be None with seed or probes: their number does not depend on the time")
    seconds = questions.DEFAULT_SECONDS if time_limit is None else check_seconds("time_limit", time_limit)
    with asking("the estimate is not finished", seconds, keywords.get("progress"), has_deadline=False) as question:
        return questions.estimate(board, plan, time_limit=seconds, seed=seed, probes=number, watch=question.watch)
