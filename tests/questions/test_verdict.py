"""The solution of a unique board, as it is shown with its count."""

import pytest
from support.boards import board, breaks_no_rule

from enumerator.questions.count import count, with_solution
from enumerator.questions.verdict import find_solution
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan

UNIQUE = ["4x4-unique", "6x6-unique", "1a", "2a", "16x16-unique", "25x25-unique"]


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.parametrize("nodes", [1, 10**9])
def test_the_solution_is_the_same_at_once_and_from_the_list(name: str, nodes: int) -> None:
    plan = Plan(cores=2, batch_pacing=BatchPacing(classify_nodes=nodes))
    found = find_solution(board(name), plan, 60.0)
    assert found is not None
    assert breaks_no_rule(found, board(name))


@pytest.mark.parametrize("name", ["1b", "4x4-many"])
def test_a_board_with_several_solutions_has_none_of_them_in_its_answer(name: str) -> None:
    answer = count(board(name), Plan(cores=1))
    assert with_solution(answer, Plan(cores=1)) is answer
    assert "solution" not in answer.to_dict()


def test_a_count_that_ended_early_shows_no_solution() -> None:
    plan = Plan(cores=1, limit=1)
    answer = with_solution(count(board("4x4-many"), plan), plan)
    assert (answer.solutions, answer.verdict, answer.ended, answer.solution) == (1, "unknown", "limit", None)
