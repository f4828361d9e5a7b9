"""Compressed files and encodings: recognised by content, read to the point of damage, in flat memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from support.boards import PUZZLE, ROWS
from support.processes import run_python

from enumerator.board import Board
from enumerator.board.files import open_boards, read, read_all
from enumerator.board.reading import BoardError, Entry
from enumerator.board.sources import open_source

BOARD = Board.parse(PUZZLE)

Pack = Callable[[bytes], bytes]

PACKS: dict[str, Pack] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "zstd": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
    "xz": lzma.compress,
    "bzip2": bz2.compress,
}

ENCODINGS = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\0\0",
    "utf-32-be": b"\0\0\xfe\xff",
}

each_pack = pytest.mark.parametrize("name", PACKS)


def lines(number: int) -> bytes:
    """Return boards, one a line, that do not compress well: they stand for a long file."""
    shifted = (PUZZLE[shift % 81 :] + PUZZLE[: shift % 81] for shift in range(number))
    rng = random.Random(number)
    return "".join(f"{text} {rng.randbytes(20).hex()}\n" for text in shifted).encode()


def entries_of(path: Path, data: bytes) -> list[Entry]:
    path.write_bytes(data)
    return list(open_boards(str(path)))


@each_pack
def test_a_compressed_file_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "boards.txt"
    for text in (PUZZLE, "\n".join(ROWS), f"{PUZZLE}\n" * 3000, f"# remark\n{PUZZLE}\nwrong\n"):
        plain = entries_of(path, text.encode())
        packed = entries_of(path, PACKS[name](text.encode()))
        assert [(str(entry.content), entry.line, entry.name) for entry in packed] == [
            (str(entry.content), entry.line, entry.name) for entry in plain
        ]


@each_pack
def test_several_streams_are_one_text(tmp_path: Path, name: str) -> None:
    path, pack = tmp_path / "boards.txt", PACKS[name]
    data = b"".join(pack(part) for part in (PUZZLE.encode() + b"\n", b"", PUZZLE[:40].encode(), PUZZLE[40:].encode()))
    path.write_bytes(data)
    assert list(read_all(path)) == [BOARD] * 2
    if name in ("gzip", "xz"):  # zeros between streams, and behind the last
        path.write_bytes(data + bytes(8) + pack(b"\n") + data + bytes(1000))
        assert list(read_all(path)) == [BOARD] * 4


@each_pack
def test_an_empty_text_has_no_board(tmp_path: Path, name: str) -> None:
    (entry,) = entries_of(tmp_path / "boards.txt", PACKS[name](b""))
    assert str(entry.content) == f"{tmp_path}/boards.txt: no board in it"


@each_pack
def test_a_file_that_is_cut_off_is_read_up_to_there(tmp_path: Path, name: str) -> None:
    text = lines(3000)
    data = PACKS[name](text)
    complete = entries_of(tmp_path / "whole", data)
    for end in (20, len(data) // 2, len(data) - 1):
        *boards, last = entries_of(tmp_path / "cut", data[:end])
        assert str(last.content) == f"{tmp_path}/cut: the {name} data is truncated; the rest was not read"
        assert [entry.content for entry in boards] == [entry.content for entry in complete[: len(boards)]]
        assert end == 20 or name == "bzip2" or len(boards) > 3000 * (end / len(data) - 0.4)


def zipped(files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of some files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, method)  # without the time of day
    return data.getvalue()


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str
)
@pytest.mark.parametrize("others", [(), ("folder/",), ("__MACOSX/._a.txt",)], ids=["alone", "folder", "macOS"])
def test_the_only_file_of_a_zip_archive_is_read(tmp_path: Path, method: int, others: tuple[str, ...]) -> None:
    text = lines(1000).decode()
    data = zipped({**dict.fromkeys(others, ""), "folder/a.txt": text}, method)
    (tmp_path / "plain").write_text(text)
    found = entries_of(tmp_path / "packed", data)
    assert [entry.content for entry in found] == [entry.content for entry in open_boards(str(tmp_path / "plain"))]
    assert found[-1].line == 1000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zipped({"a.txt": PUZZLE, "b.txt": PUZZLE}), "is a zip archive of 2 files: unpack it, and name the files"),
        (zipped({"folder/": ""}), "is a zip archive without files"),
        (zipped({}), "is a zip archive without files"),
        (zipped({"a.txt": PUZZLE})[:60], "the zip data is damaged"),
        (zipped({"a.txt": PUZZLE}, zipfile.ZIP_STORED).replace(b"53", b"35", 1), "the zip data is damaged (Bad CRC-32"),
        (zipped({"a.zip": PUZZLE}).replace(b"\0\0\x08\0", b"\1\0\x08\0"), "is an encrypted zip archive"),
    ],
)
def test_other_archives_are_refused_by_name(tmp_path: Path, data: bytes, message: str) -> None:
    (entry,) = entries_of(tmp_path / "a.zip", data)
    assert message in str(entry.content)


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    inner = zipped({"a.txt": PUZZLE})
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.zip", inner)
    (entry,) = entries_of(tmp_path / "twice.zip", data.getvalue())
    assert "is compressed twice" in str(entry.content)


def test_an_archive_in_a_pipe_is_refused() -> None:
    with pytest.raises(BoardError, match="is a zip archive, which is not read from a pipe"):
        read(io.BytesIO(zipped({"a.txt": PUZZLE})))


@pytest.mark.parametrize(("window", "is_read"), [(27, True), (28, False), (31, False)])
def test_a_file_that_needs_too_much_memory_says_so(tmp_path: Path, window: int, is_read: bool) -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=window, enable_ldm=True)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()  # without the size of the data
    path = tmp_path / "long.zst"
    path.write_bytes(compressor.compress(f"{PUZZLE}\n".encode()) + compressor.flush())
    (entry,) = open_boards(str(path))
    assert isinstance(entry.content, Board) == is_read
    if not is_read:
        assert "the zstd data needs more memory than the 128 MB that are allowed" in str(entry.content)


@each_pack
def test_a_damaged_file_is_read_up_to_there(tmp_path: Path, name: str) -> None:
    """Some lines behind the damage may be decompressed to rubbish before it is noticed."""
    data = bytearray(PACKS[name](lines(3000)))
    complete = entries_of(tmp_path / "whole", bytes(data))
    data[len(data) // 2 :] = bytes(byte ^ 0x5A for byte in data[len(data) // 2 :])
    entries = entries_of(tmp_path / "damaged", bytes(data))
    assert isinstance(entries[-1].content, BoardError)
    if name != "bzip2":  # a block of 900,000 bytes is damaged as a whole
        assert [entry.content for entry in entries[:900]] == [entry.content for entry in complete[:900]]


@each_pack
def test_rubbish_behind_a_stream_is_not_passed_over(tmp_path: Path, name: str) -> None:
    board, last = entries_of(tmp_path / "boards", PACKS[name](f"{PUZZLE}\n".encode()) + f"{PUZZLE}\n".encode())
    assert board.content == BOARD
    assert f"the {name} data is damaged" in str(last.content)


@each_pack
def test_a_file_that_is_compressed_twice_is_named(tmp_path: Path, name: str) -> None:
    (entry,) = entries_of(tmp_path / "twice", gzip.compress(PACKS[name](PUZZLE.encode())))
    assert str(entry.content) == f"{tmp_path}/twice: is compressed twice: decompress it once"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, encoding: str) -> None:
    path, mark = tmp_path / "boards.txt", ENCODINGS[encoding]
    for text in (PUZZLE, "\r\n".join(ROWS), f"{PUZZLE}\n" * 3_300, "┌─┐\n" + "\n".join(ROWS)):
        plain = entries_of(path, text.encode())
        for pack in (bytes, *PACKS.values()) if len(text) < 1_000 else (gzip.compress,):
            assert [str(entry.content) for entry in entries_of(path, pack(mark + text.encode(encoding)))] == [
                str(entry.content) for entry in plain
            ]


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "utf-8"])
def test_a_text_that_is_not_valid_is_read_up_to_there(tmp_path: Path, encoding: str) -> None:
    text = ENCODINGS[encoding] + f"{PUZZLE}\n{PUZZLE}\n".encode(encoding)
    for more in (b"\x31", b"\xd8\xd8\xd8\xd8" * 4):
        *boards, last = entries_of(tmp_path / "text", text + more)
        assert [entry.content for entry in boards] == [BOARD] * 2
        assert f"text: is not valid {encoding[:6].upper()} (" in str(last.content)


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "utf-8"])
def test_a_text_without_its_mark_is_named(tmp_path: Path, encoding: str) -> None:
    (entry,) = entries_of(tmp_path / "text", PUZZLE.encode(encoding))
    message = f"looks like {encoding[:6].upper()} without a byte-order mark: save it as UTF-8"
    assert str(entry.content) == f"{tmp_path}/text: {message}"


@pytest.mark.parametrize(
    "data", [b"\0", b"\0" * 100, b"\x1f", b"B", b"BZh", b"\xff\xfe", b"\xef\xbb", b"1\0", b"\xfd7zXZ"]
)
def test_odd_bytes_are_an_error_and_no_more(tmp_path: Path, data: bytes) -> None:
    for entry in entries_of(tmp_path / "odd", data):
        assert isinstance(entry.content, BoardError)
        assert str(entry.content).isprintable()


@pytest.mark.parametrize("name", [*PACKS, "utf-16-le"])
def test_a_signature_may_come_byte_by_byte(name: str) -> None:
    """A pipe may have one byte of a signature at first."""
    data = PACKS[name](PUZZLE.encode()) if name in PACKS else ENCODINGS[name] + PUZZLE.encode(name)
    reader, writer = os.pipe()
    taken = threading.Event()

    def write() -> None:
        for index in range(12):
            os.write(writer, data[index : index + 1])
            taken.wait(0.002)
        os.write(writer, data[12:])
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        with open_source(reader, "pipe") as file:
            found = b""
            while more := file.read1():
                found += more
        assert found == PUZZLE.encode()
    finally:
        thread.join()
        os.close(reader)


@pytest.mark.slow
@each_pack
def test_memory_is_flat_whatever_a_file_expands_to(tmp_path: Path, name: str) -> None:
    """80 MB of blank lines and a board behind them."""
    if name == "bzip2":
        data = bz2.compress(b"\n" * 5_000_000) * 16 + bz2.compress(PUZZLE.encode())
    else:
        data = PACKS[name](b"\n" * 5_000_000) * 16 + PACKS[name](PUZZLE.encode())
    (tmp_path / "bomb").write_bytes(data)
    program = (
        "import resource, sys; from enumerator.board.sources import open_source\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "total = 0\n"
        "with open_source(sys.argv[1], '') as file:\n"
        "    while data := file.read1(1 << 19): total += len(data)\n"
        "print(total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = run_python(program, tmp_path / "bomb", status=0)
    total, kilobytes = map(int, done.stdout.split())
    assert total == 80_000_081
    assert kilobytes < 40_000


def test_reading_a_plain_file_imports_no_decompressor(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(PUZZLE)
    program = "import sys; from enumerator import read; read(sys.argv[1]); print(*sys.modules)"
    done = run_python(program, tmp_path / "plain", status=0)
    assert not set(done.stdout.split()) & {"gzip", "bz2", "lzma", "zstandard", "json"}


def test_a_single_board_is_read_from_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "board.gz"
    path.write_bytes(gzip.compress("\n".join(ROWS).encode()))
    assert read(path) == BOARD
