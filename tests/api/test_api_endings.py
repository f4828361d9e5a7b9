"""Questions that end early: time limits, Ctrl-C, Stopped. The errors carry what is known, and it is true."""

import pickle
import signal
from collections.abc import Callable
from itertools import count as numbers
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import pytest
from support.boards import board
from support.cases import slow_after
from support.lateness import within_some_time

import enumerator as en
from enumerator.run.endings import Unfinished

EXACT = 7_305_949
"""The number of solutions of boards/2e.txt (see boards/README.md)."""

LARGE = "." * 256

pytestmark = pytest.mark.usefixtures("census", "no_thread_is_left")

ASK: dict[str, Callable[..., Any]] = {
    "count": lambda **more: en.count(board("2e"), engine="search", **more),
    "count on one core": lambda **more: en.count(board("2e"), engine="search", cores=1, **more),
    "verify": lambda **more: en.verify(board("2e"), engine="search", **more),
    "candidates": lambda **more: en.candidates(board("2e"), engine="search", **more),
    "nth": lambda **more: en.nth(board("2e"), EXACT - 1, engine="search", **more),
    "sample": lambda **more: en.sample(board("2e"), 2, engine="search", **more),
    "solutions": lambda **more: list(en.solutions(board("2e"), engine="search", **more)),
}


def stop_at(call: int, error: Callable[[], None]) -> Callable[[en.Progress], None]:
    """Return a progress function that calls `error` at its `call`-th call."""
    calls = numbers(1)

    def watch(_: en.Progress) -> None:
        if next(calls) == call:
            error()

    return watch


def stop() -> None:
    raise en.Stopped


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def assert_true(error: Any) -> None:
    """Assert that what an error carries is true of the board 2e, and that its message has figures."""
    assert isinstance(error, Unfinished)
    assert 0 <= error.at_least <= EXACT
    assert 0 < error.seconds < 60
    if error.at_least:
        assert f"{error.at_least:,}" in str(error)
    if error.estimate is not None and error.estimate.low is not None:
        assert error.at_least <= error.estimate.low <= error.estimate.mean <= error.estimate.high
    again = pickle.loads(pickle.dumps(error))
    assert (again.at_least, again.seconds, str(again)) == (error.at_least, error.seconds, str(error))


@pytest.mark.parametrize("name", slow_after(2, ASK))
def test_a_time_limit_raises_what_is_known(name: str) -> None:
    with pytest.raises(en.OutOfTimeError, match=r" after 0\.3 s") as caught:
        ASK[name](time_limit=0.3)
    assert_true(caught.value)
    assert caught.value.at_least > 0


@pytest.mark.parametrize("call", [1, 3])
@pytest.mark.parametrize("name", ASK)
def test_a_question_can_be_stopped(name: str, call: int) -> None:
    with pytest.raises(en.Stopped, match="stopped after ") as caught:
        ASK[name](progress=stop_at(call, stop))
    assert_true(caught.value)


@pytest.mark.parametrize("name", ASK)
def test_ctrl_c_raises_what_is_known(name: str) -> None:
    with pytest.raises(en.Interrupted, match="interrupted after ") as caught:
        ASK[name](progress=stop_at(2, interrupt))
    assert_true(caught.value)
    assert isinstance(caught.value, KeyboardInterrupt)


@pytest.mark.slow
def test_a_count_out_of_time_has_an_estimate_and_an_answer() -> None:
    def count(seconds: float) -> en.OutOfTimeError:
        with pytest.raises(TimeoutError) as caught:
            en.count(LARGE, time_limit=seconds)
        assert isinstance(caught.value, en.OutOfTimeError)
        return caught.value

    error = within_some_time(count, lambda error: error.estimate.low is not None)
    assert error.answer.solutions == error.at_least > 0
    assert not error.answer.complete
    assert error.estimate.log10.low < 98.77 < error.estimate.log10.high + 1  # about 6e98: 10^98.77
    assert "; estimated total: about" in str(error)


