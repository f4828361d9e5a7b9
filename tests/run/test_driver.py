"""The driver: the count is the same for any number of workers, and survives their deaths.

After each test, no process and no thread is left.
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import sleep
from typing import Any

import loky
import pytest
from support.boards import NINE, ROOT, board, random_board
from support.cases import slow_after
from support.counts import assert_count, walk_generally
from support.lateness import Stopwatch
from support.odd_workers import complain, die, die_once, poisoned
from support.processes import children, run_python, wait_for, workers
from support.runs import EAGER, last
from support.traces import ended, named

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import Tally, TaskResult, search
from enumerator.engines.shares import WHOLE
from enumerator.engines.walks import tree
from enumerator.engines.walks.worker import walk_parts
from enumerator.run.counting import tallies
from enumerator.run.driver import Driver
from enumerator.run.endings import WorkerLostError
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.signals import starting_processes
from enumerator.run.trace import Tracer
from enumerator.run.workers import executors

pytestmark = pytest.mark.usefixtures("census")


walking = partial(Plan, engine="search")
eagerly = partial(walking, pacing=EAGER)


def cores(number: int) -> Callable[[], int]:
    return lambda: number


# -------------------------------------------------------------------------------------------- the same count


@pytest.mark.parametrize(
    ("workers", "pool"),
    slow_after(3, [(1, None), (2, None), (2, executors.start_processes), (16, None), (4, executors.start_processes)]),
)
def test_any_number_of_workers_counts_the_same(workers: int, pool: executors.ProcessFactory | None) -> None:
    tally = last(board("1d"), eagerly(cores=workers, pool=pool, usable=cores(16)))
    assert (tally.solutions, tally.complete) == (1035153, True)  # by both kernels, see boards/README.md
    assert (tally.share, tally.cores) == (1.0, workers)
    assert (tally.tasks > workers) == (workers > 1)


@pytest.mark.parametrize("number", slow_after(8, range(20)))
def test_any_cutoff_and_any_size_of_tasks_give_the_same_count(number: int) -> None:
    rng = random.Random(f"driver {number}")
    pacing = EAGER._replace(shortest=10 ** rng.uniform(-5, -2))
    shape = rng.choice([Shape(2, 3), NINE, Shape(3, 4), Shape(4, 4)])
    one = random_board(shape, rng, 3_000)
    plan = walking(pacing=pacing, cores=2, pool=None, cutoff=rng.choice([None, 1, 10, 10**6, 10**30]), usable=cores(2))
    assert_count(one, last(one, plan).solutions, walk_generally)


@pytest.mark.parametrize("name", ["16x16-many", "25x25-unique", "6x6-many", "4x4-many", "1a"])
def test_boards_of_every_kind(name: str) -> None:
    one = board(name)
    tally = last(one, eagerly(cores=3, pool=None, usable=cores(3)))
    assert_count(one, tally.solutions, walk_generally)


@pytest.mark.parametrize(
    ("name", "cutoff"),
    slow_after(3, [("1b", None), ("1b", 1), ("1b", 10**12), ("16x16-many", None), ("16x16-many", 10**25)]),
)
def test_shares_add_up_to_the_whole_tree(name: str, cutoff: int | None) -> None:
    """Also those of parts that turn out to be dead when they are divided."""
    one = board(name)
    begun = PartialCount(Tally(), 0, [(one.cells, (1, 1))], 0.001, 1e6)
    driving = Driver(search.ENGINE.tree(one.shape, cutoff), walking(cores=2, pool=None, usable=cores(2)), begun)
    *_, tally = driving.run()
    assert_count(one, tally.solutions, search.count)
    assert driving.balance.finished == 1
    assert tally.share == 1


@pytest.mark.slow
def test_small_parts_of_a_cutoff_go_in_bundles() -> None:
    one, job = board("1c"), search.ENGINE.tree(NINE, 10**9)
    parts = len(list(tree.split([job.part(one.cells, WHOLE)], tree.above(10**9, job.branch))))
    begun = PartialCount(Tally(), 0, [(one.cells, (1, 1))], 0.05, 1e7)
    *_, tally = Driver(job, walking(cores=2, pool=None, usable=cores(2)), begun).run()
    assert_count(one, tally.solutions, search.count)
    assert tally.tasks < parts / 5


@pytest.mark.usefixtures("no_thread_is_left")
def test_fewer_cores_than_are_in_sight() -> None:
    """A container may allow fewer: threads that were started before that is known are gone at the end, too."""
    plan = eagerly(pool=None, usable=cores(3), visible=cores(16))
    assert last(board("1d"), plan).cores == 3
    with closing(tallies(board("2f"), plan)) as counting:
        assert any(tally.cores == 3 for tally in counting)


def test_a_limit_that_is_met_in_a_moment_is_met_alone() -> None:
    """Once in some times, that is: on a busy machine, a moment may take long enough to share the work."""

    def is_met_alone() -> bool:
        tally = last(board("empty"), walking(cores=2, limit=20_000))
        assert (tally.solutions, tally.complete) == (20_000, False)
        return not tally.tasks

    assert any(is_met_alone() for _ in range(20))


def test_a_board_without_a_solution() -> None:
    hopeless = board("1c").with_cell(0, 1).with_cell(80, 1)
    for cell in range(81):
        if not hopeless.cells[cell]:
            hopeless = hopeless.with_cell(cell, 5)
            break
    expected = search.count(hopeless)
    assert last(hopeless, eagerly(cores=2, usable=cores(2))).solutions == expected
    assert last(Board.empty(NINE).with_cell(0, 1).with_cell(1, 1), eagerly(cores=2)).solutions == 0


@pytest.mark.slow
def test_one_monstrous_subtree_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large cut-off leaves one task at first. Its budget runs out, and all threads share the rest."""
    threads = set()

    def noted(*arguments: Any) -> TaskResult:
        threads.add(threading.get_ident())
        return walk_parts(*arguments)

    monkeypatch.setattr(tree, "walk_parts", noted)
    tally = last(board("1d"), eagerly(cores=4, pool=None, cutoff=10**80, usable=cores(4)))
    assert_count(board("1d"), tally.solutions, search.count)
    assert len(threads) >= 4


