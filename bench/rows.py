"""What is measured: a kind of row for each table in `results/`. Nothing in here measures or draws.

Times are in seconds, memory is in MB (10^6 bytes, all processes together, at its peak).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """speedup-ENGINE.csv: one count of one board."""

    board: str
    empty_cells: int
    filling_factor: float
    search_space: int
    solutions: int
    engine: str
    """The one that did it: where `auto` was asked for, it is one of the two."""
    cores: int
    """1: sequential, without the driver."""
    iteration: int
    seconds: float
    nodes: int
    tasks: int
    busy: float
    """The seconds of all tasks together, and those before the first: cores times seconds, if nobody ever waits."""
    pool_seconds: float
    """What the start of a pool of processes, or of a cluster, takes: that is not in the seconds of the count, unless it
    takes some ten, and then the driver's threads are at work meanwhile."""
    memory: float
    walk: float
    """What a short walk takes, always the same one, while each core makes it: cores crowd each other, more or less so
    from hour to hour."""


@dataclass(frozen=True, slots=True)
class Cut:
    """cutoff.csv: one count of one board, split at a cut-off."""

    board: str
    measure: str
    """What a cut-off is compared with: `search space` or `empty cells` of a part."""
    cutoff: int
    default: bool
    """Whether it is the one that the program chooses by itself."""
    budget: bool
    """Whether tasks hand back what they have not visited after a while."""
    cores: int
    iteration: int
    seconds: float
    tasks: int
    longest: float
    """The longest task, in seconds."""
    busy: float


@dataclass(frozen=True, slots=True)
class Scale:
    """scaling.csv: one count of a solved grid from which clues were taken away, one after the other."""

    grid: int
    clues: int
    engine: str
    seconds: float | None
    """None: not within the time limit."""
    solutions: int | None
    memory: float | None


@dataclass(frozen=True, slots=True)
class Piece:
    """tasks.csv.gz: a subtree of a board's tree of guesses. One that was walked in one go has no others below it."""

    board: str
    number: int
    """In the order of the walk: what is below a subtree follows it."""
    parent: int | None
    search_space: float
    share: float
    """Of the board's tree, if all branches of a node had as much below them."""
    solutions: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Cost:
    """costs.csv: what a step of the program costs, besides the walk."""

    step: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """simulated.csv: what the driver would do with so many cores, by the clock of the simulation."""

    board: str
    cores: int
    seconds: float
    sequential: float
    """The measured walk in one go."""
    tasks: int
    busy: float


@dataclass(frozen=True, slots=True)
class Match:
    """peers.csv: a board counted by one of several programs."""

    board: str
    solutions: int
    """As it is known from elsewhere."""
    program: str
    version: str
    iteration: int
    seconds: float | None
    """None: not within the time limit."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """correlation.csv: how two variables of the runs go together."""

    cores: str
    """A number of cores, `all` that were measured, or one that was `simulated`."""
    first: str
    second: str
    pearson: float | None
    """None: one of the two is always the same."""
    spearman: float | None
    runs: int
