"""The measurement of lists into pipes, on a short list."""

from pathlib import Path

import pytest
from support.boards import PUZZLE, board, board_file

from bench.measure.pipes import pipe_rates
from enumerator import count


@pytest.mark.slow
def test_rates_are_lines_a_second() -> None:
    rates = pipe_rates(Path(board_file("4x4-many")), rounds=2)
    assert rates.lines == count(board("4x4-many"))
    assert min(rates.null, rates.pipe, rates.zeros) > 0
    assert rates.ratio == rates.pipe / rates.null


def test_an_empty_list_has_no_rate(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(PUZZLE.replace("6..195", "6..155", 1))
    with pytest.raises(ValueError, match="there are no solutions to list"):
        pipe_rates(path, rounds=1)
