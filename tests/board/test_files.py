"""Files of boards: line ends, names, blocks, and what is said of a file that cannot be read."""

import errno
import gzip
import io
import os
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from support.boards import PUZZLE, ROWS

from enumerator.board import Board, Shape, files
from enumerator.board.files import MAX_LINE_CHARACTERS, Block, open_blocks, open_boards, read, read_all
from enumerator.board.reading import BoardError


def test_a_file_is_read_whatever_its_line_ends_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "a board.txt"
    for text in ("\r\n".join(ROWS), "\r".join(ROWS), "\n\n".join(ROWS), "\ufeff" + "\n".join(ROWS)):
        path.write_bytes(text.encode())
        assert read(path) == read(str(path)) == Board.parse(PUZZLE)


def test_lines_have_the_same_numbers_however_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "ends.txt"
    for end, lines in (("\r\r\n", [1, 3, 4]), ("\r \n", [1, 3, 4]), (" \t\r\n", [1, 2, 3]), ("\v\f\n", [1, 2, 3])):
        path.write_bytes(f"{PUZZLE}{end}{PUZZLE}\n{PUZZLE}".encode())
        assert [entry.line for entry in open_boards(str(path))] == lines


def test_a_line_is_too_long_however_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    most = MAX_LINE_CHARACTERS
    for blanks in (most - len(PUZZLE), most + 1, 4 * most, 10 * most):
        path.write_text(f"{PUZZLE}{' ' * blanks}\n{PUZZLE}\n")
        (error,) = (entry.content for entry in open_boards(str(path)))
        assert str(error) == f"{path}:1: a line of more than 100,000 characters"


def test_several_grids_in_a_file_are_named_by_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "grids.txt"
    path.write_text(("\n".join(ROWS) + "\n\n") * 3)
    entries = list(open_boards(str(path)))
    assert [entry.content for entry in entries] == [Board.parse(PUZZLE)] * 3
    assert [entry.name for entry in entries] == [f"{path}:1", f"{path}:11", f"{path}:21"]


@pytest.mark.parametrize("block_bytes", [100, 1 << 19])
def test_a_meter_knows_how_much_of_a_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block_bytes: int
) -> None:
    monkeypatch.setattr(files, "BLOCK_BYTES", block_bytes)
    path, grid = tmp_path / "mixed.txt", "\n".join(ROWS)
    path.write_text(f"{PUZZLE}\n" * 20 + f"# a remark\n{grid}\n\n{grid}\n{PUZZLE}\n" * 10)
    meter = files.BytesRead()
    seen = [0, *(meter.bytes for _ in files.open_blocks(str(path), meter=meter))]
    assert seen == sorted(seen)
    assert max(later - earlier for earlier, later in pairwise(seen)) < 20 * 82 + 1
    assert meter.bytes == path.stat().st_size


@pytest.mark.parametrize("content", [b"", b"\n\n", b",,\n", b"# only a remark\n", b"\xef\xbb\xbf", b"---+---\n"])
def test_a_file_without_a_board_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.txt"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=r"none\.txt: no board in it"):
        read(str(path))


def test_what_cannot_be_opened_is_an_error_of_the_system(tmp_path: Path) -> None:
    for path, kind in ((tmp_path / "absent.txt", FileNotFoundError), (tmp_path, IsADirectoryError)):
        for name in (path, str(path)):
            with pytest.raises(kind) as caught:
                read(name)
            assert caught.value.filename == str(path)
            assert caught.value.errno
            assert not hasattr(caught.value, "__notes__")
            boards = read_all(name, on_error="skip")
            with pytest.raises(kind):
                next(boards)
    with pytest.raises(BoardError, match="null byte"):
        read("a\0b")


def test_what_cannot_be_opened_is_an_entry_for_the_command(tmp_path: Path) -> None:
    for name, reason in ((tmp_path / "absent.txt", "No such file or directory"), (tmp_path, "Is a directory")):
        (entry,) = open_boards(str(name))
        assert str(entry.content) == f"{name}: {reason}"