def test_a_short_board_is_not_handed_out() -> None:
    assert not any(tally.tasks for tally in tallies(board("1b"), walking(cores=8)))


def test_no_more_cores_are_used_than_there_are() -> None:
    plan = Plan(cores=16, usable=cores(3))
    assert plan.effective_cores() == 3
    assert Plan(cores=2, usable=cores(3)).effective_cores() == 2
    assert Plan(usable=cores(3)).effective_cores() == 3
    assert 1 <= Plan().effective_cores() <= (os.cpu_count() or 1)


def test_tallies_grow_and_the_last_one_is_complete() -> None:
    all_of_them = list(tallies(board("2d"), eagerly(cores=2, pool=None, usable=cores(2))))
    for before, after in pairwise(all_of_them):
        assert before.solutions <= after.solutions
        assert before.nodes <= after.nodes
        assert before.share <= after.share + 1e-9
    assert [tally.complete for tally in all_of_them] == [False] * (len(all_of_them) - 1) + [True]


@pytest.mark.parametrize("pool", slow_after(1, [None, executors.start_processes]), ids=["threads", "loky"])
def test_a_limit_is_kept(pool: executors.ProcessFactory | None) -> None:
    tally = last(Board.empty(NINE), eagerly(cores=2, limit=1_000_000, pool=pool, usable=cores(2)))
    assert (tally.solutions, tally.complete) == (1_000_000, False)
    expected = search.count(board("1d"))
    tally = last(board("1d"), eagerly(cores=2, limit=expected + 1, pool=pool, usable=cores(2)))
    assert (tally.solutions, tally.complete) == (expected, True)


def test_a_limit_that_is_just_met_is_no_limit() -> None:
    one = Board.parse("1234" + "." * 32, Shape(2, 3))
    expected = search.count(one)
    for limit in (expected - 1, expected, expected + 1):
        tally = last(one, eagerly(cores=2, limit=limit, pool=None, usable=cores(2)))
        assert (tally.solutions, tally.complete) == (min(limit, expected), limit >= expected)


def test_count_uses_the_driver() -> None:
    for name in ("2d", "16x16-many"):
        assert_count(board(name), search.count(board(name)), partial(enumerator.count, cores=2))
        assert enumerator.count(board(name), limit=1000) == 1000
    for nonsense in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            enumerator.count(board("1a"), cores=nonsense)


