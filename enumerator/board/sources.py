"""The bytes of files and of standard input, decompressed and as UTF-8.

The first bytes tell how a file is compressed and encoded; its name does not matter.

    compressed   gzip, zstd, xz, bzip2; several streams in sequence are one text; zip with one file (`archives`)
    encoded      UTF-8; UTF-16 and UTF-32 after a byte-order mark

Memory does not grow with a file, nor with what it expands to. A file that is damaged or truncated
raises a BoardError after the last bytes that could be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from itertools import chain
from typing import Any, NamedTuple, Protocol, cast

from enumerator.board.reading import BoardError

BUFFER_BYTES = 1 << 20
"""The size of the buffer of a file, from which the first bytes are peeked at.

A buffer larger than the blocks that are read keeps the allocator from returning their memory:
reading 300,000 boards takes 50 ms and 3,900 page faults, instead of 64 ms and 8,300 with 512 KB.
"""

PIECE_BYTES = 1 << 18
"""The number of decompressed bytes that are collected before they are handed on."""

INPUT_BYTES = 1 << 10
"""The number of compressed bytes that are decompressed at a time.

Damage loses what these bytes expand to. With zstd that is at most 32 MB, with gzip 1 MB; xz and
bzip2 expand to PIECE_BYTES at a time.
"""

TOO_MUCH_MEMORY = "too much memory"
"""What the error of zstd says about data that refers to more than 128 MB before it, as `zstd --long=31` writes it."""

NEEDS_MEMORY = (
    "the {} data needs more memory than the 128 MB that are allowed: decompress it first, by zstd -d --long=31"
)

HEAD_BYTES = 8
"""The number of bytes that tell how a file is encoded, if it has no mark."""

BYTE_ORDER_MARKS = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe\0\0": "utf-32-le",
    b"\0\0\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}
"""Encodings by their byte-order marks. The longer mark of two that begin alike comes first."""


class ByteSource(Protocol):
    """A file from which bytes are read."""

    def read1(self, size: int = -1, /) -> bytes:
        """Return at least one byte; none at the end."""
        ...


class Decompressor(Protocol):
    """The methods of a decompressor that are used here."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class Compression(NamedTuple):
    """A way to compress files."""

    name: str
    start: Callable[[], Decompressor]
    """Return a decompressor of one stream."""
    has_padding: bool = False
    """True if zeros may stand between streams and after the last one."""


def _start_gzip() -> Decompressor:
    import zlib

    return zlib.decompressobj(wbits=31)


def _start_zstd() -> Decompressor:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()


def _start_xz() -> Decompressor:
    import lzma

    return _Limited(lzma.LZMADecompressor(lzma.FORMAT_XZ))


def _start_bzip2() -> Decompressor:
    import bz2

    return _Limited(bz2.BZ2Decompressor())


_ZSTD = Compression("zstd", _start_zstd)

