"""Writing solutions to standard output or to a file.

A file whose name ends in .gz, .zst, .xz or .bz2 is compressed.

    mark     a place in a file up to which everything is on disk; a list is resumed at a mark
    sink     an object that bytes are written to: a descriptor, or a compressor in front of it
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import BinaryIO, NamedTuple, Protocol, Self

from enumerator.run.signals import deferred_signals
from enumerator.text.errors import EnumeratorError
from enumerator.text.phrases import plural, printable

GZIP_LEVEL, ZSTD_LEVEL, XZ_LEVEL, BZIP2_LEVEL = 1, 3, 1, 9
"""The compression levels. Lists are long and so regular that a higher level gains little.

500,000 solutions of a 9×9 board, 41 MB:

    gzip     3.5 MB at 360 MB/s
    zstd     2.5 MB at 710 MB/s
    xz       1.8 MB at 80 MB/s
    bzip2    1.7 MB at 12 MB/s; level 1 is not faster than 16 MB/s
"""

COMPRESSED = (".gz", ".zst", ".xz", ".bz2")
"""The endings of files that are compressed. Capitals do not matter."""

REFUSED = (".7z", ".br", ".lz", ".lz4", ".lzma", ".lzo", ".rar", ".tgz", ".z", ".zip")
"""The endings of files that one would take for compressed, though they cannot be written so."""

DEFAULT_PIPE_BYTES, PIPE_BYTES = 1 << 16, 1 << 20
"""The capacity of a new pipe, and that of a pipe for pages of solutions.

