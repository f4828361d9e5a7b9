"""Where solutions are written: standard output, or a file, compressed if its name says so."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Protocol

from enumerator.wording import plural, printable

if TYPE_CHECKING:
    from gzip import GzipFile

GZIP_LEVEL, ZSTD_LEVEL = 1, 3
"""Lists are long, and so regular that more effort gains little."""


class LostError(OSError):
    """What was to be written could not be. Says where, why, and what was written."""


class Sink(Protocol):
    """What takes bytes."""

    def write(self, data: memoryview, /) -> int | None: ...
    def close(self) -> None: ...


class Output:
    """Takes solutions and knows how many it has passed on."""

    def __init__(self, name: str | None = None, cores: int | None = None) -> None:
        """A file is made, or emptied, at once. Raises OSError, or ImportError where a library is missing."""
        self.name = printable(name) if name else "standard output"
        self.solutions = 0
        self._is_exact = True
        """Nothing stands between what was written and the disk, or the pipe."""
        self.is_terminal = name is None and sys.stdout.isatty()
        if name is None:
            sys.stdout.flush()
            self._sink: Sink = Descriptor(sys.stdout.fileno())
        else:
            self._sink = self._compressed(name, cores)

    def _compressed(self, name: str, cores: int | None) -> Sink:
        self._is_exact = not name.endswith((".gz", ".zst"))
        if name.endswith(".zst"):
            import zstandard

            compressor = zstandard.ZstdCompressor(ZSTD_LEVEL, threads=0 if cores == 1 else cores or -1)
            return compressor.stream_writer(open(name, "wb"), write_return_read=True)
        if name.endswith(".gz"):
            import gzip

            file = open(name, "wb")  # noqa: SIM115
            return Gzip(gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0), file)
        return open(name, "wb", buffering=0)

    def write(self, text: bytes | bytearray, solutions: int) -> None:
        """Write some solutions, each as long as the others."""
        view, written = memoryview(text), 0
        try:
            while written < len(view):
                written += self._sink.write(view[written:]) or 0
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._lost(error, written * solutions // len(view)) from None
        finally:
            self.solutions += written * solutions // max(1, len(view))

    def close(self) -> None:
        """Write what is still to be written, the end of a compressed file for one."""
        try:
            self._sink.close()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError, more: int = 0) -> LostError:
        some = plural(self.solutions + more, "solution", "{:,}")
        return LostError(
            f"{self.name}: {error.strerror or error}; {'' if self._is_exact else 'no more than '}{some} written"
        )

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


class Descriptor:
    """A file of the process's own, that others will go on with."""

    def __init__(self, number: int) -> None:
        self._number = number

    def write(self, data: memoryview, /) -> int:
        return os.write(self._number, data)

    def close(self) -> None:
        """Leave it open."""


class Gzip:
    """A compressed file that closes the file it is written to."""

    def __init__(self, packed: GzipFile, file: BinaryIO) -> None:
        self._packed, self._file = packed, file

    def write(self, data: memoryview, /) -> int:
        return self._packed.write(data)

    def close(self) -> None:
        try:
            self._packed.close()
        finally:
            self._file.close()
