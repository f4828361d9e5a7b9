"""Interfaces of lists, candidates and probes. Their order does not depend on the number of cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from enumerator.engines.results import Share

if TYPE_CHECKING:
    from random import Random

    from enumerator.engines.jobs import Counting

Task = TypeVar("Task")
Result = TypeVar("Result")


class Work(NamedTuple, Generic[Task, Result]):
    """Tasks in a fixed order.

    `do` returns the result of a task and its follow-up tasks. The follow-up tasks come directly
    after it, before the next one of `tasks`.
    """

    do: Callable[[Task], tuple[Result, list[Task]]]
    tasks: Iterable[Task]


class Place(NamedTuple):
    """A place where a list can be resumed."""

    name: str
    """The place as text, in a format of the list's own."""
    share: Share
    """The estimated share of the list that begins at this place and ends before the next one."""


class Page(NamedTuple):
    """Lines of a list, and the places where the list continues after them."""

    text: bytearray
    """One line of symbols per solution; or the cells of all solutions, concatenated, if asked for."""
    left: Sequence[Place]
    share: float
    """The share of the list that the page has."""
    effort: int | None = None
    """The effort of the page, in the engine's unit; None if unknown."""


class ListSizes(NamedTuple):
    """The sizes of the pieces of a list.

    The order of a list depends on `segment_nodes`, `first_segment_nodes` and `segment_growth`.
    """

    first_page: int = 64
    """The number of solutions on the first page of a contraction's list. Few, so that it is fast."""
    page: int = 12_288
    """The largest number of solutions on a page of a contraction's list.

    A page of 9×9 boards, 1,007,616 bytes, fits into a pipe of 1 MB. With 16,384 solutions the writer
    waits for the reader of a pipe: 1.5 instead of 1.3 s for 1f. Into /dev/null that is 3 % faster.
    """
    span: int = 64
    """The number of items of a contraction that are summed at a time."""
    segment_nodes: int = 4_000_000
    """The most nodes of a segment of a walk, times the cells of the board. A segment takes 10 to 300 ms."""
    first_segment_nodes: int = 500
    """The nodes of the first segment. Few, so that the first solution is found at once."""
    segment_growth: int = 8
    """The factor from the nodes of a segment to the nodes of the segments that it leaves."""


DEFAULT_SIZES = ListSizes()


class SolutionIndex(Protocol):
    """An index of a list: the number of its solutions, and the place of each.

    The caller runs `work` and passes the results to `add`.
    """

    @property
    def work(self) -> Work[Any, Any]: ...
    @property
    def share(self) -> float | None:
        """The share of the work that is done; None if unknown."""
        ...

    @property
    def found(self) -> int | None:
        """The number of solutions found so far; None if it is known only at the end."""
        ...

    @property
    def effort(self) -> int | None:
        """The effort so far, in the engine's unit; None if unknown."""
        ...

    @property
    def total(self) -> int:
        """The number of solutions. Valid when all results have been added."""
        ...

    def add(self, result: Any) -> None:
        """Add a result of `work`. Results are added in order."""
        ...

    def lines(self, numbers: list[int]) -> Work[Any, list[bytes]]:
        """Return the work that produces the lines with these numbers. `numbers` are in ascending order."""
        ...

    def cells(self, numbers: list[int]) -> Work[Any, bytearray]:
        """Return the work that produces the cells of the same solutions, concatenated."""
        ...


class SolutionList(Protocol):
    """The solutions of a board, in an order that depends only on the board and the engine."""

    @property
    def engine(self) -> str: ...
    @property
    def is_short(self) -> bool:
        """True if one core lists all solutions within milliseconds."""
        ...

    @property
    def visits(self) -> bool:
        """True if making the index visits every solution."""
        ...

    @property
    def whole(self) -> Place:
        """The place at the beginning of the list."""
        ...

    def check(self, place: str) -> None:
        """Raise ValueError if `place` is not the name of a place in this list."""
        ...

    def pages(self, places: Sequence[Place], limit: int | None, as_cells: bool = False) -> Work[Any, Page]:
        """Return the work that writes the list from these places on.

        A page may be empty. The pages together may have more than `limit` solutions. With
        `as_cells`, pages have cells, 1 … size, one byte each; without it, lines of text.
        """
        ...

    def index(self) -> SolutionIndex: ...


class CandidateCounter(Protocol):
    """The number of solutions with each digit in each cell.

    The caller runs the work of each round and passes the results to `add`.
    """

    @property
    def share(self) -> float | None: ...
    @property
    def found(self) -> int | None: ...
    @property
    def effort(self) -> int | None: ...
    def rounds(self, pieces: int) -> Iterator[Work[Any, Any]]:
        """Yield rounds of work, to be done one after the other. A round has about `pieces` tasks."""
        ...

    def add(self, result: Any) -> None: ...
    def counts(self) -> list[list[int]]:
        """Return the counts of all digits, cell by cell. Valid when all results have been added."""
        ...


class ClueCounter(Protocol):
    """A counter of the solutions of a board without one of its clues."""

    def short_counts(self) -> tuple[int | None, dict[int, int | None]]:
        """Return the number of solutions of the board, and of those without the clue of each cell.

        It takes milliseconds: None stands for a number that takes longer.
        """
        ...

    def begin(self, cell: int, slice_seconds: float) -> Counting:
        """Begin the count without the clue of a cell, whose steps run for `slice_seconds`."""
        ...


class PopulationEstimate(NamedTuple):
    """The estimates of a population of probes, as natural logarithms; -inf means none."""

    log_solutions: float
    log_nodes: float
    """The nodes of the tree; for an engine with another unit of effort, the effort of a count."""
    effort: int = 0
    """The effort that the population took; 0 if it was not measured."""
    is_blind: bool = False
    """True if all solutions were met without chance, although there was something to be drawn.

    Such populations agree with each other, and say nothing about what all of them have missed.
    """


class ProbeBudget(NamedTuple):
    """The work of an estimate."""

    probes: int
    calls: int | None = None
    """The number of calls of `watch` after which the probes end; None: any number."""


class ProbeTree(Protocol):
    """A tree that can be probed at random, for estimates."""

    @property
    def budget(self) -> ProbeBudget:
        """The work of an estimate of some seconds. It depends on the board only, not on the machine."""
        ...

    def probe(self, number: int, rng: Random, watch: Callable[[], object]) -> PopulationEstimate:
        """Estimate the solutions and the nodes by a population of `number` probes.

        The solutions and nodes, not their logarithms, are right on average. `watch` is called
        often; it may raise an exception to end the probes.
        """
        ...
