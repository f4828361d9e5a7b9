"""Target: the command's options and files."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import lru_cache
from pathlib import Path

from bench.check.targets.inputs import PUZZLE, Input, reference_count
from bench.check.targets.inside import run_command
from enumerator.board import Board
from enumerator.board.files import open_boards
from enumerator.board.shape import Shape

TYPED_BYTES = 34
"""Bytes on standard input: enough for two 4×4 boards, whose counts are short."""

FILES = {
    "four.txt": b"12 34\n.. ..\n.. ..\n4. ..\n",
    "fours.sdm": b"1234............\n" * 25,
    "six.txt": b"123456456...231564.....3312645645312",
    "nine.txt": PUZZLE.encode(),
    "twice.txt": b"11..............",
    "bad.txt": b"1234\n34X2\n2143\n4321\n",
    "no.txt": b"",
    "a b.txt": b"1...............\n?234............",
    "new\nline.txt": b"1234341221434321",
    "-dash.txt": b"12..............",
    "odd\udcff.txt": b"12..............",
}
NAMES = [
    *FILES,
    *("typed.txt", "-", "absent.txt", "", ".", "folder", "/dev/null", "/dev/full", "a\0b", "/proc/self/mem", "x" * 300),
    *("./-dash.txt", "absent/x", "sixteen.txt", "1234............", "https://sudokupad.app/x", "12\n34"),
]
NUMBERS = ["1", "2", "3", "0", "-1", "1e1", "1_0", "1e", "x", "", "1.5", "1e5000", "٣", "9" * 5000, "0x1", " 1"]
OPTIONS: dict[str, list[str]] = {
    "--list": [],
    "--nth": [*NUMBERS, "5", "287", "288", "1e999"],
    "--sample": [*NUMBERS, "7"],
    "--candidates": [],
    "--classify": [],
    "--estimate": [],
    "--link": ["fpuzzles", "sudokupad", "sudokuwiki", "nowhere", ""],
    "--cores": [*NUMBERS, "1e999"],
    "--engine": ["auto", "search", "contraction", "magic", ""],
    "--limit": [*NUMBERS, "287", "288", "289", "1e999"],
    "--time-limit": [*NUMBERS, ".5", "1.", "999999999", "nan", "inf", "1e3"],
    "--seed": [*NUMBERS, "1e999"],
    "--probes": ["0", "1", "64", "x"],
    "--shape": ["2x2", "3x3", "2x3", "3x2", "4x4", "2×3", "8x8", "1x9", "9x9", "x", "2x", "", "٢x٢", f"{'9' * 5000}x2"],
    "--backend": ["loky", "threads", "dusk", ""],  # a cluster would take seconds to start
    "--cutoff": [*NUMBERS, "1e28", "1e9999"],
    "--json": [],
    "--csv": [],
    "--quiet": [],
    "--grids": [],
    "--ascii": [],
    "--svg": ["it.svg", "no/such.svg", "o\nut", "o\udcffut.svg", "-dash", "board.txt", *NAMES],
    "--html": ["it.html", "it.svg", "", *NAMES],
    "--output": ["out.txt", "out.gz", "out.zst", "a b", "o\nut", "o\udcffut.gz", "-dash", *NAMES],
    "--checkpoint": ["run.db", "a b.db", "-", "", "board.txt", *NAMES],
    "--status": [],
    "--audit": [],
    "--share": [*NUMBERS, "5%", "100 %", ".05", "101%", "%"],
    "--verify": [],
    "--scheduler": ["tcp://127.0.0.1:1", "x", ""],
    "--no-progress": [],
    "--version": [],
    "--help": [],
    "--": [],
    "--no\nsuch": [],
    "-x": [],
    "--s": ["1", "2x2"],
}
UNBOUNDED = ("--sample",)
"""Options that take the usual values only: any number would ask for too many samples."""

BOARD = len(OPTIONS)
"""Choices from this number on are names of boards instead of options."""

RAW = 255
"""The byte after which a value is the next bytes of the input."""


def check(data: bytes) -> None:
    """With any options the command ends with a status and a message, and leaves no file behind."""
    given = Input(data)
    argv = [argument for _ in range(given.number() % 10) for argument in next_arguments(given)]
    typed = given.take(TYPED_BYTES)
    with folder_of_files(typed) as folder:
        before = contents(folder)
        status, output, errors = run_command(argv, typed)
        after = contents(folder)
        check_status(status, output, errors)
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        named = {os.path.normpath(re.sub("^--(output|checkpoint|svg|html)=", "", argument)) for argument in argv}
        assert changed <= named, f"files left behind: {changed}"
        if changed:
            asked_for = any(argument.startswith(("--o", "--ch", "--sv", "--ht")) for argument in argv)
            assert asked_for, f"no option asks for {changed}"
        check_answers(output)


def next_arguments(given: Input) -> list[str]:
    """Return the argument or two that the next bytes choose."""
    number = given.number()
    names = list(OPTIONS)
    if number % (BOARD + 8) >= BOARD:
        return [next_value(given, NAMES, allow_raw=True)]
    flag = names[number % (BOARD + 8)]
    if not OPTIONS[flag]:
        return [flag]
    value = next_value(given, OPTIONS[flag], allow_raw=flag not in UNBOUNDED)
    return [f"{flag}={value}"] if number >= 128 else [flag, value]


def next_value(given: Input, usual: list[str], allow_raw: bool) -> str:
    """Return one of the usual values, or the next bytes as they are.

    A name never leads out of the folder.
    """
    number = given.number()
    if number == RAW and allow_raw:
        return os.fsdecode(given.take(given.number() % 16)).replace("/", ":")
    return usual[number % len(usual)]


@contextmanager
def folder_of_files(typed: bytes) -> Iterator[str]:
    """Change to a new folder with some files in it."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in FILES.items():
            Path(name).write_bytes(content)
        Path("typed.txt").write_bytes(typed)
        Path("sixteen.txt").write_bytes(sixteen_by_sixteen())
        os.mkdir("folder")
        yield folder


