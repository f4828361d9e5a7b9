"""A count from its beginning to its end: on one core, then on many. A ledger makes it resumable."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Job, Part, PartResult, Share, Tally
from enumerator.run.chooser import EngineChooser
from enumerator.run.local import LocalCount, PartialCount
from enumerator.run.plan import Plan
from enumerator.run.portfolio import portfolio_of, run_portfolio
from enumerator.run.signals import deferred_signals

if TYPE_CHECKING:
    from enumerator.run.challenge import Challenge
    from enumerator.run.ledger.ledger import Ledger


def tallies(
    board: Board,
    plan: Plan | None = None,
    start: PartialCount | None = None,
    ledger: Ledger | None = None,
    local: LocalCount | None = None,
) -> Generator[Tally, None, None]:
    """Count the solutions of a board, and yield the state several times per second.

    The last tally is the answer. `start` is a count to continue, and `local` is a count that was
    started on one core. With a ledger, every part is recorded, and the parts recorded by an earlier
    run are resumed.
    """
    plan = plan or Plan()
    chooser = None
    if start is None and not (ledger and ledger.engine):
        local = local or LocalCount(board, plan)
        if ledger is None:
            start = yield from _count_locally(local, plan, False)
        else:
            start = yield from _count_recorded(local, plan, ledger)
        if start is None:
            return
        chooser = local.chooser
    if ledger:
        start = resume(ledger, _job(board, plan, ledger.engine)) if start is None else enter(ledger, board, plan, start)
    if start is None:
        raise RuntimeError("a count was not started")
    yield from _share(board, plan, start, chooser or EngineChooser(board, plan), ledger)


def _count_locally(local: LocalCount, plan: Plan, is_recorded: bool) -> Generator[Tally, None, PartialCount | None]:
    """Count on one core. Return the rest if it is worth sharing, or if the count is recorded."""
    may_share = plan.cores != 1 or plan.cluster or is_recorded
    while True:
        with deferred_signals() if is_recorded else nullcontext():
            tally = local.step()
        if local.finished:
            if is_recorded:
                return local.leave()
            yield tally
            return None
        yield tally
        if may_share and local.takes_long:
            if not is_recorded and (rivals := portfolio_of(local, plan)):
                began = perf_counter()
                try:
                    yield from run_portfolio(local, rivals, plan.pacing.tick)
                finally:
                    if plan.observer:
                        plan.observer.on_portfolio(len(rivals) + 1, began)
            return None if local.finished else local.hand_over()


def _count_recorded(local: LocalCount, plan: Plan, ledger: Ledger) -> Generator[Tally, None, PartialCount | None]:
    """Count on one core until the driver takes over. If the count ends before, record what is done and left."""
    try:
        return (yield from _count_locally(local, plan, True))
    except (GeneratorExit, KeyboardInterrupt):  # signals arrive between two steps: nothing is counted half
        with deferred_signals():
            enter(ledger, local.board, plan, local.leave())
        raise


def _share(
    board: Board, plan: Plan, start: PartialCount, chooser: EngineChooser, ledger: Ledger | None
) -> Generator[Tally, None, None]:
    """Count on many cores, and go on with another engine when the chooser or the race says so."""
    from enumerator.run.driver import Driver

    began, lead = perf_counter() - start.seconds, plan.pacing.race_lead
    while True:
        better = None
        if ledger:  # two engines must not begin anew in turn for ever
            plan = plan._replace(pacing=plan.pacing._replace(race_lead=lead * 2**ledger.changes))
        job = _job(board, plan, start.tally.engine, ledger is not None)
        if not start.challenge:
            start = start._replace(challenge=_challenge(board, plan, start))
        driver = Driver(job, plan, start, ledger, observer=plan.observer)
        with closing(driver.run()) as counting:
            for tally in counting:
                yield tally
                if not (tally.complete or driver.exceeds_limit) and (better := chooser.better(tally)):
                    break
        seconds = perf_counter() - began
        if better:
            fresh = better.begin(board, plan.sought, tally, plan.pacing.slice_seconds)
            start = PartialCount(fresh.tally, fresh.solutions, fresh.parts(), seconds, fresh.rate, fresh.effort)
        elif driver.is_passed:
            start = _exchange(job, plan, start, driver.leave(), seconds, ledger)
            if ledger:
                ledger.note(changes=str(ledger.changes + 1))
        else:
            return
        if ledger:
            with deferred_signals():
                start = enter(ledger, board, plan, start)


def _challenge(board: Board, plan: Plan, start: PartialCount) -> Challenge | None:
    """Return the challenge to a count that comes without one: it was resumed, or started elsewhere."""
    if plan.engine != engines.AUTO or plan.cluster or plan.cutoff is not None or engines.racer(board) is None:
        return None
    from enumerator.run.challenge import challenge_anew

    return challenge_anew(board, plan, start)


def _exchange(
    job: Job, plan: Plan, start: PartialCount, left: PartialCount, seconds: float, ledger: Ledger | None
) -> PartialCount:
    """Return the count of the engine that has passed the other one, which may challenge it again.

    With a ledger, the other one begins anew then: a ledger starts with a count from the beginning.
    """
    from enumerator.run.challenge import challenge_back

    challenge = start.challenge
    if challenge is None:
        raise RuntimeError("a count was passed without a challenge")
    taken = challenge.take_over(left, seconds)
    return taken if ledger else taken._replace(challenge=challenge_back(challenge, job, left, plan))


def _job(board: Board, plan: Plan, engine: str, recorded: bool = True) -> Job:
    return engines.get(engine).job(board, plan.cutoff, plan.limit is not None, recorded)


def enter(ledger: Ledger, board: Board, plan: Plan, start: PartialCount) -> PartialCount:
    """Record a partial count in a ledger, and return it with the rows of its parts."""
    from enumerator.engines.shares import WHOLE, exact_shares

    job = _job(board, plan, start.tally.engine)
    result = PartResult(start.solutions, start.effort, start.seconds, [])
    shares = exact_shares(WHOLE, [(load, share) for load, share, *_ in start.parts])
    left = [Part(0, load, share) for load, share in shares]  # no ledger holds sizes, which take long on large boards
    entered = ledger.close_part(ledger.begin(job, job.whole(board)), result, left)
    ledger.commit(last=True)
    return start._replace(parts=_recorded(entered))


def resume(ledger: Ledger, job: Job) -> PartialCount:
    """Return the partial count that a ledger records."""
    known, engine = ledger.contents.totals, engines.get(ledger.engine)
    nodes = known.effort if engine.effort == "nodes" else 0
    tally = Tally(known.solutions, nodes, share=float(known.share), engine=engine.name, effort=known.effort)
    rate = known.effort / known.worked if known.effort and known.worked else engine.cautious_rate
    parts = _recorded(ledger.parts(job))
    return PartialCount(tally, known.solutions, parts, ledger.contents.seconds, rate, known.effort)


def _recorded(parts: list[Part]) -> list[tuple[bytes, Share, int]]:
    """Return the parts of a ledger for a partial count."""
    from enumerator.engines.shares import to_pair

    return [(part.load, to_pair(part.share), part.row) for part in parts]
