"""Solutions written to pipes, sockets and files: every byte, in order, and as many solutions as are counted."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, main_thread

import pytest

from enumerator.run import solution_file
from enumerator.run.solution_file import DEFAULT_PIPE_BYTES, PIPE_BYTES, DescriptorSink, Output, ReaderGoneError

LINE = 82
PAGE = b"".join(b"%081d\n" % number for number in range(20_000))
"""Lines that are all different, more than any pipe takes at once."""

if sys.platform == "linux":

    def capacity(number: int) -> int:
        return fcntl.fcntl(number, fcntl.F_GETPIPE_SZ)

    def set_capacity(number: int, size: int) -> int:
        return fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, size)


only_on_linux = pytest.mark.skipif(sys.platform != "linux", reason="pipes have a fixed capacity")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):  # closed by the test
            os.close(end)


@pytest.fixture
def enlarged() -> int:
    """Return the capacity that this system grants to a pipe for pages."""
    reader, writer = os.pipe()
    try:
        with suppress(OSError):
            set_capacity(writer, PIPE_BYTES)
        return capacity(writer)
    finally:
        os.close(reader)
        os.close(writer)


class Reader(Thread):
    """A thread that reads until the end, `size` bytes at a time."""

    def __init__(self, number: int, size: int = 16_320) -> None:
        super().__init__()
        self.number, self.size, self.data = number, size, bytearray()
        self.start()

    def run(self) -> None:
        while some := os.read(self.number, self.size):
            self.data += some


def write_all(sink: DescriptorSink, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[sink.write(left, []) :]


@only_on_linux
def test_a_page_enlarges_the_pipe_and_fits_into_it(pipe: tuple[int, int], enlarged: int) -> None:
    page = PAGE[: enlarged - 1]
    assert DescriptorSink(pipe[1], is_owned=False).write(memoryview(page), []) == len(page)  # though nobody reads
    assert capacity(pipe[0]) == enlarged
    assert os.read(pipe[0], len(page)) == page


@only_on_linux
def test_a_short_list_leaves_the_pipe_as_it_is(pipe: tuple[int, int]) -> None:
    before = capacity(pipe[1])
    sink = DescriptorSink(pipe[1], is_owned=False)
    for _ in range(20):
        assert sink.write(memoryview(PAGE[:DEFAULT_PIPE_BYTES]), [])
        assert os.read(pipe[0], PIPE_BYTES)
    assert capacity(pipe[1]) == before


@only_on_linux
def test_a_larger_pipe_stays_so(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    before = set_capacity(pipe[1], 4 * DEFAULT_PIPE_BYTES)
    monkeypatch.setattr(solution_file, "PIPE_BYTES", 2 * DEFAULT_PIPE_BYTES)
    DescriptorSink(pipe[1], is_owned=False).write(memoryview(PAGE[: DEFAULT_PIPE_BYTES + 1]), [])
    assert capacity(pipe[1]) == before


@only_on_linux
def test_a_pipe_that_must_not_be_larger_is_used_as_it_is(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def refuse(_: int, command: int, argument: int = 0) -> int:
        asked.append(command)
        if argument:
            raise PermissionError
        return DEFAULT_PIPE_BYTES

    monkeypatch.setattr(fcntl, "fcntl", refuse)
    reader = Reader(pipe[0])
    sink = DescriptorSink(pipe[1], is_owned=True)
    write_all(sink, PAGE)
    write_all(sink, PAGE)
    sink.close()
    reader.join()
    assert reader.data == 2 * PAGE
    assert len(asked) == 2  # once: its capacity, and a larger one


@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("size", [1_000, 1 << 22])
def test_a_reader_gets_every_byte_in_order(pipe: tuple[int, int], size: int, blocks: bool) -> None:
    os.set_blocking(pipe[1], blocks)
    reader = Reader(pipe[0], size)
    sink = DescriptorSink(pipe[1], is_owned=True)
    for _ in range(3):
        write_all(sink, PAGE)
    sink.close()
    reader.join()
    assert reader.data == 3 * PAGE


@pytest.mark.parametrize("kind", ["socket", "file", "null"])
def test_what_is_no_pipe_is_written_to_as_well(tmp_path: Path, kind: str) -> None:
    if kind == "socket":
        one, other = socket.socketpair()
        with one, other:
            reader = Reader(other.fileno())
            write_all(DescriptorSink(one.fileno(), is_owned=False), PAGE)
            one.shutdown(socket.SHUT_WR)
            reader.join()
            assert reader.data == PAGE
        return
    path = tmp_path / "list" if kind == "file" else Path(os.devnull)
    with Output(str(path)) as output:
        assert output.write(PAGE, len(PAGE) // LINE) == len(PAGE) // LINE
    assert path.read_bytes() == (PAGE if kind == "file" else b"")


@only_on_linux
def test_a_reader_that_leaves_in_the_middle_of_a_page_is_told_with_the_solutions_before(
    tmp_path: Path, enlarged: int
) -> None:
    path, taken = tmp_path / "pipe", 100 * LINE
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with Output(str(path)) as output:
        first = PAGE[: enlarged // LINE * LINE - LINE]
        assert output.write(first, len(first) // LINE) == len(first) // LINE
        os.set_blocking(reader, True)
        assert os.read(reader, taken) == PAGE[:taken]
        os.close(reader)
        with pytest.raises(ReaderGoneError, match=f"Broken pipe; {len(first) // LINE:,} solutions written"):
            output.write(PAGE, len(PAGE) // LINE)
        assert output.solutions == len(first) // LINE


def test_an_interrupt_in_the_middle_of_a_page_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = InterruptingReader(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    output = Output(str(path))
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - it comes at the end of the write
        reader.start()
        output.write(PAGE, len(PAGE) // LINE)
    output.close()
    reader.ended.set()
    reader.join()
    assert 0 < output.solutions < len(PAGE) // LINE
    assert reader.data == PAGE[: len(reader.data)]
    assert output.solutions == len(reader.data) // LINE


class InterruptingReader(Thread):
    """A thread that interrupts the main thread after the first bytes.

    It reads the others when the write has ended. Until then, the pipe stays full.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number, self.data, self.ended = number, bytearray(), Event()

    def run(self) -> None:
        wait_for_bytes(self.number)
        os.set_blocking(self.number, True)
        self.data += os.read(self.number, 50_000)
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        self.ended.wait()
        while some := os.read(self.number, 1 << 20):
            self.data += some
        os.close(self.number)


def wait_for_bytes(number: int) -> None:
    room = select.poll()
    room.register(number, select.POLLIN)
    assert room.poll(20_000)
