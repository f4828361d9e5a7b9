"""A kind of row for each table in `results/`. Nothing in here measures or draws.

Times are in seconds. Memory is in MB (10^6 bytes): the peaks of all processes together.
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
    """The engine that counted: for `auto`, the one that was chosen."""
    cores: int
    """1: sequential, without the driver."""
    iteration: int
    seconds: float
    nodes: int
    tasks: int
    busy: float
    """Seconds of the single-core start and of all tasks: cores × seconds if no worker waits."""
    pool_seconds: float
    """Start of a pool of processes, or of a cluster. It is not part of `seconds`, except in runs of
    some ten seconds, where the driver's threads work meanwhile."""
    memory: float
    walk: float
    """A short walk, always the same, made on all these cores at once. It shows how much cores slow
    each other down, which varies from hour to hour."""


@dataclass(frozen=True, slots=True)
class Cut:
    """cutoff.csv: one count of one board, split at a cut-off."""

    board: str
    measure: str
    """The size of a part that the cut-off applies to: `search space` or `empty cells`."""
    cutoff: int
    default: bool
    """True for the program's own choice, no cut-off."""
    budget: bool
    """True if tasks hand back unvisited parts when their budget is spent."""
    cores: int
    iteration: int
    seconds: float
    tasks: int
    longest: float
    """The longest task, in seconds."""
    busy: float


@dataclass(frozen=True, slots=True)
class Scale:
    """scaling.csv: one count of a solved grid from which clues were taken away in turn."""

    grid: int
    clues: int
    engine: str
    seconds: float | None
    """None: not within the time limit."""
    solutions: int | None
    memory: float | None


@dataclass(frozen=True, slots=True)
class Piece:
    """tasks.csv.gz: a subtree of a board's tree of guesses.

    One that was walked in one go has no others below it.
    """

    board: str
    number: int
    """Its place in the order of the walk: the subtrees below it follow it."""
    parent: int | None
    search_space: float
    share: float
    """Its share of the board's tree, if all branches of a node had as much below them."""
    solutions: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Cost:
    """costs.csv: the seconds of a step of the program, besides the walk."""

    step: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """simulated.csv: a count by the driver on `cores` simulated cores."""

    board: str
    cores: int
    seconds: float
    sequential: float
    """The measured walk in one go."""
    tasks: int
    busy: float


@dataclass(frozen=True, slots=True)
class Grouped:
    """groups.csv: a count on `cores` simulated cores, by one driver or by drivers of groups of workers."""

    board: str
    cores: int
    size: int
    """The workers of a group; 0: one driver for all, the real one."""
    seconds: float
    sequential: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """timeline.csv.gz: a time in which a worker was at work, on one task or on several with short gaps between."""

    board: str
    setting: str
    """The way in which the board was divided."""
    cores: int
    is_simulated: bool
    total: float
    """The time of the whole count."""
    worker: int
    """0: the beginning on one core."""
    began: float
    ended: float
    busy: float
    """The time at work between both."""
    tasks: int


@dataclass(frozen=True, slots=True)
class Branch:
    """tree.csv.gz: a subtree of the first levels of a board, or what a worker has walked in all."""

    board: str
    setting: str
    """The way in which the board was divided among the workers."""
    cores: int
    time: float
    """The time of the count, as a multiple of that of a perfect division."""
    level: int
    """The number of guesses above the subtree; -1: all that a worker has walked."""
    before: float
    """The nodes to the left of it, as a share of those of the board."""
    share: float
    """Its nodes, as a share of those of the board."""
    worker: int
    """The worker that has walked it; -1: several."""


@dataclass(frozen=True, slots=True)
class Match:
    """peers.csv: a board counted by one of several programs."""

    board: str
    solutions: int
    """The number known from elsewhere."""
    program: str
    version: str
    iteration: int
    seconds: float | None
    """None: not within the time limit."""


@dataclass(frozen=True, slots=True)
class Regret:
    """regret.csv: a rearrangement of a board counted by `auto`, or by an engine alone."""

    board: str
    rearrangement: int
    """0: the board itself."""
    cores: int
    engine: str
    """As requested."""
    chosen: str
    """The engine that counted: for `auto`, the one that was chosen."""
    solutions: int
    is_complete: bool
    """False: the engine was left, since `auto` had beaten it, or at the time limit."""
    seconds: float
    cpu: float
    """The processor time of all its processes."""
    effort: int


@dataclass(frozen=True, slots=True)
class Large:
    """large.csv: one or several boards beyond 9×9, decided or counted by one of several programs."""

    section: str
    board: str
    question: str
    """`verdict` (none, one or several solutions) or `count`."""
    program: str
    """One of our engines, followed by × and its cores if there are several; or the name of another program."""
    version: str
    iteration: int
    answer: str
    """The solutions, as numbers; for a verdict 2 means several. If `is_complete` is False, those found so far."""
    is_complete: bool
    """False: not within the time limit."""
    seconds: float
    cpu: float | None
    """The processor time of all its processes; None if it was killed."""
    memory: float


@dataclass(frozen=True, slots=True)
class Correlation:
    """correlation.csv: the correlation of two variables of the runs, with 95 % intervals."""

    boards: str
    """The set of boards: `ours` or `published`."""
    cores: str
    """A number of cores, `all` measured ones above 1, or a number followed by `simulated`."""
    first: str
    second: str
    pearson: float | None
    """None: one of the two is constant."""
    pearson_low: float | None
    """None: fewer than four runs."""
    pearson_high: float | None
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    runs: int
