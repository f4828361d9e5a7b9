"""Interrupts while a lock is taken, or in the middle of a step: that is completed, and the run ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from time import sleep

import pytest
from support.boards import board
from support.runs import RESTLESS, last

from enumerator.engines.interfaces import Work
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.signals import INTERRUPTS, handle_interrupts, interruptible, one_step

pytestmark = pytest.mark.usefixtures("no_thread_is_left", "interrupts_are_raised")

ENTER = """
def __enter__(self):
    entered = self._lock.__enter__()
    if is_due():
        raise_signal(SIGINT)
    return entered
"""
"""The method of Python's `Condition`, with an interrupt where its lock is held and nobody will release it."""


@pytest.fixture
def interrupts_are_raised() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def interrupt_in_lock(number: int, run: Callable[[], object]) -> bool:
    """Run with an interrupt in the lock of this number that is taken; return False if there is no such lock."""
    here, taken = threading.get_ident(), 0

    def is_due() -> bool:
        nonlocal taken
        if threading.get_ident() != here:
            return False
        taken += 1
        return taken == number

    # the name of the module stays: by it, the handler knows where it is
    names = {**vars(threading), "is_due": is_due, "raise_signal": signal.raise_signal, "SIGINT": signal.SIGINT}
    exec(ENTER, names)
    with pytest.MonkeyPatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(threading.Condition, "__enter__", names["__enter__"])
        run()
        if taken >= number:
            sleep(60)  # the interrupt may come after the end of a run
            raise AssertionError("an interrupt was lost")
    return taken >= number


def slow_same(task: int) -> tuple[int, list[int]]:
    threading.Event().wait(0.001)
    return task, []


@pytest.mark.parametrize("number", [*range(1, 13), *range(13, 60, 5)])
def test_an_ordered_map_ends_wherever_it_is_interrupted(number: int) -> None:
    assert interrupt_in_lock(number, lambda: list(map_ordered(Work(slow_same, range(12)), 3)))


@pytest.mark.parametrize("number", [*range(1, 13), *range(13, 60, 5)])
def test_a_count_on_threads_ends_wherever_it_is_interrupted(number: int) -> None:
    plan = Plan(cores=2, engine="search", pacing=RESTLESS, pool=None)
    assert interrupt_in_lock(number, lambda: last(board("1c"), plan))


def test_an_interrupt_ends_a_wait_for_several_futures() -> None:
    futures: list[Future[None]] = [Future() for _ in range(3)]
    sender = threading.Timer(0.05, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    sender.start()
    with interruptible(), pytest.raises(KeyboardInterrupt):
        wait(futures)
    sender.join()
    for future in futures:
        future.set_result(None)  # waits forever, if its lock was left held


@one_step
def wait_in_a_step() -> None:
    threading.Event().wait()


@pytest.mark.parametrize("wait_forever", [threading.Event().wait, threading.Semaphore(0).acquire, wait_in_a_step])
def test_an_interrupt_ends_a_wait_without_end(wait_forever: Callable[[], object]) -> None:
    handle_interrupts()
    sender = threading.Timer(0.05, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        wait_forever()
    sender.join()


@pytest.mark.parametrize("place", ["before", "within", "after"])
def test_an_interrupt_leaves_no_step_half_done(place: str) -> None:
    handle_interrupts()
    counted, printed = 0, list[int]()

    def write(item: int, due: str) -> None:
        for here in ("before", "within"):
            if due == here:
                signal.raise_signal(signal.SIGINT)
        printed.append(item)

    @one_step
    def write_and_count(item: int, due: str) -> None:
        nonlocal counted
        counted += 1
        write(item, due)
        if due == "after":
            signal.raise_signal(signal.SIGINT)

    def write_all() -> None:
        for item in range(1_000):
            write_and_count(item, place if item == 3 else "")
            if item >= 3:
                sleep(0.001)

    with pytest.raises(KeyboardInterrupt):
        write_all()
    assert counted == len(printed) < 1_000


def test_a_handler_of_the_callers_own_stays() -> None:
    received: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    with closing(map_ordered(Work(slow_same, range(4)), 2)) as results:
        next(results)
        signal.raise_signal(signal.SIGINT)
    assert received == [signal.SIGINT]


def test_an_interrupt_goes_to_python_again_after_a_run() -> None:
    list(map_ordered(Work(slow_same, range(4)), 2))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
