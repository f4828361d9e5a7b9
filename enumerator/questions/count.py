"""The number of solutions of a board. After a time limit, a lower bound and an estimate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.engines import NOTHING
from enumerator.questions.ask import carrying
from enumerator.questions.count_answer import CountAnswer as CountAnswer
from enumerator.questions.count_answer import EarlierRuns, make_answer
from enumerator.run.counting import tallies
from enumerator.run.endings import Stopped
from enumerator.run.local import LocalCount, PartialCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Progress, Watch, no_progress

if TYPE_CHECKING:
    from threading import Event

    from enumerator.engines.board_blocks import StartedCount
    from enumerator.questions.intervals import Interval
    from enumerator.questions.verify import Verification
    from enumerator.run.ledger import Ledger

COUNT_SHARE = 0.8
"""The share of a time limit for counting. The rest is for an estimate."""

HOPELESS_SHARE = 0.01
"""The share of the work that a count must have done after half of its time.

Otherwise it ends then, to leave more time for an estimate.
"""

LEAST_ESTIMATE_SECONDS = 0.05
"""The least time of an estimate, even if the time limit has passed."""


WATCH_SECONDS = 0.1
"""The time between two reports of the progress during an estimate, which has none of its own."""


def count(
    board: Board,
    plan: Plan,
    *,
    time_limit: float | None = None,
    verify: bool = False,
    start: PartialCount | LocalCount | None = None,
    ledger: Ledger | None = None,
    watch: Watch = no_progress,
) -> CountAnswer:
    """Count the solutions of a board, within `time_limit` seconds.

    `start` is a count to continue, and `ledger` records the count, so that it can be resumed. With
    `verify`, the board is counted again by another method. Errors that end the count have the partial
    answer in `answer`.
    """
    counting = _Count(board, plan, time_limit, start, ledger)
    with carrying(counting.answer):
        counting.run(watch)
        counting.estimate_rest(watch)
        if verify and counting.tally.complete:
            from enumerator.questions.verify import verify as verify_count

            tally = counting.tally
            alone = plan._replace(observer=None)  # a trace is of the first count
            with counting.stage("verification"):
                counting.verification = verify_count(board, tally.engine, tally.solutions, alone, watch)
    return counting.answer()


def with_solution(answer: CountAnswer, plan: Plan) -> CountAnswer:
    """Return the answer with the solution of its board, if that is unique.

    Finding it takes no longer than the count, or 50 ms; otherwise the answer remains without it.
    """
    if answer.verdict != "unique" or answer.solution:
        return answer
    from enumerator.questions.verdict import find_solution

    return answer._replace(solution=find_solution(answer.board, plan, answer.seconds))


def keep_solution(answer: CountAnswer, local: LocalCount) -> CountAnswer:
    """Return the answer with the solution of its board, if the count has kept it."""
    kept = local.kept
    return answer._replace(solution=kept[0]) if kept else answer


def try_count(
    board: Board, plan: Plan, stop: Event | None = None, started_count: StartedCount | None = None
) -> CountAnswer | PartialCount:
    """Count a board on one core; return a partial count after `give_up_seconds`.

    A `started_count` is continued. Raise Stopped soon after `stop` is set.
    """
    local = LocalCount(board, plan, started_count.counting if started_count else None)
    local.started -= started_count.seconds if started_count else 0.0
    local.step()
    while not local.finished and local.seconds < plan.batch_pacing.give_up_seconds:
        if stop and stop.is_set():
            raise Stopped
        local.step()
    return make_answer(board, local.tally, local.seconds, plan) if local.finished else local.leave()


def worker_plan(plan: Plan, time_limit: float | None = None) -> Plan:
    """Return the fields of a plan that a worker needs to count the boards of a batch.

    The worker returns a board before half of its time for counting has passed.
    """
    pacing = plan.batch_pacing
    if time_limit is not None:
        give_up_seconds = min(pacing.give_up_seconds, time_limit * COUNT_SHARE / 2)
        pacing = pacing._replace(give_up_seconds=give_up_seconds)
    return Plan(plan.cores, plan.limit, engine=plan.engine, pacing=plan.pacing, batch_pacing=pacing)


class _Count:
    """A count in progress."""

    def __init__(
        self,
        board: Board,
        plan: Plan,
        time_limit: float | None,
        start: PartialCount | LocalCount | None,
        ledger: Ledger | None,
    ) -> None:
        self.board, self.plan, self.time_limit, self.ledger = board, plan, time_limit, ledger
        self.local = start if isinstance(start, LocalCount) else None
        self.start = None if isinstance(start, LocalCount) else start
        self.tally = start.tally if start else NOTHING
        self.started = perf_counter() - (start.seconds if start else 0.0)
        if plan.observer:
            plan.observer.on_begin(self.started)
        self.seconds: float | None = None
        """The time of the count; None until it has ended."""
        self.before: EarlierRuns | None = None
        if ledger and not ledger.is_new:
            self.before = EarlierRuns(ledger.contents.totals.finished, ledger.contents.seconds)
        self.known = Progress()
        """The progress when it was last told."""
        self.estimate: Interval | None = None
        self.verification: Verification | None = None
        self.is_late = False

    def _deadline(self, share: float) -> float | None:
        return None if self.time_limit is None else self.started + share * self.time_limit

    def run(self, watch: Watch) -> None:
        local = self.local
        if self.start is None and self.ledger is None and local is None:  # most boards need only one step
            local = self.local = LocalCount(self.board, self.plan)
            self.tally = local.step()
            if local.finished:
                return
        deadline, review = self._deadline(COUNT_SHARE), self._deadline(COUNT_SHARE / 2)
        meter = Meter()
        with closing(tallies(self.board, self.plan, self.start, self.ledger, local)) as counting:
            for self.tally in counting:
                tally = self.tally
                if tally.complete:
                    continue
                self.known = meter.read_tally(tally)
                watch(self.known)
                end = review if tally.share < HOPELESS_SHARE else deadline
                if end is not None and perf_counter() > end:
                    self.is_late = True
                    break

    def estimate_rest(self, watch: Watch) -> None:
        """Estimate the number of solutions, if the time limit has ended the count."""
        if not self.tally.complete and self.tally.solutions != self.plan.limit:
            with self.stage("estimate"):
                self.estimate = self._estimate(watch)
        self.seconds = perf_counter() - self.started

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Show the observer that something is done in this block after the count."""
        began = perf_counter()
        try:
            yield
        finally:
            if self.plan.observer:
                self.plan.observer.on_stage(name, began)

    def _estimate(self, watch: Watch) -> Interval:
        from enumerator.questions.estimate import estimates

        left = self.started + (self.time_limit or 0) - perf_counter()
        told = perf_counter()

        def report() -> None:
            nonlocal told
            if perf_counter() - told > WATCH_SECONDS:
                told = perf_counter()
                watch(self.known)

        *_, best = estimates(self.board, max(LEAST_ESTIMATE_SECONDS, left), watch=report)
        return best.solutions.at_least(self.tally.solutions)

    def answer(self) -> CountAnswer:
        seconds = perf_counter() - self.started if self.seconds is None else self.seconds
        answer = make_answer(self.board, self.tally, seconds, self.plan, self.estimate, self.before, self.verification)
        if answer.verdict == "unique" and self.local and self.local.finished:
            answer = keep_solution(answer, self.local)
        return answer._replace(ended="time limit") if self.is_late and answer.ended == "stopped" else answer