def test_a_message_of_the_caller_is_kept() -> None:
    def watch(_: en.Progress) -> None:
        raise en.Stopped("this is enough")

    with pytest.raises(en.Stopped, match=r"^this is enough$") as caught:
        en.count(LARGE, progress=watch)
    assert caught.value.at_least > 0


def test_other_errors_of_a_progress_function_reach_the_caller() -> None:
    def watch(_: en.Progress) -> None:
        raise ZeroDivisionError

    for ask in ASK.values():
        with pytest.raises(ZeroDivisionError):
            ask(progress=watch)


def test_a_lost_run_carries_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.questions import count as questions
    from enumerator.run.counting import tallies as ordinary

    def lost(*arguments: Any) -> Any:
        yield next(ordinary(*arguments))
        raise en.RunLostError("3 workers have died")

    monkeypatch.setattr(questions, "tallies", lost)
    with pytest.raises(en.RunLostError, match=r"^3 workers have died$") as caught:
        en.count(LARGE)
    assert caught.value.at_least == caught.value.answer.solutions > 0


def test_a_sample_keeps_what_was_chosen() -> None:
    drawn: list[en.Progress] = []

    def watch(progress: en.Progress) -> None:
        drawn.append(progress)
        if progress.stage == "samples":
            raise en.Stopped

    with pytest.raises(en.Stopped) as caught:
        en.sample("1234 3412 .... ....", 5000, seed=1, progress=watch)
    chosen = caught.value.answer
    assert chosen == en.sample("1234 3412 .... ....", len(chosen), seed=1)
    assert len(chosen) == drawn[-1].solutions
    assert caught.value.at_least <= 4  # samples repeat: they are not counted as solutions


def test_the_clock_of_an_iterator_stands_still_while_the_caller_works() -> None:
    found = en.solutions(board("1b"), time_limit=20.0)
    next(found)
    started = perf_counter()
    sleep(0.05)
    assert len(list(found)) == en.count(board("1b")) - 1
    short = en.solutions(LARGE, time_limit=perf_counter() - started)
    with pytest.raises(en.OutOfTimeError):
        for _ in short:
            pass


def test_solutions_before_the_end_of_the_time_are_right() -> None:
    taken = list[en.Board]()
    with pytest.raises(en.OutOfTimeError) as caught:
        taken.extend(en.solutions(LARGE, time_limit=0.1))
    assert 0 < len(taken) <= caught.value.at_least
    assert len(set(taken)) == len(taken)
    assert taken[:100] == list(en.solutions(LARGE, limit=min(100, len(taken))))


def test_a_file_that_ran_out_of_time_is_resumed(tmp_path: Path) -> None:
    path, ledger = tmp_path / "list", tmp_path / "ledger"
    with pytest.raises(en.OutOfTimeError) as caught:
        en.write_solutions(board("2e"), path, engine="search", limit=400_000, checkpoint=ledger, time_limit=1e-6)
    assert 0 < caught.value.answer.written == caught.value.at_least < 400_000
    answer = en.write_solutions(board("2e"), path, engine="search", limit=400_000, checkpoint=ledger)
    assert answer.before + answer.written == 400_000 == path.read_bytes().count(b"\n")


def test_a_board_that_is_not_decided_in_time_is_unknown() -> None:
    hard = en.read(Path(__file__).parents[2] / "boards" / "25x25-unique.txt")
    verdict = en.classify(hard, time_limit=1e-6, engine="search")
    assert verdict in ("unknown", "unique")
    with pytest.raises(en.OutOfTimeError, match="the board is not solved after"):
        en.solve(hard, time_limit=1e-9, engine="search")


def test_an_audit_can_run_out_of_time(tmp_path: Path) -> None:
    en.count(board("1c"), engine="search", checkpoint=tmp_path / "ledger")
    with pytest.raises(en.OutOfTimeError, match="the audit is not finished") as caught:
        en.audit(tmp_path / "ledger", share=1.0, time_limit=1e-9)
    assert caught.value.answer.findings
