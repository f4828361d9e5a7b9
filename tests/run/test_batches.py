"""Many boards on many cores: in order, all of them, with bounded memory, whatever happens."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from threading import Event
from time import sleep

import pytest
from support.boards import ROOT, random_board
from support.cases import slow_after
from support.odd_workers import doubled, doubled_or_dead, doubled_slowly
from support.processes import children, run_python, started, wait_for, workers

import enumerator
from enumerator.board import Board, Shape
from enumerator.questions.counter import count_all
from enumerator.run.endings import WorkerLostError
from enumerator.run.maps.readahead import ReadAhead
from enumerator.run.maps.windows import map_batches
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.workers import executors

pytestmark = pytest.mark.usefixtures("census")


EAGER_BATCHES = BatchPacing(worth_seconds=0.0, largest_chunk=20)
"""Processes from the start, and small chunks."""


def flat(results: Iterator[list[int]]) -> list[int]:
    return [result for some in results for result in some]


@pytest.mark.parametrize("cores", slow_after(1, [2, 3]))
def test_results_come_in_the_order_of_the_items(cores: int) -> None:
    assert flat(map_batches(doubled_slowly, range(3000), cores, pacing=EAGER_BATCHES)) == [
        2 * number for number in range(3000)
    ]


def test_few_items_start_no_process() -> None:
    results = map_batches(doubled, range(1000), 2)
    assert next(results) == [0]
    assert not workers(os.getpid())
    assert flat(results) == [2 * number for number in range(1, 1000)]
    assert not workers(os.getpid())
    assert flat(map_batches(doubled, [], 2)) == []


@pytest.mark.slow
def test_items_that_come_slowly_are_answered_at_once() -> None:
    """The next item comes only when all before it have been answered."""
    answered = Event()

    def items() -> Iterator[int]:
        yield from range(500)
        for number in range(500, 520):
            answered.clear()
            yield number
            assert answered.wait(10)

    results = []
    for some in map_batches(doubled, items(), 2, pacing=EAGER_BATCHES):
        results += some
        answered.set()
    assert results == [2 * number for number in range(520)]


@pytest.mark.slow
def test_no_more_is_read_than_can_be_kept() -> None:
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        while True:
            yield read
            read += 1

    results = map_batches(doubled, items(), 2, pacing=EAGER_BATCHES._replace(read_ahead=100))
    most, taken = 0, 0
    while taken < 3000:
        taken += len(next(results))
        most = max(most, read - taken)
        if taken % 7 == 0:
            sleep(0.002)  # a slow reader
    results.close()
    assert most <= 100 + 20 * EAGER_BATCHES.pending_chunks * 2 + 20 + 1


@pytest.mark.slow
def test_a_worker_that_dies_costs_time_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "1").touch()
    (tmp_path / "2").touch()
    said: list[str] = []
    work = partial(doubled_or_dead, parent=os.getpid(), folder=str(tmp_path), deadly=(700, 1500))
    assert flat(map_batches(work, range(2000), 2, on_message=said.append, pacing=EAGER_BATCHES)) == [
        2 * number for number in range(2000)
    ]
    assert 1 <= len(said) <= 2
    assert all(message.startswith("a worker has died") for message in said)


@pytest.mark.slow
def test_items_that_kill_every_worker_end_it_and_are_named() -> None:
    work = partial(doubled_or_dead, parent=os.getpid(), folder="", deadly=(1234,))
    results: list[int] = []
    with pytest.raises(WorkerLostError, match="3 times in a row over item") as caught:
        results.extend(
            chain.from_iterable(
                map_batches(work, range(10**5), 2, name=lambda number: f"item {number}", pacing=EAGER_BATCHES)
            )
        )
    assert results == [2 * number for number in range(len(results))]
    assert len(results) <= 1234
    first, last = (int(word) for word in str(caught.value).split() if word.isdecimal() and word != "3")
    assert first <= 1234 <= last


def test_a_machine_that_gives_no_processes_is_done_without() -> None:
    def refused(_: int) -> executors.Mapper:
        raise OSError(24, "Too many open files")

    said: list[str] = []
    assert flat(map_batches(doubled, range(500), 2, on_message=said.append, start=refused, pacing=EAGER_BATCHES)) == [
        2 * number for number in range(500)
    ]
    assert said == ["processes cannot be started (Too many open files): going on with this one"]


@pytest.mark.slow
@pytest.mark.parametrize("files", [12, 14, 16])
def test_a_machine_that_gives_few_files_is_done_with(files: int) -> None:
    """Joblib starts one process and cannot start the next; no trace of that is left."""
    program = f"""
