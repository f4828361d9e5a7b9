"""Writing solutions: to standard output, or to a file, compressed if its name says so.

mark     a place in a file up to which everything is on the disk; a list is resumed behind one
sink     takes bytes: a descriptor, or a compressor before it
"""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import BinaryIO, NamedTuple, Protocol, Self

from enumerator.board.wording import plural, printable
from enumerator.run.signals import deferred_signals

GZIP_LEVEL, ZSTD_LEVEL = 1, 3
"""Levels of compression: lists are long, and so regular that a higher level gains little."""

TAIL_BYTES = 64
"""Bytes before a mark by which a file is recognised."""


class OutputLostError(OSError):
    """Solutions could not be written. Says where, why, and how many were written before."""


class ReaderGoneError(OutputLostError):
    """The reader of a pipe has closed it."""


class ResumeError(ValueError):
    """A file in which a list cannot be resumed. Says which, and why."""


class Mark(NamedTuple):
    """A place in a file up to which everything is on the disk: its size, and the last bytes."""

    size: int = 0
    tail: bytes = b""


class Output:
    """Takes solutions as text, and counts those that it has written."""

    def __init__(self, path: str | None = None, cores: int | None = None, deferred: bool = False) -> None:
        """Open a file, or standard output without a path. Raise OSError.

        A file is created or emptied at once; with `deferred`, it is opened by `resume`.
        """
        self.name = "standard output" if path is None else printable(path)
        self.solutions = 0
        """Solutions in the file, with those of earlier runs."""
        self.is_terminal = path is None and sys.stdout.isatty()
        self._path, self._cores = path, cores
        self._is_compressed = path is not None and path.endswith((".gz", ".zst"))
        self._sink: ByteSink = UnopenedSink()
        if path is None:
            sys.stdout.flush()
            self._sink = DescriptorSink(sys.stdout.fileno(), is_owned=False)
        elif not deferred:
            self._sink = open_sink(path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), cores)

    def resume(self, mark: Mark, solutions: int) -> None:
        """Continue behind a mark, up to which `solutions` solutions are written. Raise ResumeError."""
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
        self._sink = open_sink(self._path, number, self._cores, is_begun=mark.size > 0)

    def mark(self) -> Mark:
        """Put all that was written on the disk. Raise OutputLostError."""
        try:
            with deferred_signals():
                number = self._sink.sync()
        except OSError as error:
            raise self._lost(error) from None
        size = os.lseek(number, 0, os.SEEK_CUR)
        return Mark(size, os.pread(number, TAIL_BYTES, max(0, size - TAIL_BYTES)))

    def write(self, text: bytes | bytearray, solutions: int) -> int:
        """Write the text of some solutions, all of the same length; return the number written.

        An interrupt is deferred until that number is known. Raise OutputLostError.
        """
        view, written, number = memoryview(text), 0, 0
        try:
            with deferred_signals() as received:
                while written < len(view) and not received:
                    written += self._sink.write(view[written:], received)
        except OSError as error:
            begun = solutions if self._is_compressed else written * solutions // len(view)
            raise self._lost(error, begun) from None
        finally:
            number = written * solutions // max(1, len(view))
            self.solutions += number
        return number

    def close(self) -> None:
        """Write what is still to be written: the end of a compressed file. Raise OutputLostError."""
        try:
            with deferred_signals():
                self._sink.close()
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError, more: int = 0) -> OutputLostError:
        some = plural(self.solutions + more, "solution", "{:,}")
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
            if error is None:  # otherwise that one says more
                raise


def cut_off(number: int, mark: Mark, name: str) -> None:
    """Cut a file off behind a mark. Raise ResumeError, and do not touch it, if the mark does not fit."""
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
    """Takes bytes."""

    def write(self, data: memoryview, received: list[int]) -> int:
        """Write some bytes, and return their number; 0 as soon as a signal was received."""
        ...

    def sync(self) -> int:
        """Put all that was written on the disk, and return the descriptor of the file."""
        ...

    def close(self) -> None: ...


def open_sink(path: str, number: int, cores: int | None, is_begun: bool = False) -> ByteSink:
    """Return the sink for an open file: compressed as its name says.

    A file that is begun stays as it is if nothing is written.
    """
    if path.endswith(".zst"):
        import zstandard

        threads = -1 if cores is None else cores  # never 0: the bytes must not depend on their number
        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, threads=threads)
        start = partial(compressor.stream_writer, write_return_read=True, closefd=False)
        return CompressedSink(start, number, is_begun, zstandard.ZstdError)
    if path.endswith(".gz"):
        import gzip

        return CompressedSink(lambda file: gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0), number, is_begun)
    return DescriptorSink(number, is_owned=True)


class UnopenedSink:
    """The sink of a file that `Output.resume` is to open."""

    def write(self, data: memoryview, received: list[int]) -> int:
        raise RuntimeError("this file was not opened")

    def sync(self) -> int:
        raise RuntimeError("this file was not opened")

    def close(self) -> None:
        pass


class DescriptorSink:
    """A file, a pipe or a terminal."""

    POLL_MILLISECONDS = 100
    """The interval at which a full pipe is polled: an interrupt is heard between two polls."""

    FLUSH_BYTES = 32_000_000
    """Bytes after which the system is told to begin with writing them to the disk.

    Left to itself, it lets them pile up in memory: a list of 4 GB took 12 to 16 s instead of 6, and a
    mark in it 1.7 s instead of 0.05 s.
    """

    def __init__(self, number: int, is_owned: bool) -> None:
        self._number, self._is_owned = number, is_owned
        self._unflushed = 0
        self._is_file = stat.S_ISREG(os.fstat(number).st_mode) and hasattr(os, "posix_fadvise")
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: memoryview, received: list[int]) -> int:
        # If there is room for some bytes, a signal ends the call, which returns how many were written.
        while not received:
            if self._room.poll(self.POLL_MILLISECONDS):
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


class Compressor(Protocol):
    """The part of a library's compressed file that is used here."""

    def write(self, data: memoryview, /) -> int: ...
    def close(self) -> None: ...


class CompressedSink:
    """A file behind a compressor. The bytes between two marks can be decompressed by themselves."""

    def __init__(
        self,
        start: Callable[[BinaryIO], Compressor],
        number: int,
        is_begun: bool,
        failure: type[Exception] = MemoryError,
    ) -> None:
        self._start, self._file, self._failure = start, os.fdopen(number, "wb"), failure
        with self._compressing():
            self._compressor: Compressor | None = None if is_begun else start(self._file)

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
        """Raise the failure of a compressor, which has no memory, as an OSError: like a full disk."""
        try:
            yield
        except self._failure as error:
            raise OSError(errno.ENOMEM, f"cannot be compressed ({error})") from None
