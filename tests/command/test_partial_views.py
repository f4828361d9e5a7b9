"""Questions with partial answers, some of which have no rows in a table."""

from __future__ import annotations

from support.boards import EMPTY
from support.processes import Run


def test_an_answer_without_rows_leaves_no_line_in_a_table(ask: Run) -> None:
    assert ask("." * 16, "--clues", "--csv").stdout.count("\n") == 1
    assert ask(EMPTY, "--steps", "--csv").stdout.count("\n") > 81
