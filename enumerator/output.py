"""Where solutions are written: standard output, or a file, compressed if its name says so."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import BinaryIO, Protocol

from enumerator.status import undisturbed
from enumerator.wording import plural, printable

GZIP_LEVEL, ZSTD_LEVEL = 1, 3
"""Lists are long, and so regular that more effort gains little."""


class LostError(OSError):
    """What was to be written could not be. Says where, why, and what was written."""


class Output:
    """Takes solutions and knows how many it has passed on."""

    def __init__(self, name: str | None = None, cores: int | None = None) -> None:
        """A file is made, or emptied, at once. Raises OSError."""
        self.name = "standard output" if name is None else printable(name)
        self.solutions = 0
        self.is_terminal = name is None and sys.stdout.isatty()
        self._is_packed = name is not None and name.endswith((".gz", ".zst"))
        """What was written may not have come to the disk yet."""
        if name is None:
            sys.stdout.flush()
        self._sink = standard_output() if name is None else opened(name, cores)

    def write(self, text: bytes | bytearray, solutions: int) -> None:
        """Write some solutions, each as long as the others. An interrupt waits until it is known how many."""
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

    def close(self) -> None: ...


def opened(name: str, cores: int | None) -> Sink:
    """A file to write to, packed as its name says."""
    if name.endswith(".zst"):
        import zstandard

        threads = -1 if cores is None else cores  # never 0: what is written must not depend on their number
        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, threads=threads)
        return Packed(compressor.stream_writer(file := open(name, "wb"), write_return_read=True), file)
    if name.endswith(".gz"):
        import gzip

        file = open(name, "wb")  # noqa: SIM115
        return Packed(gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0), file)
    return Descriptor(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), owned=True)


def standard_output() -> Sink:
    return Descriptor(sys.stdout.fileno(), owned=False)


class Descriptor:
    """A file, a pipe, a terminal."""

    WAIT = 100
    """Milliseconds."""

    def __init__(self, number: int, owned: bool) -> None:
        self._number, self._owned = number, owned
        self._room = select.poll()
        self._room.register(number, select.POLLOUT)

    def write(self, data: memoryview, noted: list[int]) -> int:
        # Where there is room for some of it, writing ends with an interrupt, and says how far it got.
        while not noted:
            if self._room.poll(self.WAIT):
                return os.write(self._number, data)
        return 0

    def close(self) -> None:
        if self._owned:
            os.close(self._number)


class Packer(Protocol):
    """What a library has to compress with."""

    def write(self, data: memoryview, /) -> int: ...
    def close(self) -> None: ...


class Packed:
    """A file behind a compressor."""

    def __init__(self, packer: Packer, file: BinaryIO) -> None:
        self._packer, self._file = packer, file

    def write(self, data: memoryview, noted: list[int]) -> int:  # noqa: ARG002
        return self._packer.write(data)

    def close(self) -> None:
        try:
            self._packer.close()
        finally:
            self._file.close()
