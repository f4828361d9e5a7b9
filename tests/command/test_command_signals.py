"""Signals and closed standard streams: each question ends at once, and leaves no process and no file behind."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from shlex import quote
from time import sleep

import pytest
from support.boards import BOARDS, PUZZLE, board_file, regular, shuffle, with_holes
from support.cases import slow_after
from support.lateness import Stopwatch
from support.pigeons import pigeon_text
from support.processes import (
    COMMAND,
    EARLY_PROCESSES,
    launched,
    run,
    seconds_of_work,
    session,
    started,
    wait_for,
    workers,
)

from enumerator.board import Shape
from enumerator.run.workers.executors import usable_cores

EMPTY = board_file("empty")
STARTED = 0.3
"""Processor seconds after which a command has started: that takes 0.12 s, and twice as long on a busy machine."""

SHARED_MEMORY = Path("/dev/shm")
OLD_FILES = {path.name for path in SHARED_MEMORY.glob("*")}
"""Files that killed processes have left there some time ago: numbers of processes come again."""


def shared_files(process: int) -> list[str]:
    """Return the files of a process in shared memory: those of loky and joblib have its id in their names."""
    new = {path.name for path in SHARED_MEMORY.iterdir()} - OLD_FILES
    return [name for name in new if re.search(rf"[-_]{process}[-_]", name)]


def interrupt(
    process: subprocess.Popen[str], number: signal.Signals, group: bool = True, most_seconds: float = 5
) -> tuple[str, str]:
    """Send a signal, to the whole group as a terminal does; return the output and the messages.

    Assert that the command ends within `most_seconds` and with status 130, and that no process and no
    file of it is left.
    """
    with Stopwatch() as watch:
        (os.killpg if group else os.kill)(process.pid, number)
        output, errors = process.communicate()
    assert watch.seconds < most_seconds  # 0.2 s, and more where the machine is busy
    assert wait_for(lambda: not session(process.pid)), session(process.pid)
    assert shared_files(process.pid) == []
    assert process.returncode == 130, errors
    return output, errors


# ---------------------------------------------------------------------------------------------- interrupts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of boards: `many.txt` to be counted, `hard.txt` to be classified."""
    rng, path = random.Random(2), tmp_path_factory.mktemp("boards")
    hard = [with_holes(shuffle(regular(Shape(5, 5)), rng), 330, rng) for _ in range(40)]  # some take hours
    (path / "hard.txt").write_text("".join(f"{board}\n" for board in hard))
    (path / "many.txt").write_text(f"{(BOARDS / '1b.txt').read_text().replace(chr(10), '')}\n" * 20_000)
    return path


QUESTIONS = {
    "count": ([EMPTY, "--engine", "search"], ": this count is not complete"),
    "batch": (["many.txt", "--engine", "contraction", "--quiet"], r" after [\d,]+ boards: the others are not answered"),
    "list": ([EMPTY, "--list", "--output", os.devnull], rf": {EMPTY}:1: [\d,]+ solutions written"),
    "sample": ([EMPTY, "--sample", "5", "--engine", "search"], f": {EMPTY}:1: 0 solutions written"),
    "candidates": ([EMPTY, "--candidates", "--engine", "search"], f": {EMPTY}:1: the candidates are not counted"),
    "classify": (["hard.txt", "--classify"], r" after \d+ boards: the others are not answered"),
}


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="no /dev/shm")
@pytest.mark.parametrize(
    ("question", "number"),
    slow_after(
        1,
        [
            *((question, signal.SIGHUP) for question in ("count", "batch", "sample", "classify")),
            ("candidates", signal.SIGINT),
            ("list", signal.SIGTERM),
        ],
    ),
)
def test_an_interrupt_leaves_no_process_and_no_file(folder: Path, question: str, number: signal.Signals) -> None:
    arguments, message = QUESTIONS[question]
    program = EARLY_PROCESSES if question == "count" else None
    with started(*arguments, "--cores", "2", program=program, cwd=folder, stdout=subprocess.DEVNULL) as process:
        if question in ("count", "batch") and usable_cores() > 1:
            assert wait_for(lambda: workers(process.pid))
        else:
            assert wait_for(lambda: seconds_of_work(process.pid) > STARTED)
        _, errors = interrupt(process, number)
    assert re.fullmatch(f"enumerate: interrupted{message}\n", errors)


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="no /dev/shm")
@pytest.mark.parametrize("number", slow_after(1, [signal.SIGHUP, signal.SIGINT]))
def test_an_interrupted_estimate_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "pigeons.txt").write_text(pigeon_text())
    with started("pigeons.txt", "--estimate", "--time-limit", "60", "--cores", "2", cwd=tmp_path) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.2)
        _, errors = interrupt(process, number)
    assert re.fullmatch(r"(enumerate: interrupted: [a-z ]+\n)?", errors)


