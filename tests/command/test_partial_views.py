"""Questions with partial answers: many boards, in this process or in others, and boards without an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.boards import EMPTY, PUZZLE
from support.processes import Run

from enumerator.run.pacing import BatchPacing

TINY, SHORT, FOUR = "1.....2..3..2..4", "1.....2..3.....4", "12343412........"

AT_ONCE = BatchPacing(worth_seconds=0, first_boards=1, probe_boards=1, process_seconds=0)
"""The pacing of a batch that starts processes after two boards."""


@pytest.fixture
def boards(tmp_path: Path) -> str:
    (tmp_path / "boards.txt").write_text(f"{TINY}\n{SHORT}\n{FOUR}\n12X.............\n" * 4 + f"{PUZZLE}\n{'.' * 16}\n")
    return str(tmp_path / "boards.txt")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "form"), [("--clues", "--csv"), ("--steps", "--json"), ("--unavoidable", "-q"), ("--complete", "-q")]
)
def test_many_boards_are_answered_like_each_alone(ask: Run, boards: str, question: str, form: str) -> None:
    def without_times(text: str) -> list[str]:
        return [line.partition(', "seconds"')[0] for line in text.splitlines()]

    one_by_one = ask(boards, question, form, "-c", "1")
    together = ask(boards, question, form, "-c", "2", batch_pacing=AT_ONCE)
    assert without_times(together.stdout) == without_times(one_by_one.stdout)
    assert together.returncode == one_by_one.returncode == 2
    assert "" not in one_by_one.stdout.splitlines()[:-1]


def test_an_answer_without_rows_leaves_no_line_in_a_table(ask: Run) -> None:
    assert ask("." * 16, "--clues", "--csv").stdout.count("\n") == 1
    assert ask(EMPTY, "--steps", "--csv").stdout.count("\n") > 81
