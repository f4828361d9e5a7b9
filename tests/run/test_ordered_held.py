"""The ordered map where one task takes longer: the results behind it are held, and work goes on."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from time import sleep
from typing import NamedTuple

import pytest
from support.processes import wait_for

from enumerator.engines.interfaces import Work
from enumerator.run.maps.ordered import HELD_SIZE, HELD_TASKS, TASKS_AHEAD, map_growing, map_ordered

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


class Tree(NamedTuple):
    """A task, and those that it leaves behind."""

    name: str
    below: list[Tree]


def blocked_first(go_on: threading.Event, done: list[int]) -> Callable[[int], tuple[int, list[int]]]:
    """Return work of which the task 0 takes until an event is set."""

    def work(task: int) -> tuple[int, list[int]]:
        if task == 0:
            assert go_on.wait(20)
        else:
            done.append(task)
        return task, []

    return work


@pytest.mark.parametrize("cores", [2, 3])
def test_work_goes_on_beside_a_task_that_takes_longer(cores: int) -> None:
    go_on, done, ticks = threading.Event(), list[int](), 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if len(done) == 500:
            go_on.set()

    tasks = Work(blocked_first(go_on, done), range(501))
    assert list(map_ordered(tasks, cores, size=lambda _: 1, tick=tick)) == list(range(501))
    assert ticks


@pytest.mark.parametrize(("size", "most"), [(1, HELD_TASKS), (HELD_SIZE // 100, 100)], ids=["tasks", "bytes"])
def test_no_more_results_are_held_than_there_is_room_for(size: int, most: int) -> None:
    go_on, done = threading.Event(), list[int]()
    results = map_ordered(Work(blocked_first(go_on, done), count()), 2, size=lambda _: size, tick=lambda: None)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(next, results)
        assert wait_for(lambda: len(done) >= most)
        sleep(0.1)
        assert len(done) <= most + 2 * TASKS_AHEAD * 2
        go_on.set()
        assert first.result(20) == 0
    assert list(islice(results, 2 * most)) == list(range(1, 2 * most + 1))
    results.close()


def test_a_task_is_not_kept_when_it_is_done() -> None:
    """Only results are held: the tasks, which are larger, are freed."""

    class Large:
        pass

    go_on, kept = threading.Event(), list[weakref.ref[Large]]()

    def work(task: tuple[int, Large]) -> tuple[int, list[tuple[int, Large]]]:
        assert task[0] or go_on.wait(20)
        return task[0], []

    def tasks() -> Iterator[tuple[int, Large]]:
        for number in range(100):
            large = Large()
            kept.append(weakref.ref(large))
            yield number, large
            del large

    def tick() -> None:
        if len(kept) == 100 and sum(one() is not None for one in kept) <= 2 * TASKS_AHEAD:
            go_on.set()

    assert list(map_ordered(Work(work, tasks()), 2, size=lambda _: 1, tick=tick)) == list(range(100))


def test_threads_start_when_a_task_leaves_others_behind() -> None:
    threads: dict[str, bool] = {}
    trees = [Tree("a", []), Tree("b", []), Tree("c", [Tree("c.a", []), Tree("c.b", [])]), Tree("d", [])]

    def work(tree: Tree) -> tuple[str, list[Tree]]:
        threads[tree.name] = threading.current_thread() is threading.main_thread()
        return tree.name, tree.below

    asked: list[int] = []

    def cores() -> int:
        asked.append(2)
        return 2

    found = map_growing(Work(work, trees), cores)
    assert list(islice(found, 2)) == ["a", "b"]
    assert not asked
    assert list(found) == ["c", "c.a", "c.b", "d"]
    assert threads == {"a": True, "b": True, "c": True, "c.a": False, "c.b": False, "d": False}
    assert asked == [2]


def test_one_core_has_a_thread_of_its_own_where_progress_is_shown() -> None:
    ticks: list[bool] = []
    go_on = threading.Event()

    def tick() -> None:
        ticks.append(threading.current_thread() is threading.main_thread())
        go_on.set()

    results = map_ordered(Work(blocked_first(go_on, []), range(10)), 1, tick=tick)
    assert list(results) == list(range(10))
    assert all(ticks)
