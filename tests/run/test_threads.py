"""Runs on a system that allows few threads and processes, or none: they go on with those that they have."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.boards import BOARDS, EMPTY, PUZZLE, board
from support.cases import slow_after
from support.processes import COMMAND, Run, run
from support.runs import EAGER, last

from enumerator.run.maps.readahead import ReadAhead
from enumerator.run.plan import Plan
from enumerator.run.solution_file import zstd_threads
from enumerator.run.workers import executors
from enumerator.run.workers.threads import Threads

Allow = Callable[[int], None]


@pytest.fixture
def allow(monkeypatch: pytest.MonkeyPatch) -> Allow:
    """Allow a number of further threads, as a system does."""
    start, allowed = threading.Thread.start, [0]

    def refuse(thread: threading.Thread) -> None:
        if not allowed[0]:
            raise RuntimeError("can't start new thread")
        allowed[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)

    def allow(number: int) -> None:
        allowed[0] = number

    return allow


@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_every_call_is_made_once(allow: Allow, number: int) -> None:
    allow(number)
    calls: list[int] = []

    def call(argument: int) -> int:
        calls.append(argument)
        return argument**2

    with Threads(4) as threads:
        futures = [threads.submit(call, argument) for argument in range(50)]
        assert [future.result() for future in futures] == [argument**2 for argument in range(50)]
        assert threads.is_alone == (number == 0)
    assert sorted(calls) == list(range(50))


@pytest.mark.usefixtures("allow")
def test_an_error_is_raised_where_the_result_is_asked_for() -> None:
    with Threads(2) as threads:
        future = threads.submit(int, "three")
        with pytest.raises(ValueError, match="three"):
            future.result()
    with pytest.raises(RuntimeError, match="after shutdown"):
        Threads.submit(closed(), int)


def closed() -> Threads:
    threads = Threads(1)
    threads.shutdown()
    return threads


@pytest.mark.usefixtures("allow")
def test_a_reader_without_a_thread_reads_one_item_at_a_time() -> None:
    ahead = ReadAhead(range(5), 3)
    assert ahead.more()
    assert ahead.take(10) == [0]
    assert list(ahead) == [1, 2, 3, 4]
    assert not ahead.more()


@pytest.mark.parametrize("number", slow_after(1, [0, 1]))
def test_a_count_goes_on_with_one_core(allow: Allow, number: int) -> None:
    allow(number)
    said: list[str] = []
    plan = Plan(
        4, engine="search", pool=None, on_message=said.append, usable=lambda: 4, visible=lambda: 4, pacing=EAGER
    )
    tally = last(board("2d"), plan)
    assert tally.solutions == last(board("2d"), plan._replace(engine="contraction", cores=1)).solutions
    if number == 0:
        assert (tally.cores, said) == (1, ["threads cannot be started: going on with one core"])


@pytest.mark.usefixtures("allow")
@pytest.mark.parametrize(
    "question",
    [
        ["--quiet"],
        ["--candidates", "--quiet"],
        ["--sample", "3", "--seed", "1", "--output", "it"],
        ["--list", "-o", "it"],
    ],
)
def test_every_question_has_the_same_answer(
    ask: Run, monkeypatch: pytest.MonkeyPatch, question: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "it"
    answers = []
    for _ in range(2):
        done = ask(str(BOARDS / "2c.txt"), *question, pacing=EAGER)
        assert (done.returncode, done.stderr.replace("threads cannot be started: going on with one core", "")) in (
            (0, ""),
            (0, "enumerate: \n"),
        )
        answers.append((done.stdout, path.read_bytes() if path.exists() else b""))
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
    assert answers[0] == answers[1]


# ---------------------------------------------------------------------------------------------- processes


def limit_processes(monkeypatch: pytest.MonkeyPatch, most: int, user: int = 54_321) -> None:
    """Pretend that `most` processes and threads are allowed to a user who has ten of them."""
    real = resource.getrlimit
    monkeypatch.setattr(
        resource, "getrlimit", lambda kind: (most, most) if kind == resource.RLIMIT_NPROC else real(kind)
    )
    monkeypatch.setattr(os, "getuid", lambda: user)
    monkeypatch.setattr(executors, "count_own_threads", lambda: 10)


def test_a_pool_is_not_started_where_its_threads_may_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_processes(monkeypatch, 12)
    assert executors.room_for_threads() == 2
    message = "no more than 2 further processes and threads are allowed"
    with pytest.raises(OSError, match=message):
        executors.start_processes(2)
    with pytest.raises(OSError, match=message):
        executors.JoblibMapper(2)
    assert (zstd_threads(1), zstd_threads(2)) == (1, 0)
    limit_processes(monkeypatch, 5)
    assert executors.room_for_threads() == 0


def test_a_limit_that_is_far_away_or_not_for_this_user_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    free = executors.room_for_threads()
    for most, user in ((100_000, 54_321), (12, 0)):
        with monkeypatch.context() as patch:
            limit_processes(patch, most, user)
            assert executors.room_for_threads() >= min(free, 1_000)
            executors.check_limits(2)


def test_own_threads_are_counted() -> None:
    before, stop = executors.count_own_threads(), threading.Event()
    others = [threading.Thread(target=stop.wait) for _ in range(200)]
    for thread in others:
        thread.start()
    assert executors.count_own_threads() > before + 100  # other processes of this user may have ended
    stop.set()
    for thread in others:
        thread.join()


def test_trackers_are_started_with_a_filter_and_others_without(monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["python3", "-c", "import warnings; warnings.warn('resource_tracker: 7 leaked'); warnings.warn('other')"]
    for before in (None, "default"):
        if before:
            monkeypatch.setenv("PYTHONWARNINGS", before)
        else:
            monkeypatch.delenv("PYTHONWARNINGS", raising=False)
        with executors.quiet_trackers():
            said = run(line, status=0).stderr
        assert "other" in said
        assert "leaked" not in said.replace("resource_tracker: 7 leaked')", "")
        assert os.environ.get("PYTHONWARNINGS") == before


def test_boards_from_a_pipe_are_answered_without_threads() -> None:
    program = """
import sys, threading
def refuse(thread): raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
from enumerator.command.main import main
sys.exit(main())
"""
    python = Path(COMMAND).with_name("python")
    text = f"{PUZZLE}\n{EMPTY}\n" * 50
    for options, expected in ((["--classify"], "unique\nmultiple\n"), (["-q", "--limit", "2"], "1\n2+\n")):
        done = run([python, "-c", program, "-", *options], stdin=text)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected * 50, "")