HARD_QUESTIONS = {
    "count": ([], ": this count is not complete"),
    "list": (["--list", "--output", os.devnull], ": pigeons.txt:1: 0 solutions written"),
    "candidates": (["--candidates"], ": pigeons.txt:1: the candidates are not counted"),
    "sample": (["--sample", "3"], ": pigeons.txt:1: 0 solutions written"),
    "nth": (["--nth", "5"], ": pigeons.txt:1: 0 solutions written"),
    "classify": (["--classify"], " after 0 boards: the others are not answered"),
}


@pytest.mark.parametrize(
    ("question", "cores", "number"),
    slow_after(
        1,
        [
            *((question, 2, signal.SIGINT) for question in ("count", "list", "sample", "classify")),
            *((question, 1, signal.SIGTERM) for question in ("list", "candidates", "nth", "classify")),
        ],
    ),
)
def test_a_board_that_no_engine_decides_is_given_up_at_once(
    tmp_path: Path, question: str, cores: int, number: signal.Signals
) -> None:
    """The pieces of a list take half a second on such a board; threads end in the middle of one."""
    (tmp_path / "pigeons.txt").write_text(pigeon_text())
    options, message = HARD_QUESTIONS[question]
    engine = [] if question == "classify" else ["--engine", "learning"]
    with started("pigeons.txt", *options, *engine, "--cores", str(cores), cwd=tmp_path) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > STARTED)
        _, errors = interrupt(process, number, most_seconds=2)
    assert re.fullmatch(f"enumerate: interrupted{message}\n", errors)


@pytest.mark.slow
def test_a_hang_up_is_like_a_request_to_end() -> None:
    with started(EMPTY, "--engine", "search", "--cores", "1", "--quiet") as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > STARTED)
        output, errors = interrupt(process, signal.SIGHUP, group=False)
    assert re.fullmatch(r"\d{3,}\+\n", output)
    assert errors == "enumerate: interrupted: this count is not complete\n"


@pytest.mark.slow
@pytest.mark.parametrize("ignored", slow_after(1, [signal.SIGHUP, signal.SIGINT]), ids=["SIGHUP", "SIGINT"])
def test_signals_that_are_ignored_stay_so(ignored: signal.Signals) -> None:
    """The shell's `nohup` and `trap ''` have the command ignore a signal."""
    ask = f"{quote(COMMAND)} {quote(EMPTY)} --engine search --cores 1 --quiet --time-limit 0.5"
    line = f"trap '' {ignored.name[3:]}; exec {ask}"
    with launched(["sh", "-c", line]) as process:
        assert wait_for(lambda: b"enumerate" in Path(f"/proc/{process.pid}/cmdline").read_bytes())
        for _ in range(10):
            sleep(0.05)
            process.send_signal(ignored)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert re.fullmatch(r"\d+\+\n", output)


# ------------------------------------------------------------------------------------------------ start-up

