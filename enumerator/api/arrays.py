"""Arrays of numpy: solutions, samples, candidates, solved puzzles.

    solution   S × S digits 1 … S, of the type uint8; 0 where there is none
    array      n solutions: n × S × S, C-contiguous; the caller may change it
    room       the number of solutions that an array is made for

Kernels write solutions as bytes, some thousand at a time (a page). One copy takes a page to its place
in the array. That is faster than letting a kernel write there: a page stays in the cache.

numpy is an extra, imported on first use.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, overload

from enumerator.api.filling import Filling, Growing, check_memory
from enumerator.api.signatures import sharing
from enumerator.board import Board, Shape
from enumerator.board.coerce import as_shape
from enumerator.questions.ask import asking
from enumerator.questions.checks import (
    BoardLike,
    Keywords,
    ProgressLike,
    ShapeLike,
    asking_with,
    check_seed,
    check_whole,
    make_batch_plan,
    read_asked,
)
from enumerator.questions.gathering import gather
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch
from enumerator.text.phrases import plural

if TYPE_CHECKING:
    from typing import Unpack

    import numpy.typing as npt

    from enumerator.api.filling import Digits
    from enumerator.engines.interfaces import Page, SolutionList
    from enumerator.questions.chunks import Chunk

USUAL_SHAPE = Shape(3, 3)
"""Shape assumed for an empty list of puzzles."""

MANY_SOLUTIONS = 100_000
"""The limit above which the solutions are counted before an array is made for them.

