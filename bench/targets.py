"""What is fuzzed: for each target, what must hold whatever bytes it is given, and bytes to begin with.

A target is a function of bytes that raises AssertionError, or lets anything else escape, where something is wrong.
Bytes are read from the front: a few choose (a shape, an option), the rest is text. How bytes are made up is the matter
of `bench/fuzz.py`; a target knows nothing of it, so that the tests can run it over the corpora without any fuzzer.

A new target is a function, its seeds, and a line in TARGETS.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO, TextIOWrapper
from itertools import islice
from math import isqrt
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from unittest.mock import patch

from enumerator.board import Board, files
from enumerator.board.files import open_boards, read_all
from enumerator.board.reading import BoardError, Entry, parse
from enumerator.board.shape import LARGEST, SMALLEST, Shape
from enumerator.board.writing import as_grid, as_numbers
from enumerator.command import cli
from enumerator.command.checkpoint import as_json as status_as_json
from enumerator.command.checkpoint import as_text as status_as_text
from enumerator.command.output import Output
from enumerator.engines import contraction, search
from enumerator.engines.search import reference
from enumerator.run import Plan, RunLostError, tallies
from enumerator.run.ledger.contents import LedgerError, digest
from enumerator.run.ledger.contents import read as read_ledger
from enumerator.run.ledger.ledger import Ledger, asked
from enumerator.run.splitting import Job, Ranges, Tree

SHAPES = [Shape(height, width) for height in range(SMALLEST, LARGEST + 1) for width in range(SMALLEST, LARGEST + 1)]

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class Target(NamedTuple):
    """Something to be fuzzed."""

    summary: str
    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    longest: int
    """Inputs of more bytes than this say nothing new."""
    words: tuple[str, ...] = ()
    """What inputs may be made up of, among other things."""


@dataclass(slots=True)
class Bytes:
    """An input, read from the front; what is beyond its end is 0."""

    data: bytes

    def number(self) -> int:
        first, self.data = self.data[:1], self.data[1:]
        return first[0] if first else 0

    def some(self, length: int) -> bytes:
        first, self.data = self.data[:length], self.data[length:]
        return first


# ------------------------------------------------------------------------------------------------- boards

CHECKED_BOARDS, FEW_EMPTY, FEW_NODES = 3, 30, 300
"""Of each input so many boards are written and counted; those larger than 4×4 only if few of their cells are empty, and
a walk over them is short."""


def boards(data: bytes) -> None:
    """Any file is boards and errors, however it is cut up while it is read; boards mean what they look like."""
    given = Bytes(data)
    chosen, block = given.number(), 1 + given.number()
    shape = SHAPES[chosen % len(SHAPES)] if chosen >= 128 else None
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "boards.txt")
        Path(name).write_bytes(given.data)
        entries = list(open_boards(name, shape))
        with patch.object(files, "BLOCK_BYTES", block):
            assert said(open_boards(name, shape)) == said(entries), "the size of blocks matters"
        text = TextIOWrapper(BytesIO(given.data), encoding="utf-8", errors="surrogateescape")
        assert said(parse(text, name, shape) if entries[0].line else entries) == said(entries), "blocks matter"
        check_all(name, shape, entries)
    assert entries, "neither a board nor an error"
    for entry in entries:
        if isinstance(entry.content, BoardError):
            assert str(entry.content).startswith(f"{name}:"), "an error without a place"
            assert str(entry.content).isprintable(), "an error that is no line"
    for board in islice((entry.content for entry in entries if isinstance(entry.content, Board)), CHECKED_BOARDS):
        assert shape in (None, board.shape)
        for written in (str(board), as_grid(board), as_numbers(board)):
            assert Board.parse(written, board.shape) == board, "not read as it was written"
        check_counts(board)


def said(entries: Iterable[Entry]) -> list[tuple[str, int, Board | str]]:
    """Entries as values: errors by what they say."""
    return [
        (entry.name, entry.line, entry.content if isinstance(entry.content, Board) else str(entry.content))
        for entry in entries
    ]


def check_all(name: str, shape: Shape | None, entries: list[Entry]) -> None:
    """`read_all` has the same boards, up to the first error."""
    found: list[Board | str] = []
    try:
        for board in read_all(name, shape):
            found.append(board)  # noqa: PERF402 - those before an error are wanted, too
    except BoardError as error:
        found.append(str(error))
    assert found == [content for _, _, content in said(entries[: len(found)])], "other boards from read_all"
    assert len(found) == len(entries) or isinstance(found[-1], str), "fewer boards from read_all"


def check_counts(board: Board) -> None:
    """All ways to count have the same result, where none of them can take long."""
    is_small, walk = board.shape == Shape(2, 2), search.start(board)
    if is_small or (contraction.supports(board.shape) and board.empty_cells <= FEW_EMPTY):
        walk.run(FEW_NODES)
        if not (is_small or walk.finished):
            return
        expected = reference_count(board)
        assert search.count(board) == expected, "the search miscounts"
        assert contraction.count(board) == expected, "the contraction miscounts"


@lru_cache(maxsize=4096)
def reference_count(board: Board) -> int:
    return reference.count(board)


WORDS = (
    *("\r", "\r\n", "\n\n", "# ", "\ufeff", "│", "├─", "---+---", " | ", ", ", "\t", "\v"),
    *("\x1c", "\xa0", "\u2028", "٣", "0 " * 9, "16 ", "00 ", "1234", "123456789", "1234341221434321"),
    *("." * cells for cells in (16, 36, 64, 80)),
)


def seeds_of_boards() -> Iterator[bytes]:
    rows = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
    solved = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    texts = [
        PUZZLE,
        "\n".join(rows),
        f"# two\n{PUZZLE}\n{solved} remark\r\n",
        f"{solved[:40]}{'.' * 20}{solved[60:]}\n" * 2,
        as_grid(Board.parse(PUZZLE)),
        as_numbers(Board.parse(solved)),
        "1234341221434321\n" * 2 + "12..............\n12X.............\n",
        "12 34\n34 12\n21 43\n43 21\n",
        "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1",
        "1,2,0,4\n3,4,1,2\n2,1,4,3\n4,3,2,1\n",
        "┌───┬───┐\n│1 2│3 4│\n│. .│. .│\n├───┼───┤\n│? ?│_ _│\n│* *│0 0│\n└───┴───┘\n",
        "\ufeff1.............2.\r\n\r\n1.............2.\r",
        ("." * 16 + "\n") * 15 + "G" + "." * 15 + "\n",
        "12345......6....4..............3....",
        "\n".join([*rows[:4], rows[4] + ".", *rows[5:], PUZZLE]),
        "What is this?\n" * 12,
        "." * 625,
        "a" + "." * 1295,
    ]
    for text in texts:
        yield b"\0\x20" + text.encode()
    yield b"\0\x20" + b"\xff" + PUZZLE[1:].encode()
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3)):
        cells = "." * (shape.cells - 1)
        yield bytes([SHAPES.index(shape) + 3 * len(SHAPES), 80]) + f"1{cells}\n{cells}2\n{cells}".encode()


# -------------------------------------------------------------------------------------------------- lines


def lines(data: bytes) -> None:
    """What is written is read back, in every format that there is, and from every kind of file."""
    given = Bytes(data)
    shape, form, ending, some = SHAPES[given.number() % len(SHAPES)], given.number(), given.number(), given.number()
    written = []
    for _ in range(1 + some % 4):
        cells = bytes(digit % (shape.size + 1) for digit in given.some(shape.cells))
        written.append(Board(shape, cells.ljust(shape.cells, b"\0")))
    write = (str, as_grid, as_numbers, numbers_on_a_line)[form % 4]
    text = ("\n", "\r\n", "\n\n", " \n", "\n# a remark\n")[ending % 5].join(map(write, written))
    if ending >= 128:
        text += "\n"
    suffix = (".txt", ".gz", ".zst")[form // 4 % 3]
    with tempfile.TemporaryDirectory() as folder:
        packed, plain = os.path.join(folder, f"packed{suffix}"), os.path.join(folder, "plain.txt")
        with Output(packed, 1 + form // 16 % 2) as output:
            output.write(text.encode(), len(written))
        Path(plain).write_bytes(unpacked(Path(packed)))
        assert Path(plain).read_bytes() == text.encode(), "a file that holds something else"
        assert [entry.content for entry in open_boards(plain, shape)] == written, "other boards"
    (first, *others), is_line = written, write in (str, numbers_on_a_line)
    # 16, 36 or 64 rows that contradict each other are as many small boards
    is_clear = is_line or not (Shape.of_size(isqrt(shape.size)) and any(first.conflicts()))
    if not others and is_clear and Shape.of_size(shape.size) == shape:
        assert Board.parse(write(first)) == first, "another board without its shape"


def numbers_on_a_line(board: Board) -> str:
    return " ".join(map(str, board.cells))


def unpacked(path: Path) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        import zstandard

        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
            return reader.read()
    return path.read_bytes()


def seeds_of_lines() -> Iterator[bytes]:
    for number, shape in enumerate((Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4), Shape(8, 8), Shape(3, 2))):
        for form in range(4):
            head = bytes([SHAPES.index(shape), form + 4 * (number % 3), number, form])
            yield head + bytes(range(1, shape.size + 1)) + bytes(number)


# ------------------------------------------------------------------------------------------------ options

TYPED = 34
"""So many bytes are a 4×4 board at most, or two: no count of it takes long."""

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
    *("./-dash.txt", "absent/x", "sixteen.txt"),
]
NUMBERS = ["1", "2", "3", "0", "-1", "1e1", "1_0", "1e", "x", "", "1.5", "1e5000", "٣", "9" * 5000, "0x1", " 1"]
OPTIONS: dict[str, list[str]] = {
    "--list": [],
    "--nth": [*NUMBERS, "5", "287", "288", "1e999"],
    "--sample": [*NUMBERS, "7"],
    "--candidates": [],
    "--classify": [],
    "--estimate": [],
    "--cores": [*NUMBERS, "1e999"],
    "--engine": ["auto", "search", "contraction", "magic", ""],
    "--limit": [*NUMBERS, "287", "288", "289", "1e999"],
    "--time-limit": [*NUMBERS, ".5", "1.", "999999999", "nan", "inf", "1e3"],
    "--seed": [*NUMBERS, "1e999"],
    "--shape": ["2x2", "3x3", "2x3", "3x2", "4x4", "2×3", "8x8", "1x9", "9x9", "x", "2x", "", "٢x٢", f"{'9' * 5000}x2"],
    "--backend": ["loky", "threads", "dusk", ""],  # a cluster would take seconds to start
    "--cutoff": [*NUMBERS, "1e28", "1e9999"],
    "--json": [],
    "--quiet": [],
    "--grids": [],
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
RISKY = ("--sample",)
"""Any number at all would be too many for these."""
BOARD, RAW = len(OPTIONS), 255


def options(data: bytes) -> None:
    """Whatever the options, the command ends with a status, says what is wrong, and leaves no file behind."""
    given = Bytes(data)
    argv = [argument for _ in range(given.number() % 10) for argument in chosen(given)]
    typed = given.some(TYPED)
    with a_folder(typed) as folder:
        before = contents(folder)
        status, output, errors = commanded(argv, typed)
        after = contents(folder)
        check_status(status, output, errors)
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        named = {os.path.normpath(re.sub("^--(output|checkpoint)=", "", argument)) for argument in argv}
        assert changed <= named, f"files left behind: {changed}"
        if changed:
            asked_for = any(argument.startswith(("--o", "--ch")) for argument in argv)
            assert asked_for, f"nobody asked for {changed}"
        check_answers(output)


def chosen(given: Bytes) -> list[str]:
    """An argument or two, as the next bytes say."""
    number = given.number()
    names = list(OPTIONS)
    if number % (BOARD + 8) >= BOARD:
        return [value_of(given, NAMES, is_raw_welcome=True)]
    flag = names[number % (BOARD + 8)]
    if not OPTIONS[flag]:
        return [flag]
    value = value_of(given, OPTIONS[flag], is_raw_welcome=flag not in RISKY)
    return [f"{flag}={value}"] if number >= 128 else [flag, value]


def value_of(given: Bytes, usual: list[str], is_raw_welcome: bool) -> str:
    """One of the usual values, or the next bytes as they are; a name never leads out of the folder."""
    number = given.number()
    if number == RAW and is_raw_welcome:
        return os.fsdecode(given.some(given.number() % 16)).replace("/", ":")
    return usual[number % len(usual)]


@contextmanager
def a_folder(typed: bytes) -> Iterator[str]:
    """Go to a folder with some files in it."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in FILES.items():
            Path(name).write_bytes(content)
        Path("typed.txt").write_bytes(typed)
        Path("sixteen.txt").write_bytes(sixteen())
        os.mkdir("folder")
        yield folder


