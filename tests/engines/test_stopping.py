"""Tasks that end early: walks and sums in a thread whose caller does not want the result any more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import Event
from typing import Any

import pytest
from support.boards import board
from support.pigeons import pigeon_board
from support.runs import left_of

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import MOST
from enumerator.engines.stopping import TaskStoppedError, is_stopped, run_until
from enumerator.engines.walks.segments import Segment, walk_segment

PATIENCE_SECONDS = 20
"""The time after which a task is taken to run forever. It takes 0.02 s, and more where the machine is busy."""


def test_a_task_knows_the_event_of_its_own_thread() -> None:
    stop, other = Event(), Event()
    other.set()
    assert not is_stopped()
    assert not run_until(stop, is_stopped)
    assert run_until(other, is_stopped)
    assert run_until(stop, lambda: (run_until(other, is_stopped), is_stopped())) == (True, False)
    with ThreadPoolExecutor(1) as pool:
        assert run_until(other, lambda: pool.submit(is_stopped).result()) is False
    assert not is_stopped()


def test_an_error_leaves_no_event_behind() -> None:
    stop = Event()
    stop.set()
    with pytest.raises(ZeroDivisionError):
        run_until(stop, divmod, 1, 0)
    assert not is_stopped()


def stop_at_work(task: Any, *arguments: Any) -> Any:
    """Run a task in a thread, stop it when it is at work, and return its result."""
    stop, begun = Event(), Event()

    def work() -> Any:
        begun.set()
        return task(*arguments)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run_until, stop, work)
        assert begun.wait(PATIENCE_SECONDS)
        stop.set()
        return future.result(PATIENCE_SECONDS)


@pytest.mark.parametrize("name", ["search", "learning"])
def test_a_walk_without_end_ends_when_it_is_stopped(name: str) -> None:
    hard = pigeon_board()
    result = stop_at_work(engines.get(name).job(hard).work, [hard.cells], MOST, MOST, inf)
    assert result.solutions == 0
    assert not result.parts or result.parts[0].rest  # it has no solution, but that is not proven


@pytest.mark.parametrize("name", ["search", "learning"])
def test_a_segment_without_end_has_no_result_when_it_is_stopped(name: str) -> None:
    hard, start = pigeon_board(), engines.get(name).walk_cells  # type: ignore[attr-defined]
    with pytest.raises(TaskStoppedError):
        stop_at_work(walk_segment, start, Segment(hard.cells, MOST), hard.shape)


@pytest.mark.parametrize("name", ["search", "learning", "contraction"])
def test_a_task_that_is_stopped_leaves_the_rest(name: str) -> None:
    """What a stopped task has found, and what is left of it, are all solutions."""
    whole = board("1c")
    engine, stop = engines.get(name), Event()
    job = engine.job(whole)
    stop.set()
    load = job.whole(whole)
    stopped = run_until(stop, job.work, [load], MOST, MOST, inf)
    found, left = stopped.solutions, left_of([load], stopped)
    assert left
    while left:
        result = job.work(left, 10_000_000, MOST, inf)
        found, left = found + result.solutions, left_of(left, result)
    assert found == engines.get("search").count(Board.from_cells(whole.shape, whole.cells))