The second is the most that Linux grants to any user by default. In a pipe of 64 KB the reader has
nothing to do while the next page is found. Lists that are shorter leave the pipe as it is, because the
large pipes of a user are limited to 64 MB.
"""

TAIL_BYTES = 64
"""The number of bytes before a mark that are compared to recognise a file."""


class OutputLostError(OSError):
    """Solutions could not be written. The message says where, why, and how many were written before."""


class ReaderGoneError(OutputLostError):
    """The reader of a pipe has closed it."""


class ResumeError(EnumeratorError, ValueError):
    """A list cannot be resumed in a file. The message says which, and why.

    >>> board = "1234 3412 .... ...."
    >>> answer = en.write_solutions(board, "list.txt", checkpoint="list.db")
    >>> with open("list.txt", "w") as file:
    ...     _ = file.write("something else")
    >>> try:
    ...     en.write_solutions(board, "list.txt", checkpoint="list.db")
    ... except en.ResumeError as error:
    ...     print("list.txt" in str(error))
    True
    """


class Mark(NamedTuple):
    """A place in a file up to which everything is on disk: its size, and the bytes before it."""

    size: int = 0
    tail: bytes = b""


class Output:
    """A file or standard output for solutions as text, or for puzzles. It counts those that it has written."""

    def __init__(
        self, path: str | None = None, cores: int | None = None, deferred: bool = False, noun: str = "solution"
    ) -> None:
        """Open the file `path`, or standard output if it is None. `noun` is what messages count.

        Raise ValueError if it ends in one of REFUSED, and OSError if it cannot be opened. A file is
        created or emptied at once. With `deferred`, `resume` opens it later.
        """
        self.name = "standard output" if path is None else printable(path)
        self.solutions = 0
        """The number of solutions in the file, including those of earlier runs."""
        self.is_terminal = path is None and sys.stdout.isatty()
        self._path, self._cores, self._noun = path, cores, noun
        self._is_compressed = path is not None and path.lower().endswith(COMPRESSED)
        if path is not None:
            check_ending(path)
        self._sink: ByteSink = UnopenedSink()
        if path is None:
            sys.stdout.flush()
            self._sink = DescriptorSink(sys.stdout.fileno(), is_owned=False)
        elif not deferred:
            self._sink = open_sink(path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), cores)

    def resume(self, mark: Mark, solutions: int) -> None:
        """Continue a file at `mark`, which has `solutions` solutions before it.

        Raise ResumeError if the file cannot be opened, or if the mark does not fit.
        """
        if self._path is None:
            raise ResumeError("standard output: cannot be resumed")
        try:
            number = os.open(self._path, os.O_RDWR | (0 if mark.size else os.O_CREAT), 0o666)
        except OSError as error:
            raise ResumeError(f"{self.name}: {error.strerror or error}") from None
        try:
            cut_off(number, mark, self.name)
        except BaseException:
            os.close(number)
            raise
        self.solutions = solutions
        self._sink = open_sink(self._path, number, self._cores, is_started=mark.size > 0)

    def mark(self) -> Mark:
        """Flush everything written to disk, and return the mark there. Raise OutputLostError on failure."""
        try:
            with deferred_signals():
                number = self._sink.sync()
        except OSError as error:
            raise self._lost(error) from None
        size = os.lseek(number, 0, os.SEEK_CUR)
        return Mark(size, os.pread(number, TAIL_BYTES, max(0, size - TAIL_BYTES)))

    def write(self, text: bytes | bytearray, solutions: int) -> int:
        """Write the text of `solutions` solutions of equal length; return the number written.

        An interrupt is deferred until that number is known. Raise OutputLostError on failure.
        """
        view, written, number = memoryview(text), 0, 0
        try:
            with deferred_signals() as received:
                while written < len(view) and not received:
                    written += self._sink.write(view[written:], received)
        except OSError as error:
            written_solutions = solutions if self._is_compressed else written * solutions // len(view)
            raise self._lost(error, written_solutions) from None
        finally:
            number = written * solutions // max(1, len(view))
            self.solutions += number
        return number

    def close(self) -> None:
        """Write the end of a compressed file, and close the file. Raise OutputLostError on failure."""
        try:
            with deferred_signals():
                self._sink.close()
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError, more: int = 0) -> OutputLostError:
        some = plural(self.solutions + more, self._noun, "{:,}")
        bound = "no more than " if self._is_compressed else ""  # some may not have reached the disk
        kind = ReaderGoneError if isinstance(error, BrokenPipeError) else OutputLostError
        return kind(f"{self.name}: {error.strerror or error}; {bound}{some} written")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OSError:
            if error is None:  # otherwise `error` is the cause, and more specific
                raise


def check_ending(path: str) -> None:
    """Raise ValueError if a file would look compressed and not be so."""
    name = path.lower()
    if ending := next((ending for ending in REFUSED if name.endswith(ending)), ""):
        raise ValueError(f"{printable(path)}: {ending} is not written: use .gz, .zst, .xz or .bz2")


def cut_off(number: int, mark: Mark, name: str) -> None:
    """Truncate a file at a mark. If the mark does not fit, raise ResumeError and leave the file unchanged."""
    if not stat.S_ISREG(os.fstat(number).st_mode):
        raise ResumeError(f"{name}: is not a regular file: cannot resume")
    size = os.fstat(number).st_size
    if size < mark.size:
        raise ResumeError(f"{name}: has {size:,} bytes, and {mark.size:,} were written to it")
    if os.pread(number, len(mark.tail), mark.size - len(mark.tail)) != mark.tail:
        raise ResumeError(f"{name}: is not what was written")
    os.ftruncate(number, mark.size)
    os.lseek(number, 0, os.SEEK_END)


# -------------------------------------------------------------------------------------------------- sinks


class ByteSink(Protocol):
    """An object that bytes are written to."""

    def write(self, data: memoryview, received: list[int]) -> int:
        """Write some bytes of `data`, and return their number; 0 once `received` has a signal."""
        ...

    def sync(self) -> int:
        """Flush everything written to disk, and return the descriptor of the file."""
        ...

    def close(self) -> None: ...


def open_sink(path: str, number: int, cores: int | None, is_started: bool = False) -> ByteSink:
    """Return the sink for the open file `number`. The ending of `path` selects the compression.

    With `is_started`, a file to which nothing is written stays unchanged.
    """
    name = path.lower()
    if name.endswith(".zst"):
        import zstandard

        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, threads=zstd_threads(cores))
        start = partial(compressor.stream_writer, write_return_read=True, closefd=False)
        return CompressedSink(start, number, is_started, zstandard.ZstdError)
    if name.endswith(".gz"):
        import gzip

        return CompressedSink(lambda file: gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0), number, is_started)
    if name.endswith(".xz"):
        import lzma

        return CompressedSink(
            lambda file: lzma.LZMAFile(file, "wb", preset=XZ_LEVEL), number, is_started, lzma.LZMAError
        )
    if name.endswith(".bz2"):
        import bz2

        return CompressedSink(lambda file: bz2.BZ2File(file, "wb", compresslevel=BZIP2_LEVEL), number, is_started)
    return DescriptorSink(number, is_owned=True)


def zstd_threads(cores: int | None) -> int:
    """Return the number of threads for zstd; 0 if the system does not allow them.

    The bytes do not depend on the number, except for 0.
    """
    from enumerator.run.workers.executors import room_for_threads, usable_cores

    threads = cores or usable_cores()
    return threads if room_for_threads() >= 2 * threads else 0  # the solutions are found by others


class UnopenedSink:
    """The sink of a file that `Output.resume` will open later."""

    def write(self, data: memoryview, received: list[int]) -> int:
        raise RuntimeError("this file was not opened")

    def sync(self) -> int:
        raise RuntimeError("this file was not opened")

    def close(self) -> None:
        pass


class DescriptorSink:
    """A sink for a file, a pipe or a terminal."""

    POLL_MILLISECONDS = 100
    """The interval at which a full pipe is polled. An interrupt is handled between two polls."""

    FLUSH_BYTES = 32_000_000
    """The number of bytes after which the system is told to start writing them to disk.

    By default it collects them in memory. A list of 4 GB then took 12 to 16 s instead of 6 s. A
    mark in it took 1.7 s instead of 0.05 s.
    """

    def __init__(self, number: int, is_owned: bool) -> None:
        self._number, self._is_owned = number, is_owned
        self._unflushed = 0
        mode = os.fstat(number).st_mode
        self._is_file = stat.S_ISREG(mode) and hasattr(os, "posix_fadvise")
        self._is_small_pipe = stat.S_ISFIFO(mode)
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: memoryview, received: list[int]) -> int:
        # If there is room for some bytes, a signal ends `os.write`, which returns the number
        # written.
        while not received:
            if self._room.poll(self.POLL_MILLISECONDS):
                if self._is_small_pipe and len(data) > DEFAULT_PIPE_BYTES:
                    self._is_small_pipe = False
                    enlarge_pipe(self._number)
                written = os.write(self._number, data)
                self._flush(written)
                return written
        return 0

    def _flush(self, written: int) -> None:
        self._unflushed += written
        if self._is_file and self._unflushed > self.FLUSH_BYTES:
            os.posix_fadvise(self._number, 0, 0, os.POSIX_FADV_DONTNEED)
            self._unflushed = 0

    def sync(self) -> int:
        os.fsync(self._number)
        return self._number

    def close(self) -> None:
        if self._is_owned:
            os.close(self._number)


def enlarge_pipe(number: int) -> None:
    """Enlarge a pipe to PIPE_BYTES, if the system allows it. A larger one stays so."""
    if sys.platform != "linux":
        return
    with suppress(OSError):  # EPERM: above the system's limit, or the user has too many large pipes
        if fcntl.fcntl(number, fcntl.F_GETPIPE_SZ) < PIPE_BYTES:
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


class Compressor(Protocol):
    """The methods of a compressed file that are used here."""

    def write(self, data: memoryview, /) -> int: ...
    def close(self) -> None: ...


class CompressedSink:
    """A sink that compresses into a file. The bytes between two marks can be decompressed on their own."""

    def __init__(
        self,
        start: Callable[[BinaryIO], Compressor],
        number: int,
        is_started: bool,
        failure: type[Exception] = MemoryError,
    ) -> None:
        self._start, self._file, self._failure = start, os.fdopen(number, "wb"), failure
        with self._compressing():
            self._compressor: Compressor | None = None if is_started else start(self._file)

    def write(self, data: memoryview, received: list[int]) -> int:
        with self._compressing():
            self._compressor = self._compressor or self._start(self._file)
            return self._compressor.write(data)

    def sync(self) -> int:
        self._end()
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.fileno()

    def close(self) -> None:
        try:
            self._end()
        finally:
            self._file.close()

    def _end(self) -> None:
        compressor, self._compressor = self._compressor, None
        if compressor:
            with self._compressing():
                compressor.close()

    @contextmanager
    def _compressing(self) -> Iterator[None]:
        """Turn the error of a compressor without memory into an OSError, as for a full disk."""
        try:
            yield
        except self._failure as error:
            raise OSError(errno.ENOMEM, f"cannot be compressed ({error})") from None
