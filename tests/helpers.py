"""Random boards, ways to rearrange them, a checker that shares nothing with the engines; processes, and a census."""

from __future__ import annotations

import os
import pty
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from enumerator.board import Board, Shape
from enumerator.engines import TaskResult
from enumerator.engines.search import start
from enumerator.run.pacing import Pacing

EAGER = Pacing(
    alone_seconds=0.0,
    seconds_a_byte=0.0,
    slice_seconds=0.001,
    pool_seconds=0.0,
    recount_cores_seconds=0.0,
    shortest_recorded=0.0,
    pool_worth=-1.0,
    shortest=0.001,
    longest=0.02,
)
RESTLESS = replace(
    EAGER,
    pool_seconds=60.0,
    shortest=2e-4,
    longest=4e-4,
    slice_seconds=1e-5,
    commit_seconds=0.0,
    synchronous=False,
)

ROOT = Path(__file__).parent.parent
COMMAND = str(Path(sys.executable).with_name("enumerate"))

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

SHAPES = [Shape(height, width) for height in range(2, 9) for width in range(2, 9)]


def full_board(shape: Shape, rng: random.Random) -> Board:
    """A full board: a regular one, shuffled."""
    return shuffle(regular(shape), rng)


def regular(shape: Shape) -> Board:
    size, height, width = shape.size, shape.height, shape.width
    return Board(
        shape,
        bytes(
            (row % height * width + row // height + column) % size + 1 for row in range(size) for column in range(size)
        ),
    )


def shuffle(board: Board, rng: random.Random) -> Board:
    """The board with its digits relabelled, and rows, columns, bands and stacks exchanged: as many solutions."""
    height, width, size = board.shape.height, board.shape.width, board.shape.size
    digits = [0, *rng.sample(range(1, size + 1), size)]
    rows = [
        band * height + row for band in rng.sample(range(width), width) for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + col for stack in rng.sample(range(height), height) for col in rng.sample(range(width), width)
    ]
    return Board(board.shape, bytes(digits[board.cells[row * size + column]] for row in rows for column in columns))


def transpose(board: Board) -> Board:
    """Rows for columns: as many solutions."""
    size = board.shape.size
    turned = Shape(board.shape.width, board.shape.height)
    return Board(turned, bytes(board.cells[row * size + column] for column in range(size) for row in range(size)))


def with_holes(board: Board, holes: int, rng: random.Random) -> Board:
    cells = bytearray(board.cells)
    for cell in rng.sample(range(board.shape.cells), holes):
        cells[cell] = 0
    return Board(board.shape, bytes(cells))


def random_board(shape: Shape, rng: random.Random, most: int = 300) -> Board:
    """A board with at least one solution and about as many as asked for."""
    board = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), shape.cells):
        emptier = board.with_clue(cell, 0)
        walk = start(emptier)
        walk.run(20 * most, most + 1)
        if not walk.finished:
            break
        board = emptier
    return board


def breaks_no_rule(solution: Board, board: Board) -> bool:
    """Whether this is a solution of that board. Cuts out the units by itself: no engine has a part in it."""
    size, height, width = board.shape.size, board.shape.height, board.shape.width
    rows = [solution.cells[size * row : size * row + size] for row in range(size)]
    columns = [bytes(row[column] for row in rows) for column in range(size)]
    boxes = [
        b"".join(row[left : left + width] for row in rows[top : top + height])
        for top in range(0, size, height)
        for left in range(0, size, width)
    ]
    keeps_clues = all(clue in (0, digit) for clue, digit in zip(board.cells, solution.cells, strict=True))
    return keeps_clues and all(set(unit) == set(range(1, size + 1)) for unit in [*rows, *columns, *boxes])


def left_of(loads: list[bytes], outcome: TaskResult) -> list[bytes]:
    """What a task has left of its parts."""
    begun = len(outcome.parts)
    return [load for done in outcome.parts for load, _ in done.rest] + loads[begun:]


@contextmanager
def started(*arguments: str, program: str | None = None, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """The command, or a program in its place, in a session of its own. At the end all that is left of it is killed.

    So whoever says that workers go away by themselves must say it before.
    """
    line = [COMMAND, *arguments] if program is None else [sys.executable, "-c", program, *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(line, text=True, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def children(pid: int) -> dict[int, str]:
    """The processes below a process, and their command lines; not those by which Python cleans up behind them."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it is gone by now
            continue
        if parent == pid and "resource_tracker" not in line:
            found[int(entry.name)] = line
            found |= children(int(entry.name))
    return found


def workers(pid: int) -> list[int]:
    """The worker processes of a process, those of loky and of joblib."""
    return sorted(child for child, line in children(pid).items() if "popen_loky" in line)


def assert_mistake(done: subprocess.CompletedProcess[str], message: str) -> None:
    """The command has ended with status 2, nothing on standard output, and one line that says what is wrong."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("enumerate: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether something comes true in time."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.01)
    return True


def seconds_of_work(pid: int) -> float:
    """How long a process has been at work, whatever else the machine does: half a second, and it is past its start."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def on_a_terminal(*arguments: str, columns: int = 100, **more: str) -> str:
    """What the command writes on a terminal of that width, with more environment variables."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "50", **more}
    with started(*arguments, stdout=follower, stderr=follower, stdin=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        deadline = monotonic() + 30
        while monotonic() < deadline:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(leader)
        assert process.wait(timeout=10) == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")
