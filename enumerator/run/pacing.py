"""The tunables of a run: times and sizes.

Every value was chosen by measurement. `python -m bench parallel`, `speedup` and `cutoff` show their
effect. They are part of the plan of a run, so tests and simulations can use other values.

They are named tuples because data classes would add 2 ms to the start of every command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from enumerator.engines import SLICE_SECONDS

if TYPE_CHECKING:
    from enumerator.board import Shape
    from enumerator.engines.interfaces import ListSizes


class Pacing(NamedTuple):
    """The tunables of a run on one board. Times are in seconds."""

    # ------------------------------------------------------------------------ the single-core start

    slice_seconds: float = SLICE_SECONDS
    """The time of one step of a count on one core."""
    alone_seconds: float = 0.05
    """The longest time of the single-core start, before the work is shared among cores."""
    early_product: float = 0.001
    """The single-core start ends early if elapsed time times expected time exceeds this, in s².

    A count of 1 s is shared after 1 ms.
    """
    early_worth: float = 0.1
    """The expected time below which the single-core start does not end early.

    After 1 to 2 ms the expected time is right within a factor of 3.
    """
    seconds_a_byte: float = 1e-6
    """The time by which the single-core start is prolonged for each byte to hand over to workers.

    It keeps the cost of the handover below its gain. Typical totals:

        9×9      0 s
        25×25    0.5 s
        64×64    15 s
    """
    start_factor: float = 1.0
    """The factor of the effort that an engine asks for before its count is shared."""
    promised_seconds: float = 0.2
    """The predicted time above which a count is shared at once, by engines that can predict it."""

    # --------------------------------------------------------------------------- choice of the engine

    overrun_before_switch: float = 4.0
    """The factor by which a count may exceed another engine's prediction before it switches."""
    race_trial_seconds: float = 0.002
    """The first trial of the second engine of a race, of which nothing is known before."""
    race_slice_seconds: float = 0.005
    """The longest step of the second engine of a race."""
    race_share: float = 0.05
    """The time of the challenger of a race, as a share of the time of the leader.

    At first it has the same share of the time that the leader is expected to take.
    """
    race_unsure_share: float = 0.25
    """The same share, if the expectations of course.py contradict each other."""
    race_unsure_seconds: float = 0.2
    """The time of the challenger to which that applies."""
    race_seconds: float = 1.0
    """The most time that the challenger has in advance, by what the leader is expected to take."""
    race_doubt: float = 4.0
    """An engine without progress is expected to take this times as long again as it has taken.

    If the other engine of a race is as good as predicted, the race costs a quarter of its time.
    """
    race_lead: float = 1.2
    """The factor by which the challenger must be faster to take the lead.

    It is twice that after the first trial, and falls with the time of the engine.
    """

    # ------------------------------------------------------------------------------------- the driver

    pool_seconds: float = 1.0
    """The elapsed time after which the driver may start processes."""
    pool_worth: float = 8.0
    """The expected remaining time below which the driver starts no processes. Starting them costs a run 0.3 s."""
    shortest: float = 0.005
    """The shortest time of a task. The first and the last tasks of a run are this short."""
    longest: float = 1.0
    """The longest time of a task."""
    shortest_each: float = 0.00025
    """The shortest time of a task is at least this times the number of tasks in flight.

    Each task costs the driver 36 µs: README.md says when more.
    """
    longest_thread: float = 0.15
    """The longest time of a task in a thread. Threads cannot be killed, so the end of a run waits for it."""
    shortest_recorded: float = 0.05
    """The shortest time of a task on a cluster or with a ledger, where a task costs more."""
    overrun_factor: float = 1.5
    """The factor by which a task may exceed its time before it returns its remaining parts.

    Budgets are in effort, and some nodes are slow.
    """
    tasks_to_come: int = 5
    """A task takes 1 / `tasks_to_come` of the elapsed or of the remaining time, whichever is less.

    `shortest` and `longest` bound it. On two cores, 20 instead of 5 made twice as many tasks, and
    the speed-ups were lower. 3 and 4 did not differ from 5. README.md has the figures.
    """
    seconds_a_thread: float = 0.00025
    """The cost of starting a thread. Beyond sqrt(work / cost) threads, another one slows the run."""
    growth_factor: float = 1.5
    """The driver adds threads if there is work for at least this times as many."""
    recount_cores_seconds: float = 1.0
    """The elapsed time after which the driver determines the exact number of usable cores.

    A container may allow fewer cores than are visible.
    """
    parts_ahead: int = 2
    """The number of waiting parts per core below which the driver divides the largest part."""
    stock_ahead: int = 32
    """The number of parts per core that the driver takes ahead when there is a cut-off.

    Small parts are handed out in bundles, so several wait at a time.
    """
    tasks_ahead: int = 8
    """The stock of small parts is bundled into about this many tasks per worker."""
    stock_bytes: int = 50_000_000
    """The size of the stock, in bytes, above which only its smallest parts are handed out."""
    arrival_seconds: float = 60.0
    """The timeout for processes to start."""
    tick: float = 0.1
    """The longest time between two reports of the driver."""

    # ------------------------------------------------------------------------------------ the cluster

    connect_seconds: float = 10.0
    """The timeout for connecting to a scheduler. A scheduler that this process starts has five times as long."""
    silent_seconds: float = 30.0
    """The timeout for an answer of a connected scheduler. After it, the scheduler is considered lost."""

    # ---------------------------------------------------------------------------- ledgers and lists

    commit_seconds: float = 0.5
    """The time between two commits of a ledger. A commit takes 1 ms of a core, and more of the disk."""
    lock_seconds: float = 0.5
    """The timeout for the lock of a ledger. `--status` holds the lock briefly."""
    synchronous: bool = True
    """True if a ledger waits for the disk at each commit."""
    first_mark_seconds: float = 0.1
    """The time between the first two marks of a resumable list. It grows up to `mark_seconds`."""
    mark_seconds: float = 2.0
    """The longest time between two marks of a resumable list. A resumed list repeats the work since its last mark."""
    sizes: ListSizes | None = None
    """The sizes of the pieces of a list; None: the default sizes."""
    candidate_pieces: int = 16
    """The number of tasks per core into which the counts of a box are split, for candidates."""


