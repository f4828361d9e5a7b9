"""Files of boards: line ends, names, blocks, and what is said of a file that cannot be read."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import PUZZLE, ROWS

from enumerator.board import Board, files
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
    meter = files.Meter()
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


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for name, reason in ((tmp_path / "absent.txt", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(BoardError, match=f"{name}: {reason}"):
            read(str(name))
    with pytest.raises(BoardError, match="null byte"):
        read("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.touch(mode=0o000)
    with pytest.raises(BoardError, match="Permission denied"):
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
