"""Interfaces of lists, candidates and probes: work in a fixed order, whatever the number of cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from random import Random

Task = TypeVar("Task")
Result = TypeVar("Result")


class Work(NamedTuple, Generic[Task, Result]):
    """Tasks in a fixed order.

    `do` returns a task's result and the tasks that it leaves: they come next, before those behind it.
    """

    do: Callable[[Task], tuple[Result, list[Task]]]
    tasks: Iterable[Task]


class Place(NamedTuple):
    """A place where a list can be resumed, by a name of the list's own, and the share of the list behind it."""

    name: str
    share: float


class Page(NamedTuple):
    """Lines of a list, and the places at which it is resumed behind them."""

    text: bytearray
    left: list[Place]


class ListSizes(NamedTuple):
    """Sizes of the pieces of a list. The order of a list depends on `segment_nodes` and the two after it."""

    first_page: int = 64
    """Solutions on the first page of a list by contraction: few, so that they are there at once."""
    page: int = 16_384
    """The largest number of solutions on a page."""
    span: int = 64
    """Items of a contraction whose sums are worked out at a time."""
    segment_nodes: int = 4_000_000
    """Nodes of a segment of a walk, times the cells of the board: 10 to 300 ms."""
    first_segment_nodes: int = 500
    """Nodes of the first segment, so that the first solution is there at once."""
    segment_growth: int = 8
    """The factor between the nodes of a segment and of those that it leaves."""


DEFAULT_SIZES = ListSizes()


class SolutionIndex(Protocol):
    """The number of solutions of a list and the place of each, filled by the results of its work."""

    @property
    def work(self) -> Work[Any, Any]: ...
    @property
    def share(self) -> float | None:
        """The share that is known; None if that cannot be told."""
        ...

    @property
    def found(self) -> int | None:
        """Solutions known so far; None if they are known at the end only."""
        ...

    @property
    def total(self) -> int:
        """The number of solutions, when all results were added."""
        ...

    def add(self, result: Any) -> None:
        """Take a result of `work`, in order."""
        ...

    def lines(self, numbers: list[int]) -> Work[Any, list[bytes]]:
        """Return the work that gives the lines with these numbers, in ascending order."""
        ...


class SolutionList(Protocol):
    """The solutions of a board in an order that follows from the board and the engine alone."""

    @property
    def engine(self) -> str: ...
    @property
    def is_short(self) -> bool:
        """Tell if one core lists it in a moment."""
        ...

    @property
    def visits(self) -> bool:
        """Tell if its index is made by visiting every solution."""
        ...

    @property
    def whole(self) -> Place:
        """The place at the beginning."""
        ...

    def check(self, place: str) -> None:
        """Raise ValueError for a text that is not the name of a place."""
        ...

    def pages(self, places: Sequence[Place], limit: int | None) -> Work[Any, Page]:
        """Return the work that writes what is behind some places; pages may have no lines, or too many."""
        ...

    def index(self) -> SolutionIndex: ...


class CandidateCounter(Protocol):
    """The number of solutions with each digit in each cell, filled by the results of its work."""

    @property
    def share(self) -> float | None: ...
    @property
    def found(self) -> int | None: ...
    def rounds(self, pieces: int) -> Iterator[Work[Any, Sequence[int]]]:
        """Return works to be done one after the other, in about `pieces` tasks each."""
        ...

    def add(self, result: Sequence[int]) -> None: ...
    def counts(self) -> list[list[int]]:
        """Return the counts of all digits, cell by cell, when all results were added."""
        ...


class ProbeTree(Protocol):
    """A tree that can be probed at random, for estimates."""

    def strata(self, number: int) -> list[bytes]:
        """Split the tree into about `number` parts."""
        ...

    def probe(self, load: bytes, rng: Random, most_nodes: float) -> tuple[float, float]:
        """Walk down at random, and return the solutions and nodes of the part if all of it were like this way.

        Stop early, with more than `most_nodes`, where the tree is larger than that.
        """
        ...