class BatchPacing(NamedTuple):
    """The tunables of a run over many boards. Times are in seconds."""

    worth_seconds: float = 2.5
    """The predicted work above which processes are started.

    On two cores, 1.7 s of work take as long with processes as without.
    """
    first_boards: int = 4
    """The number of boards at the start that are not timed, since imports slow them down."""
    probe_boards: int = 16
    """The number of boards after `first_boards` whose time predicts the time of the rest."""
    pipe_seconds: float = 1.0
    """The time after which boards from a pipe are shared among processes. Their number is unknown."""
    process_seconds: float = 0.002
    """The average time per board from which processes are worth more than threads.

    Such boards are counted by the contraction, which prepares its sums under the lock.
    """
    long_seconds: float = 1.0
    """The average time per board above which boards are not shared among processes.

    Each such board keeps all cores busy by itself.
    """
    give_up_seconds: float = 1.0
    """The time after which a process returns a board of a batch. The caller continues it on all cores."""
    chunk_seconds: float = 0.05
    """The work in one message to a process."""
    largest_chunk: int = 1024
    """The largest number of boards in a message."""
    pending_chunks: int = 12
    """The number of chunks per core that are in flight, or done and not yet taken by the caller."""
    read_ahead: int = 65_536
    """The largest number of boards that are read ahead."""
    fill_seconds: float = 0.02
    """The longest time that a chunk waits for more boards."""
    classify_nodes: int | None = None
    """The node budget of a verdict on a board of 81 cells; None: VERDICT_NODES of questions/verdict.py."""
    count_nodes: int = 5_000
    """The nodes, for a board of 81 cells, after which a count leaves its block: 0.8 ms."""
    first_chunk: int = 64
    """The number of boards in the first call of the kernel. Few, so that the first answers are fast."""
    chunk: int = 1_024
    """The largest number of boards in one task: 2 ms of the kernel, whose results fit into the cache.

    With 8,192, the last tasks of 30,000 boards leave one of two cores idle for a third of the time.
    """
    chunk_cells: int = 1 << 20
    """The largest number of cells in one call of the kernel: 8,192 boards of 9×9, 256 of 64×64.

    It bounds the memory of large boards.
    """

    def boards_for(self, shape: Shape) -> int:
        """Return the largest number of boards of a shape in one call of the kernel."""
        return max(1, min(self.chunk, self.chunk_cells // shape.cells))

    def count_nodes_for(self, shape: Shape) -> int:
        """Return the nodes after which a count of a board of a shape leaves its block."""
        return self.count_nodes * 81 // shape.cells


DEFAULT_PACING = Pacing()
DEFAULT_BATCH_PACING = BatchPacing()
