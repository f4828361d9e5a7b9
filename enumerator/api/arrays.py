"""Arrays of numpy: solutions, samples, candidates, solved puzzles.

    solution   S × S digits 1 … S, of the type uint8; 0 where there is none
    array      n solutions: n × S × S, C-contiguous; the caller may change it
    room       the number of solutions that an array is made for

Kernels write solutions as bytes, some thousand at a time (a page). One copy takes a page to its place
in the array. That is faster than letting a kernel write there: a page stays in the cache.

numpy is an extra, imported on first use.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from math import inf
from operator import index
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, overload

from enumerator.api.filling import Filling, Growing, check_memory
from enumerator.board.coerce import as_board
from enumerator.run.plan import OutOfTimeError, Plan, check_cores, check_plan, check_time_limit
from enumerator.run.progress import Progress, Watch, no_progress

if TYPE_CHECKING:
    import numpy.typing as npt

    from enumerator.api.filling import Digits
    from enumerator.engines.lists import Page, SolutionList

MANY_SOLUTIONS = 100_000
"""The limit above which the solutions are counted before an array is made for them.

Counting takes 1 to 100 ms without visiting solutions. Making an array of this size takes 8 ms.
"""

UNDECIDED = 255
"""The number of solutions that `solve_array` reports if the time limit has passed."""


def solutions_array(
    board: Any,
    limit: int | None = None,
    *,
    shape: Any = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: str = "auto",
    progress: Watch | bool | None = None,
) -> Digits:
    """Return at most `limit` solutions (None: all) as an array of n × S × S digits, of type uint8.

    They are in the order of `solutions`. Raise MemoryError if they do not fit into the available
    memory; `solutions_arrays` yields them block by block. Raise OutOfTimeError after `time_limit`
    seconds.

    >>> import enumerator as en
    >>> array = en.solutions_array("1234 3412 .... ....")
    >>> array.shape, array.dtype
    ((4, 4, 4), dtype('uint8'))
    >>> array[0]
    array([[1, 2, 3, 4],
           [3, 4, 1, 2],
           [2, 1, 4, 3],
           [4, 3, 2, 1]], dtype=uint8)
    """
    _require_numpy()
    _check_number(limit, "a limit")
    found = _Solutions(board, shape, Plan(cores, limit, engine=engine), time_limit, progress)
    room = found.room()
    filling = Growing(found.shape) if room is None else Filling(found.shape, room)
    with closing(found.pages()) as pages:
        for page in pages:
            filling.add(memoryview(page.text))
            found.report(filling.solutions, room)
    return filling.array()


def solutions_arrays(
    board: Any,
    size: int = 65_536,
    *,
    shape: Any = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: str = "auto",
    progress: Watch | bool | None = None,
) -> Generator[Digits, None, None]:
    """Return an iterator over all solutions in arrays of `size` × S × S digits, of type uint8.

    They are in the order of `solutions`; the last array may have fewer. Memory does not grow with
    their number. With more than one core, threads find solutions ahead of the caller. They end with
    the iterator, or when it is closed. After `time_limit` seconds, it raises OutOfTimeError.

    >>> import enumerator as en
    >>> [len(block) for block in en.solutions_arrays("12.. .... .... ....", size=10)]
    [10, 10, 4]
    """
    _require_numpy()
    _check_number(size, "a size", least=1)
    found = _Solutions(board, shape, Plan(cores, engine=engine), time_limit, progress)
    check_memory(size, found.shape, "size=")
    return _blocks(found, size)


def _blocks(found: _Solutions, size: int) -> Generator[Digits, None, None]:
    before, filling = 0, Filling(found.shape, size)
    with closing(found.pages()) as pages:
        for page in pages:
            left = memoryview(page.text)
            while left:
                left = left[filling.add(left) :]
                if filling.solutions == size:
                    yield filling.array()
                    before, filling = before + size, Filling(found.shape, size)
            found.report(before + filling.solutions, None)
    if filling.solutions:
        yield filling.array()


def sample_array(  # noqa: PLR0913 - the keywords of every question
    board: Any,
    n: int,
    seed: int | None = None,
    *,
    shape: Any = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: str = "auto",
    progress: Watch | bool | None = None,
) -> Digits:
    """Return `n` uniformly random solutions as an array of n × S × S digits, of type uint8.

    They are independent of each other, and those that `sample` returns for the same `seed`. Raise
    OutOfTimeError after `time_limit` seconds. A board with boxes larger than 3×3 is walked once, to
    number its solutions; None then means 60 s for that. Raise IndexError if there is no solution.

    >>> import enumerator as en
    >>> array = en.sample_array("." * 81, 1000, seed=1)
    >>> array.shape
    (1000, 9, 9)
    >>> int(array[:, 0, 0].min()), int(array[:, 0, 0].max())
    (1, 9)
    """
    _require_numpy()
    import numpy as np

    from enumerator.questions.sample import draw_numbers, sample_index
    from enumerator.questions.solutions import ascending, index_seconds
    from enumerator.run.ordered import map_ordered

    _check_number(n, "a number of samples")
    found = _Solutions(board, shape, Plan(cores, engine=engine), time_limit, progress)
    check_memory(n, found.shape, "a smaller n")
    own, cores = found.shape, found.cores
    numbered = sample_index(found.list, cores, index_seconds(found.list, time_limit), found.watch)
    array: Digits = np.empty((n, own.cells), np.uint8)
    done = 0
    for numbers in draw_numbers(numbered.total, n, seed):
        order = ascending(numbers)
        turns = np.array(order) + done
        with closing(map_ordered(numbered.cells([numbers[turn] for turn in order]), cores)) as results:
            for cells in results:
                some = np.frombuffer(cells, np.uint8).reshape(-1, own.cells)
                array[turns[: len(some)]] = some
                turns, done = turns[len(some) :], done + len(some)
                found.report(done, n, "samples")
    return array.reshape(n, own.size, own.size)


def candidates_array(
    board: Any,
    *,
    shape: Any = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: str = "auto",
    progress: Watch | bool | None = None,
) -> npt.NDArray[Any]:
    """Return the number of solutions with each digit in each cell, as an array of S × S × S numbers.

    `candidates_array(board)[row, column, digit - 1]` is exact. The type is uint64 if all numbers are
    below 2^64; otherwise it is object, and the numbers are of the type int. Raise OutOfTimeError
    after `time_limit` seconds.

    >>> import enumerator as en
    >>> en.candidates_array("1234 3412 .... ....")[2, 0]
    array([0, 2, 0, 2], dtype=uint64)
    >>> en.candidates_array("." * 81)[0, 0, 0]
    741211528002341437440
    """
    _require_numpy()
    import numpy as np

    from enumerator.questions.candidates import candidates

    asked = as_board(board, shape)
    plan = Plan(cores, engine=engine)
    check_plan(asked, plan)
    check_time_limit(time_limit)
    counts = candidates(asked, plan, time_limit=time_limit, watch=_watch(progress)).counts
    kind = np.uint64 if max(map(max, counts)) < 2**64 else object
    size = asked.shape.size
    return np.array(counts, kind).reshape(size, size, size)


@overload
def solve_array(
    lines: Iterable[Any],
    *,
    shape: Any = None,
    return_counts: Literal[False] = False,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: Watch | bool | None = None,
) -> Digits: ...
@overload
def solve_array(
    lines: Iterable[Any],
    *,
    shape: Any = None,
    return_counts: Literal[True],
    time_limit: float | None = None,
    cores: int | None = None,
    progress: Watch | bool | None = None,
) -> tuple[Digits, Digits]: ...
def solve_array(
    lines: Iterable[Any],
    *,
    shape: Any = None,
    return_counts: bool = False,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: Watch | bool | None = None,
) -> Digits | tuple[Digits, Digits]:
    """Return the solutions of many puzzles of one shape as an array of n × S × S digits, of type uint8.

    `lines` are boards: lines of text, Boards, rows; or an array of n × S × S or n × (S·S) integers, 0
    for an empty cell. A puzzle that does not have exactly one solution has zeros.

    With `return_counts`, also return an array of n numbers of solutions, of type uint8:

        0     no solution
        1     exactly one
        2     two or more
        255   not decided within `time_limit` seconds for this puzzle (None: no limit)

    Raise ValueError or TypeError for an item that is not a board; the message has its index.

    >>> import enumerator as en
    >>> puzzles = ["1234 34.. .... ..21".replace(" ", ""), "11.............."]
    >>> solutions, counts = en.solve_array(puzzles, return_counts=True)
    >>> solutions[0]
    array([[1, 2, 3, 4],
           [3, 4, 1, 2],
           [2, 1, 4, 3],
           [4, 3, 2, 1]], dtype=uint8)
    >>> counts
    array([1, 0], dtype=uint8)
    """
    _require_numpy()
    import numpy as np

    from enumerator.api.puzzles import read_puzzles
    from enumerator.engines.lists import Work
    from enumerator.questions.classify import AlikeBoards, classify_alike
    from enumerator.run.ordered import map_ordered

    check_cores(cores)
    check_time_limit(time_limit)
    plan, stop, watch = Plan(cores), Event(), _watch(progress)
    own, puzzles = read_puzzles(lines, shape, plan.batch_pacing)

    def solve(boards: AlikeBoards) -> tuple[tuple[bytes, bytes], list[AlikeBoards]]:
        return classify_alike(boards, True, plan, stop, time_limit), []

    solutions, codes = bytearray(), bytearray()
    with closing(map_ordered(Work(solve, puzzles), plan.effective_cores(), stop)) as results:
        for some, cells in results:
            codes += some
            solutions += cells
            watch(Progress(boards=len(codes)))
    counts = np.asarray(memoryview(codes))
    counts[counts > 2] = UNDECIDED
    array = np.asarray(memoryview(solutions)).reshape(len(codes), own.size, own.size)
    return (array, counts) if return_counts else array


class _Solutions:
    """The list of a board: its pages, within its time limit, and its progress."""

    def __init__(
        self, board: Any, shape: Any, plan: Plan, time_limit: float | None, progress: Watch | bool | None
    ) -> None:
        from enumerator.questions.solutions import list_cores, solution_list

        asked = as_board(board, shape)
        check_plan(asked, plan)
        check_time_limit(time_limit)
        self.shape, self.watch, self._limit = asked.shape, _watch(progress), plan.limit
        self._deadline = inf if time_limit is None else perf_counter() + time_limit
        self.list: SolutionList = solution_list(asked, plan)
        self.cores = list_cores(self.list, plan)

    def pages(self) -> Generator[Page, None, None]:
        from enumerator.questions.solutions import pages

        return pages(self.list, self.shape, self.cores, self._limit, as_cells=True)

    def room(self) -> int | None:
        """Return the number of solutions to make an array for; None if it is unknown.

        Raise MemoryError if they do not fit into memory.
        """
        from enumerator.questions.solutions import build_index

        if self._limit is not None and self._limit <= MANY_SOLUTIONS:
            return self._limit
        if self.list.visits:
            return None
        total = build_index(self.list, self.cores, self._deadline - perf_counter(), watch=self.watch).total
        room = total if self._limit is None else min(self._limit, total)
        check_memory(room, self.shape, "limit=, or use solutions_arrays()")
        return room

    def report(self, solutions: int, total: int | None, stage: str = "") -> None:
        """Report the number of solutions so far; raise OutOfTimeError if the time limit has passed."""
        self.watch(Progress(solutions / total if total else None, solutions, stage, total))
        if perf_counter() > self._deadline:
            raise OutOfTimeError


def _check_number(number: int | None, name: str, least: int = 0) -> None:
    if number is not None and index(number) < least:
        raise ValueError(f"{name} of {number}: it must be at least {least}")


def _watch(progress: Watch | bool | None) -> Watch:
    return progress if callable(progress) else no_progress


def _require_numpy() -> None:
    """Raise ImportError with a sentence that says what to install, if numpy is missing."""
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError("arrays need numpy: install it with pip install 'enumerator[numpy]'") from None
