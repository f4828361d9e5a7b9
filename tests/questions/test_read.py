"""The first board of a text, within a time limit."""

import json

import pytest
from support.boards import PUZZLE, ROWS

from enumerator.board import Board
from enumerator.board.reading import BoardError
from enumerator.page.requests import Request
from enumerator.questions.read import MORE_BOARDS, MORE_TEXT, read_first

PROSE = "A B C D\n" * 100


def test_a_text_without_a_board_is_refused_when_the_time_is_over() -> None:
    with pytest.raises(BoardError, match="no board was found within 0 s: give the board without other text"):
        read_first(PROSE, time_limit=0)
    with pytest.raises(BoardError, match="there is no board in the text"):
        read_first(PROSE, time_limit=60)


def test_a_board_that_may_lack_lines_is_not_read() -> None:
    with pytest.raises(BoardError, match="no board was found within 0 s"):
        read_first("\n".join(ROWS), time_limit=0)


@pytest.mark.parametrize(("seconds", "remark"), [(0, MORE_TEXT), (60, MORE_BOARDS)])
def test_the_text_below_a_board_is_not_read_for_longer(seconds: float, remark: str) -> None:
    found = read_first(f"{PUZZLE}\n{PROSE}{PUZZLE}\n", time_limit=seconds)
    assert (found.board, found.remarks) == (Board(PUZZLE), (remark,))


def test_a_request_is_read_within_its_time() -> None:
    request = Request(json.dumps({"board": PROSE}).encode())
    with pytest.raises(BoardError, match="no board was found within 0 s"):
        request.read(0)
