"""Questions that are asked in several threads at once."""

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from support.boards import board
from support.runs import EAGER

import enumerator as en
from enumerator.questions.count import count
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("census", "no_thread_is_left")

THREADS = 3


def handlers() -> list[object]:
    return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]


def test_counts_in_several_threads_are_right() -> None:
    barrier, before = Barrier(THREADS), handlers()
    names = ["1a", "1b", "1c"]
    expected = [en.count(board(name)) for name in names]

    def ask(name: str) -> tuple[int, int]:
        barrier.wait(timeout=60)
        one = board(name)
        return en.count(one), en.count(one, engine="search", cores=2, limit=200_000)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, names))
    assert [first for first, _ in found] == expected
    assert [second for _, second in found] == [min(number, 200_000) for number in expected]
    assert handlers() == before


def test_other_questions_in_several_threads_are_right() -> None:
    barrier, one = Barrier(THREADS), board("1b")
    every = list(en.solutions(one))
    counts = en.candidates(one).counts

    def ask(number: int) -> bool:
        barrier.wait(timeout=60)
        return (
            list(en.solutions(one, cores=2)) == every
            and en.nth(one, number) == every[number]
            and en.candidates(one, cores=2).counts == counts
            and en.classify(one) == "multiple"
            and en.sample(one, 3, seed=number) == en.sample(one, 3, seed=number)
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(ask, range(THREADS)))


def test_counts_can_be_awaited() -> None:
    async def ask() -> list[int]:
        one = board("1c")
        return await asyncio.gather(*(asyncio.to_thread(en.count, one, engine="search") for _ in range(THREADS)))

    assert asyncio.run(ask()) == THREADS * [en.count(board("1c"))]


def test_a_count_in_a_thread_may_start_processes_and_leaves_signals_alone() -> None:
    before, inside = handlers(), list[list[object]]()

    def ask() -> int:
        plan = Plan(2, engine="search", usable=lambda: 2, pacing=EAGER)
        return count(board("1c"), plan, watch=lambda _: inside.append(handlers())).solutions

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ask).result(timeout=60) == en.count(board("1c"))
    assert inside
    assert all(each == before for each in inside)
    assert handlers() == before


def test_time_limits_in_several_threads_are_kept() -> None:
    def ask(_: int) -> int:
        with pytest.raises(en.OutOfTimeError) as caught:
            en.count("." * 256, time_limit=0.2)
        return caught.value.at_least

    with ThreadPoolExecutor(2) as pool:
        assert all(found > 0 for found in pool.map(ask, range(2)))