@lru_cache
def sixteen_by_sixteen() -> bytes:
    """Return a full 16×16 board with some holes."""
    shape = Shape(4, 4)
    full = ((row % 4 * 4 + row // 4 + column) % 16 + 1 for row in range(16) for column in range(16))
    return str(
        Board.from_cells(shape, bytes(0 if cell % 11 == 0 else digit for cell, digit in enumerate(full)))
    ).encode()


def contents(folder: str) -> dict[str, bytes | None]:
    return {path.name: None if path.is_dir() else path.read_bytes() for path in Path(folder).iterdir()}


def check_status(status: int, output: str, errors: str) -> None:
    """The exit status fits the messages."""
    assert status in (0, 1, 2), f"status {status}"
    for line in errors.splitlines():
        assert line.startswith("enumerate: "), f"not a message of the command: {line}"
    assert errors or status == 0, "a failure without a message"
    assert "Traceback" not in output + errors
    if "(see enumerate --help)" in errors:
        assert (status, output, errors.count("\n")) == (2, "", 1), "a mistake in the options, and something else"


def check_answers(output: str) -> None:
    """JSON is JSON, and complete counts are right."""
    for line in output.splitlines():
        if line.startswith("{"):
            answer = json.loads(line)
            if answer.get("complete") and not answer["source"].startswith("<argument"):
                found = {reference_count(board) for board in boards_of(answer["source"], Shape.parse(answer["shape"]))}
                assert int(answer["solutions"]) in found, f"{line}: {found}"


def boards_of(source: str, shape: Shape) -> Iterator[Board]:
    """Yield the boards that a source can mean: those of a file, read with or without the shape."""
    name, line = re.fullmatch(r"(.*?)(?::(\d+))?", source, re.DOTALL).groups()  # type: ignore[union-attr]
    path = "typed.txt" if name == "<stdin>" else name
    for given in (None, shape):
        for entry in open_boards(path, given):
            if isinstance(entry.content, Board) and entry.content.shape == shape and line in (None, str(entry.line)):
                yield entry.content


def seeds() -> Iterator[bytes]:
    names = list(OPTIONS)
    boards = ["four.txt", "fours.sdm", "nine.txt", "bad.txt", "-", "a b.txt", "sixteen.txt", "six.txt"]

    def named(name: str) -> bytes:
        return bytes([BOARD, NAMES.index(name)])

    for flag, values in OPTIONS.items():
        for form in ("--list", "--json", "--quiet"):
            option = bytes([names.index(flag), *([len(flag) % len(values)] if values else [])])
            name = boards[(names.index(flag) + len(form)) % len(boards)]
            yield bytes([3]) + named(name) + option + bytes([names.index(form)]) + b"1234............"
    for number, name in enumerate(NAMES):
        yield bytes([2]) + named(name) + bytes([number % BOARD, 0]) + b"12X4"
        yield bytes([3]) + named("four.txt") + bytes([0, names.index("--output"), 7 + number])
