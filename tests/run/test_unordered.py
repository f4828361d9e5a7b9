"""Work on several threads without order: every result, as soon as it is there, and nothing left behind."""

from __future__ import annotations

from threading import Event

import pytest
from support.processes import PATIENCE

from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.run.maps.unordered import map_unordered

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


def halve(number: int) -> tuple[int, list[int]]:
    """Return a number, and both halves of it."""
    return number, [number // 2, number - number // 2] if number > 1 else []


def nothing() -> None:
    """Do nothing."""


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_all_tasks_and_those_that_they_return_are_done(cores: int) -> None:
    done = list(map_unordered(Work(halve, [3, 8]), cores, nothing))
    assert sorted(task for task, _, _ in done) == sorted([3, 1, 2, 1, 1, 8, 4, 4, 2, 2, 2, 2] + 8 * [1])
    assert all((task, left) == (result, halve(task)[1]) for task, result, left in done)


def test_no_result_waits_for_a_task_before_it() -> None:
    others_are_there = Event()

    def work(number: int) -> tuple[int, list[int]]:
        if number == 0:
            assert others_are_there.wait(PATIENCE)
        return number, []

    seen = []
    for task, _, _ in map_unordered(Work(work, range(5)), 2, nothing):
        seen.append(task)
        if len(seen) == 4:
            others_are_there.set()
    assert sorted(seen[:4]) == [1, 2, 3, 4]
    assert seen[4] == 0


def test_the_caller_may_stop_while_tasks_are_at_work() -> None:
    """By an error in `tick`, and by closing the map; an error of a task reaches the caller."""
    is_at_work = Event()

    def work(number: int) -> tuple[int, list[int]]:
        if number == 0:
            raise ZeroDivisionError
        if number == 1:
            return number, []
        is_at_work.set()
        while not is_stopped():
            pass
        raise TaskStoppedError

    def tick() -> None:
        if is_at_work.is_set():
            raise InterruptedError

    with pytest.raises(InterruptedError):
        list(map_unordered(Work(work, [2, 2]), 2, tick))
    results = map_unordered(Work(work, [1, 2]), 2, nothing)
    assert next(results) == (1, 1, [])
    results.close()
    with pytest.raises(ZeroDivisionError):
        list(map_unordered(Work(work, [0, 2]), 2, nothing))