@pytest.mark.slow
def test_counts_in_several_threads_do_not_disturb_each_other() -> None:
    expected = search.count(board("1d"))
    with ThreadPoolExecutor(2) as threads:
        counts = [threads.submit(last, board("1d"), eagerly(cores=2, usable=cores(2))) for _ in range(2)]
        assert [count.result(timeout=60).solutions for count in counts] == [expected] * 2


@pytest.mark.slow
def test_a_count_in_the_middle_of_another_does_not_disturb_it() -> None:
    """Both have the same pool, and the second kills it when its limit is met."""
    said: list[str] = []
    first = tallies(board("1e"), eagerly(cores=2, on_message=said.append, usable=cores(2)))
    assert wait_for(lambda: next(first).complete or workers(os.getpid()))
    assert last(Board.empty(NINE), eagerly(cores=2, limit=500_000, usable=cores(2))).solutions == 500_000
    *_, tally = first
    assert (tally.solutions, tally.complete) == (2663219, True)  # by both kernels, see boards/README.md


def test_an_interrupt_that_is_not_heard_is_not_lost() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    steps = []

    def interrupted() -> None:
        with starting_processes():
            signal.raise_signal(signal.SIGINT)
            steps.append("inside")
        steps.append("behind")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert steps == ["inside"]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


# ------------------------------------------------------------------------------------------------------ ends


def test_who_stops_asking_leaves_nothing_running() -> None:
    counting = tallies(Board.empty(NINE), eagerly(cores=3, usable=cores(3)))
    assert wait_for(lambda: next(counting).complete or workers(os.getpid()))
    before = threading.active_count()
    counting.close()
    assert wait_for(lambda: not workers(os.getpid()))
    assert threading.active_count() < before


def killed(times: int, plan: Plan, one: Board) -> Tally:
    """Count, and kill a worker at work; `times` times. Count again if the count ended before that."""
    for _ in range(10):
        tally, left = Tally(), times
        for tally in tallies(one, plan):
            if left and (pids := workers(os.getpid())) and tally.share > 0.02:
                os.kill(pids[0], signal.SIGKILL)
                left -= 1
                sleep(0.2)
        if not left:
            return tally
    raise AssertionError(f"no count lasted until {times} workers were killed")


@pytest.mark.slow
def test_killed_workers_cost_time_and_nothing_else() -> None:
    said: list[str] = []
    tally = killed(2, eagerly(cores=3, on_message=said.append, usable=cores(3)), board("2e"))
    assert (tally.solutions, tally.complete) == (7305949, True)  # by both kernels, see boards/README.md
    assert len(said) >= 1
    assert all("a worker has died (SIGKILL)" in message for message in said)