START = """
import os, sys
from enumerator import __main__ as command
real = command.secure_standard_streams
command.secure_standard_streams = lambda: (os.write(2, b"!"), real())
sys.exit(command.main())
"""
"""A program that runs the command, and says when Python has started and the imports begin."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize("milliseconds", slow_after(3, [2, 11, 29, 5, 18, 45]))
def test_an_interrupt_in_the_first_moments_leaves_no_traceback(number: signal.Signals, milliseconds: int) -> None:
    with started(EMPTY, "--engine", "search", "--cores", "1", "--quiet", program=START) as process:
        assert process.stderr
        assert process.stderr.read(1) == "!"
        sleep(milliseconds / 1000)
        output, errors = interrupt(process, number, group=False)
    assert errors in ("", "enumerate: interrupted: this count is not complete\n")
    assert re.fullmatch(r"(\d+\+\n)?", output)


# ---------------------------------------------------------------------------------------- closed streams


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&- 2>&-"], ids=["input and error"])
@pytest.mark.skipif(usable_cores() == 1, reason="one core: no processes")
def test_a_killed_worker_adds_nothing_to_the_output_where_streams_are_closed(closed: str) -> None:
    python, path = quote(sys.executable), quote(board_file("2e"))
    line = f"exec {python} -c '{EARLY_PROCESSES}' {path} --engine search --quiet --cores 2 {closed}"
    with launched(["sh", "-c", line]) as process:
        assert wait_for(lambda: workers(process.pid))
        worker = workers(process.pid)[0]
        assert wait_for(lambda: seconds_of_work(worker) > 0.2)
        streams = {number: os.readlink(f"/proc/{process.pid}/fd/{number}") for number in (0, 2)}
        os.kill(worker, signal.SIGKILL)
        output, errors = process.communicate()
    assert (process.returncode, output) == (0, "7305949\n")  # see boards/README.md
    assert "<&-" not in closed or streams[0] == os.devnull
    assert "2>&-" not in closed or (streams[2], errors) == (os.devnull, "")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["", "2>&-"], ids=["open", "closed"])
@pytest.mark.skipif(usable_cores() == 1, reason="one core: no processes")
def test_workers_that_cannot_start_write_nothing_to_the_output(closed: str) -> None:
    """Otherwise loky prints their tracebacks there."""
    program = """
import sys
import loky.backend.spawn as spawn
from enumerator.__main__ import secure_standard_streams
real = spawn.get_preparation_data
spawn.get_preparation_data = lambda *rest: {**real(*rest), "dir": "/no/such/folder"}
secure_standard_streams()
from enumerator.command.main import main
from enumerator.run.pacing import Pacing
sys.exit(main(pacing=Pacing(pool_worth=0, pool_seconds=0)))
"""
    python, path = quote(sys.executable), quote(board_file("1d"))
    line = f"exec {python} -c '{program}' {path} --engine search --quiet --cores 2 {closed}"
    done = run(line)
    assert (done.returncode, done.stdout) == (0, "1035153\n")  # see boards/README.md
    messages = ["enumerate: a worker has died"] * 3 + ["enumerate: processes do not stay alive: going on with threads"]
    lines = done.stderr.splitlines()
    assert lines == ([] if closed else messages[: len(lines)])  # the count may end first


@pytest.mark.parametrize(
    ("line", "status", "output"),
    [
        (f"{quote(board_file('1a'))} --quiet 2>&-", 0, "1\n"),
        (f"{quote(board_file('1a'))} --quiet <&- 2>&-", 0, "1\n"),
        ("- --quiet <&- 2>&-", 2, "invalid\n"),
        (f"{quote(board_file('1a'))} --quiet >&-", 1, ""),
        (f"{quote(board_file('1a'))} --quiet <&- >&- 2>&-", 1, ""),
        ("--help 2>&- >/dev/null", 0, ""),
    ],
)
def test_closed_streams_change_neither_answer_nor_status(line: str, status: int, output: str) -> None:
    done = run(f"{quote(COMMAND)} {line}")
    assert (done.returncode, done.stdout) == (status, output)


def test_a_closed_standard_input_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text(PUZZLE)
    line = f"{quote(COMMAND)} {quote(str(tmp_path / 'puzzle.txt'))} - --quiet <&-"
    done = run(line)
    assert (done.returncode, done.stdout) == (2, "1\ninvalid\n")
    assert done.stderr == "enumerate: <stdin>: Bad file descriptor\n"
