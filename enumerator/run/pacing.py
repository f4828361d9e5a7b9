"""The tunables of a run: how long things may take, and how large they may be.

Every value was chosen by measurement; `python -m bench parallel`, `speedup` and `cutoff` show their
effect. A run gets them with its plan, so that tests and simulations can use others.

They are named tuples: as data classes they would add 2 ms to the start of every command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from enumerator.engines import SLICE_SECONDS

if TYPE_CHECKING:
    from enumerator.engines.lists import ListSizes


class Pacing(NamedTuple):
    """The tunables of a run on one board. Times are in seconds."""

    # ------------------------------------------------------------------------ the single-core start

    slice_seconds: float = SLICE_SECONDS
    """The length of a step on one core."""
    alone_seconds: float = 0.05
    """The longest time for which a board is counted on one core before the work is shared."""
    early_product: float = 0.001
    """The work is shared earlier if elapsed time times expected time exceeds this: after 1 ms of 1 s."""
    early_worth: float = 0.1
    """But not if the count is expected to take less. After 1 to 2 ms that is right within a factor of 3."""
    seconds_a_byte: float = 1e-6
    """Added to `alone_seconds` for each byte to be handed over, so that this does not cost more than it brings.

    That is nothing for a 9×9 board, 0.5 s for 25×25, and 15 s for 64×64.
    """
    promised_seconds: float = 0.2
    """A count that promises to take longer than this from the outset is shared at once."""

    # --------------------------------------------------------------------------- choice of the engine

    overrun_before_switch: float = 4.0
    """The factor by which a count may exceed the prediction of another engine before that takes over."""

    # ------------------------------------------------------------------------------------- the driver

    pool_seconds: float = 1.0
    """Processes are started after this time,"""
    pool_worth: float = 8.0
    """if at least this much seems to be left: starting them costs a run 0.3 s."""
    shortest: float = 0.005
    """The shortest time of a task: at first, and near the end."""
    longest: float = 1.0
    """The longest time of a task."""
    shortest_each: float = 0.00025
    """Added to the shortest time for each task in flight: each costs the driver 0.1 ms or more."""
    longest_thread: float = 0.15
    """The longest time of a task in a thread: threads cannot be killed, only waited for."""
    shortest_recorded: float = 0.05
    """The shortest time of a task that goes to a cluster or into a ledger, where it costs more."""
    overrun_factor: float = 1.5
    """A task that exceeds its time by this factor hands back what is left: some nodes are slow."""
    tasks_to_come: int = 5
    """A task takes this part of the elapsed time, or of the time left, within the bounds above.

    On two cores, 20 instead of 5 made twice as many tasks; speed-ups of 1d, 2d, 1e, 2e, 1f were 1.74,
    1.75, 1.82, 1.91, 1.90 instead of 1.78, 1.83, 1.91, 1.95, 1.97. 3 and 4 did not differ from 5.
    """
    seconds_a_thread: float = 0.00025
    """The cost of starting a thread: beyond sqrt(work / cost) threads, another one slows the run."""
    growth_factor: float = 1.5
    """Threads are added if there is work for this many times as many."""
    recount_cores_seconds: float = 1.0
    """The exact number of cores is found out after this time: it takes 45 ms, and the interpreter's lock.

    A container may allow fewer cores than are visible.
    """
    parts_ahead: int = 2
    """The largest parts are divided if fewer than this wait for each core."""
    stock_ahead: int = 32
    """Parts for each core that are taken from those that a cut-off makes: small ones go in bundles."""
    tasks_ahead: int = 8
    """A stock is cut into this many tasks a worker, or more."""
    stock_bytes: int = 50_000_000
    """A stock of more than this many bytes hands out its smallest parts first."""
    arrival_seconds: float = 60.0
    """The longest time that processes may take to start."""
    tick: float = 0.1
    """The driver reports at least this often."""

    # ------------------------------------------------------------------------------------ the cluster

    connect_seconds: float = 10.0
    """The longest time for a scheduler to answer at first; one that is started here has five times as long."""
    silent_seconds: float = 30.0
    """A scheduler that is silent for longer is lost."""

    # ---------------------------------------------------------------------------- ledgers and lists

    commit_seconds: float = 0.5
    """The time between two commits of a ledger: each takes 1 ms of the processor, and more of the disk."""
    lock_seconds: float = 0.5
    """The longest wait for the lock of a ledger: `--status` holds it for a moment."""
    synchronous: bool = True
    """A ledger waits for the disk at each commit."""
    first_mark_seconds: float = 0.1
    """The time between two marks of a list that can be resumed, at first."""
    mark_seconds: float = 2.0
    """The same, later: what is behind the last mark is written again."""
    sizes: ListSizes | None = None
    """The sizes of the pieces of a list; None: the usual ones."""
    candidate_pieces: int = 16
    """Pieces for each core in which a box is counted for candidates."""


class BatchPacing(NamedTuple):
    """The tunables of a run over many boards. Times are in seconds."""

    worth_seconds: float = 2.5
    """Work that must wait for processes to be started: on two cores, 1.7 s take as long with them."""
    first_boards: int = 4
    """Boards at the beginning that say nothing of the others: modules are imported for them."""
    probe_boards: int = 16
    """Boards behind the first ones by which the time of the others is predicted."""
    pipe_seconds: float = 1.0
    """Boards from a pipe, whose number is unknown, are shared among processes after this time."""
    long_seconds: float = 1.0
    """Boards that take longer on average are not: each of them keeps all cores busy."""
    give_up_seconds: float = 1.0
    """A board of a batch that takes longer is handed back, to be continued on all cores."""
    chunk_seconds: float = 0.05
    """The time of a message to a process."""
    largest_chunk: int = 1024
    """The most boards in a message."""
    pending_chunks: int = 12
    """Chunks for each core that are handed out, or done and not asked for yet."""
    read_ahead: int = 65_536
    """Boards that are read before they are asked for."""
    fill_seconds: float = 0.02
    """The longest time that a chunk waits to be filled."""
    classify_nodes: int = 100_000
    """Nodes, for a board of 81 cells, that the kernel may visit before a board is set aside: 20 ms."""
    first_chunk: int = 64
    """Boards that are classified in the first call of the kernel: few, so that answers come at once."""
    chunk: int = 8_192
    """Boards that are classified in one call later: a thread seldom waits for Python's lock then."""


DEFAULT_PACING = Pacing()
DEFAULT_BATCH_PACING = BatchPacing()