@lru_cache
def sixteen() -> bytes:
    """A full 16×16 board with some holes."""
    shape = Shape(4, 4)
    full = ((row % 4 * 4 + row // 4 + column) % 16 + 1 for row in range(16) for column in range(16))
    return str(Board(shape, bytes(0 if cell % 11 == 0 else digit for cell, digit in enumerate(full)))).encode()


def contents(folder: str) -> dict[str, bytes | None]:
    return {path.name: None if path.is_dir() else path.read_bytes() for path in Path(folder).iterdir()}


def commanded(argv: list[str], typed: bytes) -> tuple[int, str, str]:
    """Run the command in this process; returns its status, and what it wrote to standard output and standard error.

    Both are files, since the command asks for their descriptors. Signals, and files left open, are our own matter.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    opened, threads = os.listdir("/proc/self/fd"), set(threading.enumerate())
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        TextIOWrapper(output, "utf-8", write_through=False) as out,
        TextIOWrapper(errors, "utf-8", errors="backslashreplace") as err,
    ):
        given.write(typed)
        given.seek(0)
        is_open = True
        try:
            standard_input = os.dup(0)
        except OSError:
            is_open = False
        os.dup2(given.fileno(), 0)
        real = sys.stdout, sys.stderr
        kept = os.dup(out.fileno()), os.dup(err.fileno())  # the command may give up its own
        try:
            sys.stdout, sys.stderr = out, err
            status = cli.main(argv)
        finally:
            sys.stdout, sys.stderr = real
            if is_open:
                os.dup2(standard_input, 0)
                os.close(standard_input)
            for number, handler in handlers.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)
        with suppress(OSError, ValueError):
            out.flush()
        said = [text_of(descriptor) for descriptor in kept]
    deadline = monotonic() + 2
    while set(threading.enumerate()) - threads and monotonic() < deadline:
        sleep(0.01)
    assert set(threading.enumerate()) <= threads, "threads left behind"
    assert len(os.listdir("/proc/self/fd")) <= len(opened), "files left open"
    return status, said[0], said[1]


def text_of(descriptor: int) -> str:
    with open(descriptor, "rb") as file:
        file.seek(0)
        return file.read().decode()


def check_status(status: int, output: str, errors: str) -> None:
    """An exit status that fits what was said."""
    assert status in (0, 1, 2), f"status {status}"
    for line in errors.splitlines():
        assert line.startswith("enumerate: "), f"not of the command's own making: {line}"
    assert errors or status == 0, "a failure without a word"
    assert "Traceback" not in output + errors
    if "(see enumerate --help)" in errors:
        assert (status, output, errors.count("\n")) == (2, "", 1), "a mistake in the options, and something else"


def check_answers(output: str) -> None:
    """JSON is JSON, and complete counts are right."""
    for line in output.splitlines():
        if line.startswith("{"):
            answer = json.loads(line)
            if answer.get("complete"):
                found = {reference_count(board) for board in known_as(answer["source"], Shape.parse(answer["shape"]))}
                assert int(answer["solutions"]) in found, f"{line}: {found}"


def known_as(source: str, shape: Shape) -> Iterator[Board]:
    """The boards that a source can mean: that of a file, with or without a shape given."""
    name, line = re.fullmatch(r"(.*?)(?::(\d+))?", source, re.DOTALL).groups()  # type: ignore[union-attr]
    path = "typed.txt" if name == "<stdin>" else name
    for given in (None, shape):
        for entry in open_boards(path, given):
            if isinstance(entry.content, Board) and entry.content.shape == shape and line in (None, str(entry.line)):
                yield entry.content


def seeds_of_options() -> Iterator[bytes]:
    names = list(OPTIONS)
    some = ["four.txt", "fours.sdm", "nine.txt", "bad.txt", "-", "a b.txt", "sixteen.txt", "six.txt"]

    def named(name: str) -> bytes:
        return bytes([BOARD, NAMES.index(name)])

    for flag, values in OPTIONS.items():
        for form in ("--list", "--json", "--quiet"):
            option = bytes([names.index(flag), *([len(flag) % len(values)] if values else [])])
            name = some[(names.index(flag) + len(form)) % len(some)]
            yield bytes([3]) + named(name) + option + bytes([names.index(form)]) + b"1234............"
    for number, name in enumerate(NAMES):
        yield bytes([2]) + named(name) + bytes([number % BOARD, 0]) + b"12X4"
        yield bytes([3]) + named("four.txt") + bytes([0, names.index("--output"), 7 + number])


# ------------------------------------------------------------------------------------------------- ledgers


class Kept(NamedTuple):
    """A ledger that was left half-way: its bytes, what it is of, and the right answer."""

    content: bytes
    board: Board
    plan: Plan
    solutions: int


@lru_cache
def kept() -> list[Kept]:
    """Ledgers of both engines, and one in which nothing is left to do."""
    few, many = Board.parse("1234............"), Board.empty(Shape(2, 2))
    cases = [(few, "search", 3), (many, "search", 40), (many, "contraction", 1), (few, "search", 1000)]
    return [left_half_way(board, Plan(cores=1, engine=engine), budget) for board, engine, budget in cases]


def left_half_way(board: Board, plan: Plan, budget: int) -> Kept:
    """A ledger after three tasks with a budget each."""
    job: Job = Tree(board.shape) if plan.engine == "search" else Ranges(board)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.db")
        with Ledger(path, asked("count", board, plan)) as ledger:
            open_parts = [ledger.begin(job, job.whole(board))]
            for _ in range(3):
                if open_parts:
                    part = open_parts.pop()
                    (done,) = job.work([part.load], budget, 1_000_000, 1.0).parts
                    left = [job.part(load, share * part.share) for load, share in done.rest]
                    open_parts += ledger.settle(part, done._replace(seconds=0.5), left)
            ledger.note(created="then")
            ledger.commit(last=True)
        return Kept(Path(path).read_bytes(), board, plan, search.count(board))


def ledgers(data: bytes) -> None:
    """A ledger that was tampered with is refused, and left as it is, or what was done to it has no effect."""
    given = Bytes(data)
    case, kind = kept()[given.number() % len(kept())], given.number() % 6
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.db")
        path.write_bytes(case.content)
        if kind == 0:
            path.write_bytes(given.data)
        elif kind == 1:
            path.write_bytes(case.content[: int.from_bytes(given.some(2), "big") % len(case.content)] + given.data)
        elif kind == 2:
            Path(folder, "run.db-journal").write_bytes(given.data)
        elif kind == 3:
            changed = bytearray(case.content)
            while given.data:
                changed[int.from_bytes(given.some(2), "big") % len(changed)] ^= given.number()
            path.write_bytes(changed)
        else:
            tamper(path, given, forge=kind == 5)
        before = path.read_bytes()
        with suppress(LedgerError):
            for book, running in [read_ledger(str(path), lambda _: True)]:
                assert not running
                status_as_text("run.db", book, running)
                status_as_json("run.db", book, running)
        try:
            with Ledger(str(path), asked("count", case.board, case.plan)) as ledger:
                *_, last = tallies(case.board, case.plan, ledger=ledger)
        except LedgerError:
            assert not before or kind == 2 or path.read_bytes() == before, "a ledger was refused, and changed"
        except RunLostError:
            assert kind in (2, 3), "a ledger was read, and cannot be written to"
        else:
            assert kind == 5 or (last.solutions, last.complete) == (case.solutions, True), "a wrong count"


def tamper(path: Path, given: Bytes, forge: bool) -> None:
    """Change something in the tables; if it is to be forged, with the digests that belong to it."""
    columns = ["parent", "work", "share", "solutions", "effort", "seconds", "rest", "id"]
    with closing(sqlite3.connect(path, isolation_level=None)) as file, suppress(sqlite3.Error):
        (rows,) = file.execute("SELECT count(*) FROM task").fetchone()
        row, column = 1 + given.number() % rows, columns[given.number() % len(columns)]
        what = given.number() % 8
        text = given.data.decode("latin-1")
        values = [None, text, given.data, 0, -1, 2**40, 0.25, f"{len(text)}"]
        if what == 7 and not forge:
            file.execute(given.data.decode("latin-1"))
        file.execute(f"UPDATE task SET {column} = ? WHERE id = ?", (values[what], row))
        if forge:
            for number, *task in file.execute("SELECT rowid, id, parent, work, share FROM task").fetchall():
                file.execute("UPDATE task SET digest = ? WHERE rowid = ?", (digest(tuple(task)), number))
            query = "SELECT id, solutions, effort, seconds, rest FROM task WHERE outcome IS NOT NULL"
            for outcome in file.execute(query).fetchall():
                file.execute("UPDATE task SET outcome = ? WHERE id = ?", (digest(outcome), outcome[0]))


def seeds_of_ledgers() -> Iterator[bytes]:
    for case in range(len(kept())):
        head = bytes([case])
        yield head + b"\0"
        yield head + b"\0" + kept()[case].content[:2000]
        yield head + b"\x01\x20\x00"
        yield head + b"\x02" + kept()[case].content[:600]
        yield head + b"\x03" + b"\x10\x30\x01" + b"\x1f\xf0\x04"
        yield head + b"\x04\x01\x03\x017"
        yield head + b"\x04\x00\x00\x07DELETE FROM task WHERE id = 3"
        yield head + b"\x04\x00\x00\x07CREATE TRIGGER t AFTER UPDATE ON task BEGIN DELETE FROM task; END"
        yield from (head + b"\x05" + bytes([1, column, what]) + b"12" for column in range(8) for what in range(8))


# ----------------------------------------------------------------------------------------------------- all

TARGETS = {
    "boards": Target("files of boards, as grids, lines and numbers", boards, seeds_of_boards, 3000, WORDS),
    "lines": Target("boards, written in all formats and read again", lines, seeds_of_lines, 400),
    "options": Target("the command's options and files", options, seeds_of_options, 64),
    "ledger": Target("ledgers that were tampered with", ledgers, seeds_of_ledgers, 4096),
}
