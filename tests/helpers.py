"""Helpers that several test modules share.

Boards: ours by name, random ones, rearranged ones; a checker that shares nothing with the engines.
Counts: every engine that takes a shape, and `assert_count`, which shows a wrong count by branch.
Processes: the command in a session of its own, its workers, what it writes on a terminal.
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

import pytest
from gmpy2 import mpq

import enumerator
from enumerator.api.arguments import EngineName
from enumerator.board import Board, Shape
from enumerator.engines import Share, Tally, TaskResult, contraction, supporting
from enumerator.engines.contraction.network import Network
from enumerator.engines.search import kernel, reference, start
from enumerator.engines.search.position import Position
from enumerator.engines.walks import pack_masks
from enumerator.run.counting import tallies
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan

ROOT = Path(__file__).parent.parent
BOARDS = ROOT / "boards"
COMMAND = str(Path(sys.executable).with_name("enumerate"))

HAS_SOURCES = (ROOT / "enumerator").is_dir()
"""False where only the tests, `bench` and `boards` lie beside an installed wheel."""

needs_sources = pytest.mark.skipif(not HAS_SOURCES, reason="no source tree: tests of a wheel")
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
EMPTY = "." * 81
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

EAGER = Pacing(
    slice_seconds=0.001,
    alone_seconds=0.0,
    seconds_a_byte=0.0,
    start_factor=0.0,
    pool_seconds=0.0,
    pool_worth=-1.0,
    shortest=0.001,
    longest=0.02,
    shortest_recorded=0.0,
    recount_cores_seconds=0.0,
)
"""Everything at once: no time on one core, processes from the start, small slices and tasks."""

RESTLESS = EAGER._replace(
    slice_seconds=1e-5,
    pool_seconds=60.0,
    shortest=2e-4,
    longest=4e-4,
    commit_seconds=0.0,
    synchronous=False,
)
"""Tasks so short that any board takes many of them, in this process.

Ledgers do not wait for the disk: that takes 20 ms a commit, and matters only if the machine goes down.
"""

CONTRADICTION = "5...5" + "." * 76
UNSOLVABLE = "12345678" + "." * 9 + "9" + "." * 63  # nothing is left for r1c9

SHAPES = [Shape(height, width) for height in range(2, 9) for width in range(2, 9)]

MANY_SHAPES = [shape for shape in SHAPES if shape.size <= 25 or shape in (Shape(4, 8), Shape(6, 6), Shape(8, 8))]
"""Shapes for tests that take long on large boards: all up to 25×25, and a few of the larger ones."""

NINE = Shape(3, 3)
COMMON_SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE]
"""Shapes that every engine supports."""

ALL_9X9 = 6_670_903_752_021_072_936_960
"""Solutions of the empty 9×9 board: Felgenhauer and Jarvis, 2005."""

Count = Callable[[Board], int]


def luminance(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance of a colour (WCAG 2): 0 for black, 1 for white."""
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def board_file(name: str) -> str:
    """Return the path of one of our boards."""
    return str(BOARDS / f"{name}.txt")


def board(name: str) -> Board:
    """Read one of our boards."""
    return enumerator.read(board_file(name))


def full_board(shape: Shape, rng: random.Random) -> Board:
    """Return a full board: a regular one, shuffled."""
    return shuffle(regular(shape), rng)


def regular(shape: Shape) -> Board:
    """Return the full board whose rows are shifts of each other."""
    size, height, width = shape.size, shape.height, shape.width
    return Board.from_cells(
        shape,
        bytes(
            (row % height * width + row // height + column) % size + 1 for row in range(size) for column in range(size)
        ),
    )


def shuffle(board: Board, rng: random.Random) -> Board:
    """Relabel the digits and exchange rows, columns, bands and stacks: the count stays the same."""
    height, width, size = board.shape.height, board.shape.width, board.shape.size
    digits = [0, *rng.sample(range(1, size + 1), size)]
    rows = [
        band * height + row for band in rng.sample(range(width), width) for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + col for stack in rng.sample(range(height), height) for col in rng.sample(range(width), width)
    ]
    return Board.from_cells(
        board.shape, bytes(digits[board.cells[row * size + column]] for row in rows for column in columns)
    )


def transpose(board: Board) -> Board:
    """Exchange rows and columns: the count stays the same."""
    size = board.shape.size
    turned = Shape(board.shape.width, board.shape.height)
    return Board.from_cells(
        turned, bytes(board.cells[row * size + column] for column in range(size) for row in range(size))
    )


def with_holes(board: Board, holes: int, rng: random.Random) -> Board:
    """Empty `holes` random cells."""
    cells = bytearray(board.cells)
    for cell in rng.sample(range(board.shape.cells), holes):
        cells[cell] = 0
    return Board.from_cells(board.shape, bytes(cells))


def with_clues(shape: Shape, clues: int, rng: random.Random) -> Board:
    """Return a full board of which `clues` cells are left."""
    return with_holes(full_board(shape, rng), shape.cells - clues, rng)


def random_board(shape: Shape, rng: random.Random, most: int = 300) -> Board:
    """Return a board with at least one solution and about `most`."""
    board = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), shape.cells):
        emptier = board.with_cell(cell, 0)
        walk = start(emptier)
        walk.run(20 * most, most + 1)
        if not walk.finished:
            break
        board = emptier
    return board


def breaks_no_rule(solution: Board, board: Board) -> bool:
    """Return whether `solution` solves `board`. The units are cut out here: no engine takes part."""
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


def general(board: Board) -> kernel.Walk:
    """Start the walk that takes boards of every shape, even where there is a faster one."""
    masks = pack_masks(board.allowed)
    return kernel.General(board.cells, board.shape.height, board.shape.width, allowed=masks)