Counting takes 1 to 100 ms without visiting solutions. Making an array of this size takes 8 ms.
"""

NOT_COUNTED = 255
"""The number of solutions that `solve_array` reports if the time limit has passed."""


@sharing(Keywords)
def solutions_array(board: BoardLike, limit: int | None = None, **keywords: Unpack[Keywords]) -> Digits:
    """Return at most `limit` solutions (None: all) as an array of n × S × S digits, of type uint8.

    They are in the order of `solutions`. Raise MemoryError if they do not fit into the available
    memory; `solutions_arrays` yields them block by block. Raise OutOfTimeError after `time_limit`
    seconds. The keywords are those of `count`.

    >>> array = en.solutions_array("1234 3412 .... ....")
    >>> array.shape, array.dtype
    ((4, 4, 4), dtype('uint8'))
    >>> array[0]
    array([[1, 2, 3, 4],
           [3, 4, 1, 2],
           [2, 1, 4, 3],
           [4, 3, 2, 1]], dtype=uint8)
    """
    require_numpy()
    asked, plan = read_asked(board, keywords, limit)
    with asking_with("the solutions are not all found", keywords) as question:
        found = _Solutions(asked, plan, question.watch)
        room = found.room()
        filling = Growing(found.shape) if room is None else Filling(found.shape, room)
        with closing(found.pages()) as pages:
            for page in pages:
                filling.add(memoryview(page.text))
                found.report(filling.solutions, room)
        return filling.array()


@sharing(Keywords)
def solutions_arrays(
    board: BoardLike, size: int = 65_536, **keywords: Unpack[Keywords]
) -> Generator[Digits, None, None]:
    """Return an iterator over all solutions in arrays of `size` × S × S digits, of type uint8.

    They are in the order of `solutions`; the last array may have fewer. Memory does not grow with
    their number. With more than one core, threads find solutions ahead of the caller. They end with
    the iterator, or when it is closed. After `time_limit` seconds, it raises OutOfTimeError. The
    keywords are those of `count`.

    >>> [len(block) for block in en.solutions_arrays("12.. .... .... ....", size=10)]
    [10, 10, 4]
    """
    require_numpy()
    asked, plan = read_asked(board, keywords)
    size = check_whole("size", size, 1)
    check_memory(size, asked.shape, "size=")
    return _ask_blocks(asked, plan, size, keywords)


def _ask_blocks(board: Board, plan: Plan, size: int, keywords: Keywords) -> Generator[Digits, None, None]:
    with asking_with("the solutions are not all found", keywords) as question:
        yield from question.pausing(_blocks(_Solutions(board, plan, question.watch), size))


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


@sharing(Keywords)
def sample_array(board: BoardLike, n: int, seed: int | None = None, **keywords: Unpack[Keywords]) -> Digits:
    """Return `n` uniformly random solutions as an array of n × S × S digits, of type uint8.

    They are independent of each other, and those that `sample` returns for the same `seed`. Raise
    OutOfTimeError after `time_limit` seconds. A board with boxes larger than 3×3 is walked once, to
    number its solutions. Raise NoSuchSolutionError if there is none. The keywords are those of `count`.

    >>> array = en.sample_array("." * 81, 1000, seed=1)
    >>> array.shape
    (1000, 9, 9)
    >>> int(array[:, 0, 0].min()), int(array[:, 0, 0].max())
    (1, 9)
    """
    require_numpy()
    import numpy as np

    from enumerator.questions.sample import draw_numbers, sample_index
    from enumerator.questions.solutions import ascending
    from enumerator.run.maps.ordered import map_ordered

    asked, plan = read_asked(board, keywords)
    n, seed, own = check_whole("n", n, 0), check_seed(seed), asked.shape
    check_memory(n, own, "a smaller n")
    with asking_with(f"{plural(n, 'solution', '{:,}')} could not be chosen", keywords) as question:
        found = _Solutions(asked, plan, question.watch)
        numbered = sample_index(found.list, found.cores, watch=question.watch)
        drawn: Digits = np.empty((n, own.cells), np.uint8)
        done = 0
        for numbers in draw_numbers(numbered.total, n, seed):
            order = ascending(numbers)
            turns = np.array(order) + done
            with closing(map_ordered(numbered.cells([numbers[turn] for turn in order]), found.cores)) as results:
                for cells in results:
                    some = np.frombuffer(cells, np.uint8).reshape(-1, own.cells)
                    drawn[turns[: len(some)]] = some
                    turns, done = turns[len(some) :], done + len(some)
                    found.report(done, n, "samples")
    return drawn.reshape(n, own.size, own.size)


@sharing(Keywords)
def candidates_array(board: BoardLike, **keywords: Unpack[Keywords]) -> npt.NDArray[Any]:
    """Return the number of solutions with each digit in each cell, as an array of S × S × S numbers.

    `candidates_array(board)[row, column, digit - 1]` is exact. The type is uint64 if all numbers are
    below 2^64; otherwise it is object, and the numbers are of the type int. Raise OutOfTimeError
    after `time_limit` seconds. The keywords are those of `count`.

    >>> en.candidates_array("1234 3412 .... ....")[2, 0]
    array([0, 2, 0, 2], dtype=uint64)
    >>> en.candidates_array("." * 81)[0, 0, 0]
    741211528002341437440
    """
    require_numpy()
    import numpy as np

    from enumerator.api.questions import candidates

    answer = candidates(board, **keywords)
    counts, size = answer.counts, answer.board.shape.size
    kind = np.uint64 if max(map(max, counts)) < 2**64 else object
    return np.array(counts, kind).reshape(size, size, size)


@overload
def solve_array(
    lines: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    return_counts: Literal[False] = False,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
) -> Digits: ...
@overload
def solve_array(
    lines: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    return_counts: Literal[True],
    time_limit: float | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
) -> tuple[Digits, Digits]: ...
def solve_array(
    lines: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    return_counts: bool = False,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
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
    require_numpy()
    import numpy as np

    from enumerator.questions.classify import Classifier, codes_of

    plan = make_batch_plan(time_limit, cores, progress=progress)
    wanted = as_shape(shape)
    chunks = _OneShape(gather(lines, wanted, plan.batch_pacing, "lines"), wanted)
    solutions, codes = bytearray(), array("Q")
    found = codes_of(Classifier(plan, True, time_limit), iter(chunks))
    with asking("the puzzles are not all solved", None, progress) as question, closing(found) as results:
        for some in results:
            codes.extend(some.codes)
            solutions += some.solutions[: len(some.codes) * some.shape.cells]
            question.watch(Progress(boards=len(codes)))
    own = chunks.shape or _shape_of_none(lines)
    counts = np.minimum(np.asarray(codes), NOT_COUNTED).astype(np.uint8)
    counts[counts > 2] = NOT_COUNTED
    solved = np.asarray(memoryview(solutions)).reshape(len(codes), own.size, own.size)
    return (solved, counts) if return_counts else solved


def canonical_array(
    lines: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
) -> Digits:
    """Return the canonical forms of many boards of one shape as an array of n × S × S digits, of type uint8.

    `lines` are as for `solve_array`. Raise ValueError for a board with pencil marks.

    >>> en.canonical_array(["1...............", "...............4"])[:, 3]
    array([[0, 0, 0, 1],
           [0, 0, 0, 1]], dtype=uint8)
    """
    require_numpy()
    import numpy as np

    from enumerator.questions.canonical import find_forms

    plan, wanted = make_batch_plan(None, cores, progress=progress), as_shape(shape)
    blocks = _OneShape(gather(lines, wanted, plan.batch_pacing, "lines"), wanted)
    cells, boards = bytearray(), 0
    with (
        asking("the forms are not all found", None, progress) as question,
        closing(find_forms(iter(blocks), plan)) as results,
    ):
        for forms in results:
            marked = next((at for at, form in enumerate(forms, boards) if form.allowed is not None), None)
            if marked is not None:
                raise ValueError(f"lines[{marked}]: an array of digits cannot hold pencil marks")
            cells += b"".join(form.cells for form in forms)
            boards += len(forms)
            question.watch(Progress(boards=boards))
    own = blocks.shape or _shape_of_none(lines)
    return np.asarray(memoryview(cells)).reshape(boards, own.size, own.size)


def _shape_of_none(lines: object) -> Shape:
    """Return the shape of the boards of which `lines` has none."""
    sides: tuple[int, ...] = getattr(lines, "shape", (0,))[1:]
    own = Shape.of_size(sides[0]) if len(sides) > 1 else Shape.of_cells(sides[0]) if sides else None
    return own or USUAL_SHAPE


class _OneShape:
    """Chunks of boards, which must all have the shape of the first one."""

    def __init__(self, chunks: Iterator[Chunk], shape: Shape | None) -> None:
        self.shape, self._chunks = shape, chunks

    def __iter__(self) -> Iterator[Chunk]:
        number = 0
        for chunk in self._chunks:
            own = chunk.shape
            self.shape = self.shape or own
            if own != self.shape:
                raise ValueError(f"lines[{number}]: a board of {own} boxes among boards of {self.shape} boxes")
            number += chunk.boards
            yield chunk


class _Solutions:
    """The list of a board: its pages and its progress."""

    def __init__(self, board: Board, plan: Plan, watch: Watch) -> None:
        from enumerator.questions.solutions import list_cores, solution_list

        self.shape, self.watch, self._limit = board.shape, watch, plan.limit
        self.list: SolutionList = solution_list(board, plan)
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
        total = build_index(self.list, self.cores, watch=self.watch).total
        room = total if self._limit is None else min(self._limit, total)
        check_memory(room, self.shape, "limit=, or use solutions_arrays()")
        return room

    def report(self, solutions: int, total: int | None, stage: str = "") -> None:
        """Report the number of solutions so far."""
        self.watch(Progress(solutions / total if total else None, solutions, stage, total))


def require_numpy() -> None:
    """Raise ImportError with a sentence that says what to install, if numpy is missing."""
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError("arrays need numpy: install it with pip install 'enumerator[numpy]'") from None
