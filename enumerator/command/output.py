"""Where solutions are written: standard output, or a file, compressed if its name says so."""

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
from typing import BinaryIO, NamedTuple, Protocol

from enumerator.board.wording import plural, printable
from enumerator.command.console import undisturbed

GZIP_LEVEL, ZSTD_LEVEL = 1, 3
"""Lists are long, and so regular that more effort gains little."""


class LostError(OSError):
    """What was to be written could not be. Says where, why, and what was written."""


class Mark(NamedTuple):
    """A place in a file up to which all is written, and on the disk: how many bytes, and the last of them."""

    size: int = 0
    tail: bytes = b""


class NotOursError(ValueError):
    """A file that is not what was written."""


class Output:
    """Takes solutions and knows how many it has passed on."""

    def __init__(self, name: str | None = None, cores: int | None = None, later: bool = False) -> None:
        """A file is made, or emptied, at once; or later, by `go_on`. Raises OSError."""
        self.name = "standard output" if name is None else printable(name)
        self.solutions = self.taken = 0
        """And how many bytes it was given for that, written or not."""
        self.is_terminal = name is None and sys.stdout.isatty()
        self._path, self._cores = name, cores
        self._is_packed = name is not None and name.endswith((".gz", ".zst"))
        """What was written may not have come to the disk yet."""
        self._sink: Sink = Nowhere()
        if name is None:
            sys.stdout.flush()
            self._sink = Descriptor(sys.stdout.fileno(), owned=False)
        elif not later:
            self._sink = packed(name, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), cores)

    def go_on(self, mark: Mark, solutions: int) -> None:
        """Go on behind a mark, where so many solutions are written. Raises OSError, NotOursError."""
        if self._path is None:
            raise NotOursError("standard output cannot be gone on with")
        number = os.open(self._path, os.O_RDWR | (0 if mark.size else os.O_CREAT), 0o666)
        try:
            cut(number, mark, self.name)
        except BaseException:
            os.close(number)
            raise
        self.solutions = solutions
        self._sink = packed(self._path, number, self._cores, mark)

    def mark(self) -> Mark:
        """Have all that was written so far on the disk. Raises LostError."""
        try:
            with undisturbed():
                number = self._sink.sync()
        except OSError as error:
            raise self._lost(error) from None
        size = os.lseek(number, 0, os.SEEK_CUR)
        return Mark(size, os.pread(number, TAIL, max(0, size - TAIL)))

    def write(self, text: bytes | bytearray, solutions: int) -> None:
        """Write some solutions, each as long as the others. An interrupt waits until it is known how many."""
        self.taken += len(text)  # first: an interrupt or an error may leave any part of it behind
        view, written = memoryview(text), 0
        try:
            with undisturbed() as noted:
                while written < len(view) and not noted:
                    written += self._sink.write(view[written:], noted)
        except BrokenPipeError:
            raise
        except OSError as error:
            begun = solutions if self._is_packed else written * solutions // len(view)
            raise self._lost(error, begun) from None
        finally:
            self.solutions += written * solutions // max(1, len(view))

    def close(self) -> None:
        """Write what is still to be written, the end of a compressed file for one."""
        try:
            with undisturbed():
                self._sink.close()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError, more: int = 0) -> LostError:
        some = plural(self.solutions + more, "solution", "{:,}")
        bound = "no more than " if self._is_packed else ""
        return LostError(f"{self.name}: {error.strerror or error}; {bound}{some} written")

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OSError:
            if error is None:  # otherwise that one has more to say
                raise


class Sink(Protocol):
    """What takes bytes."""

    def write(self, data: memoryview, noted: list[int]) -> int:
        """Write some of them, and say how many; none, if there is an interrupt to be waited for."""
        ...

    def sync(self) -> int:
        """Have all of it on the disk. Returns the descriptor of the file."""
        ...

    def close(self) -> None: ...


