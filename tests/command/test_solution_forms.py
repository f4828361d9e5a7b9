"""Solutions as JSON and as grids: pages are written as a whole, and hold what each solution alone would be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.boards import board

from enumerator import solutions
from enumerator.board.writing import draw_symbols
from enumerator.command.solution_forms import GridSink, JsonSink
from enumerator.run.solution_file import Output

BOARD = board("6x6-many")
LINES = [str(solution) for solution in solutions(BOARD, limit=2_300)]


def as_page(lines: list[str]) -> bytearray:
    return bytearray("".join(f"{line}\n" for line in lines).encode())


@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("first", [0, 1, 90, 10**21 - 7])
@pytest.mark.parametrize("size", [1, 7, 2_300])
def test_grids_of_a_page_are_those_drawn_one_by_one(tmp_path: Path, ascii: bool, first: int, size: int) -> None:  # noqa: A002
    path = tmp_path / "list"
    lines = LINES[: 120 * size]
    with Output(str(path)) as output:
        sink = GridSink(output, BOARD, first, "#", ascii)
        written = [sink.write(as_page(lines[start : start + size])) for start in range(0, len(lines), size)]
        assert sum(written) == output.solutions == len(lines)
    grids = (f"#{first + at}\n{draw_symbols(BOARD.shape, line, ascii)}\n" for at, line in enumerate(lines))
    assert path.read_text() == "\n".join(grids)


@pytest.mark.parametrize("size", [1, 7, 2_300])
def test_objects_of_a_page_are_those_of_each_solution(tmp_path: Path, size: int) -> None:
    path, facts = tmp_path / "list", {"source": 'a|"\\\n.txt:1', "seed": 3}
    with Output(str(path)) as output:
        sink = JsonSink(output, BOARD.shape, facts)
        written = [sink.write(as_page(LINES[start : start + size])) for start in range(0, len(LINES), size)]
        assert sum(written) == output.solutions == len(LINES)
    assert path.read_text() == "".join(f"{json.dumps({**facts, 'solution': line})}\n" for line in LINES)