import resource
from enumerator.run.maps.windows import map_batches
from enumerator.run.pacing import BatchPacing

resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
said = []
results = map_batches(list, range(3000), 2, on_message=said.append, pacing=BatchPacing(worth_seconds=-1))
assert [item for some in results for item in some] == list(range(3000))
assert set(said) <= {{"processes cannot be started (Too many open files): going on with this one"}}
"""
    done = run_python(program, cwd="/")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_only_errors_in_the_threads_of_killed_pools_are_not_shown() -> None:
    program = """
from threading import Thread
from types import SimpleNamespace
from enumerator.run.workers.executors import ignore_errors_of_killed_pools

ignore_errors_of_killed_pools()
for number, is_killed in enumerate([True, False]):
    manager = Thread(target={}.pop, args=[number])
    manager.executor_flags = SimpleNamespace(kill_workers=is_killed)
    manager.start()
    manager.join()
"""
    done = run_python(program)
    assert [line for line in done.stderr.splitlines() if "Error" in line] == ["KeyError: 1"]


@pytest.mark.slow
def test_an_error_in_the_input_arrives_after_what_came_before_it() -> None:
    def items() -> Iterator[int]:
        yield from range(300)
        raise OSError("the disk is gone")

    results: list[int] = []
    with pytest.raises(OSError, match="the disk is gone"):
        results.extend(chain.from_iterable(map_batches(doubled, items(), 2, pacing=EAGER_BATCHES)))
    assert results == [2 * number for number in range(300)]


def test_ahead_reads_ahead_and_no_further() -> None:
    items = iter(range(1000))
    ahead = ReadAhead(items, most=50)
    assert wait_for(lambda: len(ahead) == 50)
    sleep(0.05)
    assert next(items) == 50
    assert ahead.take(10) == list(range(10))
    assert ahead.more()
    while ahead.more():
        ahead.take(100)


@pytest.mark.slow
def test_boards_that_take_longer_are_counted_in_processes() -> None:
    rng = random.Random("processes")
    boards = [random_board(Shape(3, 3), rng, 3_000) for _ in range(60)]
    pacing = EAGER_BATCHES._replace(first_chunk=2, process_seconds=0.0)
    found = list(count_all(boards, Plan(2, usable=lambda: 2, batch_pacing=pacing)))
    assert found == [enumerator.count(board) for board in boards]


# ----------------------------------------------------------------------------------------------- the command


EAGER_COMMAND = """
import sys
from enumerator.command.main import main
from enumerator.run.pacing import BatchPacing

