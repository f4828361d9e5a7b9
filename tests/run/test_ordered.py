"""Work on several threads: its results in order, no more of it than is wanted, and nothing left behind."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from itertools import count, islice
from time import sleep
from typing import NamedTuple

import pytest
from support.processes import wait_for

from enumerator.engines.interfaces import Work
from enumerator.run.maps.ordered import TASKS_AHEAD, map_ordered
from enumerator.run.maps.readahead import ReadAhead

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


class Tree(NamedTuple):
    """A task, and those that it leaves behind."""

    name: str
    seconds: float
    below: list[Tree]

    def names(self) -> Iterator[str]:
        yield self.name
        for tree in self.below:
            yield from tree.names()


def grown(name: str, rng: random.Random, height: int) -> Tree:
    below = range(rng.choice([0, 0, 1, 2, 5]) if height else 0)
    return Tree(name, rng.uniform(0, 0.001), [grown(f"{name}.{number}", rng, height - 1) for number in below])


def forest(seed: object, trees: int = 8) -> list[Tree]:
    rng = random.Random(f"forest {seed}")
    return [grown(str(number), rng, 3) for number in range(trees)]


def climb(tree: Tree) -> tuple[str, list[Tree]]:
    sleep(tree.seconds)
    return tree.name, tree.below


def same(task: int) -> tuple[int, list[int]]:
    return task, []


# ------------------------------------------------------------------------------------------------- in order


@pytest.mark.parametrize("cores", [1, 2, 3, 8])
@pytest.mark.parametrize("number", range(4))
def test_results_come_in_the_order_of_the_trees(number: int, cores: int) -> None:
    trees = forest(number)
    expected = [name for tree in trees for name in tree.names()]
    assert len(expected) > len(trees)
    assert list(map_ordered(Work(climb, iter(trees)), cores)) == expected


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_the_first_task_may_be_the_last_to_end(cores: int) -> None:
    tasks = [Tree(str(number), (20 - number) / 2000, []) for number in range(20)]
    assert list(map_ordered(Work(climb, tasks), cores)) == [str(number) for number in range(20)]


@pytest.mark.parametrize("cores", [1, 2])
def test_a_tree_of_one_branch_may_be_high(cores: int) -> None:
    def step(height: int) -> tuple[int, list[int]]:
        return height, [height - 1] if height else []

    assert list(map_ordered(Work(step, [2000, 5]), cores)) == [*range(2000, -1, -1), *range(5, -1, -1)]


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_nothing_comes_of_nothing(cores: int) -> None:
    assert list(map_ordered(Work(same, []), cores)) == []


@pytest.mark.parametrize("cores", [2, 3, 8])
def test_as_many_tasks_as_cores_are_at_work_at_once(cores: int) -> None:
    meeting = threading.Barrier(cores, timeout=60)

    def meet(task: int) -> tuple[int, list[int]]:
        meeting.wait()
        return task, []

    assert list(map_ordered(Work(meet, range(3 * cores)), cores)) == list(range(3 * cores))


# ------------------------------------------------------------------------------------ no more than is wanted


@pytest.mark.parametrize("cores", [2, 3, 8])
@pytest.mark.parametrize("number", range(2))
def test_only_so_much_is_begun_before_it_is_wanted(number: int, cores: int) -> None:
    lock, begun, read = threading.Lock(), 0, 0

    def work(tree: Tree) -> tuple[str, list[Tree]]:
        nonlocal begun
        with lock:
            begun += 1
        return tree.name, tree.below

    def tasks() -> Iterator[Tree]:
        nonlocal read
        for tree in forest(number, trees=100):
            read += 1
            yield tree

    results = map_ordered(Work(work, tasks()), cores)
    most = 0
    for taken, _ in enumerate(islice(results, 100), 1):
        sleep(0.001)
        most = max(most, begun - taken)
        assert begun - taken <= TASKS_AHEAD * cores + 1
        assert read <= taken + TASKS_AHEAD * cores
    assert most >= cores
    results.close()


def test_on_one_core_nothing_runs_but_what_is_asked_for() -> None:
    done: list[str] = []
    read: list[str] = []

    def work(tree: Tree) -> tuple[str, list[Tree]]:
        assert threading.current_thread() is threading.main_thread()
        done.append(tree.name)
        return tree.name, tree.below

    def tasks() -> Iterator[Tree]:
        for tree in forest("alone"):
            read.append(tree.name)
            yield tree

    results = map_ordered(Work(work, tasks()), 1)
    assert (done, read) == ([], [])
    for taken, name in enumerate(results, 1):
        assert (len(done), done[-1]) == (taken, name)
        assert read[-1] == name.partition(".")[0]


@pytest.mark.parametrize("cores", [1, 2, 3, 8])
def test_tasks_without_end_can_be_left(cores: int) -> None:
    results = map_ordered(Work(same, count()), cores)
    assert list(islice(results, 100)) == list(range(100))
    results.close()
    assert list(results) == []


@pytest.mark.parametrize("taken", [0, 1, 5])
@pytest.mark.parametrize("cores", [2, 8])
def test_those_who_leave_early_leave_no_thread_and_no_work(cores: int, taken: int) -> None:
    at_work = 0
    lock = threading.Lock()

    def work(task: int) -> tuple[int, list[int]]:
        nonlocal at_work
        with lock:
            at_work += 1
        sleep(0.005)
        with lock:
            at_work -= 1
        return task, [task, task]

    before = set(threading.enumerate())
    results = map_ordered(Work(work, count()), cores)
    assert len(list(islice(results, taken))) == taken
    assert bool(set(threading.enumerate()) - before) == bool(taken)
    results.close()
    assert set(threading.enumerate()) == before
    assert at_work == 0


# -------------------------------------------------------------------------------------------------- failures


def failing_at(name: str) -> Callable[[Tree], tuple[str, list[Tree]]]:
    def work(tree: Tree) -> tuple[str, list[Tree]]:
        if tree.name == name:
            raise LookupError(name)
        return climb(tree)

    return work


@pytest.mark.parametrize("cores", [1, 2, 3, 8])
@pytest.mark.parametrize("number", range(4))
def test_a_failure_comes_in_its_turn(number: int, cores: int) -> None:
    trees = forest(f"failing {number}")
    expected = [name for tree in trees for name in tree.names()]
    place = random.Random(number).randrange(len(expected))
    results = map_ordered(Work(failing_at(expected[place]), trees), cores)
    assert list(islice(results, place)) == expected[:place]
    with pytest.raises(LookupError, match=f"^'?{expected[place]}'?$"):
        next(results)
    assert list(results) == []


@pytest.mark.parametrize("cores", [1, 2])
def test_of_two_failures_the_first_in_order_is_heard_of(cores: int) -> None:
    def work(task: int) -> tuple[int, list[int]]:
        if task == 2:
            sleep(0.02)
        if task >= 2:
            raise ValueError(f"task {task}")
        return task, []

    results = map_ordered(Work(work, range(10)), cores)
    assert list(islice(results, 2)) == [0, 1]
    with pytest.raises(ValueError, match="task 2"):
        next(results)


# ----------------------------------------------------------------------------------- tasks long in coming


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_trees_that_are_read_ahead_come_in_order(cores: int) -> None:
    trees = forest("ahead")
    ahead = ReadAhead(trees, 64)
    assert wait_for(lambda: len(ahead) == len(trees))
    assert list(map_ordered(Work(climb, ahead), cores)) == [name for tree in trees for name in tree.names()]


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_tasks_that_come_late_are_not_lost(cores: int) -> None:
    more = threading.Event()

    def tasks() -> Iterator[int]:
        yield from (0, 1)
        assert more.wait(10)
        yield from (2, 3)

    ahead = ReadAhead(tasks(), 64)
    assert wait_for(lambda: len(ahead) == 2)
    results = map_ordered(Work(same, ahead), cores)
    assert [next(results), next(results)] == [0, 1]
    threading.Timer(0.05, more.set).start()
    assert list(results) == [2, 3]


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_the_first_task_may_be_long_in_coming_and_does_not_wait_for_others(cores: int) -> None:
    first, more, waited = threading.Event(), threading.Event(), []

    def tasks() -> Iterator[int]:
        assert first.wait(10)
        yield 0
        waited.append(more.wait(2))
        yield 1

    results = map_ordered(Work(same, ReadAhead(tasks(), 64)), cores)
    threading.Timer(0.05, first.set).start()
    assert next(results) == 0
    assert not waited
    more.set()
    assert list(results) == [1]


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_a_source_that_fails_late_is_heard_of(cores: int) -> None:
    more = threading.Event()

    def tasks() -> Iterator[int]:
        yield 0
        assert more.wait(10)
        raise LookupError("no more")

    ahead = ReadAhead(tasks(), 64)
    assert wait_for(lambda: len(ahead) == 1)
    results = map_ordered(Work(same, ahead), cores)
    assert next(results) == 0
    threading.Timer(0.05, more.set).start()
    with pytest.raises(LookupError, match="no more"):
        next(results)


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_what_a_source_has_given_comes_before_its_failure(cores: int) -> None:
    def source() -> Iterator[int]:
        yield from range(5)
        raise OSError("no more")

    results = map_ordered(Work(lambda task: (task, []), source()), cores)
    assert list(islice(results, 5)) == [0, 1, 2, 3, 4]
    with pytest.raises(OSError, match="no more"):
        next(results)


def test_long_tasks_are_told_to_stop() -> None:
    stop = threading.Event()

    def work(task: int) -> tuple[int, list[int]]:
        if task:
            assert stop.wait(10)
        return task, []

    results = map_ordered(Work(work, range(100)), 2, stop)
    assert next(results) == 0
    results.close()
    assert stop.is_set()