@pytest.mark.parametrize("text", [PUZZLE, "\n".join(ROWS), "." * 625])
def test_a_text_in_the_place_of_a_path_is_told_where_to_go(text: str) -> None:
    with pytest.raises(OSError, match=r"No such file|too long") as caught:
        read(text)
    assert caught.value.__notes__ == ["read takes the name of a file; Board(text) reads a text"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.touch(mode=0o000)
    with pytest.raises(PermissionError):
        read(str(path))


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "binary.txt"
    path.write_bytes(b"\xff" + PUZZLE[1:].encode())
    with pytest.raises(BoardError, match=r"binary\.txt:1:1: '\\udcff' is no digit"):
        read(str(path))


def test_lines_of_16_symbols_are_read_in_blocks_once_it_is_known_that_they_are_boards(tmp_path: Path) -> None:
    path = tmp_path / "fours.txt"
    path.write_text("1234............\n" * 20_000)
    blocks = list(open_blocks(str(path)))
    assert len(blocks) < 5
    assert all(isinstance(block, Block) for block in blocks)
    assert [entry.line for entry in open_boards(str(path))] == list(range(1, 20_001))


def test_a_board_that_is_also_a_row_is_read_alike_in_blocks_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.txt"
    for count, text in ((15, "."), (16, "."), (17, "."), (40, "."), (32, "F")):
        path.write_text("".join(f"{'.' * 15}{text}\n" if row == 20 else "................\n" for row in range(count)))
        found = []
        for size in (1, 17, 100, 1 << 19):
            monkeypatch.setattr(files, "BLOCK_BYTES", size)
            found.append([(entry.name, entry.content, entry.remarks) for entry in open_boards(str(path))])
        assert found == [found[0]] * 4


def test_boards_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "batch.sdm"
    path.write_text(f"{PUZZLE}\n" * 5 + f"w{PUZZLE[1:]}\n")
    boards = read_all(str(path))
    assert next(boards) == Board.parse(PUZZLE)
    with pytest.raises(BoardError, match=r"batch\.sdm:6:1: 'w' is no digit of a 9×9 board"):
        list(boards)


@pytest.mark.parametrize("ahead", [ROWS, ROWS[:5], [PUZZLE], ["A title"]], ids=["grid", "part", "line", "title"])
def test_a_line_that_is_too_long_is_reported_behind_what_is_before_it(tmp_path: Path, ahead: list[str]) -> None:
    """Formats look ahead: none of them may take the error for its own."""
    (tmp_path / "x").write_text("\n".join([*ahead, "1" * (MAX_LINE_CHARACTERS + 1), PUZZLE]))
    *before, last = open_boards(str(tmp_path / "x"))
    assert f"a line of more than {MAX_LINE_CHARACTERS:,} characters" in str(last.content)
    assert [entry.content for entry in before if isinstance(entry.content, Board)] == (
        [Board.parse(PUZZLE)] if ahead in (ROWS, [PUZZLE]) else []
    )


# ------------------------------------------------------------------------------------- file objects


def opened(path: Path) -> list[Any]:
    """Return a file in every way in which it can be open."""
    data = path.read_bytes()
    return [
        path.open(),
        path.open("rb"),
        path.open("rb", buffering=0),
        path.open(newline="", encoding="latin-1"),
        io.StringIO(data.decode()),
        io.BytesIO(data),
        io.BytesIO(gzip.compress(data)),
        gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(data))),
        gzip.open(io.BytesIO(gzip.compress(data)), "rt"),
    ]