sys.exit(main(batch_pacing=BatchPacing(worth_seconds=-1.0, largest_chunk=50, pipe_seconds=0.0, give_up_seconds=0.1)))
"""


def run_eagerly(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run_python(EAGER_COMMAND, *arguments, stdin=stdin, cwd=ROOT / "boards")


def mixture() -> str:
    """Boards of several shapes, broken ones, and one that takes longer, among many short ones."""
    rng = random.Random("mixture")
    lines = [str(random_board(rng.choice([Shape(2, 2), Shape(3, 3)]), rng, 20)) for _ in range(700)]
    lines[100] = "1" * 80
    lines[350] = "5" * 81
    lines[351] = lines[351][:-1] + "x"
    lines[400] = str(random_board(Shape(3, 3), random.Random(5), 300_000))
    return "\n".join(["# a mixture", *lines, ""])


@pytest.mark.parametrize("rendering", [["--json"], ["--quiet"], ["--json", "--limit", "2"]])
@pytest.mark.slow
def test_a_batch_says_the_same_on_any_number_of_cores(tmp_path: Path, rendering: list[str]) -> None:
    (tmp_path / "mixture.txt").write_text(mixture())
    path = str(tmp_path / "mixture.txt")
    alone, together = run_eagerly(path, *rendering, "--cores", "1"), run_eagerly(path, *rendering, "--cores", "2")
    assert (alone.returncode, together.returncode) == (2, 2)
    assert together.stderr == alone.stderr
    assert alone.stderr.count("\n") == 2
    if "--json" in rendering:
        ours, theirs = ([json.loads(line) for line in text.stdout.splitlines()] for text in (alone, together))
        assert len(ours) == len(theirs) == 700
        for own, their in zip(ours, theirs, strict=True):
            for volatile in ("seconds", "cores", "requested_cores", "tasks", "nodes"):
                assert (own.pop(volatile, None) is None) == (their.pop(volatile, None) is None) == ("error" in own)
        assert ours == theirs
    else:
        assert together.stdout == alone.stdout
        assert together.stdout.count("\n") == 700


@pytest.mark.slow
def test_a_batch_from_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "mixture.txt").write_text(mixture())
    named, piped = run_eagerly(str(tmp_path / "mixture.txt"), "--quiet"), run_eagerly("-", "--quiet", stdin=mixture())
    assert piped.stdout == named.stdout
    assert piped.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(("source", "cores"), slow_after(1, [("limited.txt", "2"), ("-", "1")]))
def test_a_time_limit_is_for_each_board_of_a_batch(tmp_path: Path, source: str, cores: str) -> None:
    """A board that is out of time says what is known, and the others are counted to the end."""
    rng = random.Random("limited")
    lines = [str(random_board(Shape(3, 3), rng, 20)) for _ in range(120)]
    lines[2] = lines[60] = "." * 81
    text = "".join(f"{line}\n" for line in lines)
    (tmp_path / "limited.txt").write_text(text)
    name = source if source == "-" else str(tmp_path / source)
    done = run_eagerly(name, "--json", "--engine", "search", "--time-limit", "0.4", "--cores", cores, stdin=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [number for number, answer in enumerate(answers) if not answer["complete"]] == [2, 60]
    for number, answer in enumerate(answers):
        if number not in (2, 60):
            assert answer["solutions"] == str(enumerator.count(Board.parse(lines[number])))
        else:
            assert int(answer["solutions"]) > 0
            assert answer["estimated_solutions"]["mean"] > 1e15
            assert 0.1 < answer["seconds"] < 60  # it is 0.4 on a machine that is not busy


@pytest.fixture
def long_batch(tmp_path: Path) -> Path:
    path = tmp_path / "batch.txt"
    line = str(random_board(Shape(3, 3), random.Random(11), 3_000))
    path.write_text(f"{line}\n" * 50_000)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "processes", "group"),
    [("contraction", 2, False), ("contraction", 2, True), ("search", 0, False)],
    ids=["processes", "processes-of-the-group", "threads"],
)
def test_an_interrupted_batch_says_so_and_leaves_nothing(
    long_batch: Path, engine: str, processes: int, group: bool
) -> None:
    """The contraction is in processes, and the search of short boards in threads."""
    with started(str(long_batch), "--quiet", "--cores", "2", "--engine", engine, program=EAGER_COMMAND) as process:
        assert process.stdout
        assert process.stderr
        lines = list(islice(process.stdout, 100))  # or else it would wait for its reader
        assert wait_for(lambda: len(workers(process.pid)) == processes)
        lines += islice(process.stdout, 100)
        everyone = children(process.pid)
        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        lines += process.stdout
        assert process.wait() == 130
        assert wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in everyone))
        said = f"interrupted after {len(lines):,} boards: the others are not answered"
        assert process.stderr.read() == f"enumerate: {said}\n"
    assert len(set(lines)) == 1


@pytest.mark.slow
def test_a_batch_survives_a_killed_worker(long_batch: Path) -> None:
    with long_batch.open() as file:
        some = "".join(islice(file, 300))
    asked = ("-", "--quiet", "--cores", "2", "--engine", "contraction")
    with started(*asked, program=EAGER_COMMAND, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(some)
        process.stdin.flush()
        lines = list(islice(process.stdout, 100))
        assert wait_for(lambda: len(workers(process.pid)) == 2)
        process.stdin.write(3 * some)
        process.stdin.close()
        lines += islice(process.stdout, 250)  # now both are at work: an idle one would not be missed
        os.kill(workers(process.pid)[0], signal.SIGKILL)
        lines += process.stdout
        assert process.wait() == 0
        assert process.stderr.read().startswith("enumerate: a worker has died (SIGKILL); ")
    assert (len(lines), len(set(lines))) == (1_200, 1)


@pytest.mark.parametrize("start", [executors.start_processes, executors.JoblibMapper], ids=["loky", "joblib"])
def test_processes_are_not_started_where_memory_is_short(start: Callable[[int], object]) -> None:
    """Threads of a pool would die for want of it, and their tasks would never be heard of again."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (executors.MIN_ADDRESS_SPACE - 1, limits[1]))
    try:
        with pytest.raises(OSError, match="no more than 511 MB"):
            start(2)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