def network(board: Board) -> Network:
    """Return the network by which the contraction counts a board."""
    return Network(board.cells, board.shape.height, board.shape.width)


def walk_generally(board: Board) -> int:
    """Count the solutions of a board by the walk that takes boards of every shape."""
    return general(board).run()


def counts(shape: Shape) -> dict[str, Count]:
    """Return every way to count a board of this shape: by each engine, and by the walk for every shape."""
    by_engine = {
        engine.name: partial(enumerator.count, engine=cast("EngineName", engine.name))
        for engine in supporting(Board.empty(shape))
    }
    return {**by_engine, "general walk": walk_generally}


QUICK_NODES = 100_000
"""Nodes that a walk may visit to explain a failure: 0.1 s a branch on 16×16, less on 9×9."""

QUICK_REFERENCE = (2_000, 45)
"""Nodes of the search and empty cells up to which the reference is run too: less than a second in plain Python."""


def assert_count(board: Board, expected: int, count: Count = enumerator.count) -> None:
    """Assert that `count` finds `expected` solutions of a board; a failure shows the sub-counts by branch."""
    __tracebackhide__ = True
    found = count(board)
    if found != expected:
        raise AssertionError(f"{found} solutions and not {expected} of {board}\n{divide(board, count)}")


def divide(board: Board, count: Count) -> str:
    """Return a table of sub-counts: a line for each candidate of the cell with the fewest.

    The columns are `count` and every engine that is quick; `-` stands for one that is not. The name and the
    idea are those of `perft divide` in chess: where two columns differ, the mistake is in that branch.
    """
    if conflict := next(board.conflicts(), None):
        return f"no branches: {conflict}"
    position = Position(board)
    if position.full:
        return "no branches: the board is full"
    cell, size = position.best[1], board.shape.size
    rows: list[tuple[str, ...]] = [("branch", "count", "search", "contraction", "reference")]
    for digit in range(1, size + 1):
        if position.candidates(cell) >> (digit - 1) & 1:
            branch = board.with_cell(cell, digit)
            found = [count(branch), *quick_counts(branch)]
            where = f"r{cell // size + 1}c{cell % size + 1}={board.shape.symbols[digit - 1]}"
            rows.append((where, *("-" if number is None else str(number) for number in found)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in rows)


def quick_counts(board: Board) -> list[int | None]:
    """Count by search, contraction and reference; None stands for one that would take long or cannot count it."""
    walk = start(board)
    found = walk.run(QUICK_NODES)
    nodes, empty_cells = QUICK_REFERENCE
    is_easy = walk.finished and walk.nodes <= nodes and board.empty_cells <= empty_cells
    return [
        found if walk.finished else None,
        contraction.count(board) if contraction.ENGINE.takes(board) else None,
        reference.count(board) if is_easy else None,
    ]


def last(board: Board, plan: Plan, *begun: Any) -> Tally:
    """Count to the end, after what was `begun` if anything, and return the last tally."""
    *_, tally = tallies(board, plan, *begun)
    return tally


def left_of(loads: list[bytes], outcome: TaskResult) -> list[bytes]:
    """Return the parts that a task has not finished."""
    begun = len(outcome.parts)
    return [load for done in outcome.parts for load, _ in done.rest] + loads[begun:]


def total_share(parts: Iterable[tuple[bytes, Share] | tuple[bytes, Share, int]]) -> mpq:
    """Return the share of some parts together."""
    counts = Counter(share for _, share, *_ in parts)
    return sum((number * mpq(*share) for share, number in counts.items()), mpq())


@contextmanager
def started(*arguments: str, program: str | None = None, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run the command, or a program in its place, in a session of its own; at the end kill the session.

    A test that workers end by themselves must look before the end of the block.
    """
    line = [COMMAND, *arguments] if program is None else [sys.executable, "-c", program, *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(line, text=True, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def run_with_small_files(folder: Path, most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, where no file may grow beyond `most_bytes`."""
    return subprocess.run(
        [COMMAND, *arguments],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def children(pid: int) -> dict[int, str]:
    """Return the command lines of all processes below a process, without Python's resource trackers."""
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
    """Return the worker processes of a process, those of loky and of joblib."""
    return sorted(child for child, line in children(pid).items() if "popen_loky" in line)


def assert_mistake(done: subprocess.CompletedProcess[str], message: str) -> None:
    """Assert that the command ended with status 2, an empty standard output and one line of error."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("enumerate: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def reports(folder: Path) -> list[Any]:
    """Return the reports of counts that did not agree."""
    return [json.loads(path.read_text()) for path in folder.glob("enumerator-mismatch-*.json")]


def slow_after(quick: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a parametrised test, all but the first `quick` of them marked as slow."""
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*each, marks=[pytest.mark.slow] * (at >= quick)) for at, each in enumerate(values)]


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Return whether a condition comes true within `seconds`."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.01)
    return True


def seconds_of_work(pid: int) -> float:
    """Return the processor time of a process: beyond 0.5 s its start-up is over, however busy the machine."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def on_a_terminal(
    *arguments: str, columns: int = 100, plain: bool = True, program: str | None = None, status: int = 0, **more: Any
) -> str:
    """Return the text that the command writes on a terminal `columns` wide, with `more` environment variables.

    `program` is a program in the place of the command. With `plain`, styles are left out. The exit
    status has to be `status`.
    """
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "50", **more}
    streams = {"stdout": follower, "stderr": follower, "stdin": follower}
    with started(*arguments, program=program, env=environment, **streams) as process:
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
        assert process.wait(timeout=10) == status
    text = shown.decode().replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;]*m", "", text) if plain else text
