"""A portfolio: several counts of the same board, each on a core of its own. The first that ends decides.

For boards with few solutions, and counts that end at a few, by an engine whose counts help each other
while they take different ways. A count that finds many solutions leaves the portfolio, and is divided. So is
one that goes on with another engine, which its rivals do not help.
Dividing such a board into parts fixes decisions that one core would revise: on six hard
25×25 puzzles with one solution, parts on two cores took 1.1 to 1.9 times the steps of one core, and
were 0.7 to 1.7 times as fast. A portfolio was 1.3 to 2.0 times as fast.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread

from enumerator import engines
from enumerator.engines import Counting, Tally
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan

MOST_SOLUTIONS = 100
"""The number of solutions after which a portfolio ends. Each of its counts finds all solutions by itself."""


def portfolio_of(local: LocalCount, plan: Plan) -> Sequence[Counting]:
    """Return the counts to hold a portfolio with; none if the count should be divided into parts."""
    if (plan.limit or 0) > MOST_SOLUTIONS or plan.cluster or plan.cutoff is not None:
        return ()
    if local.tally.solutions > MOST_SOLUTIONS:
        return ()
    cores = plan.effective_cores()
    return engines.get(local.tally.engine).portfolio(local.board, plan.sought, cores - 1) if cores > 1 else ()


def run_portfolio(local: LocalCount, rivals: Sequence[Counting], tick: float) -> Generator[Tally, None, None]:
    """Continue a count together with others, until one of them ends, and yield the state now and then.

    One also ends when it has found more than MOST_SOLUTIONS, or is a race that another engine leads now.
    It becomes the count of `local`. Without any thread there is no portfolio.
    """
    from enumerator.run.workers.threads import start_threads  # on first use: short counts do without

    counts, engine = [local.counting, *rivals], local.tally.engine
    done: SimpleQueue[tuple[Counting, BaseException | None]] = SimpleQueue()
    stop = Event()

    def run(counting: Counting) -> None:
        error = None
        try:
            while not (stop.is_set() or local.is_over(counting) or counting.solutions > MOST_SOLUTIONS):
                if counting.step().engine != engine:
                    break
        except BaseException as raised:  # noqa: BLE001 - it is raised in the thread that waits
            error = raised
        done.put((counting, error))

    threads = start_threads(Thread(target=run, args=(counting,), daemon=True) for counting in counts)
    if not threads:
        return
    counts = counts[: len(threads)]
    try:
        while True:
            try:
                winner, error = done.get(timeout=tick)
            except Empty:
                yield _merge(local, max(counts, key=lambda counting: counting.solutions), counts)
                continue
            if error:
                raise error
            local.end_with(winner, _merge(local, winner, counts))
            yield local.tally
            return
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _merge(local: LocalCount, counting: Counting, counts: Sequence[Counting]) -> Tally:
    """Return the tally of one of the counts, with the work of all, and the most that is found until it is complete."""
    effort, number, tally = sum(each.effort for each in counts), len(counts), counting.tally
    if not tally.complete:
        tally = tally._replace(solutions=max(tally.solutions, *(each.solutions for each in counts)))
    return local.capped(tally)._replace(effort=effort, cores=number, tasks=number)