@pytest.mark.slow
def test_a_task_that_dies_with_its_worker_is_done_again(tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    said: list[str] = []
    tracer = Tracer()
    pool = poisoned(die_once, tmp_path / "once")
    tally = last(board("2e"), eagerly(cores=2, pool=pool, on_message=said.append, usable=cores(2), observer=tracer))
    assert tally.solutions == 7305949
    assert len(said) == 1
    assert said[0].startswith("a worker has died (SIGKILL); ")
    events = ended(tracer, tally)
    assert named(events, "task: worker died (SIGKILL)")
    assert any(event["args"].get("deaths") == 1 for event in events)  # its parts, once more
    assert len(named(events, "processes requested")) == 2
    first, second = sorted(tracer.lives.values())
    (died,) = named(events, "process died")
    assert died["args"] == {"pid": next(pid for pid, life in tracer.lives.items() if life == first)}
    assert died["ts"] == pytest.approx((first.died - tracer.began) * 1e6, abs=1)
    assert second.died > tracer.ended
    for event in events:  # nothing happens on its track before it was requested, or after its death
        if event["ph"] == "X" and event["pid"] == died["pid"]:
            assert event["ts"] >= (first.requested - tracer.began) * 1e6 - 1
            assert event["ts"] + event["dur"] <= died["ts"] + 1
    starts = {event["pid"]: event for event in named(events, "process starts")}
    assert len(starts) == 2
    assert starts[died["pid"]]["dur"] == pytest.approx((first.answered - first.requested) * 1e6, abs=1)
    assert named(events, "task: worker died (SIGKILL)")[0]["pid"] == died["pid"]


@pytest.mark.slow
def test_a_task_that_kills_three_workers_ends_the_run_and_is_named(tmp_path: Path) -> None:
    said: list[str] = []
    deaths = tmp_path / "deaths"
    plan = eagerly(cores=2, pool=poisoned(die, deaths), on_message=said.append, usable=cores(2))
    with pytest.raises(WorkerLostError) as caught:
        last(Board.empty(NINE), plan)
    assert len(deaths.read_text()) == 3
    assert len(said) == 2
    culprit = Board.parse(str(caught.value).rpartition(" ")[2])
    assert culprit.shape == NINE
    assert 0 < culprit.empty_cells < 81


@pytest.mark.slow
def test_an_exception_in_a_worker_arrives_whole(tmp_path: Path) -> None:
    plan = eagerly(cores=2, pool=poisoned(complain, tmp_path / "it"), usable=cores(2))
    with pytest.raises(ArithmeticError, match="one and one is three") as caught:
        last(Board.empty(NINE), plan)
    assert "in complain" in str(caught.value.__cause__)  # the traceback of the worker


@pytest.mark.slow
def test_a_pool_that_never_comes_up_is_done_without() -> None:
    def stillborn(workers: int) -> Executor:
        executor: Executor = loky.get_reusable_executor(workers, initializer=os._exit, initargs=(3,))
        executors.keep_pool("loky", executor)
        return executor

    said: list[str] = []
    plan = eagerly(cores=2, pool=stillborn, on_message=said.append, usable=cores(2))
    with closing(tallies(Board.empty(NINE), plan)) as endless:
        assert wait_for(lambda: next(endless) and "processes do not stay alive: going on with threads" in said)
    assert_count(board("1c"), last(board("1c"), plan).solutions, search.count)


@pytest.mark.slow
def test_a_machine_that_gives_no_more_processes_is_done_without() -> None:
    def refused(workers: int) -> Executor:
        raise BlockingIOError(11, "Resource temporarily unavailable", workers)

    said: list[str] = []
    assert last(board("1d"), eagerly(cores=2, pool=refused, on_message=said.append, usable=cores(2))).complete
    assert said == ["processes cannot be started (Resource temporarily unavailable): going on with threads"]


@pytest.mark.slow
def test_any_executor_will_do() -> None:
    """The slot for a cluster: an executor of the standard library, here one of threads."""
    made = []

    def factory(workers: int) -> Executor:
        made.append(ThreadPoolExecutor(workers))
        return made[-1]

    tally = last(board("1d"), eagerly(cores=3, pool=factory, usable=cores(3)))
    assert_count(board("1d"), tally.solutions, search.count)
    assert made
    for executor in made:
        executor.shutdown()


# ------------------------------------------------------------------------------------------- what workers are


WORKERS_MODULES = """
import sys
from enumerator.board import Board, Shape
from enumerator.run.workers import executors
from enumerator.run.counting import tallies
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan
from support.odd_workers import loaded_modules

plan = Plan(cores=2, engine="search", usable=lambda: 2, pacing=Pacing(pool_seconds=0, pool_worth=0))
for tally in tallies(Board.empty(Shape(3, 3)), plan):
    if pool := executors._kept_pools.get("loky"):
        print(*pool.submit(loaded_modules).result(timeout=60))
        break
executors.shut_down_pools()
"""


@pytest.mark.slow
def test_workers_import_the_kernel_and_nothing_large() -> None:
    done = run_python(WORKERS_MODULES, env={**os.environ, "PYTHONPATH": str(ROOT / "tests")}, status=0, cwd="/")
    loaded = set(done.stdout.split())
    large = {"rich", "gmpy2", "joblib", "numpy", "enumerator.command", "enumerator.board.reading"}
    assert "enumerator.engines.search.kernel" in loaded
    assert loaded & large == set()


@pytest.mark.slow
def test_threads_and_processes_end_soon_after_the_count() -> None:
    with Stopwatch() as watch:
        assert_count(board("1d"), last(board("1d"), walking(cores=2)).solutions, search.count)
        assert not [line for line in children(os.getpid()).values() if "popen_loky" in line]
    assert watch.seconds < 10


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    executors.shut_down_pools()
    assert wait_for(lambda: set(threading.enumerate()) <= before), threading.enumerate()