class Nowhere:
    """Where a file is opened later."""

    def write(self, data: memoryview, noted: list[int]) -> int:
        raise RuntimeError("this file was not opened")

    def sync(self) -> int:
        raise RuntimeError("this file was not opened")

    def close(self) -> None:
        pass


TAIL = 64
"""Bytes before a mark by which a file is known again."""


def cut(number: int, mark: Mark, name: str) -> None:
    """Cut a file off behind a mark. Raises NotOursError, and leaves it alone, if that is not there."""
    if not stat.S_ISREG(os.fstat(number).st_mode):
        raise NotOursError(f"{name}: is no file that could be gone on with")
    size = os.fstat(number).st_size
    if size < mark.size:
        raise NotOursError(f"{name}: has {size:,} bytes, and {mark.size:,} were written to it")
    if os.pread(number, len(mark.tail), mark.size - len(mark.tail)) != mark.tail:
        raise NotOursError(f"{name}: is not what was written")
    os.ftruncate(number, mark.size)
    os.lseek(number, 0, os.SEEK_END)


def packed(name: str, number: int, cores: int | None, mark: Mark | None = None) -> Sink:
    """A file to write to, packed as its name says. Behind a mark, it stays as it is if nothing is written."""
    begun = mark is not None and mark.size > 0
    if name.endswith(".zst"):
        import zstandard

        threads = -1 if cores is None else cores  # never 0: what is written must not depend on their number
        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, threads=threads)
        start = partial(compressor.stream_writer, write_return_read=True, closefd=False)
        return Packed(start, number, begun, zstandard.ZstdError)
    if name.endswith(".gz"):
        import gzip

        return Packed(lambda file: gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0), number, begun)
    return Descriptor(number, owned=True)


class Descriptor:
    """A file, a pipe, a terminal."""

    WAIT = 100
    """Milliseconds."""

    HASTE = 32_000_000
    """Bytes after which the disk is told to begin with them. Left to itself, the system lets them pile up in memory: a
    list of 4 GB took 12 to 16 s instead of 6, and a mark in it 1.7 s instead of 0.05 s."""

    def __init__(self, number: int, owned: bool) -> None:
        self._number, self._owned = number, owned
        self._waiting = 0
        self._is_file = stat.S_ISREG(os.fstat(number).st_mode) and hasattr(os, "posix_fadvise")
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: memoryview, noted: list[int]) -> int:
        # Where there is room for some of it, writing ends with an interrupt, and says how far it got.
        while not noted:
            if self._room.poll(self.WAIT):
                written = os.write(self._number, data)
                self._hasten(written)
                return written
        return 0

    def _hasten(self, written: int) -> None:
        self._waiting += written
        if self._is_file and self._waiting > self.HASTE:
            os.posix_fadvise(self._number, 0, 0, os.POSIX_FADV_DONTNEED)
            self._waiting = 0

    def sync(self) -> int:
        os.fsync(self._number)
        return self._number

    def close(self) -> None:
        if self._owned:
            os.close(self._number)


class Packer(Protocol):
    """What a library has to compress with."""

    def write(self, data: memoryview, /) -> int: ...
    def close(self) -> None: ...


class Packed:
    """A file behind a compressor. What is between two marks can be unpacked by itself."""

    def __init__(
        self, start: Callable[[BinaryIO], Packer], number: int, begun: bool, failure: type[Exception] = MemoryError
    ) -> None:
        self._start, self._file, self._failure = start, os.fdopen(number, "wb"), failure
        with self._packing():
            self._packer: Packer | None = None if begun else start(self._file)

    def write(self, data: memoryview, noted: list[int]) -> int:
        with self._packing():
            self._packer = self._packer or self._start(self._file)
            return self._packer.write(data)

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
        packer, self._packer = self._packer, None
        if packer:
            with self._packing():
                packer.close()

    @contextmanager
    def _packing(self) -> Iterator[None]:
        """A compressor that gives up has no memory: it is lost like a file on a full disk."""
        try:
            yield
        except self._failure as error:
            raise OSError(errno.ENOMEM, f"cannot be compressed ({error})") from None