COMPRESSIONS = {
    b"\x1f\x8b": Compression("gzip", _start_gzip, has_padding=True),
    b"\x28\xb5\x2f\xfd": _ZSTD,
    **{bytes([0x50 + number, 0x2A, 0x4D, 0x18]): _ZSTD for number in range(16)},  # a frame to be skipped
    b"\xfd7zXZ\0": Compression("xz", _start_xz, has_padding=True),
    **{b"BZh%d1AY&SY" % level: Compression("bzip2", _start_bzip2) for level in range(1, 10)},
    **{b"BZh%d\x17rE8P\x90" % level: Compression("bzip2", _start_bzip2) for level in range(1, 10)},
}
"""Ways to compress files, by the first bytes of a file. The latter of bzip2 is an empty file."""

ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of a zip archive. The latter is one without files."""

_PACKED = (*COMPRESSIONS, *ARCHIVES)
_SIGNATURES = (*_PACKED, *BYTE_ORDER_MARKS)


@contextmanager
def open_source(place: str | int, source: str) -> Iterator[ByteSource]:
    """Open a file as UTF-8 without a byte-order mark. `source` is its name in errors.

    An open descriptor such as 0, standard input, is opened as a new file object. It is not closed.
    Raise OSError if the file cannot be opened, and a BoardError if its encoding is not known.
    """
    try:
        file = open(place, "rb", BUFFER_BYTES, closefd=isinstance(place, str))  # noqa: SIM115 - closed below
    except ValueError as error:  # a NUL in the name
        raise BoardError(str(error), source) from None
    with file:
        yield _as_text(cast(BufferedReader, file), source)


@contextmanager
def open_object(file: Any, source: str) -> Iterator[ByteSource]:
    """Read an open file of text or of bytes, as `open_source` does. It is not closed.

    More of it may be read than is used.
    """
    yield _as_text(BufferedReader(_FileObject(file), BUFFER_BYTES), source)


class _FileObject(RawIOBase):
    """A file object as a raw stream of bytes. Text becomes UTF-8."""

    def __init__(self, file: Any) -> None:
        nothing = file.read(0)
        if not isinstance(nothing, str | bytes):
            raise TypeError(f"a file of boards has text or bytes, not {type(nothing).__name__}")
        self._is_text, self._left = isinstance(nothing, str), b""
        self._read: Callable[[int], Any] = file.read if self._is_text else getattr(file, "read1", file.read)
        if self._is_text and not file.seekable():  # a pipe: `read` would wait until it has all characters
            self._read = lambda _: file.readline()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._left or self._read(len(buffer))
        if not isinstance(data, bytes):
            data = _encode(data) if data else b""
        part, self._left = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _encode(text: str) -> bytes:
    """Return a text as UTF-8. Bytes that were not UTF-8 where it was read are restored."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character: no digit either, but one character
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _as_text(file: BufferedReader, source: str) -> ByteSource:
    """Return the bytes of an open file as UTF-8."""
    head, opened = _peek(file)
    compression = next((way for start, way in COMPRESSIONS.items() if head.startswith(start)), None)
    if compression is not None or head.startswith(ARCHIVES):
        if compression is not None:
            opened = _Pieces(_collect(_decompress(opened, compression, source)))
        else:
            opened = _Pieces(_collect(_unpack(file, source)))
        head = opened.head()
        if head.startswith(_PACKED):
            raise BoardError("is compressed twice: decompress it once", source)
    mark = next((mark for mark in BYTE_ORDER_MARKS if head.startswith(mark)), b"")
    if mark:
        opened = opened if isinstance(opened, _Pieces) else _Pieces(_pieces_of(opened))
        opened.skip(len(mark))
        if (encoding := BYTE_ORDER_MARKS[mark]) != "utf-8":
            return _Pieces(_collect(_transcode(opened, encoding, source)))
    elif guess := _guess_encoding(head[:HEAD_BYTES]):
        raise BoardError(f"looks like {guess} without a byte-order mark: save it as UTF-8", source)
    return opened


def _peek(file: BufferedReader) -> tuple[bytes, ByteSource]:
    """Return the first bytes of a file, enough to know its signature, and the file from its start.

    A pipe may have only the first bytes of a signature yet. Most files have more, and are returned
    as they are.
    """
    head = bytes(file.peek(1))
    if not any(start.startswith(head) for start in _SIGNATURES if head and len(head) < len(start)):
        return head, file
    head = b""
    while any(start.startswith(head) and head != start for start in _SIGNATURES) and (more := file.read1()):
        head += more
    return head, _Pieces(chain([head] if head else [], _pieces_of(file)))


def _guess_encoding(head: bytes) -> str:
    """Return the encoding of a text that has a zero beside each character; "" if there is none."""
    zeros = [byte == 0 for byte in head]
    patterns: dict[str, list[tuple[bool, ...]]] = {
        "UTF-32": [(False, True, True, True), (True, True, True, False)],
        "UTF-16": [(False, True), (True, False)],
    }
    for name, some in patterns.items():
        for pattern in some:
            if len(head) >= 4 and zeros == list(pattern * len(head))[: len(head)]:
                return name
    return ""