@pytest.mark.parametrize("lines", [1, 10_000], ids=str)
def test_an_open_file_is_read_like_its_path_and_stays_open(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{PUZZLE}\n" * lines + "# the end\n" + "\n".join(ROWS))
    expected = list(read_all(path))
    assert len(expected) == lines + 1
    for file in opened(path):
        with file:
            assert list(read_all(file)) == expected
            assert not file.closed
            file.seek(0)
            with pytest.raises(BoardError, match=re.escape(": more than one board: read_all reads them all")):
                read(file)
            assert not file.closed


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_an_open_file_has_one_board(tmp_path: Path, end: str) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes((end or "\n").join(ROWS).encode() + end.encode())
    for file in opened(path):
        with file:
            assert read(file) == read(path) == Board(PUZZLE)


def test_an_open_file_is_named_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text("w" + PUZZLE[1:])
    with path.open() as file, pytest.raises(BoardError) as caught:
        read(file)
    assert str(caught.value) == f"{path}:1:1: 'w' is no digit of a 9×9 board"
    with pytest.raises(BoardError, match=r"^<text>:1:1: 'w' is no digit"):
        read(io.StringIO(path.read_text()))
    with path.open("rb", buffering=0) as raw, pytest.raises(BoardError, match=f"^{path}:1:1"):
        read(raw)
    for content in ("", "# nothing"):
        with pytest.raises(BoardError, match=r"^<text>: no board in it"):
            read(io.StringIO(content))


def test_a_surrogate_in_a_text_is_no_digit() -> None:
    for sign in ("\udcff", "\ud800"):
        with pytest.raises(BoardError, match="is no digit of a 9×9 board"):
            read(io.StringIO(sign + PUZZLE[1:]))


def test_a_pipe_is_read_line_by_line() -> None:
    """Each board is there as soon as its line is written, whether the pipe has bytes or text."""
    for mode in ("r", "rb"):
        reading, writing = os.pipe()
        with os.fdopen(reading, mode) as file, os.fdopen(writing, "w") as pipe:
            boards = read_all(file)
            for _ in range(3):
                pipe.write(f"{PUZZLE}\n" * 2)
                pipe.flush()
                assert next(boards) == Board(PUZZLE)
                assert next(boards) == Board(PUZZLE)
            pipe.close()
            assert list(boards) == []


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{PUZZLE}\n" * 3)
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert list(read_all("-")) == [Board(PUZZLE)] * 3
        assert not file.closed
    monkeypatch.setattr(sys, "stdin", io.StringIO("x" + PUZZLE[1:]))
    with pytest.raises(BoardError, match=r"^<stdin>:1:1"):
        read("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ValueError, match="no standard input"):
        read("-")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(Path("-"))


@pytest.mark.parametrize("source", [None, 0, 5, b"path", [PUZZLE], Board(PUZZLE), {}])
def test_what_is_no_file_is_a_type_error(source: Any) -> None:
    for function in (read, read_all):
        with pytest.raises(TypeError, match=f"a path or an open file, not from {type(source).__name__}"):
            function(source)


def test_a_file_that_fails_is_an_error_of_the_system(tmp_path: Path) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            if size:
                raise OSError(errno.EIO, "Input/output error")
            return b""

    with pytest.raises(OSError, match="Input/output error") as caught:
        read(Broken())  # type: ignore[arg-type]
    assert caught.value.filename == "<text>"
    closed = io.StringIO(PUZZLE)
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        read(closed)
    with (tmp_path / "new").open("w") as file, pytest.raises(OSError, match="not readable"):
        read(file)


# --------------------------------------------------------------------------------------- on errors


BROKEN = f"{PUZZLE}\nw{PUZZLE[1:]}\n{PUZZLE}\n\n{PUZZLE[:80]}\n\n" + "\n".join(ROWS) + "\n"
MESSAGES = ["2:1: 'w' is no digit of a 9×9 board", "5: 80 cells in a line"]


def test_reading_goes_on_behind_a_broken_board(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(BROKEN)
    for source in (path, str(path)):
        good = [Board(PUZZLE)] * 3
        assert list(read_all(source, on_error="skip")) == list(read_all(source, None, "skip")) == good
        contents = list(read_all(source, on_error="yield"))
        assert [content for content in contents if isinstance(content, Board)] == good
        for at, message in zip((1, 3), MESSAGES, strict=True):
            assert isinstance(contents[at], BoardError)
            assert str(contents[at]).startswith(f"{path}:{message}")
        boards = read_all(source)
        assert next(boards) == Board(PUZZLE)
        with pytest.raises(BoardError, match=MESSAGES[0]):
            next(boards)


def test_a_file_without_a_board_is_skipped_or_yielded(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.touch()
    assert list(read_all(path, on_error="skip")) == []
    (error,) = read_all(path, on_error="yield")
    assert str(error) == f"{path}: no board in it"


def test_a_file_that_is_cut_off_is_never_skipped(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(f"{PUZZLE}\n".encode() * 1000)[:-20])
    ways: list[Literal["raise", "skip"]] = ["raise", "skip"]
    for on_error in ways:
        with pytest.raises(BoardError, match="the gzip data is truncated"):
            list(read_all(path, on_error=on_error))
    *boards, last = read_all(path, on_error="yield")
    assert isinstance(last, BoardError)
    assert all(board == Board(PUZZLE) for board in boards)


def test_another_way_with_errors_is_refused_at_the_call(tmp_path: Path) -> None:
    for wrong in ("ignore", "", None, True):
        with pytest.raises(ValueError, match=re.escape('on_error is "raise", "skip" or "yield"')):
            read_all(tmp_path, on_error=wrong)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="not a shape"):
        read_all(tmp_path, "nonsense")


@pytest.mark.parametrize("shape", ["3x2", (3, 2), Shape(3, 2)])
def test_a_shape_is_given_in_any_form_to_files(tmp_path: Path, shape: Any) -> None:
    path = tmp_path / "six.txt"
    path.write_text("." * 36)
    assert read(path, shape) == next(read_all(path, shape)) == Board.empty("3x2")