# ------------------------------------------------------------------------------------------ pieces


class _Pieces:
    """A file made of pieces of bytes."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._left = pieces, b""

    def read1(self, size: int = -1, /) -> bytes:
        data = self._left or next(self._pieces, b"")
        if size < 0 or len(data) <= size:
            self._left = b""
            return data
        self._left = data[size:]
        return data[:size]

    def head(self) -> bytes:
        """Return the first bytes without taking them."""
        self._left = self._left or next(self._pieces, b"")
        return self._left

    def skip(self, size: int) -> None:
        """Take the first bytes, which `head` has returned."""
        self._left = self.head()[size:]


def _pieces_of(file: ByteSource) -> Iterator[bytes]:
    while data := file.read1(PIECE_BYTES):
        yield data


def _collect(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield larger pieces. What was read before an error comes before it."""
    some: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            some.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                yield b"".join(some)
                some, size = [], 0
    except BoardError:
        if size:
            yield b"".join(some)
        raise
    if size:
        yield b"".join(some)


class _Limited:
    """A decompressor of xz or bzip2 that returns at most PIECE_BYTES at a time."""

    def __init__(self, decompressor: Any) -> None:
        self._decompressor = decompressor

    @property
    def eof(self) -> bool:
        return bool(self._decompressor.eof)

    @property
    def unused_data(self) -> bytes:
        return cast(bytes, self._decompressor.unused_data)

    @property
    def has_more(self) -> bool:
        """True if the bytes that were passed have not all been decompressed."""
        return not self._decompressor.needs_input

    def decompress(self, data: bytes, /) -> bytes:
        return cast(bytes, self._decompressor.decompress(data, PIECE_BYTES))


def _decompress(file: ByteSource, compression: Compression, source: str) -> Iterator[bytes]:
    """Yield the decompressed bytes of a file. Raise a BoardError if it is damaged or truncated."""
    failure = f"the {compression.name} data is {{}}; the rest was not read"
    data = file.read1(INPUT_BYTES)
    while data:
        stream = compression.start()
        while not stream.eof:
            if not data and not getattr(stream, "has_more", False):
                data = file.read1(INPUT_BYTES)
                if not data:
                    raise BoardError(failure.format("truncated"), source)
            try:
                piece = stream.decompress(data)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - each library has its own: zlib.error, LZMAError, ZstdError, OSError
                if TOO_MUCH_MEMORY in str(error):
                    raise BoardError(NEEDS_MEMORY.format(compression.name), source) from None
                raise BoardError(failure.format(f"damaged ({error})"), source) from None
            data = b""
            if piece:
                yield piece
        data = stream.unused_data or file.read1(INPUT_BYTES)
        while compression.has_padding and data and not data.strip(b"\0"):
            data = file.read1(INPUT_BYTES)
        data = data.lstrip(b"\0") if compression.has_padding else data


def _unpack(file: BufferedReader, source: str) -> Iterator[bytes]:
    """Return the bytes of the only file of a zip archive. Raise a BoardError if it has others, or is a pipe."""
    from enumerator.board.archives import read_archive, refuse_archive

    return read_archive(file, source, PIECE_BYTES) if file.seekable() else refuse_archive(source)


def _transcode(file: ByteSource, encoding: str, source: str) -> Iterator[bytes]:
    """Yield the bytes of a text as UTF-8. Raise a BoardError if it is not valid."""
    import codecs

    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for piece in _pieces_of(file):
            yield decoder.decode(piece).encode()
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        yield error.object[: error.start].decode(encoding).encode()
        name = encoding[:6].upper()
        raise BoardError(f"is not valid {name} ({error.reason}); the rest was not read", source) from None
